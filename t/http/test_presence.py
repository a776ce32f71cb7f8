"""Who looks at a story, or types in it (contract 2.22): who may say so, and who hears of it."""

import time

import pytest

from streams import BOUND, SOON, team_of
from test_live import join, make_token
from world import ok


@pytest.fixture(scope="module")
def team(api, person):
    return team_of(api, person, "Present")


@pytest.fixture
def story(team):
    """A new one, at which nobody was before."""
    return ok(team.own.post(f"/projects/{team.id}/stories", {"name": "looked at"}))["id"]


@pytest.fixture
def say(api, team, story):
    """say(person, state): the status."""
    def tell(somebody, state="looking", at=None, project=None):
        path = f"/projects/{project or team.id}/stories/{at or story}/presence"
        return api(somebody).put(path, {"state": state}).status_code
    return tell


@pytest.fixture
def meet(listen, team):
    """meet(person): a stream that wants to know, once it is open."""
    def opened(somebody, project=None, presence="true"):
        stream = listen(somebody.token, [project or team.id], presence=presence)
        assert stream.status == 200, stream.text()
        assert stream.wait(lambda _: stream.version(project or team.id)) is not None
        return stream
    return opened


# What is told --------------------------------------------------------------------------


@pytest.mark.timed
def test_others_hear_at_once_and_nobody_of_themselves(team, story, say, meet):
    others = [meet(x) for x in (team.owner, team.viewer)]
    own = [meet(team.member) for _ in range(2)]
    took = []
    for state in "looking", "typing", "looking", "gone":
        assert say(team.member, state) == 204
        took.append([each.meets(story, team.member.id, state) for each in others])
        time.sleep(1.1)
    assert all(s is not None and s < SOON for each in took for s in each), took
    for each in own:
        assert each.wait(lambda _: each.met(), 0.5) is None
    events = [data for event, data, _ in others[0].events if event == "presence"]
    assert events[1] == {"project_id": team.id, "story_id": story, "person_id": team.member.id, "state": "typing"}
    assert len(events) == 4


def test_viewers_are_there_too(team, story, say, meet):
    stream = meet(team.owner)
    assert say(team.viewer) == 204
    assert stream.meets(story, team.viewer.id, "looking") < SOON


def test_a_stream_begins_with_those_who_are_there(team, story, say, meet):
    first = meet(team.owner)
    say(team.member, "typing")
    say(team.viewer)
    assert first.meets(story, team.viewer.id, "looking") is not None
    say(team.viewer, "gone")
    assert first.meets(story, team.viewer.id, "gone") is not None
    second = meet(team.owner)
    assert second.meets(story, team.member.id, "typing") < SOON
    assert [x for x in second.met() if x[0] == story] == [(story, team.member.id, "typing")]


def test_what_is_said_again_is_not_told_again(team, story, say, meet):
    stream = meet(team.owner)
    for _ in range(3):
        say(team.member)
        time.sleep(1.1)
    assert stream.meets(story, team.member.id, "looking") is not None
    assert stream.met().count((story, team.member.id, "looking")) == 1


def test_streams_that_did_not_ask_for_it_hear_nothing(team, story, say, meet):
    streams = [meet(team.owner, presence=x) for x in (None, "false")]
    asked = meet(team.owner)
    say(team.member)
    assert asked.meets(story, team.member.id, "looking") is not None
    for each in streams:
        assert each.wait(lambda _: each.met(), 0.5) is None


@pytest.mark.timed
def test_who_changes_all_the_time_is_told_once_a_second(team, story, say, meet, api):
    """And what is left is how it is at the end."""
    stream, others = meet(team.owner), meet(team.viewer)
    start = time.monotonic()
    waits = []
    for i in range(150):
        assert say(team.member, ("looking", "typing")[i % 2]) == 204
        if i % 50 == 25:
            version = int(team.own.post(f"/projects/{team.id}/stories", {"name": "meanwhile"}).headers[
                "X-Service-Project-Version"])
            waits.append(others.hears(team.id, version))
    say(team.member, "gone")
    seconds = time.monotonic() - start
    assert stream.meets(story, team.member.id, "gone", 3) is not None
    assert len(stream.met()) <= seconds + 3
    assert max(waits) < SOON


# Who may --------------------------------------------------------------------------------


def test_who_may_not_see_the_story_may_not_be_there(team, story, say, meet, api, person):
    stream = meet(team.owner)
    assert say(team.stranger) == 403
    assert api(None).put(f"/projects/{team.id}/stories/{story}/presence", {"state": "looking"}).status_code == 403
    assert say(team.member, at=1) == 404
    mine = ok(api(team.stranger).post("/projects", {"name": "Else", "new_account_name": "Else"}))["id"]
    assert say(team.stranger, project=mine) == 404  # the story is in another project
    assert stream.wait(lambda _: stream.met(), 0.5) is None


def test_a_deleted_story(team, story, say):
    assert team.own.delete(f"/projects/{team.id}/stories/{story}").status_code == 204
    assert say(team.member) == 404


@pytest.mark.parametrize("body", [{}, {"state": "there"}, {"state": "LOOKING"}, {"state": None}, {"state": 1},
                                  {"state": "looking", "more": 1}, []])
def test_bodies(team, story, api, body):
    answer = api(team.member).put(f"/projects/{team.id}/stories/{story}/presence", body)
    assert answer.status_code == 400 and answer.json()["kind"] == "error"
    assert api(team.stranger).put(f"/projects/{team.id}/stories/{story}/presence", body).status_code == 403


def test_visitors_of_a_public_project_neither_say_nor_hear(team, story, say, meet, api):
    ok(team.own.put(f"/projects/{team.id}", {"public": True}))
    visitor, insider = meet(team.stranger), meet(team.owner)
    assert api(team.stranger).get(f"/projects/{team.id}/stories/{story}").status_code == 200
    assert say(team.stranger) == 403
    assert api(None).put(f"/projects/{team.id}/stories/{story}/presence", {"state": "looking"}).status_code == 403
    assert say(team.member) == 204
    assert insider.meets(story, team.member.id, "looking") is not None
    assert visitor.wait(lambda _: visitor.met(), 0.5) is None
    ok(team.own.put(f"/projects/{team.id}", {"public": False}))


def test_who_is_no_longer_a_member_hears_no_more(team, story, say, meet, person):
    """Also where the project is public: the stream ends, and the next one is a visitor's."""
    leaver = person("Lena Leaver")
    membership = join(team, leaver)
    ok(team.own.put(f"/projects/{team.id}", {"public": True}))
    stream, insider, simple = meet(leaver), meet(team.owner), meet(leaver, presence="false")
    assert team.own.delete(f"/projects/{team.id}/memberships/{membership}").status_code == 204
    assert stream.ends(5) < BOUND
    assert simple.ends(0.5) is None, "it hears what visitors hear"
    again = meet(leaver)
    assert say(leaver) == 403
    assert say(team.member) == 204
    assert insider.meets(story, team.member.id, "looking") is not None
    assert again.wait(lambda _: again.met(), 0.5) is None
    ok(team.own.put(f"/projects/{team.id}", {"public": False}))


def test_a_token_of_some_projects(stack, team, story, meet, api):
    other = ok(api(team.member).post("/projects", {"name": "Out", "new_account_name": "Out"}))["id"]
    path = f"/projects/{team.id}/stories/{story}/presence"
    for project, status in ((team.id, 204), (other, 403)):
        token = make_token(stack, team, scope="read", project_ids=[project])["token"]
        assert api(token).put(path, {"state": "looking"}).status_code == status


# What it costs ----------------------------------------------------------------------------


def transactions(sql):
    """The number of the next transaction: those that only read get none."""
    return int(sql("select pg_snapshot_xmax(pg_current_snapshot())::text")[0][0])


def test_nothing_is_written(team, story, say, meet, sql):
    stream = meet(team.owner)
    say(team.member)  # the first request of somebody may note that they were here
    version, wrote = ok(team.own.get(f"/projects/{team.id}"))["version"], []
    for _ in range(5):  # other programs may write meanwhile
        before = transactions(sql)
        for state in ("typing", "gone", "looking") * 4:
            assert say(team.member, state) == 204
        wrote.append(transactions(sql) - before)
    assert min(wrote) == 0, wrote
    assert stream.meets(story, team.member.id, "looking") is not None
    assert ok(team.own.get(f"/projects/{team.id}"))["version"] == version
    before = transactions(sql)
    ok(team.own.put(f"/projects/{team.id}/stories/{story}", {"name": "written"}))
    assert transactions(sql) > before, "writing is seen"


def test_one_person_fills_a_part_of_the_room(team, say, meet, api):
    stories = [ok(team.own.post(f"/projects/{team.id}/stories", {"name": "one of many"}))["id"] for _ in range(20)]
    stream = meet(team.owner)
    before = len(stream.met())
    for each in stories:
        assert say(team.member, at=each) == 204
    assert say(team.viewer, at=stories[0]) == 204
    assert stream.meets(stories[0], team.viewer.id, "looking") is not None
    mine = {s for s, p, _ in stream.met()[before:] if p == team.member.id}
    assert 0 < len(mine & set(stories)) <= 16


def test_where_live_updates_are_off(new_stack):
    from conftest import Person  # noqa: PLC0415
    from client import Client  # noqa: PLC0415
    stack = new_stack(workers=1, settings="live = off")
    own = Client(stack, Person(stack, "Olaf Off").token)
    project = ok(own.post("/projects", {"name": "Off", "new_account_name": "Off"}))["id"]
    story = ok(own.post(f"/projects/{project}/stories", {"name": "here"}))["id"]
    answer = own.put(f"/projects/{project}/stories/{story}/presence", {"state": "looking"})
    assert answer.status_code == 404 and answer.json()["code"] == "route_not_found"
