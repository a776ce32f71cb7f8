"""Iterations: the calendar, what fills them, pages, overrides, velocity."""

import pytest

import golden
from conftest import Client, Person


# --- golden cases -------------------------------------------------------------------

KEYS = {"length": "length", "team_strength": "team_strength", "points": "points",
        "accepted": "accepted_points", "effective": "effective_points", "velocity": "velocity"}


def all_iterations(client, project, fields):
    found, total = [], 1
    while len(found) < total:
        answer = client.get(f"/projects/{project}/iterations?limit=100&offset={len(found)}"
                            f"&fields={fields}")
        assert answer.status_code == 200, answer.text
        total = int(answer.headers["X-Tracker-Pagination-Total"])
        page = answer.json()
        assert page, f"{len(found)} of {total}"
        found += page
    return found


# The server's single order has planned stories above all unstarted ones. The clock is set rarely.
GOLDEN = sorted((case for case in golden.cases() if case.name != "planned-under-automatic-planning"),
                key=lambda case: case.settings["now"])


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name)
def test_golden_case(clocked, planner, make, case):
    clocked.pin(case.settings["now"])
    project = make()
    golden.load_settings(clocked.sql, project, case)
    ids = golden.load_stories(clocked.sql, project, case)
    fields = "number,length,team_strength,story_ids,start,finish,velocity,points,accepted_points," \
        "effective_points"
    found = all_iterations(planner, project, fields)
    assert [i["number"] for i in found] == list(range(1, int(case.expect["iterations"]) + 1))
    about = planner.get(f"/projects/{project}?fields=start_time,current_iteration_number,"
                      "current_velocity,current_volatility,current_standard_deviation").json()
    assert about["current_iteration_number"] == int(case.expect["current"])
    assert about["current_velocity"] == int(case.expect["velocity"])
    assert about["start_time"] == found[0]["start"]
    assert case.expect.get("start_time", about["start_time"]) == about["start_time"]
    for name in ("volatility", "standard_deviation"):
        if name in case.expect:
            assert about[f"current_{name}"] == pytest.approx(float(case.expect[name]), abs=0.001)
    for wanted in case.iterations:
        got = found[wanted.number - 1]
        assert got["story_ids"] == [ids[i] for i in wanted.ids], wanted
        assert wanted.start in ("-", got["start"]) and wanted.finish in ("-", got["finish"]), got
        for key, value in wanted.values.items():
            assert got[KEYS[key]] == pytest.approx(float(value)), (wanted, key)
        alone = planner.get(f"/projects/{project}/iterations/{wanted.number}?fields={fields}")
        assert alone.json() == got
    for number, finish in case.completions.items():
        story = planner.get(f"/projects/{project}/stories/{ids[number]}"
                          "?fields=story_type,projected_completion").json()
        if story["story_type"] == "release":
            assert story.get("projected_completion", "-") == finish


# --- pages --------------------------------------------------------------------------

NOW = "2024-03-13T12:00:00Z"  # a Wednesday


def paging(answer):
    return tuple(int(answer.headers[f"X-Tracker-Pagination-{name}"])
                 for name in ("Total", "Limit", "Offset", "Returned"))


def numbers(answer):
    assert answer.status_code == 200, answer.text
    return [i["number"] for i in answer.json()]


@pytest.fixture(scope="module")
def planned(clocked, planner, make):
    """Ten done iterations, a backlog of 30 points at velocity 10; accepted stories in 1 and 10."""
    clocked.pin(NOW)
    project = make(start_date="2024-01-01", time_zone="America/Los_Angeles", initial_velocity=10)

    def story(name, **more):
        answer = planner.post(f"/projects/{project}/stories", {"name": name, "estimate": 3, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()["id"]
    ids = {
        "old": story("old", current_state="accepted", accepted_at="2024-01-02T12:00:00Z",
                     labels=["blue"]),
        "new": story("new", current_state="accepted", accepted_at="2024-03-05T12:00:00Z",
                     labels=["red", "blue"]),
        "now": story("now", current_state="accepted", accepted_at="2024-03-12T12:00:00Z"),
        "going": story("going", current_state="started", labels=["blue"]),
        "next": [story(f"next {i}", current_state="unstarted", labels=["blue"] if i == 3 else [])
                 for i in range(4)],
        "ice": story("ice"),
    }
    planner.put(f"/projects/{project}", {"velocity_averaged_over": 1, "initial_velocity": 3})
    return project, ids


@pytest.mark.parametrize("query, found, headers", [
    ("", range(1, 11), (15, 10, 0, 10)),
    ("?offset=10", range(11, 16), (15, 10, 10, 5)),
    ("?offset=15", [], (15, 10, 15, 0)),
    ("?limit=0", [], (15, 0, 0, 0)),
    ("?limit=1000", range(1, 16), (15, 100, 0, 15)),
    ("?scope=done", range(1, 11), (10, 10, 0, 10)),
    ("?scope=done&offset=-3", [8, 9, 10], (10, 10, -3, 3)),
    ("?scope=done&offset=-3&limit=2", [8, 9], (10, 2, -3, 2)),
    ("?scope=done&offset=-300&limit=2", [1, 2], (10, 2, -300, 2)),
    ("?scope=done&offset=9", [10], (10, 10, 9, 1)),
    ("?scope=done&offset=10", [], (10, 10, 10, 0)),
    ("?scope=backlog", [12, 13, 14, 15], (4, 10, 0, 4)),
    ("?scope=backlog&offset=3&limit=5", [15], (4, 5, 3, 1)),
    ("?scope=current_backlog&limit=2", [11, 12], (5, 2, 0, 2)),
    ("?scope=current_backlog&offset=4", [15], (5, 10, 4, 1)),
    ("?scope=done_current&offset=9", [10, 11], (11, 10, 9, 2)),
    ("?scope=done_current&offset=-3&limit=4", [8, 9, 10, 11], (11, 4, -3, 4)),
    ("?scope=done_current&offset=-3&limit=2", [8, 9], (11, 2, -3, 2)),
    ("?scope=done_current&offset=-1", [10, 11], (11, 10, -1, 2)),
    ("?scope=done_current&offset=-11&limit=12", list(range(1, 12)), (11, 12, -11, 11)),
    ("?scope=done_current&offset=-9223372036854775808&limit=1", [1], (11, 1, -1 << 63, 1)),
    ("?offset=99999999999", [], (15, 10, 99999999999, 0)),
])
def test_pages(planner, planned, query, found, headers):
    for fields in ("", "fields=number,start", "fields=number,story_ids,velocity"):
        answer = planner.get(f"/projects/{planned[0]}/iterations{query}"
                           + ("&" if query and fields else "?" if fields else "") + fields)
        assert numbers(answer) == list(found)
        assert paging(answer) == headers


def test_the_current_iteration_comes_without_pagination(planner, planned):
    answer = planner.get(f"/projects/{planned[0]}/iterations?scope=current&limit=3&offset=2")
    assert numbers(answer) == [11]
    assert not [name for name in answer.headers if "Pagination" in name]
    same = planner.get(f"/projects/{planned[0]}/iterations?scope=current&limit=x&offset=-1")
    assert same.json() == answer.json()


@pytest.mark.parametrize("query", ["scope=next", "scope=", "offset=-1", "scope=backlog&offset=-1",
                                   "scope=current_backlog&offset=-1", "limit=-1", "limit=x", "nothing=1", "fields=name"])
def test_bad_queries(planner, planned, query):
    answer = planner.get(f"/projects/{planned[0]}/iterations?{query}")
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_parameter"


def test_envelope(planner, planned):
    answer = planner.get(f"/projects/{planned[0]}/iterations"
                       "?scope=done&offset=-1&envelope=true&fields=number").json()
    assert answer["data"] == [{"number": 10}]
    assert answer["pagination"] == {"total": 10, "limit": 10, "offset": -1, "returned": 1}


def test_default_answer(planner, planned):
    project, ids = planned
    done, = planner.get(f"/projects/{project}/iterations?scope=done&offset=-1").json()
    assert list(done) == ["number", "project_id", "length", "team_strength", "stories", "start",
                          "finish", "kind"]
    assert (done["number"], done["length"], done["team_strength"]) == (10, 1, 1)
    assert (done["start"], done["finish"]) == ("2024-03-04T08:00:00Z", "2024-03-11T07:00:00Z")
    story, = done["stories"]
    assert story == planner.get(f"/projects/{project}/stories/{ids['new']}").json()
    assert [label["name"] for label in story["labels"]] == ["blue", "red"]


def test_what_is_in_the_current_iteration(planner, planned):
    project, ids = planned
    current, = planner.get(f"/projects/{project}/iterations?scope=current").json()
    assert [s["id"] for s in current["stories"]] == [ids["now"], ids["going"]]
    first, = planner.get(f"/projects/{project}/iterations?scope=backlog&limit=1").json()
    assert [s["id"] for s in first["stories"]] == ids["next"][:1]


def test_points_as_they_are_written(planner, planned):
    answer = planner.get(f"/projects/{planned[0]}/iterations/11"
                       "?fields=points,accepted_points,effective_points,velocity,planned")
    assert answer.text == ('{"number":11,"velocity":3.0,"points":6,"accepted_points":3,'
                           '"effective_points":6.0,"planned":false}')


def test_nested_fields(planner, planned):
    project, ids = planned
    answer = planner.get(f"/projects/{project}/iterations/10?date_format=millis"
                       "&fields=start,stories(name,labels(name,counts),requested_by(username))")
    story, = answer.json()["stories"]
    assert story["name"] == "new" and story["requested_by"]["username"]
    assert story["labels"][0]["name"] == "blue"
    assert story["labels"][0]["counts"]["number_of_stories_by_state"]["accepted"] == 2
    assert answer.json()["start"] == 1709539200000


def test_a_label_narrows_the_stories_and_nothing_else(planner, planned):
    project, ids = planned
    answer = planner.get(f"/projects/{project}/iterations?label=Blue&limit=20"
                       "&fields=story_ids,points")
    assert numbers(answer) == list(range(1, 16))
    assert [i["story_ids"] for i in answer.json() if i["story_ids"]] == [
        [ids["old"]], [ids["new"]], [ids["going"]], [ids["next"][3]]]
    assert answer.json()[10]["points"] == 6
    none = planner.get(f"/projects/{project}/iterations?label=none&scope=current").json()
    assert none[0]["stories"] == []
    one = planner.get(f"/projects/{project}/iterations/11?label=blue&fields=story_ids").json()
    assert one["story_ids"] == [ids["going"]]


@pytest.mark.parametrize("number, status", [
    ("1", 200), ("11", 200), ("15", 200), ("16", 404), ("0", 404), ("-1", 404), ("x", 404),
    ("99999999999999", 404), ("999999999999999999999", 404)])
def test_one_iteration(planner, planned, number, status):
    answer = planner.get(f"/projects/{planned[0]}/iterations/{number}?fields=number")
    assert answer.status_code == status
    if status == 200:
        assert answer.json() == {"number": int(number)}


def test_who_may_read(api_of, planned):
    project, _ = planned
    path = f"/projects/{project}/iterations"
    assert api_of(None).get(path).status_code == 403
    assert api_of("stranger").get(path).status_code == 403
    assert api_of("stranger").get(path + "/16").status_code == 403
    assert api_of("stranger").get("/projects/99999/iterations").status_code == 404


@pytest.fixture(scope="module")
def api_of(clocked):
    def client(name):
        return Client(clocked, name and Person(clocked, name).token)
    return client


# --- projections of projects and stories ---------------------------------------------

def test_the_project_and_its_iterations_agree(planner, planned):
    project, _ = planned
    about = planner.get(f"/projects/{project}?fields=:default,current_velocity,"
                      "shown_iterations_start_time,iteration_override_numbers").json()
    assert about["current_iteration_number"] == 11
    assert about["start_time"] == "2024-01-01T08:00:00Z"
    assert about["current_velocity"] == 3
    assert about["shown_iterations_start_time"] == "2024-02-12T08:00:00Z"
    assert about["iteration_override_numbers"] == []
    listed = [p for p in planner.get("/projects?fields=id,current_velocity,current_volatility").json()
              if p["id"] == project]
    assert listed == [{"id": project, "current_velocity": 3, "current_volatility": 0}]


def test_projected_completion_of_releases(clocked, planner, make):
    clocked.pin(NOW)
    project = make(start_date="2024-03-11", time_zone="America/Los_Angeles", initial_velocity=3)
    ids = [planner.post(f"/projects/{project}/stories", story).json()["id"] for story in [
        {"name": "a", "current_state": "unstarted", "estimate": 3},
        {"name": "b", "current_state": "unstarted", "estimate": 3},
        {"name": "r", "current_state": "unstarted", "story_type": "release"},
        {"name": "done", "current_state": "accepted", "story_type": "release"},
        {"name": "ice", "story_type": "release"}]]
    stories = planner.get(f"/projects/{project}/stories?fields=projected_completion").json()
    assert {s["id"]: s.get("projected_completion") for s in stories} == dict(zip(ids, [
        None, None, "2024-03-25T07:00:00Z", "2024-03-18T07:00:00Z", None]))
    nested, = planner.get(f"/projects/{project}/iterations?scope=backlog"
                        "&fields=stories(name,projected_completion)").json()
    assert nested["stories"][1]["projected_completion"] == "2024-03-25T07:00:00Z"


# --- overrides -----------------------------------------------------------------------

@pytest.fixture
def weekly(clocked, planner, make):
    """A project in its third week; put(n, …) changes an override."""
    clocked.pin(NOW)
    project = make(start_date="2024-02-26", initial_velocity=10)

    def put(number, body):
        return planner.put(f"/projects/{project}/iteration_overrides/{number}", body)
    return project, put


def test_an_override_is_answered(planner, weekly):
    project, put = weekly
    answer = put(3, {"team_strength": 0.5})
    assert answer.text == (f'{{"number":3,"project_id":{project},"length":1,"team_strength":0.5,'
                           '"kind":"iteration_override"}')
    assert put(3, {"length": 2}).json()["team_strength"] == 0.5
    current, = planner.get(f"/projects/{project}/iterations?scope=current").json()
    assert (current["length"], current["team_strength"]) == (2, 0.5)
    assert current["finish"] == "2024-03-25T00:00:00Z"
    about = planner.get(f"/projects/{project}?fields=iteration_override_numbers").json()
    assert about["iteration_override_numbers"] == [3]


def test_a_longer_done_iteration_shifts_what_follows(planner, weekly):
    project, put = weekly
    assert put(1, {"length": 2}).status_code == 200
    about = planner.get(f"/projects/{project}?fields=current_iteration_number,start_time").json()
    assert about["current_iteration_number"] == 2
    current, = planner.get(f"/projects/{project}/iterations?scope=current").json()
    assert (current["number"], current["start"]) == (2, "2024-03-11T00:00:00Z")


@pytest.mark.parametrize("default", [{"length": 1}, {"length": None}, {"length": None,
                                     "team_strength": 1}])
def test_the_default_removes_an_override(planner, weekly, default):
    project, put = weekly
    put(3, {"length": 3})
    answer = put(3, default)
    assert answer.status_code == 200 and answer.json()["length"] == 1
    about = planner.get(f"/projects/{project}?fields=iteration_override_numbers").json()
    assert about["iteration_override_numbers"] == []


def test_a_length_stays_beside_a_change_of_the_strength(clocked, planner, weekly):
    """Also a length that equals the project's own now, and may not do so later."""
    project, put = weekly
    put(3, {"length": 2})
    assert planner.put(f"/projects/{project}", {"iteration_length": 2}).status_code == 200
    assert put(3, {"team_strength": 0.5}).status_code == 200
    kept = clocked.sql("select length, team_strength from planwright.iteration_override"
                       " where project_id = %s and number = 3", project)
    assert kept == [(2, 0.5)]


@pytest.mark.parametrize("number, body, field", [
    (3, {"length": 0}, "length"), (3, {"length": 100}, "length"), (3, {"length": -5}, "length"),
    (3, {"length": 99999999999999}, "length"), (4, {"length": 2}, "length"),
    (3, {"team_strength": -0.1}, "team_strength"), (3, {"team_strength": 11}, "team_strength"),
    (3, {"length": "2"}, None), (3, {"team_strength": "1"}, None), (3, {}, None),
    (3, {"strength": 1}, None)])
def test_refused_overrides(planner, weekly, number, body, field):
    project, put = weekly
    answer = put(number, body)
    assert answer.status_code == 400, answer.text
    if field:
        assert answer.json()["validation_errors"][0]["field"] == field
    if body == {}:
        assert answer.json()["general_problem"] == (
            "this endpoint requires at least one of the following parameters: length, team_strength")


@pytest.mark.parametrize("number", [0, 5004, 99999999999999])
def test_overrides_of_iterations_that_cannot_be(weekly, number):
    assert weekly[1](number, {"team_strength": 2}).status_code == 404


def test_an_override_leaves_one_activity(clocked, planner, weekly):
    project, put = weekly
    before = planner.get(f"/projects/{project}").json()["version"]
    answer = put(3, {"length": 2})
    assert int(answer.headers["X-Tracker-Project-Version"]) == before + 1
    (kind, changes), = clocked.sql("select kind, changes::json from planwright.activity"
                                   " where project_id = %s and version = %s", project, before + 1)
    assert kind == "iteration_update_activity"
    assert changes == [{"kind": "iteration_override", "change_type": "update", "number": 3,
                        "project_id": project, "original_values": {"length": "default"},
                        "new_values": {"length": 2}}]


@pytest.mark.parametrize("change", [{"week_start_day": "Sunday"}, {"start_date": "2024-02-19"},
                                    {"start_date": None}])
def test_another_beginning_drops_overrides(planner, weekly, change):
    project, put = weekly
    put(3, {"length": 2})
    assert planner.put(f"/projects/{project}", change).status_code == 200
    about = planner.get(f"/projects/{project}?fields=iteration_override_numbers").json()
    assert about["iteration_override_numbers"] == []


def test_other_settings_keep_overrides(planner, weekly):
    project, put = weekly
    put(3, {"length": 2})
    planner.put(f"/projects/{project}", {"iteration_length": 2, "week_start_day": "Monday"})
    about = planner.get(f"/projects/{project}?fields=iteration_override_numbers").json()
    assert about["iteration_override_numbers"] == [3]


def test_viewers_do_not_override(clocked, planner, weekly):
    project, put = weekly
    viewer = Person(clocked, "Vera Viewer")
    planner.post(f"/projects/{project}/memberships", {"person_id": viewer.id, "role": "viewer"})
    client = Client(clocked, viewer.token)
    assert client.get(f"/projects/{project}/iterations").status_code == 200
    answer = client.put(f"/projects/{project}/iteration_overrides/3", {"length": 2})
    assert answer.status_code == 403


# --- the calendar in SQL and in the planner -------------------------------------------

def test_sql_and_planner_count_alike(clocked, planner, make):
    """With overridden lengths anywhere, both must find the same current iteration."""
    clocked.pin(NOW)
    project = make(start_date="2023-01-02", time_zone="Australia/Lord_Howe", iteration_length=2)
    for number in range(1, 30, 3):
        clocked.sql("insert into planwright.iteration_override (project_id, number, length)"
                    " values (%s, %s, %s)", project, number, number % 5 + 1)
        about = planner.get(f"/projects/{project}").json()
        current, = planner.get(f"/projects/{project}/iterations?scope=current").json()
        assert current["number"] == about["current_iteration_number"]
        assert current["start"] <= NOW < current["finish"]
        every = all_iterations(planner, project, "start,finish")
        assert every[0]["start"] == about["start_time"]
        assert [i["finish"] for i in every[:-1]] == [i["start"] for i in every[1:]]
