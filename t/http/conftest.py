"""What all HTTP tests share: one server for the session, people, and a client.

    def test_name(api, people):
        answer = api(people.member).get("/me")
        assert answer.status_code == 200

`stack` is the server (dev/stack.sh), `api` makes clients, `person` makes people,
`sql` asks the database, `world` holds projects with people in every role, `board` is a
project of one `boss` whose stories are put in order, `new_stack` starts another server
for tests that break it.
The server's logs are read at the end: an answer 5xx, a token or a secret in them
fails the run.
"""

import base64
import fcntl
import functools
import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time
import uuid

import psycopg2
import pytest

import openapi
from board import Board
from client import Client
from streams import Stream
from world import World

TOP = pathlib.Path(__file__).resolve().parents[2]
STACK_SH = TOP / "dev" / "stack.sh"
BUILD = os.environ.get("STACK_BUILD")
if not BUILD:
    pytest.exit("set STACK_BUILD to a folder with planwright.fcgi and planwrightctl", 2)
# The planwrightctl that adds people for tests, a thousand times: an unsanitized one is faster, if that of BUILD has
# sanitizers. The tests of planwrightctl run that of BUILD.
HELPERS = os.environ.get("STACK_HELPERS") or BUILD
# The processes of pytest-xdist find it in their environment.
OWN_ROOT = not os.environ.get("STACK_ROOT")
if OWN_ROOT:
    os.environ["STACK_ROOT"] = tempfile.mkdtemp(prefix="planwright-test.")
    os.chmod(os.environ["STACK_ROOT"], 0o711)  # the workers run as another user
ROOT = pathlib.Path(os.environ["STACK_ROOT"])
ROOT.mkdir(parents=True, exist_ok=True)


def run(*args, env=None, check=True, stdin=""):
    """Runs a program; if it fails, its output is the message of the failure."""
    done = subprocess.run([str(a) for a in args], input=stdin, capture_output=True, text=True,
                          env={**os.environ, **(env or {})})
    return passed(done) if check else done


def passed(done):
    if done.returncode != 0:
        pytest.fail(f"{' '.join(done.args)}: {done.stdout}{done.stderr}", pytrace=False)
    return done


@functools.cache
def template():
    """A stopped server from whose database the others start: the program's schema, without rows. The processes of a
    run share it, and so do all runs of a build."""
    folder = ROOT / f"template.{(pathlib.Path(BUILD) / 'planwrightctl').stat().st_mtime_ns}"
    with (ROOT / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            run(STACK_SH, "start", folder, env={"STACK_BUILD": BUILD, "STACK_DURABLE": "0",
                                                "STACK_WORKERS": "1", "STACK_TEMPLATE": ""})
            run(STACK_SH, "stop", folder)
            (folder / "complete").touch()
    return folder


class Stack:
    """A server in its own folder; `env` contains the values that dev/stack.sh printed. All tests come from one
    address: nginx is told to allow it more passwords than usual, except in tests that count them. Clients that exceed
    their share try again, unless the test is about that."""

    patient = True

    def __init__(self, directory, workers=4, settings="", sign_ins=6000):
        openapi.validators()
        self.directory = pathlib.Path(directory)
        if "importers" not in settings:  # so that a test can stop the only one
            settings = f"importers = 1\n{settings}"
        run(STACK_SH, "start", self.directory, env={
            "STACK_BUILD": BUILD, "STACK_DURABLE": "0", "STACK_WORKERS": str(workers),
            "STACK_SETTINGS": settings, "STACK_SIGN_INS": str(sign_ins), "STACK_PORT": "",
            "STACK_TEMPLATE": template()})
        words = shlex.split((self.directory / "env").read_text())
        self.env = dict(word.split("=", 1) for word in words)
        self.url = self.env["STACK_URL"]
        self.port = int(self.env["STACK_PORT"])
        self.secrets = [(self.directory / "secret").read_text()]
        self.connection = self.pinned = None
        self.idle = []  # connections of all clients

    def ctl(self, *args, check=True, stdin="", program=None):
        """Runs planwrightctl with this server's settings; again, if the database of a busy machine did not answer."""
        how = {"check": False, "stdin": stdin, "env": {"PLANWRIGHT_CONF": self.env["STACK_CONF"]}}
        done = run(program or self.env["STACK_CTL"], *args, **how)
        if check and "failed: timeout expired" in done.stderr:
            done = run(program or self.env["STACK_CTL"], *args, **how)
        return passed(done) if check else done

    def sql(self, query, *params):
        """Returns the rows of a statement run as the superuser; each call is a transaction."""
        if self.connection is None or self.connection.closed:
            self.connection = psycopg2.connect(self.env["STACK_ADMIN_DB"],
                                               options="-c search_path=planwright")
            self.connection.autocommit = True
        with self.connection.cursor() as cursor:
            cursor.execute(query, params or None)
            return cursor.fetchall() if cursor.description else None

    def pin(self, instant):
        """Sets the clock of this server's database from now on; None releases it. now() becomes an SQL function,
        which PostgreSQL inlines wherever it is called, also in defaults of columns. Prepared statements would keep
        the old one, so connections are terminated."""
        if instant is not None and instant == self.pinned:
            return
        self.sql("create or replace function pg_catalog.now() returns timestamptz stable language " + (
            "internal strict parallel safe as 'now'" if instant is None
            else f"sql return timestamptz '{instant}'"))
        self.cut()
        self.pinned = instant

    def cut(self):
        """Terminates the connections of all programs, and waits until they are gone: an earlier request could still
        be served on a connection that is about to end."""
        programs = "from pg_stat_activity where application_name ~ '^planwright'"
        old = [pid for pid, in self.sql(f"select pid {programs}")]
        self.sql(f"select pg_terminate_backend(pid) {programs} and pid = any(%s::int[])", old)
        assert wait_for(lambda: not self.sql(f"select 1 {programs} and pid = any(%s::int[])", old))

    def part(self, verb, name):
        """part("stop", "postgres"), part("start", "workers")."""
        if self.connection is not None and (verb, name) == ("stop", "postgres"):
            self.connection.close()
        run(STACK_SH, f"part-{verb}", self.directory, name)

    def log(self, name):
        return (self.directory / "log" / f"{name}.log").read_text(errors="replace")

    def close(self, expects_5xx=False):
        """Stops it, then checks what its logs must not contain."""
        if self.connection is not None:
            self.connection.close()
        while self.idle:
            self.idle.pop().close()
        run(STACK_SH, "stop", self.directory)
        (self.directory / "secrets").write_text("".join(f"{s}\n" for s in self.secrets if s))
        if expects_5xx:
            (self.directory / "expects-5xx").touch()
        found = run(STACK_SH, "scan", self.directory, check=False)
        if found.returncode != 0:
            pytest.fail(f"in the logs below {self.directory}:\n{found.stdout}{found.stderr}",
                        pytrace=False)
        self.forget()

    def forget(self):
        """Deletes what is large. Most databases are gone before their files are written to the disk, for which others
        would have to wait."""
        shutil.rmtree(self.directory / "postgres")
        for program in self.directory.glob("planwright[.-]*"):
            if os.access(program, os.X_OK):
                program.unlink()


def base64_of(octets):
    return base64.b64encode(octets).decode()


class Person:
    """A person who can sign in."""

    def __init__(self, stack, name, **more):
        unique = uuid.uuid4().hex[:12]
        self.name = name
        self.username = more.get("username", f"u{unique}")
        self.email = more.get("email", f"{unique}@example.test")
        self.initials = more.get("initials", name[:2].upper())
        ctl = functools.partial(stack.ctl, program=pathlib.Path(HELPERS) / "planwrightctl")
        ctl("person", "add", "--name", name, "--email", self.email,
            "--username", self.username, "--initials", self.initials)
        self.token = ctl("token", "show", self.username).stdout.strip()
        (self.id,), = stack.sql("select id from planwright.person where username = %s",
                                self.username)
        self.stack = stack
        stack.secrets.append(self.token)

    @functools.cached_property
    def password(self):
        """Set when it is first asked for. The cost is part of a hash: this one is cheap, for the many tests that are
        about something else."""
        password, salt = f"pass-{uuid.uuid4()}", os.urandom(16)
        self.stack.secrets.append(password)
        found = hashlib.scrypt(password.encode(), salt=salt, n=1024, r=8, p=1, dklen=32)
        self.stack.sql("update planwright.person set password_hash = %s where id = %s",
                       f"scrypt$1024$8$1${base64_of(salt)}${base64_of(found)}", self.id)
        return password


def stack_folder(name):
    return pathlib.Path(tempfile.mkdtemp(prefix=f"{name}.", dir=ROOT))


def pytest_sessionfinish(exitstatus):
    """A temporary folder is kept only after a failure."""
    if OWN_ROOT and exitstatus == 0:
        shutil.rmtree(ROOT, ignore_errors=True)


def pytest_configure(config):
    config.addinivalue_line("markers", "plain: of what a sanitizer takes, in memory or in time, or of what "
                            "others make of our answers: it is run with the plain build alone")
    config.addinivalue_line("markers", "both: ./check runs it with the plain build, too, which ships, and not only "
                            "with the sanitized one")
    config.addinivalue_line("markers", "alone: a few seconds at most are measured, or others would have to wait: ./check "
                            "runs it with the plain build, while nothing else runs")
    config.addinivalue_line("markers", "timed: ./check also runs it like those that are `alone`: see within.py")
    config.addinivalue_line("markers", "needs(lacks): left out if something is lacking, which this says")


# The files that take longest, slowest first.
SLOWEST = [f"test_{name}.py" for name in (
    "store_faults", "store_ways", "importer", "backup", "pooler", "shares", "standby_reads", "webhooks",
    "hosts", "files", "torture", "passwords", "live", "sender_shares", "leases", "importer_turns",
    "import_files", "ctl", "live_idle", "oidc", "limits", "matrix", "media", "secret", "oidc_hostile",
    "faults", "parent", "store", "export_project", "examples", "kept", "audit", "second_factor_required",
    "borders", "import_project", "throttle", "withheld", "import_words", "sessions", "naming", "senders",
    "live_restarts", "audit_ctl", "export_zip", "scopes", "readers", "imports", "search")]


def longest_first(items, slowest):
    """Processes take files in this order, so that none begins with a long one when the others are about to end."""
    items.sort(key=lambda item: slowest.index(item.path.name) if item.path.name in slowest
               else len(slowest))


def pytest_terminal_summary(terminalreporter):
    """Tests that Debian's packages are too old for are left out, not skipped: ./check says so once; Debian 13 runs
    them."""
    from pooler import LACKS
    if LACKS:
        terminalreporter.write_line(f"left out: tests of a pooler by transaction: {LACKS}")


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if not any(mark.args[0] for mark in item.iter_markers("needs"))]
    if BUILD.rstrip("/").endswith("sanitized"):
        items[:] = [item for item in items
                    if not item.get_closest_marker("plain") and not item.get_closest_marker("alone")]
    longest_first(items, SLOWEST)


MISCOUNTED = """select p.id, p.story_counts, c.counts from planwright.project p
    cross join lateral (select array_agg((select count(*) from planwright.story s
        where s.project_id = p.id and s.section = n)::integer order by n) as counts
        from generate_series(0, 4) n) c where p.story_counts <> c.counts"""


# Totals of feeds rely on it.
WITHOUT_ACTIVITY = """select p.id, p.version, a.n from planwright.project p cross join lateral
    (select count(*) as n from planwright.activity a where a.project_id = p.id) a
    where a.n <> p.version - 1"""


@pytest.fixture(scope="session")
def stack():
    server = Stack(stack_folder("main"))
    yield server
    assert not server.sql(MISCOUNTED), "each project counts its stories"
    assert not server.sql(WITHOUT_ACTIVITY), "each version after the first has an activity"
    assert not server.sql("""select a.project_id, a.message from activity a
        where strpos(a::text, %s) > 0 limit 3""", f"127.0.0.1:{server.port}"), "no activity stores base_url"
    before = server.sql("select id, tally from planwright.label order by id")
    server.sql("select planwright.labels_recount()")
    assert server.sql("select id, tally from planwright.label order by id") == before
    server.close()


@pytest.fixture
def new_stack():
    """new_stack(workers=1, settings="…", expects_5xx=True): a server for one test."""
    servers = []

    def start(expects_5xx=False, **kwargs):
        server = Stack(stack_folder("own"), **kwargs)
        servers.append((server, expects_5xx))
        return server

    yield start
    for server, expects_5xx in servers:
        server.close(expects_5xx)


@pytest.fixture(scope="session")
def sql(stack):
    return stack.sql


@pytest.fixture(scope="session")
def person(stack):
    """person("Name") adds a person who belongs to no project or account."""
    return lambda name="Somebody", **more: Person(stack, name, **more)


@pytest.fixture(scope="session")
def api(stack):
    """api(person), api(token), or api() for nobody; base="/services/edge" for another root."""
    def make(who=None, **kwargs):
        return Client(stack, getattr(who, "token", who), **kwargs)
    return make


@pytest.fixture
def listen(stack):
    """listen(token, projects, …) opens a stream of live updates, and closes it after the test."""
    opened = []

    def make(*args, on=stack, **kwargs):
        opened.append(Stream(on, *args, **kwargs))
        return opened[-1]

    yield make
    for stream in opened:
        stream.close()


@pytest.fixture(scope="session")
def world(api, person):
    """Projects with people in every role (world.py)."""
    return World(api, person)


@pytest.fixture(scope="module")
def boss(person):
    return person("Boss")


@pytest.fixture
def board(api, boss):
    """A project of its own (board.py)."""
    return Board(api(boss))


@pytest.fixture(scope="session")
def clocked():
    """A server whose clock these tests set."""
    server = Stack(stack_folder("clock"), workers=1)
    yield server
    server.close()


@pytest.fixture(scope="session")
def planner(clocked):
    return Client(clocked, Person(clocked, "Paula Planner").token)


@pytest.fixture(scope="session")
def make(planner):
    """make(settings…): a project that belongs to the planner."""
    count = iter(range(100000))
    account = planner.post("/projects", {"name": "first", "new_account_name": "Planners"}).json()

    def project(**settings):
        answer = planner.post("/projects", {"name": f"project {next(count)}",
                                          "account_id": account["account_id"], **settings})
        assert answer.status_code == 200, answer.text
        return answer.json()["id"]
    return project


def wait_for(condition, seconds=30):
    """Waits until condition() is true; returns its last value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.05)
