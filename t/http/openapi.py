"""The OpenAPI document as a judge: what the server answers and accepts must agree with it.

Every request of client.py passes through `judge`. The schemas of the document are compiled into one Python module,
once per build (python3-fastjsonschema), so that a test with a thousand requests does not become slower. What the
document says only in words is considered, too: PATCH is PUT, `_method`, a path that ends in .json, lists given one by
one, parameters without effect.
"""

import fcntl
import functools
import importlib.util
import json
import os
import pathlib
import py_compile
import re
import subprocess
import urllib.parse

import fastjsonschema
import pytest

METHODS = ("get", "post", "put", "delete")
# Iterations may end after the year 9999.
FORMATS = {"date-time": r"^[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
           "date": r"^[0-9]{4,}-[0-9]{2}-[0-9]{2}$"}
RETIRED = ("v3", "v4")
RETIRED_PATHS = tuple(f"/services/{version}/" for version in RETIRED)
FORMATS_OF_PATHS = (".json", ".xml")
# Named in the document's description, for all operations.
EVERYWHERE = {"token", "_method", "fields", "limit", "offset", "project_id"}


def describe(*args):
    build = os.environ.get("STACK_BUILD")
    if not build:
        pytest.exit("set STACK_BUILD to a folder with planwright.fcgi and planwrightctl", 2)
    return subprocess.run([os.path.join(build, "planwrightctl"), "describe", *args], check=True,
                          capture_output=True).stdout


@functools.cache
def document():
    return json.loads(describe("--openapi"))


def resolve(node):
    """The object that a $ref refers to."""
    while "$ref" in node:
        target = document()
        for word in node["$ref"].removeprefix("#/").split("/"):
            target = target[word]
        node = target
    return node


def operations():
    """(method, path, operation) for all operations."""
    return [(method, path, item[method]) for path, item in document()["paths"].items()
            for method in METHODS if method in item]


@functools.cache
def schemas():
    """{name: schema}: all schemas that something is validated against."""
    found = {"error": resolve(document()["components"]["responses"]["error"])
             ["content"]["application/json"]["schema"]}
    for _, _, op in operations():
        for status, answer in op["responses"].items():
            content = resolve(answer).get("content", {}).get("application/json")
            if content:
                found[f"{op['operationId']} {status}"] = content["schema"]
        content = op.get("requestBody", {}).get("content", {}).get("application/json")
        if content:
            found[f"{op['operationId']} body"] = content["schema"]
        for param in op["parameters"]:
            param = resolve(param)
            found[f"{op['operationId']} ?{param['name']}"] = param["schema"]
    return found


def root_schema():
    """One schema with all others as definitions, so that each becomes a function of its own: a single function for
    all would be so large that compiling it takes too long."""
    numbered = {f"s{i}": schema for i, schema in enumerate(schemas().values())}
    return {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
            "properties": {name: {"$ref": f"#/definitions/{name}"} for name in numbered},
            "definitions": numbered, "components": document()["components"]}


@functools.cache
def validators():
    """{name: the function that validates against this schema}. Loaded before the first test, since that may measure
    times."""
    ctl = pathlib.Path(os.environ["STACK_BUILD"]) / "planwrightctl"
    root = pathlib.Path(os.environ["STACK_ROOT"])
    module = root / f"openapi_{ctl.stat().st_mtime_ns}.pyc"
    with (root / "openapi.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not module.exists():
            source = module.with_suffix(".py")
            source.write_text(fastjsonschema.compile_to_code(root_schema(), formats=FORMATS))
            py_compile.compile(str(source), str(module), doraise=True)
    spec = importlib.util.spec_from_file_location("openapi_schemas", module)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return {name: getattr(made, f"validate___definitions_s{i}")
            for i, name in enumerate(schemas())}


class Operation:
    def __init__(self, item, method, op):
        self.id, self.responses = op["operationId"], op["responses"]
        self.at_root = "servers" in item
        self.body = op.get("requestBody", {}).get("content", {})
        self.query = {resolve(p)["name"]: resolve(p)["schema"] for p in op["parameters"]
                      if resolve(p)["in"] == "query"}
        self.required = {resolve(p)["name"] for p in op["parameters"]
                         if resolve(p)["in"] == "query" and resolve(p).get("required")}
        self.is_write = method in ("post", "put")


@functools.cache
def routes():
    """[(segments, the server's base path, {method: Operation})]; a segment {…} is None."""
    return [([None if word.startswith("{") else word for word in path.split("/") if word],
             item.get("servers", document()["servers"])[0]["url"],
             {m: Operation(item, m, item[m]) for m in METHODS if m in item})
            for path, item in document()["paths"].items()]


@functools.lru_cache(100000)
def find(path):
    """The operations of a path by method, or None if the document does not have the path."""
    words = [word for word in urllib.parse.unquote(path).split("/") if word]
    if len(words) > 1 and words[0] == "services" and words[1] in ("v5", "edge", "next"):
        root, words = "/services/v5", words[2:]
    elif len(words) > 1 and words[0] == "services" and words[1] in RETIRED:
        root, words = "/services", words[1:]
    elif words[:1] == ["file_attachments"]:
        root = "/"
    else:
        return None
    best, score = None, -1
    for segments, at, item in routes():
        if root != at or len(segments) != len(words):
            continue
        fits = [want is None or word in (want, *(want + end for end in FORMATS_OF_PATHS if i == len(words) - 1))
                for i, (want, word) in enumerate(zip(segments, words))]
        literal = sum(want is not None for want in segments)
        if all(fits) and literal > score:
            best, score = item, literal
    return best


def hold(what, value, answer):
    try:
        validators()[what](value, {}, what)
    except fastjsonschema.JsonSchemaException as problem:
        raise AssertionError(f"{answer.method} {answer.url}: not as the OpenAPI document says: "
                             f"{problem.message[:2000]}: {answer.text[:2000]}") from None


def typed(schema, text):
    """A query value as JSON; if it does not fit the type, it stays text."""
    types = schema.get("type", "string")
    types = [types] if isinstance(types, str) else types
    if "array" in types:
        return [typed(schema["items"], word.strip()) for word in text.split(",") if word]
    if text in ("true", "false") and "boolean" in types:
        return text == "true"
    if {"integer", "number"} & set(types) and re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return text


def judge_query(op, query, answer):
    if "filter" not in op.query:
        missing = op.required - query.keys()
        assert not missing, f"{answer.method} {answer.url} is answered without {missing}"
    for name, text in query.items():
        if name in ("limit", "offset") and query.get("scope") == "current":
            continue  # a single iteration has no pages
        if name in op.query:
            hold(f"{op.id} ?{name}", typed(op.query[name], text), answer)
        else:
            assert name in EVERYWHERE, f"{answer.method} {answer.url}: {name} is not in the document"


def judge_body(op, kind, answer):
    media = (kind or "").partition(";")[0].lower()
    if media.startswith("multipart/"):
        assert "multipart/form-data" in op.body, f"{answer.url} takes no multipart/form-data"
        return
    if not op.is_write or not isinstance(answer.sent, bytes) or not answer.sent.strip():
        return
    try:
        body = json.loads(answer.sent)
    except ValueError:
        assert "application/x-www-form-urlencoded" in op.body, f"{answer.url} takes no form"
        return
    if not isinstance(body, str):  # a form inside a JSON string
        hold(f"{op.id} body", body, answer)


def judge_answer(op, answer):
    status = str(answer.status_code)
    assert status in op.responses, f"{answer.method} {answer.url}: {status} is not in the document"
    content = resolve(op.responses[status]).get("content", {})
    media = (answer.headers["Content-Type"] or "").partition(";")[0]
    if media == "application/json" and answer.content:
        assert "application/json" in content, f"{answer.url} answers JSON"
        hold(f"{op.id} {status}", answer.json(), answer)
    elif answer.content:
        assert media in content or "application/octet-stream" in content, \
            f"{answer.method} {answer.url} answers {media}"


def judge(answer, kind):
    """Raises AssertionError if the server accepted or answered the request against the document; `kind` is the
    content type of the request."""
    url = urllib.parse.urlsplit(answer.url)
    path = re.sub("/+", "/", url.path)
    if not path.startswith(("/services/", "/file_attachments/")):
        return  # a page
    ops = find(path)
    method = answer.method.lower()
    if answer.status_code >= 400:
        if path.startswith(("/services/v5", "/services/edge", "/services/next")) and answer.content:
            name = f"{ops[method].id} default" if ops and method in ops else "error"
            hold(name if name in schemas() else "error", answer.json(), answer)
        return
    query = dict((name.removesuffix("[]"), value) for name, value in
                 urllib.parse.parse_qsl(url.query, keep_blank_values=True, max_num_fields=1000))
    named = query.get("_method")
    if method == "post" and path.startswith(RETIRED_PATHS) and not named:
        sent = answer.sent if isinstance(answer.sent, str) else (answer.sent or b"").decode("utf-8", "replace")
        named = dict(urllib.parse.parse_qsl(sent)).get("_method") if not sent.startswith("<") else None
    method = (named or method).lower()
    method = {"patch": "put", "head": "get"}.get(method, method)
    if method == "options":
        return
    assert ops and method in ops, f"{answer.method} {answer.url} is not in the document"
    judge_answer(ops[method], answer)
    if answer.status_code < 300 and not path.startswith(RETIRED_PATHS):
        judge_query(ops[method], query, answer)
        judge_body(ops[method], kind, answer)
