"""POST /source_commits: comments and state changes by the messages of commits."""

from team import team  # noqa: F401


def commit(client, message, **more):
    return client.post("/source_commits", {"source_commit": {
        "commit_id": "abc123", "message": message, "url": "https://git.example.test/abc123", **more}})


def state(team, story):
    return team.viewer.get(f"/stories/{story['id']}").json()["current_state"]


def test_a_mention_comments(team):
    story = team.make_story(current_state="unstarted", estimate=1)
    answer = commit(team.member, f"[#{story['id']}] Mend the hinge")
    assert answer.status_code == 200, answer.text
    assert [s["id"] for s in answer.json()] == [story["id"]]
    assert state(team, story) == "unstarted"
    comment, = team.viewer.get(f"{team.path}/stories/{story['id']}/comments").json()
    assert comment["commit_identifier"] == "abc123" and comment["commit_type"]
    assert "Mend the hinge" in comment["text"] and "https://git.example.test/abc123" in comment["text"]
    assert comment["person_id"] == team.people["member"].id


def test_verbs_move_stories(team):
    for verb, wanted in (("Fixes", "finished"), ("finished", "finished"), ("Completes", "finished"),
                         ("Delivers", "delivered"), ("DELIVERED", "delivered")):
        story = team.make_story(current_state="started", estimate=1)
        assert commit(team.member, f"Done [{verb} #{story['id']}]").status_code == 200
        assert state(team, story) == wanted


def test_several_stories_in_one_bracket(team):
    first, second = (team.make_story(current_state="started", estimate=1) for _ in range(2))
    answer = commit(team.member, f"[Fixes #{first['id']} #{second['id']}]")
    assert sorted(s["id"] for s in answer.json()) == sorted([first["id"], second["id"]])
    assert state(team, first) == state(team, second) == "finished"


def test_what_a_state_forbids_is_only_commented(team):
    story = team.make_story(story_type="chore", current_state="started")
    assert commit(team.member, f"[Finishes #{story['id']}]").status_code == 200
    assert state(team, story) == "started"
    assert len(team.viewer.get(f"{team.path}/stories/{story['id']}/comments").json()) == 1


def test_the_author_is_a_person_of_the_project_by_name(team):
    story = team.make_story()
    commit(team.member, f"[#{story['id']}]", author="OTHER")
    comment, = team.viewer.get(f"{team.path}/stories/{story['id']}/comments").json()
    assert comment["person_id"] == team.people["other"].id


def test_every_story_is_one_version(team):
    first, second = team.make_story(), team.make_story()
    before = team.viewer.get(team.path).json()["version"]
    commit(team.member, f"[#{first['id']}] and [#{second['id']}]")
    assert team.viewer.get(team.path).json()["version"] == before + 2


def test_stories_that_the_caller_may_not_change_are_left_alone(team, api, person):
    story = team.make_story(current_state="started", estimate=1)
    for client in (team.viewer, api(person("Stranger"))):
        answer = commit(client, f"[Fixes #{story['id']}] [#99999999999]")
        assert answer.status_code == 200 and answer.json() == []
    assert state(team, story) == "started"


def test_a_commit_needs_its_id_and_message(team):
    for body in ({}, {"source_commit": {}}, {"source_commit": {"message": "x"}}, {"source_commit": 1}):
        assert team.member.post("/source_commits", body).status_code == 400
