"""A part of t/proof/torture.py: calls that fail while a request is answered, and processes that are killed meanwhile;
and what a program does that lacks memory or descriptors for a moment."""

import contextlib
import os
import shutil
import subprocess
import sys

import conftest
import psycopg2
import pytest

from conftest import BUILD, ROOT, TOP, Client, Person, Stack, stack_folder, wait_for
from importing import send
from test_upgrade import admin, psql
from world import new_project

sys.path.insert(0, str(TOP / "t/proof"))
from faults import Fault, prepare  # noqa: E402

pytestmark = pytest.mark.plain  # sanitizers have their own allocator


@pytest.mark.parametrize("part, kinds", [
    # Without memory, libpq builds results of its own: the answers to preparing and executing must not be mixed up.
    # Nor may json-c report a valid body as invalid.
    ("POST /projects/:project/stories/:story/labels", "malloc"),
    # Nor may it wait for the end of a transaction that it has forgotten.
    ("PUT /me$", "malloc"),
    ("POST /projects/:project/uploads", "read write send recv open rename fsync fork unlink mkdir"),
    ("PUT /projects/:project/stories/:story$", "send recv read worker backend terminated"),
])
def test_nothing_is_half_written(part, kinds):
    done = subprocess.run([sys.executable, f"{TOP}/t/proof/torture.py", part], check=False, capture_output=True, text=True,
                          env={**os.environ, "STACK_BUILD": BUILD, "STACK_ROOT": str(ROOT), "TORTURE_KINDS": kinds,
                               "TORTURE_MOST": "24", "TORTURE_LAST": "24"}, timeout=600)
    assert done.returncode == 0 and " 0 found" in done.stdout, done.stdout[-3000:] + done.stderr[-2000:]


@pytest.fixture(scope="module")
def folder():
    """A folder with the build's programs, whose calls are counted and made to fail."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STACK_BUILD", BUILD)
        patch.setenv("STACK_HELPERS", BUILD)
        made = prepare()
        patch.setattr(conftest, "BUILD", str(made))
        yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def server(folder):
    made = Stack(stack_folder("faulty"), workers=1)
    yield made
    made.close()


@pytest.mark.parametrize("kind", ["malloc", "read", "open"])
def test_who_lacks_something_to_read_the_settings_is_started_again(folder, server, kind):
    """Status 78 would mean that restarting is useless."""
    def check():
        return subprocess.run([folder / "planwright.fcgi", "--check"], check=False, capture_output=True, text=True,
                              env={**os.environ, "PLANWRIGHT_CONF": server.env["STACK_CONF"]})
    fault, seen = Fault(folder, "planwright.fcgi"), set()
    for nth in range(1, 200):
        fault.arm(kind, nth)
        done = check()
        if fault.disarm() < nth:
            break
        assert done.returncode != 78, (nth, done.stderr)
        seen |= {line.partition(": ")[0] for line in done.stderr.splitlines()}
    assert check().returncode == 0 and any("settings" in line or server.env["STACK_CONF"] in line for line in seen), seen


def test_a_restore_that_was_ended_keeps_nothing(folder, server, tmp_path):
    """psql takes the end of its input for the end of the dump."""
    backup, files = tmp_path / "backup", tmp_path / "files"
    files.mkdir()
    new_project(Client(server, Person(server, "Ria Restore").token))
    server.ctl("backup", backup, "--without-secret")
    psql(server, "postgres", "create database torn owner planwright")
    env = {**os.environ, "PLANWRIGHT_CONF": server.env["STACK_CONF"], "PLANWRIGHT_FILES": str(files),
           "PLANWRIGHT_DATABASE": server.env["STACK_DB"].replace("dbname=planwright", "dbname=torn")}
    fault = Fault(folder, "planwrightctl")

    def restore(kind, nth):
        fault.arm(kind, nth)
        done = subprocess.run([folder / "planwrightctl", "restore", backup], check=False, capture_output=True, text=True,
                              env=env)
        return fault.disarm(), done

    def schema():
        with contextlib.closing(psycopg2.connect(admin(server, "torn"))) as connection, connection.cursor() as cursor:
            cursor.execute("select to_regclass('planwright.project')")
            return cursor.fetchone()[0]

    for kind, writes in (("kill", 4000), ("write", 2000)):
        assert restore(kind, writes)[1].returncode != 0
        assert wait_for(lambda: schema() is None), f"a part of the dump was kept ({kind})"
    done = restore("kill", 0)[1]
    assert done.returncode == 0 and schema(), done.stderr


def test_a_refused_import_waits_for_no_disk(server):
    owner = Client(server, Person(server, "Ona Owner").token)
    path = f"/projects/{new_project(owner)['id']}"
    fault = Fault(conftest.BUILD, "planwright.fcgi")
    for n, status in ((200, 200), (201, 400)):
        fault.arm("fsync", 0)
        assert send(owner, path, *[("file", "a", b"x")] * n).status_code == status
        assert fault.disarm() == (202 if n == 200 else 0), "each file, their folder, and the one above"
