"""POST /stories/export: stories of any projects as CSV (contract 2.19, 7.1, 7.2)."""

import csv
import io
import zoneinfo

import pytest

from board import Board, problem
from world import UNKNOWN, ok

HEAD = ("Id,Title,Labels,Iteration,Iteration Start,Iteration End,Type,Estimate,Priority,"
        "Current State,Created at,Accepted at,Deadline,Requested By,Description,URL").split(",")
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def boss(person):
    return person("Boss Lady")


@pytest.fixture
def client(api, boss):
    return api(boss)


@pytest.fixture
def board(client):
    return Board(client, time_zone={"olson_name": "America/Los_Angeles"})


def export(client, ids):
    return client.post("/stories/export", data="&".join(f"ids[]={id}" for id in ids),
                       headers={"Content-Type": FORM})


def table(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="stories.csv"'
    return rows_of(answer.content)


def rows_of(content):
    """Rows; those of stories end at their last value, and are padded here."""
    text = content.decode()
    assert text.endswith("\n") and not text.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert rows[0][:16] == HEAD
    for row in rows[1:]:
        assert 16 <= len(row) <= len(rows[0])
        assert row[-1] or row[6] == "epic"
    return [row + [""] * (len(rows[0]) - len(row)) for row in rows]


def stories(client, *ids):
    """Rows by column name; columns that repeat become lists."""
    head, *rows = table(export(client, ids))
    found = []
    for row in rows:
        story = dict(zip(HEAD, row))
        for name, cell in zip(head[16:], row[16:]):
            story.setdefault(name, []).append(cell)
        found.append(story)
    return found


def story(client, id):
    found = stories(client, id)
    assert len(found) == 1
    return found[0]


# --- cells -------------------------------------------------------------------------------

def test_all_cells(board, stack, client, boss, person, api):
    mate = person("Mate")
    board.join(mate)
    added = board.add("Ship it", "accepted", estimate=2, story_priority="p1", labels=["x", "a b"],
                      owner_ids=[mate.id, boss.id], description="First\nsecond",
                      created_at="2024-01-02T07:00:00Z", accepted_at="2024-01-03T07:59:59Z")
    at = board.at("Ship it")
    for body in ({"description": "Cook"}, {"description": "Eat", "complete": True}):
        ok(client.post(f"{at}/tasks", body))
    for body in ({"description": "Rain"}, {"description": "Snow", "resolved": True}):
        ok(client.post(f"{at}/blockers", body))
    comment = ok(api(mate).post(f"{at}/comments", {"text": "Looks good (to me)"}))
    ok(client.post(f"{at}/pull_requests", {"owner": "o", "repo": "r", "number": 7}))
    ok(client.post(f"{at}/pull_requests", {"owner": "o", "repo": "r", "number": 8,
                                           "original_url": "https://git.example/8"}))
    ok(client.post(f"{at}/branches", {"owner": "o", "repo": "r", "name": "fix",
                                      "host_url": "https://git.example"}))
    stack.sql("update planwright.comment set created_at = '2023-11-12T07:59:00Z' where id = %s",
              comment["id"])
    assert table(export(client, [added["id"]])) == [
        [*HEAD, "Owned By", "Owned By", "Blocker", "Blocker Status", "Blocker", "Blocker Status",
         "Comment", "Task", "Task Status", "Task", "Task Status", "Pull Request", "Pull Request",
         "Git Branch"],
        [str(added["id"]), "Ship it", "a b, x", "1", "Jan 1, 2024", "Jan 7, 2024", "feature", "2",
         "p1 - High", "accepted", "Jan 1, 2024", "Jan 2, 2024", "", "Boss Lady", "First\nsecond",
         added["url"], "Mate", "Boss Lady", "Rain", "unresolved", "Snow", "resolved",
         "Looks good (to me) (Mate - Nov 11, 2023)", "Cook", "not completed", "Eat", "completed",
         "https://github.com/o/r/pull/7", "https://git.example/8", "fix"]]


def test_reviews(board, stack, client, person):
    """Two of the types that every project has are exported in lower case, others as they are named."""
    mate = person("Re Viewer")
    board.join(mate)
    types = {t["name"]: t["id"] for t in ok(client.get(f"{board.path}/review_types"))}
    types["Émile's own"] = ok(client.post(f"{board.path}/review_types", {"name": "Émile's own"}))["id"]
    id = board.add("a")["id"]
    for name, status in (("Code", "pass"), ("Security", "in_review"), ("Design", "unstarted"),
                         ("Émile's own", "revise")):
        ok(client.post(f"{board.path}/stories/{id}/reviews", {
            "review_type_id": types[name], "status": status,
            **({"reviewer_id": mate.id} if name != "Design" else {})}))
    row = story(client, id)
    assert list(zip(row["Review Type"], row["Reviewer"], row["Review Status"])) == [
        ("code", "Re Viewer", "pass"), ("security", "Re Viewer", "in_review"),
        ("Design", "", "unstarted"), ("Émile's own", "Re Viewer", "revise")]


def test_a_comment_of_lines_ends_in_a_line_of_its_author(board, client):
    id = board.add("a", comments=[{"text": "one\ntwo\n"}])["id"]
    assert story(client, id)["Comment"][0].startswith("one\ntwo\n(Boss Lady - ")


def test_a_bare_story(board, client):
    bare = board.add("Bare", estimate=None)
    row = story(client, bare["id"])
    assert {k: v for k, v in row.items() if not v} == dict.fromkeys(
        ["Labels", "Iteration", "Iteration Start", "Iteration End", "Estimate", "Accepted at",
         "Deadline", "Description"], "")
    assert (row["Type"], row["Current State"], row["Priority"]) == (
        "feature", "unscheduled", "none")


@pytest.mark.parametrize("word,cell", [
    ("p0", "p0 - Critical"), ("p1", "p1 - High"), ("p2", "p2 - Medium"), ("p3", "p3 - Low"),
    ("none", "none")])
def test_priorities(board, client, word, cell):
    assert story(client, board.add("a", story_priority=word)["id"])["Priority"] == cell


def test_releases_have_deadlines(board, client):
    release = board.add("R", "unstarted", story_type="release", deadline="2030-06-01T06:59:59Z")
    assert story(client, release["id"])["Deadline"] == "May 31, 2030"


def test_columns_repeat_as_the_fullest_story_needs(board, client, boss):
    full, half, none = (board.add(name)["id"] for name in ("full", "half", "none"))
    for id, tasks in ((full, "ab"), (half, "c")):
        for task in tasks:
            ok(client.post(f"/projects/{board.id}/stories/{id}/tasks", {"description": task}))
    board.move("half", owner_ids=[boss.id])
    rows = {row["Title"]: row for row in stories(client, full, half, none)}
    assert [rows[n]["Task"] for n in ("full", "half", "none")] == [["a", "b"], ["c", ""], ["", ""]]
    assert rows["half"]["Task Status"] == ["not completed", ""]
    assert [rows[n]["Owned By"] for n in ("full", "half", "none")] == [[""], ["Boss Lady"], [""]]
    assert "Comment" not in rows["full"]


@pytest.mark.parametrize("text", [
    "a, b", 'say "no"', "two\nlines", "two\r\nlines", "Größe ✓ 🎉", " blanks ", "'quoted'", "a=b",
    '"', "x" * 5000])
def test_texts_come_back(board, client, text):
    id = board.add("a", description=text)["id"]
    ok(client.post(f"{board.path}/stories/{id}/tasks", {"description": text[:1000]}))
    ok(client.post(f"{board.path}/stories/{id}/comments", {"text": text}))
    board.move("a", name=text)
    row = story(client, id)
    assert (row["Title"], row["Description"], row["Task"]) == (text, text, [text[:1000]])
    assert row["Comment"][0].startswith(text + " (Boss Lady - ")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")'])
def test_formulas_are_harmless(board, client, text):
    id = board.add("a", description=text, labels=["=x"], tasks=[{"description": text}],
                   comments=[{"text": text}], blockers=[{"description": text}])["id"]
    board.move("a", name=text)
    row = story(client, id)
    assert {row["Title"], row["Description"], row["Task"][0], row["Blocker"][0]} == {"'" + text}
    assert row["Comment"][0].startswith("'" + text)
    assert row["Labels"] == "'=x"


@pytest.mark.parametrize("text", ["- a list\n- of two", "-- so it goes", "--", "'=1", "a=1", " =1"])
def test_what_looks_like_a_list_stays(board, client, text):
    id = board.add("a", description=text)["id"]
    assert story(client, id)["Description"] == text


def test_a_dash_alone_is_no_list(board, client):
    assert story(client, board.add("a", description="-")["id"])["Description"] == "'-"


def test_a_comment_that_only_carries_something(board, client):
    at = f"{board.path}/stories/{board.add('a')['id']}"
    upload = ok(client.post(f"{board.path}/uploads", files={"file": ("x", b"x")}))
    ok(client.post(f"{at}/comments", {"file_attachment_ids": [upload["id"]]}))
    assert story(client, board.ids["a"])["Comment"][0].startswith("(Boss Lady - ")


# --- iterations --------------------------------------------------------------------------

def cells(row):
    return row["Iteration"], row["Iteration Start"], row["Iteration End"]


def days(client, path, zone="UTC"):
    """What the API says about iterations, in the file's format."""
    from datetime import datetime, timedelta

    def word(text, back=0):
        day = datetime.fromisoformat(text).astimezone(zoneinfo.ZoneInfo(zone)).date() - timedelta(days=back)
        return f"{day:%b} {day.day}, {day.year}"
    return {s: (str(i["number"]), word(i["start"]), word(i["finish"], 1))
            for i in ok(client.get(f"{path}/iterations?limit=100&fields=number,start,finish,story_ids"))
            for s in i["story_ids"]}


def test_iterations_are_those_of_the_plan(client):
    board = Board(client, start_date="2024-01-01", iteration_length=2, initial_velocity=3)
    board.add("old", "accepted", accepted_at="2024-03-05T12:00:00Z")
    board.add("new", "accepted")
    board.add("now", "started")
    for i in range(12):
        board.add(f"later {i}", "unstarted", estimate=2)
    board.add("ice")
    rows = {int(row["Id"]): cells(row) for row in stories(client, *board.ids.values())}
    assert rows.pop(board.ids["ice"]) == ("", "", "")
    assert rows == days(client, board.path)
    assert len({row[0] for row in rows.values()}) > 6


def test_iterations_at_midnights_of_another_zone(client):
    """Weeks begin on Thursday, and some iterations have lengths of their own."""
    board = Board(client, time_zone={"olson_name": "America/Los_Angeles"}, start_date="2024-01-04",
                  week_start_day="Thursday", iteration_length=2)
    for number, length in ((2, 3), (4, 1), (7, 1), (9, 4)):
        ok(client.put(f"{board.path}/iteration_overrides/{number}", {"length": length}))
    at = [f"2024-{month:02d}-{day:02d}T0{6 + day % 3}:59:59Z"  # midnight there is at 8:00 UTC, or 7:00 in summer
          for month in range(1, 9) for day in (3, 4, 5, 11, 18, 19, 25)]
    for i, accepted_at in enumerate(at):
        board.add(f"s{i}", "accepted", created_at="2024-01-01T00:00:00Z", accepted_at=accepted_at)
    rows = {int(row["Id"]): cells(row) for row in stories(client, *board.ids.values())}
    assert rows == days(client, board.path, "America/Los_Angeles")
    assert len({row[0] for row in rows.values()}) > 12


def test_iterations_of_odd_lengths(client):
    board = Board(client, start_date="2024-01-01")
    board.add("old", "accepted", accepted_at="2024-03-05T12:00:00Z")
    before = cells(story(client, board.ids["old"]))
    ok(client.put(f"{board.path}/iteration_overrides/{before[0]}", {"length": 3}))
    assert before == ("10", "Mar 4, 2024", "Mar 10, 2024")
    assert cells(story(client, board.ids["old"])) == ("10", "Mar 4, 2024", "Mar 24, 2024")


def test_manual_planning(client):
    board = Board(client, automatic_planning=False)
    board.add("planned", "planned")
    board.add("later", "unstarted")
    here, there = (stories(client, board.ids[n])[0]["Iteration"] for n in ("planned", "later"))
    assert (here, there) == ("1", "2")


# --- several projects ----------------------------------------------------------------------

def test_several_projects(client, board):
    other = Board(client, time_zone={"olson_name": "Pacific/Auckland"})
    at = "2024-01-02T09:00:00Z"
    for b in (board, other):
        b.add("ice", created_at=at)
        b.add("next", "unstarted", created_at=at)
    ids = [other.ids["ice"], board.ids["ice"], other.ids["next"], board.ids["next"],
           board.ids["next"]]
    rows = stories(client, *ids)
    assert [(int(r["Id"]), r["Created at"]) for r in rows] == [
        (board.ids["next"], "Jan 2, 2024"), (board.ids["ice"], "Jan 2, 2024"),
        (other.ids["next"], "Jan 2, 2024"), (other.ids["ice"], "Jan 2, 2024")]
    assert [bool(r["Iteration"]) for r in rows] == [True, False, True, False]


def test_what_the_caller_cannot_see_is_left_out(board, api, person):
    own, viewer = board.add("Own")["id"], person("Viewer")
    board.join(viewer, "viewer")
    stranger = api(person("Stranger"))
    private, public = Board(stranger), Board(stranger, public=True)
    ids = [own, private.add("Secret")["id"], public.add("Open")["id"], UNKNOWN, 0, -1]
    assert [s["Title"] for s in stories(api(viewer), *ids)] == ["Own", "Open"]
    assert [s["Title"] for s in stories(stranger, *ids)] == ["Secret", "Open"]
    assert table(export(stranger, [own])) == [HEAD]
    ok(board.client.delete(board.at("Own")), 204)
    assert [s["Title"] for s in stories(api(viewer), *ids)] == ["Open"]


def test_who_may_export(board, api, person):
    id = board.add("a")["id"]
    for client, code in ((api(), "unauthorized_operation"),
                         (api("0" * 32), "invalid_authentication")):
        answer = export(client, [id])
        assert (answer.status_code, answer.json()["code"]) == (403, code)
        assert "Content-Disposition" not in answer.headers
    assert table(export(api(person()), [id])) == [HEAD]


def make_projects(stack, boss, n):
    """Projects with one story each, inserted directly into the database; returns the stories' ids."""
    account, = stack.sql("insert into planwright.account (name) values ('Many') returning id")[0]
    stack.sql("set session_replication_role = replica")
    stack.sql("""
        with p as (insert into planwright.project (account_id, name)
            select %s, 'Many ' || i from generate_series(1, %s) i returning id)
        insert into planwright.project_membership (project_id, person_id, role)
        select id, %s, 'owner' from p""", account, n, boss.id)
    ids = [id for id, in stack.sql("""
        insert into planwright.story (project_id, name, current_state, requested_by_id, rank)
        select id, 'S', 'unstarted', %s, 0 from planwright.project where account_id = %s
        returning id""", boss.id, account)]
    stack.sql("update planwright.project set story_counts[4] = 1 where account_id = %s", account)
    stack.sql("reset session_replication_role")
    return ids


def test_many_projects(stack, api, person):
    """More plans than fit into one pipeline; and the limit."""
    boss = person("Many")
    client, ids = api(boss), make_projects(stack, boss, 200)
    assert [row["Iteration"] for row in stories(client, *ids[:100])] == ["1"] * 100
    assert "at most 100 projects" in problem(export(client, ids[:101]))
    velocities = ok(client.get("/projects?fields=current_velocity"))
    assert [p["current_velocity"] for p in velocities] == [10] * 200


# --- bodies --------------------------------------------------------------------------------

@pytest.mark.parametrize("body,type", [
    ("ids[]={0}&ids[]={1}", FORM),
    ("ids%5B%5D={0}&ids%5b%5d={1}", f"{FORM}; charset=UTF-8"),
    ("&ids[]={0}&&ids[]={1}&ids[]={0}&", FORM.upper()),
    ('{{"ids":[{0},{1}]}}', "application/json"),
    (' {{"ids":[{0},{1}]}}', FORM),
    ('"ids%5B%5D={0}&ids%5B%5D={1}"', "application/json"),
    ('"ids[]={0}&ids[]={1}"', FORM),
    ('{{"ids":[{0},{1}]}}', None)])
def test_bodies(board, client, body, type):
    ids = [board.add(name)["id"] for name in "ab"]
    answer = client.post("/stories/export", data=body.format(*ids),
                         headers={"Content-Type": type} if type else {})
    assert {int(row[0]) for row in table(answer)[1:]} == set(ids)


@pytest.mark.parametrize("body,sentence", [
    ("", "this endpoint requires the parameter: ids"),
    ("=", "this endpoint cannot accept the parameter: "),
    ("ids[]=x", "'ids' must be an array of integer values"),
    ("ids[]=", "'ids' must be an array of integer values"),
    ("ids[]=1&ids[]=1.5", "'ids' must be an array of integer values"),
    ("ids[]=-99999999999999999999", "'ids' must be an array of integer values"),
    ("ids=x", "'ids' must be an array of integer values"),
    ("ids[]=1&project=2", "this endpoint cannot accept the parameter: project"),
    ("ids[0]=1", "this endpoint cannot accept the parameter: ids[0]"),
    ("a[]=1", "this endpoint cannot accept the parameter: a")])
def test_bad_parameters(client, body, sentence):
    answer = client.post("/stories/export", data=body, headers={"Content-Type": FORM})
    assert problem(answer) == sentence


@pytest.mark.parametrize("body,type", [
    ("&", FORM), ("[]=1", FORM), ("ids[]=%zz", FORM), ("ids[]=%00", FORM),
    (b"ids[]=\xff", FORM), ("ids=1&ids=2", FORM),
    ('"ids[]=%zz"', "application/json"), ('"ids[]=1', "application/json"),
    ("ids[]=1&ids=2", FORM), ("ids=1&ids[]=2", FORM), ("a=1&" * 1001, FORM), ("{", FORM),
    ("ids[]=1", "application/json"), ("ids[]=1", "text/plain"), ("ids[]=1", None),
    ("[1]", "application/json"), ("ids[]=1", "multipart/form-data; boundary=x")])
def test_unreadable_bodies(client, body, type):
    answer = client.post("/stories/export", data=body,
                         headers={"Content-Type": type} if type else {})
    assert (answer.status_code, answer.json()["code"]) == (400, "could_not_parse_body")


def test_an_id_beyond_64_bits_is_one_that_is_not_there(board, client):
    mine = board.add("mine")["id"]
    for body, kind in ((f"ids[]=99999999999999999999&ids[]={mine}", FORM),
                       (f'{{"ids": [{mine}, 18446744073709551616]}}', "application/json")):
        answer = client.post("/stories/export", data=body, headers={"Content-Type": kind})
        assert [int(row[0]) for row in table(answer)[1:]] == [mine]


def test_an_empty_list_is_the_header(client):
    assert table(client.post("/stories/export", {"ids": []})) == [HEAD]


def test_at_most_500_ids(board, client):
    id = board.add("a")["id"]
    assert len(table(export(client, [id, *range(-499, 0)]))) == 2
    assert len(table(export(client, [id] * 500))) == 2
    for answer in (export(client, [id] * 501), client.post("/stories/export", {"ids": [id] * 501})):
        assert problem(answer) == "'ids' must have at most 500 items"


def test_500_stories(stack, board, client):
    stack.sql("set session_replication_role = replica")
    ids = [id for id, in stack.sql("""
        insert into planwright.story (project_id, name, current_state, estimate, rank, accepted_at,
            requested_by_id)
        select %s, 'S' || i, state, 1, case state when 'accepted' then 1704067200000000 else i end,
            case state when 'accepted' then timestamptz '2024-01-01T00:00Z' end, %s
        from (select i, (array['accepted', 'unstarted'])[i %% 2 + 1] as state
            from generate_series(1, 500) i) s returning id""", board.id,
        ok(client.get("/me"))["id"])]
    stack.sql("""update planwright.project set story_counts[1] = story_counts[1] + 250,
        story_counts[4] = story_counts[4] + 250 where id = %s""", board.id)
    stack.sql("reset session_replication_role")
    rows = stories(client, *ids)
    assert sorted(int(row["Id"]) for row in rows) == sorted(ids)
    assert all(row["Iteration"] for row in rows)


def test_neither_fields_nor_envelope(board, client):
    id = board.add("a")["id"]
    path = "/stories/export?fields=name&envelope=true&date_format=millis"
    plain = table(export(client, [id]))
    assert table(client.post(path, {"ids": [id]})) == plain
    answer = client.post("/stories/export?envelope=true", {})
    assert answer.json()["data"]["code"] == "invalid_parameter"


def test_methods(client):
    answer = client.get("/stories/export")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS")
