#!/usr/bin/python3
"""The n-th call fails: for each route that writes, in the worker that answers the request, one call after the other of
each kind (fail.c) fails. After each fault, the worker serves the next request and was not killed by a signal; the
response came soon, was no 500 and did not call a valid request wrong; and nothing is half-written: the project's
version rose by all that the request does or not at all, its counts agree with its rows, and each version has its
activity. What was answered with 2xx is there.

Then nothing fails, but a process is killed with kill -9 while the worker is stopped at its first, second, third …
message to the database or to the web server, up to the last one: the worker itself, its parent, or the database's
process (and with it all of PostgreSQL, which recovers); or only the connection is terminated.

Prints a table: a line for each route, a column for each kind of fault. P is /projects/:project, S is
P/stories/:story, E is P/epics/:epic.

	STACK_BUILD=FOLDER t/proof/torture.py [PART-OF-A-ROUTE …]     a $ marks the end of the route
	TORTURE_KINDS    "send recv …"; default: all
	TORTURE_MINUTES  how long (40): if there are too many calls, those that fail are chosen at random
	TORTURE_SEED     makes the same choice again
	TORTURE_MOST     how many calls of a kind and route (20)
	TORTURE_LAST     only of the last so many calls
"""

import collections
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sys
import threading
import time

import psycopg2

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))
sys.path.insert(0, str(HERE))
from faults import FAULTS, SEED, Fault, Table, prepare, some, wake  # noqa: E402

MOST = int(os.environ.get("TORTURE_MOST", "20"))
MINUTES = float(os.environ.get("TORTURE_MINUTES", "40"))
LEAST = 1  # calls of each kind and route, however little time is left
LAST = int(os.environ.get("TORTURE_LAST", "1000000"))
WAIT, LONG = 20, 10  # seconds
# Requests whose files planwright-media examines wait for their turn among all servers on this machine, and then some
# seconds (src/service/media.h): tests that run meanwhile have pictures, too.
TURNS = {("POST", "/projects/:project/uploads"): 20}
# What is killed while a worker is stopped at one of its messages.
VICTIMS = ("worker", "parent", "backend", "terminated")


WIDTH = 52
BACKENDS = "from pg_stat_activity where application_name ~ '^planwright'"


def short(route):
    path = route.path
    for long, word in (("/projects/:project/stories/:story", "S"), ("/projects/:project/epics/:epic", "E"),
                       ("/projects/:project", "P")):
        path = path.replace(long, word)
    return f"{route.method} {path}"


def is_good(status):
    return isinstance(status, int) and status < 400


class Share:
    """How many calls of each kind and route fail, so that all of them take no longer than MINUTES."""

    # A worker without memory exits, and the next one starts a moment later; PostgreSQL has to recover.
    WEIGHTS = {"malloc": 5, "worker": 2, "parent": 2, "backend": 3, "terminated": 2}

    def __init__(self, routes, kinds):
        self.end = time.monotonic() + MINUTES * 60
        self.left = routes * sum(self.weight(kind) for kind in kinds)
        self.cost = collections.defaultdict(lambda: 0.2)

    def weight(self, kind):
        return self.WEIGHTS.get(kind, 1)

    def most(self, kind, calls):
        share = (self.end - time.monotonic()) * self.weight(kind) / self.left
        self.left -= self.weight(kind)
        return max(LEAST, min(MOST, calls, int(share / self.cost[kind])))

    def took(self, kind, seconds):
        self.cost[kind] += (seconds - self.cost[kind]) / 4


class Torture:
    def __init__(self, folder):
        import conftest
        from world import Place
        self.conftest = conftest
        from mails import Mailbox, settings
        from provider import Provider
        self.box, self.provider = Mailbox(), Provider()
        self.stack = conftest.Stack(conftest.stack_folder("torture"), workers=1, settings=settings(self.box) + (
            "oidc_providers = torture\n" + self.provider.settings("torture", trust_email="on")))
        self.stack.secrets.append(self.provider.client_secret)
        self.stack.patient = False
        self.stack.part("stop", "importer")  # imports only wait here: programs.py runs them
        # What was acknowledged must survive a killed backend. The servers of other tests do without this, for speed.
        self.stack.sql("alter database planwright set synchronous_commit = on")
        self.stack.cut()
        self.boss = conftest.Person(self.stack, "Tess Torture")
        self.client = conftest.Client(self.stack, self.boss.token)
        self.place = Place(self.client)
        self.fault = Fault(folder, "planwright.fcgi")
        self.found, self.calls, self.said = [], {}, ""
        self.armed, self.ended = None, 0

    # --- the worker ---------------------------------------------------------------------

    def worker(self):
        parent = (self.stack.directory / "pid/workers").read_text().split()[0]
        for _ in range(WAIT * 50):
            children = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            if children:
                return int(children[0])
            time.sleep(0.02)
        raise SystemExit("torture: there is no worker any more")

    def arm(self, kind, nth):
        worker = self.worker()
        self.ended = self.ended + 1 if worker != self.armed else self.ended
        if self.ended == 4:  # the parent would wait longer before it starts the next one than a restart takes
            self.restart()
            worker, self.ended = self.worker(), 0
        self.armed = worker
        self.fault.arm(kind, nth, worker)

    def restart(self):
        for verb in ("stop", "start"):
            self.stack.part(verb, "workers")
        self.serves()

    def serves(self):
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if self.sent("GET", "/me")[0] == 200:
                return True
            time.sleep(0.05)
        return False

    # --- requests -----------------------------------------------------------------------

    def sent(self, method, path, **more):
        """(status, or the name of the error if there is no response; the response)"""
        try:
            answer = more.pop("client", self.client).request(method, path, **more)
            if answer.status_code >= 400:
                self.said = answer.text
            return answer.status_code, answer
        except AssertionError as error:
            self.found.append(f"{method} {path}: not as the OpenAPI document says: {str(error)[:1500]}")
            return "AssertionError", None
        except Exception as error:  # a broken response
            return type(error).__name__, None

    def request(self, route):
        """What to send; what it needs is created each time, in a new project once this one is full."""
        try:
            return self.made(route)
        except AssertionError:
            from world import Place
            self.place = Place(self.client)
            return self.made(route)

    def made(self, route):
        from test_matrix import row_of
        from world import fill
        if route.key in GOOD:
            return GOOD[route.key](self)
        row = row_of(route)
        body, ids = self.changed(row.body() if callable(row.body) else row.body), []
        if route.ids:
            goes = route.method == "DELETE" and route.path not in ("/projects/:project", "/my/workspaces/:workspace")
            switches = isinstance(body, dict) and any(isinstance(value, bool) for value in body.values())
            last = self.place.new(route.path) if goes or (route.method == "PUT" and switches) else None
            ids = self.place.ids(route.path, last)
        path, query = fill(route.path, ids), row.query.replace(":project", str(self.place.project))
        return path + (f"?{query}" if query else ""), {"json": body, "files": row.files}

    @staticmethod
    def changed(body):
        """With new texts: a text that does not change would not show whether it was written."""
        from world import unique
        if not isinstance(body, dict):
            return body
        return {key: unique(value) if key in ("name", "description", "text") else value for key, value in body.items()}

    def version(self):
        rows = self.stack.sql("select version from project where id = %s", self.place.project)
        return rows[0][0] if rows else None

    def check(self, what, before, rises, status, took):
        if status == 500:
            self.found.append(f"{what}: 500, which says that the program is wrong")
        if status in (400, 403, 404):
            self.found.append(f"{what}: {status}, and the request was good: {self.said[:300]}")
        if took > LONG:
            self.found.append(f"{what}: it took {took:.0f} s")
        if not self.serves():
            self.found.append(f"{what}: no request was served any more")
        for name, query in (("counts", self.conftest.MISCOUNTED), ("activities", self.conftest.WITHOUT_ACTIVITY)):
            if rows := self.stack.sql(query):
                self.found.append(f"{what}: {name} differ: {rows[:2]}")
        after = self.version()
        if before is None or after is None:
            return
        if after - before not in (rises if is_good(status) else rises | {0}):
            self.found.append(f"{what}: {status}, and the version rose by {after - before}, not by {rises}")

    def renew(self):
        if self.version() is None:
            from world import Place
            self.place = Place(self.client)

    def rises(self, route):
        """By how much the version rises, None if the route is refused here; counts the calls of each kind."""
        rises = set()
        for _ in range(2):  # the second time, something may already exist
            path, more = self.request(route)
            before = self.version()
            self.arm("count", 0)
            status, _ = self.sent(route.method, path, **more)
            self.fault.disarm()
            self.calls = self.fault.calls()
            if not is_good(status):
                print(f"{short(route):{WIDTH}} is refused here: {status} {self.said[:200]}", flush=True)
                return None
            after = self.version()
            if before is not None and after is not None:
                rises.add(after - before)
            self.renew()
        self.calls |= dict.fromkeys(VICTIMS, self.calls["stop"])  # each is killed at a stop
        return rises

    def fail(self, route, kind, nth):
        """(status, whether the nth call happened, the version before, how long it took)"""
        path, more = self.request(route)
        before = self.version()
        self.arm(kind, nth)
        began = time.monotonic()
        status, _ = self.sent(route.method, path, **more)
        took = time.monotonic() - began
        return status, self.fault.disarm() >= nth, before, took

    def run(self, route, kinds):
        """One route: how many calls of each kind it makes, then some of them in turn."""
        rises = self.rises(route)
        for kind in kinds if rises is not None else ():
            calls, ends, found = self.calls[kind], collections.Counter(), len(self.found)
            most = self.share.most(kind, calls)
            for nth in some(calls, most, max(1, calls - LAST + 1)):
                began = time.monotonic()
                status, came, before, took = (self.stop_at if kind in VICTIMS else self.fail)(route, kind, nth)
                ends[status if came else "not so many calls"] += 1
                if kind in VICTIMS:
                    self.again(kind)
                self.check(f"{short(route)}: {kind} {nth} of {calls}", before, rises, status,
                           took - TURNS.get(route.key, 0))
                self.renew()
                self.share.took(kind, time.monotonic() - began)
            self.table.add(kind, calls, ends, len(self.found) - found)
        if rises is not None:
            self.table.line(short(route))

    # --- stops between the messages -----------------------------------------------------

    def end(self, victim):
        """Kills the victim, while the worker is stopped."""
        if victim == "worker":
            os.kill(self.fault.control.stopped, signal.SIGKILL)
        elif victim == "parent":
            os.kill(int((self.stack.directory / "pid/workers").read_text().split()[0]), signal.SIGKILL)
        elif victim == "terminated":
            self.stack.sql(f"select pg_terminate_backend(pid) {BACKENDS}")
        else:
            for pid, in self.stack.sql(f"select pid {BACKENDS}"):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(psycopg2.Error):
                while True:  # until our own connection is gone, too
                    self.stack.sql("select pg_sleep(0.02)")

    def again(self, victim):
        """Does what systemd would do: restarts what was killed, and waits for the database."""
        if victim == "parent":
            self.restart()
        for _ in range(WAIT * 10):
            with contextlib.suppress(psycopg2.Error):
                self.stack.sql("select 1")
                return
            if self.stack.connection is not None:
                self.stack.connection.close()
            time.sleep(0.1)

    def stop_at(self, route, victim, nth):
        """The same, with this victim."""
        path, more = self.request(route)
        before, came = self.version(), []
        self.arm("stop", nth)
        began = time.monotonic()
        sender = threading.Thread(target=lambda: came.append(self.sent(route.method, path, **more)[0]))
        sender.start()
        pid = self.fault.stopped(WAIT, sender.is_alive)
        if pid:
            self.end(victim)
            wake(pid)
        sender.join()
        self.fault.disarm()
        if not pid:
            self.fault.let_go()  # it may also have stopped after its response, unnoticed
        return came[0], pid, before, time.monotonic() - began

    def lost_files(self):
        """Each row must have its file; files without a row are swept a day later."""
        files = self.stack.directory / "files"
        return [f"file {i} is lost" for i, size in self.stack.sql("select id, size from file_attachment")
                if (path := files / f"{i % 256:02x}" / str(i)) and (not path.exists() or path.stat().st_size != size)]

    def crashes(self):
        """Crashes, except of workers that torture killed, and those of libfcgi and json-c without memory."""
        lines = self.stack.log("workers").splitlines()
        return [line for n, line in enumerate(lines) if "was ended by signal" in line and "signal 9 " not in line
                and "fcgiapp.c" not in lines[n - 1] and not self.is_json_c(lines[max(0, n - 20):n])]

    @staticmethod
    def is_json_c(before):
        """A crash of json-c 0.16, which copies a member's key with strdup and does not check the result."""
        return any("json_object_object_add" in line for line in before)


def wanted(route):
    from good import GOOD
    from test_matrix import EXPECTED
    name = f"{route.method} {route.path}"
    return (route.key in GOOD or (route.method != "GET" and route.key in EXPECTED)) and \
        (not sys.argv[1:] or any(w in f"{name}$" for w in sys.argv[1:]))


def main():
    folder = prepare()
    global GOOD
    import tables
    from good import EXTRAS, GOOD
    from world import Place
    kinds = os.environ.get("TORTURE_KINDS", " ".join((*FAULTS, *VICTIMS))).split()
    torture = Torture(folder)
    routes = [route for route in [*tables.ROUTES, *EXTRAS] if wanted(route)]
    random.Random(SEED).shuffle(routes)  # if there is not enough time, different routes are left out each time
    torture.share, torture.table, late = Share(len(routes), kinds), Table("route", kinds, WIDTH), []
    for route in routes:
        if time.monotonic() > torture.share.end:
            late.append(short(route))
            continue
        try:
            torture.run(route, kinds)
        except (AssertionError, KeyError) as error:
            torture.found.append(f"{short(route)} cannot be made: {str(error)[:300]}")
            torture.place = Place(torture.client)
    found = torture.found + torture.crashes() + torture.lost_files()
    torture.stack.close(expects_5xx=True)
    torture.provider.close()
    shutil.rmtree(folder)
    if late:
        print(f"no time for {len(late)} routes: {', '.join(late)}")
    return torture.table.close(found)


if __name__ == "__main__":
    sys.exit(main())
