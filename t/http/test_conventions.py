"""The rules that all endpoints share (contract part 1): headers, envelope, formats, methods, pages, caching, invalid
input."""

import http.client
import json
import re

import pytest

import tables
from test_matrix import EXPECTED, MINE
from world import Place, fill, ok

FAMILIES = ("X-Service-", "X-Tracker-")
PAGINATION = ("Pagination-Total", "Pagination-Limit", "Pagination-Offset", "Pagination-Returned")


@pytest.fixture(scope="module")
def place(world):
    """A project of its own with seven stories; the client belongs to its boss."""
    place = Place(world.admin)
    for i in range(6):
        ok(place.client.post(f"/projects/{place.project}/stories", {"name": f"S{i}"}))
    return place


def page(answer):
    """The pagination headers, which must be the same in both families."""
    values = [[answer.headers.get(family + name) for name in PAGINATION] for family in FAMILIES]
    assert values[0] == values[1]
    return None if values[0] == [None] * 4 else [int(v) for v in values[0]]


def version(answer):
    values = {answer.headers.get(family + "Project-Version") for family in FAMILIES}
    assert len(values) == 1
    value = values.pop()
    return value and int(value)


def error(answer, status, code):
    body = answer.json()
    assert (answer.status_code, body["code"], body["kind"]) == (status, code, "error"), answer.text
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "ETag" not in answer.headers
    return body


def raw(place, method, path, headers=(), body=b""):
    """Sends a request whose path and body are not changed."""
    stack = place.client.stack
    connection = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=10)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in [("X-TrackerToken", place.client.token),
                        ("Content-Length", str(len(body))), *headers]:
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


# --- headers and versions -------------------------------------------------------

READS = [r for r in tables.ROUTES if r.method == "GET" and r.key not in MINE]
ROUTES = pytest.mark.parametrize("route", READS, ids=tables.names(READS))
# A zip contains the time at which it was made, so no two are equal, nor are two passkey challenges; the audit log is
# sent in pieces, and live updates do not end.
ALIKE = [r for r in READS if not r.path.endswith((".zip", "/audit.csv", "/live", "/session/passkey"))]
SAME = pytest.mark.parametrize("route", ALIKE, ids=tables.names(ALIKE))


def get(world, route, root="/services/v5", **kwargs):
    row = EXPECTED[route.key]
    client = world.admin if route.path.startswith("/account") else world.owner
    path = fill(route.path, world.own.ids(route.path))
    query = row.query.replace(":project", str(world.own.project))
    return client.get(f"{client.stack.url}{root}{path}?{query}", **kwargs)


@ROUTES
def test_version_header_inside_a_project_only(world, route):
    got = version(get(world, route))
    inside = "quiet" not in route.flags and any(n in (":project", ":story", ":epic") for _, n in route.ids)
    if inside:
        project = ok(world.owner.get(f"/projects/{world.own.project}?fields=version"))
        assert got == project["version"]
    else:
        assert got is None


@ROUTES
def test_pagination_headers_on_paginated_lists_only(world, route):
    paged = "paged" in route.flags and "no_page_headers" not in route.flags
    assert (page(get(world, route)) is not None) == paged


@SAME
def test_edge_and_next_answer_alike(world, route):
    v5 = get(world, route)
    for root in ("/services/edge", "/services/next"):
        other = get(world, route, root)
        assert (other.status_code, other.content) == (v5.status_code, v5.content)


@SAME
def test_etag(world, route):
    first = get(world, route)
    etag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "max-age=0, private, must-revalidate"
    again = get(world, route, headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == etag


def test_forms_of_if_none_match(place):
    path = f"/stories/{place.story}"
    etag = place.client.get(path).headers["ETag"]
    for value in (etag, f'"x", {etag}', etag.removeprefix("W/"), "*"):
        assert place.client.get(path, headers={"If-None-Match": value}).status_code == 304, value
    assert place.client.get(path, headers={"If-None-Match": '"x"'}).status_code == 200


def test_etag_changes_with_the_answer(place):
    path = f"/projects/{place.project}/stories/{place.story}"
    etag = place.client.get(path).headers["ETag"]
    ok(place.client.put(path, {"description": "changed"}))
    answer = place.client.get(path, headers={"If-None-Match": etag})
    assert answer.status_code == 200 and answer.headers["ETag"] != etag


def test_writes_have_no_etag_and_no_304(place):
    path = f"/projects/{place.project}/stories/{place.story}"
    answer = place.client.put(path, {"description": "x"}, headers={"If-None-Match": "*"})
    assert answer.status_code == 200 and "ETag" not in answer.headers


@ROUTES
def test_unknown_query_parameter(world, route):
    path = fill(route.path, world.own.ids(route.path))
    query = EXPECTED[route.key].query.replace(":project", str(world.own.project))
    client = world.admin if route.path.startswith("/account") else world.owner
    body = error(client.get(f"{path}?{query}&no_such=1"), 400, "invalid_parameter")
    assert body["general_problem"] == "this endpoint cannot accept the parameter: no_such"


def test_unknown_query_parameter_of_a_write(place):
    path = f"/projects/{place.project}/stories"
    for answer in (place.client.post(path + "?name=x", {"name": "x"}),
                   place.client.put(f"{path}/{place.story}?no_such=x", {"name": "x"}),
                   place.client.delete(f"{path}/{place.story}?no_such=x")):
        error(answer, 400, "invalid_parameter")


def test_delete_tells_the_new_version(place):
    story = ok(place.client.post(f"/projects/{place.project}/stories", {"name": "x"}))["id"]
    before = version(place.client.get(f"/stories/{story}"))
    answer = place.client.delete(f"/stories/{story}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert version(answer) == before + 1
    assert answer.headers["Cache-Control"] == "no-cache" and "Content-Type" not in answer.headers


def test_other_headers(place):
    answer = place.client.get("/me")
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert re.fullmatch(r"\d+\.\d+", answer.headers["X-Runtime"])
    for family in FAMILIES:
        assert int(answer.headers[family + "Client-Pinger-Interval"]) > 0


def test_the_second_family_can_be_switched_off(new_stack):
    from conftest import Client, Person
    stack = new_stack(workers=1, settings="tracker_headers = off")
    client = Client(stack, Person(stack, "Alone").token)
    project = ok(client.post("/projects", {"name": "P", "new_account_name": "A"}))["id"]
    answer = client.get(f"/projects/{project}/stories")
    assert answer.headers["X-Service-Project-Version"] == "1"
    assert answer.headers["X-Service-Pagination-Total"] == "0"
    assert not [name for name in answer.headers if name.startswith("X-Tracker-")]


# --- envelope and formats -------------------------------------------------------

def test_envelope(place):
    path = f"/projects/{place.project}/stories"
    plain = place.client.get(path + "?limit=2&offset=1")
    wrapped = place.client.get(path + "?limit=2&offset=1&envelope=true")
    total = page(plain)[0]
    assert wrapped.json() == {
        "data": plain.json(), "http_status": "200", "project_version": version(plain),
        "pagination": {"total": total, "limit": 2, "offset": 1, "returned": 2}}
    assert place.client.get(path + "?envelope=false").json() == place.client.get(path).json()


def test_envelope_outside_a_project(place):
    assert set(place.client.get("/me?envelope=true").json()) == {"data", "http_status"}


def test_envelope_of_an_error(place):
    answer = place.client.get("/projects/99999999?envelope=true")
    assert answer.status_code == 404
    assert answer.json()["http_status"] == "404"
    assert answer.json()["data"]["code"] == "unfound_resource"


@pytest.mark.parametrize("query", ["envelope=1", "envelope=", "date_format=iso", "date_format=",
                                   "_method=OPTIONS", "_method="])
def test_values_of_common_parameters(place, query):
    error(place.client.get(f"/me?{query}"), 400, "invalid_parameter")


def test_millis(place):
    path = f"/projects/{place.project}/stories/{place.story}"
    iso, millis = ok(place.client.get(path)), ok(place.client.get(path + "?date_format=millis"))
    (seconds,), = place.client.stack.sql(
        "select extract(epoch from %s::timestamptz)::bigint", iso["created_at"])
    assert millis["created_at"] // 1000 == seconds
    story = ok(place.client.post(f"/projects/{place.project}/stories?date_format=millis", {
        "name": "r", "story_type": "release", "deadline": 1900000000000}))
    assert story["deadline"] == 1900000000000


# --- methods --------------------------------------------------------------------

def test_method_in_the_query(place):
    path = f"/projects/{place.project}/stories"
    story = ok(place.client.post(path + "?_method=post", {"name": "x"}))["id"]
    for method, simulated in (("POST", "PUT"), ("POST", "patch"), ("GET", "PUT")):
        answer = place.client.request(method, f"{path}/{story}?_method={simulated}",
                                      json={"name": simulated})
        assert ok(answer)["name"] == simulated
    assert ok(place.client.post(f"{path}/{story}?_method=GET"))["id"] == story
    assert place.client.get(f"{path}/{story}?_method=DELETE").status_code == 204
    assert place.client.get(f"{path}/{story}").status_code == 404


def test_patch_is_put(place):
    path = f"/projects/{place.project}/stories/{place.story}"
    assert ok(place.client.patch(path, {"name": "patched"}))["name"] == "patched"


def test_head(place):
    path = f"/projects/{place.project}/stories"
    full, head = place.client.get(path), place.client.request("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["ETag"] == full.headers["ETag"] and page(head) == page(full)
    missing = place.client.request("HEAD", "/projects/99999999")
    assert (missing.status_code, missing.content) == (404, b"")


@pytest.mark.parametrize("path", sorted({r.path for r in tables.ROUTES if r.key not in MINE}))
def test_other_methods(world, path):
    here = {r.method for r in tables.ROUTES if r.path == path}
    allowed = here | ({"PATCH"} if "PUT" in here else set()) | ({"HEAD"} if "GET" in here else set())
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH"} - allowed:
        answer = world.admin.request(method, fill(path, world.own.ids(path)))
        error(answer, 405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(", ")) == allowed | {"OPTIONS"}


# --- pages ----------------------------------------------------------------------

def stories(place, query=""):
    return place.client.get(f"/projects/{place.project}/stories{query}")


def test_pages_join_to_the_whole(place):
    everything = ok(stories(place))
    total = page(stories(place))[0]
    assert total == len(everything)
    joined = []
    for offset in range(0, total, 3):
        answer = stories(place, f"?limit=3&offset={offset}")
        joined += ok(answer)
        assert page(answer) == [total, 3, offset, min(3, total - offset)]
    assert joined == everything


def test_limits(place):
    total = len(ok(stories(place)))
    for query, items, want in [
        ("", total, [total, 100, 0, total]),
        ("?limit=0", 0, [total, 0, 0, 0]),
        ("?limit=9999", total, [total, 500, 0, total]),
        ("?offset=1000", 0, [total, 100, 1000, 0]),
        ("?offset=9223372036854775807&limit=9223372036854775807", 0,
         [total, 500, 9223372036854775807, 0]),
        ("?limit=99999999999999999999", total, [total, 500, 0, total]),
        ("?offset=99999999999999999999", 0, [total, 100, 9223372036854775807, 0]),
    ]:
        answer = stories(place, query)
        assert len(ok(answer)) == items and page(answer) == want, query


@pytest.mark.parametrize("query", ["limit=x", "limit=-1", "limit=", "limit=1.5", "offset=x",
                                   "offset=-1", "offset=", "limit=-99999999999999999999", "limit=1e30", "limit=9x"])
def test_bad_pages(place, query):
    body = error(stories(place, "?" + query), 400, "invalid_parameter")
    assert query.split("=")[0] in body["general_problem"]


UNPAGED = [r for r in ALIKE if r.resource and "paged" not in r.flags]


@pytest.mark.parametrize("route", UNPAGED, ids=tables.names(UNPAGED))
def test_what_has_no_pages_takes_any_limit_and_offset(world, route):
    client = world.admin if "account" in route.path else world.owner
    query = EXPECTED[route.key].query.replace(":project", str(world.own.project))
    path = f"{fill(route.path, world.own.ids(route.path))}?{query}"
    want = ok(client.get(path))
    for more in ("limit=x", "limit=-1&offset=-1", "offset=99999999999999999999", "limit=&offset="):
        assert ok(client.get(f"{path}&{more}")) == want


def test_unpaged_lists_ignore_limit_and_offset(place):
    ok(place.client.post(f"/projects/{place.project}/labels", {"name": "one"}))
    labels = f"/projects/{place.project}/labels"
    answer = place.client.get(labels + "?limit=0&offset=5")
    assert answer.json() == place.client.get(labels).json() != []
    assert page(answer) is None


# --- paths and versions ---------------------------------------------------------

def test_slashes_formats_and_empty_queries(place):
    story = ok(place.client.get(f"/stories/{place.story}"))
    for path in (f"//stories/{place.story}", f"/stories//{place.story}",
                 f"/stories/{place.story}?", f"/stories/{place.story}?&", f"/stories/{place.story}/",
                 f"/stories/{place.story}.json", f"/stories/{place.story}.json?fields=:default"):
        status, _, body = raw(place, "GET", "/services/v5" + path)
        assert (status, json.loads(body)) == (200, story), path


@pytest.mark.parametrize("path", ["/services/v6/me",
                                  "/services/v5/Me", "/services/v5/me/x", "/services/v5/nothing",
                                  "/services/V5/me", "/services/v5/%6De%2Fx", "/services/v5/stories"])
def test_unknown_paths(place, path):
    status, _, body = raw(place, "GET", path)
    assert (status, json.loads(body)["code"]) == (404, "route_not_found")
    assert json.loads(body)["error"] == "The path you requested has no valid endpoint."


@pytest.mark.parametrize("version", ["v3", "v4"])
@pytest.mark.parametrize("path", ["", "/", "/projects", "/tokens/active", "/projects/1/stories"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_retired_versions(place, version, path, method):
    status, headers, body = raw(place, method, f"/services/{version}{path}")
    assert status == 410
    assert headers["Content-Type"] == "application/xml; charset=utf-8"
    assert b"/services/v5" in body and b"<code>gone</code>" in body


# --- credentials ----------------------------------------------------------------

def me(place, query="", *headers):
    """Without the request's own token: only what is given here."""
    stack = place.client.stack
    connection = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=10)
    connection.putrequest("GET", "/services/v5/me" + query)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_token_in_header_and_query(place):
    token = place.client.token
    for query, headers in [("", [("X-TrackerToken", token)]), ("", [("X-ServiceToken", token)]),
                           (f"?token={token}", []), ("", [("x-trackertoken", f" {token} ")]),
                           (f"?token={token}", [("X-TrackerToken", token), ("X-ServiceToken", token)])]:
        status, body = me(place, query, *headers)
        assert (status, body["kind"]) == (200, "me"), (query, headers)


def test_two_different_tokens(place, world):
    token, other = place.client.token, world.owner.token
    for query, headers in [(f"?token={other}", [("X-TrackerToken", token)]),
                           ("", [("X-TrackerToken", token), ("X-ServiceToken", other)]),
                           ("", [("X-TrackerToken", token), ("X-TrackerToken", other)]),
                           (f"?token={token}&token={other}", [])]:
        status, body = me(place, query, *headers)
        assert (status, body["code"]) == (400, "invalid_parameter"), (query, headers)


@pytest.mark.parametrize("token", ["x", "0" * 32, "0" * 31, "0" * 5000, "%00", "%ff", "ü", ""])
def test_bad_tokens(place, token):
    status, body = me(place, f"?token={token if token.isascii() else '%C3%BC'}")
    if "%00" in token or "%ff" in token:
        assert status == 400
    else:
        assert (status, body["code"]) == (403, "invalid_authentication")
        assert list(body) == ["code", "kind", "error", "possible_fix"]
        assert body["error"] == "Invalid authentication credentials were presented."
        assert body["possible_fix"].startswith("Verify that your token value matches")


def test_no_credentials(place):
    status, body = me(place)
    assert (status, body["code"]) == (403, "unauthorized_operation")
    assert list(body) == ["code", "kind", "error", "general_problem", "possible_fix"]
    assert body["general_problem"].startswith("No API token was sent")


# --- bodies ---------------------------------------------------------------------

BROKEN = [b"{", b"{'a':1}", b'{"name":"x",}', b'{"name":NaN}', b'{"name":1e999}', b"x", b'"x"',
          b'{"name":"x"} {}', b'{"name":"a\x01b"}', b'{"name":"\xc0\xaf"}', b'{"name":"\xff"}',
          b'{"name":"\\u0000"}', b'{"name":"\\ud800"}', b'{"name":"x","name":"y"}', b"[1]", b"null",
          b'[' * 100, b'{"a":' * 100 + b"1" + b"}" * 100, b"\x00", b'\xef\xbb\xbf{"name":"x"}']


@pytest.mark.parametrize("body", BROKEN)
def test_bodies_that_are_no_json_object(place, body):
    answer = place.client.post(f"/projects/{place.project}/stories", data=body,
                               headers={"Content-Type": "application/json"})
    found = error(answer, 400, "could_not_parse_body")
    assert found["error"] == "Cannot parse the JSON-encoded request body."


def test_a_body_beyond_the_limit(place):
    answer = place.client.post(f"/projects/{place.project}/stories",
                               data=b'{"name":"' + b"x" * (1 << 20) + b'"}')
    error(answer, 413, "request_too_large")


def test_a_large_body_within_the_limit(place):
    text = "\U0001f600" * 20000
    answer = place.client.post(f"/projects/{place.project}/stories",
                               {"name": "\u4e2d" * 5000, "description": text})
    assert ok(answer)["description"] == text


def test_text_comes_back_as_it_went_in(place):
    name = 'a"b\\c/d\te\u00e9\u4e2d\U0001f600\u200b<script>&amp;%s$1\x7f'
    story = ok(place.client.post(f"/projects/{place.project}/stories", {"name": name}))
    assert story["name"] == name
    assert ok(place.client.get(f"/stories/{story['id']}"))["name"] == name


@pytest.mark.parametrize("query", ["fields=%", "fields=%2", "fields=%zz", "token=%ff", "x=%00",
                                   "limit=%c0%af", "%ff=1"])
def test_broken_percent_encoding(place, query):
    status, _, body = raw(place, "GET", f"/services/v5/projects/{place.project}/stories?{query}")
    assert (status, json.loads(body)["code"]) == (400, "invalid_parameter")


def test_a_plus_that_was_not_escaped(place):
    made = ok(place.client.post(f"/projects/{place.project}/stories", {"name": "x"}))
    status, _, body = raw(place, "GET", f"/services/v5/projects/{place.project}/stories"
                          "?created_after=2026-01-01T00:00:00+00:00&limit=500&fields=id")
    assert status == 200 and {"id": made["id"]} in json.loads(body)


def test_the_project_of_the_path_may_be_said_twice(place):
    path = f"/projects/{place.project}"
    for what in "", "/stories", "/iterations", "/memberships", "/labels":
        ok(place.client.get(f"{path}{what}?project_id={place.project}"))
        for other in place.project + 1, "x", "":
            error(place.client.get(f"{path}{what}?project_id={other}"), 400, "invalid_parameter")
    error(place.client.get("/me?project_id=1"), 400, "invalid_parameter")
    for what in "stories", "epics":
        made = ok(place.client.post(f"{path}/{what}", {"name": "x", "project_id": place.project}))
        assert made["project_id"] == place.project
        error(place.client.post(f"{path}/{what}", {"name": "y", "project_id": place.project + 1}),
              400, "invalid_parameter")
