"""Feeds limited by time: what they show and count when times are not in the order of versions."""

import itertools

import pytest

from conftest import Client, Person, Stack, stack_folder
from world import new_project, ok

FAR = "9999-12-31T23:59:59Z"
# The clock when each command begins: some waited longer for the project than others, one of them a day.
CLOCK = ["10:00:00", "10:00:05", "10:00:03", "10:00:03", "10:00:07", "10:00:06", "10:05:00", "10:01:00", "10:09:00"]


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("feed-times"), workers=1)
    yield stack
    stack.close()


@pytest.fixture(scope="module")
def owner(server):
    return Client(server, Person(server, "Tina Times").token)


@pytest.fixture(scope="module")
def feeds(server, owner):
    """Feeds of one project, of a workspace with another one, and of the person."""
    server.pin("2031-03-01 09:00:00+00")
    mine, other = (new_project(owner)["id"] for _ in range(2))
    for clock in CLOCK:
        server.pin(f"2031-03-01 {clock}+00")
        for project in (mine, other):
            ok(owner.post(f"/projects/{project}/stories", {"name": f"At {clock}"}))
    server.pin("2031-03-01 12:00:00+00")
    workspace = ok(owner.post("/my/workspaces", {"project_ids": [mine, other]}))["id"]
    return [f"/projects/{mine}/activity", f"/my/workspaces/{workspace}/activity", "/my/activity"]


def page(owner, feed, **params):
    answer = owner.get(feed, params={"limit": 500, **params})
    return ok(answer), int(answer.headers["X-Tracker-Pagination-Total"])


@pytest.mark.parametrize("which", range(3))
def test_a_feed_has_and_counts_what_is_between_two_times(owner, feeds, which):
    feed = feeds[which]
    whole, total = page(owner, feed)
    assert total == len(whole) >= len(CLOCK)
    times = [None, *(f"2031-03-01T{clock}Z" for clock in sorted(set(CLOCK))), FAR]
    for before, after, since in itertools.product(times, times, (None, 5, 2**62)):
        params = {"occurred_before": before, "occurred_after": after, "since_version": since}
        params = {name: value for name, value in params.items() if value is not None}
        wanted = [a["guid"] for a in whole if (before is None or a["occurred_at"] < before)
                  and (after is None or a["occurred_at"] > after) and (since is None or a["project_version"] > since)]
        got, total = page(owner, feed, **params)
        assert (sorted(a["guid"] for a in got), total) == (sorted(wanted), len(wanted)), params
        if which == 0:
            assert [a["guid"] for a in got] == wanted, params
            few, total = page(owner, feed, **params, limit=2, offset=1, sort_order="asc")
            assert ([a["guid"] for a in few], total) == (wanted[::-1][1:3], len(wanted)), params


def test_what_is_known_of_times_is_true(server, feeds):
    """The stored bounds limit what is read: a wrong one would hide activities."""
    wrong = server.sql("""select p.id, p.told_until, p.told_late_s, x.until, x.late from project p join (
        select project_id, max(occurred_at) as until, max(until - occurred_at) as late
        from (select project_id, occurred_at, max(occurred_at) over (partition by project_id order by version) as until
            from activity) a group by 1) x on x.project_id = p.id
        where p.told_until is distinct from x.until or p.told_late_s * interval '1 second' < x.late""")
    assert not wrong
    assert server.sql("select max(told_late_s) from project") == [(240,)]


@pytest.mark.parametrize("gap", [False, True])
def test_versions_without_an_activity_and_old_times_are_counted_one_by_one(server, owner, feeds, gap):
    project = int(feeds[0].split("/")[2])
    if gap:
        server.sql("delete from activity where project_id = %s and version = 4", project)
        server.sql("update project set told_late_s = null where id = %s", project)
    whole, _ = page(owner, feeds[0])
    for since in (1, 3, 4, 6):
        got, total = page(owner, feeds[0], since_version=since)
        assert total == len(got) == len([a for a in whole if a["project_version"] > since])
    got, total = page(owner, feeds[0], occurred_before="2031-03-01T10:00:06Z")
    assert total == len(got) == len([a for a in whole if a["occurred_at"] < "2031-03-01T10:00:06Z"])
