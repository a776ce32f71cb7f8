"""An import of twice as much takes PostgreSQL hardly more than twice the processor time: no statement scans all rows
for each row. The processor time of the file readers is measured by t/import/linear.py."""

import json
import os
import pathlib
import zipfile

import pytest

from conftest import Person, Stack, stack_folder

HEAD = "Id,Title,Labels,Type,Current State\n"
MOST, TRIES = 2.6, 4  # linear imports take at most about twice as long, quadratic ones four times


def labels_csv(path, n):
    """As many labels as stories, each on several stories."""
    rows = (", ".join(f"l {(i + j * 37) % n}" for j in range(5)) for i in range(n))
    path.write_text(HEAD + "".join(f'{i + 1},T,"{row}",bug,unstarted\n' for i, row in enumerate(rows)))


def files_zip(path, n):
    """A file on each story."""
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("stories.csv", HEAD + "".join(f"{i + 1},T,,bug,unstarted\n" for i in range(n)))
        for i in range(n):
            z.writestr(f"{i + 1}/a.txt", b"x%d" % i)


def hung_json(path, n):
    """All followers, comments, tasks and blockers on one story."""
    story = {"kind": "story", "id": 1, "name": "s", "story_type": "bug", "project_id": 1,
             "current_state": "unstarted", "followers": [
                 {"id": i + 1, "name": f"P {i}"} for i in range(n // 4)],
             "comments": [{"id": i + 1, "text": "a", "person": {"id": i % 20 + 1, "name": f"P {i % 20}"}}
                          for i in range(n)],
             "tasks": [{"id": i + 1, "description": "t"} for i in range(n)],
             "blockers": [{"id": i + 1, "description": "b"} for i in range(n)]}
    path.write_text(json.dumps(story))


def members_csv(path, n):
    """People who all have the same name."""
    path.write_text("Name,Email,Username,Person ID,Project ID,Project Name,Project Role\n" + "".join(
        f"Same Name,p{i}@example.com,p{i},{i + 1},7,Shop,member\n" for i in range(n)))


def people_csv(path, n):
    """People who are listed in a map."""
    path.write_text("Id,Title,Type,Current State,Requested By\n" + "".join(
        f"{i + 1},T,bug,unstarted,P {i}\n" for i in range(n)))
    map_of(path).write_text("name,email,username,person_id,action\n" + "".join(
        f"P {i},p{i}@example.com,,,create\n" for i in range(n)))


def map_of(path):
    return path.with_suffix(".map")


KINDS = {"labels.csv": (labels_csv, 1500), "files.zip": (files_zip, 3000), "hung.json": (hung_json, 3000),
         "members.csv": (members_csv, 2000), "people.csv": (people_csv, 2000)}


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("doubled"), workers=1)
    stack.ctl("account", "add", "Doubled", "--owner", Person(stack, "Ada").email)
    # Background work is not part of an import.
    stack.sql("alter system set autovacuum = off")
    stack.sql("select pg_reload_conf()")
    yield stack
    stack.close()


def processor(stack):
    """Seconds of processor time that PostgreSQL has used, including processes that have ended."""
    postgres, ticks = int((stack.directory / "pid" / "postgres").read_text().split()[0]), 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            told = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == postgres:
            ticks += sum(map(int, told[11:15]))
        elif int(told[1]) == postgres:
            ticks += sum(map(int, told[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def taken(stack, path):
    before = processor(stack)
    people = ["--people", str(map_of(path))] if map_of(path).exists() else []
    done = stack.ctl("import", "--new-project", "D", "--dry-run", *people, str(path), check=False)
    assert done.returncode in (0, 3), done.stdout + done.stderr
    return processor(stack) - before


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_twice_as_much_takes_twice_as_long(server, tmp_path, kind):
    make, n = KINDS[kind]
    make(tmp_path / f"1-{kind}", n)
    make(tmp_path / f"2-{kind}", 2 * n)
    told = []
    for _ in range(TRIES):
        small, large = taken(server, tmp_path / f"1-{kind}"), taken(server, tmp_path / f"2-{kind}")
        told.append((large / max(small, 0.01), small, large))
        if told[-1][0] <= MOST:
            return
    pytest.fail(f"times, seconds of the small one and of the large one: {told}")
