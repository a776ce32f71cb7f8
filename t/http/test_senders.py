"""Senders that stand still: another takes over, and the first does no harm when it comes back."""

import contextlib
import os
import signal
import threading
import time

import pytest

from conftest import wait_for
from test_webhooks import (  # noqa: F401 (fixtures)
    add_story, client, deliveries, hook, hooks, owner, project, receiver, senders)

# Instead of the minute of planwright-sender(8).
IDLE = 3


@pytest.fixture
def watched(senders, monkeypatch):  # noqa: F811
    """Senders whose connections end after IDLE seconds without a word."""
    monkeypatch.setenv("PLANWRIGHT_SENDER_IDLE", f"{IDLE}s")
    return senders


@contextlib.contextmanager
def still(process):
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)


def locks(server):
    return server.sql("select pid from pg_locks where locktype = 'advisory' and classid = 1 << 30")


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
    assert asked.wait(10) and len(locks(hooks)) == 1
    with still(first):
        receiver.answer = lambda headers, body: (200, b"")
        watched.start()
        begun = time.monotonic()
        time.sleep(IDLE / 2)
        assert len(receiver.got) == 1, "who stands still for a moment keeps its turn"
        assert wait_for(lambda: len(receiver.got) == 4, IDLE + 5)
        assert IDLE - 1.5 < time.monotonic() - begun < IDLE + 5
        go_on.set()
    versions = receiver.versions()
    assert versions == [versions[0], versions[0], versions[0] + 1, versions[0] + 2]
    assert wait_for(lambda: all(d["delivered"] for d in deliveries(hooks, webhook)))
    assert wait_for(lambda: not locks(hooks))
    add_story(client, project, "d")
    assert wait_for(lambda: len(receiver.got) == 5)
    time.sleep(1.5)
    assert receiver.versions()[4:] == [versions[0] + 3]


def test_who_comes_back_reports_no_failure(client, project, receiver, hook, hooks, watched):
    """What it learnt without the lock is older than what the other one knows."""
    webhook, asked = hook(), threading.Event()

    def answer(headers, body):
        asked.set()
        time.sleep(1)
        return 410, b"gone"
    receiver.answer = answer
    first = watched.start()
    add_story(client, project)
    assert asked.wait(10)
    with still(first):
        receiver.answer = lambda headers, body: (200, b"")
        watched.start()
        assert wait_for(lambda: deliveries(hooks, webhook)[0]["delivered"], IDLE + 5)
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
        time.sleep(IDLE + 1)
        add_story(client, project)
        assert len(receiver.got) == 1
    assert wait_for(lambda: len(receiver.got) == 2)
