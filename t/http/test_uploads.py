"""Uploads, attachments and downloads (contract 1.10, 2.12, 3.8)."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import struct
import zlib

import psycopg2
import pytest

from conftest import Client, Person, Stack, run, stack_folder, wait_for
from fastcgi import Request
from test_faults import workers
from team import Team, team  # noqa: F401 (a fixture)
from world import new_project


def team_of(stack):
    """A team on a server of its own."""
    return Team(stack, lambda p: Client(stack, p.token), lambda name: Person(stack, name))


def worker_pid(stack):
    """The process id of a server's only worker."""
    pid, = workers(stack)
    return pid


def png(width=400, height=300):
    """A grey picture."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\0" + b"\x80" * width for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def upload(client, place, content=b"Just some text\n", name="notes.txt", kind="text/plain"):
    answer = client.post(f"{place.path}/uploads", files={"file": (name, content, kind)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def attach(client, place, *files):
    answer = client.post(f"{place.story}/comments?fields=:default,file_attachments,file_attachment_ids",
                         {"file_attachments": list(files)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def download(stack, client, path, **headers):
    return client.get(stack.url + path, headers=headers)


def test_an_upload_answers_the_recorded_keys(team):
    made = upload(team.member, team)
    assert list(made) == ["kind", "id", "filename", "created_at", "uploader_id", "thumbnailable",
                          "size", "download_url", "content_type", "uploaded", "big_url",
                          "thumbnail_url"]
    assert (made["filename"], made["size"], made["uploaded"]) == ("notes.txt", 15, False)
    assert (made["big_url"], made["thumbnail_url"]) == ("#", "#")
    assert made["download_url"] == f"/file_attachments/{made['id']}/download"
    assert made["uploader_id"] == team.people["member"].id


def test_an_upload_changes_no_version(team):
    before = team.member.get(f"{team.path}?fields=version").json()["version"]
    upload(team.member, team)
    assert team.member.get(f"{team.path}?fields=version").json()["version"] == before


@pytest.mark.parametrize("content, kind", [
    (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "application/pdf"), (png(), "image/png"),
    (b"<html><script>alert(1)</script></html>", "text/html")], ids=["pdf", "png", "html"])
def test_the_type_is_what_the_bytes_say(team, content, kind):
    assert upload(team.member, team, content, kind="application/x-lie")["content_type"] == kind


def test_types_are_known_below_a_folder_that_is_closed_to_the_workers():
    with contextlib.closing(Stack(stack_folder("closed") / "own", workers=1)) as stack:
        place = team_of(stack)
        assert upload(place.member, place, png())["content_type"] == "image/png"


@pytest.mark.parametrize("sent, kept", [
    ("Bild von Jürgen \u65e5\u672c.png", "Bild von Jürgen \u65e5\u672c.png"), ("../../etc/passwd", "passwd"),
    ("C:\\Users\\me\\a b.txt", "a b.txt"), ('say "hi"; x.txt', 'say "hi"; x.txt')])
def test_names_are_kept_without_their_paths(team, sent, kept):
    body = (b'--XX\r\nContent-Disposition: form-data; name="file"; filename="'
            + sent.replace('"', '\\"').encode() + b'"\r\n\r\nx\r\n--XX--\r\n')
    answer = team.member.post(f"{team.path}/uploads", data=body,
                              headers={"Content-Type": "multipart/form-data; boundary=XX"})
    assert answer.json()["filename"] == kept


def test_a_part_needs_no_sensible_type(team):
    body = (b'preamble\r\n--a b\r\nContent-Disposition: form-data; name="other"\r\n\r\nno\r\n'
            b'--a b\r\nContent-Type:\r\nContent-Disposition: form-data; name=file\r\n\r\n'
            b'\r\n--a c\r\n--a b--\r\nepilogue')
    answer = team.member.post(f"{team.path}/uploads", data=body,
                              headers={"Content-Type": 'Multipart/Form-Data; boundary="a b"'})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["size"], answer.json()["filename"]) == (7, "file")


def test_the_type_may_be_related(team):
    body = (b'\r\n--XX\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
            b'Content-Type: text/plain\r\n\r\nhello\r\n--XX--')
    answer = team.member.post(f"{team.path}/uploads", data=body,
                              headers={"Content-Type": "multipart/related; boundary=XX"})
    assert (answer.json()["filename"], answer.json()["size"]) == ("a.txt", 5)


def test_an_empty_file_is_a_file(team, stack):
    made = upload(team.member, team, b"")
    assert made["size"] == 0
    assert download(stack, team.member, made["download_url"]).content == b""


@pytest.mark.parametrize("kind, body, code", [
    ("application/json", b"{}", "invalid_parameter"),
    ("multipart/form-data", b"x", "invalid_parameter"),
    ("multipart/form-data; boundary=XX", b"", "could_not_parse_body"),
    ("multipart/form-data; boundary=XX", b"--XX\r\n\r\nno end", "could_not_parse_body"),
    ("multipart/form-data; boundary=XX",
     b'--XX\r\nContent-Disposition: form-data; name="file"\r\n\r\ncut o', "could_not_parse_body"),
    ("multipart/form-data; boundary=XX", b"--XX\r\n" + b"x" * 20000 + b"\r\n--XX--",
     "could_not_parse_body"),
    ("multipart/form-data; boundary=XX",
     b'--XX\r\nContent-Disposition: form-data; name="x"\r\n\r\nx\r\n--XX--', "invalid_parameter")])
def test_what_is_no_upload_is_refused(team, kind, body, code):
    answer = team.member.post(f"{team.path}/uploads", data=body, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_viewers_and_strangers_send_nothing(team, api, person):
    for client in (team.viewer, api(person()), api()):
        answer = client.post(f"{team.path}/uploads", files={"file": ("x", b"x" * 300000)})
        assert answer.status_code == 403


def test_multipart_is_for_uploads_only(team):
    answer = team.member.post(f"{team.path}/stories", files={"file": ("x", b"x" * 100000)})
    assert (answer.status_code, answer.json()["code"]) == (400, "could_not_parse_body")


def test_a_too_large_upload_is_refused(new_stack):
    stack = new_stack(workers=1, settings="max_upload_mib = 1")
    place = team_of(stack)
    for size in ((1 << 20) + 1, (1 << 20) + 100000):
        answer = place.member.post(f"{place.path}/uploads", files={"file": ("x", b"x" * size)})
        assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")
    upload(place.member, place, b"x" * (1 << 20))  # the form around it does not count


@pytest.mark.plain
def test_a_large_upload_grows_no_worker(new_stack):
    stack = new_stack(workers=1)
    place = team_of(stack)
    upload(place.member, place, b"x" * 1000)

    def rss():
        status = pathlib.Path(f"/proc/{worker_pid(stack)}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0])
    pathlib.Path(f"/proc/{worker_pid(stack)}/clear_refs").write_text("5")
    before = rss()
    made = upload(place.member, place, bytes(100 << 20), "large.bin")
    assert made["size"] == 100 << 20
    assert rss() - before < 1024


@pytest.mark.parametrize("params", [
    {"SCRIPT_NAME": "/planwright.fcgi", "PATH_INFO": "/file_attachments/{}/download"},  # Apache
    {"SCRIPT_NAME": "/file_attachments", "PATH_INFO": "/{}/download"},  # lighttpd
], ids=["a file's name in front", "a prefix"])
def test_a_web_server_that_is_not_nginx(team, stack, params):
    made = upload(team.member, team)
    request = Request(stack, "GET", "", DOCUMENT_URI="", HTTP_X_TRACKERTOKEN=team.people["member"].token,
                      **{name: value.format(made["id"]) for name, value in params.items()})
    assert request.answer()[0] == 200
    name, = re.findall(rb"^X-Sendfile: (.*)\r$", request.head, re.M)
    assert b"X-Accel" not in request.head
    assert (stack.directory / name.decode()).read_bytes() == b"Just some text\n"


# Attaching

def test_an_upload_is_attached_once(team):
    made = upload(team.member, team)
    comment = attach(team.member, team, made)
    assert "text" not in comment
    assert comment["file_attachment_ids"] == [made["id"]]
    assert comment["file_attachments"][0]["uploaded"] is True
    answer = team.member.post(f"{team.story}/comments", {"file_attachments": [made]})
    assert answer.status_code == 400


def test_what_is_attached_already_stays_untold(team):
    made = upload(team.member, team)
    path = f"{team.story}/comments/{attach(team.member, team, made)['id']}"
    before = team.member.get(path)
    answer = team.member.put(path, {"file_attachment_ids_to_add": [made["id"]],
                                    "attachments_to_add": [made]})
    assert (answer.status_code, answer.json()) == (200, before.json())
    assert answer.headers["X-Service-Project-Version"] == \
        before.headers["X-Service-Project-Version"]


def test_an_upload_may_come_back_as_older_revisions_answer_it(team):
    """Only its id counts: older revisions call the kind "type" and write times as numbers."""
    made = upload(team.member, team)
    item = {"type": "file_attachment", "id": made["id"], "filename": "other.txt",
            "created_at": 1644321600000, "uploader_id": 100, "thumbnailable": False,
            "thumbnail_url": "#"}
    answer = team.member.post(f"{team.story}/comments", {"file_attachments": [item]},
                              params={"fields": "file_attachments"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["file_attachments"] == [made | {"uploaded": True}]


def test_a_project_that_is_deleted_takes_no_upload(team, stack):
    """An upload that has begun waits for the end of the deletion."""
    project = new_project(team.owner)["id"]
    with contextlib.closing(psycopg2.connect(stack.env["STACK_ADMIN_DB"],
                                             options="-c search_path=planwright")) as deletion:
        deletion.cursor().execute("delete from project where id = %s", (project,))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            sent = pool.submit(team.owner.post, f"/projects/{project}/uploads",
                               files={"file": ("x", b"x")})
            assert wait_for(lambda: stack.sql(
                "select 1 from pg_stat_activity where wait_event_type = 'Lock'"))
            deletion.commit()
            assert sent.result().status_code == 404, sent.result().text


def test_only_the_sender_attaches(team):
    made = upload(team.member, team)
    answer = team.other.post(f"{team.story}/comments", {"file_attachment_ids": [made["id"]]})
    assert answer.status_code == 400
    assert answer.json()["validation_errors"][0]["field"] == "file_attachment_ids"


def test_an_upload_stays_in_its_project(team, stack, api, person):
    made = upload(team.owner, team)
    answer = team.owner.post("/projects", {"name": f"Other {made['id']}"})
    other = f"/projects/{answer.json()['id']}"
    story = team.owner.post(f"{other}/stories", {"name": "x"}).json()
    answer = team.owner.post(f"{other}/stories/{story['id']}/comments", {"file_attachments": [made]})
    assert answer.status_code == 400


def test_files_come_and_go_with_updates(team):
    first, second, third = (upload(team.member, team) for _ in range(3))
    comment = attach(team.member, team, first)
    path = f"{team.story}/comments/{comment['id']}"
    read = team.member.put(f"{path}?fields=file_attachment_ids", {
        "file_attachment_ids_to_add": [second["id"]], "attachments_to_add": [third],
        "file_attachment_ids_to_remove": [first["id"]]})
    assert sorted(read.json()["file_attachment_ids"]) == [second["id"], third["id"]]
    assert team.member.delete(f"{path}/file_attachments/{third['id']}").status_code == 204
    assert team.member.get(f"{path}?fields=file_attachment_ids").json()["file_attachment_ids"] == [
        second["id"]]


def test_a_comment_does_not_lose_all_it_says(team):
    made = upload(team.member, team)
    comment = attach(team.member, team, made)
    path = f"{team.story}/comments/{comment['id']}"
    assert team.member.delete(f"{path}/file_attachments/{made['id']}").status_code == 400


def test_a_story_is_made_with_a_commented_file(team):
    made = upload(team.member, team)
    story = team.make_story(comments=[{"text": "see", "file_attachments": [made]}])
    read = team.member.get(f"{team.path}/stories/{story['id']}?fields="
                           "comments(text,file_attachments(filename,uploader(name)))").json()
    assert read["comments"][0]["file_attachments"][0] == {
        "id": made["id"], "filename": "notes.txt",
        "uploader": {"id": team.people["member"].id, "name": "Member"}}


# Downloads

def test_a_download_is_safe_to_open(team, stack):
    made = upload(team.member, team, b"<script>alert(1)</script>", 'ä"b;.html')
    attach(team.member, team, made)
    answer = download(stack, team.viewer, made["download_url"])
    assert answer.content == b"<script>alert(1)</script>"
    version = team.member.get(team.path).json()["version"]
    assert answer.headers.get_all("X-Tracker-Project-Version") == [str(version)]
    assert answer.headers.get_all("X-Service-Project-Version") == [str(version)]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Content-Disposition"] == (
        "attachment; filename=\"__b;.html\"; filename*=UTF-8''%C3%A4%22b%3B.html")


def test_a_file_can_be_asked_for_in_place(team, stack):
    made = upload(team.member, team, name="a.txt")
    for query, how in ("", "attachment"), ("?inline=false", "attachment"), ("?inline=true", "inline"):
        answer = download(stack, team.member, made["download_url"] + query)
        assert answer.headers["Content-Disposition"].split(";")[0] == how
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    answer = download(stack, team.member, made["download_url"] + "?inline=1")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")


def test_a_part_of_a_file_can_be_asked_for(team, stack):
    made = upload(team.member, team, b"0123456789")
    answer = download(stack, team.member, made["download_url"], Range="bytes=2-4")
    assert (answer.status_code, answer.content) == (206, b"234")
    assert answer.headers["Content-Range"] == "bytes 2-4/10"
    answer = download(stack, team.member, made["download_url"], Range="bytes=10-")
    assert (answer.status_code, answer.json()["code"]) == (416, "range_not_satisfiable")
    assert answer.headers["Content-Range"] == "bytes */10"
    assert answer.headers.get_all("Access-Control-Allow-Origin") == ["*"]


def test_until_it_is_attached_a_file_is_the_senders(team, stack):
    made = upload(team.member, team)
    assert download(stack, team.member, made["download_url"]).status_code == 200
    assert download(stack, team.owner, made["download_url"]).status_code == 404
    attach(team.member, team, made)
    assert download(stack, team.owner, made["download_url"]).status_code == 200


def test_files_are_for_those_who_see_the_project(team, stack, api, person):
    made = upload(team.member, team)
    attach(team.member, team, made)
    for client, status in ((api(), 403), (api(person()), 403), (api("0" * 32), 403)):
        answer = download(stack, client, made["download_url"])
        assert (answer.status_code, answer.json()["kind"]) == (status, "error")
    answer = api().get(f"{stack.url}{made['download_url']}?token={team.people['viewer'].token}")
    assert answer.status_code == 200
    team.owner.put(team.path, {"public": True})
    assert download(stack, api(), made["download_url"]).status_code == 200
    team.owner.put(team.path, {"public": False})


@pytest.mark.parametrize("path", [
    "/file_attachments/999999999/download", "/file_attachments/x/download", "/file_attachments/0/big",
    "/file_attachments/1", "/file_attachments/1/other", "/-/files/01/1",
    "/services/v5/file_attachments/1/download"])
def test_what_is_no_file(team, stack, path):
    assert download(stack, team.member, path).status_code == 404


def test_a_detached_file_is_gone(team, stack):
    first, second = upload(team.member, team), upload(team.member, team)
    comment = attach(team.member, team, first, second)
    team.member.delete(f"{team.story}/comments/{comment['id']}/file_attachments/{first['id']}")
    assert download(stack, team.member, first["download_url"]).status_code == 404
    team.member.delete(f"{team.story}/comments/{comment['id']}")
    assert download(stack, team.member, second["download_url"]).status_code == 404


# Pictures

def test_a_picture_has_its_size_and_smaller_ones(team, stack):
    made = upload(team.member, team, png(400, 300), "p.png")
    assert (made["width"], made["height"]) == (400, 300)
    if not made["thumbnailable"]:
        pytest.skip("built without libgd")
    attach(team.member, team, made)
    for url, size in ((made["thumbnail_url"], (150, 112)), (made["big_url"], (400, 300))):
        answer = download(stack, team.viewer, url)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
        assert struct.unpack(">II", answer.content[16:24]) == size


def test_a_text_has_no_smaller_pictures(team, stack):
    made = upload(team.member, team)
    assert download(stack, team.member, f"/file_attachments/{made['id']}/thumbnail").status_code == 404


@pytest.mark.parametrize("content", [png()[:200], png(2, 2)[:33] + b"junk" * 9,
                                     b"\x89PNG\r\n\x1a\n" + b"\0" * 8 + b"IHDR" + b"\x7f\xff\xff\xff" * 2],
                         ids=["cut", "junk", "huge"])
def test_broken_pictures_are_plain_files(team, content):
    assert upload(team.member, team, content, "x.png")["thumbnailable"] is False


def test_a_bomb_is_not_unpacked(team):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    bomb = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 30000, 30000, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(1 << 20))) + chunk(b"IEND", b""))
    made = upload(team.member, team, bomb, "x.png")
    assert (made["width"], made["thumbnailable"]) == (30000, False)


# Sweeping

def test_the_sweep_takes_what_nobody_has(team, stack, sql, tmp_path):
    kept, old = upload(team.member, team), upload(team.member, team)
    comment = attach(team.member, team, kept)
    sql("update planwright.file_attachment set created_at = now() - interval '2 days' where id = %s",
        old["id"])
    assert "1 abandoned uploads removed" in stack.ctl("files", "sweep").stdout
    assert download(stack, team.member, old["download_url"]).status_code == 404
    assert download(stack, team.member, kept["download_url"]).status_code == 200
    assert comment["id"]


def test_the_sweep_deletes_rows_for_good_before_files(team, stack, sql, tmp_path):
    """If the sweep ends at the first folder that it cannot read, the row is already gone."""
    old = upload(team.member, team)
    sql("update file_attachment set created_at = now() - interval '2 days' where id = %s", old["id"])
    (tmp_path / "tmp").touch()
    done = run(stack.env["STACK_CTL"], "files", "sweep", check=False, env={
        "PLANWRIGHT_CONF": stack.env["STACK_CONF"], "PLANWRIGHT_FILES": str(tmp_path)})
    assert done.returncode != 0 and "cannot be read" in done.stderr
    assert not sql("select 1 from file_attachment where id = %s", old["id"])
