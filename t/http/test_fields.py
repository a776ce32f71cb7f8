"""`fields` on every route that returns something; the answers are checked against the tables."""

import re

import pytest

import tables
from conftest import Client
from test_matrix import EXPECTED, MINE
from world import fill, ok

# Routes about the caller's own things have tests of their own.
READS = [r for r in tables.ROUTES if r.method == "GET" and r.resource and r.key not in MINE]
each_read = pytest.mark.parametrize("route", READS, ids=tables.names(READS))
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
ARRAYS = ("ids", "strings", "some", "many", "many_ids")

# Kinds whose fields the fixture `full` fills, and the scalars that no answer contains.
NEVER = {
    "me": set(), "person": set(), "known_person": set(), "account_membership": set(),
    "project": set(), "label": set(), "story": set(), "task": set(),
    "account": {"days_left", "project_limit"},
    "account_summary": {"days_left", "project_limit"},
    "membership_summary": set(),
    "project_membership": set(),
    "token": {"token"}, "account_token": set(),
}
# No single story has all fields, nor do a release's few stories; the list of all has a value for each field.
ONE_STORY = {("GET", "/projects/:project/stories/:story"), ("GET", "/stories/:story"),
             ("GET", "/projects/:project/stories/bulk"),
             ("GET", "/projects/:project/releases/:id/stories")}


@pytest.fixture(scope="module")
def full(world, sql):
    """The project `own` with a value in every field."""
    place, client = world.own, world.owner
    person = world.people["viewer"].id
    path = f"/projects/{place.project}/stories"
    ok(client.put(f"/projects/{place.project}", {
        "description": "ü", "profile_content": "ü", "start_date": "2024-01-01",
        "status": "x", "join_as": "member"}))
    story = next(r.body for r in tables.ROUTES if r.key == ("PUT", "/projects/:project/stories/:story"))
    ok(client.put(f"{path}/{place.story}", {
        **story.texts("update"), "estimate": 2, "current_state": "accepted", "story_priority": "p1",
        "owner_ids": [person], "follower_ids": [person], "labels": ["ü", "a"],
        "integration_id": place.example("/projects/:project/integrations/:integration")}))
    ok(client.post(path, {"name": "due", "story_type": "release", "current_state": "unstarted",
                          "deadline": "2031-01-01T00:00:00Z"}))
    ok(client.post(path, {"name": "last"}))
    for where in ("tasks/:id", "owners/:id", "labels/:id"):
        place.example(f"/projects/:project/stories/:story/{where}")
    place.example("/projects/:project/memberships/:id")
    sql("update planwright.project_membership set last_viewed_at = now() where project_id = %s",
        place.project)
    for table in ("story", "comment"):
        sql(f"update planwright.{table} set imported_at = now(), imported_by_id = %s where id = %s",
            person, place.story if table == "story"
            else place.example("/projects/:project/stories/:story/comments/:id"))
    ok(world.admin.put(f"/accounts/{place.account}/memberships/{person}", {"admin": True}))
    ok(world.admin.put(f"/accounts/{place.account}", {"second_factor": "optional"}))
    used_tokens(world, place)
    yield place
    ok(client.put(f"{path}/{place.story}", {"current_state": "unscheduled"}))
    ok(world.admin.put(f"/accounts/{place.account}/memberships/{person}", {"admin": False}))
    ok(world.admin.put(f"/accounts/{place.account}", {"second_factor": None}))


def used_tokens(world, place):
    """Tokens for all projects, for some with an expiry, and one that the account ended for itself; the owner is in
    the account and has used them."""
    person = world.people["owner"].id
    if not any(m["person"]["id"] == person for m in ok(world.admin.get(f"/accounts/{place.account}/memberships"))):
        ok(world.admin.post(f"/accounts/{place.account}/memberships", {"person_id": person}))
    for more in {}, {"project_ids": [place.project], "expires_at": "2031-01-01T00:00:00Z"}:
        made = ok(world.owner.post("/my/tokens", {"name": "fields", "scope": "read", **more}))
        world.owner.stack.secrets.append(made["token"])
        ok(Client(world.owner.stack, made["token"]).get("/me"))
    made = ok(world.owner.post("/my/tokens", {"name": "ended there", "scope": "read"}))
    world.owner.stack.secrets.append(made["token"])
    ok(world.admin.delete(f"/accounts/{place.account}/tokens/{made['id']}"), 204)


def reader(world, route):
    """A person who may read it, and sees everything."""
    return world.admin if route.path.startswith("/account") else world.owner


def url(full, route, **query):
    row = EXPECTED[route.key]
    fixed = row.query.replace(":project", str(full.project)).replace("1,2", str(full.story))
    more = "&".join(f"{k}={v}" for k, v in query.items())
    return f"{fill(route.path, full.ids(route.path))}?{fixed}{'&' if fixed and more else ''}{more}"


def objects(answer):
    body = ok(answer)
    return body if isinstance(body, list) else [body]


def fits_scalar(field, value, millis):
    if field.type in ("int", "float", "decimal", "bool"):
        kinds = {"int": int, "bool": bool}.get(field.type, (int, float))
        return isinstance(value, kinds) and isinstance(value, bool) == (field.type == "bool")
    if field.type == "time":
        return isinstance(value, int) if millis else bool(TIME.fullmatch(value))
    if field.type == "date":
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value))
    if field.type in ("json", "events", "tally"):
        return isinstance(value, (dict, list))
    if field.type == "url":
        return value.startswith("http://127.0.0.1:")
    if field.type == "word":
        return value in field.words or value.lower() in field.words
    return isinstance(value, str)


def check_value(kind, field, value, millis=False):
    where = f"{kind}.{field.name}: {value!r}"
    if field.type == "kind":
        assert value == kind, where
    elif field.type in ("one", "inline"):
        check_object(field.child, value, field.child.default(), millis)
    elif field.type in ("some", "many"):
        for item in value:
            check_object(field.child, item, field.child.default(), millis)
    elif field.type in ("ids", "many_ids"):
        assert all(isinstance(i, int) for i in value), where
    elif field.type == "strings":
        assert all(isinstance(s, str) for s in value), where
    else:
        assert fits_scalar(field, value, millis), where


def check_object(resource, found, names, millis=False):
    """Only these names, in the order of the table, each of its type; arrays are always present, except where null
    means all."""
    declared = [f for f in resource.answered() if f.name in names or "key" in f.flags]
    assert list(found) == [f.name for f in declared if f.name in found]
    for field in declared:
        if field.name in found:
            check_value(resource.kind, field, found[field.name], millis)
        else:
            assert field.type not in ARRAYS or "null" in field.flags, f"{resource.kind} has no {field.name}"


def seen(field, found):
    return any(field.name in item for item in found)


@each_read
def test_default_answer(world, full, route):
    found = objects(reader(world, route).get(url(full, route)))
    assert found or route.resource.kind not in NEVER
    for item in found:
        check_object(route.resource, item, route.resource.default())
    again = objects(reader(world, route).get(url(full, route, fields=":default")))
    if route.path != "/session/passkey":  # its challenge differs each time
        assert again == found


@each_read
def test_each_field_alone(world, full, route):
    client = reader(world, route)
    for field in route.resource.answered():
        found = objects(client.get(url(full, route, fields=field.name)))
        for item in found:
            check_object(route.resource, item, [field.name])
        if route.resource.kind in NEVER and route.key not in ONE_STORY:
            assert seen(field, found) != (field.name in NEVER[route.resource.kind]), field.name


@each_read
def test_all_fields_with_all_that_nests(world, full, route):
    """Every nested resource with its default fields, and the same with date_format=millis."""
    names = [f.name for f in route.resource.answered()]
    fields = ",".join(names)
    for item in objects(reader(world, route).get(url(full, route, fields=fields))):
        check_object(route.resource, item, names)
    for item in objects(reader(world, route).get(
            url(full, route, fields=fields, date_format="millis"))):
        check_object(route.resource, item, names, millis=True)


@each_read
def test_nesting_with_an_own_list(world, full, route):
    """kind is not added to nested objects, the key is (contract 1.7)."""
    for field in route.resource.answered():
        if not field.child or field.type == "many_ids":
            continue
        name = field.child.answered()[-1].name
        for item in objects(reader(world, route).get(
                url(full, route, fields=f"{field.name}({name})"))):
            nested = item.get(field.name, [])
            for part in nested if isinstance(nested, list) else [nested]:
                check_object(field.child, part, [name])


@each_read
def test_unknown_and_broken_fields(world, full, route):
    for fields in ("no_such_field", ":default,no_such_field", ":other", "id(", "id)", "id(name)",
                   ",,", "name,(", "id%00"):
        answer = reader(world, route).get(url(full, route, fields=fields))
        assert answer.status_code == 400, f"{fields}: {answer.text}"
        assert answer.json()["code"] == "invalid_parameter"
        if "no_such_field" in fields:
            assert "no_such_field" in answer.json()["general_problem"]


def test_unknown_nested_field_is_named(world, full):
    answer = world.owner.get(f"/projects/{full.project}/stories?fields=labels(colour)")
    assert answer.status_code == 400 and "colour" in answer.json()["general_problem"]


def test_ids_take_no_list(world, full):
    for fields in ("label_ids(name)", "task_ids(id)", "owner_ids(id)"):
        answer = world.owner.get(f"/projects/{full.project}/stories?fields={fields}")
        assert answer.status_code == 400, fields


def story(world, full, fields):
    return ok(world.owner.get(f"/stories/{full.story}?fields={fields}"))


def test_a_hash_takes_the_place_of_its_id(world, full):
    """owned_by next to :default replaces owned_by_id; owners keeps owner_ids (contract 1.7)."""
    found = story(world, full, ":default,owned_by,owners")
    assert "owned_by_id" not in found and found["owned_by"]["kind"] == "person"
    assert found["owner_ids"] == [p["id"] for p in found["owners"]]


def test_the_account_of_a_project_stands_beside_its_id(world, full):
    found = ok(world.owner.get(f"/projects/{full.project}?fields=:default,account"))
    assert found["account_id"] == found["account"]["id"] == full.account
    assert "account_id" not in ok(world.owner.get(f"/projects/{full.project}?fields=account"))


def test_an_id_that_was_named_stays_beside_the_hash(world, full):
    found = story(world, full, ":default,requested_by,requested_by_id")
    assert found["requested_by"]["id"] == found["requested_by_id"]


def test_the_key_is_there_and_kind_is_not(world, full):
    assert story(world, full, "name") == {"id": full.story, "name": story(world, full, "name")["name"]}
    found = ok(world.owner.get(f"/projects/{full.project}?fields=version"))
    assert set(found) == {"id", "version"}


def test_deep_nesting(world, full):
    found = ok(world.owner.get(
        f"/projects/{full.project}?fields=stories(name,labels(name),owners(:default),tasks),labels(name)"))
    first = next(s for s in found["stories"] if s["id"] == full.story)
    assert set(first) == {"id", "name", "labels", "owners", "tasks"}
    assert {"ü", "a"} <= {label["name"] for label in first["labels"]}
    assert first["tasks"][0]["kind"] == "task"


def test_lists_and_their_ids_agree(world, full):
    found = ok(world.owner.get(f"/projects/{full.project}?fields=stories(id),story_ids,labels(id),"
                               "label_ids,memberships(id),membership_ids"))
    for one in ("story", "label", "membership"):
        many = "stories" if one == "story" else one + "s"
        assert found[f"{one}_ids"] == [x["id"] for x in found[many]] != []


def test_writes_take_fields_too(world, full):
    answer = world.owner.post(f"/projects/{full.project}/stories?fields=name,tasks(complete)",
                              {"name": "x", "tasks": [{"description": "t"}]})
    made = ok(answer)
    assert list(made) == ["id", "name", "tasks"]
    assert made["tasks"][0]["complete"] is False and set(made["tasks"][0]) == {"id", "complete"}
