"""Connections that the web server keeps open: they are reused, are passed from worker to worker, and outlive a worker
that is asked to end. Source: src/http/accept.h."""

import concurrent.futures
import contextlib
import itertools
import json
import os
import pathlib
import signal
import socket
import struct
import threading
import time

import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from fastcgi import BEGIN, PARAMS, STDIN, Request, record
from test_faults import Lock, workers
from within import within
from world import new_project, ok

KEPT_MAX = 64
MARK = b"p"  # the first byte of a connection that passes another one on


def start(name, workers):
    stack = Stack(stack_folder(name), workers=workers)
    stack.boss = Person(stack, "Boss")
    stack.client = Client(stack, stack.boss.token)
    stack.project = new_project(stack.client)["id"]
    stack.stories = f"/projects/{stack.project}/stories"
    return stack


@pytest.fixture(scope="module")
def single():
    """A server with one worker."""
    stack = start("kept", 1)
    yield stack
    stack.close(expects_5xx=True)


@pytest.fixture(scope="module")
def several():
    stack = start("several", 3)
    yield stack
    stack.close()


def request(stack, method="GET", path="/me", keep=True, **more):
    return Request(stack, method, path, keep=keep, HTTP_X_TRACKERTOKEN=stack.boss.token,
                   CONTENT_TYPE="application/json", **more)


def post(stack, name, **more):
    body = json.dumps({"name": name}).encode()
    return request(stack, "POST", stack.stories, CONTENT_LENGTH=str(len(body)), **more).body(body)


def answers(connections):
    """Sends each request completely before it waits for an answer: the worker takes them in its own order."""
    for c in connections:
        c.socket.sendall(record(STDIN))
    return [c.answer(ends=False)[0] for c in connections]


def kept(stack, n):
    """Open connections on which one answer was received."""
    connections = [request(stack) for _ in range(n)]
    assert answers(connections) == [200] * n
    return connections


def names(stack):
    found = []
    while page := ok(stack.client.get(f"{stack.stories}?limit=500&offset={len(found)}")):
        found += [s["name"] for s in page]
    return found


def is_closed(connection, seconds=5):
    connection.socket.settimeout(seconds)
    try:
        return connection.socket.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def accepted(stack):
    """The workers' ends of open connections."""
    lines = pathlib.Path("/proc/net/unix").read_text().splitlines()
    path = f"{stack.env['STACK_RUN']}/web/fcgi.sock"
    return {words[6] for words in map(str.split, lines) if words[5] == "03" and words[-1] == path}


# --- use ------------------------------------------------------------------------

def test_nginx_keeps_connections(several):
    seen = set()
    for i in range(40):
        ok(several.client.get("/me"))
        ok(several.client.post(several.stories, {"name": f"kept {i}"}))
        seen |= accepted(several)
    assert 1 <= len(seen) <= 4
    assert len(names(several)) == 40


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "POST"])
@pytest.mark.parametrize("size", [1, 20000, 300000, 1500000])
def test_a_body_that_nobody_reads(several, method, size):
    """The connection can be used for another request all the same."""
    for _ in range(10):
        answer = several.client.request(method, "/nothing", data=b"x" * size)
        assert answer.status_code in (400, 403, 404, 405, 413), answer.text
        ok(several.client.get("/me"))
    assert len(accepted(several)) <= 4


def test_a_server_that_does_not_keep(several):
    before = accepted(several)
    for _ in range(20):
        one = request(several, keep=False)
        second = one.socket.dup()
        assert one.answer()[0] == 200
        assert second.recv(1) == b""
    assert accepted(several) <= before


def test_there_is_a_bound(single):
    """A connection beyond it is answered, told that this is its last answer, and closed. A worker that was slow gets
    some connections back beyond it, until they are used again."""
    open_ones = kept(single, KEPT_MAX + 20)
    for _ in range(10):
        last = [c for c in open_ones if c.rest]
        assert all(is_closed(c) for c in last)
        open_ones = [c for c in open_ones if not c.rest]
        if len(open_ones) <= KEPT_MAX:
            break
        open_ones = [request(single, on=c) for c in open_ones]
        assert set(answers(open_ones)) == {200}
    assert KEPT_MAX - 4 <= len(open_ones) <= KEPT_MAX  # nginx may have the others
    for c in open_ones:
        assert request(single, on=c).answer()[0] == 200
        c.socket.close()
    assert len(kept(single, 10)) == 10


# --- a worker that is busy --------------------------------------------------------

def test_connections_leave_a_busy_worker(several):
    """Workers that are free answer; the busy connection stays."""
    connections = kept(several, 12)
    with Lock(several) as lock:
        slow = post(several, "waits", on=connections[0])
        slow.socket.sendall(record(STDIN))
        assert lock.waits()
        time.sleep(0.05)
        for _ in range(3):
            for c in connections[1:]:
                assert request(several, on=c).answer()[0] == 200
        assert lock.waits(), "the slow one has not ended, so nobody waited for it"
    assert slow.answer(ends=False)[0] == 200
    assert request(several, on=slow).answer()[0] == 200


def test_a_request_that_waits_behind_a_slow_one(several):
    """It arrived before the worker was known to be slow."""
    connections = kept(several, 12)
    with Lock(several) as lock:
        slow = post(several, "waits too", on=connections[0])
        slow.socket.sendall(record(STDIN))
        for c in connections[1:]:
            request(several, on=c).socket.sendall(record(STDIN))
        for c in connections[1:]:
            assert c.answer(ends=False)[0] == 200
        assert lock.waits(), "the slow one has not ended, so nobody waited for it"
    assert slow.answer(ends=False)[0] == 200


def test_requests_that_wait_are_shared(several):
    """All connections belong to one worker; the others take those on which requests wait."""
    first, *rest = workers(several)
    for pid in rest:
        os.kill(pid, signal.SIGSTOP)
    connections = kept(several, 12)
    # Connections that it gave away because of a slow answer, it takes back when it is idle.
    assert wait_for(lambda: len(open_sockets(first)) > 12)
    ends = {pid: len(open_sockets(pid)) for pid in [first, *rest]}
    for pid in rest:
        os.kill(pid, signal.SIGCONT)
    for _ in range(30):
        for c in connections:
            request(several, path=several.stories, on=c).socket.sendall(record(STDIN))
        assert [c.answer(ends=False)[0] for c in connections] == [200] * 12
    assert sum(len(open_sockets(pid)) > ends[pid] for pid in rest) > 0
    assert len(open_sockets(first)) < ends[first]


def open_sockets(pid):
    links = []
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            links.append(os.readlink(fd))
    return {link for link in links if link.startswith("socket:")}


# --- a worker that is asked to end -------------------------------------------------

@pytest.mark.timed
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1, signal.SIGINT])
def test_connections_outlive_their_worker(single, number):
    connections = kept(single, 5)
    old, = workers(single)
    start = time.monotonic()
    os.kill(old, number)
    assert wait_for(lambda: workers(single) not in ([], [old]))
    assert time.monotonic() - start < within(3)
    for c in connections:
        assert request(single, on=c).answer()[0] == 200
        c.socket.close()


def test_requests_outlive_their_worker(single):
    """One is being answered; the others wait on kept connections and new ones."""
    connections = kept(single, 4)
    old, = workers(single)
    with Lock(single) as lock:
        slow = post(single, "in hand", on=connections[0])
        slow.socket.sendall(record(STDIN))
        assert lock.waits()
        waiting = [post(single, f"waiting {i}", on=c) for i, c in enumerate(connections[1:])]
        waiting += [post(single, f"new {i}") for i in range(3)]
        for c in waiting:
            c.socket.sendall(record(STDIN))
        os.kill(old, signal.SIGTERM)
        time.sleep(0.2)
        assert workers(single) == [old]
    assert [c.answer(ends=False)[0] for c in [slow, *waiting]] == [200] * 7
    assert workers(single) != [old]
    written = ["in hand", "new 0", "new 1", "new 2", "waiting 0", "waiting 1", "waiting 2"]
    assert sorted(n for n in names(single) if n in written) == written


@contextlib.contextmanager
def without_path(stack):
    """Within the block, the socket's name leads to nobody."""
    path = pathlib.Path(stack.env["STACK_RUN"]) / "web" / "fcgi.sock"
    path.rename(path.with_suffix(".away"))
    try:
        yield
    finally:
        path.with_suffix(".away").rename(path)


def test_connections_that_cannot_be_passed_on(single):
    """Each gets one more answer, which says that it is the last."""
    single.part("stop", "nginx")
    idle, used = kept(single, 2)
    old, = workers(single)
    with without_path(single):
        os.kill(old, signal.SIGTERM)
        time.sleep(0.3)
        last = request(single, on=used)
        assert last.answer()[0] == 200 and last.rest
        assert is_closed(last)
        assert workers(single) == [old]
        idle.socket.close()
        assert wait_for(lambda: workers(single) not in ([], [old]))
    single.part("start", "nginx")
    assert ok(single.client.get("/me"))


def test_the_second_signal_ends_at_once(single):
    idle, = kept(single, 1)
    old, = workers(single)
    with without_path(single):
        os.kill(old, signal.SIGTERM)
        time.sleep(0.5)
        assert workers(single) == [old]
        os.kill(old, signal.SIGTERM)
        assert wait_for(lambda: workers(single) not in ([], [old]), seconds=2)
    assert is_closed(idle)
    assert ok(single.client.get("/me"))


def test_a_rolling_restart_loses_nothing(several):
    """Every request is answered, every write is made exactly once."""
    stop, count, failed, written = threading.Event(), itertools.count(), [], []

    def load():
        client = Client(several, several.boss.token)
        while not stop.is_set():
            name = f"rolling {next(count)}"
            for answer in (client.get(f"{several.stories}?limit=20"),
                           client.post(several.stories, {"name": name}), client.get("/me")):
                if answer.status_code != 200:
                    failed.append((answer.method, answer.status_code, answer.text))
                elif answer.method == "POST":
                    written.append(name)

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        threads = [pool.submit(load) for _ in range(12)]
        try:
            for _ in range(4):
                for old in workers(several):
                    os.kill(old, signal.SIGTERM)
                    assert wait_for(lambda: old not in workers(several)
                                    and len(workers(several)) == 3)
        finally:
            stop.set()
        for thread in threads:
            thread.result()
    assert failed == [] and len(written) > 50
    assert sorted(n for n in names(several) if n.startswith("rolling")) == sorted(written)


# --- other sides that do as they like ------------------------------------------------

def test_an_abort_in_the_middle(single):
    """FCGI_ABORT_REQUEST: the body ends early, and the connection is closed."""
    before = names(single)
    one = post(single, "aborted", on=kept(single, 1)[0])
    one.socket.sendall(record(2))
    assert one.answer(ends=False)[0] in (200, 400)
    assert is_closed(one)
    two = request(single, "POST", single.stories, CONTENT_LENGTH="500").body(b'{"name":"half')
    two.socket.sendall(record(2))
    assert two.answer(ends=False)[0] == 400
    assert [n for n in names(single) if n not in before] in ([], ["aborted"])


def test_a_client_that_closes_early(single):
    """In the middle of a request, after it, and before its answer."""
    old = workers(single)
    others = kept(single, 3)
    for content in (record(BEGIN, struct.pack(">HB5x", 1, 1)), record(PARAMS, b"x" * 9)[:12], b"\1"):
        one, = kept(single, 1)
        one.socket.sendall(content)
        one.socket.close()
    one = request(single, on=kept(single, 1)[0])
    one.socket.sendall(record(STDIN))
    one.socket.close()
    one = post(single, "nobody waits", on=kept(single, 1)[0])
    one.socket.close()
    for c in others:
        assert request(single, on=c).answer()[0] == 200
        c.socket.close()
    assert workers(single) == old


@pytest.mark.parametrize("garbage", [
    b"\0" * 8, b"GET / HTTP/1.1\r\n\r\n", MARK, MARK * 100, b"\1\1\0\1\xff\xff\0\0" + b"x" * 70000,
    record(BEGIN, b"short"), record(STDIN, b"x"), record(99), struct.pack(">BBHHBx", 1, 9, 0, 0, 0)])
def test_garbage_behind_an_answer(single, garbage):
    """It affects only this connection."""
    old = workers(single)
    one, other = kept(single, 2)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        one.socket.sendall(garbage)
    one.socket.shutdown(socket.SHUT_WR)
    assert request(single, on=other).answer()[0] == 200
    while not is_closed(one):
        pass  # libfcgi answers something
    assert workers(single) == old


def test_garbage_right_behind_a_request(single):
    """In the same packet: it is not a second request."""
    old = workers(single)
    one, other = kept(single, 2)
    again = request(single, on=one)
    again.socket.sendall(record(STDIN) + b"garbage" * 10)
    assert again.answer(ends=False)[0] == 200
    assert request(single, on=other).answer()[0] == 200
    assert workers(single) == old


@pytest.mark.timed
@pytest.mark.parametrize("piece", [b"\1", record(BEGIN, struct.pack(">HB5x", 1, 1))
                                   + record(PARAMS, b"\x0c\0REQUEST_METHOD")[:10]])
def test_a_request_that_does_not_go_on(single, piece):
    """It blocks the worker for some seconds; a silent connection does not block it at all."""
    silent = socket.socket(socket.AF_UNIX)
    silent.connect(f"{single.env['STACK_RUN']}/web/fcgi.sock")
    one, other = kept(single, 2)
    start = time.monotonic()
    assert request(single, on=other).answer()[0] == 200
    assert time.monotonic() - start < within(1)
    one.socket.sendall(piece)
    time.sleep(0.1)
    assert request(single, on=other).answer()[0] == 200
    assert ok(single.client.get("/me"))
    assert time.monotonic() - start < within(9)
    assert is_closed(one)
    silent.close()


def send_descriptor(stack, fd):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(f"{stack.env['STACK_RUN']}/web/fcgi.sock")
        socket.send_fds(s, [MARK], [fd])


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user than the workers'")
def test_descriptors_of_strangers(single):
    """Only a worker may pass connections on."""
    ours, theirs = socket.socketpair()
    send_descriptor(single, theirs.fileno())
    theirs.close()
    ours.settimeout(5)
    assert ours.recv(1) == b""
    assert ok(single.client.get("/me"))


def test_descriptors_of_other_things(single):
    """Sent by the workers' user, which is trusted but may make mistakes."""
    old, = workers(single)
    user = os.stat(f"/proc/{old}").st_uid
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setuid(user)
            send_descriptor(single, write)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    os.close(write)
    assert os.read(read, 1) == b""
    os.close(read)
    assert ok(single.client.get("/me")) and workers(single) == [old]
