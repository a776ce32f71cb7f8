"""Space for files, the check before they are sent, and sending them (planwright.conf(5))."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import socket

import pytest

from conftest import Client, Stack, run, stack_folder, wait_for
from fastcgi import Request
from hostile import png
from importing import over, send
from test_sessions import OWN, Browser
from test_uploads import attach, team_of, upload, worker_pid
from team import team  # noqa: F401 (a fixture)

MIB = 1 << 20
CSP = "default-src 'none'; sandbox"


def refused(client, place, size):
    answer = client.post(f"{place.path}/uploads", files={"file": ("x.bin", bytes(size))})
    assert answer.status_code == 400, answer.text
    told = answer.json()
    assert (told["code"], told["validation_errors"][0]["field"]) == ("invalid_parameter", "file")
    assert "account_quota_mib" in told["possible_fix"]
    return told["general_problem"]


# The quota

@pytest.fixture(scope="module")
def small():
    stack = Stack(stack_folder("quota"), workers=3, settings="account_quota_mib = 2")
    yield stack
    stack.close()


def test_an_account_is_full(small):
    place, other = team_of(small), team_of(small)
    account = place.owner.get(place.path).json()["account_id"]
    answer = place.owner.post("/projects", {"name": "another", "account_id": account})
    first = upload(place.member, place, bytes(MIB))
    answer = place.owner.post(f"/projects/{answer.json()['id']}/uploads", files={"file": ("x", bytes(MIB // 2))})
    assert answer.status_code == 200, answer.text
    assert refused(place.member, place, MIB) == (
        "the files of this account use 1.5 MiB of 2 MiB, and there is no room for 1.0 MiB more")
    upload(place.member, place, bytes(MIB // 2))  # up to the last byte
    assert refused(place.member, place, 1) == (
        "the files of this account use 2.0 MiB of 2 MiB, and there is no room for 0.1 MiB more")
    upload(place.member, place, b"")
    upload(other.member, other, bytes(MIB))
    comment = attach(place.member, place, first)
    assert place.member.delete(f"{place.story}/comments/{comment['id']}").status_code == 204
    upload(place.member, place, bytes(MIB))


def test_a_full_account_is_told_before_the_rest_comes(small):
    place = team_of(small)
    upload(place.member, place, bytes(2 * MIB))
    request = Request(small, "POST", f"{place.path}/uploads", CONTENT_LENGTH=str(50 * MIB),
                      CONTENT_TYPE="multipart/form-data; boundary=form",
                      HTTP_X_TRACKERTOKEN=place.people["member"].token)
    status, body = request.answer()
    assert status == 400 and b"no room for 50.0 MiB more" in body


def test_of_many_at_once_so_many_come_as_there_is_room_for(small):
    place = team_of(small)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: place.member.post(
            f"{place.path}/uploads", files={"file": ("x", bytes(MIB * 9 // 10))}).status_code, range(6)))
    assert sorted(answers) == [200, 200, 400, 400, 400, 400]


def test_who_may_not_send_is_not_told_of_room(small):
    place = team_of(small)
    upload(place.member, place, bytes(2 * MIB))
    answer = place.viewer.post(f"{place.path}/uploads", files={"file": ("x", b"x")})
    assert (answer.status_code, "MiB" in answer.text) == (403, False)


def test_an_import_brings_no_more_than_there_is_room_for(small, tmp_path):
    source, to = team_of(small), team_of(small)
    made = upload(source.member, source, bytes(MIB))
    attach(source.member, source, made)
    out = tmp_path / "project.zip"
    small.ctl("export", str(source.id), "--out", str(out))
    upload(to.member, to, bytes(MIB + 1))
    answer = send(to.owner, to.path, ("renumber", b"true"), ("file", "p.zip", out.read_bytes()))
    end = over(to.owner, f"{to.path}/imports/{answer.json()['id']}")
    assert end["state"] == "refused", end
    assert f"use {MIB + 1} of {2 * MIB} bytes" in end["problem"] and "raise" in end["problem"]
    assert small.sql("select count(*) from file_attachment where project_id = %s", to.id) == [(1,)]


# The disk

def test_a_disk_below_its_floor_takes_no_files(new_stack):
    stack = new_stack(workers=1, settings="disk_floor_mib = 1048576", expects_5xx=True)
    place = team_of(stack)
    for size in 10, 200000:  # nginx asks about the second one
        answer = place.member.post(f"{place.path}/uploads", files={"file": ("x", bytes(size))})
        assert (answer.status_code, answer.headers.get_all("Retry-After")) == (503, ["60"])
        told = answer.json()
        assert told["code"] == "service_unavailable" and "nearly full" in told["general_problem"]
        assert "disk_floor_mib" in told["possible_fix"]
    answer = send(place.owner, place.path, ("file", "a.csv", b"Id,Title\n,One\n"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    for client in place.viewer, Client(stack):
        answer = client.post(f"{place.path}/uploads", files={"file": ("x", b"x")})
        assert answer.status_code == 403
    place.make_story()
    answer = Client(stack, base="").get("/-/ready")
    assert (answer.status_code, answer.json()["disk"]) == (200, "low")


# Before the body is sent

def nginx_of(stack):
    master, _ = (stack.directory / "pid" / "nginx").read_text().split()
    return [path.parent for path in pathlib.Path("/proc").glob("[0-9]*/status")
            if f"\nPPid:\t{master}\n" in path.read_text()]


class Raw:
    """A request of which only the header is sent, and as much of its body as is wanted."""

    def __init__(self, stack, path, token=None, length=90 * MIB, expect=False, body=b"", **more):
        self.socket = socket.create_connection(("127.0.0.1", stack.port), timeout=10)
        lines = [f"POST /services/v5{path} HTTP/1.1", "Host: x", "Connection: close",
                 "Content-Type: multipart/form-data; boundary=form"]
        lines += [f"X-TrackerToken: {token}"] * bool(token) + ["Expect: 100-continue"] * expect
        lines += [f"Content-Length: {length}" if length else "Transfer-Encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in more.items()]
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def status(self):
        """The status of the first answer, 100 included."""
        with contextlib.closing(self.socket):
            self.head = self.socket.recv(65536)
        return int(self.head.split(b" ", 2)[1])


@pytest.mark.parametrize("path", ["uploads", "imports"])
@pytest.mark.parametrize("expect", [False, True])
@pytest.mark.parametrize("length", [90 * MIB, None])
def test_who_may_not_send_is_told_before_the_body(team, stack, person, path, expect, length):
    place = f"{team.path}/{path}"
    for token, code in ((None, b"unauthorized_operation"), ("0" * 32, b"invalid_authentication"),
                        (team.people["viewer"].token, b"unauthorized_operation"),
                        (person().token, b"unauthorized_operation")):
        request = Raw(stack, place, token, length, expect)
        assert request.status() == 403 and b'"code":"' + code in request.head, request.head
        assert (b"No API token was sent" in request.head) == (token is None)
        assert request.head.count(b"\nAccess-Control-Allow-Origin:") == 1


def test_who_may_send_is_asked_to_go_on(team, stack):
    assert Raw(stack, f"{team.path}/uploads", team.people["member"].token, expect=True).status() == 100
    token = team.people["member"].token
    assert Raw(stack, f"{team.path}/uploads?token={token}", expect=True).status() == 100
    request = Raw(stack, f"{team.path}/uploads", expect=True, Authorization=f"Bearer {token}")
    assert request.status() == 100
    assert Raw(stack, f"{team.path}/uploads?token={token}x", token, expect=True).status() == 403


def test_a_browser_sends_by_its_cookie(team, stack):
    browser, path = Browser(team.people["member"]), f"{team.path}/uploads"
    answer = browser.post(path, files={"file": ("x", bytes(200000))})
    assert answer.status_code == 200, answer.text
    cookie = {"Cookie": f"planwright={browser.secret}"}
    assert Raw(stack, path, **cookie).status() == 403, "it may come from another site's page"
    assert Raw(stack, path, expect=True, **cookie, **OWN).status() == 100
    assert Raw(stack, path, Cookie="planwright=" + "0" * 64, **OWN).status() == 403


@pytest.mark.parametrize("path", ["/projects/999999999/uploads", "{}/uploads?x=%ff", "{}/uploads/"])
def test_nobody_sends_where_nothing_is(team, stack, path):
    assert Raw(stack, path.format(team.path)).status() == 403


def test_nothing_of_a_refused_body_is_kept(team, stack):
    def kept():
        """Bytes of bodies that nginx has on disk, in files that are already unlinked."""
        return sum(fd.stat().st_size for process in nginx_of(stack) for fd in (process / "fd").iterdir()
                   if "/web/body/" in os.readlink(fd))
    request = Raw(stack, f"{team.path}/uploads", body=bytes(4 * MIB))
    assert kept() == 0 and request.status() == 403
    request = Raw(stack, f"{team.path}/uploads", team.people["member"].token, body=bytes(4 * MIB))
    assert wait_for(lambda: kept() > MIB), "what may be sent is kept until a worker takes it"
    request.socket.close()


def test_a_small_body_is_looked_at_by_itself(team, api):
    """It saves the round trip, and the answer is more exact."""
    answer = api().get(f"{team.path}/uploads")
    assert answer.status_code == 405
    answer = team.member.post("/projects/999999999/uploads", files={"file": ("x", b"x")})
    assert answer.status_code == 404


def test_a_network_sends_twenty_at_a_time(new_stack):
    stack = new_stack(workers=1)
    place = team_of(stack)
    token = place.people["member"].token
    sending = [Raw(stack, f"{place.path}/uploads", token, expect=True) for _ in range(20)]
    assert {request.socket.recv(12) for request in sending} == {b"HTTP/1.1 100"}

    def one_more():
        request = Raw(stack, f"{place.path}/uploads", token, expect=True)
        return request.status(), request.head
    status, head = one_more()
    assert status == 429 and b"Retry-After: 2\r\n" in head and b"as many large bodies" in head
    assert place.member.get("/me").status_code == 200
    for request in sending:
        request.socket.close()
    assert wait_for(lambda: one_more()[0] == 100)


# Who sends

@pytest.fixture(scope="module", params=["self", "x-sendfile", "nginx"])
def sending(request):
    stack = Stack(stack_folder(request.param), workers=1, settings=f"send_files = {request.param}")
    yield request.param, stack, team_of(stack)
    stack.close()


def raw_download(stack, place, made, path="download", **params):
    """The answer of the worker itself."""
    request = Request(stack, "GET", "", **{
        "DOCUMENT_URI": f"/file_attachments/{made['id']}/{path}",
        "HTTP_X_TRACKERTOKEN": place.people["member"].token, **params})
    return *request.answer(), request.head.decode()


@pytest.mark.parametrize("params", [{}, {"DOCUMENT_URI": "", "SCRIPT_NAME": "/file_attachments"}],
                         ids=["nginx", "another web server"])
def test_the_setting_says_who_sends(sending, params):
    how, stack, place = sending
    made = upload(place.member, place, b"Just some text\n")
    if params:
        params = {**params, "PATH_INFO": f"/{made['id']}/download"}
    status, body, head = raw_download(stack, place, made, **params)
    assert status == 200
    assert ("X-Accel-Redirect: /-/files/" in head) == (how == "nginx")
    assert re.search(r"^X-Sendfile: files/", head, re.M) is not None or how != "x-sendfile"
    assert body == (b"Just some text\n" if how == "self" else b"")
    assert ("Content-Length: 15\r\n" in head) == (how == "self")
    for line in ("X-Content-Type-Options: nosniff\r", f"Content-Security-Policy: {CSP}\r"):
        assert head.count(line) == 1, "whatever the web server"


@pytest.mark.parametrize("sending", ["self", "nginx"], indirect=True)
def test_what_arrives_behind_nginx(sending):
    _, stack, place = sending
    content = os.urandom(3 * MIB + 7)
    for made, sent in ((upload(place.member, place, content, "large.bin"), content),
                       (upload(place.member, place, b"", "empty"), b"")):
        answer = place.member.get(stack.url + made["download_url"])
        assert (answer.status_code, answer.content == sent) == (200, True)
        assert answer.headers.get_all("Content-Length") == [str(len(sent))]
        for name, value in (("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", CSP),
                            ("Access-Control-Allow-Origin", "*")):
            assert answer.headers.get_all(name) == [value]
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        assert len(answer.headers.get_all("X-Service-Project-Version")) == 1
    answer = place.member.get("/me")
    assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert answer.headers.get_all("Content-Security-Policy") is None


@pytest.mark.parametrize("sending", ["self"], indirect=True)
def test_the_worker_sends_at_constant_memory(sending):
    _, stack, place = sending
    made = upload(place.member, place, bytes(60 * MIB), "large.bin")
    process = pathlib.Path(f"/proc/{worker_pid(stack)}")

    def most():
        return int((process / "status").read_text().split("VmHWM:")[1].split()[0])
    place.member.get(stack.url + made["download_url"])
    (process / "clear_refs").write_text("5")
    before = most()
    assert len(place.member.get(stack.url + made["download_url"]).content) == 60 * MIB
    assert most() - before < 1024


@pytest.mark.parametrize("sending", ["self"], indirect=True)
def test_who_fetches_nothing_of_it_is_cut(sending):
    """Nobody reads the answer: the worker continues when the connection is closed."""
    _, stack, place = sending
    made = upload(place.member, place, bytes(20 * MIB))
    request = Request(stack, "GET", "", DOCUMENT_URI=made["download_url"],
                      HTTP_X_TRACKERTOKEN=place.people["member"].token)
    request.socket.close()
    assert place.member.get("/me").status_code == 200


@pytest.mark.parametrize("sending", ["self", "nginx"], indirect=True)
def test_a_file_that_is_gone(sending):
    _, stack, place = sending
    made = upload(place.member, place, png(20, 20), "p.png")
    (stack.directory / "files" / f"{made['id'] & 255:02x}" / str(made["id"])).unlink()
    answer = place.member.get(stack.url + made["download_url"])
    assert (answer.status_code, answer.json()["kind"]) == (404, "error")
    if made["thumbnailable"]:
        assert place.member.get(stack.url + made["thumbnail_url"]).content[:4] == b"\x89PNG"


def test_doctor_asks_for_a_file(sending):
    """nginx does not know X-Sendfile: it answers 200 without content, like an Apache without the module."""
    how, stack, _ = sending
    said = stack.ctl("doctor", check=False).stdout
    if how == "x-sendfile":
        assert "wrong downloads: the web server sends something other than the file: it lacks" in said
    else:
        assert "ok    downloads\n" in said
    assert not list((stack.directory / "files").glob("doctor*"))
    for name in ("doctor", "doctor-" + "0" * 24, "doctor-../../secret"):
        assert Client(stack, base="").get(f"/file_attachments/{name}").status_code == 404
    (stack.directory / "files" / "doctor").write_text("not a test file")
    assert Client(stack, base="").get("/file_attachments/doctor").status_code == 404
    (stack.directory / "files" / "doctor").unlink()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        line = "wrong downloads: the web" if how == "x-sendfile" else "ok    downloads\n"
        assert all(line in done.stdout for done in pool.map(lambda _: stack.ctl("doctor", check=False), range(4)))
    other = stack.directory / "other"
    other.mkdir(exist_ok=True)
    said = run(stack.env["STACK_CTL"], "doctor", check=False, env={
        "PLANWRIGHT_CONF": stack.env["STACK_CONF"], "PLANWRIGHT_FILES": str(other)}).stdout
    assert "wrong downloads: a request for a file in the folder of `files` gets 404: let the web" in said
