"""Reads at a standby (database_reads): nobody sees outdated data, whatever the standby does."""
import collections
import concurrent.futures
import shutil
import signal
import threading
import time

import pytest
from client import Client
from conftest import Person, Stack, stack_folder, wait_for
from standby import Standby
from within import within
from world import new_project, ok

READS = ("/stories?limit=100", "/stories/{story}", "/stories/{story}/comments", "/labels", "/epics",
         "/iterations?scope=current_backlog&limit=3", "/search?query=label:one", "/search?query=needle",
         "/stories?filter=state:unscheduled", "/stories/{story}/transitions", "/stories/{story}/tasks")
AT_THE_LEADER = ("", "/memberships", "/activity", "/stories/{story}?fields=owners", "/webhooks",
                 "/stories/{story}/owners", "/history/days?start_date=2026-01-01", "/stories.csv")
PAGE = 500


class Place:
    """A server, its standby, and a project with some of everything."""

    def __init__(self):
        self.standby = Standby()
        self.stack = Stack(stack_folder("standby"), workers=4,
                           settings=f"database_reads = {self.standby.conninfo}")
        self.boss = Person(self.stack, "Boss")
        self.client = Client(self.stack, self.boss.token)
        self.path = f"/projects/{new_project(self.client)['id']}"
        self.story = self.add("needle", labels=["one"], tasks=[{"description": "t"}],
                              comments=[{"text": "c"}])

    def add(self, name, **fields):
        return ok(self.client.post(f"{self.path}/stories", {"name": name, **fields}))["id"]

    def get(self, path):
        return self.client.get(self.path + path.format(story=self.story))

    def names(self):
        return {s["name"] for s in ok(self.get("/stories?limit=500&fields=name"))}

    def counts(self):
        """The number of reads by their outcome at the standby."""
        lines = dict(line.split(None, 1) for line in self.stack.ctl("status").stdout.splitlines())
        return collections.Counter({name: int(lines[key]) for name, key in (
            ("used", "standby_reads_total"), ("behind", "standby_behind_total"),
            ("failed", "standby_failed_total"))})

    def uses(self):
        """Waits until each of the workers uses it."""
        before = self.counts()
        for _ in range(40):
            self.get("/labels")
        return (self.counts() - before)["used"] >= 40

    def ready(self):
        if not (self.standby.folder / "data").exists():
            self.standby.start(self.stack)
        elif not self.standby.program:
            self.standby.run()
        self.standby.let_go()
        self.standby.catch_up(self.stack)
        assert wait_for(self.uses)

    def timed(self, path):
        begun = time.monotonic()
        answer = self.get(path)
        return answer, time.monotonic() - begun


@pytest.fixture(scope="module")
def there():
    place = Place()
    yield place
    place.standby.kill()
    place.stack.close()
    shutil.rmtree(place.standby.folder)


@pytest.fixture
def place(there):
    there.ready()
    return there


def test_until_there_is_one_the_leader_is_asked(there):
    assert there.standby.program is None
    for path in READS:
        ok(there.get(path))
    assert not there.counts() + collections.Counter()
    there.standby.start(there.stack)


def test_it_answers_what_the_leader_would(place):
    before = place.counts()
    there = {path: place.get(path) for path in READS}
    assert place.counts() - before == {"used": len(READS)}
    place.standby.kill()
    for path, answer in there.items():
        here = place.get(path)
        assert answer.status_code == 200 and answer.content == here.content, path
        assert answer.headers["X-Tracker-Project-Version"] == here.headers["X-Tracker-Project-Version"]


@pytest.mark.parametrize("path", AT_THE_LEADER)
def test_what_no_version_covers_stays_at_the_leader(place, path):
    before = place.counts()
    place.get(path)
    assert place.counts() == before


def test_what_one_wrote_is_in_the_next_answer(place):
    place.standby.hold_back()
    before = place.counts()
    for i in range(10):
        place.add(f"written {i}")
        assert f"written {i}" in place.names()
        time.sleep(0.1)  # for a moment, the project's reads stay on the leader
    assert (place.counts() - before)["behind"] >= 5


def test_projects_that_did_not_change_are_still_read_there(place):
    quiet = f"/projects/{new_project(place.client)['id']}/stories"
    place.standby.catch_up(place.stack)
    place.standby.hold_back()
    place.add("elsewhere")
    before = place.counts()
    for _ in range(20):
        ok(place.client.get(quiet))
    assert place.counts() - before == {"used": 20}


def test_who_came_after_it_was_held_back(place):
    place.standby.hold_back()
    person = Person(place.stack, "New")
    client = Client(place.stack, person.token)
    assert client.get(f"{place.path}/stories").status_code == 403
    ok(place.client.post(f"{place.path}/memberships", {"person_id": person.id, "role": "viewer"}))
    assert [s["id"] for s in ok(client.get(f"{place.path}/stories?filter=label:one"))] == [place.story]


def test_who_left_reads_nothing_more(place):
    person = Person(place.stack, "Leaves")
    client = Client(place.stack, person.token)
    member = ok(place.client.post(f"{place.path}/memberships", {"person_id": person.id, "role": "member"}))
    place.standby.catch_up(place.stack)
    ok(client.get(f"{place.path}/stories"))
    place.standby.hold_back()
    place.client.delete(f"{place.path}/memberships/{member['id']}")
    assert client.get(f"{place.path}/stories").status_code == 403


def test_ones_own_new_name_is_found(place):
    place.standby.hold_back()
    story = place.add("of mine", owner_ids=[place.boss.id])
    place.standby.let_go()
    place.standby.catch_up(place.stack)
    place.standby.hold_back()
    ok(place.client.put("/me", {"name": "Somebody Else"}))
    found = ok(place.get('/stories?filter=owner:"Somebody Else"'))
    assert story in [s["id"] for s in found]
    assert ok(place.get("/stories/{story}?fields=requested_by"))["requested_by"]["name"] == "Somebody Else"


class Reader:
    """Reads while others write; what was acknowledged must be there, and versions never go back."""

    def __init__(self, place, told):
        self.place, self.told, self.reads = place, told, 0

    def run(self, ended):
        version = 0
        while not ended.is_set():
            told = set(self.told)
            answer = self.place.get(f"/stories?limit={PAGE}&fields=name")
            names = {s["name"] for s in ok(answer)}
            assert told <= names
            assert int(answer.headers["X-Tracker-Project-Version"]) >= version
            version = int(answer.headers["X-Tracker-Project-Version"])
            self.reads += 1


def under_load(place, seconds, trouble):
    """The outcome of reads while two people write, and `trouble` happens again and again."""
    told, ended = [], threading.Event()
    readers = [Reader(place, told) for _ in range(3)]

    def write(who):
        for n in range(PAGE // 2):  # however slow the machine, one page contains all of them
            if ended.is_set():
                return
            place.add(f"w{who} {n}")
            told.append(f"w{who} {n}")
            time.sleep(0.05)
    before, end = place.counts(), time.monotonic() + seconds
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(r.run, ended) for r in readers] + [pool.submit(write, i) for i in range(2)]
        try:
            while time.monotonic() < end and not any(j.done() for j in jobs):
                trouble()
            assert wait_for(lambda: all(r.reads > 10 for r in readers) or any(j.done() for j in jobs[:3]), 60)
        finally:
            ended.set()
        for job in jobs:
            job.result()
    assert len(told) > 20
    return place.counts() - before


@pytest.fixture
def busy(place):
    """A project of its own, so that the others stay small."""
    path, place.path = place.path, f"/projects/{new_project(place.client)['id']}"
    yield place
    place.path = path


def test_under_writes_while_it_stops_and_goes_on(busy):
    def trouble():
        busy.standby.hold_back()
        time.sleep(0.3)
        busy.standby.let_go()
        time.sleep(0.5)
    found = under_load(busy, 5, trouble)
    assert found["behind"] > 0 and not found["failed"]


def test_it_lags_by_a_second(busy):
    busy.standby.kill()
    busy.standby.run(recovery_min_apply_delay="1s")
    assert wait_for(busy.uses)
    found = under_load(busy, 4, lambda: time.sleep(0.1))
    assert found["behind"] > 0
    busy.standby.kill()


def test_it_dies_and_comes_back(busy):
    def trouble():
        busy.standby.kill()
        time.sleep(0.5)
        busy.standby.run()
        time.sleep(3.5)
    under_load(busy, 8, trouble)
    busy.standby.catch_up(busy.stack)
    assert wait_for(busy.uses)


@pytest.mark.timed
def test_nobody_waits_long_for_one_that_hangs(place):
    """Each worker notices once; then no request waits, until the standby answers again."""
    before = place.counts()
    place.standby.signal(signal.SIGSTOP)
    try:
        times = [place.timed("/stories")[1] for _ in range(60)]
        assert max(times) < within(1) and sorted(times)[-9] < within(0.2)
        assert 1 <= (place.counts() - before)["failed"] <= 4
    finally:
        place.standby.signal(signal.SIGCONT)
    assert wait_for(place.uses)


def test_a_conflict_with_what_it_replays_is_not_told(place):
    """A statement that the standby cancels is sent to the leader."""
    place.standby.sql("select true")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ended = threading.Event()

        def end_all():
            while not ended.is_set():
                place.standby.sql("select pg_terminate_backend(pid) from pg_stat_activity"
                                  " where usename = 'planwright'")
        job = pool.submit(end_all)
        for _ in range(200):
            ok(place.get("/stories"))
        ended.set()
        job.result()


def test_statements_from_before_a_migration_are_prepared_anew(place):
    """Workers that were replaced right after it may find a standby that has not replayed it yet."""
    (text,), = place.stack.sql("select pg_get_viewdef('api.task'::regclass)")
    place.standby.hold_back()
    place.stack.sql("create or replace view api.task as"
                    f" select v.*, null::integer as added from ({text.rstrip(';')}) v")
    place.stack.part("stop", "workers")
    place.stack.part("start", "workers")
    assert wait_for(place.uses)
    place.standby.let_go()
    place.standby.catch_up(place.stack)

    def answers_here():
        before = place.counts()
        for _ in range(12):
            ok(place.get("/stories/{story}/tasks"))
        return place.counts() - before == {"used": 12}
    assert wait_for(answers_here, 20)


def test_one_that_becomes_a_leader_is_left(place):
    """From then on, its rows are no longer the leader's."""
    place.standby.sql("select pg_promote()")
    place.add("after it was promoted")
    assert wait_for(lambda: not place.uses())
    assert "after it was promoted" in place.names()
    before = place.counts()
    for path in READS:
        ok(place.get(path))
    assert place.counts() == before
