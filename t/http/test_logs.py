"""A request's lines in the logs of nginx, a worker and PostgreSQL are connected by one id."""

import json
import os
import re
import signal
import time

import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from world import new_project, ok


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("logs"), workers=1)
    stack.boss = Person(stack, "Boss")
    stack.client = Client(stack, stack.boss.token)
    stack.project = new_project(stack.client)["id"]
    stack.stories = f"/projects/{stack.project}/stories"
    yield stack
    stack.close(expects_5xx=True)


LINE = re.compile(r'(?P<address>\S+) \[(?P<time>\S+)\] "(?P<method>\S+) (?P<path>\S+) (?P<protocol>\S+)" '
                  r'(?P<status>\d+) (?P<bytes>\d+) (?P<seconds>[\d.]+) upstream=(?P<upstream>\S+) '
                  r'person=(?P<person>\d+|-) id=(?P<id>[0-9a-f]{32}) "(?P<agent>.*)"')


def access(stack, answer):
    """The line of the access log for an answer."""
    name = answer.headers["X-Request-Id"]
    assert wait_for(lambda: name in stack.log("access"))
    line, = [line for line in stack.log("access").splitlines() if name in line]
    return line


def test_a_line_has_person_id_agent_and_both_times(server):
    answer = server.client.get("/me", headers={"User-Agent": 'curl "x"/1'})
    found = LINE.fullmatch(access(server, answer))
    assert found["person"] == str(server.boss.id) and found["method"] == "GET"
    assert found["agent"] == r"curl \x22x\x22/1" and found["status"] == "200"
    assert re.fullmatch(r"200/0\.\d+", found["upstream"])
    assert "X-Planwright-Person" not in answer.headers
    nobody = LINE.fullmatch(access(server, Client(server).get("/me")))
    assert (nobody["person"], nobody["status"]) == ("-", "403")


@pytest.mark.parametrize("method, path, size, status", [
    ("POST", "/services/v5/projects", 3000000, 413), ("DELETE", "/nowhere", 0, 404),
    ("PUT", "/services", 0, 404)])
def test_the_first_method_is_kept(server, method, path, size, status):
    """nginx's own error pages are internal GETs."""
    answer = Client(server, server.boss.token, base="").request(method, path, data=b"x" * size)
    found = LINE.fullmatch(access(server, answer))
    assert (found["method"], found["status"]) == (method, str(status))


def test_lines_as_json(new_stack):
    stack = new_stack(workers=1)
    conf = stack.directory / "nginx" / "planwright.conf"
    stack.part("stop", "nginx")
    text = conf.read_text()
    snippets = stack.directory / "nginx" / "snippets" / "planwright-limits.conf"
    formats = snippets.read_text()
    # The configuration is written at each start: the JSON format gets the other format's name.
    assert "log_format planwright_json " in formats and "access.log planwright;" in text
    boss = Person(stack, "Boss")
    stack.part("start", "nginx")
    conf.write_text(conf.read_text().replace("access.log planwright;", "access.log planwright_json;"))
    os.kill(int((stack.directory / "pid" / "nginx.master").read_text()), signal.SIGHUP)
    client = Client(stack, boss.token)

    def is_json():
        answer = client.get("/me", headers={"User-Agent": 'a "quoted" \\ one'})
        time.sleep(0.1)
        last = stack.log("access").splitlines()[-1]
        return last.startswith("{") and (json.loads(last), answer)
    told, answer = wait_for(is_json)
    assert told["id"] == answer.headers["X-Request-Id"] and told["person"] == boss.id
    assert (told["method"], told["path"], told["status"]) == ("GET", "/services/v5/me", 200)
    assert told["user_agent"] == 'a "quoted" \\ one'
    assert told["seconds"] >= 0 and told["upstream_seconds"] >= 0 and told["bytes"] > 0
    assert told["upstream_status"] == 200

    client.get("/me", headers={"User-Agent": "Z\xfcrich"})  # ISO 8859-1
    Client(stack, base="").get("/nowhere")
    wait_for(lambda: "/nowhere" in stack.log("access"))
    lines = (stack.directory / "log" / "access.log").read_bytes().splitlines()
    wrong, last = (json.loads(line.decode()) for line in lines[-2:])
    assert wrong["user_agent"] == "Z\\x" and wrong["status"] == 200
    assert [last[name] for name in ("upstream_status", "upstream_seconds", "person", "status")] == [
        None, None, None, 404]


def test_lines_of_workers_and_of_postgresql_have_the_id(server):
    """A database error: each of the three logs names the request."""
    server.sql("alter table story add constraint broken check (name <> 'forbidden')")
    try:
        answer = server.client.post(server.stories, {"name": "forbidden"})
    finally:
        server.sql("alter table story drop constraint broken")
    assert answer.status_code == 500
    name = answer.headers["X-Request-Id"]
    assert name in access(server, answer)
    assert re.search(rf"^<3>.*broken.* id={name}$", server.log("workers"), re.M)
    assert re.search(rf"planwright {name} ERROR: .*broken", server.log("postgres"))
    other = server.client.get("/me")
    assert not re.search(rf"id={other.headers['X-Request-Id']}", server.log("workers"))


def test_lines_have_the_id_when_the_database_is_away(server):
    server.part("stop", "postgres")
    try:
        answer = server.client.get("/me")
    finally:
        server.part("start", "postgres")
    assert answer.status_code == 503
    assert re.search(rf"^<3>cannot reach the database.* id={answer.headers['X-Request-Id']}$",
                     server.log("workers"), re.M)
    assert wait_for(lambda: server.client.get("/me").status_code == 200)


@pytest.mark.parametrize("name", ["", "x y", "a\nb", "ä", "1" * 49, "<3>"])
def test_what_is_no_id(server, name):
    """As another web server might pass it."""
    before = len(server.log("workers"))
    status, _ = Request(server, "GET", "/me", HTTP_X_REQUEST_ID=name, REMOTE_ADDR="192.0.2.7",
                        HTTP_AUTHORIZATION="Basic eDp5").answer()
    assert status == 403
    line, = server.log("workers")[before:].splitlines()
    assert re.fullmatch("<4>a sign-in was refused: from 192.0.2.7, nobody [0-9a-f]{19}", line)


def test_refused_sign_ins(server):
    for login, name in ((server.boss.username, f"person {server.boss.id}"),
                        ("nobody at all", "nobody [0-9a-f]{19}")):
        answer = Client(server).get("/me", auth=(login, "wrong password"))
        assert answer.status_code == 403
        assert re.search(f"^<4>a sign-in was refused: from 127.0.0.1, {name} "
                         f"id={answer.headers['X-Request-Id']}$", server.log("workers"), re.M)
    for method, path, body in (("POST", "/me/token", {"password": "wrong password"}),
                               ("PUT", "/me/password", {"old_password": "wrong password",
                                                        "new_password": "something else"}),
                               ("PUT", "/me", {"email": "x@y.example", "password": "wrong password"})):
        answer = server.client.request(method, path, body)
        assert answer.status_code == 403
        assert (f"<4>a sign-in was refused: from 127.0.0.1, person {server.boss.id} "
                f"id={answer.headers['X-Request-Id']}\n") in server.log("workers")
    Client(server).get("/me", auth=(server.boss.token, "api_token"))
    assert server.boss.token not in server.log("workers")
    assert "wrong password" not in server.log("workers")
    assert "nobody at all" not in server.log("workers")


def test_refusals_leave_nothing_in_the_log_of_postgresql(server):
    story = ok(server.client.post(server.stories, {"name": "x"}))["id"]
    path = f"{server.stories}/{story}"
    before = len(server.log("postgres"))
    label = ok(server.client.post(f"/projects/{server.project}/labels", {"name": "twice"}))
    assert label["id"]
    for method, where, body in [
            ("POST", server.stories, {"name": ""}), ("POST", server.stories, {"name": "x", "estimate": 77}),
            ("PUT", path, {"current_state": "nonsense"}), ("PUT", path, {"before_id": 1, "after_id": 2}),
            ("PUT", path, {"current_state": "accepted", "story_type": "release", "estimate": 1}),
            ("DELETE", f"{server.stories}/1", None), ("GET", f"{server.stories}/1", None),
            ("POST", f"/projects/{server.project}/labels", {"name": "twice"}),
            ("POST", f"/projects/{server.project}/memberships", {"person_id": server.boss.id, "role": "owner"}),
            ("PUT", f"/projects/{server.project}", {"week_start_day": "Noday"}),
            ("GET", f"{server.stories}?filter=label:%22", None)]:
        answer = server.client.request(method, where, body)
        assert 400 <= answer.status_code < 500, (method, where, answer.status_code)
    assert Client(server, "0" * 31 + "x").post(server.stories, {"name": "x"}).status_code == 403
    assert server.log("postgres")[before:] == ""
    ok(server.client.get(path))
