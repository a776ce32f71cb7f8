"""Webhooks that ask for activities in the format of a retired version (contract 8.3)."""

import xml.etree.ElementTree as ElementTree

import pytest

from conftest import Stack, stack_folder, wait_for
from retired import OldTeam
from test_webhooks import SETTINGS, Receiver, deliveries
from world import ok


@pytest.fixture(scope="module")
def team():
    server = Stack(stack_folder("oldhooks"), workers=1, settings=f"{SETTINGS}\nold_versions = v3 v4")
    yield OldTeam(server)
    server.close()


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.mark.parametrize("version, word", [("v3", "note"), ("v4", "comment")])
def test_activities_are_sent(team, receiver, version, word):
    hooks = f"{team.path}/webhooks"
    hook = ok(team.owner.post(hooks, {"webhook_url": receiver.url, "webhook_version": version, "secret": "s3cret"}))
    assert hook["webhook_version"] == version
    who = team.people["member"].name
    story = team.make_story(name="Sent", owner_ids=[team.people["member"].id])["id"]
    team.make_epic()
    ok(team.member.post(f"{team.path}/stories/{story}/comments", {"text": "<b> & \x01"}))
    assert wait_for(lambda: len(receiver.got) == 2)
    made, said = (ElementTree.fromstring(body) for _, body in receiver.got)
    headers = receiver.got[0][0]
    assert headers["Content-Type"] == "application/xml" and headers["webhook-signature"].startswith("v1,")
    assert (made.tag, made.findtext("event_type"), said.findtext("event_type")) == (
        "activity", "story_create", f"{word}_create")
    assert made.findtext("description") == f'{who} added "Sent"'
    assert made.findtext("stories/story/url") == f"{team.stack.url}/services/{version}{team.path}/stories/{story}"
    owner = made.find("stories/story/owned_by")
    assert (owner.text if version == "v3" else owner.findtext("person/name")) == who
    assert said.findtext(f"stories/story/{word}s/{word}/text") == "<b> & �"
    assert wait_for(lambda: all(d["delivered"] or d["given_up"] for d in deliveries(team.stack, f"x/{hook['id']}")))
    assert [(d["delivered"], d["error"]) for d in deliveries(team.stack, f"x/{hook['id']}")] == [
        (True, None), (False, "the activity does not exist in its version of the API"), (True, None)]
    assert ok(team.owner.get(f"{hooks}/{hook['id']}"))["enabled"]
    team.owner.delete(f"{hooks}/{hook['id']}")


def test_without_the_setting(stack, api, person):
    boss = api(person("Boss"))
    project = ok(boss.post("/projects", {"name": "Without", "new_account_name": "Without old"}))["id"]
    answer = boss.post(f"/projects/{project}/webhooks", {
        "webhook_url": "https://hooks.example.test/", "webhook_version": "v3"})
    assert answer.status_code == 400
    assert answer.json()["general_problem"] == "'webhook_version' must be one of: v5"
    for version in ("v6", "V5", "", 5, None, ["v5"]):
        answer = boss.post(f"/projects/{project}/webhooks", {
            "webhook_url": "https://hooks.example.test/", "webhook_version": version})
        assert answer.status_code == 400, version
        assert answer.json()["general_problem"] == "'webhook_version' must be one of: v5"
    hook = ok(boss.post(f"/projects/{project}/webhooks", {
        "webhook_url": "https://hooks.example.test/", "webhook_version": "v5"}))["id"]
    assert boss.put(f"/projects/{project}/webhooks/{hook}", {"webhook_version": "v4"}).status_code == 400
