"""Dumps, answers of the API and archives (t/import/make_files.py) become stories on a server; harmful files are
refused with one line, and nothing is written."""

import json
import pathlib
import subprocess
import sys

import pytest

from importing import asked, over, team_of

MADE = pathlib.Path(__file__).resolve().parent.parent / "import" / "make_files.py"
HARMFUL = ["up.zip", "bomb.zip", "many.zip", "overlap.zip", "encrypted.zip", "cut.zip",
           "deep.json", "half.json", "not_utf8.json", "text.txt", "sheet.xlsx", "old.xls", "view.db",
           "huge_row.db", "torn.db", "tree.db", "own_newer.zip", "own_changed.zip"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files") / "made"
    subprocess.run([sys.executable, "-B", MADE, folder], check=True)
    return folder


def imported(stack, files, *names):
    """A new project with these files, and how its import ended."""
    team = team_of(stack)
    url = asked(team.owner, team.path, *(("file", name, (files / name).read_bytes()) for name in names))
    return team, url, over(team.owner, url, 120)


def codes(team, url):
    return {(r["severity"], r["code"]) for r in team.owner.get(f"{url}/report?limit=500").json()}


def test_a_dump_in_sqlite(stack, files):
    team, url, end = imported(stack, files, "storyexporter.db")
    assert end["state"] == "lost", end
    assert end["summary"]["story"]["created"] == 2
    story = team.owner.get(f"{team.path}/stories/185000001?fields=:default,comments(:default,"
                           "file_attachments),blockers").json()
    assert story["description"] == "Two\nlines" and story["estimate"] == 2
    assert story["created_at"] == "2023-10-02T08:00:00Z"
    assert story["accepted_at"] == "2023-10-12T15:30:00Z"
    assert sorted(label["name"] for label in story["labels"]) == ["backend", "sign-in"]
    first, second = story["comments"]
    assert (first["text"], second["text"]) == ("First", "Done")
    (file,) = second["file_attachments"]
    assert (file["filename"], file["size"]) == ("a.png", 5)
    assert team.owner.get(stack.url + f"/file_attachments/{file['id']}/download").content == b"hello"
    assert [b["resolved"] for b in story["blockers"]] == [True]
    assert team.owner.get(f"{team.path}/epics/4100001").json()["label"]["name"] == "sign-in"
    assert ("lost", "no_content") in codes(team, url)


def test_archives_of_files_and_of_replies(stack, files):
    team, url, end = imported(stack, files, "picture.zip", "replies.zip")
    assert end["summary"]["story"]["created"] == 1, end
    assert [e["id"] for e in team.owner.get(f"{team.path}/epics").json() if e["name"] == "E"] == [41]


def test_one_story_with_very_many_comments(stack, files):
    team, url, end = imported(stack, files, "many_comments.json")
    assert end["state"] == "done", end
    assert end["summary"]["comment"]["created"] == 15000


def test_a_link_in_an_archive_is_lost(stack, files):
    team, url, end = imported(stack, files, "link.zip")
    assert end["state"] == "lost", end
    assert ("lost", "unreadable") in codes(team, url)


@pytest.mark.parametrize("name", HARMFUL)
def test_what_harms_is_refused(stack, files, name):
    team, url, end = imported(stack, files, name)
    assert end["state"] == "refused", end
    told = team.owner.get(f"{url}?fields=:default,problem").json()
    assert told["problem"] and "\n" not in told["problem"]
    assert "error" in {r["severity"] for r in team.owner.get(f"{url}/report").json()}
    assert team.owner.get(team.path).json()["version"] <= 8
    assert str(stack.directory) not in told["problem"]


def test_a_project_has_at_most_twenty_webhooks(stack):
    """An import adds no more either; the project's own ones stay."""
    team = team_of(stack)
    there = team.owner.post(f"{team.path}/webhooks", {"webhook_url": "https://own.example", "webhook_version": "v5"})
    assert there.status_code == 200
    hooks = [{"kind": "webhook", "id": i, "webhook_url": f"https://e.example/{i}", "webhook_version": "v5",
              "enabled": True} for i in range(1, 31)]
    body = json.dumps({"kind": "project", "id": 77, "name": "Hooks", "webhooks": hooks}).encode()
    for created, lost in ((19, 11), (0, 11)):
        url = asked(team.owner, team.path, ("file", "hooks.json", body))
        end = over(team.owner, url)
        assert (end["summary"]["webhook"].get("created", 0), end["summary"]["webhook"]["lost"]) == (created, lost)
        assert ("lost", "too_many") in codes(team, url)
        urls = {w["webhook_url"] for w in team.owner.get(f"{team.path}/webhooks").json()}
        assert urls == {"https://own.example", *(f"https://e.example/{i}" for i in range(1, 20))}
