"""Imports take turns by person, end when they are asked to, and cost no more than settings allow."""

import os
import subprocess

import pytest

from conftest import Stack, stack_folder, wait_for
from importing import (  # noqa: F401 (fixtures)
    CSV, asked, count, folders, held, over, row, team_of, waits_for_the_project)
from test_import_at_once import holding


@pytest.fixture(scope="module")
def own():
    """A server with little room for imports."""
    server = Stack(stack_folder("turns"), workers=2, settings="import_max_mib = 1\nimport_rows = 100")
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
    """Ten of a stranger's stand before the one of somebody else: it is the second."""
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


def test_what_waits_is_ended(own, stopped):
    team = team_of(own)
    url = asked(team.owner, team.path, ("file", "a.csv", numbered(661)))
    other = asked(team.owner, team.path, ("file", "a.csv", numbered(662)))
    assert sorted(folders(own)) == sorted(u.rsplit("/", 1)[1] for u in (url, other))
    assert team.member.delete(url).status_code == 403
    assert team.owner.delete(url + "9999").status_code == 404
    answer = team.owner.delete(url)
    assert (answer.status_code, answer.content) == (204, b"")
    assert own.ctl("imports", "end", other.rsplit("/", 1)[1]).stdout.endswith("is ended\n")
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
    assert done.returncode == 1 and "no import" in done.stderr


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
        assert wait_for(lambda: not waits_for_the_project(own), 10)
        assert wait_for(lambda: folders(own) == [], 10)
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


def test_time_is_bounded(own, stopped):
    """Statements count: this one waits for somebody who makes a story of that id."""
    team, other = team_of(own), team_of(own)
    url = asked(team.owner, team.path, ("file", "a.csv", numbered(681)))
    env = {**os.environ, "PLANWRIGHT_CONF": own.env["STACK_CONF"], "PLANWRIGHT_IMPORT_SECONDS": "1"}
    with open(own.directory / "log" / "importer-short.log", "ab") as log, holding(
            own, "insert into story (id, project_id, name, rank) values (6811, %s, 'x', 0)", other.id):
        short = subprocess.Popen([os.path.join(os.environ["STACK_BUILD"], "planwright-importer")],
                                 stdout=log, stderr=log, env=env)
        try:
            end = over(team.owner, url)
        finally:
            short.terminate()
            assert short.wait(15) == 0
    assert end["state"] == "refused" and "import_seconds" in end["problem"]
    assert "1 seconds" in end["problem"] and row(own, url)[1] == 1
    assert count(own, team) == 0 and folders(own) == []
