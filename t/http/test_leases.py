"""Leases are rows with an end: if a holder dies, a successor takes over within the lease's length; a holder that lost
it writes nothing more; and nothing is done twice next to programs of the previous version, which hold locks of their
connections."""

import contextlib
import os
import signal
import threading
import time

import psycopg2
import pytest

from conftest import wait_for
from importing import (  # noqa: F401 (fixtures)
    CSV, asked, count, held, importers, over, own, row, team_of, waits_for_the_project)
from test_webhooks import (  # noqa: F401 (fixtures)
    add_story, client, deliveries, hook, hooks, owner, project, receiver, senders)

LEASE = 3


@pytest.fixture
def short(senders, monkeypatch):  # noqa: F811
    monkeypatch.setenv("PLANWRIGHT_LEASE_SECONDS", str(LEASE))
    return senders


@contextlib.contextmanager
def session(server):
    """A connection as the service's own user, as programs of the previous version keep one."""
    connection = psycopg2.connect(server.env["STACK_DB"], options="-c search_path=planwright")
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            def ask(query, *params):
                cursor.execute(query, params)
                return cursor.fetchone()
            yield ask
    finally:
        connection.close()


def number(path):
    return int(path.rsplit("/", 1)[1])


# Webhooks -----------------------------------------------------------------------------

def test_a_killed_sender_is_followed_at_the_end_of_its_lease(client, project, receiver, hook, short):
    hook()
    asked_once, go_on = threading.Event(), threading.Event()
    receiver.answer = lambda headers, body: (asked_once.set(), go_on.wait(20), (200, b""))[2]
    short.start()
    add_story(client, project)
    assert asked_once.wait(20)
    time.sleep(LEASE)
    receiver.answer = lambda headers, body: (200, b"")
    short.start()
    time.sleep(LEASE)
    assert len(receiver.got) == 1, "a sender that lives renews its lease, however long the transfer"
    short.running.pop(0).kill()
    begun = time.monotonic()
    assert wait_for(lambda: len(receiver.got) == 2, 20)
    took = time.monotonic() - begun
    print(f"followed after {took:.1f} s")
    assert LEASE * 3 / 5 < took < LEASE + 3
    go_on.set()


def test_a_transfer_whose_lease_was_lost_ends(client, project, receiver, hook, hooks, short):
    webhook, go_on = hook(), threading.Event()
    receiver.answer = lambda headers, body: (go_on.wait(8), (503, b""))[1]
    short.start()
    add_story(client, project)
    assert wait_for(lambda: receiver.got, 20)
    hooks.sql("update lease set holder = gen_random_uuid(), until = now() + interval '1 minute'"
              " where what = 'webhook'")
    assert wait_for(lambda: "has taken over delivery" in hooks.log("sender-test"))
    go_on.set()
    time.sleep(1)
    delivery, = deliveries(hooks, webhook)
    assert delivery["error"] is None and client.get(webhook).json().get("last_error_code") is None
    hooks.sql("delete from lease")


@pytest.fixture
def taken_twice(client, project, hook, hooks, senders):  # noqa: F811
    """A webhook and its delivery, with the lease of a sender that lost it and that of the one that has it by now."""
    webhook = number(hook())
    add_story(client, project)
    take = "select webhook_id, delivery_id, lease from delivery_take(%s, 4, 'off', %s::interval)"
    with session(hooks) as ask:
        of, delivery, first = ask(take, webhook - 1, "0 seconds")
        hooks.sql("update delivery set next_at = now() where id = %s", delivery)
        assert ask(take, webhook - 1, "1 minute")[:2] == (webhook, delivery) and of == webhook
        (second,), = hooks.sql("select holder::text from lease where what = 'webhook' and id = %s", webhook)

        def done(lease, status=200):
            ask("select delivery_done(%s, %s, %s, %s::uuid)", webhook, delivery, status, lease)

        def failed(lease):
            ask("select delivery_failed(%s, %s, 503, 'status 503', '', 'off', %s::uuid)", webhook, delivery, lease)
        yield (first, second), done, failed, lambda: hooks.sql(
            "select d.delivered_at is not null, d.last_status, d.last_error, w.failing_since is not null"
            " from delivery d join webhook w on w.id = d.webhook_id where d.id = %s", delivery)[0]


def test_a_late_success_says_nothing_of_the_receiver(taken_twice):
    """A sender that lost its lease records that its delivery arrived. The receiver has failed since: it still does."""
    (first, second), done, failed, found = taken_twice
    failed(second)
    done(first)
    assert found() == (True, 200, None, True)


def test_a_failure_after_a_late_success_does_not_undo_it(taken_twice):
    (first, second), done, failed, found = taken_twice
    done(first)
    failed(second)
    done(first, 202)
    assert found() == (True, 200, None, True)


TAKE = "select delivery_id, webhook_id from delivery_take(0, '{}', 4, 'off')"


def test_a_sender_of_the_version_before_is_not_crossed(client, project, receiver, hook, hooks, short):
    """It calls the functions that it knows: they give it a lease."""
    webhook = hook()
    add_story(client, project), add_story(client, project)
    with session(hooks) as ask:
        delivery, of = ask(TAKE)
        assert of == number(webhook) and ask(TAKE) == (None, None)
        short.start()
        time.sleep(2)
        assert receiver.got == [], "the old one sends just now"
        assert ask("select delivery_failed(%s, %s, 500, 'status 500', '', 'off')", of, delivery) == (False,)
        assert deliveries(hooks, webhook)[0]["error"] == "status 500"
        hooks.sql("update delivery set next_at = now() where id = %s", delivery)
        assert wait_for(lambda: len(receiver.got) == 2, 20)
        assert wait_for(lambda: all(d["delivered"] for d in deliveries(hooks, webhook)))
        assert [d["attempts"] for d in deliveries(hooks, webhook)] == [2, 1]
        receiver.answer = lambda headers, body: (time.sleep(2), (200, b""))[1]
        add_story(client, project)
        assert wait_for(lambda: len(receiver.got) == 3, 20)
        assert ask(TAKE) == (None, None), "the new one sends just now"


def test_a_transfer_from_before_the_upgrade_is_not_crossed(client, project, receiver, hook, hooks, short):
    """When the transfer began, there were only locks."""
    webhook = hook()
    add_story(client, project)
    delivery = deliveries(hooks, webhook)[0]["id"]
    with session(hooks) as ask:
        ask("select pg_advisory_lock((1::bigint << 62) | %s)", number(webhook))
        short.start()
        time.sleep(2)
        assert receiver.got == []
        ask("select delivery_failed(%s, %s, 500, 'status 500', '', 'off')", number(webhook), delivery)
        assert deliveries(hooks, webhook)[0]["error"] == "status 500"
        hooks.sql("update delivery set next_at = now() where id = %s", delivery)
        assert wait_for(lambda: deliveries(hooks, webhook)[0]["delivered"], 20)


# Imports ------------------------------------------------------------------------------

def test_a_killed_importer_is_followed_at_the_end_of_its_lease(own):
    team = team_of(own)
    with held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"710")))
        assert wait_for(lambda: waits_for_the_project(own))
        time.sleep(4)
        assert row(own, url) == ("running", 1), "an importer that lives renews its lease"
        victim, = importers(own)
        begun = time.monotonic()
        os.kill(victim, signal.SIGKILL)
        assert wait_for(lambda: row(own, url) == ("running", 2)), row(own, url)
        took = time.monotonic() - begun
        print(f"followed after {took:.1f} s")
        assert took < 3 + 3
    over(team.owner, url)
    assert count(own, team) == 2


def test_an_import_whose_lease_was_lost_ends(own):
    team = team_of(own)
    with held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"720")))
        assert wait_for(lambda: waits_for_the_project(own))
        own.sql("update lease set holder = gen_random_uuid(), until = now() + interval '5 seconds'"
                " where what = 'import' and id = %s", number(url))
        assert wait_for(lambda: not waits_for_the_project(own))
        assert row(own, url) == ("running", 1)
        assert wait_for(lambda: row(own, url) == ("running", 2), 20), "when that one ended, too"
    over(team.owner, url)
    assert count(own, team) == 2 and wait_for(lambda: not own.sql("select 1 from lease where what = 'import'"))


def test_who_lost_an_import_leaves_alone_who_has_it(own):
    """It terminates only its own transaction, although its successor has the same application_name."""
    team = team_of(own)
    with session(own) as ask, held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"725")))
        assert wait_for(lambda: waits_for_the_project(own))
        ask("select set_config('application_name', %s, false)", f"planwright import {number(url)}")
        own.sql("update lease set holder = gen_random_uuid(), until = now() + interval '5 seconds'"
                " where what = 'import' and id = %s", number(url))
        assert wait_for(lambda: not waits_for_the_project(own))
        assert ask("select true") == (True,), "the successor's connection was ended"
        ask("select set_config('application_name', '', false)")
    over(team.owner, url)
    assert count(own, team) == 2


def test_an_importer_of_the_version_before_is_not_crossed(own):
    team = team_of(own)
    lock = "select pg_try_advisory_lock(1::bigint << 59 | %s)"
    with session(own) as ask, held(own, team.id):
        (last,), = own.sql("select coalesce(max(id), 0) from project_import")
        assert ask(lock, last + 1) == (True,)
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"730")))
        assert number(url) == last + 1
        time.sleep(2)
        assert row(own, url) == ("queued", 0), "the old one has it"
        ask("select pg_advisory_unlock(1::bigint << 59 | %s)", number(url))
        assert wait_for(lambda: waits_for_the_project(own))
        assert ask(lock, number(url)) == (False,), "the new one has it"
    over(team.owner, url)
    assert count(own, team) == 2
