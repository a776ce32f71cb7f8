"""What happens when parts fail, on a separate server: its 5xx do not count."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import signal
import threading
import time

import psycopg2
import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from world import new_project, ok


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("faults"), workers=1, settings="statement_timeout_ms = 2500")
    stack.boss = Person(stack, "Boss")
    stack.client = Client(stack, stack.boss.token)
    stack.project = new_project(stack.client)["id"]
    stack.stories = f"/projects/{stack.project}/stories"
    stack.story = ok(stack.client.post(stack.stories, {"name": "x"}))["id"]
    yield stack
    stack.close(expects_5xx=True)


def workers(stack):
    """The ids of the processes that answer."""
    session = (stack.directory / "pid" / "workers").read_text().split()[0]
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = stat.read_text().rsplit(")", 1)
        except OSError:
            continue
        if name.endswith("(planwright.fcgi") and rest.split()[3] == session:
            found.append(int(stat.parent.name))
    return found


class Lock:
    """Holds the project's row, so that a write waits."""

    def __init__(self, server):
        self.server = server

    def __enter__(self):
        self.connection = psycopg2.connect(self.server.env["STACK_ADMIN_DB"])
        self.connection.cursor().execute("select from planwright.project for update")
        return self

    def __exit__(self, *_):
        self.connection.close()

    def waits(self):
        return wait_for(lambda: self.server.sql(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock'"))


def answers(server):
    return wait_for(lambda: server.client.get("/me").status_code == 200)


def fastcgi(server, method, path, **params):
    return Request(server, method, path, HTTP_X_TRACKERTOKEN=server.boss.token,
                   CONTENT_TYPE="application/json", **params)


# --- the database ---------------------------------------------------------------

def test_a_cancel_that_hits_the_rollback_leaves_no_transaction_open(server):
    """Requests that are refused roll back, while their connection is cancelled all the time."""
    ended = threading.Event()

    def cancel():
        with contextlib.closing(psycopg2.connect(server.env["STACK_ADMIN_DB"])) as connection:
            connection.autocommit = True
            while not ended.is_set():
                connection.cursor().execute("""select pg_cancel_backend(a.pid)
                    from pg_stat_activity a, generate_series(1, 500)
                    where a.application_name ~ '^planwright' and a.usename = 'planwright'""")
    thread = threading.Thread(target=cancel)
    thread.start()
    mark = len(server.log("postgres"))
    try:
        late = time.monotonic() + 60  # one in about a thousand requests is hit there
        while "STATEMENT:  rollback" not in server.log("postgres")[mark:] and time.monotonic() < late:
            for _ in range(20):
                server.client.post(server.stories, {"name": "x", "estimate": 77})
    finally:
        ended.set()
        thread.join()
    assert "STATEMENT:  rollback" in server.log("postgres")[mark:]
    assert answers(server)
    assert server.client.post(server.stories, {"name": "x", "estimate": 77}).status_code == 400


def test_the_database_stops_and_comes_back(server):
    """503 with Retry-After meanwhile; the same worker goes on."""
    assert answers(server)
    before = workers(server)
    server.part("stop", "postgres")
    for _ in range(3):
        answer = server.client.get(f"/stories/{server.story}")
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.json()["code"] == "service_unavailable"
        assert answer.json()["kind"] == "error"
    server.part("start", "postgres")
    assert answers(server)
    assert workers(server) == before
    ok(server.client.put(f"/stories/{server.story}", {"name": "again"}))


def test_a_connection_that_was_cut_while_idle(server):
    """Nothing was asked on it yet: the worker connects again, and nobody notices."""
    assert answers(server)
    server.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'planwright'")
    time.sleep(0.2)
    assert server.client.get("/me").status_code in (200, 503)
    assert answers(server)


def test_a_connection_that_is_cut_during_a_write(server):
    """503, and the write is not done twice."""
    before = ok(server.client.get(f"/projects/{server.project}?fields=version"))["version"]
    with Lock(server) as lock, concurrent.futures.ThreadPoolExecutor(1) as pool:
        write = pool.submit(server.client.post, server.stories, {"name": "cut"})
        assert lock.waits()
        server.sql("select pg_terminate_backend(pid) from pg_stat_activity "
                   "where usename = 'planwright'")
        assert write.result().status_code == 503
    assert answers(server)
    after = ok(server.client.get(f"/projects/{server.project}?fields=version"))["version"]
    assert after == before


def test_a_statement_that_takes_too_long(server):
    with Lock(server) as lock, concurrent.futures.ThreadPoolExecutor(1) as pool:
        start = time.monotonic()
        write = pool.submit(server.client.post, server.stories, {"name": "late"})
        assert lock.waits()
        answer = write.result()
        assert answer.status_code == 503 and "Retry-After" in answer.headers
        assert 2 < time.monotonic() - start < 12
    assert ok(server.client.post(server.stories, {"name": "in time"}))["id"]


def test_nginx_has_no_room_for_a_body(server):
    """As on a full disk."""
    folder = pathlib.Path(server.env["STACK_RUN"]) / "web" / "body"
    mode = folder.stat().st_mode
    folder.chmod(0)
    try:
        answer = server.client.post(server.stories, data=b'{"name":"x"}' + b" " * 100000)
    finally:
        folder.chmod(mode)
    assert answer.status_code == 503 and answer.json()["code"] == "service_unavailable"
    assert int(answer.headers["Retry-After"]) > 0


# --- signals --------------------------------------------------------------------

def test_sigterm_during_a_request(server):
    """The request in hand is answered; then another worker takes over."""
    assert answers(server)
    old, = workers(server)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with Lock(server) as lock:
            write = pool.submit(server.client.post, server.stories, {"name": "finished"})
            assert lock.waits()
            os.kill(old, signal.SIGTERM)
            time.sleep(0.2)
        assert ok(write.result())["name"] == "finished"
    assert wait_for(lambda: workers(server) not in ([], [old]))
    assert answers(server)


def test_sigterm_while_a_body_is_read(server):
    """A signal cuts no body."""
    assert answers(server)
    old, = workers(server)
    body = json.dumps({"name": "long", "description": "x" * 19000}).encode() + b" " * 80000
    request = fastcgi(server, "POST", server.stories, CONTENT_LENGTH=str(len(body)))
    request.body(body[:30000])
    time.sleep(0.2)
    os.kill(old, signal.SIGTERM)
    time.sleep(0.2)
    status, answer = request.body(body[30000:]).answer()
    assert status == 200 and len(json.loads(answer)["description"]) == 19000
    assert wait_for(lambda: workers(server) not in ([], [old])) and answers(server)


def test_a_worker_that_is_killed(server):
    """The request in flight is lost, its transaction too; the next is answered."""
    assert answers(server)
    old, = workers(server)
    before = ok(server.client.get(f"/projects/{server.project}?fields=version"))["version"]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with Lock(server) as lock:
            write = pool.submit(server.client.post, server.stories, {"name": "lost"})
            assert lock.waits()
            os.kill(old, signal.SIGKILL)
            answer = write.result()
            assert answer.status_code == 502 and answer.json()["code"] == "service_unavailable"
            server.sql("select pg_terminate_backend(pid) from pg_stat_activity "
                       "where usename = 'planwright' and wait_event_type = 'Lock'")
    assert answers(server)
    assert workers(server) != [old]
    after = ok(server.client.get(f"/projects/{server.project}?fields=version"))["version"]
    assert after == before


def test_a_worker_that_is_killed_often(server):
    """Another is started each time."""
    for _ in range(6):
        assert answers(server)
        old, = workers(server)
        os.kill(old, signal.SIGKILL)
        assert wait_for(lambda: workers(server) not in ([], [old]))
    assert answers(server)


# --- bodies that nginx would not let through ------------------------------------

def test_a_body_shorter_than_its_length(server):
    before = ok(server.client.get(f"/projects/{server.project}?fields=version"))["version"]
    for body in (b'{"name":"x"}', b""):
        status, answer = fastcgi(server, "POST", server.stories,
                                 CONTENT_LENGTH="100").body(body).answer()
        assert (status, json.loads(answer)["code"]) == (400, "could_not_parse_body")
    assert ok(server.client.get(f"/projects/{server.project}?fields=version"))["version"] == before


def test_a_body_longer_than_its_length(server):
    """What is behind the length belongs to nobody."""
    body = b'{"name":"x"}'
    status, answer = fastcgi(server, "POST", server.stories,
                             CONTENT_LENGTH=str(len(body))).body(body + b"garbage").answer()
    assert status == 200 and json.loads(answer)["name"] == "x"
    assert answers(server)


@pytest.mark.parametrize("length, status", [("-1", 400), ("x", 400), ("1e3", 400), (" 5", 400),
                                            ("9223372036854775808", 400), ("0", 400),
                                            ("9223372036854775807", 413), ("2000000", 413)])
def test_lengths_that_are_none(server, length, status):
    got, answer = fastcgi(server, "POST", server.stories, CONTENT_LENGTH=length).answer()
    assert got == status and json.loads(answer)["kind"] == "error"


@pytest.mark.parametrize("params, status", [
    ({"REQUEST_METHOD": ""}, 405), ({"DOCUMENT_URI": ""}, 404), ({"QUERY_STRING": "%"}, 400),
    ({"DOCUMENT_URI": "/services/v5/\udcff"}, 404), ({"HTTP_AUTHORIZATION": "Basic"}, 403),
    ({"DOCUMENT_URI": "/services/v5" + "/x" * 5000}, 414), ({"HTTP_X_TRACKERTOKEN": "\x01"}, 403)])
def test_parameters_that_nginx_would_not_send(server, params, status):
    got, answer = Request(server, **{"method": "GET", "path": "/me", **params}).answer()
    assert got == status and json.loads(answer)["kind"] == "error"


def test_a_client_that_goes_away_costs_nothing(server):
    for _ in range(3):
        request = fastcgi(server, "POST", server.stories, CONTENT_LENGTH="1000")
        request.body(b"{").socket.close()
    assert answers(server)


# --- logs -----------------------------------------------------------------------

def test_no_log_holds_a_token(server):
    """Not after a success, a refusal, a fault of the database, or as a parameter."""
    token, other = server.boss.token, "0123456789abcdef" * 2
    client = Client(server)
    for path in (f"/me?token={token}", f"/me?token={other}", f"/nowhere?token={token}",
                 f"/me?token={token}&x=%", f"/me?token={token}&token={other}"):
        client.get(path)
    client.get("/me", headers={"X-TrackerToken": other, "Referer": f"http://x/?token={token}"})
    client.get("/me", auth=(server.boss.username, server.boss.password))
    server.sql("alter table planwright.person rename to person_away")
    assert client.get(f"/me?token={token}").status_code in (500, 503)
    server.sql("alter table planwright.person_away rename to person")
    assert answers(server)
    logs = "".join(f.read_text(errors="replace") for f in (server.directory / "log").glob("*.log"))
    assert "/services/v5/me" in logs
    for secret in (token, other, server.boss.password, server.secrets[0]):
        assert secret not in logs


def test_a_server_that_never_ends_its_input(server):
    """It holds the worker for a few seconds at most."""
    start = time.monotonic()
    status, _ = Request(server, "GET", "/me", keep=True,
                        HTTP_X_TRACKERTOKEN=server.boss.token).answer(ends=False)
    assert status == 200 and time.monotonic() - start < 5
    assert ok(server.client.get("/me"))["id"] == server.boss.id
    assert time.monotonic() - start < 10


def test_a_connection_that_the_server_keeps(server):
    """Apache does so when told to; an idle one does not hold a worker for long."""
    token = {"HTTP_X_TRACKERTOKEN": server.boss.token}
    first = Request(server, "GET", "/me", keep=True, **token)
    assert first.answer()[0] == 200
    second = first
    for _ in range(30):
        second = Request(server, "GET", server.stories, keep=True, on=second, **token)
        status, body = second.answer()
        assert status == 200 and server.story in [s["id"] for s in json.loads(body)]
    start = time.monotonic()
    assert ok(server.client.get("/me"))["id"] == server.boss.id
    assert time.monotonic() - start < 10
    second.socket.close()
