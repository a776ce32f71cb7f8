"""Programs by others read what this server exports: a CSV library and an importer, both in another language and from
the npm registry (t/readers)."""

import csv
import io
import json
import shutil
import subprocess

import pytest

from board import Board
from conftest import TOP
from world import ok

# Other tests run this server code with sanitizers, too; npm and node take most of the time.
pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readers")
    for name in ("package.json", "package-lock.json", "read.cjs"):
        shutil.copy(f"{TOP}/t/readers/{name}", folder)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
                   cwd=folder, check=True, capture_output=True, text=True, timeout=300)
    return folder


@pytest.fixture(scope="module")
def boss(person):
    return person("Ana Núñez")


@pytest.fixture
def exported(api, boss):
    board = Board(api(boss), start_date="2024-01-01")
    board.add("Says \"so\", or not", description="Two\nlines; =1+1\n- an item", estimate=2,
              labels=[{"name": "ß"}, {"name": "b, c"}], owner_ids=[boss.id],
              comments=[{"text": "First (see log)"}, {"text": "=SUM(A1)"}],
              tasks=[{"description": "a task"}], current_state="accepted")
    board.add("Bare", story_type="chore")
    ok(board.client.post(f"{board.path}/epics", json={"name": "An epic", "label": {"name": "big"}}))
    answer = board.client.get(f"{board.path}/stories.csv")
    assert answer.status_code == 200
    return answer.content


def read(readers, reader, content):
    (readers / "stories.csv").write_bytes(content)
    made = subprocess.run(["node", "read.cjs", reader, "stories.csv"], cwd=readers, check=True,
                          capture_output=True, text=True, timeout=60)
    return json.loads(made.stdout)


def test_a_library_of_another_language_reads_the_same_cells(readers, exported):
    assert read(readers, "csv-parse", exported) == \
        list(csv.reader(io.StringIO(exported.decode(), newline="")))


def test_an_importer_of_another_program_finds_the_stories(readers, exported):
    made = {issue["title"]: issue for issue in read(readers, "linear", exported)["issues"]}
    assert made.keys() == {"Says \"so\", or not", "Bare"}
    story = made["Says \"so\", or not"]
    assert (story["status"], story["estimate"], story["assigneeId"]) == ("Done", 2, "Ana Núñez")
    assert [label.strip() for label in story["labels"]] == ["b", "c", "ß"]
    assert story["description"].startswith("Two\nlines; =1+1\n- an item")
    assert made["Bare"]["status"] == "Todo"
