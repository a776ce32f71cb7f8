"""POST with Idempotency-Key: done once, with the first answer repeated (contract 1.2)."""

import concurrent.futures
import uuid

import pytest

from conftest import Client, Person, wait_for
from test_bodies import refused
from test_sessions import Browser
from world import ok


@pytest.fixture
def key():
    return {"Idempotency-Key": str(uuid.uuid4())}


def names(board):
    return sorted(s["name"] for s in board.stories())


def test_a_story_is_made_once(board, key):
    first = board.client.post(f"{board.path}/stories", {"name": "a"}, headers=key)
    version = board.version()
    board.put_all = ok(first)
    ok(board.client.put(f"{board.path}/stories/{first.json()['id']}", {"name": "renamed"}))
    again = board.client.post(f"{board.path}/stories", {"name": "a"}, headers=key)
    assert (again.status_code, again.content) == (200, first.content)
    for header in ("X-Tracker-Project-Version", "Content-Type"):
        assert again.headers[header] == first.headers[header]
    assert first.headers["X-Tracker-Project-Version"] == str(version)
    assert names(board) == ["renamed"] and board.version() == version + 1
    ok(board.client.post(f"{board.path}/stories", {"name": "a"}))
    assert names(board) == ["a", "renamed"]


def test_whatever_is_made(board, key):
    story = f"{board.path}/stories/{board.add('a')['id']}"
    for path, body in ((f"{story}/comments", {"text": "x"}), (f"{story}/tasks", {"description": "x"}),
                       (f"{board.path}/labels", {"name": "new"}), (f"{board.path}/epics", {"name": "E"}),
                       (f"{story}/labels", {"name": "other"}), ("/my/workspaces", {"name": "W"}),
                       ("/projects", {"name": f"P {uuid.uuid4()}", "new_account_name": f"A {uuid.uuid4()}"}),
                       (f"{board.path}/my/searches", {"name": "S", "query": "x"})):
        here = {"Idempotency-Key": f"{path} {uuid.uuid4()}"[:255]}
        got = [board.client.post(path, body, headers=here) for _ in range(3)]
        assert {g.content for g in got} == {got[0].content}, path
        ok(got[0])
    assert len(ok(board.client.get(f"{story}/comments"))) == len(ok(board.client.get(f"{story}/tasks"))) == 1
    assert len(ok(board.client.get("/my/workspaces"))) == 1


def test_envelope_and_fields_are_part_of_it(board, key):
    path = f"{board.path}/stories?fields=name&envelope=true"
    first = board.client.post(path, {"name": "a"}, headers=key)
    assert ok(first)["data"]["name"] == "a"
    assert board.client.post(path, {"name": "a"}, headers=key).content == first.content
    refused(board.client.post(f"{board.path}/stories", {"name": "a"}, headers=key))


def test_another_request_with_the_key(board, key):
    ok(board.client.post(f"{board.path}/stories", {"name": "a"}, headers=key))
    for path, body in ((f"{board.path}/stories", {"name": "b"}), (f"{board.path}/labels", {"name": "a"})):
        assert "another request" in refused(board.client.post(path, body, headers=key))["general_problem"]
    assert names(board) == ["a"]


def test_keys_are_of_a_person(board, key, api, world):
    other = world.people["member"]
    board.join(other)
    ok(board.client.post(f"{board.path}/stories", {"name": "a"}, headers=key))
    ok(api(other).post(f"{board.path}/stories", {"name": "a"}, headers=key))
    assert names(board) == ["a", "a"]
    assert Client(board.client.stack).post(f"{board.path}/stories", {"name": "a"}, headers=key).status_code == 403
    assert Client(board.client.stack, "0" * 32).post(
        f"{board.path}/stories", {"name": "a"}, headers=key).status_code == 403


def test_a_refusal_is_no_answer_to_keep(board, key):
    refused(board.client.post(f"{board.path}/stories", {"name": ""}, headers=key))
    ok(board.client.post(f"{board.path}/stories", {"name": "a"}, headers=key))
    assert names(board) == ["a"]


@pytest.mark.parametrize("value", ["", "x" * 256, " "])
def test_what_is_no_key(board, value):
    answer = board.client.post(f"{board.path}/stories", {"name": "a"}, headers={"Idempotency-Key": value})
    refused(answer)
    assert names(board) == []


def test_other_methods_look_at_no_key(board, key):
    story = board.add("a")
    path = f"{board.path}/stories/{story['id']}"
    for name in ("b", "c"):
        assert ok(board.client.put(path, {"name": name}, headers=key))["name"] == name
    assert board.client.delete(path, headers=key).status_code == 204


def test_both_at_the_same_moment(board, key):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda _: board.client.post(
            f"{board.path}/stories", {"name": "a", "labels": ["new"]}, headers=key), range(8)))
        spaces = list(pool.map(lambda _: board.client.post(
            "/my/workspaces", {"name": "W"}, headers={"Idempotency-Key": f"w{key}"}), range(8)))
    for answers in (got, spaces):
        assert {a.status_code for a in answers} == {200} and len({a.content for a in answers}) == 1
    assert names(board) == ["a"] and board.version() == 2


def test_under_a_session_too(stack, key):
    browser = Browser(Person(stack, "Clicks"))
    body = {"name": f"P {uuid.uuid4()}", "new_account_name": f"A {uuid.uuid4()}"}
    got = [ok(browser.post("/projects", body, headers=key)) for _ in range(2)]
    assert got[0] == got[1] and len(ok(browser.get("/projects"))) == 1


def test_kept_for_a_day(new_stack):
    server = new_stack(workers=1)
    client = Client(server, Person(server, "Ada").token)
    for n in range(3):
        ok(client.post("/my/workspaces", {"name": "W"}, headers={"Idempotency-Key": f"k{n}"}))
    server.sql("update once set created_at = created_at - interval '1 day' where key <> 'k2'")
    server.sql("insert into session (mac, person_id, agent, used_at, expires_at) select sha256(n::text::bytea), p.id, '',"
               " now() - n * interval '20 days', now() + (2 - n) * interval '1 day'"
               " from person p, generate_series(0, 3) n")
    server.part("stop", "sender")
    server.part("start", "sender")  # it sweeps when it starts, and once an hour
    assert wait_for(lambda: server.sql("select key from once") == [("k2",)], 30)
    assert wait_for(lambda: server.sql("select count(*) from session") == [(2,)], 30)


def test_the_last_thousand_of_a_person(board, key, sql, boss):
    sql("insert into once (person_id, key, request, status, version, answer, created_at)"
        " select %s, n, '', 200, 0, '', now() - n * interval '1 minute' from generate_series(1, 1000) n", boss.id)
    ok(board.client.post(f"{board.path}/stories", {"name": "a"}, headers=key))
    assert sql("select count(*), count(*) filter (where key = '1000') from once where person_id = %s",
               boss.id) == [(1000, 0)]


def test_an_answer_too_long_is_not_kept(board, key):
    body = {"name": "a", "comments": [{"text": "x"} for _ in range(60)], "description": "y" * 19000}
    path = f"{board.path}/stories?fields=comments(text,story(description))"
    first = board.client.post(path, body, headers=key)
    assert len(first.content) > 1 << 20 and ok(first)
    assert "too long" in refused(board.client.post(path, body, headers=key))["general_problem"]
    assert names(board) == ["a"]
