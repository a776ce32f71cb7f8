"""Live updates (contract 2.22): who hears of what, how soon, and when a stream ends."""

import os
import socket
import time

import pytest

import fastcgi
from client import Client
from streams import BOUND, SOON, team_of
from world import ok

@pytest.fixture(scope="module")
def team(api, person):
    return team_of(api, person, "Live")


def change(team, **more):
    """A story more; the version of it."""
    answer = team.own.post(f"/projects/{team.id}/stories", {"name": "heard", **more})
    return int(answer.headers["X-Service-Project-Version"])


def stands(team):
    return ok(team.own.get(f"/projects/{team.id}"))["version"]


# What is told -------------------------------------------------------------------------


def test_the_first_events_tell_where_each_stands(listen, team):
    stream = listen(team.member.token, [team.id])
    assert stream.status == 200, stream.text()
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.headers["cache-control"] == "no-store"
    assert stream.wait(lambda events: len(events) >= 2) is not None
    first, second = stream.events
    assert first[:2] == ("project", {"project_id": team.id, "version": stands(team)})
    assert second[0] == "notifications" and list(second[1]) == ["unread"]
    assert stream.retry and 1000 <= stream.retry <= 15000


@pytest.mark.timed
def test_a_change_is_heard_at_once_by_everybody_who_may(listen, team):
    streams = [listen(x.token, [team.id]) for x in (team.owner, team.member, team.viewer)]
    version = change(team)
    for stream in streams:
        assert stream.hears(team.id, version) < SOON
        assert {event for event, _, _ in stream.events} <= {"project", "notifications"}


def test_what_changes_nothing_is_not_told(listen, team):
    stream = listen(team.member.token, [team.id])
    story = ok(team.own.post(f"/projects/{team.id}/stories", {"name": "same"}))
    assert stream.hears(team.id, stands(team)) is not None
    n = len(stream.events)
    ok(team.own.put(f"/stories/{story['id']}", {"name": "same"}))
    assert team.own.put(f"/stories/{story['id']}", {"name": ""}).status_code == 400
    assert stream.wait(lambda events: len(events) > n, 1.5) is None


@pytest.mark.timed
def test_notifications_are_counted(listen, api, team):
    reader = api(team.member)
    stream = listen(team.member.token)
    assert stream.wait(lambda _: stream.unread() is not None) is not None
    before = stream.unread()
    assert {event for event, _, _ in stream.events} == {"notifications"}
    story = ok(team.own.post(f"/projects/{team.id}/stories", {"name": "yours", "owner_ids": [team.member.id]}))
    assert stream.wait(lambda _: stream.unread() == before + 1) < BOUND
    newest = ok(reader.get("/my/notifications"))[0]
    assert newest["story"]["id"] == story["id"]
    assert reader.put(f"/my/notifications/{newest['id']}", {"read_at": "2030-01-01T00:00:00Z"}).status_code == 200
    assert stream.wait(lambda _: stream.unread() == before) < BOUND
    assert reader.put("/my/notifications/mark_read", {"before": newest["id"]}).status_code == 204
    assert stream.wait(lambda _: stream.unread() == 0) is not None


@pytest.mark.timed
def test_several_projects_in_one_stream(listen, team):
    other = ok(team.own.post("/projects", {"name": "Second", "new_account_name": "Second"}))["id"]
    stream = listen(team.owner.token, [team.id, other, team.id])
    assert stream.wait(lambda events: len(events) >= 3) is not None
    assert sorted(x["project_id"] for event, x, _ in stream.events if event == "project") == sorted([team.id, other])
    ok(team.own.post(f"/projects/{other}/stories", {"name": "there"}))
    assert stream.hears(other, 2) < SOON


@pytest.fixture(scope="module")
def many(team):
    return [ok(team.own.post("/projects", {"name": f"One of many {i}", "account_id": team.account}))["id"]
            for i in range(100)]


@pytest.mark.timed
@pytest.mark.parametrize("n", [9, 10, 100])
def test_as_many_projects_as_may_be(listen, team, many, n):
    """The answer of the worker to a few has a small buffer in nginx; to many, one of the usual size."""
    stream = listen(team.owner.token, many[:n])
    assert stream.status == 200, stream.text()
    assert stream.wait(lambda events: len(events) >= n + 1) is not None
    ok(team.own.post(f"/projects/{many[n - 1]}/stories", {"name": "there"}))
    assert stream.hears(many[n - 1], 2) < SOON
    assert listen(None, many[:n]).status == 403
    assert team.own.get("/live?projects=" + ",".join(map(str, many[:n] + [1]))).status_code == (
        400 if n == 100 else 404)


def test_the_head_of_a_stream_is_small_and_says_what_clients_need(listen, team):
    headers = listen(team.member.token, [team.id]).headers
    assert headers["x-request-id"] and headers["x-content-type-options"] == "nosniff"
    assert headers["access-control-allow-origin"] == "*"
    assert "X-Request-Id" in headers["access-control-expose-headers"]
    assert "x-planwright-person" not in headers
    assert sum(len(k) + len(v) + 4 for k, v in headers.items()) < 600


def test_other_roots_and_methods(listen, team):
    assert listen(team.member.token, [team.id], base="/services/edge").status == 200
    head = listen(team.member.token, [team.id], method="HEAD")
    assert head.status == 200 and head.headers["content-type"] == "text/event-stream"


def test_ids_of_events_rise_and_coming_again_misses_nothing(listen, team):
    stream = listen(team.member.token, [team.id])
    assert stream.hears(team.id, change(team)) is not None
    ids = [int(x) for _, _, x in stream.events]
    assert ids == sorted(set(ids))
    stream.close()
    version = change(team)
    for last in (str(ids[-1]), "", "no number", "9" * 3000):
        again = listen(team.member.token, [team.id], headers={"Last-Event-ID": last})
        assert again.hears(team.id, version) < SOON


def test_signs_of_life(listen, team):
    stream = listen(team.member.token, [team.id])
    assert stream.wait(lambda _: stream.beats >= 1, 25) is not None


# Who may hear -----------------------------------------------------------------------------


def test_who_is_refused(listen, team, api, person):
    for token in (None, "0" * 32):
        assert listen(token, [team.id]).status == 403
    assert listen(team.stranger.token, [team.id]).status == 403
    assert listen(team.member.token, [team.id, 1]).status == 404
    assert listen(team.stranger.token).status == 200
    mine = ok(api(team.stranger).post("/projects", {"name": "Mine", "new_account_name": "Mine"}))["id"]
    refused = listen(team.stranger.token, [mine, team.id])
    assert refused.status == 403 and str(team.id) in refused.text()


@pytest.mark.parametrize("query", ["projects=x", "projects=1,x", "projects=" + ",".join(map(str, range(1, 102))),
                                   "nonsense=3", "projects=-1", "projects=99999999999999999999"])
def test_bad_queries(api, team, query):
    answer = api(team.member).get(f"/live?{query}")
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["kind"] == "error"


def test_a_public_project_is_heard_by_everybody_with_a_token(listen, team):
    ok(team.own.put(f"/projects/{team.id}", {"public": True}))
    stream = listen(team.stranger.token, [team.id])
    assert stream.hears(team.id, change(team)) < SOON
    ok(team.own.put(f"/projects/{team.id}", {"public": False}))
    assert stream.ends(5) < BOUND
    assert listen(team.stranger.token, [team.id]).status == 403


def make_token(stack, team, by=None, **more):
    """A named token, made as the page does: by a session."""
    cookie = Session(stack, by or team.member)
    made = cookie.client.post("/my/tokens", {"name": "bot", **more})
    assert made.status_code == 200, made.text
    return made.json()


class Session:
    """Somebody who is signed in from a browser."""

    def __init__(self, stack, somebody):
        self.client = Client(stack)
        mine = {"X-Requested-With": "planwright"}
        answer = self.client.post("/session", {"login": somebody.username, "password": somebody.password},
                                  headers=mine)
        assert answer.status_code == 200, answer.text
        self.headers = {**mine, "Cookie": answer.headers["Set-Cookie"].partition(";")[0]}
        self.client.headers.update(self.headers)


def test_tokens_that_read_or_are_of_some_projects(stack, listen, team, api):
    reads = make_token(stack, team, scope="read")
    assert listen(reads["token"], [team.id]).hears(team.id, stands(team)) < SOON
    other = ok(api(team.member).post("/projects", {"name": "Out", "new_account_name": "Out"}))["id"]
    some = make_token(stack, team, scope="read", project_ids=[other])
    assert listen(some["token"], [team.id]).status == 403
    stream = listen(some["token"], [other])
    assert stream.wait(lambda _: stream.unread() is not None) is not None
    assert stream.unread() == 0
    ok(team.own.post(f"/projects/{team.id}/stories", {"name": "not theirs", "owner_ids": [team.member.id]}))
    assert stream.wait(lambda _: stream.unread() != 0, 2.5) is None, "notifications of another project"


def test_a_cookie_counts_with_the_header_of_our_pages_alone(stack, listen, team):
    session = Session(stack, team.member)
    assert listen(None, [team.id], headers=session.headers).hears(team.id, stands(team)) < SOON
    assert listen(None, [team.id], headers={"Cookie": session.headers["Cookie"]}).status == 403


# When it ends --------------------------------------------------------------------------------


def join(team, somebody):
    return ok(team.own.post(f"/projects/{team.id}/memberships", {"person_id": somebody.id, "role": "member"}))["id"]


def test_a_membership_that_ends(listen, team, person):
    leaver = person("Lea Leaver")
    membership = join(team, leaver)
    stream, stays = listen(leaver.token, [team.id]), listen(team.member.token, [team.id])
    assert team.own.delete(f"/projects/{team.id}/memberships/{membership}").status_code == 204
    assert stream.ends(5) < BOUND
    assert stays.ends(1) is None


def test_a_membership_that_goes_without_a_word(listen, team, person, sql):
    """Not by a request: nobody tells."""
    leaver = person("Lou Leaver")
    join(team, leaver)
    stream = listen(leaver.token, [team.id])
    sql("delete from project_membership where person_id = %s", leaver.id)
    assert stream.ends(5) < BOUND


def test_a_project_that_is_deleted(listen, team):
    gone = ok(team.own.post("/projects", {"name": "Gone", "new_account_name": "Gone"}))["id"]
    stream = listen(team.owner.token, [gone])
    assert team.own.delete(f"/projects/{gone}").status_code == 204
    assert stream.ends(5) < BOUND


def test_a_session_that_ends(stack, listen, team):
    first, second = Session(stack, team.member), Session(stack, team.member)
    streams = [listen(None, [team.id], headers=x.headers) for x in (first, second)]
    assert first.client.delete("/session").status_code in (200, 204)
    assert streams[0].ends(5) < BOUND
    assert streams[1].ends(1) is None


def test_tokens_that_end(stack, listen, team, sql):
    deleted, expired = (make_token(stack, team, scope="write") for _ in range(2))
    streams = [listen(x["token"], [team.id]) for x in (deleted, expired)]
    assert Session(stack, team.member).client.delete(f"/my/tokens/{deleted['id']}").status_code == 204
    sql("update token set expires_at = now() where id = %s", expired["id"])
    for stream in streams:
        assert stream.ends(5) < BOUND


@pytest.fixture
def strict(team, api, person):
    """Somebody with a project of their own, who is in one of another account, too."""
    somebody = person("Stella Strict")
    made = ok(team.own.post("/projects", {"name": "Strict", "new_account_name": "Strict"}))
    ok(team.own.post(f"/projects/{made['id']}/memberships", {"person_id": somebody.id, "role": "member"}))
    somebody.own = ok(api(somebody).post("/projects", {"name": "Mine", "new_account_name": "Mine"}))["id"]
    somebody.strict, somebody.account = made["id"], f"/accounts/{made['account_id']}"
    return somebody


def test_an_account_that_requires_a_second_factor(stack, listen, team, strict):
    session = Session(stack, strict)
    lost, stays = (listen(None, [project], headers=session.headers) for project in (strict.strict, strict.own))
    token = listen(strict.token, [strict.strict])
    ok(team.own.put(strict.account, {"second_factor": "required"}))
    assert lost.ends(5) < BOUND
    assert stays.ends(1) is None and token.ends(0.1) is None
    assert listen(None, [strict.strict], headers=session.headers).status == 403


def test_a_token_that_an_account_ends_for_itself(stack, listen, team, strict):
    made = make_token(stack, team, strict, scope="read")
    lost, stays = (listen(made["token"], [project]) for project in (strict.strict, strict.own))
    assert team.own.delete(f"{strict.account}/tokens/{made['id']}").status_code == 204
    assert lost.ends(5) < BOUND
    assert stays.ends(1) is None


def test_an_api_token_that_is_replaced(stack, listen, team, api, person):
    somebody = person("Rita Renewed")
    join(team, somebody)
    stream = listen(somebody.token, [team.id])
    answer = Session(stack, somebody).client.post("/me/token", {"password": somebody.password})
    assert answer.status_code == 200, answer.text
    stack.secrets.append(answer.json()["api_token"])
    assert stream.ends(5) < BOUND


def test_a_person_who_is_disabled(stack, listen, team, person):
    somebody = person("Dora Disabled")
    join(team, somebody)
    stream = listen(somebody.token, [team.id])
    stack.ctl("person", "disable", somebody.username)
    assert stream.ends(5) < BOUND


# Tickets -----------------------------------------------------------------------------------------


def ask_live(stack, path, method="GET"):
    """Without nginx, as nobody but it can: the status, or "" when the connection was closed."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(5)
        s.connect(stack.env["STACK_RUN"] + "/web/live.sock")
        s.sendall(f"{method} {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        return s.recv(4096).decode().partition(" ")[2][:3]


def tickets(stack, token, project):
    """One as a worker gives it, from the answer that nginx follows: asked over FastCGI."""
    request = fastcgi.Request(stack, "GET", "/live", QUERY_STRING=f"projects={project}", HTTP_X_TRACKERTOKEN=token)
    assert request.answer() == (200, b"")
    return request.head.decode().partition("X-Accel-Redirect: ")[2].partition("\r\n")[0]


def test_nobody_comes_to_the_inner_address_from_outside(api, team):
    assert api(team.member, base="").get("/-/stream/1-t-1-1-0-1-").status_code == 404


def test_tickets(stack, team):
    path = tickets(stack, team.member.token, team.id)
    assert path.startswith(f"/-/stream/{team.member.id}-")
    assert ask_live(stack, path) == "200"
    head, _, signature = path.rpartition("-")
    person, _, rest = head.removeprefix("/-/stream/").partition("-")
    for forged in (f"{head}-{'0' * 64}", f"{head}-{signature[:-1]}", head, f"{head}-", "/-/stream/",
                   f"/-/stream/{int(person) + 1}-{rest}-{signature}", f"{head}.{team.id + 1}_1-{signature}",
                   path + "0", path.upper()):
        assert ask_live(stack, forged) in ("403", "")
    assert ask_live(stack, "/other") == "" and ask_live(stack, path, "POST") == ""


@pytest.mark.plain
def test_a_ticket_is_good_for_some_seconds(stack, team):
    path = tickets(stack, team.member.token, team.id)
    end = int(path.split("-")[6])
    assert 10_000 < end - time.time() * 1000 <= 20_000
    time.sleep(max(0, end / 1000 - time.time()) + 0.1)
    assert ask_live(stack, path) == "403"


def test_requests_that_do_not_end_are_cut(stack):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(10)
        s.connect(stack.env["STACK_RUN"] + "/web/live.sock")
        s.sendall(b"GET /-/stream/")
        assert s.recv(100) == b""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(3)
        s.connect(stack.env["STACK_RUN"] + "/web/live.sock")
        try:
            s.sendall(b"GET /-/stream/" + b"x" * 20000)
            assert s.recv(100) == b""
        except (BrokenPipeError, ConnectionResetError):
            pass


def test_datagrams_that_are_none_do_no_harm(stack, listen, team):
    stream = listen(team.member.token, [team.id])
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        for sent in (b"", b"x", b"project\n", b"project 1\n", b"project x y\n", b"look", b"\n" * 50, b"look\n" * 200,
                     f"project {team.id} -5\n".encode(), os.urandom(1000), b"person 9999999999999999999\n",
                     b"presence 1 2 3\n", b"presence 1 2 3 there\n", f"presence {team.id} 0 1 looking\n".encode(),
                     f"project {team.id} 900000\n".encode()):
            s.sendto(sent, stack.env["STACK_RUN"] + "/web/hints.sock")
    # What was told wrong is set right by the next look.
    assert stream.wait(lambda _: stream.version(team.id) == stands(team)) is not None
    assert stream.hears(team.id, change(team)) is not None
    assert "is not a hint" in stack.log("live")
