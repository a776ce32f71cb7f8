"""Answers to requests that fail: before their route is known, for want of rights."""

import pytest


@pytest.mark.parametrize("method, path, status", [
    ("GET", "/nowhere", 404), ("DELETE", "/me", 405), ("GET", "/projects/abc", 404),
    ("GET", "/projects/0/stories", 404)])
def test_an_early_error_is_wrapped_too(world, method, path, status):
    answer = world.owner.request(method, path + "?envelope=true")
    assert answer.status_code == status
    assert set(answer.json()) == {"data", "http_status"}
    assert answer.json()["http_status"] == str(status)
    assert answer.json()["data"]["kind"] == "error"


DENIED = "You aren't authorized to access the requested resource."
UNSENT = "No API token was sent: send it in the header X-ServiceToken or X-TrackerToken, or as Authorization: Bearer."


@pytest.mark.parametrize("method, path, body", [
    ("GET", "?unknown=1", None), ("GET", "?fields=unknown", None), ("GET", "/stories?limit=x", None),
    ("GET", "/my/searches?unknown=1", None), ("PUT", "", {"unknown": 1}), ("DELETE", "?unknown=1", None),
    ("POST", "/stories", {"name": 1}), ("PUT", "/memberships/1", {"role": "king"}), ("POST", "/webhooks", {})])
def test_who_may_not_ask_is_not_told_what_was_wrong_with_the_request(world, method, path, body):
    path = f"/projects/{world.own.project}{path}"
    for client, code, problem in [(world.stranger, "unauthorized_operation", DENIED),
                                  (world.nobody, "unauthorized_operation", UNSENT),
                                  (world.bad, "invalid_authentication", None)]:
        error = client.request(method, path, json=body).json()
        assert (error["code"], error.get("general_problem")) == (code, problem), client.token


def test_what_is_nowhere_has_no_wrong_parameters(world):
    want = world.owner.get("/projects/999999")
    assert want.status_code == 404 and "general_problem" not in want.json()
    assert world.owner.get("/projects/999999?unknown=1").json() == want.json()
    assert world.owner.put("/projects/999999", {"unknown": 1}).json() == want.json()
    account = f"/accounts/{world.own.account}/memberships"
    answer = world.member.post(account, {"unknown": 1})
    assert (answer.status_code, answer.json()["general_problem"]) == (403, DENIED)
