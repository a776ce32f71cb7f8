"""The OpenAPI document: well-formed, complete, the same at every address, and a judge that accepts nothing wrong.
openapi.py makes sure that all other tests agree with it."""

import copy
import json
import re

import jsonschema
import pytest

import openapi
import tables
from world import UNKNOWN

# Debian's openapi-specification contains the schema of version 3.0; what is different in 3.1 outside of schemas is
# removed first.
FORM = "/usr/share/openapi-specification/schemas/v3.0/schema.json"


@pytest.fixture(scope="module")
def document():
    return openapi.document()


def schemas_of(node):
    """All schemas of parameters, headers, contents and components."""
    if isinstance(node, list):
        for item in node:
            yield from schemas_of(item)
    elif isinstance(node, dict):
        for key, item in node.items():
            if key == "schema":
                yield item
            elif key == "schemas":
                yield from item.values()
            else:
                yield from schemas_of(item)


def without_schemas(node):
    if isinstance(node, list):
        return [without_schemas(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: {} if key == "schema" else without_schemas(item)
            for key, item in node.items() if key != "schemas"}


def test_form(document):
    plain = without_schemas(document)
    plain["openapi"] = "3.0.3"
    del plain["info"]["summary"], plain["info"]["license"]["identifier"]
    with open(FORM, encoding="utf-8") as form:
        jsonschema.Draft4Validator(json.load(form)).validate(plain)


def test_schemas(document):
    assert document["openapi"].startswith("3.1.")
    for schema in schemas_of(document):
        jsonschema.Draft202012Validator.check_schema(schema)


def test_references(document):
    names = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(document)))
    assert len(names) > 100
    for name in names:
        openapi.resolve({"$ref": name})


def test_names(document):
    ids = [op["operationId"] for _, _, op in openapi.operations()]
    assert len(ids) == len(set(ids))
    tags = {tag["name"] for tag in document["tags"]}
    for method, path, op in openapi.operations():
        params = [openapi.resolve(p) for p in op["parameters"]]
        assert {p["name"] for p in params if p["in"] == "path"} == set(re.findall(r"{(\w+)}", path))
        keys = [(p["in"], p["name"]) for p in params]
        assert len(keys) == len(set(keys)), f"{method} {path}"
        assert set(op["tags"]) <= tags


def test_each_route_is_there(document):
    routes = {(r.method.lower(), re.sub(r":(\w+)", r"{\1}", r.path)) for r in tables.ROUTES}
    there = {(method, path) for method, path, op in openapi.operations()
             if "servers" not in document["paths"][path] and path != "/"}
    assert routes == there


def test_it_is_served_to_everybody(api, document):
    answer = api().get("/openapi.json")
    assert answer.status_code == 200 and answer.json() == document
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert api("0" * 32).get("/openapi.json").status_code == 200
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert api().get("/openapi.json", headers=tag).status_code == 304
    assert api().get("/openapi.json?envelope=true").json()["data"] == document
    assert api().get("/openapi.json?x=1").status_code == 400
    assert api().post("/openapi.json", {}).status_code in (403, 405)


def test_it_is_a_part_of_an_aggregate(board, document):
    path = "/services/v5/openapi"
    answer = board.client.post("/aggregator", [path, "/services/v5/me"]).json()
    assert answer[path] == document and answer["/services/v5/me"]["kind"] == "me"


# The judge: the same answers with small errors.

def changed(answer, **more):
    wrong = copy.copy(answer)
    for key, value in more.items():
        setattr(wrong, key, value)
    return wrong


def refused(answer, kind="application/json"):
    with pytest.raises(AssertionError):
        openapi.judge(answer, kind)


@pytest.mark.parametrize("wrong", [
    {"nickname": "x"}, {"id": "1"}, {"kind": "epic"}, {"labels": [{"id": 1, "colour": "red"}]},
    {"created_at": True}, {"story_type": "saga"}, {"project": {"kind": "project"}}])
def test_a_wrong_field_is_seen(board, wrong):
    answer = board.client.get(f"/stories/{board.add('a')['id']}")
    body = answer.json() | wrong
    refused(changed(answer, content=json.dumps(body).encode()))
    refused(changed(answer, content=json.dumps({"data": body, "http_status": "200"}).encode()))


def test_a_wrong_shape_is_seen(board):
    answer = board.client.get(f"/stories/{board.add('a')['id']}")
    refused(changed(answer, content=b"[]"))
    refused(changed(answer, content=b"{}"))
    refused(changed(answer, status_code=204, content=b""))
    refused(changed(answer, url=answer.url + "?no_such=1"))
    refused(changed(answer, url=answer.url + "?fields=name&date_format=weeks"))
    refused(changed(answer, url=answer.url.replace("/stories/", "/sagas/")))


def test_a_wrong_body_is_seen(board):
    answer = board.client.post(f"{board.path}/stories", {"name": "x"})
    for body in (b"{}", b'{"name":1}', b'{"name":"x","no_such":1}', b'{"name":"x","labels":[1]}',
                 b'{"name":"x","tasks":[{}]}', b'{"name":"x","story_type":"saga"}', b"[]"):
        refused(changed(answer, sent=body))


def test_a_wrong_error_is_seen(board):
    answer = board.client.get(f"/stories/{UNKNOWN}")
    assert answer.status_code == 404
    refused(changed(answer, content=b'{"error":"x"}'))
    refused(changed(answer, content=json.dumps(answer.json() | {"sql": "select"}).encode()))
