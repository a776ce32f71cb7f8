"""Concurrent imports: killed midway, two into one project, and alongside people at work."""

import contextlib
import os
import signal
import subprocess
import threading
import uuid

import psycopg2
import pytest

from conftest import Client, wait_for
from importing import asked, over
from test_import_people import COLUMNS, table
from test_import_project import HEADING, get, ids, place, row  # noqa: F401 (fixtures)
from world import ok

LOCK = "select pg_advisory_xact_lock((1::bigint << 61) | %s)"


@contextlib.contextmanager
def holding(stack, statement, *params):
    """A transaction of somebody else that has run this statement and stays open."""
    connection = psycopg2.connect(stack.env["STACK_ADMIN_DB"], options="-c search_path=planwright")
    try:
        connection.cursor().execute(statement, params)
        yield
    finally:
        connection.close()


def start(place, *args):
    return subprocess.Popen([place.stack.env["STACK_CTL"], "import", *map(str, args)],
                            env={**os.environ, "PLANWRIGHT_CONF": place.stack.env["STACK_CONF"]},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def waiting(stack, n):
    return wait_for(lambda: stack.sql(
        "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query ~* %s",
        "pg_advisory_xact_lock|insert into story")[0][0] == n, 20)


def test_a_kill_in_the_middle_leaves_nothing(place, ids):  # noqa: F811
    file = place.file("s.csv", table(HEADING, *(row(n, "A", Comment=["x (Bo - Oct 3, 2023)"]) for n in ids)))
    args = ["--account", place.account, "--new-project", place.name, file]
    other = ok(place.client.post("/projects", {"name": "Other", "account_id": int(place.account)}))["id"]
    with holding(place.stack, "insert into story (id, project_id, name, rank) values (%s, %s, 'x', 0)",
                 ids[0], other):
        going = start(place, *args)
        assert waiting(place.stack, 1), "it waits for whoever makes a story of that id"
        going.send_signal(signal.SIGKILL)
        going.wait()
        assert wait_for(lambda: not place.stack.sql(
            "select 1 from pg_stat_activity where query ~ 'insert into story' and state = 'active'"
            " and pid <> pg_backend_pid()"), 20)
    assert place.project is None
    assert not place.stack.sql("select 1 from story where id = any(%s)", ids)
    assert not place.stack.sql("select 1 from person where name = 'Bo' and placeholder"
                               " and id in (select person_id from account_membership where account_id = %s)",
                               int(place.account))
    place.run(file)
    assert len(place.stack.sql("select 1 from story where id = any(%s)", ids)) == len(ids)


def test_two_imports_into_one_project_come_one_after_the_other(place, ids):  # noqa: F811
    place.run(place.file("a.csv", table(HEADING, row(ids[0], "A"))))
    place.path = f"/projects/{place.project}"
    before = get(place, "")["version"]
    file = place.file("b.csv", table(HEADING, *(row(n, "B") for n in ids[1:])))
    with holding(place.stack, LOCK, place.project):
        both = [start(place, "--project", place.project, file) for _ in range(2)]
        assert waiting(place.stack, 2)
    ends = [one.communicate(timeout=60) for one in both]
    assert [one.returncode for one in both] == [0, 0], ends
    assert len(get(place, "stories")) == len(ids)
    assert get(place, "")["version"] == before + 1, "the second one had nothing to do"


def test_who_works_elsewhere_waits_for_nothing(place, ids, person):  # noqa: F811
    mate = person("Mia Mate")
    client = Client(place.stack, mate.token)
    project = ok(client.post("/projects", {"name": "Mine", "new_account_name": f"Own {mate.id}"}))["id"]
    rows = [row(ids[0] + 1000000 + i, f"Story {i}", Comment=[f"words {i} of it (Bo - Oct 3, 2023)"] * 3,
                Description="some words " * 20) for i in range(2000)]
    file = place.file("big.csv", table(HEADING, *rows))
    statuses, over = [], threading.Event()

    def work():
        while not over.is_set():
            answer = client.post(f"/projects/{project}/stories", {"name": "Next"})
            statuses.append(answer.status_code)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        place.run(file)
    finally:
        over.set()
        worker.join()
    assert set(statuses) == {200} and len(statuses) > 5
    assert place.stack.sql("select count(*) from story where project_id = %s", place.project) == [(2000,)]


def test_what_new_people_are_called_is_free_until_the_end(place, ids, person):  # noqa: F811
    """User names and addresses are unique on the server: an import takes them when it has done everything else."""
    name, mate = f"new{uuid.uuid4().hex[:8]}", Client(place.stack, person("Mia Mate").token)
    elsewhere = ok(mate.post("/projects", {"name": "Mine", "new_account_name": f"Own {name}"}))["id"]
    here, other = (ok(place.client.post("/projects", {"name": word, "account_id": int(place.account)}))["id"]
                   for word in ("Here", "Other"))
    file = table(HEADING, row(ids[0], "A", **{"Requested By": "New Newman", "Owned By": ["Old Oldman"]}))
    people = table(COLUMNS, ["New Newman", f"{name}@example.test", "", "", "create"],
                   ["Old Oldman", f"old-{name}@example.test", f"old{name}", "", "create"])
    with holding(place.stack, "insert into story (id, project_id, name, rank) values (%s, %s, 'x', 0)", ids[0], other):
        url = asked(place.client, f"/projects/{here}", ("file", "s.csv", file.encode()), ("people", "people.csv", people.encode()))
        assert waiting(place.stack, 1)
        made = mate.post(f"/projects/{elsewhere}/memberships", {"email": f"{name}@example.test", "name": "New", "initials": "N"})
        named = mate.put("/me", {"username": f"old{name}"})
        assert (made.status_code, named.status_code) == (200, 200), (made.text, named.text)
        assert place.client.get(url.removeprefix(place.stack.url)).json()["state"] == "running"
    assert over(place.client, url)["state"] == "done"
    story = ok(place.client.get(f"/stories/{ids[0]}?fields=requested_by,owners(name,email,username)"))
    assert story["requested_by"]["id"] != made.json()["person"]["id"], "somebody has the address by now"
    assert [(p["email"], p["username"]) for p in story["owners"]] == [
        (f"old-{name}@example.test", f"old{name}-{story['owners'][0]['id']}")]


@pytest.mark.parametrize("dry", [True, False])
def test_a_project_that_goes_meanwhile(place, ids, dry):  # noqa: F811
    place.run(place.file("a.csv", table(HEADING, row(ids[0], "A"))))
    project = place.project
    file = place.file("b.csv", table(HEADING, row(ids[1], "B")))
    with holding(place.stack, LOCK, project):
        going = start(place, "--project", project, *["--dry-run"] * dry, file)
        assert waiting(place.stack, 1)
        place.stack.sql("delete from project where id = %s", project)
    out, said = going.communicate(timeout=60)
    assert going.returncode == 4 and "there is no project" in said, (out, said)


def test_no_sequence_goes_back(place, ids):  # noqa: F811
    """The position is read only when nobody else moves it: imports that keep ids above it move it at the same time."""
    (last,), = place.stack.sql("select last_value from story_id_seq")
    far = last + 50000
    file = place.file("far.csv", table(HEADING, row(last + 30000, "A"), row(ids[0], "B")))
    with holding(place.stack, "select pg_advisory_xact_lock(1::bigint << 56)"):
        going = start(place, "--account", place.account, "--new-project", place.name, file)
        assert waiting(place.stack, 1), "another import is about to move a sequence"
        place.stack.sql("select setval('story_id_seq', %s)", far)
    said = going.communicate(timeout=60)
    assert going.returncode == 0, said
    assert place.stack.sql("select last_value from story_id_seq") == [(far,)]
    story = ok(place.client.post(f"/projects/{place.project}/stories", {"name": "Next"}))
    assert story["id"] > far


def test_nobody_waits_for_the_end_of_an_import_that_keeps_ids(place, ids):  # noqa: F811
    (last,), = place.stack.sql("select last_value from story_id_seq")
    file = place.file("far.csv", table(HEADING, row(last + 20000, "A"), row(ids[0], "B")))
    other = ok(place.client.post("/projects", {"name": "Other", "account_id": int(place.account)}))["id"]
    with holding(place.stack, "insert into story (id, project_id, name, rank) values (%s, %s, 'x', 0)", ids[0], other):
        going = start(place, "--account", place.account, "--new-project", place.name, file)
        assert waiting(place.stack, 1), "it waits for whoever makes a story of that id"
        assert place.stack.sql("select pg_try_advisory_xact_lock(1::bigint << 56)") == [(True,)]
        assert ok(place.client.post(f"/projects/{other}/stories", {"name": "Next"}))["id"] > last + 20000
    assert (going.communicate(timeout=60), going.returncode)[1] == 0
