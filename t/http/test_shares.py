"""Who can make others wait: each expensive request is sent by each kind of person, with each credential, in a crowd.
Meanwhile somebody else reads a project, and must wait hardly longer than on an idle server, unless the crowd is told
to wait: 429 with Retry-After, which the other person never gets.

A cell of the table is compared with a measurement made just before on the same machine. A cell that fails is measured
again, up to twice, since a busy machine is slow by itself.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest

from conftest import Client, Person, Stack, stack_folder
from hostile import png
from importing import CSV, form
from test_sessions import Browser
from world import new_project, ok

pytestmark = pytest.mark.both  # times must be bounded in the build that ships

CROWD, SECONDS, TRIES, STORIES = 8, 0.25, 3, 1500
# How long a request may wait behind a crowd of eight: far above twice the latency of an idle server, which is two or
# three milliseconds, and far below what was considered a fault.
FLOOR, TIMES_IDLE = 0.15, 20
WORDS = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt"


class Project:
    """A public project with stories and comments."""

    def __init__(self, stack, owner, client):
        self.id = new_project(client, public=True)["id"]
        self.path = f"/projects/{self.id}"
        stack.sql("""set session_replication_role = replica;
            with s as (insert into planwright.story (project_id, name, description, rank, requested_by_id)
                select %s, 'Story ' || n, repeat(%s || n, 5), n * 1000, %s
                from generate_series(1, %s) n returning id)
            insert into planwright.comment (story_id, person_id, text)
            select id, %s, %s from s, generate_series(1, 2);
            reset session_replication_role""", self.id, WORDS, owner.id, STORIES, owner.id, WORDS)
        self.ids = [s["id"] for s in ok(client.get(f"{self.path}/stories?limit=100&fields=id"))]


class Actor:
    """Reads `seen`, and writes to `own`."""

    def __init__(self, stack, name, seen, own, person=None):
        self.name, self.seen, self.own = name, seen, own
        self.ways = {"none": [{}]}
        if person:
            token = {"X-TrackerToken": person.token}
            cookie = {k: v for k, v in Browser(person).headers.items() if k != "Accept-Encoding"}
            self.ways = {"token": [token], "cookie": [cookie], "both": [token, cookie]}
        self.login = person.email if person else "nobody@example.test"


class World:
    """The server, the people who act in it, and the victim."""

    def __init__(self):
        self.stack = Stack(stack_folder("shares"), workers=4)
        self.stack.patient = False
        people = {name: Person(self.stack, name.title())
                  for name in ("victim", "stranger", "member", "owner")}
        clients = {name: Client(self.stack, person.token) for name, person in people.items()}
        here = Project(self.stack, people["victim"], clients["victim"])
        ok(clients["victim"].post(f"{here.path}/memberships", {
            "person_id": people["member"].id, "role": "member"}))
        small, large = (Project(self.stack, people[name], clients[name])
                        for name in ("stranger", "owner"))
        self.actors = {a.name: a for a in (
            Actor(self.stack, "visitor", here, here),
            Actor(self.stack, "stranger", here, small, people["stranger"]),
            Actor(self.stack, "member", here, here, people["member"]),
            Actor(self.stack, "owner", large, large, people["owner"]))}
        self.victim = (f"/services/v5{here.path}?fields=name", {"X-TrackerToken": people["victim"].token})
        self.crowds = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("crowd.py"))], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self):
        self.crowds.stdin.close()
        self.crowds.wait()
        self.stack.close()

    def gather(self, requests, seconds=SECONDS):
        """Starts a crowd; returns a function that returns once the crowd has ended."""
        print(json.dumps({"port": self.stack.port, "seconds": seconds, "requests": requests}),
              file=self.crowds.stdin, flush=True)
        found = {}
        thread = threading.Thread(target=lambda: found.update(json.loads(self.crowds.stdout.readline())))
        thread.start()
        return thread, found

    def read(self, until):
        """The times that the victim waited for its answers."""
        path, headers = self.victim
        connection = http.client.HTTPConnection("127.0.0.1", self.stack.port, timeout=60)
        times = []
        while not times or until(len(times)):
            begun = time.monotonic()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            times.append(time.monotonic() - begun)
            assert answer.status == 200, answer.status
        connection.close()
        return statistics.quantiles(times, n=4)[2] if len(times) > 1 else times[0]


@pytest.fixture(scope="module")
def world():
    made = World()
    yield made
    made.close()


# --- acts ---------------------------------------------------------------------------

PNG = png(2500, 2500).decode("latin-1")
MANY = CSV + b"".join(b"%d,Row,,feature,,unscheduled,\"Oct 2, 2023\",Rita Requester,%s\r\n" % (
    5000 + n, WORDS.encode()) for n in range(150))
REGEX = "/(lo|ip|do)+.*(x|y|z)+[0-9]{3}/ or /a.*b.*c.*d.*e.*f/"


def as_json(method, path, value, **headers):
    return method, path, {"Content-Type": "application/json", **headers}, json.dumps(value)


def as_form(path, *parts):
    return ("POST", path, {"Content-Type": "multipart/form-data; boundary=XX"},
            form(*parts).decode("latin-1"))


ACTS = {
    "search": lambda a: ("GET", f"{a.seen.path}/search?query=type:feature+or+{'+or+'.join(WORDS.split())}"),
    "regex": lambda a: ("GET", f"{a.seen.path}/stories?limit=500&filter={REGEX.replace(' ', '+')}"),
    "lists": lambda a: ("GET", f"{a.seen.path}/stories?limit=500&fields=:default,comments,labels,owners"),
    "analytics": lambda a: ("GET", f"{a.seen.path}/iterations?limit=20&scope=current_backlog"
                                   "&fields=:default,stories,analytics"),
    "history": lambda a: ("GET", f"{a.seen.path}/history/days"),
    "aggregator": lambda a: as_json("POST", "/aggregator", [
        f"/services/v5{a.seen.path}/stories?limit=100&offset={n}&fields=:default,comments" for n in range(15)]),
    "csv": lambda a: ("GET", f"{a.seen.path}/stories.csv"),
    "export": lambda a: ("GET", f"{a.own.path}/export.zip"),
    "bulk": lambda a: as_json("PUT", f"{a.own.path}/stories/bulk", {
        "ids": a.own.ids, "add_labels": [str(uuid.uuid4())]}),
    "once": lambda a: as_json("POST", f"{a.own.path}/stories", {"name": "once"},
                              **{"Idempotency-Key": str(uuid.uuid4())}),
    "upload": lambda a: as_form(f"{a.own.path}/uploads", ("file", "x.bin", bytes(500_000))),
    "picture": lambda a: as_form(f"{a.own.path}/uploads", ("file", "x.png", PNG.encode("latin-1"))),
    "dry run": lambda a: as_form(f"{a.own.path}/imports", ("file", "stories.csv", MANY),
                                 ("dry_run", b"true")),
    "import": lambda a: as_form(f"{a.own.path}/imports", ("file", "stories.csv", MANY)),
    "sign-in": lambda a: as_json("POST", "/session", {"login": a.login, "password": uuid.uuid4().hex}),
    "password": lambda a: as_json("PUT", "/me/password", {"old_password": "wrong", "new_password": "no such luck"}),
    "reset": lambda a: as_json("POST", "/password_resets", {"email": a.login}),
}
SERVED = {"sign-in": {"403"}, "password": {"400", "403"}, "reset": {"200", "204"}}
FOR_NOBODY = ["search", "lists", "analytics", "history", "csv", "sign-in", "reset"]
# One person's credentials all count as the same person, which one of the actors is enough to show.
WAYS = {"visitor": ["none"], "stranger": ["token", "cookie", "both"], "member": ["both"], "owner": ["both"]}
CELLS = [(actor, act, way) for actor, ways in WAYS.items() for act in ACTS for way in ways
         if actor != "visitor" or act in FOR_NOBODY]
# A project has only so many of these in its queue; more are refused whoever waits.
QUEUED = "dry run", "import"


def requests_of(actor, act, way):
    method, path, *more = ACTS[act](actor)
    headers, body = more or ({}, None)
    ways = actor.ways[way]
    return [(method, f"/services/v5{path}", {**headers, **ways[i % len(ways)]}, body) for i in range(CROWD)]


def measure(world, cell):
    """Whether others do not wait, and the crowd's answers."""
    actor, act, way = cell
    # After too many guesses, a request is refused before it costs anything.
    world.stack.sql("delete from sign_in_failure")
    idle = world.read(lambda n: n < 10)
    thread, found = world.gather(requests_of(world.actors[actor], act, way))
    busy = world.read(lambda n: thread.is_alive())
    thread.join()
    assert found and "429 without Retry-After" not in found, found
    assert not [status for status in found if status == "broken" or status >= "500"], found
    assert act in QUEUED or set(found) & SERVED.get(act, {"200"}) or actor == "member", found
    return busy <= max(2 * idle, FLOOR, TIMES_IDLE * idle) or "429" in found, (idle, busy, found)


# Pictures keep planwright-media busy, and one serves all servers of a user.
@pytest.mark.parametrize("cell", [pytest.param(cell, marks=[pytest.mark.alone] * (cell[1] == "picture")) for cell in CELLS],
                         ids=" ".join)
def test_nobody_waits_for_another(world, cell):
    said = []
    for _ in range(TRIES):
        fine, told = measure(world, cell)
        said.append(told)
        if os.environ.get("SHARES_TOLD"):
            print(cell, told)
        if fine:
            return
    pytest.fail(f"others wait: idle, busy, answers: {said}")


def test_refusals_are_counted(world):
    """Fast requests, none of which is slow: those beyond half of the workers are on credit."""
    def refused():
        lines = world.stack.ctl("status").stdout.splitlines()
        return int(dict(line.split(None, 1) for line in lines)["shares_refused_total"])
    before, found, tries = refused(), {}, 0
    while "429" not in found and tries < 20:
        thread, found = world.gather(requests_of(world.actors["owner"], "history", "token"), 1)
        world.read(lambda n: thread.is_alive())
        thread.join()
        tries += 1
    assert refused() - before >= found["429"] > 0 and found["200"] > 0
