"""Live updates (contract 2.22): how many streams there may be, and that nothing is lost when any part of it is
restarted, or another host made a change."""

import datetime
import os
import pathlib
import signal
import socket
import time

import pytest

import conftest
from client import Client
from conftest import Person, wait_for
from streams import BOUND, SOON
from world import ok


def change(crew):
    """A story more; the version of it."""
    answer = crew.own.post(f"/projects/{crew.id}/stories", {"name": "heard"})
    return int(answer.headers["X-Service-Project-Version"])


def stands(crew):
    return ok(crew.own.get(f"/projects/{crew.id}"))["version"]


# How many ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def narrow():
    """A server that lets few listen."""
    server = conftest.Stack(conftest.stack_folder("narrow"), workers=2,
                            settings="live_per_person = 3\nlive_per_address = 5")
    yield server
    server.close()


def test_so_many_a_person_and_an_address(narrow, listen):
    one, two = (Person(narrow, name) for name in ("One Person", "Two Person"))
    streams = [listen(one.token, on=narrow) for _ in range(3)]
    refused = listen(one.token, on=narrow)
    assert refused.status == 429 and 1 <= int(refused.headers["retry-after"]) <= 60
    assert "too_many_requests" in refused.text() and "one person" in refused.bytes.decode()
    more = [listen(two.token, on=narrow) for _ in range(3)]
    assert [x.status for x in more] == [200, 200, 429] and "one address" in more[2].text()
    streams[0].close()
    assert wait_for(lambda: listen(two.token, on=narrow).status == 200)


# Restarts ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lone():
    """A server whose parts are ended."""
    server = conftest.Stack(conftest.stack_folder("lone"), workers=2)
    yield server
    server.close(expects_5xx=True)


@pytest.fixture(scope="module")
def crew(lone):
    class Crew:
        owner = Person(lone, "Rae Restart")
    Crew.own = Client(lone, Crew.owner.token)
    Crew.id = ok(Crew.own.post("/projects", {"name": "R", "new_account_name": "R"}))["id"]
    return Crew


def live_pid(server):
    """Of the program, not of the shell that starts it again."""
    session = (server.directory / "pid" / "live").read_text().split()[0]
    found = [int(x) for x in os.listdir("/proc") if x.isdigit() and is_live(x, session)]
    return found[0] if found else None


def is_live(pid, session):
    try:
        words = open(f"/proc/{pid}/stat").read()
    except OSError:
        return False
    return words.split()[1] == "(planwright-live)" and words.rpartition(") ")[2].split()[3] == session


def again(listen, lone, crew):
    """A new stream, as soon as there is one."""
    found = []

    def try_it():
        found.append(listen(crew.owner.token, [crew.id], on=lone))
        return found[-1].status == 200

    assert wait_for(try_it)
    return found[-1]


def test_kill_9_loses_nothing(lone, crew, listen):
    stream = listen(crew.owner.token, [crew.id], on=lone)
    old = live_pid(lone)
    os.kill(old, signal.SIGKILL)
    assert stream.ends(3) < BOUND
    version = change(crew)
    assert again(listen, lone, crew).hears(crew.id, version) is not None
    assert live_pid(lone) not in (None, old)


def test_without_live_the_answer_says_so_at_once(lone, crew, listen):
    lone.part("stop", "live")
    try:
        refused = listen(crew.owner.token, [crew.id], on=lone)
        assert refused.status == 503 and refused.headers["retry-after"]
        assert "planwright-live" in refused.text()
        assert change(crew)
    finally:
        lone.part("start", "live")
    assert again(listen, lone, crew).hears(crew.id, change(crew)) < SOON


def test_the_workers_may_go(lone, crew, listen):
    stream = listen(crew.owner.token, [crew.id], on=lone)
    lone.part("stop", "workers")
    lone.part("start", "workers")
    assert wait_for(lambda: crew.own.get("/me").status_code == 200)
    assert stream.hears(crew.id, change(crew)) < SOON


def test_a_restart_of_postgresql(lone, crew, listen):
    stream = listen(crew.owner.token, [crew.id], on=lone)
    lone.part("stop", "postgres")
    assert stream.ends(1) is None
    lone.part("start", "postgres")
    assert wait_for(lambda: crew.own.get("/me").status_code == 200)
    assert stream.hears(crew.id, change(crew)) is not None
    lone.sql("update project set version = version where id = %s", crew.id)
    assert wait_for(lambda: "the database is back" in lone.log("live"))
    lone.sql("delete from project_membership where project_id = %s and person_id = %s", crew.id, crew.owner.id)
    assert stream.ends(6) < BOUND + 1
    lone.sql("insert into project_membership (project_id, person_id, role) values (%s, %s, 'owner')", crew.id,
             crew.owner.id)


def nginx_workers(server):
    master = (server.directory / "pid" / "nginx").read_text().split()[0]
    return set(pathlib.Path(f"/proc/{master}/task/{master}/children").read_text().split())


def serves(worker):
    """Whether a process of nginx takes requests; an old one says in its title that it no longer does."""
    try:
        return b"shutting down" not in pathlib.Path(f"/proc/{worker}/cmdline").read_bytes()
    except OSError:
        return False


def reload_nginx(server):
    """Until the new processes alone take requests; old ones stay as long as they have streams.

    Old ones close idle connections, so that a request on one of them would be lost on its way: clients that keep
    connections need to know of that (RFC 9112, 9.3.1)."""
    before = nginx_workers(server)
    os.kill(int((server.directory / "pid" / "nginx").read_text().split()[0]), signal.SIGHUP)
    assert wait_for(lambda: nginx_workers(server) - before and not any(map(serves, before)))
    server.idle.clear()


def test_a_reload_of_nginx(lone, crew, listen):
    stream = listen(crew.owner.token, [crew.id], on=lone)
    reload_nginx(lone)
    assert again(listen, lone, crew).hears(crew.id, change(crew)) < SOON
    assert stream.hears(crew.id, change(crew)) < SOON, "the old processes go on with it"


class Board:
    """Somebody who listens and comes again when the stream has ended, as the board of web/ does."""

    def __init__(self, listen, server, crew):
        self.listen, self.server, self.crew, self.refused, self.ended = listen, server, crew, [], 0
        self.open()

    def open(self):
        end = time.monotonic() + 10
        while (stream := self.listen(self.crew.owner.token, [self.crew.id], on=self.server)).status != 200:
            assert stream.status in (502, 503) and time.monotonic() < end
            self.refused.append(stream.status)
            stream.close()
            time.sleep(0.1)
        self.stream = stream

    def knows(self, version, seconds=10):
        """How long it took until it knew of the version; None: it never heard."""
        start = time.monotonic()
        while time.monotonic() < start + seconds:
            if self.stream.hears(self.crew.id, version, 0.1) is not None:
                return time.monotonic() - start
            if self.stream.is_over:
                self.ended += 1
                self.open()
        return None


@pytest.mark.timed
def test_20_reloads_of_nginx_and_kills_of_live_lose_nothing(lone, crew, listen):
    boards = [Board(listen, lone, crew) for _ in range(4)]
    for i in range(1, 21):
        reload_nginx(lone)
        newcomer = Board(listen, lone, crew)
        assert not newcomer.refused
        if i % 5 == 0:
            os.kill(live_pid(lone), signal.SIGKILL)
        versions = [change(crew) for _ in range(3)]
        for board in [*boards, newcomer]:
            took = board.knows(versions[-1])
            assert took is not None and (i % 5 == 0 or took < SOON), f"after reload {i}: {took}"
        newcomer.stream.close()
    assert stands(crew) == versions[-1]
    # A reload ended no stream; a kill ended each.
    assert [board.ended for board in boards] == [4] * 4


@pytest.mark.timed
def test_another_hosts_change_comes_within_two_seconds(lone, crew, listen):
    """A worker elsewhere tells its own live, not ours: here, a version raised in the database."""
    stream = listen(crew.owner.token, [crew.id], on=lone)
    (version,), = lone.sql("select version from project where id = %s", crew.id)
    assert stream.hears(crew.id, version) is not None
    for _ in range(3):
        lone.sql("update project set version = version + 1 where id = %s", crew.id)
        version += 1
        assert stream.hears(crew.id, version) < BOUND
    lone.sql("update project set version = version - 3 where id = %s", crew.id)
    assert stream.wait(lambda _: stream.version(crew.id) == version - 3) < BOUND


@pytest.mark.timed
def test_a_notification_of_another_host(lone, crew, listen):
    stream = listen(crew.owner.token, on=lone)
    assert stream.wait(lambda _: stream.unread() is not None) is not None
    before = stream.unread()
    lone.sql("""insert into notification (person_id, project_id, message, context, notification_type, action,
        created_at, updated_at) values (%s, %s, 'x', 'x', 'story', 'x', now(), now())""", crew.owner.id, crew.id)
    assert stream.wait(lambda _: stream.unread() == before + 1) < BOUND


def test_few_questions_to_the_database(lone, crew, listen):
    """None while nobody listens; fewer than two a second, whatever happens."""
    streams = [listen(crew.owner.token, [crew.id], on=lone) for _ in range(5)]

    def looks():
        """When the last statement of the connection of live began."""
        rows = lone.sql("""select query_start from pg_stat_activity
            where application_name = 'planwright' and state = 'idle' and query like '%%''project'' as what%%' and pid <> pg_backend_pid()""")
        return rows[0][0] if rows else None

    seen, end = [], time.monotonic() + 5
    while time.monotonic() < end:
        at = looks()
        if at and (not seen or (at - seen[-1]).total_seconds() > 0.1):
            seen.append(at)
        lone_hint(lone, b"look\n")
        time.sleep(0.02)
    assert 4 <= len(seen) <= 10, seen
    for stream in streams:
        stream.close()
    time.sleep(0.5)
    before = looks()
    lone_hint(lone, b"look\n")
    time.sleep(2)
    assert looks() == before and isinstance(before, datetime.datetime)


def lone_hint(server, sent):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.sendto(sent, server.env["STACK_RUN"] + "/web/hints.sock")


def test_it_is_switched_off(new_stack, listen):
    server = new_stack(workers=1, settings="live = off")
    somebody = Person(server, "Nora Never")
    refused = listen(somebody.token, on=server)
    assert refused.status == 404 and "no live updates" in refused.text()
    assert listen(None, on=server).status == 403
