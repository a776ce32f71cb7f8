"""Attached files in an object store (planwright.conf(5), `files`): all that works with a folder, from upload to
download, without a shared disk; and what nobody can download."""

import hashlib
import pathlib
import re

import pytest

from conftest import Client, Person
from store import SECRET
from stored import in_folder, place_of, stored, swift, team_of  # noqa: F401 (a fixture)
from test_uploads import attach, download, png, upload


@pytest.fixture(scope="module")
def stack(swift):
    with stored(swift.settings("files")) as server:
        yield server


@pytest.fixture(scope="module")
def team(stack):
    return team_of(stack)


def kept(swift, made, suffix=""):
    """The bytes of an attachment in the store."""
    return swift.ask("GET", f"/files/pw/{place_of(made, suffix)}").content


def test_an_upload_is_an_object_and_leaves_nothing_here(team, stack, swift):
    made = upload(team.member, team, b"kept elsewhere")
    assert kept(swift, made) == b"kept elsewhere"
    assert not in_folder(stack)


def test_a_download_comes_from_the_store_through_nginx(team, stack, swift):
    content = bytes(range(256)) * 5000
    made = upload(team.member, team, content, name="Übersicht.bin")
    answer = download(stack, team.member, made["download_url"])
    assert (answer.status_code, answer.content) == (200, content)
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert "filename*=UTF-8''%C3%9Cbersicht.bin" in answer.headers["Content-Disposition"]
    for header, value in (("Cache-Control", "max-age=0, private, must-revalidate"),
                          ("Content-Security-Policy", "default-src 'none'; sandbox"),
                          ("X-Content-Type-Options", "nosniff"), ("Content-Length", str(len(content)))):
        assert answer.headers.get_all(header) == [value], header
    version = team.member.get(f"{team.path}?fields=version").json()["version"]
    assert answer.headers.get_all("X-Service-Project-Version") == [str(version)]
    told = str(answer.headers).lower()
    assert not re.search(r"amz|openstack|trans-id|accel|127\.0\.0\.1|/files/pw", told), told


def test_a_head_tells_the_size(team, stack):
    made = upload(team.member, team, b"0123456789")
    answer = team.member.request("HEAD", stack.url + made["download_url"])
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Length"] == "10"


def test_a_part_of_a_file(team, stack):
    made = upload(team.member, team, b"0123456789")
    part = download(stack, team.member, made["download_url"], Range="bytes=2-4")
    assert (part.status_code, part.content) == (206, b"234")
    assert part.headers["Content-Range"] == "bytes 2-4/10"
    beyond = download(stack, team.member, made["download_url"], Range="bytes=20-")
    assert (beyond.status_code, beyond.json()["code"]) == (416, "range_not_satisfiable")


def test_a_file_that_has_not_changed_is_not_sent_again(team, stack):
    made = upload(team.member, team, b"0123456789")
    etag = download(stack, team.member, made["download_url"]).headers["ETag"]
    again = download(stack, team.member, made["download_url"], **{"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")


def test_pictures_have_thumbnails(team, stack, swift):
    made = upload(team.member, team, png(), name="photo.png")
    for which, suffix in (("thumbnail_url", ".small"), ("big_url", ".big")):
        shown = download(stack, team.member, made[which])
        assert shown.status_code == 200 and shown.content == kept(swift, made, suffix)
        assert shown.headers["Content-Type"] == "image/png"


def test_rights_are_those_of_a_folder(team, stack):
    made = upload(team.member, team)
    attach(team.member, team, made)
    assert download(stack, team.viewer, made["download_url"]).status_code == 200
    stranger = Client(stack, Person(stack, "Stranger").token)
    assert download(stack, stranger, made["download_url"]).status_code == 403
    assert download(stack, Client(stack), made["download_url"]).status_code == 403


def test_the_location_of_the_store_is_inside(team, stack):
    made = upload(team.member, team)
    for path in (f"/-/store/files/pw/{place_of(made)}", "/-/store/", "/-/store/files?list-type=2"):
        assert download(stack, team.member, path).status_code == 404


def test_a_missing_object_is_a_missing_file(team, stack, swift):
    made = upload(team.member, team)
    swift.ask("DELETE", f"/files/pw/{place_of(made)}")
    answer = download(stack, team.member, made["download_url"])
    assert answer.status_code == 404
    assert answer.json()["kind"] == "error" and b"<" not in answer.content


def test_a_store_that_refuses_shows_no_page_of_its_own(new_stack, swift):
    server = new_stack(settings=swift.settings("refused", s3_secret_key="another"), expects_5xx=True)
    place = team_of(server)
    answer = place.member.post(f"{place.path}/uploads", files={"file": ("a.txt", b"a", "text/plain")})
    assert (answer.status_code, answer.json()["code"]) == (503, "service_unavailable")
    assert "answers 403 SignatureDoesNotMatch to PUT" in server.log("workers")
    assert not swift.names("refused") and not server.sql("select from planwright.file_attachment")
    (made,), = server.sql("""insert into planwright.file_attachment (project_id, uploader_id, filename,
        content_type, size) values (%s, %s, 'a.txt', 'text/plain', 1) returning id""",
        place.id, place.people["member"].id)
    answer = download(server, place.member, f"/file_attachments/{made}/download")
    assert (answer.status_code, answer.json()["code"]) == (502, "service_unavailable")
    assert b"<" not in answer.content and "refused" not in str(answer.headers)


def test_the_quota_holds_and_a_refused_file_leaves_no_object(new_stack, swift):
    server = new_stack(settings=swift.settings("quota", account_quota_mib=1))
    server.secrets.append(SECRET)
    place = team_of(server)
    upload(place.member, place, b"x" * 700_000)
    answer = place.member.post(f"{place.path}/uploads", files={"file": ("b.txt", b"y" * 700_000, "text/plain")})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert len(swift.names("quota")) == 1


def test_a_sweep_deletes_objects_that_no_row_has(team, stack, swift):
    made, gone = upload(team.member, team), upload(team.member, team, png())
    attach(team.member, team, made)
    stack.sql("delete from planwright.file_attachment where id = %s", gone["id"])
    assert stack.ctl("files", "sweep").stdout == "0 abandoned uploads removed, 0 files deleted\n"
    assert kept(swift, gone)[:4] == b"\x89PNG"  # younger than a day: it could still be in use
    swift.age("files", 2)
    deep = stack.ctl("doctor", "--deep", check=False).stdout
    assert "ok    each file has its row, except 1, which planwrightctl files sweep deletes\n" in deep
    rows = {row for row, in stack.sql("select id from planwright.file_attachment")}
    assert stack.ctl("files", "sweep").stdout == "0 abandoned uploads removed, 3 files deleted\n"
    names = swift.names("files")
    assert {int(re.search(r"/(\d+)", name[5:])[1]) for name in names} <= rows
    assert kept(swift, made) == b"Just some text\n"
    stack.sql("update planwright.file_attachment set id = 7777777 where id = %s", made["id"])
    assert "file 7777777 is missing: restore it from a backup" in stack.ctl("doctor", "--deep", check=False).stdout
    stack.sql("update planwright.file_attachment set id = %s where id = 7777777", made["id"])
    assert "ok    each file has its row\n" in stack.ctl("doctor", "--deep", check=False).stdout


@pytest.mark.parametrize("settings, said", [
    ("files = s3://\n", "files is not of the form s3://bucket/prefix"),
    ("files = s3://b/../c\n", "files is not of the form"),
    ("files = s3://b\n", "s3_endpoint is not set"),
    ("files = s3://b\ns3_endpoint = store.example/x\n", "s3_endpoint is not of the form"),
    ("files = s3://b\ns3_endpoint = https://a:b@store.example\n", "s3_endpoint is not of the form"),
    ("files = s3://b\ns3_endpoint = https://store.example\ns3_access_key = a\n", "s3_secret_key is not set"),
    ("files = s3://b\ns3_endpoint = https://store.example\ns3_access_key = a\ns3_secret_key = b\n"
     "send_files = self\n", "only nginx can send files")])
def test_settings_that_cannot_work_are_refused_by_name(stack, tmp_path, settings, said, monkeypatch):
    conf = tmp_path / "planwright.conf"
    conf.write_text(f"secret_file = {stack.env['STACK_SECRET_FILE']}\n{settings}")
    monkeypatch.setitem(stack.env, "STACK_CONF", str(conf))
    done = stack.ctl("doctor", check=False)
    assert done.returncode != 0 and said in done.stdout + done.stderr


def test_the_secret_key_may_be_in_a_file_of_its_own(new_stack, swift, tmp_path):
    key = tmp_path / "key"
    key.write_text(f"{SECRET}\n")
    lines = swift.settings("keyfile").replace(f"s3_secret_key = {SECRET}", f"s3_secret_key_file = {key}")
    for above in (tmp_path, *tmp_path.parents):
        if above != pathlib.Path("/") and above.owner() == key.owner():
            above.chmod(above.stat().st_mode | 0o011)
    key.chmod(0o644)
    server = new_stack(settings=lines)
    place = team_of(server)
    made = upload(place.member, place, b"by a key in a file")
    assert hashlib.sha256(download(server, place.member, made["download_url"]).content).hexdigest() \
        == hashlib.sha256(b"by a key in a file").hexdigest()
