"""Senders that hang: another one takes over, and the first does no harm when it continues."""

import contextlib
import os
import signal
import threading
import time

import pytest

from conftest import wait_for
from test_webhooks import (  # noqa: F401 (fixtures)
    add_story, client, deliveries, hook, hooks, owner, project, receiver, senders)

# Instead of the seconds in planwright-sender(8).
LEASE = 3


@pytest.fixture
def watched(senders, monkeypatch):  # noqa: F811
    """Senders whose leases end LEASE seconds after their last renewal."""
    monkeypatch.setenv("PLANWRIGHT_LEASE_SECONDS", str(LEASE))
    return senders


@contextlib.contextmanager
def still(process):
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)


def memory_of(process):
    """The contents of its private memory."""
    with open(f"/proc/{process.pid}/maps") as maps, open(f"/proc/{process.pid}/mem", "rb") as memory:
        for line in maps:
            place, rights, *_ = line.split()
            start, end = (int(word, 16) for word in place.split("-"))
            if rights.startswith("rw"):
                memory.seek(start)
                with contextlib.suppress(OSError):
                    yield memory.read(end - start)


@pytest.mark.plain
@pytest.mark.parametrize("inline", [False, True], ids=["a file", "in the settings"])
def test_the_sender_knows_no_secret(client, project, receiver, hook, hooks, senders, monkeypatch,
                                    tmp_path, inline):
    """It needs neither the secret nor the files: it sends without being able to read them."""
    secret = "0123-no-sender-knows-this-secret-4567"
    (tmp_path / "secret").write_text(secret)
    hook()
    if inline:
        text = open(hooks.env["STACK_CONF"]).read().splitlines()
        conf = [line for line in text if not line.startswith(("secret_file", "files"))]
        (tmp_path / "conf").write_text("\n".join([*conf, f"secret = {secret}", "files = /none"]))
        monkeypatch.setitem(hooks.env, "STACK_CONF", str(tmp_path / "conf"))
    else:
        (tmp_path / "secret").unlink()
        monkeypatch.setenv("PLANWRIGHT_SECRET_FILE", str(tmp_path / "secret"))
        monkeypatch.setenv("PLANWRIGHT_FILES", "/none")
    sender = senders.start()
    add_story(client, project)
    assert wait_for(lambda: receiver.got)
    known = b"".join(memory_of(sender))
    assert b"dbname=planwright" in known
    assert secret.encode() not in known
    assert hooks.secrets[0].encode() not in known


def leases(server):
    return server.sql("select holder from lease where what = 'webhook'")


def test_another_sender_takes_over(client, project, receiver, hook, hooks, watched):
    webhook, asked, go_on = hook(), threading.Event(), threading.Event()

    def answer(headers, body):
        asked.set()
        go_on.wait(20)
        return 200, b""
    receiver.answer = answer
    first = watched.start()
    for name in "abc":
        add_story(client, project, name)
    assert asked.wait(30) and len(leases(hooks)) == 1
    with still(first):
        receiver.answer = lambda headers, body: (200, b"")
        watched.start()
        begun = time.monotonic()
        time.sleep(LEASE / 2)
        assert len(receiver.got) == 1, "who stands still for a moment keeps its turn"
        assert wait_for(lambda: len(receiver.got) == 4, LEASE + 30)
        assert LEASE - 1.5 < time.monotonic() - begun < LEASE + 5
        go_on.set()
    versions = receiver.versions()
    assert versions == [versions[0], versions[0], versions[0] + 1, versions[0] + 2]
    assert wait_for(lambda: all(d["delivered"] for d in deliveries(hooks, webhook)))
    assert wait_for(lambda: not leases(hooks))
    add_story(client, project, "d")
    assert wait_for(lambda: len(receiver.got) == 5)
    time.sleep(1.5)
    assert receiver.versions()[4:] == [versions[0] + 3]


def test_who_comes_back_reports_no_failure(client, project, receiver, hook, hooks, watched):
    """What it learned without the lease is older than what its successor knows."""
    webhook, asked = hook(), threading.Event()

    def answer(headers, body):
        asked.set()
        time.sleep(1)
        return 410, b"gone"
    receiver.answer = answer
    first = watched.start()
    add_story(client, project)
    assert asked.wait(30)
    with still(first):
        receiver.answer = lambda headers, body: (200, b"")
        watched.start()
        assert wait_for(lambda: deliveries(hooks, webhook)[0]["delivered"], LEASE + 30)
    add_story(client, project)
    assert wait_for(lambda: len(receiver.got) == 3)
    time.sleep(1.5)
    told = client.get(webhook).json()
    assert told["enabled"] is True and "last_error_code" not in told
    assert [d["delivered"] for d in deliveries(hooks, webhook)] == [True, True]


def test_a_sender_that_was_given_up_works_on(client, project, receiver, hook, watched):
    hook()
    first = watched.start()
    add_story(client, project)
    assert wait_for(lambda: len(receiver.got) == 1)
    with still(first):
        time.sleep(LEASE + 1)
        add_story(client, project)
        assert len(receiver.got) == 1
    assert wait_for(lambda: len(receiver.got) == 2)
