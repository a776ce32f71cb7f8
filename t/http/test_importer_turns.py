"""Imports take turns by person, end when asked to, and use no more rows, time and disk space than the settings allow;
however they end, nothing is left on the disk."""

import contextlib
import fcntl
import io
import os
import pathlib
import signal
import subprocess
import zipfile

import pytest

from conftest import Stack, stack_folder, wait_for
from importing import (  # noqa: F401 (fixtures)
    CSV, asked, count, folders, held, importers, over, row, short_leases, team_of,
    waits_for_the_project)
from test_import_at_once import holding


@pytest.fixture(scope="module")
def own():
    """A server that allows imports little space."""
    with short_leases():
        server = Stack(stack_folder("turns"), workers=2,
                       settings="import_max_mib = 1\nimport_rows = 100\naccount_quota_mib = 2")
        yield server
        server.close()


@pytest.fixture
def stopped(own):
    own.part("stop", "importer")
    running = []

    def start():
        own.part("start", "importer")
        running.append(True)
    yield start
    if not running:
        own.part("start", "importer")


def numbered(n):
    return CSV.replace(b"400", str(n).encode())


def test_people_take_turns(own, stopped):
    """Ten imports of a stranger are queued before that of somebody else: it is the second to run."""
    greedy, modest = team_of(own), team_of(own)
    many = [asked(greedy.owner, greedy.path, ("file", "a.csv", numbered(600 + i))) for i in range(4)]
    one = asked(modest.owner, modest.path, ("file", "a.csv", numbered(650)))
    listed = own.ctl("imports", "list").stdout.splitlines()
    mine = [line.split("\t")[0] for line in listed]
    assert mine.index(one.rsplit("/", 1)[1]) == 1 and len(mine) == 5
    stopped()
    for url in many:
        over(greedy.owner, url)
    over(modest.owner, one)
    order = [n for n, in own.sql("select id from project_import where project_id in (%s, %s)"
                                 " order by started_at", greedy.id, modest.id)]
    assert order.index(int(one.rsplit("/", 1)[1])) == 1


def test_nothing_is_imported_for_somebody_who_was_disabled_meanwhile(own, stopped):
    team = team_of(own)
    url = asked(team.owner, team.path, ("file", "a.csv", numbered(671)))
    own.ctl("person", "disable", team.people["owner"].username)
    stopped()
    assert wait_for(lambda: own.sql("select problem from project_import where id = %s and state = 'refused'",
                                    url.rsplit("/", 1)[1]))
    assert count(own, team) == 0
    own.ctl("person", "enable", team.people["owner"].username)
    assert "disabled" in team.owner.get(url).json()["problem"]


def test_what_waits_is_ended(own, stopped):
    team = team_of(own)
    url = asked(team.owner, team.path, ("file", "a.csv", numbered(661)))
    other = asked(team.owner, team.path, ("file", "a.csv", numbered(662)))
    assert sorted(folders(own)) == sorted(u.rsplit("/", 1)[1] for u in (url, other))
    assert team.member.delete(url).status_code == 403
    assert team.owner.delete(url + "9999").status_code == 404
    answer = team.owner.delete(url)
    assert (answer.status_code, answer.content) == (204, b"")
    assert own.ctl("imports", "end", other.rsplit("/", 1)[1]).stdout.endswith("was cancelled\n")
    assert folders(own) == []
    told = team.owner.get(url + "?fields=state,summary,finished_at,problem").json()
    assert told["state"] == "cancelled" and told["summary"] == {} and told["finished_at"]
    assert team.owner.get(other).json()["state"] == "cancelled"
    stopped()
    last = asked(team.owner, team.path, ("file", "a.csv", numbered(663)))
    assert over(team.owner, last)["state"] in ("done", "lost")
    assert count(own, team) == 2
    refusal = team.owner.delete(last)
    assert refusal.status_code == 400 and "is over" in refusal.json()["general_problem"]
    assert team.owner.delete(url).status_code == 400
    done = own.ctl("imports", "end", last.rsplit("/", 1)[1], check=False)
    assert done.returncode == 1 and "there is no waiting or running import" in done.stderr


@pytest.mark.parametrize("way,number", [("http", 671), ("ctl", 672)])
def test_what_runs_is_ended(own, way, number):
    team = team_of(own)
    with held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", numbered(number)))
        assert wait_for(lambda: waits_for_the_project(own))
        if way == "http":
            assert team.owner.delete(url).status_code == 204
        else:
            own.ctl("imports", "end", url.rsplit("/", 1)[1])
        assert wait_for(lambda: not waits_for_the_project(own))
        assert wait_for(lambda: folders(own) == [])
    assert row(own, url) == ("cancelled", 1) and count(own, team) == 0
    again = asked(team.owner, team.path, ("file", "a.csv", numbered(number)))
    assert over(team.owner, again)["state"] in ("done", "lost") and count(own, team) == 2


def test_rows_are_bounded(own):
    team = team_of(own)
    head, line = CSV.split(b"\r\n")[:2]
    lines = [line.replace(b"4001", str(700000 + i).encode()) for i in range(101)]
    end = over(team.owner, asked(team.owner, team.path, ("file", "a.csv", b"\r\n".join([head, *lines]))))
    assert end["state"] == "refused" and "import_rows" in end["problem"] and "100 rows" in end["problem"]
    assert count(own, team) == 0
    end = over(team.owner, asked(team.owner, team.path, ("file", "a.csv", b"\r\n".join([head, *lines[:50]]))))
    assert end["state"] in ("done", "lost"), end


@contextlib.contextmanager
def importer_with(own, **settings):
    """An importer with settings of its own, while the server's is stopped."""
    env = {**os.environ, "PLANWRIGHT_CONF": own.env["STACK_CONF"],
           **{f"PLANWRIGHT_{name.upper()}": str(value) for name, value in settings.items()}}
    with open(own.directory / "log" / "importer-other.log", "ab") as log:
        other = subprocess.Popen([os.path.join(os.environ["STACK_BUILD"], "planwright-importer")],
                                 stdout=log, stderr=log, env=env)
        try:
            yield other
        finally:
            other.terminate()
            assert other.wait(30) in (0, -signal.SIGKILL)


def children(process):
    """The processes that it has started, according to /proc."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(stat.parent.name))
    return found


def test_a_long_import_keeps_nobody_else_waiting(own, stopped):
    greedy, modest = team_of(own), team_of(own)
    with importer_with(own, importers=2) as pool:
        with held(own, greedy.id):
            long = asked(greedy.owner, greedy.path, ("file", "a.csv", numbered(675)))
            assert wait_for(lambda: waits_for_the_project(own))
            next_one = asked(greedy.owner, greedy.path, ("file", "a.csv", numbered(676)))
            over(modest.owner, asked(modest.owner, modest.path, ("file", "a.csv", numbered(677))))
            assert row(own, next_one)[0] == "queued" and row(own, long)[0] == "running"
        for url in (long, next_one):
            assert over(greedy.owner, url)["state"] in ("done", "lost")
        one, other = children(pool.pid)
        os.kill(one, signal.SIGKILL)
        assert wait_for(lambda: len(children(pool.pid)) == 2 and one not in children(pool.pid))
        pool.kill()
        assert wait_for(lambda: not pathlib.Path(f"/proc/{other}").exists(), 20)


def test_time_is_bounded(own, stopped):
    """Statements count: this one waits for somebody who is creating a story with that id."""
    team, other = team_of(own), team_of(own)
    url = asked(team.owner, team.path, ("file", "a.csv", numbered(681)))
    with importer_with(own, import_seconds=1), holding(
            own, "insert into story (id, project_id, name, rank) values (6811, %s, 'x', 0)", other.id):
        end = over(team.owner, url)
        assert wait_for(lambda: folders(own) == [])  # removed by the importer that ends with this block
    assert end["state"] == "refused" and "import_seconds" in end["problem"]
    assert "1 seconds" in end["problem"] and row(own, url)[1] == 1
    assert count(own, team) == 0


# --- the disk -----------------------------------------------------------------------

def spooled(own):
    place = own.directory / "files" / "tmp"
    return sorted(p.name for p in place.iterdir()) if place.exists() else []


def packed(number, count, size=1 << 20):
    """A project's zip: a story, and files that are large when unpacked."""
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("stories.csv", numbered(number))
        for i in range(count):
            z.writestr(f"{number}1/{i}.bin", bytes([i]) * size)
    return to.getvalue()


def written(process):
    return int(dict(line.split(": ") for line in pathlib.Path(f"/proc/{process}/io").read_text()
                    .splitlines())["wchar"])


def test_the_quota_holds_before_it_is_written(own):
    team = team_of(own)
    importer, = importers(own)
    before = written(importer)
    url = asked(team.owner, team.path, ("file", "a.zip", packed(691, 16)))
    end = over(team.owner, url)
    assert end["state"] == "refused" and "account_quota_mib" in end["problem"], end
    assert written(importer) - before < 4 << 20
    assert wait_for(lambda: (spooled(own), folders(own)) == ([], [])), (spooled(own), folders(own))
    for again in (False, True):
        end = over(team.owner, asked(team.owner, team.path, ("file", "a.zip", packed(691, 1, 3 << 19))))
        assert end["state"] in ("done", "lost"), "the same files again need no room"
        assert end["summary"]["file_attachment"]["same" if again else "created"] == 1
    assert spooled(own) == []


def test_the_floor_of_the_disk_holds(own, stopped):
    team = team_of(own)
    url = asked(team.owner, team.path, ("file", "a.zip", packed(692, 1)))
    with importer_with(own, disk_floor_mib=1048576):
        end = over(team.owner, url)
    assert end["state"] == "refused" and "nearly full" in end["problem"], end
    assert (spooled(own), folders(own)) == ([], [])


def test_a_kill_leaves_no_spool(own):
    """The next importer deletes what the killed one wrote; the one that ends the import deletes the rest."""
    team, other = team_of(own), team_of(own)
    with holding(own, "insert into story (id, project_id, name, rank) values (6931, %s, 'x', 0)", other.id):
        url = asked(team.owner, team.path, ("file", "a.zip", packed(693, 1)))
        assert wait_for(lambda: waits_for_the_project(own))
        first, = spooled(own)
        victim, = importers(own)
        os.kill(victim, signal.SIGKILL)
        assert wait_for(lambda: row(own, url) == ("running", 2) and len(spooled(own)) == 1
                        and spooled(own) != [first]), spooled(own)
        assert team.owner.delete(url).status_code == 204
        assert wait_for(lambda: (spooled(own), folders(own)) == ([], [])), (spooled(own), folders(own))


def test_a_start_drops_what_has_no_owner(own):
    place = own.directory / "files" / "tmp"
    team = team_of(own)
    answer = team.owner.post(f"{team.path}/uploads", files={"file": ("x", b"x")})
    assert answer.status_code == 200 and spooled(own) == []
    (place / "own.dead").mkdir()
    (place / "own.dead" / "lock").touch()
    (place / "own.dead" / "content").touch()
    (place / "own.gone").touch()
    (place / "other").touch()
    (place / "own.lives").mkdir()
    with open(place / "own.lives" / "lock", "w") as folder, open(place / "own.used", "w") as file:
        for one in (folder, file):
            fcntl.flock(one, fcntl.LOCK_EX)
        for one in place.rglob("*"):
            os.chown(one, place.stat().st_uid, place.stat().st_gid)
        own.part("stop", "importer")
        own.part("start", "importer")
        assert wait_for(lambda: spooled(own) == ["other", "own.lives", "own.used"]), spooled(own)
    own.part("stop", "workers")
    own.part("start", "workers")
    assert wait_for(lambda: spooled(own) == ["other"]), spooled(own)
    (place / "other").unlink()
