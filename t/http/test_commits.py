"""POST /source_commits (CONTRACT 2, source-commit syntax)."""

import uuid

import pytest

from team import Team, team  # noqa: F401 (a fixture)


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
