"""Two hosts of workers behind one nginx, set up as in docs/guides/hosts.md: PostgreSQL restarts, and one host dies,
while clients write, read and import. t/hosts/run does the same with machines, and breaks more."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from client import Client
from conftest import TOP, Person, Stack, stack_folder, wait_for
from world import new_project

HOSTS = TOP / "t" / "hosts"
pytestmark = pytest.mark.alone


class Host:
    """The workers of another host: they share the database, the secret and the files."""

    def __init__(self, server):
        self.server, self.socket = server, server.env["STACK_RUN"] + "/web/two.sock"
        self.log = open(server.directory / "log" / "workers-two.log", "ab")
        self.boot()

    def boot(self):
        """Starts them as the user of the stack's own workers, who shares the files."""
        user = ("setpriv", "--reuid", "www-data", "--regid", "www-data", "--init-groups", "--") if os.geteuid() == 0 else ()
        self.process = subprocess.Popen(
            [*user, "./planwright.fcgi", "--workers", "4", "--socket", self.socket], cwd=self.server.directory,
            stdout=self.log, stderr=self.log, start_new_session=True,
            env={**os.environ, "PLANWRIGHT_CONF": "planwright.conf", "PLANWRIGHT_SECRET_FILE": "secret",
                 "PLANWRIGHT_FILES": "files"})
        assert wait_for(lambda: os.path.exists(self.socket))

    def die(self):
        """Everything ends at the same time: nobody listens any more."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.unlink(self.socket)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return file.read().split()


def share_the_load(server, host):
    """nginx gets the upstream block of the guide."""
    guide = (TOP / "docs" / "guides" / "hosts.md").read_text()
    upstream, = re.findall(r"```nginx\n(upstream planwright {.*?\n})\n", guide, re.DOTALL)
    sockets = iter((server.env["STACK_RUN"] + "/web/fcgi.sock", host.socket))
    upstream = re.sub(r"10\.0\.0\.1[12]:9000", lambda _: f"unix:{next(sockets)}", upstream)
    path = server.directory / "nginx" / "planwright.conf"
    path.write_text(re.sub(r"upstream planwright {.*?\n}", lambda _: upstream, path.read_text(), flags=re.DOTALL))
    master = int((server.directory / "pid" / "nginx.master").read_text())
    old = children(master)
    os.kill(master, signal.SIGHUP)
    assert wait_for(lambda: children(master) and not set(children(master)) & set(old))
    server.idle.clear()  # connections to workers that are gone


@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("hosts"), workers=4)
    yield made
    made.close(expects_5xx=True)


@pytest.fixture(scope="module")
def host(server):
    made = Host(server)
    share_the_load(server, made)
    yield made
    made.process.terminate()
    assert made.process.wait(40) == 0


@pytest.fixture(scope="module")
def crew(server, host):
    """A person's token and two projects."""
    person = Person(server, "Ada")
    client = Client(server, token=person.token)
    return person.token, [new_project(client)["id"] for _ in range(2)]


@pytest.fixture
def clients(server, crew, tmp_path):
    """A function that stops them and returns what they were told."""
    token, projects = crew
    process = subprocess.Popen([sys.executable, HOSTS / "clients.py", server.url, token,
                                ",".join(map(str, projects)), "0", tmp_path / "told", "6", "2"])

    def end():
        process.terminate()
        assert process.wait(60) == 0
        return json.loads((tmp_path / "told").read_text())

    yield end
    process.kill()
    process.wait()


def is_as_told(server, told, folder):
    """Nothing that was acknowledged is lost or duplicated, each version has its activity, and each import exists
    once."""
    ids = [int(number) for number in told["imports"]]
    states = "select state, count(*) from project_import where id = any(%s) group by state"
    assert ids and wait_for(lambda: server.sql(states, ids) == [("done", len(ids))], 60), server.sql(states, ids)
    for name, size in told["imports"].values():
        assert server.sql("select count(*), count(distinct name) from story where name ~ %s",
                          f"^{name} [0-9]+$") == [(size, size)]
    with (folder / "facts").open("w") as facts:
        subprocess.run(["psql", "-XAtq", "-d", server.env["STACK_ADMIN_DB"], "-f", HOSTS / "facts.sql"],
                       check=True, stdout=facts)
    done = subprocess.run([sys.executable, HOSTS / "compare.py", "", folder / "told", folder / "facts"],
                          text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def answers_after(told, moment, status=None):
    return [(at - moment, found) for at, found, *_ in told["answers"] if at > moment and status in (None, found)]


def test_postgresql_starts_again(server, clients, tmp_path):
    time.sleep(2)
    server.part("stop", "postgres")
    time.sleep(1)
    server.part("start", "postgres")
    there = time.time()
    time.sleep(5)
    told = clients()
    assert any(status == 503 for _, status, *_ in told["answers"])
    assert len(answers_after(told, there + 2, 200)) > 50
    assert answers_after(told, there + 2, 503) == [], "all workers go on by themselves"
    is_as_told(server, told, tmp_path)


def test_a_host_dies_and_comes_back(server, host, clients, tmp_path):
    """The dead host answers none of its requests; then the other one answers all, except that nginx tries the dead
    one every five seconds."""
    time.sleep(2)
    host.die()
    dead = time.time()
    time.sleep(8)
    host.boot()
    back = time.time()
    time.sleep(8)
    told = clients()
    alone = [status for after, status in answers_after(told, dead) if after < back - dead]
    assert alone.count(200) > 100 and len(alone) - alone.count(200) < 40, alone
    writes = sorted(at for at, status, _, write in told["answers"] if write and status == 200 and dead < at < back)
    assert max(b - a for a, b in zip(writes, writes[1:])) < 2, "nobody waits for the dead one"
    # All clients are one person's, who may exceed their share while the machine is busy with other things.
    late = [status for _, status in answers_after(told, back + 6)]
    assert set(late) <= {200, 429} and late.count(200) > 50, late
    is_as_told(server, told, tmp_path)
