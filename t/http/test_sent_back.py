"""A client may read an object, change one field, and PUT all of it back (contract 1.13)."""

import pytest

import tables
from team import team  # noqa: F401 (a fixture)
from test_bodies import WRITES, client_of, good, refused, send
from test_matrix import MINE
from test_story_put_parts import ALL, LISTS, full, item, version
from world import fill, ok, unique

READ = {r.path for r in tables.ROUTES if r.method == "GET"}
BOTH = [r for r in tables.ROUTES if r.method == "PUT" and r.path.split("/")[-1][0] == ":" and r.path in READ
        and r.key not in MINE]


@pytest.mark.parametrize("route", BOTH, ids=tables.names(BOTH))
def test_what_was_read(world, route):
    client, path = client_of(world, route), fill(route.path, world.own.ids(route.path))
    read = ok(client.get(path))
    written = {f.name for f in route.body.writable("update")} & set(read)
    answer = client.put(path, read)
    if written:
        assert ok(answer) == read and "X-Service-Project-Changed" not in answer.headers
    # Nothing is left of what can only be read.
    only_read = {key: value for key, value in read.items() if key not in written}
    assert "requires" in refused(client.put(path, only_read))["general_problem"]
    # With the id of another object, or without one, or with another key it is not what was read.
    assert "cannot accept" in refused(client.put(path, {**read, "id": read["id"] + 1}))["general_problem"]
    refused(client.put(path, {**read, "no_such_key": 1}), "this endpoint cannot accept the parameter: no_such_key")
    for key in set(only_read) - {"id", "project_id", "story_id", "epic_id"}:
        refused(client.put(path, {key: read[key]}), f"this endpoint cannot accept the parameter: {key}")


# They answer something else than what they create, or create nothing.
OTHER = {"/source_commits", "/my/people", "/stories/export", "/aggregator"}
MADE = [r for r in WRITES if r.method == "POST" and r.resource and r.path not in OTHER
        and any(f.type == "kind" and "default" in f.flags for f in r.resource.fields)]


@pytest.mark.parametrize("route", MADE, ids=tables.names(MADE))
def test_kind_of_what_is_created(world, route):
    kind = route.resource.kind
    assert ok(send(world, route, {"kind": kind, **unlike(good(world, route))}))["kind"] == kind


def unlike(body):
    """With another name than what exists by now."""
    return {**body, "name": unique("kind")} if "name" in body else body


def test_kind_of_a_workspace(world):
    body = {"kind": "workspace", "name": "Kind", "project_ids": [world.own.project]}
    made = ok(world.member.post("/my/workspaces", body))
    assert made == {**body, "id": made["id"], "person_id": made["person_id"]}


def test_what_is_added_to_a_story(team):
    """A label or person as it was read, which the list of a story's labels takes, too."""
    story = team.make_story()
    path = f"{team.path}/stories/{story['id']}"
    label = ok(team.member.post(f"{team.path}/labels", {"kind": "label", "name": "read"}))
    assert ok(team.member.post(f"{path}/labels", label)) == label
    assert ok(team.member.post(f"{path}/labels", {"kind": "label", "name": "new"}))["name"] == "new"
    person = next(m["person"] for m in ok(team.member.get(f"{team.path}/memberships"))
                  if m["person"]["id"] == team.people["other"].id)
    for parts in "owners", "followers":
        assert ok(team.member.post(f"{path}/{parts}", person)) == person
        refused(team.member.post(f"{path}/{parts}", {**person, "age": 1}), "this endpoint cannot accept the parameter: age")
    refused(team.member.post(f"{path}/labels", {**label, "project_id": team.id + 1}),
            "project_id must be the project of the path.")
    # Without an id, nothing says that it was read; and a new label has none.
    for key in "created_at", "updated_at":
        refused(team.member.post(f"{path}/labels", {"name": "x", key: label[key]}),
                f"this endpoint cannot accept the parameter: {key}")
    refused(team.member.post(f"{team.path}/labels", {**label, "name": "copy"}),
            "this endpoint cannot accept the parameter: id")


def test_me(team):
    client = team.other
    read = ok(client.get("/me?fields=:default,personal_settings"))
    assert ok(client.put("/me?fields=:default,personal_settings", read)) == read
    assert ok(client.put("/me", {**read, "initials": "ME"}))["initials"] == "ME"
    # Anything else about the address still requires the password.
    for email in read["email"].upper(), "x" + read["email"]:
        problem = refused(client.put("/me", {**read, "email": email}))
        assert [p["field"] for p in problem["validation_errors"]] == ["password"]
    refused(client.put("/me", {**read, "id": read["id"] + 1}), "this endpoint cannot accept the parameter: id")
    del read["id"]
    refused(client.put("/me", read), "this endpoint cannot accept the parameter: kind")
    assert "requires at least one" in refused(client.put("/me", {"id": 1}))["general_problem"]


def test_what_is_the_callers_own(world):
    made = ok(world.member.post("/my/workspaces", {"name": "Both", "project_ids": [world.own.project]}))
    path = f"/my/workspaces/{made['id']}"
    assert ok(world.member.put(path, {**made, "project_ids": []})) == {**made, "project_ids": []}
    refused(world.member.put(path, {"name": "Both"}), "this endpoint cannot accept the parameter: name")


def test_an_iteration_override(world):
    path = f"/projects/{world.own.project}/iteration_overrides/1"
    made = ok(world.member.put(path, {"team_strength": 0.5}))
    assert ok(world.member.put(path, {**made, "team_strength": 2})) == {**made, "team_strength": 2}
    for other in {**made, "number": 2}, {key: made[key] for key in ("number", "kind")}, {"kind": made["kind"], "length": 1}:
        refused(world.member.put(path, other))
    ok(world.member.put(path, {**made, "team_strength": 1}))


@pytest.mark.parametrize("change", [
    {"name": "Another"}, {"current_state": "unstarted"}, {"story_type": "chore"}, {"labels": []}, {"owner_ids": []}])
def test_a_story_with_one_change(team, change):
    story = team.make_story(estimate=2, current_state="accepted", labels=["a", "b c"], description="Why",
                            owner_ids=[team.people["other"].id], story_priority="p1", external_id="7")
    before = ok(team.member.get(f"/stories/{story['id']}"))
    after = ok(team.member.put(f"/stories/{story['id']}", {**before, **change}))
    gone = {"current_state": {"accepted_at"}, "story_type": {"estimate"}, "owner_ids": {"owned_by_id"}}
    differs = {key for key in before | after if before.get(key) != after.get(key)} - {"updated_at"}
    (key, value), = change.items()
    assert after[key] == value and differs == {key} | gone.get(key, set())


def test_lists_of_a_story(team):
    path, fields = full(team), f"?fields=:default,{ALL}"
    before, versions = ok(team.member.get(path + fields)), version(team)
    assert ok(team.member.put(path + fields, before)) == before and version(team) == versions
    for name in LISTS:
        _, key, value = LISTS[name]
        sent = {**before, name: [{**before[name][0], key: value}, item(team, name)]}
        before = ok(team.member.put(path + fields, sent))
        assert len(before[name]) == 2 and before[name][0][key] == value


@pytest.mark.parametrize("name", LISTS)
def test_items_of_a_story(team, name):
    path = full(team)
    thing = ok(team.member.get(f"{path}?fields={name}"))[name][0]
    problem = refused(team.member.put(path, {name: [{**thing, "story_id": thing["story_id"] + 1}]}))
    assert problem["validation_errors"] == [{"field": "story_id", "problem": "story_id must be the story of the path."}]
    new = {key: value for key, value in thing.items() if key != "id"}
    assert "cannot accept the parameter" in refused(team.member.put(path, {name: [new]}))["general_problem"]
    assert "cannot accept the parameter" in refused(
        team.member.post(f"{team.path}/stories", {"name": "x", name: [thing]}))["general_problem"]


def test_lists_that_no_write_has_are_still_refused(team):
    path = full(team)
    for name in "task_ids", "owners", "transitions", "followers":
        read = ok(team.member.get(f"{path}?fields=:default,{name}"))
        refused(team.member.put(path, read), f"this endpoint cannot accept the parameter: {name}")


def test_a_story_for_another_project(team):
    there = ok(team.owner.post("/projects", {"name": "There"}))["id"]
    kept = ok(team.owner.post(f"/projects/{there}/labels", {"name": "kept"}))["id"]
    path, fields = full(team), f"?fields=:default,{ALL}"
    ok(team.owner.put(path, {"labels": ["gone", "here", "kept"], "owner_ids": [team.people["other"].id]}))
    before = ok(team.owner.get(path + fields))
    gone = before["labels"].pop(0)
    names = [label["name"] for label in before["labels"]]
    assert (gone["name"], names) == ("gone", ["here", "kept"])
    after = ok(team.owner.put(path + fields, {**before, "project_id": there}))
    assert [label["name"] for label in after["labels"]] == names and after["labels"][1]["id"] == kept
    assert after["project_id"] == there and after["owner_ids"] == []
    for name in LISTS:
        assert [part["id"] for part in after[name]] == [part["id"] for part in before[name]]
    # Back with what it had there, and with a label that it did not have.
    foreign = ok(team.owner.post(f"/projects/{there}/labels", {"name": "foreign"}))
    refused(team.owner.put(path, {"project_id": team.id, "labels": [*after["labels"], foreign]}),
            f"Label with id={foreign['id']} does not exist within this project")
    back = ok(team.owner.put(path, {"project_id": team.id, "labels": [*after["labels"], "new"]}))
    assert [label["name"] for label in back["labels"]] == ["here", "kept", "new"]
    assert {label["project_id"] for label in back["labels"]} == {team.id}
