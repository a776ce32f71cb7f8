"""A refusal names the key that was sent, also where a value has two names (contract 1.4)."""

import pytest

from team import team  # noqa: F401 (a fixture)
from test_bodies import refused
from world import ok

NOBODY, NOTHING = 1 << 45, 1 << 44


def field_of(answer):
    (problem,) = refused(answer)["validation_errors"]
    return problem["field"]


@pytest.mark.parametrize("key, value", [
    ("owner_ids", [NOBODY]), ("owned_by_id", NOBODY), ("requested_by_id", NOBODY), ("follower_ids", [NOBODY]),
    ("labels", [{"id": NOTHING}]), ("label_ids", [NOTHING])])
def test_story(team, key, value):
    assert field_of(team.member.post(f"{team.path}/stories", {"name": "x", key: value})) == key
    assert field_of(team.member.put(team.story, {key: value})) == key


def test_the_first_of_two_names_counts(team):
    both = {"owned_by_id": team.people["member"].id, "owner_ids": [NOBODY]}
    assert field_of(team.member.put(team.story, both)) == "owner_ids"


@pytest.mark.parametrize("key, value", [
    ("add_labels", [{"id": NOTHING}]), ("add_labels", [{}]), ("add_label_ids", [NOTHING]),
    ("remove_label_ids", [NOTHING])])
def test_stories_in_bulk(team, key, value):
    ids = [int(team.story.split("/")[-1])]
    assert field_of(team.member.put(f"{team.path}/stories/bulk", {"ids": ids, key: value})) == key


def test_epic(team):
    taken = team.make_epic(name="Taken")["label"]["id"]
    for key, value in ("label", {"id": taken}), ("label", {"name": "taken"}), ("label_id", taken):
        assert field_of(team.member.post(f"{team.path}/epics", {"name": "x", key: value})) == key
        assert field_of(team.member.put(team.epic, {key: value})) == key
    assert field_of(team.member.post(f"{team.path}/epics", {"name": "TAKEN"})) == "name"
    assert field_of(team.member.put(team.epic, {"label_id": NOTHING})) == "label_id"


@pytest.mark.parametrize("key, value", [
    ("file_attachment_ids", [NOTHING]), ("file_attachments", [{"id": NOTHING}]), ("attachments", [{"id": NOTHING}]),
    ("google_attachments", [{}])])
def test_new_comment(team, key, value):
    for path in f"{team.story}/comments", f"{team.epic}/comments":
        assert field_of(team.member.post(path, {"text": "x", key: value})) == key
    if key != "file_attachment_ids":
        return
    assert field_of(team.member.put(team.story, {"comments": [{"text": "x", key: value}]})) == key


@pytest.mark.parametrize("key, value", [
    ("file_attachment_ids_to_add", [NOTHING]), ("attachments_to_add", [{"id": NOTHING}]), ("attachments_to_add", [{}]),
    ("file_attachment_ids_to_remove", [NOTHING]), ("google_attachment_ids_to_remove", [NOTHING]),
    ("attachment_ids_to_remove", [{"id": NOTHING}])])
def test_changed_comment(team, key, value):
    comment = ok(team.member.post(f"{team.story}/comments", {"text": "x"}))["id"]
    assert field_of(team.member.put(f"{team.story}/comments/{comment}", {key: value})) == key


def test_followers(team):
    for key in "id", "person_id":
        assert field_of(team.member.post(f"{team.story}/followers", {key: NOBODY})) == key


def test_membership(team):
    member = team.people["member"]
    path = f"{team.path}/memberships"
    assert field_of(team.owner.post(path, {"person_id": member.id})) == "person_id"
    assert field_of(team.owner.post(path, {"email": member.email})) == "email"


def test_velocity(team):
    ok(team.owner.put(team.path, {"velocity_averaged_over": 1, "number_of_done_iterations_to_show": 2}))
    for body in {"velocity_averaged_over": 3}, {"number_of_done_iterations_to_show": 0}:
        assert field_of(team.owner.put(team.path, body)) == list(body)[0]
    both = {"velocity_averaged_over": 3, "number_of_done_iterations_to_show": 1}
    assert field_of(team.owner.put(team.path, both)) == "number_of_done_iterations_to_show"
