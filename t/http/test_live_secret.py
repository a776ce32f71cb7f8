"""Live updates go on when the secret is replaced (planwrightctl secret rotate): planwright-live is not started again."""

import os
import signal
import threading

import pytest

from client import Client
from conftest import Person, wait_for
from streams import SOON
from test_live import ask_live
from test_live_restarts import again, change, live_pid
from world import ok


@pytest.fixture
def server(new_stack):
    return new_stack(workers=2, expects_5xx=True)


@pytest.fixture
def crew(server):
    class Crew:
        owner = Person(server, "Ro Rotated")
    Crew.own = Client(server, Crew.owner.token)
    Crew.id = ok(Crew.own.post("/projects", {"name": "S", "new_account_name": "S"}))["id"]
    return Crew


def rotate(server, tmp_path, name, *more):
    new = tmp_path / name
    server.ctl("secret", "rotate", "--out", new, *more)
    server.secrets.append(new.read_text().strip())
    return new.read_text()


def put(server, secret):
    """As an operator does: the new file in place of the old one, and workers that read it."""
    (server.directory / "secret").write_text(secret)
    before = server.log("workers").count("were replaced")
    os.kill(int((server.directory / "pid" / "workers").read_text().split()[0]), signal.SIGHUP)
    assert wait_for(lambda: server.log("workers").count("were replaced") > before, 60)


def hears(listen, server, crew):
    stream = listen(crew.owner.token, [crew.id], on=server)
    assert stream.status == 200, stream.text()
    assert stream.hears(crew.id, change(crew)) < SOON


def test_streams_open_and_go_on_while_the_secret_is_replaced(server, crew, listen, tmp_path):
    pid, stop, refused, n = live_pid(server), threading.Event(), [], []

    def open_streams():
        while not stop.is_set():
            with listen(crew.owner.token, [crew.id], on=server) as stream:
                n.append(stream.status)
                if stream.status != 200:
                    refused.append(stream.text())

    hears(listen, server, crew)
    named = ok(crew.own.post("/my/tokens", {"name": "stays", "scope": "read"}))["token"]
    server.secrets.append(named)
    stays, comes_again = (listen(token, [crew.id], on=server) for token in (named, crew.owner.token))
    opener = threading.Thread(target=open_streams)
    opener.start()
    try:
        for i in range(2):
            secret = rotate(server, tmp_path, f"new{i}")
            before = len(n)
            assert wait_for(lambda: refused or len(n) > before + 20)
            put(server, secret)
            before = len(n)
            assert wait_for(lambda: refused or len(n) > before + 20)
    finally:
        stop.set()
        opener.join()
    assert not refused, refused[:3]
    # The token of GET /me is known by another digest from now on.
    assert comes_again.ends(5) is not None
    assert stays.hears(crew.id, change(crew)) < SOON
    hears(listen, server, crew)
    assert live_pid(server) == pid
    assert server.log("live").count("continuing with the new one") == 2


def test_one_that_starts_with_the_old_secret_follows(server, crew, listen, tmp_path):
    """Two steps, as a worker does."""
    old = (server.directory / "secret").read_text()
    for name in "one", "two":
        secret = rotate(server, tmp_path, name)
        if name == "one":
            put(server, secret)
    (server.directory / "secret").write_text(old)
    server.part("stop", "live")
    server.part("start", "live")
    again(listen, server, crew)
    hears(listen, server, crew)
    assert server.log("live").count("continuing with the new one") == 2


def test_rotation_at_once_needs_the_new_file(server, crew, listen, tmp_path):
    pid = live_pid(server)
    secret = rotate(server, tmp_path, "new", "--at-once")
    (server.directory / "secret").write_text(secret)
    server.part("stop", "workers")
    server.part("start", "workers")
    assert wait_for(lambda: crew.own.get("/me").status_code == 200)
    hears(listen, server, crew)
    assert live_pid(server) == pid and "continuing with the one in the settings" in server.log("live")


def test_another_secret_than_the_database_s_refuses_for_the_moment(server, crew, listen):
    (value,), = server.sql("select value from secret_check")
    forged = f"/-/stream/{crew.owner.id}-s-1-1-0-99999999999999-{crew.id}_1-{'0' * 64}"
    assert ask_live(server, forged) == "403"
    server.sql("update secret_check set value = %s", b"x" * 32)
    assert ask_live(server, forged) == "503" == ask_live(server, forged)
    assert server.log("live").count("does not belong to this database") == 1
    server.sql("update secret_check set value = %s", bytes(value))
    assert ask_live(server, forged) == "403"
    hears(listen, server, crew)
