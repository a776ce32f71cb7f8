"""Blockers, reviews, pull requests, branches, build events, followers (contract 2.9, 3.7)."""

import pathlib

import pytest

from parts import PARTS
from team import team  # noqa: F401 (a fixture)

PULL = {"owner": "acme", "repo": "tool", "number": 148,
        "original_url": "https://github.com/acme/tool/pull/148"}
BRANCH = {"owner": "acme", "repo": "tool", "name": "fix/it"}
# Kinds whose keys the contract lists.
KEYS = {
    "blockers": ["kind", "id", "story_id", "person_id", "description", "resolved", "created_at",
                 "updated_at"],
    "reviews": ["kind", "id", "story_id", "review_type_id", "status", "created_at", "updated_at"],
    "pull_requests": ["id", "kind", "story_id", "owner", "repo", "host_url", "original_url",
                      "status", "number", "created_at", "updated_at"],
    "branches": ["id", "kind", "story_id", "owner", "repo", "host_url", "name", "created_at",
                 "updated_at"],
    "cicd_events": ["id", "kind", "story_id", "name", "status", "created_at", "updated_at"],
}


def bodies(team):
    types = team.member.get(f"{team.path}/review_types").json()
    return {**{p.list: p.body for p in PARTS.values()}, "blockers": {"description": "The lift is broken"},
            "reviews": {"review_type_id": types[0]["id"]}, "pull_requests": PULL,
            "branches": BRANCH, "cicd_events": {"name": "build"}}


def story_path(team, **more):
    return f"{team.path}/stories/{team.make_story(**more)['id']}"


def make(team, path, part, **more):
    answer = team.member.post(f"{path}/{part}", {**bodies(team)[part], **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(params=sorted(PARTS))
def part(request):
    return request.param


def test_a_part_has_its_keys_and_is_listed(team, part):
    path = story_path(team)
    made = make(team, path, part)
    assert list(made) == KEYS.get(part, list(made)) and bodies(team)[part].items() <= made.items()
    assert team.viewer.get(f"{path}/{part}").json() == [made]
    assert team.viewer.get(f"{path}/{part}/{made['id']}").json() == made


def test_a_deleted_part_is_gone(team, part):
    path = story_path(team)
    made = make(team, path, part)
    assert team.member.delete(f"{path}/{part}/{made['id']}").status_code == 204
    assert team.member.get(f"{path}/{part}").json() == []


def test_a_deleted_story_takes_its_parts_along(team, part, sql):
    path = story_path(team)
    made = make(team, path, part)
    assert team.member.delete(path).status_code == 204
    assert sql(f"select count(*) from planwright.{made['kind']} where id = %s", made["id"]) == [(0,)]


def test_a_story_shows_its_parts_when_asked(team, part):
    path = story_path(team)
    made = make(team, path, part)
    ids = PARTS[part].ids
    read = team.viewer.get(f"{path}?fields={part},{ids}").json()
    assert read[part] == [made] and read[ids] == [made["id"]]
    assert part not in team.viewer.get(path).json()


@pytest.mark.parametrize("nested", [p.list for p in PARTS.values() if p.in_bodies])
def test_a_story_is_made_with_parts(team, nested):
    path = story_path(team, **{nested: [bodies(team)[nested]] * 2})
    assert len(team.viewer.get(f"{path}/{nested}").json()) == 2


@pytest.mark.parametrize("nested", ["pull_requests", "branches"])
def test_an_epic_is_made_with_parts(team, nested):
    epic = team.make_epic(**{nested: [bodies(team)[nested]]})
    read = team.viewer.get(f"{team.path}/epics/{epic['id']}?fields={nested}").json()
    assert read[nested][0]["epic_id"] == epic["id"]
    assert "story_id" not in read[nested][0]


def test_nested_parts_have_no_id(team):
    answer = team.member.post(f"{team.path}/stories", {
        "name": "x", "blockers": [{"id": 1, "description": "x"}]})
    assert answer.json()["general_problem"] == "this endpoint cannot accept the parameter: id"


def test_a_part_touches_its_story(team, part, sql):
    path = story_path(team)
    sql("set search_path = planwright; update story set updated_at = '2020-01-01' where id = %s",
        int(path.split("/")[-1]))
    make(team, path, part)
    assert team.member.get(path).json()["updated_at"] > "2026"


def test_every_change_of_a_part_is_one_activity(team, part, sql):
    path = story_path(team)
    before = team.member.get(f"{team.path}?fields=version").json()["version"]
    made = make(team, path, part)
    team.member.delete(f"{path}/{part}/{made['id']}")
    kinds = [k for k, in sql("select kind from planwright.activity where project_id = %s"
                             " and version > %s order by version", team.id, before)]
    assert kinds == [f"{made['kind']}_create_activity", f"{made['kind']}_delete_activity"]


# Blockers

def test_a_blocker_names_stories(team):
    blocking = team.make_story()["id"]
    path = story_path(team)
    blocker = make(team, path, "blockers", description=f"Waits for #{blocking}, not #99999999")

    def blocked():
        return team.viewer.get(
            f"{team.path}/stories/{blocking}?fields=blocked_story_ids").json()["blocked_story_ids"]
    assert blocked() == [int(path.split("/")[-1])]
    team.member.put(f"{path}/blockers/{blocker['id']}", {"resolved": True})
    assert blocked() == []
    team.member.put(f"{path}/blockers/{blocker['id']}", {"resolved": False, "description": "other"})
    assert blocked() == []


def test_an_accepted_story_blocks_no_longer(team):
    first, second = (team.make_story(estimate=1, current_state="delivered")["id"] for _ in range(2))
    path = story_path(team)
    both = make(team, path, "blockers", description=f"#{first} and #{second}")

    def resolved():
        return team.viewer.get(f"{path}/blockers/{both['id']}").json()["resolved"]
    team.member.put(f"{team.path}/stories/{first}", {"current_state": "accepted"})
    assert resolved() is False
    team.member.put(f"{team.path}/stories/{second}", {"current_state": "accepted"})
    assert resolved() is True


def test_a_blocker_needs_a_description(team):
    path = story_path(team)
    assert team.member.post(f"{path}/blockers", {}).json()["general_problem"] == (
        "this endpoint requires the parameter: description")
    assert team.member.post(f"{path}/blockers", {"description": "x" * 1001}).status_code == 400


# Reviews

def test_every_project_has_the_built_in_types(team):
    types = team.viewer.get(f"{team.path}/review_types").json()
    assert [t["name"] for t in types[:4]] == ["Test (QA)", "Design", "Code", "Security"]
    assert not any(t["hidden"] for t in types[:4])


def test_a_review_changes_like_the_recorded_one(team):
    path = story_path(team)
    review = make(team, path, "reviews", reviewer_id=team.people["other"].id)
    changed = team.member.put(f"{path}/reviews/{review['id']}", {"status": "pass"}).json()
    assert (changed["status"], changed["reviewer_id"]) == ("pass", team.people["other"].id)
    cleared = team.member.put(f"{path}/reviews/{review['id']}", {"reviewer_id": None}).json()
    assert "reviewer_id" not in cleared
    nested = team.member.get(f"{path}/reviews?fields=:default,review_type(name)").json()[0]
    assert nested["review_type"]["name"] == "Test (QA)" and "review_type_id" not in nested


def test_a_review_has_a_known_status(team):
    path = story_path(team)
    review = make(team, path, "reviews")
    answer = team.member.put(f"{path}/reviews/{review['id']}", {"status": "done"})
    assert answer.json()["general_problem"] == (
        "'status' must be one of: unstarted, in_review, pass, revise")


def test_a_hidden_type_takes_no_new_reviews(team):
    kind = team.owner.post(f"{team.path}/review_types", {"name": "Smell"}).json()
    path = story_path(team)
    make(team, path, "reviews", review_type_id=kind["id"])
    answer = team.owner.put(f"{team.path}/review_types/{kind['id']}", {"hidden": True})
    assert answer.json()["hidden"] is True
    answer = team.member.post(f"{path}/reviews", {"review_type_id": kind["id"]})
    assert answer.json()["validation_errors"][0]["field"] == "review_type_id"
    assert len(team.member.get(f"{path}/reviews").json()) == 1


def test_review_types_have_one_name_each_and_stay(team):
    answer = team.owner.post(f"{team.path}/review_types", {"name": "design"})
    assert answer.json()["validation_errors"][0]["field"] == "name"
    kind = team.viewer.get(f"{team.path}/review_types").json()[0]
    assert team.owner.delete(f"{team.path}/review_types/{kind['id']}").status_code == 405


def test_a_reviewer_is_one_of_the_project(team, person):
    body = {**bodies(team)["reviews"], "reviewer_id": person().id}
    answer = team.member.post(f"{story_path(team)}/reviews", body)
    assert answer.json()["validation_errors"][0]["field"] == "reviewer_id"


# Followers

def test_followers_come_and_go(team):
    path, viewer = story_path(team), team.people["viewer"]
    added = team.member.post(f"{path}/followers", {"id": viewer.id}).json()
    assert (added["kind"], added["id"]) == ("person", viewer.id)
    team.member.post(f"{path}/followers", {"person_id": team.people["other"].id})
    assert [p["id"] for p in team.viewer.get(f"{path}/followers").json()] == [
        viewer.id, team.people["other"].id]
    assert team.member.delete(f"{path}/followers/{viewer.id}").status_code == 204
    assert team.member.delete(f"{path}/followers/{viewer.id}").status_code == 404
    assert team.viewer.get(f"{path}?fields=follower_ids").json()["follower_ids"] == [
        team.people["other"].id]


def test_a_follower_is_one_of_the_project(team, person):
    answer = team.member.post(f"{story_path(team)}/followers", {"id": person().id})
    assert answer.status_code == 400


def followers(team, path):
    ids = [p["id"] for p in team.viewer.get(f"{path}/followers").json()]
    assert ids == team.viewer.get(f"{path}?fields=follower_ids").json()["follower_ids"]
    return ids


def changes(team, path):
    activity = team.viewer.get(f"{path}/activity?limit=1").json()[0]
    return [(c["kind"], c["change_type"], c.get("new_values", {}).get("follower_ids"))
            for c in activity["changes"]]


def test_who_comments_follows(team):
    path, other, owner = story_path(team), team.people["other"].id, team.people["owner"].id
    assert followers(team, path) == []  # the requester is notified, but not listed
    team.other.post(f"{path}/comments", {"text": "first"})
    assert changes(team, path) == [("comment", "create", None), ("story", "update", [other])]
    team.owner.post(f"{path}/comments", {"text": "second"})
    team.other.post(f"{path}/comments", {"text": "third"})
    assert [c for c in changes(team, path) if c[2]] == []
    assert followers(team, path) == [other, owner]


@pytest.mark.parametrize("make", ["nested", "update", "author", "commit"])
def test_every_comment_makes_a_follower(team, make):
    other, member = team.people["other"], team.people["member"].id
    if make == "nested":
        story = team.make_story(follower_ids=[other.id], comments=[{"text": "a"}, {"text": "b"}])
        path = f"{team.path}/stories/{story['id']}"
    else:
        path = story_path(team)
    if make == "update":
        team.member.put(path, {"name": "New", "comment": {"text": "why"}})
    elif make == "author":
        team.member.post(f"{path}/comments", {"text": "theirs", "person_id": other.id})
    elif make == "commit":
        team.member.post("/source_commits", {"source_commit": {
            "commit_id": "f0", "message": f"[#{path.split('/')[-1]}]", "author": other.name}})
    assert followers(team, path) == {"nested": [other.id, member], "update": [member],
                                     "author": [other.id], "commit": [other.id]}[make]


def told(client, path):
    return [n["context"] for n in client.get("/my/notifications?notification_types=:all").json()
            if str(n.get("story", {}).get("id")) == path.split("/")[-1] and "context" in n]


def test_who_is_no_follower_any_more_hears_nothing(team):
    path, other = story_path(team), team.people["other"].id
    team.other.post(f"{path}/comments", {"text": "mine"})
    team.owner.post(f"{path}/comments", {"text": "one"})
    assert team.member.delete(f"{path}/followers/{other}").status_code == 204
    assert changes(team, path)[0][:2] == ("story", "update")
    team.owner.post(f"{path}/comments", {"text": "two"})
    team.owner.post(f"{path}/blockers", {"description": "wall"})
    assert told(team.other, path) == ["one"]
    team.other.post(f"{path}/comments", {"text": "again"})
    team.owner.post(f"{path}/comments", {"text": "three"})
    assert told(team.other, path) == ["three", "one"]


def test_owners_and_the_requester_are_told_without_being_listed(team):
    path = f"{team.path}/stories/{team.make_story(owner_ids=[team.people['other'].id])['id']}"
    team.owner.post(f"{path}/comments", {"text": "hear"})
    assert followers(team, path) == [team.people["owner"].id]
    assert told(team.other, path) == told(team.member, path) == ["hear"]
    for role in ("other", "member"):
        gone = team.owner.delete(f"{path}/followers/{team.people[role].id}")
        assert gone.status_code == 404
    team.member.put(path, {"owner_ids": []})
    team.owner.post(f"{path}/comments", {"text": "still"})
    assert (told(team.other, path), told(team.member, path)) == (["hear"], ["still", "hear"])


def test_epics_have_followers_likewise(team):
    epic = f"{team.path}/epics/{team.make_epic()['id']}"
    other = team.people["other"].id
    team.other.post(f"{epic}/comments", {"text": "mine"})
    assert team.viewer.get(f"{epic}?fields=follower_ids").json()["follower_ids"] == [other]
    before = len(team.other.get("/my/notifications").json())
    team.owner.post(f"{epic}/comments", {"text": "one"})
    team.member.put(epic, {"follower_ids": []})
    team.owner.post(f"{epic}/comments", {"text": "two"})
    assert len(team.other.get("/my/notifications").json()) == before + 1


def test_those_who_commented_before_join_at_the_upgrade(team, stack, sql):
    """What the migration does with comments that were made before it."""
    path, epic = story_path(team), f"{team.path}/epics/{team.make_epic()['id']}"
    asked, other = team.people["viewer"].id, team.people["other"].id
    team.member.put(path, {"follower_ids": [asked]})
    for on in (path, epic):
        for client in (team.other, team.owner, team.other):
            client.post(f"{on}/comments", {"text": "x"})
        team.member.put(on, {"follower_ids": [asked]})
    version = team.viewer.get(f"{team.path}?fields=version").json()
    migration = pathlib.Path(__file__).parents[2] / "sql/migrations/0009_followers.sql"
    for _ in range(2):
        sql(migration.read_text())
        for on in (path, epic):
            assert team.viewer.get(f"{on}?fields=follower_ids").json()["follower_ids"] == [
                asked, other, team.people["owner"].id]
    assert team.viewer.get(f"{team.path}?fields=version").json() == version
