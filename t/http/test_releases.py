"""Releases: stories of type release under their own name (contract 2.13, 5.6)."""

import csv
import io

import pytest

from board import Board, problem
from world import ok


@pytest.fixture
def planned(board):
    """aAb and cCdD in the order of the project, releases in capitals; e below them."""
    board.add("a", "accepted", estimate=3, accepted_at="2024-01-01T00:00:00Z")
    board.add("A", "accepted", story_type="release", accepted_at="2024-01-02T00:00:00Z")
    board.add("b", "accepted", estimate=2, accepted_at="2024-01-03T00:00:00Z")
    board.add("c", "started", estimate=1)
    board.add("C", "unstarted", story_type="release", deadline="2030-01-01T00:00:00Z")
    board.add("d", "unstarted", estimate=None)
    board.add("D", "unstarted", story_type="release", deadline="2031-01-01T00:00:00Z")
    board.add("e", "unstarted", estimate=2)
    return board


def get(board, path="", query=""):
    return board.client.get(f"{board.path}/releases{path}?{query}")


def release(board, name, query=""):
    return ok(get(board, f"/{board.ids[name]}", query))


def names(answer):
    return "".join(x["name"] for x in ok(answer))


# --- list and one --------------------------------------------------------------------

def test_the_list_in_the_projects_order(planned):
    answer = get(planned)
    assert names(answer) == "ACD"
    assert [answer.headers[f"X-Service-Pagination-{x}"]
            for x in ("Total", "Limit", "Offset", "Returned")] == ["3", "100", "0", "3"]


def test_a_release(planned):
    first = release(planned, "A")
    assert first == {
        "kind": "release", "id": planned.ids["A"], "created_at": first["created_at"],
        "updated_at": first["updated_at"], "accepted_at": "2024-01-02T00:00:00Z", "name": "A",
        "current_state": "accepted", "url": first["url"], "project_id": planned.id, "labels": []}
    assert first["url"].endswith(f"/story/show/{planned.ids['A']}")
    assert release(planned, "C")["deadline"] == "2030-01-01T00:00:00Z"


def test_its_labels(board):
    board.add("A", story_type="release", labels=["two", "one"], description="text")
    one = release(board, "A")
    assert [x["name"] for x in one["labels"]] == ["one", "two"] and one["description"] == "text"
    assert release(board, "A", "fields=label_ids") == {
        "id": board.ids["A"], "label_ids": [x["id"] for x in one["labels"]]}
    assert [x["labels"] for x in ok(get(board))] == [one["labels"]]


def test_it_is_a_story_under_the_other_name(planned):
    assert ok(planned.client.get(planned.at("C")))["story_type"] == "release"
    planned.move("C", name="New")
    assert release(planned, "C")["name"] == "New"


@pytest.mark.parametrize("query,expected", [
    ("with_state=accepted", "A"), ("with_state=unstarted", "CD"), ("with_state=unscheduled", ""),
    ("accepted_before=2024-01-02T00:00:01Z", "A"), ("accepted_before=2024-01-02T00:00:00Z", ""),
    ("accepted_after=2024-01-01T00:00:00Z", "A"), ("accepted_after=1704153600000", ""),
    ("deadline_before=2030-06-01T00:00:00Z", "C"), ("deadline_after=2030-06-01T00:00:00Z", "D"),
    ("deadline_after=2029-01-01&deadline_before=2032-01-01", "CD"),
])
def test_filters(planned, query, expected):
    answer = get(planned, query=query)
    assert names(answer) == expected
    assert answer.headers["X-Service-Pagination-Total"] == str(len(expected))


def test_pages(planned):
    answer = get(planned, query="offset=1&limit=1")
    assert names(answer) == "C"
    assert answer.headers["X-Service-Pagination-Total"] == "3"
    assert names(get(planned, query="offset=9")) == ""


@pytest.mark.parametrize("query", ["with_state=done", "deadline_after=soon", "with_label=x"])
def test_bad_parameters(planned, query):
    assert query.split("=")[0] in problem(get(planned, query=query))


# --- its stories -----------------------------------------------------------------------

@pytest.mark.parametrize("name,expected", [("A", "a"), ("C", "bc"), ("D", "d")])
def test_stories_down_from_the_release_before(planned, name, expected):
    path = f"/{planned.ids[name]}/stories"
    answer = get(planned, path)
    assert names(answer) == expected
    assert {s["kind"] for s in answer.json()} == {"story"}
    assert "X-Service-Pagination-Total" not in answer.headers
    assert ok(get(planned, path, "fields=name")) == [
        {"id": planned.ids[x], "name": x} for x in expected]
    assert release(planned, name, "fields=story_ids")["story_ids"] == [
        planned.ids[x] for x in expected]
    assert [s["name"] for s in release(planned, name, "fields=stories(name)")["stories"]] == list(
        expected)


def test_stories_follow_the_order(planned):
    planned.move("e", before="C")
    assert names(get(planned, f"/{planned.ids['C']}/stories")) == "bce"
    planned.move("C", before="D")
    assert names(get(planned, f"/{planned.ids['C']}/stories")) == "bced"
    assert names(get(planned, f"/{planned.ids['D']}/stories")) == ""


ROLLUPS = "points_accepted,points_total,counts_accepted,counts_total"


@pytest.mark.parametrize("name,expected", [
    ("A", (3, 3, 1, 1)), ("C", (2, 3, 1, 2)), ("D", (0, 0, 0, 1))])
def test_rollups(planned, name, expected):
    rollups = {"id": planned.ids[name], **dict(zip(ROLLUPS.split(","), expected))}
    assert release(planned, name, f"fields={ROLLUPS}") == rollups
    assert ok(planned.client.get(f"{planned.at(name)}?fields={ROLLUPS}")) == rollups
    assert rollups in ok(get(planned, query=f"fields={ROLLUPS}"))


def test_a_release_has_them_wherever_it_stands(planned):
    fields = f"{ROLLUPS},projected_completion"
    alone = ok(planned.client.get(f"{planned.at('C')}?fields={fields}"))
    assert len(alone) == 6
    path = planned.path
    for answer in (ok(planned.client.get(f"{path}?fields=stories({fields})"))["stories"],
                   ok(planned.client.get(f"{path}/stories?fields={fields}")),
                   ok(planned.client.get(f"{path}/stories/bulk?ids={alone['id']}&fields={fields}")),
                   ok(planned.client.get(f"{path}/iterations?scope=current"
                                         f"&fields=stories({fields})"))[0]["stories"],
                   ok(planned.client.get(f"{path}/search?query=name:C&fields=stories(stories"
                                         f"({fields}))"))["stories"]["stories"]):
        assert alone in answer
        assert {"id": planned.ids["d"]} in answer or len(answer) < 3


def test_projected_completion(planned):
    planned.add("i", story_type="release")
    both = [ok(planned.client.get(path + "?fields=projected_completion")) for path in (
        f"{planned.path}/releases/{planned.ids['C']}", planned.at("C"))]
    assert both[0] == both[1] and both[0]["projected_completion"].endswith("Z")
    assert release(planned, "i", "fields=projected_completion") == {"id": planned.ids["i"]}


def test_other_stories_have_no_rollups(planned):
    assert ok(planned.client.get(f"{planned.at('a')}?fields={ROLLUPS}")) == {"id": planned.ids["a"]}


# --- what is not there -------------------------------------------------------------------

@pytest.mark.parametrize("path", ["", "/stories", "/stories.csv"])
def test_what_is_no_release_is_not_found(planned, api, boss, path):
    other = Board(api(boss))
    other.add("X", story_type="release")
    for id in (planned.ids["a"], other.ids["X"], 1 << 45, 0):
        assert get(planned, f"/{id}{path}").json()["code"] == "unfound_resource"
    assert get(planned, f"/{planned.ids['A']}{path}").status_code == 200


@pytest.mark.parametrize("path", ["", "/{id}", "/{id}/stories", "/{id}/stories.csv"])
def test_who_may_see_them(planned, api, person, path):
    path = f"{planned.path}/releases" + path.format(id=planned.ids["A"])
    viewer = person("Viewer")
    planned.join(viewer, "viewer")
    assert api(viewer).get(path).status_code == 200
    assert api(person("Stranger")).get(path).status_code == 403
    assert api().get(path).status_code == 403
    assert api(viewer).delete(path).status_code == 405


# --- CSV -----------------------------------------------------------------------------------

def rows(board, name, query=""):
    answer = get(board, f"/{board.ids[name]}/stories.csv", query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["X-Service-Project-Version"]
    text = answer.content.decode()
    assert text.endswith("\r\n")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_csv(planned, boss):
    planned.move("b", labels=["x", "y"], owner_ids=[boss.id])
    planned.add("n", "unstarted", story_type="bug", before_id=planned.ids["C"])
    assert rows(planned, "C") == [
        ["State", "Accepted at (Etc/UTC)", "Type", "Estimate", "Title", "ID", "Labels", "Owned By"],
        ["accepted", "2024-01-03 00:00:00", "feature", "2", "b", str(planned.ids["b"]), "x, y",
         "Boss"],
        ["started", "", "feature", "1", "c", str(planned.ids["c"]), "", ""],
        ["unstarted", "", "bug", "", "n", str(planned.ids["n"]), "", ""]]


def test_csv_has_as_many_owner_columns_as_needed(planned, boss, person):
    mates = [person("Mate One"), person("Mate Two")]
    for mate in mates:
        planned.join(mate)
    planned.move("b", owner_ids=[mates[1].id, boss.id, mates[0].id])
    planned.move("c", owner_ids=[mates[0].id])
    table = rows(planned, "C")
    assert table[0][7:] == ["Owned By"] * 3
    assert [row[7:] for row in table[1:]] == [["Mate Two", "Boss", "Mate One"], ["Mate One", "", ""]]


def test_csv_times_are_the_projects(planned):
    ok(planned.client.put(planned.path, {"time_zone": {"olson_name": "America/Los_Angeles"}}))
    table = rows(planned, "A")
    assert table[0][1] == "Accepted at (America/Los_Angeles)"
    assert table[1][1] == "2023-12-31 16:00:00"


@pytest.mark.parametrize("title", [
    "a, b", 'say "no"', "two\nlines", "tab\there", "Größe ✓", " blanks ", "'quoted'", "1-2=3"])
def test_csv_gives_texts_back(board, title):
    board.add("a", "unstarted")
    board.add("R", "unstarted", story_type="release")
    board.move("a", name=title)
    assert rows(board, "R")[1][4] == title


@pytest.mark.parametrize("title", ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")'])
def test_csv_makes_formulas_harmless(board, person, title):
    evil = person("=cmd()")
    board.join(evil)
    board.add("a", "unstarted", labels=["=label", "plain"], owner_ids=[evil.id])
    board.add("R", "unstarted", story_type="release")
    board.move("a", name=title)
    row = rows(board, "R")[1]
    assert (row[4], row[6], row[7]) == ("'" + title, "'=label, plain", "'=cmd()")


def test_csv_of_nothing_is_its_header(board):
    board.add("R", "unstarted", story_type="release")
    assert len(rows(board, "R")) == 1


def test_csv_knows_no_fields_and_no_envelope(planned):
    plain = rows(planned, "C")
    assert rows(planned, "C", "fields=name") == plain
    assert rows(planned, "C", "fields=nothing((") == plain
    assert rows(planned, "C", "envelope=true&date_format=millis") == plain


def test_csv_errors_are_json(planned):
    answer = get(planned, f"/{1 << 45}/stories.csv", "envelope=true")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.json()["data"]["code"] == "unfound_resource"
