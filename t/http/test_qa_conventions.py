"""Answers to requests that fail: before their route is known, for want of rights, for their parameters."""

import pytest

from test_bodies import refused
from world import new_story, ok


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


@pytest.mark.parametrize("query", [
    "limit=1&limit=2", "fields=id&fields=name", "envelope=false&envelope=true", "date_format=millis&date_format=iso8601",
    "with_state=started&limit=2&limit=3", "with_label=a&with_label=b"])
def test_a_parameter_has_one_value(world, query):
    answer = world.owner.get(f"/projects/{world.own.project}/stories?{query}")
    name = query.split("&")[-1].split("=")[0]
    refused(answer, f"'{name}' is given twice, with different values")


def test_the_same_value_may_be_given_twice(world):
    path = f"/projects/{world.own.project}/stories?limit=1"
    assert ok(world.owner.get(f"{path}&limit=1")) == ok(world.owner.get(path))


def test_a_list_may_be_given_one_by_one(world):
    stories = [new_story(world.own, world.owner) for _ in range(3)]
    bulk = f"/projects/{world.own.project}/stories/bulk?fields=id"
    for query in (f"ids={stories[0]}&ids={stories[2]}", f"ids[]={stories[0]}&ids[]={stories[2]}",
                  f"ids={stories[0]}&ids%5B%5D={stories[2]}", f"ids={stories[0]},{stories[2]}"):
        assert {s["id"] for s in ok(world.owner.get(f"{bulk}&{query}"))} == {stories[0], stories[2]}, query
    mine = world.own.account
    for query in (f"account_ids=1&account_ids={mine}", f"account_ids[]={mine}&account_ids[]=1"):
        assert world.own.project in [p["id"] for p in ok(world.owner.get(f"/projects?{query}"))]
    both = f"/projects/{world.own.project}/stories?with_state=unscheduled&with_state=accepted"
    assert stories[0] in [s["id"] for s in ok(world.owner.get(both))]
    refused(world.owner.get(f"{bulk}&ids={stories[0]}&ids[]=x"))
    refused(world.owner.get(f"/projects/{world.own.project}/stories?limit[]=1"),
            "this endpoint cannot accept the parameter: limit[]")


def test_a_nested_field_that_is_unknown_is_named_with_its_place(world):
    for path, fields, named in [("/me", "nope", "nope"), ("/me", "projects(nope)", "projects(nope)"),
                                ("/me", "projects(project(account(nope)))", "projects(project(account(nope)))"),
                                ("/account_summaries", "name(id)", "name(…)")]:
        problem = world.owner.get(f"{path}?fields={fields}").json()["general_problem"]
        assert problem == f"'fields' names a field that does not exist: {named}"
