"""People never wait for a project in which they may not write, and never make others wait for it."""

import contextlib
import threading
import time

import psycopg2
import pytest

from board import Board
from world import ok

pytestmark = pytest.mark.both  # times must be bounded in the build that ships

QUICK = 1.0


@pytest.fixture
def held(stack):
    """held(board, …): their projects are locked, as by a slow command of somebody else."""
    @contextlib.contextmanager
    def hold(*boards):
        connection = psycopg2.connect(stack.env["STACK_ADMIN_DB"],
                                      options="-c search_path=planwright")
        try:
            with connection.cursor() as cursor:
                for board in boards:
                    cursor.execute("select pg_advisory_xact_lock((1::bigint << 61) | %s),"
                                   " (select id from project where id = %s for no key update)",
                                   (board.id, board.id))
            yield
        finally:
            connection.close()
    return hold


def at_once(call):
    began = time.monotonic()
    answer = call()
    assert time.monotonic() - began < QUICK
    return answer


@pytest.fixture
def private(api, boss):
    return Board(api(boss))


@pytest.fixture
def own(api, person):
    """A project of a stranger."""
    return Board(api(person("Stranger")))


@pytest.mark.parametrize("by_project", [True, False])
def test_a_strangers_move_waits_for_nobody(held, private, own, by_project):
    own.add("a")
    path = own.at("a") if by_project else f"/stories/{own.ids['a']}"
    with held(private, own):
        assert at_once(lambda: own.client.put(path, {"project_id": private.id})).status_code == 403
        foreign = f"{private.path}/stories/{own.ids['a']}"
        assert at_once(lambda: own.client.put(foreign, {"project_id": own.id})).status_code == 403


def test_others_write_while_a_move_of_a_stranger_waits(held, api, private, own, sql):
    """The stranger's own project is locked; the refused move must not lock the other one."""
    own.add("a")
    with held(own):
        at_once(lambda: own.client.put(own.at("a"), {"project_id": private.id}))
        ok(at_once(lambda: private.client.post(f"{private.path}/stories", {"name": "quick"})))


def test_a_move_waits_for_both(held, api, boss, private):
    """A person who may write in both waits for both."""
    here = Board(api(boss))
    here.add("a")
    held_now = contextlib.ExitStack()
    held_now.enter_context(held(private))
    threading.Timer(1.5 * QUICK, held_now.close).start()
    began = time.monotonic()
    ok(here.client.put(here.at("a"), {"project_id": private.id}))
    assert time.monotonic() - began > QUICK


@pytest.mark.parametrize("method, path, body", [
    ("post", "/stories", {"name": "x"}), ("post", "/labels", {"name": "x"}),
    ("post", "/my/searches", {"name": "x", "query": "x"}),
    ("post", "/webhooks", {"webhook_url": "https://e.example", "webhook_version": "v5"}),
    ("post", "/integrations", {"kind": "other_integration", "name": "x"}),
    ("put", "/iteration_overrides/1", {"team_strength": 0.5})])
def test_who_may_not_write_waits_for_nobody(held, api, private, own, method, path, body):
    with held(private):
        for client in (api(), own.client, api("0" * 32)):
            answer = at_once(lambda: getattr(client, method)(private.path + path, body))
            assert answer.status_code == 403


def test_what_is_ones_own_waits_for_nobody(held, api, private, person):
    viewer = person("Viewer")
    private.join(viewer, "viewer")
    client = api(viewer)
    with held(private):
        made = ok(at_once(lambda: client.post(f"{private.path}/my/searches",
                                              {"name": "x", "query": "x"})))
        path = f"{private.path}/my/searches/{made['id']}"
        ok(at_once(lambda: client.put(path, {"name": "y"})))
        ok(at_once(lambda: client.delete(path)), 204)
        ok(at_once(lambda: client.post("/my/workspaces", {"project_ids": [private.id]})))


def test_a_commit_that_mentions_strangers_waits_for_nobody(held, private, own):
    own.add("a")
    private.add("b")
    message = f"[#{own.ids['a']} #{private.ids['b']}]"
    with held(private):
        answer = at_once(lambda: own.client.post("/source_commits", {
            "source_commit": {"commit_id": "1", "message": message}}))
    assert [s["id"] for s in ok(answer)] == [own.ids["a"]]


def test_a_mention_of_a_stranger_waits_for_nobody(stack, own, boss):
    own.add("a")
    connection = psycopg2.connect(stack.env["STACK_ADMIN_DB"], options="-c search_path=planwright")
    try:
        with connection.cursor() as cursor:
            cursor.execute("select from person where id = %s for no key update", (boss.id,))
        answer = at_once(lambda: own.client.post("/source_commits", {"source_commit": {
            "commit_id": "1", "author": boss.name,
            "message": f"[Finishes #{own.ids['a']}] thanks to @{boss.username}"}}))
        assert [s["id"] for s in ok(answer)] == [own.ids["a"]]
    finally:
        connection.close()
