"""Helpers for tests of imports over HTTP: requesting one, waiting until it has ended, and a server whose importer can
be stopped and killed."""

import contextlib
import os
import pathlib

import psycopg2
import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from team import Team

CSV = (b"Id,Title,Labels,Type,Estimate,Current State,Created at,Requested By,Description\r\n"
       b'4001,One,"a, b",feature,2,unstarted,"Oct 2, 2023",Rita Requester,A text\r\n'
       b'4002,Two,,chore,,unscheduled,"Oct 3, 2023",Rita Requester,\r\n')
KEYS = ["kind", "id", "state", "dry_run", "summary"]
OVER = ("done", "lost", "refused", "cancelled")


def form(*parts):
    """A body with these parts: (name, content) or (name, file name, content)."""
    body = b""
    for name, *more in parts:
        file = f'; filename="{more[0]}"' if len(more) == 2 else ""
        body += (f'--XX\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'.encode()
                 + more[-1] + b"\r\n")
    return body + b"--XX--\r\n"


def send(client, path, *parts):
    return client.post(f"{path}/imports", data=form(*parts),
                       headers={"Content-Type": "multipart/form-data; boundary=XX"})


def asked(client, path, *parts):
    answer = send(client, path, *parts or [("file", "stories.csv", CSV)])
    assert answer.status_code == 200, answer.text
    return f"{path}/imports/{answer.json()['id']}"


def over(client, url, seconds=30):
    """Returns the import once it has ended."""
    told = {}

    def look():
        told.update(client.get(url).json())
        return told["state"] in OVER
    assert wait_for(look, seconds), told
    return told


def team_of(stack):
    return Team(stack, lambda p: Client(stack, p.token), lambda name: Person(stack, name))


def importers(stack):
    """Their process ids."""
    found = []
    for exe in pathlib.Path("/proc").glob("[0-9]*/exe"):
        with contextlib.suppress(OSError):
            if os.readlink(exe) == f"{stack.directory.resolve()}/planwright-importer":
                found.append(int(exe.parent.name))
    return found


@contextlib.contextmanager
def held(stack, project):
    """Locks the project, so that an import of it continues only when the block ends."""
    connection = psycopg2.connect(stack.env["STACK_ADMIN_DB"], options="-c search_path=planwright")
    try:
        connection.cursor().execute(
            "select pg_advisory_xact_lock((1::bigint << 61) | %s),"
            " (select id from project where id = %s for no key update)", (project, project))
        yield
    finally:
        connection.close()


def row(stack, url):
    (found,) = stack.sql("select state, attempts from project_import where id = %s",
                         url.rsplit("/", 1)[1])
    return found


def waits_for_the_project(stack):
    return stack.sql("select 1 from pg_stat_activity where wait_event_type = 'Lock'"
                     " and application_name like 'planwright import %%'")


def folders(stack):
    place = stack.directory / "files" / "import"
    return sorted(p.name for p in place.iterdir()) if place.exists() else []


def count(own, team):
    (n,), = own.sql("select count(*) from story where project_id = %s and id < 200000000", team.id)
    return n


@contextlib.contextmanager
def short_leases():
    """A successor waits for three seconds, instead of the time in the manual."""
    os.environ["PLANWRIGHT_LEASE_SECONDS"] = "3"
    try:
        yield
    finally:
        del os.environ["PLANWRIGHT_LEASE_SECONDS"]


@pytest.fixture(scope="module")
def own():
    """A server whose importer these tests stop and kill."""
    with short_leases():
        server = Stack(stack_folder("imports"), workers=2, settings="import_max_mib = 1")
        yield server
        server.close()


@pytest.fixture(scope="module")
def place(own):
    return team_of(own)


@pytest.fixture
def stopped(own):
    """Nothing is imported until start() or the end of the test; earlier imports have ended."""
    assert wait_for(lambda: not own.sql(
        "select 1 from project_import where state in ('queued', 'running')"))
    own.part("stop", "importer")
    running = []

    def start():
        own.part("start", "importer")
        running.append(True)
    yield start
    if not running:
        own.part("start", "importer")
