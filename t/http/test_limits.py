"""Limits of one request, one person and one body."""

import concurrent.futures
import os
import pathlib
import re
import signal
import socket
import time

import psycopg2
import pytest

from conftest import TOP, Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from test_faults import workers
from test_sessions import Browser
from world import new_project, ok

pytestmark = pytest.mark.both  # memory and times must be bounded in the build that ships

WAITING = """select 1 from pg_stat_activity where application_name ~ '^planwright'
    and wait_event_type = 'Lock'"""

BUSY = """select 1 from pg_stat_activity where application_name ~ '^planwright'
    and state <> 'idle'"""


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("limits"), workers=4, settings="\n".join((
        "statement_timeout_ms = 3500", "request_timeout_ms = 2500", "max_rows_mib = 24")))
    stack.patient = False
    stack.boss, stack.other = Person(stack, "Boss"), Person(stack, "Other")
    stack.client = Client(stack, stack.boss.token)
    stack.project = new_project(stack.client, public=True)["id"]
    stack.path = f"/projects/{stack.project}"
    yield stack
    stack.close(expects_5xx=True)


# Makes a change to a project wait before anything is written, or after its commit was sent.
FIRST = "select pg_advisory_xact_lock(1::bigint << 61 | id) from planwright.project"
LAST = "lock table planwright.activity in exclusive mode"


@pytest.fixture(scope="module")
def by_cookie(server):
    return Browser(server.boss)


class Lock:
    """Makes everybody who reads epics wait, or whatever else the statement blocks."""

    def __init__(self, server, statement="lock table planwright.epic in access exclusive mode"):
        self.server, self.statement = server, statement

    def __enter__(self):
        self.connection = psycopg2.connect(self.server.env["STACK_ADMIN_DB"])
        self.connection.cursor().execute(self.statement)
        return self

    def __exit__(self, *_):
        self.connection.close()

    def waits(self, count=1):
        return wait_for(lambda: len(self.server.sql(WAITING)) == count)


def timed(call, *args, **kwargs):
    start = time.monotonic()
    answer = call(*args, **kwargs)
    answer.seconds = time.monotonic() - start
    return answer


def slow(server, client):
    return timed(client.get, f"{server.path}/epics")


# --- a request's time -------------------------------------------------------------

@pytest.mark.alone
def test_a_request_has_so_much_time(server):
    with Lock(server):
        answer = slow(server, server.client)
    assert answer.status_code == 503 and answer.json()["code"] == "service_unavailable"
    assert int(answer.headers["Retry-After"]) > 0 and 2 < answer.seconds < 3.4
    assert wait_for(lambda: "GET /projects/:project/epics" in server.log("workers"))
    assert slow(server, server.client).status_code == 200


@pytest.mark.alone
def test_its_parts_share_the_time(server):
    paths = [f"/services/v5{server.path}/epics?fields={name}" for name in ("name", "url", "kind")]
    with Lock(server):
        answer = timed(server.client.post, "/aggregator", paths)
    assert answer.status_code == 503 and 2 < answer.seconds < 3.4
    assert list(ok(server.client.post("/aggregator", paths))) == paths


def version(server):
    return ok(server.client.get(f"{server.path}?fields=version"))["version"]


@pytest.mark.alone
def test_a_write_has_so_much_time(server):
    before = version(server)
    with Lock(server, FIRST):
        answer = timed(server.client.post, f"{server.path}/labels", {"name": "never"})
    assert answer.status_code == 503 and 2 < answer.seconds < 3.4
    assert "Retry-After" in answer.json()["possible_fix"]
    assert version(server) == before and ok(server.client.get(f"{server.path}/labels")) == []


@pytest.mark.alone
def test_a_write_whose_commit_was_sent_has_so_much_time(server):
    """It may still be committed, or not."""
    before = version(server)
    with Lock(server, LAST):
        answer = timed(server.client.post, f"{server.path}/labels", {"name": "late"})
    assert answer.status_code == 503 and 2 < answer.seconds < 3.4
    assert "may have taken effect" in answer.json()["possible_fix"]
    assert wait_for(lambda: not server.sql(BUSY))
    assert version(server) - before == len(ok(server.client.get(f"{server.path}/labels")))


def test_nginx_waits_longer():
    conf = (TOP / "src" / "service" / "conf_items.c").read_text()
    limit, = re.findall(r'"request_timeout_ms",.*"(\d+)"', conf)
    server = (TOP / "nginx" / "planwright.conf").read_text()
    read, = re.findall(r"^\tfastcgi_read_timeout (\d+)s;", server, re.M)
    assert int(limit) + 5000 <= int(read) * 1000


# --- whoever asked is gone --------------------------------------------------------

@pytest.mark.alone
def test_nobody_waits_for_the_answer(server):
    with Lock(server) as lock:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(f"GET /services/v5{server.path}/epics HTTP/1.1\r\nHost: x\r\n"
                           f"X-TrackerToken: {server.boss.token}\r\n\r\n".encode())
            assert lock.waits()
        assert wait_for(lambda: not server.sql(WAITING), seconds=1)


def test_half_a_connection_is_one(server):
    """A web server that closes its sending side still reads."""
    with Lock(server) as lock:
        request = Request(server, "GET", f"{server.path}/epics",
                          HTTP_X_TRACKERTOKEN=server.boss.token)
        request.socket.sendall(b"\x01\x05\x00\x01\x00\x00\x00\x00")
        request.socket.shutdown(socket.SHUT_WR)
        assert lock.waits()
        time.sleep(0.3)
    assert request.answer(ends=False)[0] == 200


def write_and_go(server, lock, name):
    body = f'{{"name":"{name}"}}'.encode()
    request = Request(server, "POST", f"{server.path}/stories", CONTENT_LENGTH=str(len(body)),
                      HTTP_X_TRACKERTOKEN=server.boss.token)
    request.body(body).body(b"")
    assert lock.waits()
    request.socket.close()


def names(server):
    return [s["name"] for s in ok(server.client.get(f"{server.path}/stories?fields=name"))]


@pytest.mark.alone
def test_a_write_that_nobody_waits_for_is_ended(server):
    before = version(server)
    with Lock(server, FIRST) as lock:
        write_and_go(server, lock, "ended")
        assert wait_for(lambda: not server.sql(WAITING), seconds=1)
    assert version(server) == before and "ended" not in names(server)


def test_a_write_whose_commit_was_sent_is_made(server):
    """Nobody waits for its answer, and it takes longer than a second."""
    before = version(server)
    with Lock(server, LAST) as lock:
        write_and_go(server, lock, "made")
        time.sleep(1.5)
        assert lock.waits()
    assert wait_for(lambda: version(server) == before + 1)
    assert names(server).count("made") == 1


# --- a person's share of the workers -----------------------------------------------

def crowd(server, *clients):
    pool = concurrent.futures.ThreadPoolExecutor(len(clients))
    return [pool.submit(slow, server, client) for client in clients]


def assert_told_to_wait(answer):
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    error = answer.json()
    assert list(error) == ["code", "kind", "error", "general_problem", "possible_fix"]
    assert (error["code"], error["kind"]) == ("too_many_requests", "error")


@pytest.mark.alone
@pytest.mark.parametrize("named", [True, False])
def test_slow_requests_of_one_take_half_of_the_workers(server, named):
    """Identified by the token, or without one by the address; fast requests of the same person pass."""
    one = server.client if named else Client(server)
    other = Client(server, server.other.token)
    with Lock(server):
        answers = crowd(server, *[one] * 4)
        time.sleep(0.3)
        quick = timed(other.get, "/me")
        assert quick.status_code == 200 and quick.seconds < 1
        quick = [timed(client.get, f"{server.path}?fields=id")
                 for client in (one, other) for _ in range(9)]
        assert {a.status_code for a in quick} == {200} and max(a.seconds for a in quick) < 0.5
        answers = sorted((a.result() for a in answers), key=lambda a: a.seconds)
    assert [a.status_code for a in answers] == [429, 429, 503, 503]
    assert all(0.9 < a.seconds < 1.4 for a in answers[:2])
    for answer in answers[:2]:
        assert_told_to_wait(answer)


@pytest.mark.alone
def test_others_do_not_wait_behind_all_of_them(server):
    """A person who continues after a refusal is refused sooner."""
    other = Client(server, server.other.token)
    with Lock(server):
        answers = crowd(server, *[server.client] * 12)
        time.sleep(1.2)
        quick = [timed(other.get, "/me") for _ in range(5)]
        assert {a.status_code for a in quick} == {200} and quick[0].seconds < 1.5
        assert max(a.seconds for a in quick[1:]) < 0.5
        answers = [a.result() for a in answers]
    assert [a.status_code for a in answers].count(503) == 2
    assert [a.status_code for a in answers].count(429) == 10
    assert sorted(a.seconds for a in answers)[9] < 2.8


def test_each_has_a_share(server):
    with Lock(server):
        answers = crowd(server, server.client, Client(server, server.other.token), server.client,
                        Client(server))
        assert {a.result().status_code for a in answers} == {503}


def test_a_person_has_one_share_by_token_and_cookie(server, by_cookie):
    """The server knows whose token it is, because it has answered it before."""
    ok(server.client.get("/me"))
    with Lock(server):
        answers = crowd(server, *[server.client, by_cookie] * 3)
        assert sorted(a.result().status_code for a in answers) == [429] * 4 + [503] * 2


def test_an_export_is_one_by_token_or_cookie(server, by_cookie):
    path = f"{server.path}/export.zip"
    with Lock(server, "lock table planwright.label in access exclusive mode") as lock:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            first = pool.submit(server.client.get, path)
            assert lock.waits()
            again = by_cookie.get(path)
            assert_told_to_wait(again)
            assert "one export at a time" in again.json()["general_problem"]
            lock.connection.close()
            assert first.result().status_code == 200
    assert by_cookie.get(path).status_code == 200


def test_a_board_that_loads_is_never_told_to_wait(server, by_cookie):
    """Fifteen requests at a time, again and again, while somebody else is active."""
    other = Client(server, server.other.token)
    paths = ["", "/stories", "/epics", "/labels", "/memberships"] * 3
    for _ in range(3):
        ok(other.get("/me"))
        with concurrent.futures.ThreadPoolExecutor(15) as pool:
            answers = list(pool.map(lambda path: by_cookie.get(server.path + path), paths))
        assert {a.status_code for a in answers} == {200}


def test_a_share_is_given_back(server):
    with Lock(server) as lock:
        answers = crowd(server, server.client, server.client)
        assert lock.waits(2)
        time.sleep(1.2)
    assert {a.result().status_code for a in answers} == {200}
    with Lock(server) as lock:
        answers = crowd(server, server.client, server.client)
        assert lock.waits(2)
        time.sleep(1.2)
        assert lock.waits(2)
    assert {a.result().status_code for a in answers} == {200}


# New workers prepare their statements while the table is free, which takes sanitized ones longer.
@pytest.mark.alone
def test_who_is_killed_holds_no_share(server):
    with Lock(server) as lock:
        answers = crowd(server, server.client, server.client)
        assert lock.waits(2)
        time.sleep(1.2)
        for pid in workers(server):
            os.kill(pid, signal.SIGKILL)
        assert {a.result().status_code for a in answers} == {502}
    assert wait_for(lambda: not server.sql(WAITING))
    assert wait_for(lambda: len(workers(server)) == 4)
    time.sleep(0.5)
    with Lock(server):
        answers = crowd(server, server.client, server.client)
        assert {a.result().status_code for a in answers} == {503}


def test_a_single_worker_is_shared_by_nobody(new_stack):
    stack = new_stack(workers=1, expects_5xx=True, settings="request_timeout_ms = 2000")
    client = Client(stack, Person(stack, "Boss").token)
    stack.path = f"/projects/{new_project(client)['id']}"
    with Lock(stack):
        assert slow(stack, client).status_code == 503


SLOW_STATEMENTS = "statement_timeout_ms = 20000\nrequest_timeout_ms = 2000"
QUICK_STATEMENTS = "statement_timeout_ms = 1000\nrequest_timeout_ms = 6000"


@pytest.mark.alone
@pytest.mark.parametrize("settings", [SLOW_STATEMENTS, QUICK_STATEMENTS], ids=["its time", "a statement's time"])
def test_a_new_connection_waits_no_longer_for_a_locked_table(new_stack, settings):
    """It prepares statements, a hundred of which name the table."""
    stack = new_stack(workers=1, expects_5xx=True, settings=settings)
    client = Client(stack, Person(stack, "Boss").token)
    with Lock(stack, "lock table planwright.story in access exclusive mode"):
        stack.cut()
        answer = timed(client.get, "/me")
        assert answer.status_code == 503 and answer.json()["code"] == "service_unavailable"
        assert answer.seconds < 3.4
    assert client.get("/me").status_code == 200


@pytest.mark.alone
def test_a_new_worker_waits_no_longer_for_a_locked_table(new_stack):
    """Nor does the first request wait for the worker's start until the web server gives it up."""
    stack = new_stack(workers=1, expects_5xx=True, settings=SLOW_STATEMENTS)
    client = Client(stack, Person(stack, "Boss").token)
    with Lock(stack, "lock table planwright.story in access exclusive mode"):
        for pid in workers(stack):
            os.kill(pid, signal.SIGKILL)
        answer = timed(client.get, "/me")
        assert answer.status_code == 503 and answer.seconds < 12
    assert client.get("/me").status_code == 200


# --- memory ------------------------------------------------------------------------

SANITIZED = os.environ["STACK_BUILD"].rstrip("/").endswith("sanitized")


class Peak:
    """The most memory that the workers used together since the start, in MiB."""

    def __init__(self, stack):
        self.stack = stack
        for pid in workers(stack):
            pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
        self.before = self.now("VmRSS")

    def now(self, name):
        texts = [pathlib.Path(f"/proc/{pid}/status").read_text() for pid in workers(self.stack)]
        return sum(int(re.search(rf"{name}:\s+(\d+)", text)[1]) for text in texts) / 1024

    def highest(self):
        """The peak of the worker with the highest one."""
        texts = [pathlib.Path(f"/proc/{pid}/status").read_text() for pid in workers(self.stack)]
        return max(int(re.search(r"VmHWM:\s+(\d+)", text)[1]) for text in texts) / 1024

    def assert_below(self, grown):
        assert SANITIZED or self.now("VmHWM") - self.before < grown


@pytest.fixture(scope="module")
def comments(server):
    """A list of a project's 400 stories with 64 MB of comments."""
    project = new_project(server.client)["id"]
    server.sql("""set session_replication_role = replica;
        with s as (insert into planwright.story (project_id, name, rank, requested_by_id)
            select %s, 'Story ' || n, n * 1000, %s from generate_series(1, 400) n returning id)
        insert into planwright.comment (story_id, person_id, text)
        select id, %s, repeat('x', 20000) from s, generate_series(1, 8);
        reset session_replication_role""", project, server.boss.id, server.boss.id)
    return f"/projects/{project}/stories?limit=500&fields=comments(text)"


def test_rows_are_counted(server, comments):
    """They are counted before all of them have been received."""
    peak = Peak(server)
    answer = server.client.get(comments)
    assert answer.status_code == 400 and answer.json()["code"] == "invalid_parameter"
    assert "24 MiB of rows" in answer.json()["general_problem"]
    peak.assert_below(40)
    assert len(ok(server.client.get(comments.replace("500", "50")))) == 50


def test_rows_of_a_part_are_counted(server, comments):
    small = comments.replace("500", "5")
    paths = [f"/services/v5{path}" for path in (small, comments)]
    answer = server.client.post("/aggregator", paths)
    first, second = ok(answer).values()
    assert len(first) == 5 and "24 MiB of rows" in second["general_problem"]


def part(path):
    return f"/services/v5{path}"


@pytest.mark.plain
@pytest.mark.parametrize("ask", [
    lambda client, path: client.get(path.replace("500", "100")),
    lambda client, path: client.get(path.replace("500", "80") + "&envelope=true"),
    lambda client, path: client.get(path.split("/stories")[0]
                                    + "/search?query=type:feature&fields=stories(stories(comments(text)))"),
    lambda client, path: client.post("/aggregator", [
        part(path.replace("500", f"40&offset={n}")) for n in range(9)]),
    lambda client, path: client.post("/aggregator", [part(path), part(path.replace("500", "499"))]),
], ids=["a list", "in an envelope", "a search", "parts", "parts that are refused"])
def test_rows_and_text_have_one_limit(server, comments, ask):
    """The limit is 24 MiB, and a worker uses at most 32 more."""
    peak = Peak(server)
    answer = ask(server.client, comments)
    assert "24 MiB of rows" in answer.text
    assert peak.highest() < 24 + 32
    assert len(ok(server.client.get(comments.replace("500", "50")))) == 50


JSON = {"Content-Type": "application/json"}
MANY = b"[" + b",".join([b"{}"] * 349000) + b"]"


@pytest.mark.alone
@pytest.mark.parametrize("token", [None, "f" * 32])
def test_a_body_of_nobody_is_not_looked_at(server, token):
    peak = Peak(server)
    client = Client(server, token)
    for path in ("/aggregator", f"{server.path}/stories", "/my/workspaces"):
        answer = timed(client.post, path, data=MANY, headers=JSON)
        assert answer.status_code == 403
        assert answer.seconds < 0.3
    peak.assert_below(8)


def test_a_body_has_so_many_values(server):
    peak = Peak(server)
    answer = server.client.post("/aggregator", data=MANY, headers=JSON)
    assert answer.status_code == 400 and answer.json()["code"] == "could_not_parse_body"
    assert "more than 50000 values" in answer.json()["general_problem"]
    peak.assert_below(8)


def test_a_large_body_of_somebody_is_read(server):
    text = "x" * 19000
    story = ok(server.client.post(f"{server.path}/stories", {"name": "large", "description": text}))
    assert story["description"] == text
