"""Browser sessions: who gets a cookie, where it is valid, and when it ends (contract 1.1)."""

import concurrent.futures
import re
import time

import pytest

from conftest import Client, Person, Stack, stack_folder
from test_bodies import refused
from test_passwords import guess
from test_people import bad_credentials
from test_uploads import png
from world import new_project, ok

OWN = {"X-Requested-With": "planwright"}
COOKIE = re.compile(r"planwright=([0-9a-f]{64}); Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000")


@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("sessions"), workers=2)
    yield made
    made.close()


@pytest.fixture
def ada(server):
    return Person(server, "Ada Browses")


def sign_in(server, login, password, headers=None):
    return Client(server).post("/session", {"login": login, "password": password},
                               headers={**OWN, **(headers or {})})


class Browser(Client):
    """Sends its cookie, and the header that pages of the server add."""

    def __init__(self, who, headers=None):
        super().__init__(who.stack)
        answer = sign_in(who.stack, who.email, who.password, headers)
        assert answer.status_code == 200, answer.text
        self.me = answer.json()
        self.secret = COOKIE.fullmatch(answer.headers["Set-Cookie"])[1]
        who.stack.secrets.append(self.secret)
        self.headers |= {"Cookie": f"other=1; planwright={self.secret}", **OWN}

    def bare(self, method, path, headers=None, base="/services/v5", **more):
        """Sends the request without the header."""
        client = Client(self.stack, base=base)
        return client.request(method, path, headers={"Cookie": f"planwright={self.secret}",
                                                     **(headers or {})}, **more)

    def is_signed_in(self):
        answer = self.get("/me")
        if answer.status_code == 200:
            return True
        assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication")
        assert answer.json()["general_problem"] == "The session has ended."
        assert "planwright=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" == answer.headers["Set-Cookie"]
        return False


@pytest.fixture
def browser(ada):
    return Browser(ada)


def new_story(client, project):
    return ok(client.post(f"/projects/{project['id']}/stories", {"name": "Beans"}))["id"]


def denied(answer):
    assert (answer.status_code, answer.json()["code"]) == (403, "unauthorized_operation"), answer.text
    return answer.json()


# --- signing in ---------------------------------------------------------------------

def test_who_signs_in_is_me(server, ada, browser):
    assert browser.me["id"] == ada.id and "api_token" not in browser.me
    me = ok(browser.get("/me"))
    assert me["id"] == ada.id and "api_token" not in me
    assert "api_token" not in ok(browser.get("/me?fields=api_token,name"))
    assert "api_token" in ok(Client(server, ada.token).get("/me"))
    for login in (ada.username, ada.email.upper()):
        assert ok(sign_in(server, login, ada.password))["id"] == ada.id
    form = Client(server).post("/session", data={"login": ada.email, "password": ada.password})
    assert ok(form)["id"] == ada.id and COOKIE.fullmatch(form.headers["Set-Cookie"])


def test_only_a_digest_is_kept(server, browser):
    assert browser.secret not in str(server.sql("select *, encode(mac, 'hex') from session"))


@pytest.mark.parametrize("body", [{}, {"login": "x"}, {"password": "x"}, {"login": 1, "password": "x"},
                                  {"login": "x" * 256, "password": "x"}, {"login": "x", "password": "x" * 1001},
                                  {"login": "x", "password": "y", "more": 1}, []])
def test_what_is_no_login(server, body):
    assert Client(server).post("/session", body, headers=OWN).status_code == 400


def test_wrong_passwords(server, ada):
    bad_credentials(sign_in(server, ada.email, "not it"))
    bad_credentials(sign_in(server, "nobody@example.test", ada.password))
    assert "Set-Cookie" not in sign_in(server, ada.email, "not it").headers
    assert f"a sign-in was refused: from 127.0.0.1, person {ada.id}" in server.log("workers")
    assert Client(server).get("/session").status_code == 405


def test_pages_of_other_sites_sign_nobody_in(server, ada):
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                    {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}):
        answer = sign_in(server, ada.email, ada.password, headers)
        assert denied(answer) and "Set-Cookie" not in answer.headers
    good = {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    assert ok(sign_in(server, ada.email, ada.password, good))["id"] == ada.id


def test_guesses_count_together(server, ada):
    assert [sign_in(server, ada.email, f"no {i}").status_code for i in range(5)] == [403] * 5
    assert guess(server, ada.username, 5) == [403] * 5
    answer = sign_in(server, ada.email, ada.password)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert "Too many wrong passwords" in answer.text


def test_an_address_signs_in_thirty_times_a_minute(new_stack):
    server = new_stack(workers=1, sign_ins=30)
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        def tried(method, path, n):
            """Pages of other sites are refused before the expensive hashing."""
            return list(pool.map(lambda i: Client(server).request(
                method, path, json={"login": f"nobody{i}", "password": "x"},
                headers={"Origin": "https://evil.example"}), range(n)))
        got = tried("POST", "/session", 64)
        statuses = [a.status_code for a in got]
        assert statuses.count(403) + statuses.count(429) == 64
        assert 21 <= statuses.count(403) <= 22 + (time.monotonic() - start) / 2
        limited = next(a for a in got if a.status_code == 429)
        assert limited.json()["code"] == "too_many_requests" and limited.headers["Retry-After"]
        for method, path in (("POST", "/session.json"), ("POST", "/session/"), ("DELETE", "/session?_method=POST")):
            assert 429 in [a.status_code for a in tried(method, path, 24)], path
        assert {a.status_code for a in tried("DELETE", "/session", 30)} == {403}


# --- where the cookie counts --------------------------------------------------------

def test_a_cookie_needs_the_header(browser):
    for headers in ({}, {"X-Requested-With": "XMLHttpRequest"}, {"X-Requested-With": ""}):
        problem = denied(browser.bare("GET", "/me", headers))["general_problem"]
        assert "X-Requested-With: planwright" in problem
        denied(browser.bare("POST", "/projects", headers, json={"name": "x"}))
        denied(browser.bare("GET", "/me", {"Sec-Fetch-Site": "same-origin", **headers}))


def test_a_cookie_is_for_own_pages(server, browser):
    for headers in ({"Origin": "https://evil.example"}, {"Origin": f"{server.url}.evil.example"},
                    {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
                    {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "same-origin", "Origin": "http://x"}):
        denied(browser.get("/me", headers=headers))
        denied(browser.post("/projects", {"name": "x"}, headers=headers))
    for headers in ({"Origin": server.url}, {"Sec-Fetch-Site": "same-origin"}):
        assert ok(browser.get("/me", headers=headers))


def test_a_token_beside_it(ada, browser):
    for more in ({"headers": {"X-TrackerToken": ada.token}}, {"headers": {"X-ServiceToken": ada.token}},
                 {"params": {"token": ada.token}}, {"headers": {"Authorization": f"Bearer {ada.token}"}}):
        refused(browser.get("/me", **more))
    # A page shows the token to a person who enters the password once more.
    assert ok(browser.get("/me", auth=(ada.email, ada.password)))["api_token"] == ada.token


def test_no_other_method_is_meant(browser):
    project = new_project(browser)
    story = new_story(browser, project)
    path = f"/projects/{project['id']}/stories/{story}"
    refused(browser.get(path, params={"_method": "DELETE"}))
    refused(browser.post(path, params={"_method": "put"}, json={"name": "x"}))
    denied(browser.bare("GET", path, params={"_method": "DELETE"}))
    assert ok(browser.get(path))["id"] == story


@pytest.mark.parametrize("value", ["planwright=", "planwright", "x=y", ""])
def test_no_cookie_of_ours(server, value):
    answer = Client(server).get("/me", headers={"Cookie": value, **OWN})
    assert "No API token was sent" in denied(answer)["general_problem"]


@pytest.mark.parametrize("value", ["x", "0" * 64, "0" * 5000, "%00", "'; --"])
def test_made_up_cookies(server, value):
    answer = Client(server).get("/me", headers={"Cookie": f"planwright={value}", **OWN})
    assert answer.json()["code"] == "invalid_authentication" and "Max-Age=0" in answer.headers["Set-Cookie"]


def test_the_token_is_no_cookie_and_the_cookie_no_token(server, ada, browser):
    assert Client(server, browser.secret).get("/me").status_code == 403
    assert Client(server).get("/me", headers={"Cookie": f"planwright={ada.token}", **OWN}).status_code == 403


def test_what_needs_nobody_looks_at_no_cookie(browser):
    assert browser.bare("GET", "/openapi").status_code == 200
    assert browser.bare("GET", "/choose_password", base="").status_code == 200
    assert browser.bare("POST", "/session", json={"login": "x", "password": "y"}).status_code == 403


def test_rights_are_those_of_the_person(server, browser):
    boss = Browser(Person(server, "Boss"))
    project = new_project(boss)
    story = new_story(boss, project)
    for path in (f"/projects/{project['id']}", f"/stories/{story}", f"/projects/{project['id']}/stories/{story}",
                 f"/projects/{project['id']}/epics"):
        assert ok(boss.get(path)) is not None
        denied(browser.get(path))
    denied(browser.put(f"/stories/{story}", {"name": "x"}))
    assert ok(boss.put(f"/projects/{project['id']}/stories/{story}", {"name": "y"}))["name"] == "y"
    got = ok(boss.post("/aggregator", ["/services/v5/me", f"/services/v5/projects/{project['id']}/stories"]))
    assert "api_token" not in got["/services/v5/me"]
    assert [s["id"] for s in got[f"/services/v5/projects/{project['id']}/stories"]] == [story]
    assert ok(boss.get(f"/projects/{project['id']}/search?query=name:/y/"))["stories"]["total_hits"] == 1
    large = ok(boss.post(f"/projects/{project['id']}/stories", {"name": "z", "description": "x" * 19000}))
    assert len(large["description"]) == 19000


# --- downloads ----------------------------------------------------------------------

def test_pictures_and_files(browser):
    project = new_project(browser)
    made = ok(browser.post(f"/projects/{project['id']}/uploads", files={"file": ("photo.png", png())}))
    for path in (f"/file_attachments/{made['id']}/download", f"/file_attachments/{made['id']}/thumbnail"):
        for site in ("same-origin", "none"):
            assert browser.bare("GET", path, {"Sec-Fetch-Site": site}, base="").status_code == 200
        assert browser.bare("GET", path, OWN, base="").status_code == 200
        for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
                        {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"}):
            denied(browser.bare("GET", path, headers, base=""))


def test_exports_and_imports(browser):
    project = new_project(browser)
    new_story(browser, project)
    path = f"/projects/{project['id']}"
    for export in (f"{path}/export.zip", f"{path}/stories.csv"):
        assert browser.get(export).content[:2] in (b"PK", b"Id")
        assert browser.bare("GET", export, {"Sec-Fetch-Site": "same-origin"}).status_code == 200
        denied(browser.bare("GET", export))
    denied(browser.bare("GET", f"{path}/stories", {"Sec-Fetch-Site": "same-origin"}))
    files = {"file": ("stories.csv", b"Title,Type\nSow the beans,feature\n")}
    denied(browser.bare("POST", f"{path}/imports", files=files))
    assert ok(browser.post(f"{path}/imports", files=files))["id"]


CHROMIUM = {"image": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
            "document": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}
PARTS_OF_A_PAGE = ("image", "video", "audio", "object", "embed", "iframe", "style", "font", "script")


def fetched_as(dest, site="same-origin"):
    """The headers that Chromium and Firefox send."""
    return {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest, "Accept": CHROMIUM.get(dest, "*/*"),
            "Sec-Fetch-Mode": "navigate" if dest in ("document", "empty", "iframe") else "no-cors"}


def test_a_picture_in_a_text_exports_nothing(browser):
    """Everybody who reads a comment with ![x](…/export.zip) requests it without wanting to."""
    project = new_project(browser)
    new_story(browser, project)
    release = ok(browser.post(f"/projects/{project['id']}/stories", {"name": "R", "story_type": "release"}))["id"]
    path = f"/projects/{project['id']}"
    for export in (f"{path}/export.zip", f"{path}/stories.csv", f"{path}/releases/{release}/stories.csv"):
        for dest in PARTS_OF_A_PAGE:
            denied(browser.bare("GET", export, fetched_as(dest)))
        denied(browser.bare("GET", export, {"Sec-Fetch-Site": "same-origin", "Accept": CHROMIUM["image"]}))
        for dest, site in (("document", "same-origin"), ("document", "none"), ("empty", "same-origin")):
            assert browser.bare("GET", export, fetched_as(dest, site)).status_code == 200, (export, dest)
        assert browser.get(export, headers=fetched_as("empty")).status_code == 200


def test_pictures_are_shown(browser):
    project = new_project(browser)
    made = ok(browser.post(f"/projects/{project['id']}/uploads", files={"file": ("photo.png", png())}))
    for path in ("download?inline=true", "thumbnail"):
        path = f"/file_attachments/{made['id']}/{path}"
        for dest in ("image", "document", "empty"):
            assert browser.bare("GET", path, fetched_as(dest), base="").status_code == 200, (path, dest)
        assert browser.bare("GET", path, {"Sec-Fetch-Site": "same-origin", "Accept": CHROMIUM["image"]},
                            base="").status_code == 200
        for dest in ("object", "iframe", "script", "style"):
            denied(browser.bare("GET", path, fetched_as(dest), base=""))
        denied(browser.bare("GET", path, fetched_as("image", "cross-site"), base=""))


# --- lists and ends -----------------------------------------------------------------

def test_sessions_are_listed_and_ended(server, ada):
    one = Browser(ada, {"User-Agent": "Firefox"})
    two = Browser(ada, {"User-Agent": "A" * 300})
    three = Browser(ada, {"User-Agent": "no UTF-8: é"})
    sessions = ok(one.get("/my/sessions"))
    assert [(s["kind"], s["agent"], s["current"]) for s in sessions] == [
        ("session", "", False), ("session", "A" * 200, False), ("session", "Firefox", True)]
    assert three.delete("/session").status_code == 204
    sessions = ok(one.get("/my/sessions"))
    assert all(not s["current"] for s in ok(Client(server, ada.token).get("/my/sessions")))
    other = Browser(Person(server, "Bob"))
    assert other.delete(f"/my/sessions/{sessions[0]['id']}").status_code == 404
    assert one.delete(f"/my/sessions/{sessions[0]['id']}").status_code == 204
    assert one.is_signed_in() and not two.is_signed_in() and other.is_signed_in()
    assert one.delete(f"/my/sessions/{sessions[0]['id']}").status_code == 404
    assert "Max-Age=0" in one.delete(f"/my/sessions/{sessions[1]['id']}").headers["Set-Cookie"]
    assert not one.is_signed_in()


def test_signing_out(server, ada, browser):
    other = Browser(ada)
    denied(browser.bare("DELETE", "/session"))
    answer = browser.delete("/session")
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Set-Cookie"].startswith("planwright=; ") and "Max-Age=0" in answer.headers["Set-Cookie"]
    assert not browser.is_signed_in() and other.is_signed_in()
    assert Client(server, ada.token).delete("/session").status_code == 204
    assert other.is_signed_in()


def age(server, browser, **columns):
    for column, by in columns.items():
        server.sql(f"update session set {column} = {column} - interval '{by}' where id ="
                   " (select max(id) from session)")


def test_a_session_lasts_thirty_days_from_its_use(server, ada, browser):
    age(server, browser, used_at="29 days")
    answer = browser.get("/me")
    assert answer.status_code == 200 and COOKIE.fullmatch(answer.headers["Set-Cookie"])[1] == browser.secret
    assert "Set-Cookie" not in browser.get("/me").headers
    age(server, browser, used_at="59 minutes")
    assert "Set-Cookie" not in browser.get("/me").headers
    age(server, browser, used_at="30 days")
    assert not browser.is_signed_in()
    assert ok(Client(server, ada.token).get("/my/sessions")) == []


def test_and_ninety_days_in_all(server, browser):
    age(server, browser, expires_at="89 days", used_at="2 hours")
    seconds = int(browser.get("/me").headers["Set-Cookie"].rsplit("=", 1)[1])
    assert 86000 < seconds <= 86400
    age(server, browser, expires_at="1 day")
    assert not browser.is_signed_in()


def test_another_password_ends_all(server, ada):
    one, two = Browser(ada), Browser(ada)
    new = "an entirely new one"
    answer = one.put("/me/password", {"old_password": ada.password, "new_password": new})
    assert answer.status_code == 204 and "Max-Age=0" in answer.headers["Set-Cookie"]
    assert not one.is_signed_in() and not two.is_signed_in()
    assert ok(sign_in(server, ada.email, new))["id"] == ada.id
    server.ctl("passwd", ada.username, stdin="yet another one")
    assert server.sql("select count(*) from session where person_id = %s", ada.id) == [(0,)]


def test_who_is_disabled_has_none(server, ada, browser):
    server.ctl("person", "disable", ada.username)
    assert not browser.is_signed_in()
    bad_credentials(sign_in(server, ada.email, ada.password))
    server.ctl("person", "enable", ada.username)
    assert not browser.is_signed_in()
    again = Browser(ada)
    server.ctl("person", "remove", ada.username, "--yes")
    assert not again.is_signed_in()


def test_fifty_are_kept(server, ada, browser):
    server.sql("insert into session (mac, person_id, agent, used_at) select sha256(n::text::bytea), %s, '',"
               " now() + interval '1 second' from generate_series(1, 49) n", ada.id)
    assert browser.is_signed_in()
    Browser(ada)
    assert not browser.is_signed_in()
    assert server.sql("select count(*) from session where person_id = %s", ada.id) == [(50,)]


def test_behind_tls_the_cookie_is_this_hosts(new_stack):
    server = new_stack(workers=1, settings="")
    conf = server.directory / "planwright.conf"
    conf.write_text(conf.read_text().replace("base_url = http://", "base_url = https://"))
    server.part("stop", "workers")
    server.part("start", "workers")
    ada = Person(server, "Ada")
    answer = sign_in(server, ada.email, ada.password)
    secret = re.fullmatch(r"__Host-planwright=([0-9a-f]{64}); Path=/; Secure; HttpOnly; SameSite=Strict; "
                          r"Max-Age=2592000", answer.headers["Set-Cookie"])[1]
    server.secrets.append(secret)
    assert ok(Client(server).get("/me", headers={"Cookie": f"__Host-planwright={secret}", **OWN}))["id"] == ada.id
    assert Client(server).get("/me", headers={"Cookie": f"planwright={secret}", **OWN}).status_code == 403
