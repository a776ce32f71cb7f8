"""POST /source_commits (contract 2.18)."""

import uuid

import pytest

from team import Team, team  # noqa: F401 (a fixture)
from world import ok, unique


def commit(client, message, **more):
    return client.post("/source_commits", {"source_commit": {
        "commit_id": uuid.uuid4().hex, "message": message, **more}})


@pytest.mark.parametrize("message, state", [
    ("[#{0}] look", "started"), ("[Fixes #{0}]", "finished"), ("[finished #{0}] x", "finished"),
    ("[Completes #{0}]", "finished"), ("[(Delivers) #{0}]", "delivered"), ("Fixes #{0}", "started"),
    ("[prefix #{0}]", "started")])
def test_words_in_brackets_set_the_state(team, message, state):
    story = team.make_story(estimate=1, current_state="started")["id"]
    answer = commit(team.member, message.format(story))
    assert answer.status_code == 200, answer.text
    assert team.member.get(f"/stories/{story}").json()["current_state"] == state
    named = [] if message.startswith("Fixes") else [story]
    assert [s["id"] for s in answer.json()] == named


def test_each_story_gets_a_comment_of_the_commit(team):
    first, second = (team.make_story()["id"] for _ in range(2))
    answer = team.member.post("/source_commits?fields=comments", {"source_commit": {
        "commit_id": "c0ffee", "message": f"[#{first} #{second}] Two", "author": "OTHER",
        "url": "https://github.com/acme/tool/commit/c0ffee"}})
    for story in answer.json():
        comment, = story["comments"]
        assert (comment["commit_identifier"], comment["commit_type"]) == ("c0ffee", "github")
        assert comment["person_id"] == team.people["other"].id
        assert "Two" in comment["text"]


def test_a_bare_message_is_the_whole_text(team):
    story = team.make_story()["id"]
    commit(team.member, f"[#{story}] alone")
    comment, = team.member.get(f"{team.path}/stories/{story}/comments").json()
    assert comment["text"] == f"[#{story}] alone"


def test_the_caller_is_the_author_when_nobody_has_the_name(team):
    story = team.make_story()["id"]
    commit(team.member, f"[#{story}]", author="Nobody Known")
    comment, = team.member.get(f"{team.path}/stories/{story}/comments").json()
    assert comment["person_id"] == team.people["member"].id


def test_a_commit_counts_once(team):
    story = team.make_story()["id"]
    for _ in range(2):
        team.member.post("/source_commits", {"source_commit": {
            "commit_id": "twice", "message": f"[#{story}]"}})
    assert len(team.member.get(f"{team.path}/stories/{story}/comments").json()) == 1


def test_a_commit_may_have_no_id(team):
    story = team.make_story(estimate=1, current_state="started")["id"]
    for word in "Finishes", "Delivers":
        answer = team.member.post("/source_commits", {"source_commit": {
            "commit_id": "", "message": f"[{word} #{story}]", "url": "", "author": ""}})
        assert answer.status_code == 200, answer.text
    comments = team.member.get(f"{team.path}/stories/{story}/comments").json()
    assert [c["text"] for c in comments] == [f"[Finishes #{story}]", f"[Delivers #{story}]"]
    assert not any("commit_identifier" in c for c in comments)
    assert team.member.get(f"/stories/{story}").json()["current_state"] == "delivered"


def test_only_stories_that_the_caller_may_change(team, stack, api, person):
    story = team.make_story()["id"]
    for client in (team.viewer, api(person())):
        answer = commit(client, f"[#{story}]")
        assert (answer.status_code, answer.json()) == (200, [])
    assert commit(api(), f"[#{story}]").status_code == 403


def test_a_story_without_an_estimate_stays_where_it_is(team):
    story = team.make_story()["id"]
    commit(team.member, f"[Fixes #{story}]")
    read = team.member.get(f"/stories/{story}").json()
    assert read["current_state"] == "unscheduled"


def test_each_story_is_one_version(team):
    before = team.member.get(f"{team.path}?fields=version").json()["version"]
    ids = [team.make_story(estimate=1)["id"] for _ in range(2)]
    commit(team.member, f"[Delivers #{ids[0]}, #{ids[1]}]")
    assert team.member.get(f"{team.path}?fields=version").json()["version"] == before + 4


def test_a_commit_needs_id_and_message(team):
    answer = team.member.post("/source_commits", {"source_commit": {}})
    assert answer.json()["general_problem"] == (
        "this endpoint requires the parameters: commit_id, message")


def test_stories_of_several_projects(team, api, person):
    """Each project has its own versions; a person who owns stories in both is notified about all."""
    both = person("Both Sides")
    team.owner.post(f"{team.path}/memberships", {"person_id": both.id, "role": "member"})
    other = ok(team.owner.post("/projects", {"name": unique("Other side")}))
    there = f"/projects/{other['id']}"
    ok(team.owner.post(f"{there}/memberships", {"person_id": both.id, "role": "member"}))
    here = [team.make_story(estimate=1, current_state="started", owner_ids=[both.id])["id"]
            for _ in range(2)]
    far = ok(team.owner.post(f"{there}/stories", {"name": "far", "story_type": "chore",
                                                  "owner_ids": [both.id]}))["id"]
    versions = [ok(team.owner.get(f"{p}?fields=version"))["version"] for p in (team.path, there)]
    message = f"[Delivers #{here[0]} #{far}] [#{here[1]}] for @{both.username}"
    answer = ok(commit(team.owner, message))
    assert sorted(s["id"] for s in answer) == sorted([*here, far])
    assert {s["id"]: s["current_state"] for s in answer} == {
        here[0]: "delivered", here[1]: "started", far: "accepted"}
    assert [ok(team.owner.get(f"{p}?fields=version"))["version"] for p in (team.path, there)] == [
        versions[0] + 2, versions[1] + 1]
    kinds = [a["kind"] for a in ok(team.owner.get(f"{team.path}/activity?limit=2"))]
    assert sorted(kinds) == ["comment_create_activity", "story_update_activity"]
    told = ok(api(both).get("/my/notifications?notification_types=:all"))
    assert sorted((n["story"]["id"], n["action"]) for n in told if n["action"] != "ownership"
                  and "story" in n) == sorted(
        [(here[0], "create"), (here[0], "delivery"), (here[1], "create"), (far, "acceptance"),
         (far, "create")])
    times = [n["created_at"] for n in told]
    assert times == sorted(times, reverse=True)


def test_accepting_two_chores_frees_what_waits_for_both(team):
    chores = [team.make_story(story_type="chore", current_state="started")["id"] for _ in range(2)]
    story = team.make_story()["id"]
    text = f"waits for #{chores[0]} and #{chores[1]}"
    team.member.post(f"{team.path}/stories/{story}/blockers", {"description": text})
    commit(team.member, f"[Finishes #{chores[0]} #{chores[1]}]")
    blocker, = team.member.get(f"{team.path}/stories/{story}/blockers").json()
    assert blocker["resolved"] is True


def test_a_commit_that_comes_again_makes_no_version(team):
    story = team.make_story()["id"]
    body = {"source_commit": {"commit_id": "again", "message": f"[#{story}]"}}
    assert len(ok(team.member.post("/source_commits", body))) == 1
    before = team.member.get(f"{team.path}?fields=version").json()["version"]
    assert ok(team.member.post("/source_commits", body)) == []
    assert team.member.get(f"{team.path}?fields=version").json()["version"] == before


def test_the_answer_shows_what_the_caller_may_see(team):
    member = team.people["member"]
    story = team.make_story(owner_ids=[member.id])["id"]
    answer = team.member.post("/source_commits?fields=owners(email),comments(person(email))", {
        "source_commit": {"commit_id": "", "message": f"[#{story}]"}})
    told, = ok(answer)
    assert told["owners"][0]["email"] == told["comments"][0]["person"]["email"] == member.email
