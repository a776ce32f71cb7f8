"""trust_remote_user: people signed in by the web server in front, which passes the FastCGI parameter REMOTE_USER
(contract 1.19)."""

import base64
import http.server
import json
import os
import threading
import uuid

import pytest

from conftest import Person, Stack, stack_folder, wait_for
from fastcgi import Request
from provider import SESSION, Browser
from test_oidc import came_back, refused
from world import ok

OURS = {"HTTP_X_REQUESTED_WITH": "planwright"}


class Proxy:
    """Answers auth_request as oauth2-proxy does: the person named in the cookie `proxied`, or 401."""

    def __init__(self):
        outer = self
        self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                name = dict(c.strip().partition("=")[::2] for c in (self.headers["Cookie"] or "").split(";")).get("proxied")
                self.send_response(202 if name else 401)
                if name:
                    self.send_header("X-Auth-Request-Email", name)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def server():
    proxy = Proxy()
    os.environ["STACK_PROXY"] = proxy.url
    try:
        made = Stack(stack_folder("remote"), workers=2,
                     settings="trust_remote_user = on\naudit_log = on\nremote_user_sign_out = /oauth2/sign_out\n")
    finally:
        del os.environ["STACK_PROXY"]
    made.proxy = proxy
    yield made
    made.close()
    proxy.server.shutdown()


@pytest.fixture
def ada(server):
    return Person(server, "Ada")


def ask(server, path="/me", method="GET", **params):
    """A request to the workers' own socket: (status, JSON, cookie of a session)."""
    request = Request(server, method, path, **{"REMOTE_ADDR": "127.0.0.1", **OURS, **params})
    status, body = request.answer()
    cookie = next((line.decode().partition("=")[2].partition(";")[0] for line in request.head.split(b"\r\n")
                   if line.startswith(b"Set-Cookie: planwright=")), None)
    server.secrets.append(cookie)
    return status, json.loads(body) if body.startswith((b"{", b"[")) else body.decode(), cookie


# --- the parameter ------------------------------------------------------------------------

def test_it_signs_in_by_address_or_user_name_in_any_case(server, ada):
    for name in (ada.email, ada.email.upper(), ada.username, ada.username.upper()):
        status, me, cookie = ask(server, REMOTE_USER=name)
        assert status == 200 and me["id"] == ada.id and cookie
        # From then on it is a session like any other.
        status, me, again = ask(server, HTTP_COOKIE=f"{SESSION}={cookie}")
        assert status == 200 and me["id"] == ada.id and again is None
    for name in (f" {ada.email}", ada.email + "\n", ada.email[:-1], "%", "_", "x" * 300, "\xff", "'"):
        assert ask(server, REMOTE_USER=name)[0] == 403


def test_letters_that_only_look_alike_are_others(server):
    kim = Person(server, "Kim")
    server.sql("update person set email = 'kim@example.test' where id = %s", kim.id)
    assert ask(server, REMOTE_USER="KIM@example.test")[1]["id"] == kim.id
    status, answer, _ = ask(server, REMOTE_USER="\u212aim@example.test")  # the kelvin sign, whose lower case is a k
    assert status == 403 and "nobody here has the name" in answer["general_problem"]


def test_who_is_unknown_is_told(server):
    status, answer, cookie = ask(server, REMOTE_USER="nobody@example.test")
    assert (status, answer["code"], cookie) == (403, "invalid_authentication", None)
    assert "nobody here has the name" in answer["general_problem"] and "ask" in answer["possible_fix"].lower()
    assert "somebody signed in by the web server was refused: from 127.0.0.1: nobody here has that name" in server.log("workers")
    assert server.sql("select person_id from audit_entry where act = 'sign_in_refused' and means = 'remote_user'")[0] == (None,)


def test_disabled_people(server, ada):
    _, _, cookie = ask(server, REMOTE_USER=ada.email)
    server.ctl("person", "disable", ada.username)
    assert ask(server, HTTP_COOKIE=f"{SESSION}={cookie}")[0] == 403, "the session ended"
    for more in ({}, {"HTTP_COOKIE": f"{SESSION}={cookie}"}):
        status, answer, new = ask(server, REMOTE_USER=ada.email, **more)
        assert status == 403 and "can no longer sign in here" in answer["general_problem"] and new is None
    assert server.sql("select 1 from audit_entry where act = 'sign_in_refused' and means = 'remote_user' and person_id = %s", ada.id)


def test_the_audit_log_has_it(server, ada):
    ask(server, REMOTE_USER=ada.username, HTTP_X_REQUEST_ID=uuid.uuid4().hex)
    rows = server.sql("select act, means, address from audit_entry where person_id = %s order by id", ada.id)
    assert rows[-1] == ("sign_in", "remote_user", "127.0.0.1")
    lines = lambda: [x for x in server.log("workers").splitlines()
                     if "audit {" in x and '"by":"remote_user"' in x and f'"person_id":{ada.id}' in x]
    assert '"act":"sign_in"' in wait_for(lines)[0], "after the answer"


@pytest.mark.parametrize("params", [
    {"HTTP_X_REQUESTED_WITH": ""}, {"HTTP_ORIGIN": "https://evil.example"}, {"HTTP_SEC_FETCH_SITE": "cross-site"},
    {"HTTP_SEC_FETCH_SITE": "same-site"}], ids=["no header", "another origin", "another site", "a sister"])
def test_pages_of_others_gain_nothing(server, ada, params):
    for method, path in (("GET", "/me"), ("POST", "/projects")):
        status, answer, cookie = ask(server, path, method, REMOTE_USER=ada.email, **params)
        assert (status, answer["code"], cookie) == (403, "unauthorized_operation", None), answer
        assert "A sign-in by the web server is valid only in requests from pages of this server" in answer["general_problem"]


def test_other_credentials_go_first(server, ada):
    eve = Person(server, "Eve")
    status, me, cookie = ask(server, REMOTE_USER=eve.email, HTTP_X_TRACKERTOKEN=ada.token)
    assert (status, me["id"], cookie) == (200, ada.id, None), "a token"
    assert ask(server, REMOTE_USER=eve.email, HTTP_X_TRACKERTOKEN="0" * 32)[0] == 403, "a wrong token"
    basic = lambda password: "Basic " + base64.b64encode(f"{ada.username}:{password}".encode()).decode()
    assert ask(server, REMOTE_USER=eve.email, HTTP_AUTHORIZATION=basic(ada.password))[1]["id"] == ada.id, "a password"
    assert ask(server, REMOTE_USER=eve.email, HTTP_AUTHORIZATION=basic("wrong"))[0] == 403, "what nginx calls $remote_user unchecked"
    browser = Browser(server)
    ok(browser.request("POST", "/services/v5/session", json={"login": ada.email, "password": ada.password},
                       headers={"X-Requested-With": "planwright"}))
    mine = f"{SESSION}={browser.cookies[SESSION]}"
    assert ask(server, REMOTE_USER=eve.email, HTTP_COOKIE=mine)[1]["id"] == ada.id, "a session by password"


def test_another_person_at_the_same_browser(server, ada):
    """A session that the web server started ends when the web server names another person."""
    eve = Person(server, "Eve")
    _, _, cookie = ask(server, REMOTE_USER=ada.email)
    line = f"{SESSION}={cookie}"
    assert ask(server, REMOTE_USER=ada.username.upper(), HTTP_COOKIE=line)[::2] == (200, None), "the same person"
    status, me, new = ask(server, REMOTE_USER=eve.email, HTTP_COOKIE=line)
    assert (status, me["id"]) == (200, eve.id) and new and new != cookie
    assert ask(server, REMOTE_USER="nobody", HTTP_COOKIE=line)[0] == 403


def test_a_session_that_ended_begins_anew(server, ada):
    assert ask(server, REMOTE_USER=ada.email, HTTP_COOKIE=f"{SESSION}={'0' * 64}")[1]["id"] == ada.id
    assert ask(server, REMOTE_USER=ada.email, HTTP_COOKIE=f"{SESSION}=x")[1]["id"] == ada.id


def test_a_required_second_factor_is_the_web_servers_business(server, ada):
    path = server.env["STACK_CONF"]
    before = open(path).read()
    open(path, "w").write(before + "second_factor = required\n")
    server.part("stop", "workers"), server.part("start", "workers")
    try:
        assert ask(server, REMOTE_USER=ada.email)[1]["id"] == ada.id
    finally:
        open(path, "w").write(before)
        server.part("stop", "workers"), server.part("start", "workers")


# --- through nginx ---------------------------------------------------------------------------

HEADERS = ["Remote-User", "Remote_User", "REMOTE_USER", "X-Remote-User", "X-Auth-Request-Email", "X-Forwarded-User", "HTTP_REMOTE_USER",
           "X-Auth-Request-User"]


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_does_nothing(server, ada, name):
    browser = Browser(server)
    answer = browser.request("GET", "/services/v5/me", headers={name: ada.email, "X-Requested-With": "planwright"})
    assert answer.status_code == 403 and answer.json()["code"] == "unauthorized_operation"
    answer = browser.page("/session/remote_user", **{name: ada.email})
    assert answer.status_code == 302 and "/oauth2/start?rd=/session/remote_user" in answer.headers["Location"]
    assert SESSION not in browser.cookies
    status, answer, cookie = ask(server, **{f"HTTP_{name.upper().replace('-', '_')}": ada.email})
    assert (status, answer["code"], cookie) == (403, "unauthorized_operation", None)


def test_a_proxy_that_signs_in(server, ada):
    """The shipped locations with their # removed."""
    browser = Browser(server)
    browser.cookies["proxied"] = ada.email
    answer = browser.page("/session/remote_user?to=/n/projects/7")
    came_back(answer, "/n/projects/7")
    assert answer.headers["Location"] == f"{server.url}/n/projects/7" and server.proxy.asked[-1].startswith("/oauth2/auth")
    assert browser.me()["id"] == ada.id
    assert ok(browser.api("GET", "/session/options"))["remote_user"] is True
    assert ok(browser.api("DELETE", "/session")) == {"end_session_url": "/oauth2/sign_out"}
    assert browser.me() is None
    del browser.cookies["proxied"]
    assert browser.page("/session/remote_user").status_code == 302


def test_refusals_are_pages(server, ada):
    browser = Browser(server)
    browser.cookies["proxied"] = "nobody@example.test"
    refused(browser.page("/session/remote_user"), "nobody here has the name")
    refused(browser.page("/session/remote_user", **{"Accept-Language": "de"}), "niemand hier hat den Namen")
    browser.cookies["proxied"] = ada.email
    for to in ("https://evil.example/", "//evil.example/", "/\\evil.example", ""):
        answer = browser.request("GET", "/session/remote_user", params={"to": to})
        refused(answer, "not one of this server", 400)
        assert "Location" not in answer.headers
    refused(browser.page("/session/remote_user", **{"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site"}), "when opened as a page")
    server.ctl("person", "disable", ada.username)
    refused(browser.page("/session/remote_user"), "can no longer sign in here")
    status, page, _ = ask(server, DOCUMENT_URI="/session/remote_user")
    assert status == 403 and "has not signed you in" in page


def test_it_is_off_where_nobody_asked_for_it(server, ada):
    path = server.env["STACK_CONF"]
    before = open(path).read()
    open(path, "w").write(before.replace("trust_remote_user = on\n", ""))
    server.part("stop", "workers"), server.part("start", "workers")
    try:
        assert ask(server, REMOTE_USER=ada.email)[0] == 403
        status, page, cookie = ask(server, DOCUMENT_URI="/session/remote_user", REMOTE_USER=ada.email)
        assert status == 404 and "no such way to sign in" in page and cookie is None
        assert "remote_user" not in ok(Browser(server).api("GET", "/session/options"))
    finally:
        open(path, "w").write(before)
        server.part("stop", "workers"), server.part("start", "workers")
