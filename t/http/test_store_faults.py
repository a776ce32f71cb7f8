"""An object store that hangs, answers 500 or loses connections: what was acknowledged is there, what was not leaves
no row, and nobody else waits. A faulty proxy is in front of the real store."""

import concurrent.futures
import contextlib
import os
import re
import signal
import socket
import threading
import time
import types

import pytest

from conftest import Client, wait_for
from faulty import Faulty
from importing import asked, over, row
from stored import stored, swift, team_of  # noqa: F401 (a fixture)
from test_uploads import download, png
from within import within

SIZE = 300_000


@pytest.fixture(scope="module")
def proxy(swift):
    with Faulty(swift.ports["proxy"]) as faulty:
        yield faulty


@pytest.fixture(scope="module")
def stack(swift, proxy):
    settings = swift.settings("files", endpoint=f"http://127.0.0.1:{proxy.port}")
    with stored(settings, workers=2, expects_5xx=True) as server:
        yield server


@pytest.fixture(scope="module")
def team(stack):
    return team_of(stack)


@pytest.fixture(autouse=True)
def healed(proxy):
    proxy.fault, proxy.times, proxy.after = None, None, 0
    yield
    proxy.fault, proxy.times, proxy.after = None, None, 0


def send(client, team, content=b"z" * SIZE, name="z.txt"):
    return client.post(f"{team.path}/uploads", files={"file": (name, content, "text/plain")})


def rows(stack):
    return {row for row, in stack.sql("select id from planwright.file_attachment")}


def every_file_is_there(stack, team):
    for made in rows(stack):  # an upload that is not attached yet belongs to its sender
        answer = download(stack, team.member, f"/file_attachments/{made}/download")
        assert answer.status_code == 200 and len(answer.content) in (SIZE, len(png())), made


CUTS = [("cut", 0), ("cut", 1), ("cut", 400), ("cut", 5000), ("cut", SIZE - 1), "deaf", "500"]


@pytest.mark.parametrize("fault", CUTS, ids=str)
def test_a_fault_that_passes_is_overcome(stack, team, proxy, fault):
    proxy.fault, proxy.times = fault, 2  # of three attempts
    answer = send(team.member, team)
    assert answer.status_code == 200, answer.text
    proxy.fault = None
    every_file_is_there(stack, team)


@pytest.mark.parametrize("fault", CUTS, ids=str)
def test_a_fault_that_stays_is_answered_503_and_leaves_no_row(stack, team, proxy, fault):
    before = rows(stack)
    proxy.fault = fault
    answer = send(team.member, team)
    assert (answer.status_code, answer.json()["code"]) == (503, "service_unavailable")
    assert answer.headers["Retry-After"]
    assert rows(stack) == before
    proxy.fault = None
    assert send(team.member, team).status_code == 200
    every_file_is_there(stack, team)


@pytest.mark.parametrize("kind, lengths", [
    ("cut", [*range(60, 900, 140), 900 + 65536, SIZE, SIZE + 400]), ("short", [*range(1, 300, 46), 400])])
def test_wherever_the_connection_breaks(stack, team, proxy, kind, lengths):
    """In the header or the body of the request, in the answer that asks for the body, or in the final one: an upload
    that was answered 200 is stored, and any other one has no row."""
    known = rows(stack)
    for length in lengths:
        proxy.fault, proxy.times = (kind, length), 3  # all three attempts: the next request is another one
        answer = send(team.member, team)
        assert answer.status_code in (200, 503), (length, answer.text)
        known |= {answer.json()["id"]} if answer.status_code == 200 else set()
        assert rows(stack) == known, length
    proxy.fault = None
    every_file_is_there(stack, team)


def test_a_sweep_that_may_not_delete_says_so_and_goes_on(stack, team, proxy, swift):
    swift.age("files", 2)
    stack.ctl("files", "sweep")  # what other tests left behind
    orphans = [f"{n & 255:02x}/{n}" for n in (900001, 900002)]
    for place in orphans:
        swift.ask("PUT", f"/files/pw/{place}", body=b"x")
    swift.age("files", 2)
    proxy.fault, proxy.after = "500", 1  # the list succeeds
    done = stack.ctl("files", "sweep", check=False)
    assert done.stderr.count("answers 500 to DELETE") == 2 and "0 files deleted" in done.stdout, done
    proxy.fault = None
    assert "2 files deleted" in stack.ctl("files", "sweep").stdout
    assert not {f"pw/{place}" for place in orphans} & set(swift.names("files"))
    every_file_is_there(stack, team)


def test_one_of_three_files_is_not_enough(stack, team, proxy):
    """A picture has two thumbnails: it is stored with all of them or not at all."""
    before = rows(stack)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        seen = proxy.seen
        later = pool.submit(send, team.member, team, png(), "photo.png")
        while proxy.seen == seen:
            time.sleep(0.001)
        proxy.fault = "500"
        answer = later.result()
    proxy.fault = None
    if answer.status_code == 200:  # all three were faster
        assert len(rows(stack)) == len(before) + 1
    else:
        assert answer.status_code == 503 and rows(stack) == before
    every_file_is_there(stack, team)


@pytest.mark.timed
def test_nobody_waits_for_a_store_that_hangs(stack, team, proxy):
    """Two workers, six uploads that hang: everything else is as fast as ever."""
    before = rows(stack)
    proxy.fault = "hang"
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        hanging = [pool.submit(send, client, team) for client in (
            Client(stack, team.people["member"].token), Client(stack, team.people["other"].token)) * 3]
        time.sleep(2)
        took = []
        for _ in range(40):
            start = time.monotonic()
            assert team.viewer.get(f"{team.path}/stories").status_code == 200
            took.append(time.monotonic() - start)
        assert team.owner.post(f"{team.path}/stories", {"name": "meanwhile"}).status_code == 200
        assert not any(f.done() for f in hanging)
        start = time.monotonic()
        assert {f.result().status_code for f in hanging} == {503}
    assert max(took) < within(1), took
    assert rows(stack) == before
    proxy.fault = None
    assert send(team.member, team).status_code == 200


def test_a_download_says_that_the_store_is_away(stack, team, proxy):
    made = send(team.member, team).json()
    proxy.fault = "500"
    answer = download(stack, team.member, made["download_url"])
    assert (answer.status_code, answer.json()["code"]) == (502, "service_unavailable")
    proxy.fault = None
    assert download(stack, team.member, made["download_url"]).status_code == 200


@contextlib.contextmanager
def changed(stack, file, old, new):
    """nginx with a changed text in one of its configuration files."""
    conf = stack.directory / "nginx" / file
    before = conf.read_text()

    def reload(text):
        conf.write_text(text)
        os.kill(int((stack.directory / "pid" / "nginx.master").read_text()), signal.SIGHUP)
        time.sleep(1)
    assert old in before
    reload(before.replace(old, new, 1))
    try:
        yield
    finally:
        reload(before)


@pytest.fixture
def all_told(stack):
    """nginx logs everything that it would report."""
    with changed(stack, "planwright.conf", "log/nginx-error.log alert;", "log/nginx-store.log info;"):
        yield stack.directory / "log" / "nginx-store.log"


@contextlib.contextmanager
def listening():
    """A server that sends the bytes in `answer` and keeps the request headers in `heads`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        told = types.SimpleNamespace(heads=[], answer=b"", port=listener.getsockname()[1])

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    with client:
                        told.heads.append(client.recv(65536).decode())
                        client.sendall(told.answer)
        threading.Thread(target=serve, daemon=True).start()
        yield told
        listener.shutdown(socket.SHUT_RDWR)


def answer_of(body, *headers):
    return "\r\n".join(["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", "Connection: close", *headers, "",
                        body]).encode()


def test_what_workers_of_before_sign_reaches_the_store_as_it_is(stack, team, proxy):
    """They put the signature into the address, and a store refuses its own kinds of headers if they are not signed."""
    with listening() as worker, listening() as store:
        worker.answer = answer_of("", "X-Accel-Redirect: /-/store/files/pw/01/1?X-Amz-Date=1&X-Amz-Signature=2")
        store.answer = answer_of("kept")
        with changed(stack, "planwright.conf", f"proxy_pass http://127.0.0.1:{proxy.port}/;",
                     f"proxy_pass http://127.0.0.1:{store.port}/;"), \
             changed(stack, "planwright.conf", "\tlocation /-/store/ {",
                     f"\tlocation = /before {{ proxy_pass http://127.0.0.1:{worker.port}; }}\n\tlocation /-/store/ {{"):
            answer = Client(stack, base="").get("/before")
    assert (answer.status_code, answer.content) == (200, b"kept")
    first, *headers = store.heads[0].split("\r\n")
    assert first == "GET /files/pw/01/1?X-Amz-Date=1&X-Amz-Signature=2 HTTP/1.1"
    assert not [h for h in headers if re.match("(?i)x-amz|authorization", h)], headers


def test_doctor_finds_a_snippet_of_before(stack, team, proxy):
    """The old snippet asks the store without a signature: only downloads fail."""
    sends = "proxy_set_header Authorization $planwright_stored_signature;"
    made = send(team.member, team).json()
    with changed(stack, "snippets/planwright-store.conf", sends, ""):
        answer = download(stack, team.member, made["download_url"])
        said = stack.ctl("doctor", check=False).stdout
    assert (answer.status_code, answer.json()["code"]) == (502, "service_unavailable")
    assert not re.search("(?i)signature|amz", str(answer.headers)), answer.headers
    assert re.search("(?m)^wrong downloads: .* 502: .*include this version's planwright-store.conf", said), said
    assert "ok    downloads" in stack.ctl("doctor", check=False).stdout


def test_a_client_says_nothing_to_the_store_but_what_part_it_wants(stack, team, proxy):
    """Neither with headers that workers send, nor with those that the store reads."""
    made = send(team.member, team).json()
    mine = {name: "mine" for name in (
        "X-Planwright-Store-Signature", "X-Planwright-Store-Date", "X-Planwright-Store-Digest", "X-Accel-Redirect",
        "X-Amz-Date", "X-Amz-Content-SHA256", "X-Amz-Security-Token", "X-Amz-Copy-Source", "Cookie")}
    with listening() as store:
        store.answer = answer_of("kept")
        with changed(stack, "planwright.conf", f"proxy_pass http://127.0.0.1:{proxy.port}/;",
                     f"proxy_pass http://127.0.0.1:{store.port}/;"):
            answer = download(stack, team.member, made["download_url"], **mine, Range="bytes=0-3")
    assert (answer.status_code, answer.content) == (200, b"kept")
    assert not re.search("(?i)signature|amz|store", str(answer.headers)), answer.headers
    head, = store.heads
    first, *headers = head.rstrip().split("\r\n")
    assert first == f"GET /files/pw/{made['id'] & 255:02x}/{made['id']} HTTP/1.1"
    assert "mine" not in head and team.people["member"].token not in head and "Range: bytes=0-3" in headers
    names = {h.partition(":")[0].lower() for h in headers}
    assert names == {"host", "range", "authorization", "x-amz-date", "x-amz-content-sha256"}, names


# Of those that are not about the file: stores, and what is in front of them, name themselves in many places.
TELLING = ("Alt-Svc", "Content-Location", "Link", "Location", "Refresh", "Report-To", "Reporting-Endpoints", "NEL",
           "Server", "Server-Timing", "SourceMap", "Via", "Warning", "WWW-Authenticate", "Proxy-Authenticate",
           "Clear-Site-Data", "Set-Cookie", "Access-Control-Allow-Headers", "Access-Control-Allow-Private-Network",
           "Timing-Allow-Origin", "Cross-Origin-Resource-Policy", "Cross-Origin-Opener-Policy",
           "Cross-Origin-Embedder-Policy", "Permissions-Policy", "X-Amz-Website-Redirect-Location",
           "X-Amz-Tagging-Count", "X-Amz-Object-Lock-Mode", "X-Amz-Checksum-Sha256", "X-Amz-Restore",
           "X-Goog-Generation", "X-Goog-Hash", "X-Goog-Storage-Class", "X-Guploader-Uploadid",
           "X-Minio-Deployment-Id", "X-Rgw-Object-Type", "X-Cache", "X-Served-By", "X-Robots-Tag")


def test_no_header_of_the_store_reaches_a_browser(stack, team, proxy):
    made = send(team.member, team).json()
    with listening() as store:
        store.answer = answer_of("kept", *(f"{name}: at-the-store" for name in TELLING))
        with changed(stack, "planwright.conf", f"proxy_pass http://127.0.0.1:{proxy.port}/;",
                     f"proxy_pass http://127.0.0.1:{store.port}/;"):
            answer = download(stack, team.member, made["download_url"])
    assert (answer.status_code, answer.content) == (200, b"kept")
    assert [name for name, value in answer.headers.items() if "at-the-store" in value] == []


def test_no_log_has_a_signature(stack, team, proxy, all_told):
    """If a store is unreachable, breaks off or hangs, nginx logs its address, which grants no access."""
    made = send(team.member, team).json()
    for fault in ("500", "deaf", ("short", 1000), "hang"):
        proxy.fault = fault
        with contextlib.suppress(Exception):  # some are cut short
            answer = download(stack, team.member, made["download_url"])
            assert answer.status_code in (200, 502) and "Amz" not in str(answer.headers), answer.headers
            assert "Signature" not in str(answer.headers)
    proxy.fault = None
    assert download(stack, team.member, made["download_url"]).content == b"z" * SIZE
    told = all_told.read_text()
    place = f"/files/pw/{made['id'] & 255:02x}/{made['id']}"
    assert f'upstream: "http://127.0.0.1:{proxy.port}{place}"' in told, told
    for text in (told, stack.log("access"), stack.log("workers")):
        assert "Signature" not in text and "X-Amz" not in text and "AWS4" not in text


def test_an_answer_without_a_file_is_no_empty_file(stack, team, proxy, tmp_path):
    send(team.member, team)
    proxy.fault = "204"
    failed = stack.ctl("backup", tmp_path / "all.backup", "--without-secret", check=False)
    assert failed.returncode == 1 and failed.stderr.endswith("answers 204 to GET\n"), failed.stderr


def test_no_lock_is_held_while_the_store_hangs(stack, team, proxy):
    proxy.fault = "hang"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        later = pool.submit(send, team.member, team)
        time.sleep(1.5)
        held = stack.sql("""select query from pg_stat_activity
            where application_name ~ '^planwright' and state like 'idle in transaction%'""")
        assert held == []
        assert later.result().status_code == 503


# --- imports, which wait there --------------------------------------------------------------------

@pytest.fixture
def waiting(stack, team):
    """An import that was acknowledged; its importer does not run."""
    stack.part("stop", "importer")
    yield asked(team.owner, team.path)
    stack.part("stop", "importer")
    stack.part("start", "importer")


@contextlib.contextmanager
def no_store(stack, proxy):
    proxy.fault = "500"
    yield
    proxy.fault = None


@contextlib.contextmanager
def no_room(stack, proxy):
    """A disk of this host on which no folder can be created."""
    place = stack.directory / "files" / "import"
    place.rename(place.with_name("away"))
    place.write_text("")
    yield
    place.unlink()
    place.with_name("away").rename(place)


@pytest.mark.parametrize("trouble", [no_store, no_room])
def test_an_import_outlasts_what_keeps_its_files_away(stack, team, proxy, waiting, trouble):
    """It was acknowledged: it is not refused, and its files are not deleted."""
    with trouble(stack, proxy):
        stack.part("start", "importer")
        time.sleep(8)
        assert row(stack, waiting)[0] in ("queued", "running"), team.owner.get(waiting).json()
    told = over(team.owner, waiting)
    assert told["state"] in ("done", "lost") and row(stack, waiting)[1] == 1, told


def test_an_importer_that_waits_for_the_store_can_be_stopped(stack, team, proxy, waiting):
    proxy.fault, proxy.after = "hang", 2  # the sweep and the list succeed
    stack.part("start", "importer")
    assert wait_for(lambda: row(stack, waiting) == ("running", 1))
    time.sleep(1)
    begun = time.monotonic()
    stack.part("stop", "importer")
    assert time.monotonic() - begun < 5 and row(stack, waiting) == ("queued", 0)
