"""History: days, snapshots, and the time that stories spent in states."""

import csv
import io

import pytest

ZONE = "America/Los_Angeles"  # standard time until 2024-03-10, then daylight saving time
STATES = ["accepted", "delivered", "finished", "started", "rejected", "planned", "unstarted",
          "unscheduled"]
HEADER = ["date", *(f"points_{s}" for s in STATES), *(f"counts_{s}" for s in STATES)]


def ok(answer):
    assert answer.status_code == 200, answer.text
    return answer.json() if answer.content else None


def day(row):
    """A row as {state: (count, points)}, without the empty states."""
    assert len(row) == 17
    return {s: (row[9 + i], row[1 + i]) for i, s in enumerate(STATES) if row[9 + i] or row[1 + i]}


def days(answer):
    body = ok(answer)
    assert list(body) == ["kind", "header", "data"] and body["kind"] == "daily_history_container"
    assert body["header"] == HEADER
    return {row[0]: day(row) for row in body["data"]}


@pytest.fixture(scope="module")
def past(clocked, planner, make):
    """Two weeks with two stories, a bug and a release, made with a set clock; now is Friday March 15."""
    def at(instant, method, path, body):
        clocked.pin(instant)
        return ok(planner.request(method, f"/projects/{project}/{path}", json=body))

    clocked.pin("2024-03-04T18:00:00Z")
    project = make(start_date="2024-03-04", time_zone=ZONE, initial_velocity=5)
    one = at("2024-03-04T18:00:00Z", "POST", "stories", {"name": "one", "estimate": 3})["id"]
    two = at("2024-03-04T18:00:00Z", "POST", "stories",
             {"name": "two", "estimate": 2, "current_state": "unstarted"})["id"]
    at("2024-03-05T18:00:00Z", "PUT", f"stories/{one}", {"current_state": "started"})
    # 07:30 UTC is still the sixth in Los Angeles.
    at("2024-03-07T07:30:00Z", "PUT", f"stories/{one}", {"current_state": "delivered"})
    at("2024-03-07T18:00:00Z", "PUT", f"stories/{one}", {"current_state": "rejected"})
    at("2024-03-08T18:00:00Z", "PUT", f"stories/{one}", {"current_state": "accepted"})
    bug = at("2024-03-11T06:30:00Z", "POST", "stories", {"name": "bug", "story_type": "bug"})["id"]
    at("2024-03-12T18:00:00Z", "PUT", f"stories/{two}", {"current_state": "started"})
    release = at("2024-03-12T19:00:00Z", "POST", "stories", {
        "name": "release", "story_type": "release", "current_state": "unstarted"})["id"]
    clocked.pin("2024-03-15T19:00:00Z")
    return {"project": project, "path": f"/projects/{project}", "one": one, "two": two, "bug": bug,
            "release": release}


@pytest.fixture
def now(clocked, past):
    clocked.pin("2024-03-15T19:00:00Z")


def test_days_of_a_done_iteration(planner, past, now):
    answer = planner.get(f"{past['path']}/history/iterations/1/days")
    assert days(answer) == {
        "2024-03-04": {"unscheduled": (1, 3)},
        "2024-03-05": {"started": (1, 3)},
        "2024-03-06": {"delivered": (1, 3)},
        "2024-03-07": {"rejected": (1, 3)},
        "2024-03-08": {"accepted": (1, 3)},
        "2024-03-09": {"accepted": (1, 3)},
        "2024-03-10": {"accepted": (1, 3)}}


def test_days_of_the_current_iteration_end_today(planner, past, now):
    got = days(planner.get(f"{past['path']}/history/iterations/2/days"))
    assert list(got) == ["2024-03-11", "2024-03-12", "2024-03-13", "2024-03-14", "2024-03-15"]
    assert got["2024-03-11"] == {"unstarted": (1, 2)}
    assert got["2024-03-15"] == {"started": (1, 2), "unstarted": (1, 0)}


def test_points_are_decimals_and_counts_are_not(planner, past, now):
    answer = planner.get(f"{past['path']}/history/iterations/1/days?fields=data")
    assert answer.text.startswith('{"data":[["2024-03-04", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0,')


def test_days_of_an_iteration_that_does_not_exist(planner, past, now):
    for number in (0, 3, 99999999999, "x"):
        assert planner.get(f"{past['path']}/history/iterations/{number}/days").status_code == 404


def test_days_of_the_project(planner, past, now):
    got = days(planner.get(f"{past['path']}/history/days?start_date=2024-03-03&end_date=2024-03-12"))
    assert len(got) == 10
    assert got["2024-03-03"] == {}
    assert got["2024-03-04"] == {"unscheduled": (1, 3), "unstarted": (1, 2)}
    assert got["2024-03-09"] == {"accepted": (1, 3), "unstarted": (1, 2)}
    assert got["2024-03-10"] == {"accepted": (1, 3), "unstarted": (1, 2), "unscheduled": (1, 0)}
    assert got["2024-03-12"] == {"accepted": (1, 3), "started": (1, 2), "unscheduled": (1, 0),
                                 "unstarted": (1, 0)}


def test_days_of_the_project_without_dates(planner, past, now):
    got = list(days(planner.get(f"{past['path']}/history/days")))
    assert (got[0], got[-1]) == ("2024-03-04", "2024-03-15")
    later = list(days(planner.get(f"{past['path']}/history/days?start_date=2024-03-14")))
    assert later == ["2024-03-14", "2024-03-15"]


@pytest.mark.parametrize("query", ["start_date=2024-03-05&end_date=2024-03-04", "start_date=x",
                                   "start_date=2024-02-30", "start_date=2020-01-01", "days=2",
                                   "start_date=0001-01-01", "start_date=9999-12-31&end_date=1"])
def test_bad_dates(planner, past, now, query):
    for path in ("history/days", "history/snapshots", f"history/releases/{past['release']}/days"):
        answer = planner.get(f"{past['path']}/{path}?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter"), path


def test_days_of_a_release(planner, past, now):
    got = days(planner.get(f"{past['path']}/history/releases/{past['release']}/days"))
    assert list(got)[0] == "2024-03-12" and list(got)[-1] == "2024-03-15"
    assert got["2024-03-15"] == {"accepted": (1, 3), "started": (1, 2)}
    assert planner.get(f"{past['path']}/history/releases/{past['one']}/days").status_code == 404


def test_accepted_in_the_past_counts_from_then(clocked, planner, make):
    clocked.pin("2024-03-15T19:00:00Z")
    path = f"/projects/{make(start_date='2024-03-04', time_zone=ZONE)}"
    ok(planner.post(f"{path}/stories", {
        "name": "imported", "estimate": 1, "current_state": "accepted",
        "created_at": "2024-03-05T00:00:00Z", "accepted_at": "2024-03-07T20:00:00Z"}))
    got = days(planner.get(f"{path}/history/iterations/1/days"))
    assert got["2024-03-04"] == got["2024-03-06"] == {"unscheduled": (1, 1)}
    assert got["2024-03-07"] == got["2024-03-10"] == {"accepted": (1, 1)}


def test_what_was_accepted_long_ago_stays_so(planner, make, clocked, past):
    """accepted_at was set later than the transitions that it makes void."""
    clocked.pin("2024-03-13T20:00:00Z")
    path = f"/projects/{make(start_date='2024-03-04', time_zone=ZONE)}"
    story = ok(planner.post(f"{path}/stories", {
        "name": "told late", "estimate": 1, "current_state": "started",
        "created_at": "2024-03-04T20:00:00Z"}))["id"]
    clocked.pin("2024-03-15T19:00:00Z")
    ok(planner.put(f"{path}/stories/{story}", {
        "current_state": "accepted", "accepted_at": "2024-03-06T20:00:00Z"}))
    got = days(planner.get(f"{path}/history/days?start_date=2024-03-05&end_date=2024-03-14"))
    assert got["2024-03-05"] == {"unscheduled": (1, 1)}
    assert got["2024-03-06"] == got["2024-03-13"] == {"accepted": (1, 1)}
    today, = ok(planner.get(f"{path}/history/snapshots"))
    assert today["current"] == []


def test_snapshots(planner, past, now):
    first, last = ok(planner.get(
        f"{past['path']}/history/snapshots?start_date=2024-03-10&end_date=2024-03-11"))
    assert list(first) == ["kind", "date", "current", "backlog", "icebox"]
    assert (first["kind"], first["date"]) == ("project_snapshot", "2024-03-10")
    assert first["current"] == [{"kind": "story_snapshot", "story_id": past["one"],
                                 "state": "accepted", "estimate": 3, "story_type": "feature"}]
    assert [s["story_id"] for s in first["backlog"]] == [past["two"]]
    assert first["icebox"] == [{"kind": "story_snapshot", "story_id": past["bug"],
                                "state": "unscheduled", "story_type": "bug"}]
    assert last["current"] == []  # accepted in the previous iteration
    today, = ok(planner.get(f"{past['path']}/history/snapshots"))
    assert today["date"] == "2024-03-15"
    assert [s["story_id"] for s in today["current"]] == [past["two"]]
    assert [s["story_id"] for s in today["backlog"]] == [past["release"]]


HOUR = 3600 * 1000


def test_cycle_time_details(planner, past, now):
    first, = ok(planner.get(f"{past['path']}/iterations/1/analytics/cycle_time_details"))
    assert first == {
        "kind": "cycle_time_details", "total_cycle_time": 72 * HOUR,
        "started_time": 37.5 * HOUR, "started_count": 1, "finished_time": 0, "finished_count": 0,
        "delivered_time": 10.5 * HOUR, "delivered_count": 1, "rejected_time": 24 * HOUR,
        "rejected_count": 1, "story_id": past["one"]}
    assert list(first)[-1] == "story_id"


def test_time_in_a_state_runs_until_now(planner, past, now):
    two, release = ok(planner.get(f"{past['path']}/iterations/2/analytics/cycle_time_details"))
    assert (two["story_id"], two["total_cycle_time"]) == (past["two"], 73 * HOUR)
    assert release["story_id"] == past["release"] and "total_cycle_time" not in release
    story = ok(planner.get(f"{past['path']}/stories/{past['two']}?fields=cycle_time_details"
                           "(started_time)"))
    assert story == {"id": past["two"], "cycle_time_details": {
        "started_time": 73 * HOUR, "story_id": past["two"]}}


def test_analytics(planner, past, now):
    wanted = {"kind": "analytics", "cycle_time": 72 * HOUR, "rejection_rate": 100,
              "bugs_created": 1, "stories_accepted": 1}
    assert ok(planner.get(f"{past['path']}/iterations/1/analytics")) == wanted
    assert ok(planner.get(f"{past['path']}/iterations/2/analytics")) == {
        **wanted, "cycle_time": 0, "rejection_rate": 0, "bugs_created": 0, "stories_accepted": 0}
    assert planner.get(f"{past['path']}/iterations/3/analytics").status_code == 404
    nested = ok(planner.get(f"{past['path']}/iterations?scope=done&fields=analytics"))
    assert nested == [{"number": 1, "analytics": wanted}]


def test_what_was_accepted_and_made_by_day(planner, past, now):
    one = ok(planner.get(f"{past['path']}/iterations/1?fields=accepted,created"))
    assert one["accepted"]["header"] == ["date", "points_accepted", "counts_accepted"]
    assert [row for row in one["accepted"]["data"] if row[2]] == [["2024-03-08", 3.0, 1]]
    assert len(one["accepted"]["data"]) == 7
    assert [row for row in one["created"]["data"] if row[2]] == [
        ["2024-03-04", 5.0, 2], ["2024-03-10", 0.0, 1]]


def test_releases_tell_their_completion(planner, past, now):
    release, = ok(planner.get(f"{past['path']}/releases?fields=projected_completion"))
    assert release["projected_completion"] == "2024-03-18T07:00:00Z"


def test_cycle_time_details_as_csv(planner, past):
    """The fields of the JSON form as columns, one row per story; a blank is what JSON leaves out."""
    path = f"{past['path']}/iterations/2/analytics/cycle_time_details"
    rows = ok(planner.get(path))
    answer = planner.get(f"{past['path']}/iterations/2/analytics/cycle_time_details.csv")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    head, *lines = csv.reader(io.StringIO(answer.text))
    assert head == ["total_cycle_time", "started_time", "started_count", "finished_time",
                    "finished_count", "delivered_time", "delivered_count", "rejected_time",
                    "rejected_count", "story_id"]
    assert lines == [[str(row.get(name, "")) for name in head] for row in rows] and len(rows) == 2
    assert planner.get(path.replace("iterations/2", "iterations/9999") + ".csv").status_code == 404
