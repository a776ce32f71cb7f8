"""Imports over HTTP: who may send what, the answers, and how many may wait (contract 2.20)."""

import os

import pytest

from conftest import wait_for
from fastcgi import Request
from importing import (  # noqa: F401 (fixtures)
    CSV, KEYS, asked, count, folders, form, over, own, place, row, send, stopped, team_of)
from team import team  # noqa: F401 (a fixture)
from test_transport import raw


# --- what is sent and answered -------------------------------------------------------

def test_an_import_without_a_map_answers_its_heading(team):
    url = asked(team.owner, team.path, ("file", "x", b"\x00\x01 no file that is known"))
    over(team.owner, url)
    assert team.owner.get(f"{url}/people.csv").text.startswith("name,email,username,person_id,action")


def test_a_table_needs_no_ids(team):
    """As other programs write it: only the title is required (contract 7.3)."""
    url = asked(team.owner, team.path, ("file", "wishes.csv", b"Type,Title,Labels\nbug,A wish,garden\n,Another,\n"))
    end = over(team.owner, url)
    assert (end["state"], end["summary"]["story"]["created"]) == ("done", 2)
    made = {s["name"]: s for s in team.owner.get(f"{team.path}/stories?limit=500").json()}
    assert made["A wish"]["story_type"] == "bug" and made["A wish"]["labels"][0]["name"] == "garden"
    assert (made["Another"]["story_type"], made["Another"]["current_state"]) == ("feature", "unscheduled")


def test_what_cannot_be_read_is_refused(team, stack):
    url = asked(team.owner, team.path, ("file", "über alles.txt", b"\x00\x01 no file that is known"))
    end = over(team.owner, url)
    assert end["state"] == "refused" and list(end) == KEYS + ["problem"]
    assert end["problem"] and str(stack.directory) not in end["problem"]
    assert "import/" not in end["problem"]


def test_the_report_has_pages(team, sql):
    url = asked(team.owner, team.path, ("file", "x", b"\x00"))
    over(team.owner, url)
    number = int(url.rsplit("/", 1)[1])
    sql("delete from project_import_line where import_id = %s", number)
    sql("insert into project_import_line (import_id, number, row_number, severity, code, message)"
        " select %s, n, n * 10, case when n %% 5 = 0 then 'lost' else 'note' end, 'c', 'm' || n"
        " from generate_series(1, 250) n", number)
    answer = team.owner.get(f"{url}/report")
    assert [line["row"] for line in answer.json()] == [n * 10 for n in range(1, 101)]
    assert list(answer.json()[0]) == ["row", "severity", "code", "message"]
    assert answer.headers["X-Tracker-Pagination-Total"] == "250"
    answer = team.owner.get(f"{url}/report?limit=1000&offset=245&fields=message")
    assert [line["message"] for line in answer.json()] == [f"m{n}" for n in range(246, 251)]
    answer = team.owner.get(f"{url}/report?severity=lost&limit=2")
    assert [line["row"] for line in answer.json()] == [50, 100]
    assert answer.headers["X-Tracker-Pagination-Total"] == "50"
    assert team.owner.get(f"{url}/report?severity=bad").status_code == 400


@pytest.mark.parametrize("parts, said", [
    ([], "requires the parameter: file"), ([("dry_run", b"true")], "requires the parameter: file"),
    ([("file", "a", b"x"), ("dry_run", b"maybe")], "'dry_run' must be one of: true, false"),
    ([("file", "a", b"x"), ("overwrite", b"")], "'overwrite' must be one of"),
    ([("file", "a", b"x"), ("date_order", b"ymd")], "'date_order' must be one of: mdy, dmy"),
    ([("file", "a", b"x"), ("encoding", b"utf-16" * 1000)], "must be one of: windows-1252"),
    ([("file", "a", b"x"), ("project", b"1")], "cannot accept the parameter: project"),
    ([("people", "a", b"x"), ("people", "a", b"x"), ("file", "a", b"x")], "two parts named people"),
    ([("file", "a", b"x")] * 201, "at most 200 files")])
def test_what_is_no_import(team, stack, parts, said):
    answer = send(team.owner, team.path, *parts)
    assert answer.status_code == 400 and said in answer.json()["general_problem"], answer.text
    assert not [name for name in folders(stack) if name.startswith("new.")]


@pytest.mark.parametrize("kind, body, code", [
    ("application/json", b"{}", "invalid_parameter"),
    ("multipart/form-data; boundary=XX", b"", "could_not_parse_body"),
    ("multipart/form-data; boundary=XX", form(("file", "a", b"x"))[:-4], "could_not_parse_body"),
    ("multipart/form-data; boundary=XX", b"--XX\r\n" + b"x" * 20000, "could_not_parse_body")])
def test_broken_bodies(team, kind, body, code):
    answer = team.owner.post(f"{team.path}/imports", data=body, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_rights_come_before_the_body(team, stack, api, person):
    """Of 400 MB not one byte is sent; a person who may send is told that the body ended too early."""
    def status(token):
        return Request(stack, "POST", f"{team.path}/imports", CONTENT_LENGTH="400000000",
                       CONTENT_TYPE="multipart/form-data; boundary=XX",
                       **({"HTTP_X_TRACKERTOKEN": token} if token else {})).answer()
    stranger = person("Stranger")
    for who in (team.people["member"], team.people["viewer"], stranger):
        assert status(who.token)[0] == 403
    assert status(None)[0] == 403 and status("0" * 32)[0] == 403
    code, body = status(team.people["owner"].token)
    assert code == 400 and b"ended too early" in body


def test_only_owners_look_at_imports(team, api, person):
    url = asked(team.owner, team.path, ("file", "x", b"\x00"))
    for client in (team.member, team.viewer, api(person()), api()):
        for path in (f"{team.path}/imports", url, f"{url}/report", f"{url}/people.csv"):
            assert client.get(path).status_code == 403
        assert send(client, team.path, ("file", "x", b"x")).status_code == 403


# --- bounds ---------------------------------------------------------------------------

def test_too_large_imports(place, own):
    for sizes in ([(1 << 20) + 1], [1 << 19, (1 << 19) + 1], [2 << 20]):
        parts = [("file", "x", b"x" * size) for size in sizes]
        answer = send(place.owner, place.path, *parts)
        assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")
    assert folders(own) == []
    asked(place.owner, place.path, ("file", "x", b"x" * (1 << 20)))


def test_nginx_has_the_same_limit(team, stack):
    request = (f"POST /services/v5{team.path}/imports HTTP/1.1\r\nHost: x\r\n"
               f"Content-Length: {514 << 20}\r\nContent-Type: multipart/form-data; boundary=X\r\n\r\n")
    assert raw(stack, request.encode())[0] == 413


def test_a_project_has_ten_that_wait(own, stopped):
    team, other = team_of(own), team_of(own)
    for _ in range(10):
        asked(team.owner, team.path, ("file", "x", b"x"))
    answer = send(team.owner, team.path, ("file", "x", b"x"))
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert "10 imports" in answer.json()["general_problem"]
    last = asked(other.owner, other.path, ("file", "x", b"x"))
    stopped()
    over(other.owner, last)
    asked(team.owner, team.path, ("file", "x", b"x"))


def test_what_waits_has_a_bound_in_bytes(own, stopped):
    teams = [team_of(own), team_of(own)]
    urls = [asked(teams[i % 2].owner, teams[i % 2].path, ("file", "x", b"x" * 1000000))
            for i in range(8)]
    answer = send(teams[0].owner, teams[0].path, ("file", "x", b"x" * 500000))
    assert answer.status_code == 429 and "all the space" in answer.json()["general_problem"]
    stopped()
    for i, url in enumerate(urls):
        over(teams[i % 2].owner, url)
    assert wait_for(lambda: folders(own) == [])


def test_the_last_twenty_are_kept(own, place):
    first = asked(place.owner, place.path, ("file", "x", b"\x00"))
    over(place.owner, first)
    own.sql("insert into project_import (project_id, state, dry_run, overwrite, renumber, filenames,"
            " sizes, size, finished_at) select %s, 'done', false, false, false, '{a}', '{1}', 1, now()"
            " from generate_series(1, 30)", place.id)
    last = asked(place.owner, place.path, ("file", "x", b"\x00"))
    over(place.owner, last)
    assert len(place.owner.get(f"{place.path}/imports").json()) == 20
    assert place.owner.get(first).status_code == 404
    assert place.owner.get(last).status_code == 200


# --- ends ------------------------------------------------------------------------------

def test_who_is_no_owner_any_more_imports_nothing(own, stopped):
    team = team_of(own)
    url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"560")))
    own.sql("update project_membership set role = 'member' where project_id = %s and person_id = %s",
            team.id, team.people["owner"].id)
    stopped()
    assert wait_for(lambda: row(own, url)[0] == "refused")
    own.sql("update project_membership set role = 'owner' where project_id = %s and person_id = %s",
            team.id, team.people["owner"].id)
    assert "no longer an owner" in team.owner.get(url).json()["problem"] and count(own, team) == 0


def test_files_that_are_gone(own, stopped):
    team = team_of(own)
    url = asked(team.owner, team.path, ("file", "a.csv", CSV))
    file = own.directory / "files" / "import" / url.rsplit("/", 1)[1] / "1-a.csv"
    file.write_bytes(file.read_bytes()[:-1])
    stopped()
    end = over(team.owner, url)
    assert end["state"] == "refused" and "send them again" in end["problem"]


def test_a_deleted_project_takes_its_imports_along(own, stopped):
    team, other = team_of(own), team_of(own)
    asked(team.owner, team.path)
    last = asked(other.owner, other.path, ("file", "x", b"\x00"))
    assert team.owner.delete(team.path).status_code == 204
    left = folders(own)
    assert len(left) == 2
    (own.directory / "files" / "import" / "new.abcdef").mkdir()
    for name in (left[0], "new.abcdef"):
        os.utime(own.directory / "files" / "import" / name, (1, 1))
    stopped()
    over(other.owner, last)
    assert wait_for(lambda: folders(own) == [])


def test_doctor_names_imports_that_nobody_does(own, stopped):
    team = team_of(own)
    url = asked(team.owner, team.path, ("file", "x", b"\x00"))
    assert "ok    imports" in own.ctl("doctor", check=False).stdout
    own.sql("update project_import set created_at = now() - interval '2 minutes' where id = %s",
            int(url.rsplit("/", 1)[1]))
    assert "wrong imports: 1 waits and nothing is processing them" in own.ctl("doctor", check=False).stdout
    stopped()
    over(team.owner, url)
    assert "ok    imports" in own.ctl("doctor", check=False).stdout
