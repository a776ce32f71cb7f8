"""What an import creates from a project's files: planwrightctl import on a server."""

import itertools
import json
import os
import zipfile

import pytest

from conftest import Client
from test_import_people import Place, table
from world import ok

HEADING = ["Id", "Title", "Labels", "Iteration", "Iteration Start", "Iteration End", "Type", "Estimate",
           "Priority", "Current State", "Created at", "Accepted at", "Deadline", "Requested By",
           "Description", "URL", "Owned By", "Owned By", "Owned By", "Owned By", "Blocker",
           "Blocker Status", "Blocker", "Blocker Status", "Comment", "Comment", "Comment", "Task",
           "Task Status", "Task", "Task Status", "Review Type", "Reviewer", "Review Status",
           "Pull Request", "Git Branch"]


def row(number, title, **cells):
    """A row of the table; a column that repeats is a list, a pair of columns a list of tuples."""
    named = {"Id": number, "Title": title, "Type": "feature", "Created at": "Oct 2, 2023",
             "Current State": "unstarted", "Priority": "none"}
    if cells.get("Type") == "epic":
        named.update({"Priority": "", "Current State": ""})
    named.update({key.replace("_", " "): value for key, value in cells.items()})
    left = {key: list(itertools.chain.from_iterable(v if isinstance(v, tuple) else (v,) for v in value))
            if isinstance(value, list) else [value] for key, value in named.items()}
    pairs = {"Blocker Status": "Blocker", "Task Status": "Task", "Reviewer": "Review Type",
             "Review Status": "Review Type"}
    out = []
    for column in HEADING:
        source = left.get(pairs.get(column, column), [])
        out.append(source.pop(0) if source else "")
    return out


@pytest.fixture
def place(stack, person, tmp_path):
    return Place(stack, person, tmp_path)


@pytest.fixture
def ids():
    """Unused ids, smaller than those that tests specify."""
    start = int.from_bytes(os.urandom(3), "big") * 8 + 16
    return [start + i for i in range(8)]


def imported(place, *rows, options=(), status=0, name="stories.csv"):
    place.run(*options, place.file(name, table(HEADING, *rows)), status=status)
    place.path = f"/projects/{place.project}"
    return place


def get(place, path, **kwargs):
    return ok(place.client.get(f"{place.path}/{path}" if path else place.path, **kwargs))


def counts(place):
    """{kind: [created, updated, same, skipped, lost]} from the summary."""
    lines = [line.split() for line in place.summary.splitlines()]
    return {" ".join(line[:-5]): [int(v) for v in line[-5:]] for line in lines
            if len(line) > 5 and all(v.isdigit() for v in line[-5:])}


def version(place):
    return get(place, "")["version"]


# --- what is kept ------------------------------------------------------------------------

def test_a_story_with_all_that_it_can_have(place, ids):
    a, b, e = ids[:3]
    imported(
        place,
        row(e, "Sign-in", Labels="sign-in", Type="epic", Description="All of it",
            Comment=["For the epic (Bo Li-Hart - Oct 4, 2023)"]),
        row(a, "Reset password", Labels="sign-in, Backend, sign-in", Type="feature", Estimate="2",
            Priority="p1 - High", Current_State="delivered", Requested_By="Ana Núñez",
            Description="Two\nlines", Owned_By=["Ana Núñez", "Bo Li-Hart", "Cy (QA)", "Di"],
            Blocker=[(f"#{b}", "resolved"), (str(b), ""), ],
            Comment=["Done (see log) (Bo Li-Hart - Oct 11, 2023)", "no name", "Last (Di - Oct 12, 2023)"],
            Task=[("Mail text", "completed"), ("Page", "not completed")],
            Review_Type=[("Code", "Di", "pass")], Pull_Request=["https://github.com/o/r/pull/7"],
            Git_Branch=["reset-pw"]),
        row(b, "Release 1", Type="release", Deadline="Nov 30, 2023", Estimate=""),
        options=("--time-zone", "America/New_York"))
    s = get(place, f"stories/{a}?fields=:default,comments,tasks,reviews(:default,review_type,reviewer),"
                   "blockers,pull_requests,branches,owners,requested_by")
    assert (s["name"], s["description"], s["estimate"], s["story_priority"], s["current_state"]) == (
        "Reset password", "Two\nlines", 2, "p1", "delivered")
    assert [x["name"] for x in s["labels"]] == ["backend", "sign-in"]
    assert [x["name"] for x in s["owners"]] == ["Ana Núñez", "Bo Li-Hart", "Cy (QA)", "Di"]
    assert s["requested_by"]["name"] == "Ana Núñez"
    assert s["created_at"] == "2023-10-02T16:00:00Z", "noon of the project's zone"
    assert s["updated_at"] == "2023-10-12T16:00:00Z", "the latest day that the file knows"
    people = {p["id"]: p["name"] for p in (m["person"] for m in get(place, "memberships"))}
    assert [(c["text"], people[c["person_id"]], c["created_at"][:10]) for c in s["comments"]] == [
        ("Done (see log)", "Bo Li-Hart", "2023-10-11"), ("no name", "Unknown", "2023-10-11"),
        ("Last", "Di", "2023-10-12")]
    assert [(t["description"], t["complete"], t["position"]) for t in s["tasks"]] == [
        ("Mail text", True, 1), ("Page", False, 2)]
    assert [(r["review_type"]["name"], r["reviewer"]["name"], r["status"]) for r in s["reviews"]] == [
        ("Code", "Di", "pass")]
    assert [(x["description"], x["resolved"]) for x in s["blockers"]] == [(f"#{b}", True), (f"#{b}", False)]
    assert get(place, f"stories/{b}?fields=blocked_story_ids")["blocked_story_ids"] == [a]
    assert [(p["owner"], p["repo"], p["number"]) for p in s["pull_requests"]] == [("o", "r", 7)]
    assert [(x["repo"], x["name"]) for x in s["branches"]] == [("r", "reset-pw")]
    assert get(place, f"stories/{b}")["deadline"] == "2023-11-30T12:00:00Z"
    epic = get(place, f"epics/{e}?fields=:default,comments")
    assert (epic["name"], epic["description"], epic["label"]["name"]) == ("Sign-in", "All of it", "sign-in")
    assert [c["text"] for c in epic["comments"]] == ["For the epic"]
    assert place.codes("lost") == set()


def test_panels_keep_their_order(place, ids):
    imported(place, *(row(n, f"S{n}", Current_State=state, Accepted_at=day, Estimate="1") for n, state, day in [
        (ids[3], "accepted", "Oct 9, 2023"), (ids[1], "accepted", "Oct 9, 2023"),
        (ids[2], "accepted", "Oct 3, 2023"), (ids[7], "started", ""), (ids[0], "unstarted", ""),
        (ids[6], "unstarted", ""), (ids[5], "unscheduled", ""), (ids[4], "unscheduled", "")]))
    assert [s["id"] for s in get(place, "stories")] == [ids[i] for i in (2, 3, 1, 7, 0, 6, 5, 4)]
    assert place.client.get(f"{place.path}/stories?limit=1").headers["X-Tracker-Pagination-Total"] == "8"


def test_settings_follow_from_the_stories(place, ids):
    def done(n, number, start, end, points):
        return row(n, f"S{n}", Current_State="accepted", Accepted_at=end, Iteration=number,
                   Iteration_Start=start, Iteration_End=end, Estimate=points)
    imported(place,
             done(ids[0], 3, "Oct 3, 2023", "Oct 16, 2023", "5"),
             done(ids[1], 4, "Oct 17, 2023", "Oct 30, 2023", "0"),
             done(ids[2], 5, "Oct 31, 2023", "Nov 20, 2023", "8"),
             done(ids[3], 6, "Nov 21, 2023", "Dec 4, 2023", "1"))
    p = get(place, "")
    assert (p["iteration_length"], p["week_start_day"], p["point_scale"], p["start_date"]) == (
        2, "Tuesday", "0,1,2,3,5,8", "2023-09-05")
    assert p["automatic_planning"] is True
    for number, n in ((3, 0), (4, 1), (5, 2), (6, 3)):
        it = get(place, f"iterations/{number}")
        assert [s["id"] for s in it["stories"]] == [ids[n]], number
    assert get(place, "iterations/5")["length"] == 3
    told = {line["column"]: line["message"] for line in place.report if line["code"] == "setting"}
    assert "--iteration-length" in told["iteration_length"] and "--point-scale" in told["point_scale"]
    assert "iteration_differs" not in place.codes()


def test_options_stand_over_what_follows(place, ids):
    imported(place, row(ids[0], "A", Current_State="accepted", Accepted_at="Oct 10, 2023", Iteration=2,
                        Iteration_Start="Oct 9, 2023", Iteration_End="Oct 15, 2023", Estimate="1.5"),
             options=("--iteration-length", "2", "--week-start-day", "sunday", "--point-scale", "0,1.5,4",
                      "--start-date", "2023-10-01", "--time-zone", "Europe/Vienna"))
    p = get(place, "")
    assert (p["iteration_length"], p["week_start_day"], p["point_scale"], p["start_date"],
            p["time_zone"]["olson_name"]) == (2, "Sunday", "0,1.5,4", "2023-10-01", "Europe/Vienna")
    assert "iteration_differs" in place.codes("changed")


def test_planned_stories_are_planned_by_hand(place, ids):
    imported(place, row(ids[0], "A", Current_State="planned", Estimate="1"))
    assert get(place, "")["automatic_planning"] is False
    assert get(place, f"stories/{ids[0]}")["current_state"] == "planned"


def test_planned_stories_come_on_top_where_planning_is_automatic(place, ids):
    imported(place, row(ids[0], "A", Estimate="1"))
    imported(place, *(row(n, "P", Current_State="planned", Estimate="1") for n in ids[1:3]),
             row(ids[3], "B"), options=("--project", place.project))
    assert [s["id"] for s in get(place, "stories")] == [ids[1], ids[2], ids[0], ids[3]]
    assert get(place, f"stories/{ids[1]}")["current_state"] == "unstarted"
    assert "planned_by_hand" in place.codes("changed")


def test_texts_beyond_the_limits_are_cut_and_stand_whole_in_the_report(place, ids):
    long = "ß" * 20000 + "the end"
    imported(place, row(ids[0], "A", Description=long), status=3)
    assert len(get(place, f"stories/{ids[0]}")["description"]) == 20000
    line, = [x for x in place.report if x["code"] == "cut"]
    assert line["message"].endswith("the end") and line["column"] == "description" and line["id"] == ids[0]


def test_stories_are_found_and_counted(place, ids):
    imported(place, row(ids[0], "Zebra crossing", Labels="Animals", Estimate="2", Task=[("Okapi", "")],
                        Comment=["Quagga (Bo - Oct 3, 2023)"], Current_State="started"))
    for word in ("zebra", "okapi", "quagga", "label:animals", "state:started"):
        assert [s["id"] for s in get(place, f"stories?filter={word}")] == [ids[0]], word
    label, = get(place, "labels?fields=name,counts")
    assert label["counts"]["number_of_stories_by_state"]["started"] == 1
    assert label["counts"]["sum_of_story_estimates_by_state"]["started"] == 2


def test_the_past_of_stories(place, ids):
    imported(place, row(ids[0], "A", Estimate="1", Current_State="accepted", Accepted_at="Oct 12, 2023"),
             row(ids[1], "B"), row(ids[2], "C", Current_State="unscheduled"))
    states = {n: [(t["state"], t["occurred_at"][:10]) for t in get(place, f"stories/{n}/transitions")]
              for n in ids[:3]}
    assert states == {ids[0]: [("accepted", "2023-10-12")], ids[1]: [("unstarted", "2023-10-02")], ids[2]: []}
    days = get(place, "history/days?start_date=2023-10-11&end_date=2023-10-13")
    column = days["header"].index("counts_accepted")
    assert [day[column] for day in days["data"]] == [0, 1, 1]


# --- what is told ----------------------------------------------------------------------------

def test_one_activity_tells_of_the_import_and_nobody_is_written_to(place, ids):
    imported(place, row(ids[0], "A", Requested_By="Olga Owner", Owned_By=["Olga Owner"],
                        Comment=[f"Hello @{place.owner.username} (Olga Owner - Oct 3, 2023)"]))
    activity, = get(place, "activity")
    assert activity["kind"] == "project_import_activity"
    assert activity["project_version"] == version(place)
    assert activity["performed_by"]["name"] == "Olga Owner"
    assert activity["message"].startswith("Olga Owner imported")
    assert activity["primary_resources"][0]["kind"] == "project" and activity["highlight"] == "imported"
    told = ok(place.client.get("/my/notifications?notification_types=:all"))
    assert not [n for n in told if n.get("project", {}).get("id") == place.project]
    assert not place.stack.sql("select 1 from delivery where project_id = %s", place.project)


def test_pollers_see_the_import(place, ids):
    imported(place, row(ids[0], "A"))
    before = version(place)
    imported(place, row(ids[1], "B"), options=("--project", place.project))
    news = get(place, f"activity?since_version={before}")
    assert [(a["kind"], a["project_version"]) for a in news] == [("project_import_activity", before + 1)]
    stale = place.client.get(place.path)
    assert stale.headers["X-Tracker-Project-Version"] == str(before + 1)


def test_history_has_versions_of_its_own_before_the_import(place, ids):
    history = table(["ID", "Type", "Message", "Performed By", "Occurred At"],
                    [ids[0], "story_update_activity", "Bo started this feature", "Bo", "2023-10-05 10:00:00 UTC"],
                    [ids[0], "story_create_activity", "Bo added this feature", "Bo", "2023-10-02 09:00:00 UTC"],
                    [ids[5], "story_update_activity", "Bo edited something", "Bo", "2023-10-06 09:00:00 UTC"])
    (place.folder / "h.csv").write_text(history)
    stories = place.file("s.csv", table(HEADING, row(ids[0], "A")))
    place.run(stories, place.folder / "h.csv")
    place.path = f"/projects/{place.project}"
    all_of_it = get(place, "activity")
    assert [(a["project_version"], a["message"].split(" ", 1)[1], a["occurred_at"][:10]) for a in
            reversed(all_of_it)][:3] == [(2, "added this feature", "2023-10-02"),
                                         (3, "started this feature", "2023-10-05"),
                                         (4, "edited something", "2023-10-06")]
    assert all_of_it[0]["kind"] == "project_import_activity" and all_of_it[0]["project_version"] == 5
    assert all_of_it[-1]["performed_by"]["name"] == "Bo"
    assert [a["message"] for a in get(place, f"stories/{ids[0]}/activity")] == [
        "Bo started this feature", "Bo added this feature"]
    assert all_of_it[-1]["primary_resources"] == [{
        "kind": "story", "id": ids[0], "name": "A", "story_type": "feature",
        "url": f"{place.stack.url}/story/show/{ids[0]}"}]
    before = version(place)
    place.run("--project", place.project, stories, place.folder / "h.csv")
    assert version(place) == before and len(get(place, "activity")) == 4


def test_old_history_behind_newer_is_found_by_its_time(place, ids):
    place.run(stories := place.file("s.csv", table(HEADING, row(ids[0], "A"))))
    place.path = f"/projects/{place.project}"
    (place.folder / "h.csv").write_text(table(["ID", "Type", "Message", "Performed By", "Occurred At"], *(
        [ids[0], "story_update_activity", f"Bo did {n}", "Bo", f"{n}-10-05 10:00:00 UTC"] for n in (2021, 2022))))
    place.run("--project", place.project, stories, place.folder / "h.csv")
    for params, wanted in (({"occurred_before": "2022-01-01T00:00:00Z"}, 1), ({"occurred_before": "2023-01-01T00:00:00Z"}, 2),
                           ({"occurred_after": "2022-01-01T00:00:00Z", "occurred_before": "2023-01-01T00:00:00Z"}, 1),
                           ({"occurred_after": "2021-01-01T00:00:00Z"}, len(get(place, "activity")))):
        answer = place.client.get(f"{place.path}/activity", params=params)
        assert (len(ok(answer)), answer.headers["X-Tracker-Pagination-Total"]) == (wanted, str(wanted)), params


# --- again ------------------------------------------------------------------------------------

def everything(place):
    return get(place, "stories?fields=:default,comments,tasks,blockers,reviews,labels,owner_ids,"
                      "pull_requests,branches"), get(place, "epics?fields=:default,comments"), version(place)


def full(ids):
    return [row(ids[2], "E", Labels="e", Type="epic", Comment=["x (Bo - Oct 3, 2023)"]),
            row(ids[0], "A", Labels="e, f", Owned_By=["Bo"], Blocker=[(f"#{ids[1]}", ""), ("text", "resolved")],
                Comment=["one (Bo - Oct 3, 2023)", "one (Bo - Oct 3, 2023)", "two (Cy - Oct 4, 2023)"],
                Task=[("t", ""), ("t", "completed")], Review_Type=[("code", "Bo", "pass")],
                Pull_Request=["https://github.com/o/r/pull/7"], Git_Branch=["b"]),
            row(ids[1], "B", Current_State="accepted", Accepted_at="Oct 5, 2023", Estimate="1")]


def test_the_same_again_changes_nothing(place, ids):
    imported(place, *full(ids))
    before = everything(place)
    imported(place, *full(ids), options=("--project", place.project))
    assert everything(place) == before
    assert all(c[0] == c[1] == 0 for c in counts(place).values()), place.summary


def test_what_is_new_in_the_files_comes_in(place, ids):
    imported(place, *full(ids))
    rows = full(ids)
    rows[1] = row(ids[0], "A, better", Labels="e, g", Owned_By=["Bo"],
                  Comment=["one (Bo - Oct 3, 2023)", "one (Bo - Oct 3, 2023)", "three (Cy - Oct 6, 2023)"])
    imported(place, *rows, row(ids[3], "C"), options=("--project", place.project))
    s = get(place, f"stories/{ids[0]}?fields=:default,comments,tasks")
    assert s["name"] == "A, better" and [x["name"] for x in s["labels"]] == ["e", "g"]
    assert sorted(c["text"] for c in s["comments"]) == ["one", "one", "three", "two"], "nothing is deleted"
    assert len(s["tasks"]) == 2
    assert counts(place)["story"] == [1, 1, 1, 0, 0]
    assert s["updated_at"] > "2024", "a client that polls hears of it"


def test_changes_made_here_stay(place, ids):
    imported(place, *full(ids))
    ok(place.client.put(f"{place.path}/stories/{ids[0]}", {"name": "Mine"}))
    ok(place.client.delete(f"{place.path}/stories/{ids[1]}"), 204)
    before = everything(place)
    imported(place, *full(ids), options=("--project", place.project))
    assert everything(place) == before
    rows = full(ids)
    rows[1][1] = "Theirs"
    imported(place, *rows, options=("--project", place.project))
    assert get(place, f"stories/{ids[0]}")["name"] == "Mine"
    assert "changed_here" in place.codes("note") and "deleted_here" in place.codes("note")
    imported(place, *rows, options=("--project", place.project, "--overwrite"))
    assert get(place, f"stories/{ids[0]}")["name"] == "Theirs"
    assert get(place, f"stories/{ids[1]}")["name"] == "B"


def test_what_went_to_another_project_stays_there(place, ids):
    imported(place, *full(ids))
    away = ok(place.client.post("/projects", {"name": place.name + " 9", "account_id": int(place.account)}))["id"]
    ok(place.client.put(f"{place.path}/stories/{ids[0]}", {"project_id": away, "name": "Gone"}))
    imported(place, *full(ids), options=("--project", place.project, "--overwrite"))
    assert "deleted_here" in place.codes("note")
    there = ok(place.client.get(f"/projects/{away}/stories?fields=name,comments"))
    assert [(s["name"], len(s["comments"])) for s in there] == [("Gone", 3)]


def test_a_column_that_is_not_there_leaves_what_is(place, ids):
    imported(place, *full(ids))
    place.run("--project", place.project, "--overwrite",
              place.file("few.csv", f"Id,Title,Type,Current State\n{ids[0]},Other,feature,unstarted\n"))
    s = get(place, f"stories/{ids[0]}?fields=:default,comments")
    assert s["name"] == "Other" and [x["name"] for x in s["labels"]] == ["e", "f"]
    assert len(s["owner_ids"]) == 1 and len(s["comments"]) == 3
    assert s["created_at"] == "2023-10-02T12:00:00Z"


def test_a_dry_run_says_the_same_and_writes_nothing(place, ids):
    people = place.folder / "people.csv"
    imported(place, *full(ids), options=("--dry-run", "--people", people))
    dry = counts(place), place.codes()
    assert place.project is None
    imported(place, *full(ids), options=("--people", people))
    assert (counts(place), place.codes()) == dry


# --- ids -----------------------------------------------------------------------------------------

def other(place):
    """Another project in the same account."""
    place.name += " 2"
    return place


def test_an_id_that_is_taken_is_refused_or_changed_with_all_that_name_it(place, ids):
    imported(place, row(ids[0], "A"), row(ids[1], "B"))
    one = place.project
    rows = [row(ids[0], "Other A", Description=f"See #{ids[0]}, not #{ids[0]}9 or #{ids[3]}.",
                Comment=[f"#{ids[0]} (Bo - Oct 3, 2023)"], Task=[(f"after #{ids[3]}", "")]),
            row(ids[3], "D", Blocker=[(f"#{ids[0]}", "")])]
    other(place).run(place.file("s.csv", table(HEADING, *rows)), status=4)
    assert place.project is None and "--renumber" in place.said and str(ids[0]) in place.said
    imported(place, *rows, options=("--renumber",))
    stories = {s["name"]: s for s in get(place, "stories?fields=:default,comments,tasks,blockers")}
    new = stories["Other A"]["id"]
    assert new >= 200000000 and stories["D"]["id"] == ids[3]
    assert stories["Other A"]["description"] == f"See #{new}, not #{ids[0]}9 or #{ids[3]}."
    assert stories["Other A"]["comments"][0]["text"] == f"#{new}"
    assert stories["Other A"]["tasks"][0]["description"] == f"after #{ids[3]}"
    assert stories["D"]["blockers"][0]["description"] == f"#{new}"
    assert get(place, f"stories/{new}?fields=blocked_story_ids")["blocked_story_ids"] == [ids[3]]
    assert "renumbered" in place.codes("changed")
    before = everything(place)
    imported(place, *rows, options=("--project", place.project, "--renumber"))
    assert everything(place) == before and place.project != one


def test_ids_of_another_server_are_changed_without_being_asked(place):
    one = ok(place.client.post("/projects", {"name": place.name + " 0", "account_id": int(place.account)}))
    theirs = ok(place.client.post(f"/projects/{one['id']}/stories", {"name": "Mine"}))["id"]
    imported(place, row(theirs, "Theirs", Description=f"#{theirs}"), row(theirs + 1000000, "Free"))
    stories = {s["name"]: s for s in get(place, "stories")}
    new = stories["Theirs"]["id"]
    assert new != theirs and stories["Theirs"]["description"] == f"#{new}"
    assert stories["Free"]["id"] == theirs + 1000000, "what is free is kept"
    later = ok(place.client.post(f"{place.path}/stories", {"name": "Later"}))["id"]
    assert later > theirs + 1000000, "and is never given again"


def test_stories_without_ids_are_new_once(place):
    rows = [row("", "A"), row("", "A"), row("", "B")]
    imported(place, *rows, status=0)
    assert sorted(s["name"] for s in get(place, "stories")) == ["A", "A", "B"]
    imported(place, *rows, options=("--project", place.project))
    assert len(get(place, "stories")) == 3


def test_a_name_that_is_taken_says_how_to_go_on(place, ids):
    imported(place, row(ids[0], "A"))
    place.run(place.file("s.csv", table(HEADING, row(ids[1], "B"))), status=4)
    assert f"--project {place.project}" in place.said


# --- several files --------------------------------------------------------------------------------

def replies(place, *stories):
    (place.folder / "dump.json").write_text(json.dumps(list(stories)))
    return place.folder / "dump.json"


def test_a_dump_gives_times_and_people_and_the_table_the_rest(place, ids):
    ana = {"kind": "person", "id": 900000 + ids[0] % 1000, "name": "Ana Núñez", "initials": "AN",
           "username": f"ana{ids[0]}", "email": f"ana{ids[0]}@example.com"}
    dump = replies(place, {
        "kind": "story", "id": ids[0], "name": "A", "story_type": "feature", "current_state": "accepted",
        "estimate": 2, "created_at": "2023-10-02T08:01:02Z", "accepted_at": "2023-10-12T15:30:00Z",
        "updated_at": "2023-10-13T00:00:00Z", "requested_by": ana, "owners": [ana],
        "labels": [{"kind": "label", "id": ids[5], "name": "x"}],
        "comments": [{"kind": "comment", "id": ids[6], "text": "First", "person": ana,
                      "created_at": "2023-10-11T10:00:00Z"}]})
    stories = place.file("s.csv", table(HEADING, row(
        ids[0], "A", Labels="x", Estimate="2", Current_State="accepted", Accepted_at="Oct 12, 2023",
        Requested_By="Ana Núñez", Owned_By=["Ana Núñez"], Task=[("Only here", "completed")],
        Priority="p2 - Medium", Comment=["First (Ana Núñez - Oct 11, 2023)", "Second (Ana Núñez - Oct 12, 2023)"])))
    place.run(dump, stories)
    place.path = f"/projects/{place.project}"
    s = get(place, f"stories/{ids[0]}?fields=:default,comments,tasks,owners")
    assert (s["created_at"], s["accepted_at"], s["updated_at"]) == (
        "2023-10-02T08:01:02Z", "2023-10-12T15:30:00Z", "2023-10-13T00:00:00Z")
    assert s["story_priority"] == "p2" and [t["description"] for t in s["tasks"]] == ["Only here"]
    assert [(c["text"], c["created_at"]) for c in s["comments"]] == [
        ("First", "2023-10-11T10:00:00Z"), ("Second", "2023-10-12T12:00:01Z")]
    assert s["comments"][0]["id"] == ids[6] and s["labels"][0]["id"] == ids[5]
    assert [o["name"] for o in s["owners"]] == ["Ana Núñez"]
    assert len({c["person_id"] for c in s["comments"]} | {s["requested_by_id"]}) == 1
    before = everything(place)
    place.run("--project", place.project, stories, dump)
    assert everything(place) == before
    place.run("--project", place.project, stories)
    assert everything(place) == before


def test_files_of_a_zip(place, ids):
    name = "old_20240101_120000-export"
    path = place.folder / f"{name}.zip"
    with zipfile.ZipFile(path, "w") as z:
        z.writestr(f"{name}/old_20240101_120000.csv", table(
            HEADING, row(ids[1], "E", Labels="e", Type="epic"),
            row(ids[0], "A", Comment=["text (Bo - Oct 3, 2023)", "(Bo - Oct 4, 2023)"]), row(ids[2], "B"),
            row(ids[1], "Same number"), row(ids[3], "E2", Labels="e2", Type="epic")))
        z.writestr(f"{name}/{ids[3]}/epic.txt", "the epic's")
        z.writestr(f"{name}/{ids[0]}/notes.txt", "hello")
        z.writestr(f"{name}/{ids[2]}/more.csv", "Id,Title\n1,x\n")
        z.writestr(f"{name}/{ids[1]}/both.txt", "the story's")
        z.writestr(f"{name}/{ids[7]}/lost.txt", "nobody's")
    place.run(path, status=3)
    place.path = f"/projects/{place.project}"
    of = {n: get(place, f"stories/{n}/comments?fields=text,person_id,file_attachments") for n in ids[:3]}
    assert [(c.get("text"), [f["filename"] for f in c["file_attachments"]]) for c in of[ids[0]]] == [
        ("text", []), (None, ["notes.txt"])], "a comment of a file alone is its comment"
    (comment,) = of[ids[2]]
    assert [f["filename"] for f in comment["file_attachments"]] == ["more.csv"]
    assert [f["filename"] for f in of[ids[1]][0]["file_attachments"]] == ["both.txt"]
    (comment,) = get(place, f"epics/{ids[3]}/comments?fields=file_attachments")
    assert [f["filename"] for f in comment["file_attachments"]] == ["epic.txt"]
    url = f"file_attachments/{of[ids[0]][1]['file_attachments'][0]['id']}/download"
    assert place.client.get(f"{place.stack.url}/{url}").text == "hello"
    assert "comment_for_files" in place.codes("changed") and "no_place" in place.codes("lost")
    before = [of[n] for n in ids[:3]]
    place.run("--project", place.project, path, status=3)
    assert [get(place, f"stories/{n}/comments?fields=text,person_id,file_attachments") for n in ids[:3]] == before
    assert not list((place.stack.directory / "files" / "tmp").glob("import-*"))


def test_two_epics_of_one_label(place, ids):
    imported(place, row(ids[0], "One", Labels="x", Type="epic"), row(ids[1], "Two", Labels="x", Type="epic"))
    names = [get(place, f"epics/{n}")["label"]["name"] for n in ids[:2]]
    assert names[0] == "x" and names[1].startswith("x (") and "label_taken" in place.codes("changed")
    before = everything(place)
    imported(place, row(ids[0], "One", Labels="x", Type="epic"), row(ids[1], "Two", Labels="x", Type="epic"),
             options=("--project", place.project))
    assert everything(place) == before


def test_who_claims_a_placeholder_is_whom_the_next_import_means(place, ids, person):
    imported(place, *full(ids))
    heir = person("Bo Himself")
    bo, = [m["person"] for m in get(place, "memberships") if m["person"]["name"] == "Bo"]
    place.stack.ctl("person", "claim", str(bo["id"]), "--as", heir.username)
    before = everything(place)
    assert get(place, f"stories/{ids[0]}")["owner_ids"] == [heir.id]
    imported(place, *full(ids), options=("--project", place.project))
    assert everything(place) == before
