"""Named tokens that reach an account: its owner sees them, and ends them for this account."""

import pytest

from conftest import Client, Person, Stack, stack_folder
from test_ctl import fails
from test_tokens import days, make, unknown
from world import new_project, ok


@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("account-tokens"), workers=2)
    yield made
    made.close()


def somebody(server, name):
    person = Person(server, name)
    person.client = Client(server, person.token)
    return person


@pytest.fixture
def place(server):
    """An account of Olga's with two projects; Ada is in one, and has one of her own."""
    olga, ada = somebody(server, "Olga Owns"), somebody(server, "Ada Works")
    first = new_project(olga.client)
    olga.account, olga.project = first["account_id"], first["id"]
    olga.second = ok(olga.client.post("/projects", {"name": "Second", "account_id": olga.account}))["id"]
    ok(olga.client.post(f"/projects/{olga.project}/memberships", {"person_id": ada.id, "role": "member"}))
    ada.own = new_project(ada.client)["id"]
    olga.path, olga.ada = f"/accounts/{olga.account}/tokens", ada
    return olga


def test_what_the_owner_sees(place, server):
    ada = place.ada
    every, some, elsewhere = (make(ada, "read", name="All"),
                              make(ada, project_ids=[ada.own, place.project], expires_at=days(2)),
                              make(ada, project_ids=[ada.own], name="Own"))
    ended = make(ada)
    server.sql("update token set expires_at = now() where id = %s", ended["id"])
    answer = place.client.get(place.path)
    seen = ok(answer)
    assert [t["id"] for t in seen] == [every["id"], some["id"]]
    assert answer.headers["X-Service-Pagination-Total"] == "2"
    assert seen[0]["person"] == {**seen[0]["person"], "id": ada.id, "name": "Ada Works"}
    assert (seen[0]["name"], seen[0]["scope"]) == ("All", "read") and "project_ids" not in seen[0]
    assert seen[1]["project_ids"] == [place.project] and seen[1]["expires_at"] == some["expires_at"]
    for made in (every, some, elsewhere):
        assert made["token"] not in answer.text
    assert str(ada.own) not in answer.text, "what Ada has elsewhere is hers"
    ok(some["client"].get(f"/projects/{place.project}"))
    assert "last_used_at" in ok(place.client.get(place.path))[1]


def test_a_token_that_reaches_a_project_by_administering_the_account(place):
    """Its person need not be a member of the project."""
    ada = place.ada
    membership = next(m["id"] for m in ok(place.client.get(f"/accounts/{place.account}/memberships"))
                      if m["person"]["id"] == ada.id)
    ok(place.client.put(f"/accounts/{place.account}/memberships/{membership}", {"admin": True}))
    path = f"/projects/{place.second}/memberships"
    joined = ok(place.client.post(path, {"person_id": ada.id, "role": "member"}))["id"]
    made = make(ada, project_ids=[place.second])
    ok(place.client.delete(f"{path}/{joined}"), 204)
    seen = ok(place.client.get(place.path))
    assert [(t["id"], t["project_ids"]) for t in seen] == [(made["id"], [place.second])]
    ok(place.client.delete(f"{place.path}/{made['id']}"), 204)
    unknown(made["client"].get("/me"))


def test_the_projects_nest_as_far_as_the_owner_sees_them(place):
    make(place.ada)
    made = make(place.ada, project_ids=[place.project, place.ada.own])
    name = {"id": place.project, "name": ok(place.client.get(f"/projects/{place.project}"))["name"]}
    assert [t.get("projects") for t in ok(place.client.get(f"{place.path}?fields=projects(name)"))] == [None, [name]]
    seen = {t["id"]: t.get("projects") for t in ok(place.ada.client.get("/my/tokens?fields=projects(name)"))}
    assert seen[made["id"]][0] == name and len(seen[made["id"]]) == 2
    mine = next(m for m in ok(place.client.get(f"/projects/{place.project}/memberships"))
                if m["person"]["id"] == place.id)
    ok(place.ada.client.get(f"/projects/{place.project}"))
    ok(place.client.post(f"/projects/{place.project}/memberships", {
        "email": "other-owner@example.test", "name": "Other", "role": "owner"}))
    ok(place.client.delete(f"/projects/{place.project}/memberships/{mine['id']}"), 204)
    left = ok(place.client.get(f"{place.path}?fields=project_ids,projects"))
    assert left[1] == {"id": made["id"], "project_ids": [place.project], "projects": []}, left


def test_ended_for_the_account(place):
    ada = place.ada
    every, some, only = make(ada), make(ada, project_ids=[place.project, ada.own]), make(ada, project_ids=[place.project])
    for made in (every, some, only):
        ok(place.client.delete(f"{place.path}/{made['id']}"), 204)
        assert place.client.delete(f"{place.path}/{made['id']}").status_code == 404
    assert ok(place.client.get(place.path)) == []
    for made in (every, some):
        assert made["client"].get(f"/projects/{place.project}").status_code == 403
        assert [p["id"] for p in ok(made["client"].get("/projects"))] == [ada.own]
    unknown(only["client"].get("/me"))
    left = {t["id"]: t for t in ok(ada.client.get("/my/tokens?fields=:default,not_account_ids,not_accounts(name)"))}
    assert left.keys() == {every["id"], some["id"]}
    assert left[some["id"]]["project_ids"] == [ada.own] and "not_account_ids" not in left[some["id"]]
    assert "project_ids" not in left[every["id"]] and left[every["id"]]["not_account_ids"] == [place.account]
    assert [a["id"] for a in left[every["id"]]["not_accounts"]] == [place.account]
    # Elsewhere it still reaches all projects, future ones included.
    later = ok(every["client"].post("/projects", {"name": "Later", "new_account_name": "Hers"}))
    assert [p["id"] for p in ok(every["client"].get("/projects"))] == [ada.own, later["id"]]
    assert later["account_id"] in [a["id"] for a in ok(every["client"].get("/accounts"))]
    ok(every["client"].get(f"/accounts/{later['account_id']}/memberships"))
    assert every["client"].post("/projects", {"name": "x", "account_id": place.account}).status_code == 403
    # It does not reach what she joins there later.
    ok(place.client.post(f"/projects/{place.second}/memberships", {"person_id": ada.id, "role": "member"}))
    assert every["client"].get(f"/projects/{place.second}").status_code == 403
    assert ok(ada.client.get(f"/projects/{place.second}"))["id"] == place.second


def test_not_those_of_other_accounts(place):
    mine = make(place.ada, project_ids=[place.ada.own])
    assert place.client.delete(f"{place.path}/{mine['id']}").status_code == 404
    theirs = make(place)
    account = ok(place.ada.client.get(f"/projects/{place.ada.own}?fields=account_id"))["account_id"]
    assert place.ada.client.delete(f"/accounts/{account}/tokens/{theirs['id']}").status_code == 404
    assert place.ada.client.get(place.path).status_code == 403
    ok(theirs["client"].get("/me"))


def test_the_operator_lists_and_ends_them(place, server):
    ada = place.ada
    one, two = make(ada, "read", name="Tab\there", project_ids=[ada.own]), make(ada)
    lines = [line.split("\t") for line in server.ctl("token", "list", ada.username).stdout.splitlines()]
    assert [line[:3] for line in lines] == [[str(one["id"]), "read", str(ada.own)], [str(two["id"]), "write", "all"]]
    ok(place.client.delete(f"{place.path}/{two['id']}"), 204)
    assert f"\tall but of account {place.account}\t" in server.ctl("token", "list", ada.username).stdout
    assert lines[0][3] == one["created_at"] and lines[0][4:6] == ["-", "-"]
    assert not any(made["token"] in str(lines) for made in (one, two))
    server.ctl("token", "revoke", ada.username, "--token", str(one["id"]))
    unknown(one["client"].get("/me"))
    ok(two["client"].get("/me"))
    assert "has no token" in fails(server, "token", "revoke", ada.username, "--token", str(one["id"]))
    server.ctl("token", "revoke", ada.username)
    unknown(two["client"].get("/me"))
    unknown(ada.client.get("/me"))
    assert server.ctl("token", "list", ada.username).stdout == ""
