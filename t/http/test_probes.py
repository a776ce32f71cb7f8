"""Texts that try to be something else: a statement, a header, a script, a path, a second request. They are stored and
returned as they are, or refused; nothing else happens, whoever sends them."""

import re
import socket
import time
from urllib.parse import quote

import pytest

import tables
from conftest import Client, Person, Stack, stack_folder, wait_for
from mails import mailbox, settings  # noqa: F401
from test_matrix import EXPECTED, MINE, body_of
from test_writes_at_random import DATABASE
from world import Place, fill, new_project, ok

TEXTS = [
    "'; select pg_sleep(9); --", "' || pg_sleep(9) || '", "\\'; drop table planwright.story; --", "$$; select pg_sleep(9); $$",
    "\" or \"1\" = \"1", "%' or 1=1 -- %_", "%s%n%1$s {0} {{7*7}} ${7*7} <%= 7*7 %> $1 \\1",
    "${jndi:ldap://127.0.0.1/x} `id` $(id) ; id | id", "<script>alert(1)</script>'\"--><img src=x onerror=alert(1)>",
    "a\r\nSet-Cookie: probe=1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "../../../../etc/passwd", "..\\..\\%2e%2e/",
    "<!DOCTYPE x [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>&x;", "=cmd|' /C calc'!A0", "*)(uid=*))(|(uid=*",
    "\u202eabc\u2028\u0085\ufeff\u200b", "\x7f\x1b[2J\x08", "\U0001d4d0\u0301" * 9]
SLOW = 4  # seconds: the texts that wait would take nine
WRITES = [r for r in tables.ROUTES if r.flag and r.body and r.key not in MINE and r.body.texts(r.flag)
          and not r.path.endswith(("/me", "/uploads", "/password_resets"))]
READS = [r for r in tables.ROUTES if r.method == "GET" and r.key not in MINE
         and any(p["type"] in ("string", "text", "word") for p in r.params)]


@pytest.fixture(scope="module")
def place(world):
    made = Place(world.admin)
    world.roles_into(made)
    return made


def promptly(send, what):
    """The answer of a request, which is sent again if it was slow: a busy machine is not slow each time."""
    for last in (False, False, True):
        started = time.monotonic()
        answer = send()
        if time.monotonic() - started < SLOW:
            return answer
        assert not last, what


def harmless(answer, what):
    assert answer.status_code in (200, 204, 400, 403, 404), f"{what}: {answer.status_code} {answer.text}"
    assert "probe" not in (answer.headers.get("Set-Cookie") or "") and not DATABASE.search(answer.text), f"{what}: {answer.text}"
    return answer.status_code == 200


def same(sent, got):
    """Names are one line, blanks around a text may be dropped, and labels are in small letters; nothing else changes."""
    return " ".join(sent.split()).lower() == " ".join(got.split()).lower()


@pytest.mark.parametrize("route", WRITES, ids=tables.names(WRITES))
def test_a_text_is_nothing_but_a_text(world, place, route):
    row, names = EXPECTED[route.key], sorted(route.body.texts(route.flag))
    path = f"{fill(route.path, place.ids(route.path))}?{row.query.replace(':project', str(place.project))}"
    for text in TEXTS:
        body = {**(body_of(world, row) or {}), **dict.fromkeys(names, text)}
        alone = ({**(body_of(world, row) or {}), name: text} for name in names)
        for sent in [body, *alone] if len(names) > 1 else [body]:
            what = f"{route.name} {sent}"
            answer = promptly(lambda sent=sent: world.admin.request(route.method, path, json=sent), what)
            if harmless(answer, what) and isinstance(answer.json(), dict):
                found = {name: answer.json()[name] for name in names
                         if sent.get(name) == text and isinstance(answer.json().get(name), str)}
                assert all(same(text, got) for got in found.values()), f"{route.name}: {found}"


@pytest.mark.parametrize("route", READS, ids=tables.names(READS))
def test_a_parameter_is_nothing_but_a_parameter(world, place, route):
    client = world.admin
    query = EXPECTED[route.key].query.replace(":project", str(place.project))
    path = f"{fill(route.path, place.ids(route.path))}?{query}"
    for param in route.params:
        if f"{param['name']}=" in query:
            continue
        for text in TEXTS if param["type"] in ("string", "text", "word") else TEXTS[:3]:
            what, sent = f"{route.name} {param['name']} {text!r}", f"{path}&{param['name']}={quote(text)}"
            harmless(promptly(lambda sent=sent: client.get(sent), what), what)


def test_a_name_is_no_header(world, place, api):
    for text in TEXTS:
        project = new_project(world.admin)["id"]
        if world.admin.put(f"/projects/{project}", {"name": text[:50]}).status_code != 200:
            continue
        for file in "export.zip", "stories.csv":
            answer = world.admin.get(f"/projects/{project}/{file}")
            assert answer.status_code == 200 and "Set-Cookie" not in answer.headers
            assert re.fullmatch(r'attachment; filename="[a-z0-9_.-]+"', answer.headers["Content-Disposition"])
        ok(world.admin.delete(f"/projects/{project}"), 204)


# Mail --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(mailbox):  # noqa: F811
    made = Stack(stack_folder("probes"), workers=1, settings=settings(mailbox))
    yield made
    made.close()


def test_a_name_is_no_header_of_a_mail(server, mailbox):  # noqa: F811
    owner, other = Person(server, "Olga Owner"), Person(server, "Otto Other")
    client = Client(server, owner.token)
    assert Client(server, other.token).get("/me").status_code == 200
    line = "x\r\nBcc: eve@example.com\r\n\r\nbody"
    project = ok(client.post("/projects", {"name": f"P {line}"[:50], "new_account_name": "A"}))["id"]
    ok(client.post(f"/projects/{project}/memberships", {"person_id": other.id, "role": "member"}))
    for text in TEXTS[8:10]:
        mailbox.got.clear()
        answer = client.post(f"/projects/{project}/stories", {"name": f"{text} {line}", "owner_ids": [other.id]})
        ok(answer)
        assert wait_for(lambda: mailbox.got), text
        mail = mailbox.got[0]["mail"]
        assert mailbox.got[0]["to"] == [other.email] and mail["Bcc"] is None and mail["Set-Cookie"] is None
        assert mail["To"] == other.email and "\n" not in str(mail["Subject"])


# Requests in requests --------------------------------------------------------------------------------


def exchanged(stack, text):
    """Everything that comes back until the connection is closed or quiet."""
    got = b""
    with socket.create_connection(("127.0.0.1", stack.port), timeout=10) as s:
        s.sendall(text)
        s.settimeout(0.5)
        try:
            while piece := s.recv(65536):
                got += piece
        except (TimeoutError, ConnectionResetError):
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", got)]


HIDDEN = "POST /services/v5/projects/{project}/stories HTTP/1.1\r\nHost: x\r\nX-TrackerToken: {token}\r\n" \
         "Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{{\"name\":\"hid\"}}\n"


# The lines of the first request about its body; whether it is refused, or takes what follows as its body.
@pytest.mark.parametrize("lines, refused", [
    ("Content-Length: {n}", False), ("Content-Length: {n}\r\nContent-Length: {n}", True),
    ("Content-Length: {n}\r\nContent-Length: 0", True), ("Content-Length: 0\r\nContent-Length: {n}", True),
    ("Content-Length: {n}\r\nTransfer-Encoding: chunked", True), ("Transfer-Encoding: chunked\r\nContent-Length: {n}", True),
    ("Content-Length: +{n}", True), ("Content-Length: -1", True), ("Content-Length: 0x10", True),
    ("Content-Length: {n}, {n}", True), ("Content-Length: {n} {n}", True), ("Content-Length: 99999999999999999999", True),
    ("Content-Length : {n}", True), ("Transfer-Encoding: xchunked", True), ("Transfer-Encoding: chunked, identity", True),
    ("Transfer-Encoding: identity", True), ("Transfer-Encoding : chunked", True), ("X: a\r\n Content-Length: {n}", True),
    ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", True), ("Transfer-Encoding: gzip, chunked", True),
    ("Transfer-Encoding:\x0bchunked", True)])
def test_a_body_is_no_request(stack, world, place, lines, refused):
    """The web server and the workers agree where a request ends, or it is refused and the connection is closed."""
    before = ok(world.admin.get(f"/projects/{place.project}"))["version"]
    hidden = HIDDEN.format(project=place.project, token=world.people["admin"].token)
    head = (f"POST /services/v5/projects/{place.project}/stories HTTP/1.1\r\nHost: x\r\nX-TrackerToken: "
            f"{world.people['admin'].token}\r\nContent-Type: application/json\r\n{lines.format(n=len(hidden))}\r\n\r\n")
    statuses = exchanged(stack, (head + hidden).encode())
    assert statuses in ([400], [411], [413]) if refused else statuses == [400], "a request is no JSON"
    assert ok(world.admin.get(f"/projects/{place.project}"))["version"] == before


@pytest.mark.parametrize("size", ["FFFFFFFFFFFFFFFFF", "-1", "0x5", "5 5", "g", "", "+5"])
def test_the_size_of_a_chunk_is_a_number(stack, world, place, size):
    before = ok(world.admin.get(f"/projects/{place.project}"))["version"]
    hidden = HIDDEN.format(project=place.project, token=world.people["admin"].token)
    head = (f"POST /services/v5/projects/{place.project}/stories HTTP/1.1\r\nHost: x\r\nX-TrackerToken: "
            f"{world.people['admin'].token}\r\nTransfer-Encoding: chunked\r\n\r\n{size}\r\n")
    assert exchanged(stack, (head + hidden).encode())[:1] in ([400], [413])
    assert ok(world.admin.get(f"/projects/{place.project}"))["version"] == before
