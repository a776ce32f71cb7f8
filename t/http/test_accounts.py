"""Accounts and their people (contract 1.4, 2.4)."""

import pytest

from test_bodies import refused
from world import Place, ok, unique

KEYS = ["kind", "id", "account_id", "person", "owner", "admin", "project_creator", "created_at",
        "updated_at"]


@pytest.fixture(scope="module")
def place(world):
    return Place(world.admin)


def members(place):
    return f"/accounts/{place.account}/memberships"


def add(place, **body):
    return place.client.post(members(place), body)


def newcomer():
    name = unique("n").replace(" ", "")
    return {"email": f"{name}@accounts.example.test", "name": name}


def test_accounts(place, world):
    listed = ok(place.client.get("/accounts"))
    mine = next(a for a in listed if a["id"] == place.account)
    assert list(mine) == ["kind", "id", "name", "plan", "status", "created_at", "updated_at"]
    assert (mine["kind"], mine["status"]) == ("account", "active")
    assert ok(place.client.get(f"/accounts/{place.account}")) == mine
    assert place.account not in [a["id"] for a in ok(world.stranger.get("/accounts"))]


def test_what_accounts_count(world):
    place = Place(world.admin)
    ok(place.client.post("/projects", {"name": "p", "account_id": place.account, "public": True}))
    found = ok(place.client.get(f"/accounts/{place.account}?fields=number_of_projects,"
                                "number_of_private_projects,owner_id,admin_ids,over_the_limit,permissions"))
    me = world.people["admin"].id
    assert (found["number_of_projects"], found["number_of_private_projects"]) == (2, 1)
    assert found["owner_id"] == me and found["admin_ids"] == [me]
    assert found["permissions"] == ["administration", "project_creation"]


@pytest.fixture(scope="module")
def roles(place, world):
    """viewer is a plain member of the account, member may create projects, owner is an admin."""
    for role, body in (("viewer", {}), ("member", {"project_creator": True}), ("owner", {"admin": True})):
        ok(add(place, person_id=world.people[role].id, **body))


@pytest.mark.parametrize("permission, want", [
    ("none", {"viewer", "member", "owner", "admin"}),
    ("project_creation", {"member", "admin"}),
    ("administration", {"owner", "admin"}),
])
def test_with_permission(place, world, roles, permission, want):
    for role in ("stranger", "viewer", "member", "owner", "admin"):
        found = ok(world.clients[role].get(f"/account_summaries?with_permission={permission}"))
        assert (place.account in [a["id"] for a in found]) == (role in want), role


def test_summaries(place):
    mine = next(a for a in ok(place.client.get("/account_summaries")) if a["id"] == place.account)
    assert list(mine) == ["kind", "id", "name", "status", "plan"]
    assert mine["kind"] == "account_summary"
    refused(place.client.get("/account_summaries?with_permission=x"))


def test_the_maker_owns_the_account(world):
    place = Place(world.admin)
    only, = ok(place.client.get(members(place)))
    assert list(only) == KEYS
    assert (only["kind"], only["owner"], only["admin"], only["project_creator"]) == (
        "account_membership", True, True, True)
    assert only["id"] == only["person"]["id"] == world.people["admin"].id


def test_add_somebody_new(place):
    body = newcomer()
    made = ok(add(place, **body, initials="NN", project_creator=True, created_at="2024-01-02T00:00:00Z",
                  timekeeper=True, time_enterer=False))
    assert list(made) == KEYS
    assert (made["owner"], made["admin"], made["project_creator"]) == (False, False, True)
    assert made["created_at"] == "2024-01-02T00:00:00Z"
    assert {k: made["person"][k] for k in ("name", "email", "initials")} == {**body, "initials": "NN"}
    assert ok(place.client.get(f"{members(place)}/{made['id']}")) == made


def test_add_somebody_known(world):
    place = Place(world.admin)
    for body in ({"person_id": world.people["member"].id}, {"email": world.people["owner"].email}):
        ok(add(place, **body))
        refused(add(place, **body), "Member already exists.")


@pytest.mark.parametrize("body, sentence", [
    ({}, "this endpoint requires at least one of the following parameters: admin, created_at, email,"
         " initials, name, person_id, project_creator, time_enterer, timekeeper"),
    ({"admin": True}, "Email can't be blank., Name can't be blank"),
    ({"name": "x"}, "Email can't be blank."),
    ({"person_id": 1, "name": "x"},
     "Do not send person_id with email, initials, or name in the same request."),
])
def test_add_nobody(place, body, sentence):
    refused(add(place, **body), sentence)


def test_add_an_address_that_is_none(place):
    error = add(place, email="x", name="x").json()
    assert list(error) == ["code", "kind", "error", "general_problem", "requirement"]
    assert error["code"] == "invalid_parameter"
    assert error["error"] == "One or more consistency checks failed on the supplied Person."
    assert error["general_problem"] == error["error"]
    assert error["requirement"] == "x is not a valid email address."


def test_add_an_unknown_person(place):
    answer = add(place, person_id=2147483647)
    assert answer.status_code == 404
    assert answer.json()["general_problem"] == "Couldn't find Person with 'id'=2147483647"
    for person_id in (3143922226, -2147483649):
        refused(add(place, person_id=person_id),
                "Couldn't find Person with an out of range value for 'id'")


def test_change_and_remove(place):
    made = ok(add(place, **newcomer()))
    path = f"{members(place)}/{made['id']}"
    changed = ok(place.client.put(path, {"admin": True}))
    assert (changed["admin"], changed["project_creator"]) == (True, False)
    assert ok(place.client.put(path, {"project_creator": True}))["admin"] is True
    refused(place.client.put(path, {"owner": True}),
            "this endpoint cannot accept the parameter: owner")
    ok(place.client.delete(path), 204)
    assert place.client.get(path).status_code == 404


def test_the_owner_stays(world):
    place = Place(world.admin)
    refused(place.client.delete(f"{members(place)}/{world.people['admin'].id}"))


def test_who_leaves_the_account_leaves_its_projects(world, sql):
    place = Place(world.admin)
    person = world.people["viewer"].id
    ok(place.client.post(f"/projects/{place.project}/memberships", {"person_id": person}))
    before = ok(place.client.get(f"/projects/{place.project}?fields=version"))["version"]
    ok(place.client.delete(f"{members(place)}/{person}"), 204)
    assert world.viewer.get(f"/projects/{place.project}").status_code == 403
    assert ok(place.client.get(f"/projects/{place.project}?fields=version"))["version"] == before + 1
    assert sql("select kind from activity where project_id = %s and version = %s", place.project,
               before + 1) == [("project_membership_delete_activity",)]


def test_the_last_owner_of_a_project_cannot_leave_its_account(world):
    place = Place(world.admin)
    other = ok(world.admin.post(f"/projects/{place.project}/memberships",
                                {"person_id": world.people["viewer"].id, "role": "owner"}))
    mine = next(m["id"] for m in ok(world.admin.get(f"/projects/{place.project}/memberships"))
                if m["id"] != other["id"])
    ok(world.admin.delete(f"/projects/{place.project}/memberships/{mine}"), 204)
    refused(world.admin.delete(f"{members(place)}/{world.people['viewer'].id}"))
    assert ok(world.viewer.get(f"/projects/{place.project}"))["id"] == place.project
