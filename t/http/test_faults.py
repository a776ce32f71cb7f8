"""What happens when parts fail, on a separate server: 5xx answers are allowed there."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time

import psycopg2
import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from world import new_project, ok

pytestmark = pytest.mark.both  # crashes and times must be tested with the build that ships

HERE = pathlib.Path(__file__).parent


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
    """The ids of the worker processes."""
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
    """Holds a lock on the project's row, so that a write waits."""

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

def test_a_cancel_that_hits_the_rollback_leaves_no_transaction_open(server, monkeypatch):
    """Requests that are refused roll back; PostgreSQL is cancelled before, in and after the rollback
    (cancel_rollback.c)."""
    library = server.directory / "cancel.so"  # PostgreSQL may run as another user, who can read it there
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, HERE / "cancel_rollback.c", "-ldl"], check=True)
    monkeypatch.setenv("STACK_TRACER", f"env LD_PRELOAD={library}")
    server.part("stop", "postgres")
    server.part("start", "postgres")
    assert answers(server)
    mark = len(server.log("postgres"))
    for _ in range(400):  # of twelve points in time, some are in the rollback
        server.client.post(server.stories, {"name": "x", "estimate": 77})
        if "STATEMENT:  rollback" in server.log("postgres")[mark:]:
            break
    assert "STATEMENT:  rollback" in server.log("postgres")[mark:]
    assert answers(server)
    assert server.client.post(server.stories, {"name": "x", "estimate": 77}).status_code == 400
    monkeypatch.delenv("STACK_TRACER")
    server.part("stop", "postgres")
    server.part("start", "postgres")
    assert answers(server)


def test_the_database_stops_and_comes_back(server):
    """Meanwhile 503 with Retry-After; afterwards the same worker continues."""
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
    """Nothing was sent on it yet: the worker connects again, and nobody notices."""
    assert answers(server)
    server.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'planwright'")
    time.sleep(0.2)
    assert server.client.get("/me").status_code in (200, 503)
    assert answers(server)


def recovers(server):
    with contextlib.suppress(psycopg2.Error):
        server.connection.close()
        return server.sql("select true")
    return None


def test_a_crash_that_ended_an_idle_connection(server):
    """A database process crashes: all connections end with a warning as their last message. The database recovers,
    and no request is answered 503 because of it."""
    for _ in range(5):
        assert answers(server)
        server.sql("checkpoint")  # the tests' database commits without flushing
        (victim,), = server.sql("select pid from pg_stat_activity where backend_type = 'walwriter'")
        os.kill(victim, signal.SIGKILL)
        time.sleep(0.3)
        assert wait_for(lambda: recovers(server))
        answer = server.client.get("/me")
        assert answer.status_code == 200, (answer.text, server.log("workers")[-600:])


@contextlib.contextmanager
def another_column(server, view):
    """A view that has one column more, as after the migration of a later version."""
    (text,), = server.sql(f"select pg_get_viewdef('api.{view}'::regclass)")
    server.sql(f"create or replace view api.{view} as select v.*, null::integer as added from ({text.rstrip(';')}) v")
    yield
    server.sql(f"drop view api.{view}; create view api.{view} as {text}; grant select on api.{view} to planwright")


@pytest.mark.parametrize("view, path", [("story", ""), ("task", "/tasks"), ("comment", "/comments")])
def test_a_view_gets_another_column(server, view, path):
    """What was prepared before a migration is prepared anew: nobody who reads notices."""
    path = f"{server.stories}/{server.story}{path}"
    before = ok(server.client.get(path))
    with another_column(server, view):
        assert [ok(server.client.get(path)) for _ in range(3)] == [before] * 3
    assert ok(server.client.get(path)) == before


def test_a_table_gets_another_column(server):
    """A change may have been made: its client repeats it."""
    path = f"{server.stories}/{server.story}"
    ok(server.client.put(path, {"name": "before"}))
    server.sql("alter table story add column added integer")
    answers = [server.client.put(path, {"name": f"after {i}"}) for i in range(3)]
    assert [a.status_code for a in answers] == [503, 200, 200], answers[0].text
    assert answers[0].headers["Retry-After"] and ok(server.client.get(path))["name"] == "after 2"


def test_a_connection_that_is_cut_during_a_write(server):
    """503, and the write is not made twice."""
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
    """The current request is answered; then another worker takes over."""
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
    """A signal does not cut a body off."""
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
    """The current request is lost, with its transaction; the next one is answered."""
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
    """Another one is started each time."""
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
    """What follows the declared length is ignored."""
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
    """Not after a success, a refusal or a database fault, nor as a parameter."""
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
    """It blocks the worker for a few seconds at most."""
    start = time.monotonic()
    status, _ = Request(server, "GET", "/me", keep=True,
                        HTTP_X_TRACKERTOKEN=server.boss.token).answer(ends=False)
    assert status == 200 and time.monotonic() - start < 5
    assert ok(server.client.get("/me"))["id"] == server.boss.id
    assert time.monotonic() - start < 10


def test_a_connection_that_the_server_keeps(server):
    """Apache keeps connections when told to; an idle one does not block a worker for long."""
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
