"""What an import reports about files: dates that cannot be kept, what the original refuses, damaged files
(planwright-import(7), REPORT)."""

import json
import zipfile

import pytest

from importing import asked, over, team_of
from test_import_people import table
from test_import_project import HEADING, counts, get, ids, imported, place, row, version  # noqa: F401 (fixtures)


def accepted(number, created, day, **cells):
    cells = {"Estimate": "1", **cells}
    return row(number, f"S{number}", Current_State="accepted", Created_at=created, Accepted_at=day, **cells)


def lines(place, code):
    return [(x["id"], x["severity"], x["column"], x["message"]) for x in place.report if x["code"] == code]


def again(place, *rows, options=(), status=0):
    """Imports the same file again, as a dry run and for good; both must report the same."""
    file = place.file("stories.csv", table(HEADING, *rows))
    said = []
    for dry in (("--dry-run",), ()):
        place.run(*options, *dry, file, status=status)
        said.append((place.report, place.summary.splitlines()[:-1]))
    assert said[0] == said[1]
    place.path = f"/projects/{place.project}"


def today(place):
    return str(place.stack.sql("select now()::date")[0][0])


# --- dates ----------------------------------------------------------------------------------

def test_each_date_that_cannot_stay_is_a_line(place, ids):
    a, b, c, d, e, f = ids[:6]
    rows = [accepted(a, "Oct 2, 2023", "Jan 5, 2099"), row(b, "B", Created_at="Feb 3, 2099"),
            row(c, "C", Created_at=""), accepted(d, "Oct 9, 2023", "Oct 3, 2023"),
            accepted(e, "Oct 2, 2023", ""), row(f, "F", Labels="f", Type="epic", Created_at="Mar 4, 2098"),
            *(row(n, "Fine", Comment=["words (Bo - Apr 5, 2097)"]) for n in ids[6:])]
    again(place, *rows, status=3)
    day = today(place)
    assert {(n, severity, column, day in said) for n, severity, column, said in lines(place, "in_future")} == {
        (a, "lost", "accepted_at", True), (b, "lost", "created_at", True), (f, "lost", "created_at", True),
        (ids[6], "lost", "created_at", True), (ids[7], "lost", "created_at", True)}
    for n, said in ((a, "2099-01-05"), (b, "2099-02-03"), (f, "2098-03-04"), (ids[6], "2097-04-05")):
        assert said in next(x[3] for x in lines(place, "in_future") if x[0] == n)
    ((n, severity, column, said),) = lines(place, "no_creation")
    assert (n, severity, column, day in said) == (c, "changed", "created_at", True)
    ((n, severity, column, said),) = lines(place, "created_later")
    assert (n, severity, column) == (d, "lost", "created_at") and "2023-10-09" in said and "2023-10-03" in said
    ((n, severity, column, said),) = lines(place, "no_acceptance")
    assert (n, severity, "2023-10-02" in said) == (e, "changed", True)
    assert get(place, f"stories/{d}")["created_at"][:10] == "2023-10-03"
    assert get(place, f"stories/{a}")["accepted_at"][:10] >= day > "2026"
    before, stories = version(place), get(place, "stories")
    again(place, *rows, options=("--project", place.project), status=3)
    assert (version(place), get(place, "stories")) == (before, stories), "what was taken stays"
    assert not lines(place, "no_creation") and not lines(place, "created_later")


def test_times_of_other_kinds_are_not_of_the_future_either(stack):
    team = team_of(stack)
    body = {"kind": "project", "id": 7, "name": "Times", "stories": [{
        "kind": "story", "id": 71, "name": "A", "story_type": "chore", "current_state": "unstarted",
        "created_at": "2023-10-02T10:00:00Z", "updated_at": "2099-01-01T00:00:00Z", "tasks": [{
            "kind": "task", "id": 72, "description": "t", "created_at": "2023-10-03T00:00:00Z",
            "updated_at": "2023-10-02T00:00:00Z"}],
        "transitions": [{"kind": "story_transition", "state": "unstarted", "story_id": 71,
                         "occurred_at": "2098-01-01T00:00:00Z"}]}]}
    url = asked(team.owner, team.path, ("file", "a.json", json.dumps(body).encode()))
    assert over(team.owner, url)["state"] == "lost"
    told = {(x["column"], x["code"]): x["message"] for x in team.owner.get(f"{url}/report").json() if "column" in x}
    assert "2099-01-01T00:00:00Z" in told["updated_at", "in_future"]
    assert "2098-01-01T00:00:00Z" in told["occurred_at", "in_future"]
    assert "2023-10-02" in told["updated_at", "before_created"] and "2023-10-03" in told["updated_at", "before_created"]
    ((story, task),) = stack.sql("select s.updated_at <= now(), (select max(occurred_at) <= now() from"
                                 " story_transition t where t.story_id = s.id) from story s where s.project_id = %s"
                                 " and s.name = 'A'", team.id)
    assert story and task


HALF = 1_000_000_000
SEQUENCES = "select last_value from story_id_seq union all select last_value from task_id_seq" \
            " union all select last_value from person_id_seq"


def far(id):
    """A story, a task and a person of that id."""
    return json.dumps({"kind": "story", "id": id, "name": "Far", "story_type": "chore",
                       "created_at": "2023-10-02T10:00:00Z", "tasks": [{"id": id, "description": "far"}],
                       "requested_by": {"id": id, "name": f"Far {id}", "email": f"far-{id}@example.test"}}).encode()


def test_imports_by_people_never_use_up_more_than_half_of_the_ids(new_stack):
    """What is made in any project gets ids behind those that were kept, and clients have 32 bits for it. Nothing that
    people can repeat leads beyond half of that: no import, no dry run, none that is refused."""
    stack = new_stack(workers=1)
    team = team_of(stack)

    def kept(id, *more):
        url = asked(team.owner, team.path, ("file", "a.json", far(id)), *more)
        over(team.owner, url)
        return not [x for x in team.owner.get(f"{url}/report").json() if x["code"] in ("renumbered", "person_id")]

    assert kept(HALF - 1000), "from a server that has more of everything"
    stack.ctl("ids", "--from", str(HALF))
    for more in ((), (("dry_run", b"true"),), (("people", "people.csv", b"name\n"),)):
        kept(HALF + 900_000, *more)
        assert max(last for last, in stack.sql(SEQUENCES)) < HALF + 100
    assert kept(HALF - 500), "what is lower is kept"


def test_what_is_too_high_is_said_without_telling_who_has_it(stack):
    team = team_of(stack)
    ((taken,),) = stack.sql("select max(id) from person")
    told = []
    for id in taken, 2_000_000_000:
        body = json.dumps({"kind": "story", "id": 91, "name": "A", "story_type": "chore",
                           "requested_by": {"id": id, "name": "Somebody Else", "email": f"else-{id}@example.test"}})
        url = asked(team.owner, team.path, ("file", "a.json", body.encode()), ("dry_run", b"true"))
        over(team.owner, url)
        ((line,),) = [[x["message"] for x in team.owner.get(f"{url}/report").json() if x["code"] == "person_id"]]
        told.append(line.replace(str(id), "ID").split("has the id")[1].split(":")[1])
    assert told[0] == told[1] and "in use" not in told[0]


def test_records_without_the_member_say_it_once(stack):
    team = team_of(stack)
    body = "".join(json.dumps({"kind": "story", "id": n, "name": "A", "story_type": "chore"}) + "\n" for n in (1, 2, 3))
    url = asked(team.owner, team.path, ("file", "a.json", body.encode()))
    over(team.owner, url)
    (line,) = [x for x in team.owner.get(f"{url}/report").json() if x["code"] == "no_creation"]
    assert line["severity"] == "changed" and line["message"].startswith("3 stories")


def test_many_wrong_dates_ask_for_the_order_first(place, ids):
    rows = [accepted(n, "Oct 2, 2023", "Jan 5, 2099") for n in ids[:5]] + [row(n, "A") for n in ids[5:]]
    file = place.file("stories.csv", table(HEADING, *rows))
    place.run(file, status=4)
    assert "5 of 8 rows" in place.said and "--date-order mdy or dmy" in place.said and place.project is None
    assert place.codes("error") == {"date_order"}
    place.run("--dry-run", file, status=4)
    place.run("--date-order", "mdy", file, status=3)
    assert place.project and len(lines(place, "in_future")) == 5


def test_many_wrong_dates_ask_over_http(stack, ids):
    team = team_of(stack)
    heading = ["Id", "Title", "Current State", "Created at", "Accepted at"]
    # If the day comes first, they were created on 2 to 6 April, and accepted from 1 May to 1 September. The request
    # says that the month does: then they were accepted before they were created.
    text = table(heading, *([n, "A", "accepted", f"0{i}/04/2023", f"01/0{i + 3}/2023"]
                            for i, n in enumerate(ids[:5], 2))).encode()
    url = asked(team.owner, team.path, ("file", "a.csv", text), ("date_order", b"mdy"))
    end = over(team.owner, url)
    assert end["state"] == "refused" and "--date-order dmy" in end["problem"], end
    url = asked(team.owner, team.path, ("file", "a.csv", text), ("date_order", b"dmy"))
    assert over(team.owner, url)["summary"]["story"]["created"] == 5
    assert team.owner.get(f"{team.path}/stories/{ids[0]}").json()["accepted_at"][:10] == "2023-05-01"


# --- what the original's import refuses -------------------------------------------------------

def test_what_the_original_refuses_is_kept_and_told(place, ids):
    a, b, c, d, e = ids[:5]
    again(place, row(a, "A", Estimate="7"), accepted(b, "Oct 2, 2023", "Oct 3, 2023", Estimate=""),
          row(c, "C", Type="chore", Current_State="delivered"),
          row(d, "D", Type="release", Current_State="started", Estimate="2"),
          row(e, "E", Owned_By=["One Name", "Two Names", "Three Names", "Four Names"]),
          row(ids[5], "Fine", Estimate="1"), options=("--point-scale", "0,1,2,3"))
    kept = {(x["id"], x["code"]) for x in place.report if x["severity"] == "note" and x["id"]}
    assert kept == {(a, "off_scale"), (b, "no_estimate"), (c, "state_of_type"), (d, "state_of_type"),
                    (d, "estimate_of_type"), (e, "many_owners")}
    assert get(place, f"stories/{a}")["estimate"] == 7
    assert get(place, f"stories/{c}")["current_state"] == "delivered"


def test_an_epic_that_has_neither_title_nor_label_is_kept_and_told(place, ids):
    a, b = ids[:2]
    again(place, row(a, "", Type="epic", Created_at="Oct 2, 2023"), row(b, "B"))
    assert [e["label"]["name"] for e in get(place, "epics")] == ["untitled"]
    assert {(n, severity) for n, severity, *_ in lines(place, "no_name")} == {(a, "changed")}


def test_an_epic_whose_label_is_nowhere_gets_one(stack):
    team = team_of(stack)
    body = [{"kind": "epic", "id": 31, "name": "Sea", "label_id": 99, "created_at": "2023-10-02T10:00:00Z"}]
    url = asked(team.owner, team.path, ("file", "a.json", json.dumps(body).encode()))
    assert over(team.owner, url)["summary"]["epic"]["created"] == 1
    (epic,) = [e for e in team.owner.get(f"{team.path}/epics").json() if e["name"] == "Sea"]
    assert epic["label"]["name"] == "sea"


def test_text_behind_a_closing_quote_is_told(place, ids):
    place.run(place.file("a.csv", f'Id,Title,Created at\n{ids[0]},"One" more,2023-10-02\n{ids[1]},"Two" ,2023-10-02\n'))
    ((_, severity, column, said),) = lines(place, "behind_quote")
    assert (severity, column) == ("changed", "Title") and '"One more"' in said


# --- files --------------------------------------------------------------------------------------

def zipped(place, name, files):
    with zipfile.ZipFile(place.folder / name, "w") as z:
        for path, content in files.items():
            z.writestr(path, content)
    return place.folder / name


def damaged(path, of):
    """The content of that file in the archive does not match its checksum."""
    data = path.read_bytes()
    at = data.index(b"PK\1\2")
    while not data[at + 46:].startswith(of.encode()):
        at = data.index(b"PK\1\2", at + 1)
    path.write_bytes(data[:at + 16] + b"\0\0\0\0" + data[at + 20:])
    return path


def test_the_comment_of_files_stands_behind_the_others(place, ids):
    stories = table(HEADING, row(ids[0], "A", Comment=[f"c{i} (Bo - Oct 4, 2023)" for i in range(2)]), row(ids[1], "B"))
    place.run(zipped(place, "a.zip", {"a.csv": stories, f"{ids[0]}/x.txt": "x", f"{ids[1]}/y.txt": "y"}))
    place.path = f"/projects/{place.project}"
    told = get(place, f"stories/{ids[0]}/comments?fields=text,created_at,file_attachments")
    assert [c.get("text") for c in told] == ["c0", "c1", None]
    assert [f["filename"] for f in told[2]["file_attachments"]] == ["x.txt"]
    times = [c["created_at"] for c in told]
    assert times == sorted(times) and times[2][:10] == "2023-10-04"


def test_a_broken_file_is_one_line(place, ids):
    path = zipped(place, "a.zip", {"a.csv": table(HEADING, row(ids[0], "A")), f"{ids[0]}/good.txt": "good",
                                   f"{ids[0]}/bad.png": b"bad" * 20, f"{ids[0]}/{'x' * 1100}": "x"})
    damaged(path, f"{ids[0]}/bad.png")
    place.run("--dry-run", path, status=3)
    dry = place.report
    place.run(path, status=3)
    place.path = f"/projects/{place.project}"
    assert place.report == dry
    lost = [x for x in place.report if x["severity"] == "lost"]
    assert [(x["id"], x["code"]) for x in lost] == [(ids[0], "bad_path"), (ids[0], "broken_file")]
    assert f"{ids[0]}/bad.png" in lost[1]["message"] and f"{ids[0]}/xxx" in lost[0]["message"]
    assert counts(place)["file attachment"] == [1, 0, 0, 0, 2]
    (comment,) = get(place, f"stories/{ids[0]}/comments?fields=file_attachments")
    assert [f["filename"] for f in comment["file_attachments"]] == ["good.txt"]


def test_a_name_that_is_no_text_does_not_lose_the_archive(place, ids):
    path = zipped(place, "a.zip", {"a.csv": table(HEADING, row(ids[0], "A")), f"{ids[0]}/é.txt": "content"})
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xc3("))
    place.run(path)
    place.path = f"/projects/{place.project}"
    ((_, severity, _, said),) = lines(place, "name_changed")
    (comment,) = get(place, f"stories/{ids[0]}/comments?fields=file_attachments")
    (file,) = comment["file_attachments"]
    assert severity == "changed" and file["filename"] in said
    assert place.client.get(f"{place.stack.url}/file_attachments/{file['id']}/download").text == "content"


def test_a_story_whose_only_file_is_lost_gets_no_comment(place, ids):
    path = zipped(place, "a.zip", {"a.csv": table(HEADING, row(ids[0], "A")), f"{ids[0]}/bad.png": b"bad" * 20})
    place.run(damaged(path, f"{ids[0]}/bad.png"), status=3)
    place.path = f"/projects/{place.project}"
    assert get(place, f"stories/{ids[0]}/comments") == [] and not lines(place, "comment_for_files")


@pytest.mark.parametrize("text, said", [
    ('Id,Title\n1,One\n2,"Two\n', "a.csv, line 3: the quote that begins"),
    ('Id,"Title\n1,One\n', "a.csv: it is broken"), (None, "a.csv, line 1: the file cannot be read to its end: it is broken")])
def test_a_broken_table_in_an_archive_says_so(place, text, said):
    path = zipped(place, "a.zip", {"a.csv": text or "Id,Title\n1,One\n", "1/x.txt": "x"})
    place.run(path if text else damaged(path, "a.csv"), status=4)
    assert said in place.said and place.project is None


# --- iterations ------------------------------------------------------------------------------------

def test_iterations_that_differ_are_told_once_with_the_reason(place, ids):
    imported(place, row(ids[0], "First"), options=("--iteration-length", "1", "--start-date", "2023-01-02"))
    rows = [accepted(n, "Oct 2, 2023", day, Iteration=number, Iteration_Start=start, Iteration_End=end)
            for n, number, start, end, day in (
                (ids[1], 1, "Jan 2, 2023", "Jan 15, 2023", "Jan 3, 2023"),
                (ids[2], 3, "Jan 30, 2023", "Feb 12, 2023", "Feb 1, 2023"),
                (ids[3], 4, "Feb 13, 2023", "Feb 26, 2023", "Feb 14, 2023"))]
    for cells in rows:
        cells[HEADING.index("Created at")] = "Jan 2, 2023"
    imported(place, *rows, options=("--project", place.project))
    ((n, severity, column, said),) = lines(place, "iteration_differs")
    assert (n, severity, column) == (ids[2], "changed", "Iteration")
    assert said.startswith("2 accepted stories") and "2 weeks from Monday" in said and "here 1 week from Monday" in said
    assert "iteration_length" in said


def test_overrides_of_iterations_keep_the_rules_of_the_interface(place, ids):
    dump = place.file("dump.json", json.dumps([{
        "kind": "project", "id": ids[1], "name": "P", "iteration_length": 2, "start_date": "2023-10-02",
        "stories": [{"kind": "story", "id": ids[0], "name": "A"}], "iteration_overrides": [
            {"number": 2, "length": 200}, {"number": 3, "length": 3, "team_strength": 11}, {"number": 0, "length": 1},
            {"number": 4, "length": 2, "team_strength": 1}, {"number": 5, "team_strength": 0.5}]}]))
    place.run(dump, status=3)
    told = [(line["column"], line["message"]) for line in place.report if line["code"] == "bad_value"]
    assert told == [
        ("number", "there is no iteration 0: its length and its team strength were not imported"),
        ("length", "iteration 2 keeps its usual length: length can only be between 1 and 99."),
        ("team_strength", "iteration 3 keeps its usual team_strength: team_strength can only be between 0 and 10.")]
    kept = place.stack.sql("select number, length, team_strength from planwright.iteration_override"
                           " where project_id = %s order by number", place.project)
    assert kept == [(3, 3, None), (5, None, 0.5)]
