"""An object store that hangs, answers 500 or loses connections: what was acknowledged is there, what was
not leaves no row, and nobody else waits. A faulty proxy stands before the real store."""

import concurrent.futures
import contextlib
import time

import pytest

from conftest import Client, wait_for
from faulty import Faulty
from importing import asked, over, row
from stored import stored, swift, team_of  # noqa: F401 (a fixture)
from test_uploads import download, png

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
    for made in rows(stack):  # a waiting upload is its sender's
        answer = download(stack, team.member, f"/file_attachments/{made}/download")
        assert answer.status_code == 200 and len(answer.content) in (SIZE, len(png())), made


CUTS = [("cut", 0), ("cut", 1), ("cut", 400), ("cut", 5000), ("cut", SIZE - 1), "deaf", "500"]


@pytest.mark.parametrize("fault", CUTS, ids=str)
def test_a_fault_that_passes_is_overcome(stack, team, proxy, fault):
    proxy.fault, proxy.times = fault, 2  # of three tries
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


def test_one_of_three_files_is_not_enough(stack, team, proxy):
    """A picture has two smaller ones: it is kept with all of them or not at all."""
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


def test_nobody_waits_for_a_store_that_hangs(stack, team, proxy):
    """Two workers, six uploads that hang: everything else is as quick as ever."""
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
    assert max(took) < 1, took
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
    """A disk of this host that takes no folder."""
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
    proxy.fault, proxy.after = "hang", 2  # the sweep, and the list
    stack.part("start", "importer")
    assert wait_for(lambda: row(stack, waiting) == ("running", 1))
    time.sleep(1)
    begun = time.monotonic()
    stack.part("stop", "importer")
    assert time.monotonic() - begun < 5 and row(stack, waiting) == ("queued", 0)
