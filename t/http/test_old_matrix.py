"""Who may do what in v3 and v4: every row of the table of old paths, with every role. Each stands for an endpoint of
version 5, whose `need` decides."""

import itertools

import pytest

import tables
from client import Client
from conftest import Person
from retired import Old, old_stack  # noqa: F401
from world import UNKNOWN, World, ok

ROLES = ["nobody", "bad", "stranger", "viewer", "member", "owner", "admin"]
ANYBODY = {"stranger", "viewer", "member", "owner", "admin"}
NEEDS = {"person": ANYBODY, "viewer": {"viewer", "member", "owner"}, "member": {"member", "owner"},
         "steward": {"owner", "admin"}, "partner": {"owner", "admin"}}  # memberships that continue
WORDS = {"story": "story[name]=x", "note": "note[text]=x", "comment": "comment[text]=x",
         "task": "task[description]=x", "project": "project[name]={}&project[no_owner]=true",
         "source_commit": "source_commit[message]=x&source_commit[commit_id]=1",
         "membership": "membership[role]=Member&membership[person][name]=New&membership[person][email]={}"}
counter = itertools.count(1)

OLD_PATHS = [(version, row) for row in tables.OLD_PATHS for bit, version in ((1, "v3"), (2, "v4"))
             if not row.get("versions") or row["versions"] & bit]
each_row = pytest.mark.parametrize("version, row", OLD_PATHS, ids=[
    f"{v} {r['method']} {r['path']}" for v, r in OLD_PATHS])


@pytest.fixture(scope="module")
def old_world(old_stack):
    return World(lambda who=None, **more: Client(old_stack, getattr(who, "token", who), **more),
                 lambda name="Somebody", **more: Person(old_stack, name, **more))


def need_of(row):
    return next(r.need for r in tables.ROUTES if r.key == (row["v5_method"], row["v5_path"]))


def fill_in(place, row):
    """Fills in the path; a part of a story is always a new one."""
    path = row["path"].replace(":project", str(place.project)).replace(":story", str(place.story))
    if ":id" not in path:
        return path
    return path.replace(":id", str(place.new(row["v5_path"])))


def ask(world, old_stack, role, version, row, path):
    client = Old(old_stack, world.clients[role].token, version)
    files = {"Filedata": ("x", b"x")} if path.endswith("/attachments") else None
    body = WORDS.get(row.get("body"), "").replace("{}", f"m{next(counter)}@example.test")
    if path.endswith("/moves"):
        body = f"move[move]=after&move[target]={world.target}"
    return client.request(row["method"], path, files=files, data=None if files else body or None)


@each_row
def test_roles(old_world, old_stack, version, row):
    world, need = old_world, need_of(row)
    if not hasattr(world, "target"):
        world.target = ok(world.owner.post(f"/projects/{world.own.project}/stories", {"name": "target"}))["id"]
    for role in ROLES:
        deletes_story = row["method"] == "DELETE" and row["path"].endswith(":story")
        path = fill_in(world.own, row)
        if deletes_story:
            made = ok(world.owner.post(f"/projects/{world.own.project}/stories", {"name": "to go"}))["id"]
            path = f"/projects/{world.own.project}/stories/{made}"
        answer = ask(world, old_stack, role, version, row, path)
        want = 200 if role in NEEDS[need] else 401 if role in ("nobody", "bad") else 403
        if role in ANYBODY and row["path"] == "/projects" and row["method"] == "POST":
            assert answer.status_code in (200, 403)  # it depends on whether an account lets them create one
            continue
        if row["path"] == "/tokens/active" and row["method"] == "POST":
            want = 200 if role in ANYBODY else 401
        assert answer.status_code == want, f"{role}: {answer.text}"


@each_row
def test_another_project_is_closed(old_world, old_stack, version, row):
    if ":project" not in row["path"]:
        return
    path = fill_in(old_world.foreign, row)
    for role in ROLES:
        answer = ask(old_world, old_stack, role, version, row, path)
        assert answer.status_code == (401 if role in ("nobody", "bad") else 403), f"{role}: {answer.text}"


@each_row
def test_nothing_there(old_world, old_stack, version, row):
    if ":" not in row["path"]:
        return
    path = row["path"]
    for part in (":project", ":story", ":id"):
        path = path.replace(part, str(UNKNOWN))
    assert ask(old_world, old_stack, "owner", version, row, path).status_code == 404
