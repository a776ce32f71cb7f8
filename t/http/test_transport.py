"""What nginx does around the workers: CORS, its own errors, limits, logs."""

import concurrent.futures
import json
import re
import time

import pytest

from client import raw
from conftest import Client, wait_for

EXPOSED = [
    "ETag", "Retry-After", "X-Request-Id", "X-Service-Project-Version",
    "X-Service-Pagination-Total", "X-Service-Pagination-Limit", "X-Service-Pagination-Offset",
    "X-Service-Pagination-Returned", "X-Tracker-Project-Version", "X-Tracker-Pagination-Total",
    "X-Tracker-Pagination-Limit", "X-Tracker-Pagination-Offset", "X-Tracker-Pagination-Returned",
]
ORIGIN = {"Origin": "https://app.example"}


def words(value):
    return [word.strip() for word in value.split(",")]


def assert_cors(headers):
    assert headers.get("Access-Control-Allow-Origin") == "*"
    assert headers.get("Access-Control-Allow-Credentials") == "false"
    assert set(EXPOSED) <= set(words(headers["Access-Control-Expose-Headers"]))
    methods = words(headers["Access-Control-Allow-Methods"])
    assert {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} == set(methods)


def assert_error(headers, body, code):
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    error = json.loads(body)
    assert error["kind"] == "error" and error["code"] == code and error["error"]
    assert headers["Cache-Control"] == "no-cache"
    assert_cors(headers)
    assert_common(headers)


def assert_common(headers):
    assert re.fullmatch(r"[0-9a-f]{32}", headers["X-Request-Id"])
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "SAMEORIGIN"


def once(headers, names):
    """Browsers refuse an answer in which this header occurs twice."""
    for name in names:
        assert len(headers.get_all(name)) == 1, name


def in_threads(count, work):
    """The concatenated lists that work() returned in the threads."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return [x for part in [pool.submit(work) for _ in range(count)] for x in part.result()]


# --- CORS ----------------------------------------------------------------------

@pytest.mark.parametrize("path", ["/services/v5/me", "/services/edge/projects/1", "/nowhere"])
def test_preflight_is_answered_on_every_path(stack, path):
    answer = Client(stack, base="").request("OPTIONS", path, headers={
        **ORIGIN, "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "x-trackertoken,content-type"})
    assert answer.status_code == 204
    assert answer.content == b""
    assert_cors(answer.headers)
    allowed = [w.lower() for w in words(answer.headers["Access-Control-Allow-Headers"])]
    assert {"x-trackertoken", "x-servicetoken", "content-type", "idempotency-key"} <= set(allowed)
    assert "authorization" not in allowed
    assert int(answer.headers["Access-Control-Max-Age"]) > 0


def test_answers_of_the_program_carry_cors_once(stack, api, person):
    for answer in (api(person()).get("/me", headers=ORIGIN), api().get("/me", headers=ORIGIN),
                   api("0" * 32).get("/me", headers=ORIGIN), api().get("/nothing")):
        assert_cors(answer.headers)
        assert_common(answer.headers)
        once(answer.headers, [h for h in answer.headers if h.startswith("Access-Control-")]
             + ["X-Request-Id", "Cache-Control", "Content-Type", "X-Content-Type-Options"])


# --- errors that nginx answers -------------------------------------------------

@pytest.mark.parametrize("path", ["/nowhere", "/services", "/-/error", "/Services/v5/me"])
def test_unknown_paths(stack, path):
    answer = Client(stack, base="").get(path)
    assert answer.status_code == 404
    assert_error(answer.headers, answer.content, "route_not_found")


def test_body_above_the_limit_of_nginx(stack, api):
    answer = api().post("/projects", data=b" " * (2 * 1024 * 1024 + 1))
    assert answer.status_code == 413
    assert_error(answer.headers, answer.content, "request_too_large")


def test_body_above_the_limit_of_the_workers_has_the_same_error(stack, api, person):
    answer = api(person()).post("/projects", data=b" " * (1024 * 1024 + 1),
                                headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert_error(answer.headers, answer.content, "request_too_large")


def test_broken_and_oversized_requests(stack):
    for request, status, code in [
        (b"GET /services/v5/me HTTP/1.1\r\n\r\n", 400, "bad_request"),
        (b"GET /services/v5/me HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
         400, "bad_request"),
        (b"GET /" + b"x" * 40000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "request_uri_too_long"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 40000 + b"\r\n\r\n",
         431, "request_headers_too_large"),
        (b"TRACE /services/v5/me HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"),
        (b"GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
        (b"GET /services/v5/me HTTP/3.0\r\nHost: x\r\n\r\n", 400, "bad_request"),
        (b"POST /services/v5/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 400, "bad_request"),
    ]:
        got, headers, body = raw(stack, request)
        assert got == status, request[:60]
        assert_error(headers, body, code)
        if status == 405:
            assert "PATCH" in words(headers["Allow"])


def test_without_workers(new_stack):
    stack = new_stack(workers=1, expects_5xx=True)
    stack.part("stop", "workers")
    answer = Client(stack).get("/me?token=" + "ab" * 16, headers=ORIGIN)
    assert answer.status_code == 502
    assert_error(answer.headers, answer.content, "service_unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    stack.part("start", "workers")
    assert wait_for(lambda: Client(stack).get("/me").status_code == 403)


def test_without_database(new_stack):
    stack = new_stack(workers=1, expects_5xx=True)
    stack.part("stop", "postgres")
    answer = Client(stack).get("/me?token=" + "ab" * 16, headers=ORIGIN)
    assert answer.status_code == 503
    assert_error(answer.headers, answer.content, "service_unavailable")
    once(answer.headers, ["Retry-After", "Cache-Control"])
    stack.part("start", "postgres")
    assert wait_for(lambda: Client(stack).get("/me").status_code == 403)


# --- limits ---------------------------------------------------------------------

def test_basic_auth_is_limited_and_tokens_are_not(new_stack):
    stack = new_stack(workers=2, sign_ins=30)
    start = time.monotonic()
    # With an Origin, the program refuses before the expensive hashing (test_people).
    answers = in_threads(8, lambda: [Client(stack).get("/me", auth=("nobody", "wrong"), headers=ORIGIN)
                                     for _ in range(8)])
    refused = [a for a in answers if a.status_code == 429]
    tried = [a for a in answers if a.status_code == 403]
    assert len(refused) + len(tried) == 64
    assert 21 <= len(tried) <= 22 + (time.monotonic() - start) / 2
    assert_error(refused[0].headers, refused[0].content, "too_many_requests")
    assert int(refused[0].headers["Retry-After"]) > 0
    assert {Client(stack, "0" * 32).get("/me").status_code for _ in range(60)} == {403}


def test_many_clients_lose_no_request(stack):
    """A short listen queue would cause 502."""
    answers = in_threads(64, lambda: [Client(stack).get("/me") for _ in range(20)])
    assert [a.status_code for a in answers] == [403] * (64 * 20)


# --- paths, compression, logs ---------------------------------------------------

@pytest.mark.parametrize("path", ["/services//v5///me", "/services/v5/./me",
                                  "/services/v5/x/../me", "/services/v5/%6de"])
def test_the_normalised_path_counts(stack, person, path):
    status, _, body = raw(stack, f"GET {path} HTTP/1.1\r\nHost: x\r\n"
                          f"X-TrackerToken: {person().token}\r\n\r\n".encode())
    assert status == 200 and json.loads(body)["kind"] == "me"


def test_a_path_cannot_leave_its_location(stack):
    status, headers, body = raw(stack, b"GET /services/v5/..%2f%2e%2e/x HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status == 404
    assert_error(headers, body, "route_not_found")


def test_chunked_bodies_arrive(stack, api, person):
    answer = api(person()).put("/me", data=iter([b'{"no_such', b'_key": 1}']),
                               headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert "no_such_key" in answer.text


def test_large_answers_are_compressed(stack, api, person):
    client = api(person())
    answers = [client.post("/projects", json={"name": f"packed {i}", "new_account_name": f"packed {i}"})
               for i in range(2)]
    assert [a.status_code for a in answers] == [200, 200]
    plain = client.get("/projects", headers={"Accept-Encoding": "identity"})
    packed = client.get("/projects", headers={"Accept-Encoding": "gzip"})
    assert len(plain.content) >= 1024 and "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert packed.json() == plain.json()


def test_request_id_is_nginx_own_and_logged(stack, api):
    answer = api().get("/me", headers={"X-Request-Id": "forged"})
    ident = answer.headers["X-Request-Id"]
    assert ident != "forged"
    assert wait_for(lambda: f"id={ident}" in stack.log("access"))


def test_queries_stay_out_of_the_logs(stack, api, person):
    token = person().token
    answer = api().get(f"/me?token={token}")
    assert answer.status_code == 200
    line = wait_for(lambda: [text for text in stack.log("access").splitlines()
                             if answer.headers["X-Request-Id"] in text])
    assert '"GET /services/v5/me HTTP/1.1" 200' in line[0]
    assert token not in stack.log("access") + stack.log("workers") + stack.log("nginx-error")


def test_proxy_header_does_not_reach_the_program(stack, api):
    assert api().get("/me", headers={"Proxy": "http://127.0.0.1:1"}).status_code == 403
