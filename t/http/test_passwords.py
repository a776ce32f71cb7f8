"""The caller's password, token and address, links by mail, and password guesses (contract 1.1, 2.1)."""

import concurrent.futures
import os
import re
import signal
import time

import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from mails import mailbox, settings  # noqa: F401
from test_bodies import refused
from test_faults import workers
from test_parent import parent
from test_people import bad_credentials, patiently
from world import new_project, ok


@pytest.fixture(scope="module")
def server(mailbox):
    made = Stack(stack_folder("passwords"), workers=2,
                 settings=settings(mailbox))
    yield made
    made.close()


@pytest.fixture
def ada(server):
    return Person(server, "Ada Pass")


def client_of(who):
    return Client(who.stack, who.token)


def by_password(server, login, password, **more):
    return patiently(lambda: Client(server).get("/me", auth=(login, password), **more))


# --- one's own ----------------------------------------------------------------------

def test_what_people_change_of_themselves(ada):
    client = client_of(ada)
    me = ok(client.put("/me", {"name": " Ada Else ", "initials": "AE", "username": f"{ada.username}x",
                               "time_zone": {"olson_name": "Europe/Vienna"}}))
    assert (me["name"], me["initials"], me["username"], me["time_zone"]["olson_name"]) == (
        "Ada Else", "AE", f"{ada.username}x", "Europe/Vienna")
    assert ok(client.put("/me", {"time_zone": "Etc/UTC"}))["time_zone"]["offset"] == "+00:00"
    assert ok(client.get("/me"))["name"] == "Ada Else"
    assert ok(client.put("/me", {"name": "Ada Else"}))["updated_at"] == ok(client.get("/me"))["updated_at"]


@pytest.mark.parametrize("body, said", [
    ({"name": " "}, "Name can't be blank"), ({"initials": ""}, "Initials can't be blank"),
    ({"username": "a b"}, "cannot contain spaces"), ({"username": "a@b"}, "spaces, @"),
    ({"username": ""}, "cannot contain spaces"),
    ({"username": "a:b"}, "or colons"), ({"time_zone": "Mars/Base"}, "is not a time zone"),
    ({"name": "x" * 256}, "too long"), ({"initials": "x" * 11}, "too long"),
    ({"email": "new@example.test"}, "requires your password"), ({"email": "x", "password": "y"}, None)])
def test_what_they_cannot_change(ada, body, said):
    answer = client_of(ada).put("/me", body)
    if said is None:
        bad_credentials(answer)
    else:
        refused(answer)
        assert said in answer.text


def test_names_of_others(server, ada):
    bob = Person(server, "Bob")
    assert "Somebody else has this user name" in client_of(ada).put(
        "/me", {"username": bob.username.upper()}).text
    assert "Somebody else has this email" in client_of(ada).put(
        "/me", {"email": bob.email, "password": ada.password}).text


def test_another_address_needs_the_password(server, ada):
    client = client_of(ada)
    assert client.put("/me", {"email": f"new.{ada.email}"}).status_code == 400
    bad_credentials(client.put("/me", {"email": f"new.{ada.email}", "password": "not it at all"}))
    assert ok(client.put("/me", {"email": f"new.{ada.email}", "password": ada.password}))[
        "email"] == f"new.{ada.email}"
    assert by_password(server, f"new.{ada.email}", ada.password).status_code == 200
    assert "is not a valid email" in client.put("/me", {"email": "x", "password": ada.password}).text


def test_another_password(server, ada):
    client, new = client_of(ada), "an entirely new one"
    server.secrets.append(new)
    bad_credentials(client.put("/me/password", {"old_password": "not it", "new_password": new}))
    for short in ("short", "x" * 1001, "two\nlines of it"):
        refused(client.put("/me/password", {"old_password": ada.password, "new_password": short}))
    assert "requires the parameter" in client.put("/me/password", {"new_password": new}).text
    answer = client.put("/me/password", {"old_password": ada.password, "new_password": new})
    assert (answer.status_code, answer.content) == (204, b"")
    bad_credentials(by_password(server, ada.email, ada.password))
    assert client.get("/me").status_code == 403
    token = ok(by_password(server, ada.email, new))["api_token"]
    server.secrets.append(token)
    assert token != ada.token


def test_another_token(server, ada):
    client = client_of(ada)
    bad_credentials(client.post("/me/token", {"password": "not it"}))
    answer = ok(client.post("/me/token", {"password": ada.password}))
    assert list(answer) == ["api_token"] and re.fullmatch("[0-9a-f]{32}", answer["api_token"])
    server.secrets.append(answer["api_token"])
    assert client.get("/me").status_code == 403
    assert ok(Client(server, answer["api_token"]).get("/me"))["id"] == ada.id
    assert Client(server).post("/me/token", {"password": "x"}).status_code == 403


# --- links by mail ------------------------------------------------------------------

def mails_to(mailbox, address):
    return [m["mail"] for m in mailbox.got if m["to"] == [address]]


def code_in(server, mailbox, address, nth=1):
    assert wait_for(lambda: len(mails_to(mailbox, address)) >= nth)
    text = mails_to(mailbox, address)[nth - 1].get_content()
    code, = re.findall(rf"{re.escape(server.url)}/choose_password/([0-9a-f]{{32}})\n",
                       text.replace("\r\n", "\n"))
    server.secrets.append(code)
    return code, text


def ask(server, address):
    answer = patiently(lambda: Client(server).post("/password_resets", {"email": address}))
    assert (answer.status_code, answer.content) == (204, b""), answer.text


def is_page(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "<script" not in answer.text and "style=" not in answer.text
    return answer.text


def page(server, method, path, **more):
    """A page for people, at the host's root."""
    return patiently(lambda: Client(server, base="").request(method, path, **more))


def test_a_new_password_by_a_link(server, mailbox, ada, tmp_path):
    new = "by a link in a mail"
    server.secrets.append(new)
    assert by_password(server, ada.username, ada.password).status_code == 200
    ask(server, ada.email.upper())
    code, text = code_in(server, mailbox, ada.email)
    assert "30 minutes" in text and ada.name not in text
    assert code not in str(server.sql("select * from letter"))
    client, path = Client(server), f"/password_resets/{code}"
    assert '<form method="post">' in is_page(page(server, "GET", f"/choose_password/{code}"), 200)
    refused(client.post(path, {"password": "short"}))
    assert client.post(path, {"password": new}).status_code == 204
    bad_credentials(by_password(server, ada.email, ada.password))
    assert ok(by_password(server, ada.email, new))["id"] == ada.id
    assert "was already used" in is_page(page(server, "GET", f"/choose_password/{code}"), 404)
    assert client.post(path, {"password": new}).status_code == 404
    assert code not in server.log("access")


def test_forms_are_for_people(server, mailbox, ada):
    new = "typed into a form"
    server.secrets.append(new)
    assert 'name="email"' in is_page(page(server, "GET", "/choose_password"), 200)
    answer = page(server, "POST", "/choose_password", data={"email": ada.email})
    assert "30 minutes" in is_page(answer, 200)
    code, _ = code_in(server, mailbox, ada.email)
    path = f"/choose_password/{code}"
    assert "at least 8 characters" in is_page(
        page(server, "POST", path, data={"password": "short"}), 400)
    assert "was changed" in is_page(page(server, "POST", path, data={"password": new}), 200)
    assert "was already used" in is_page(page(server, "POST", path, data={"password": new}), 404)
    assert ok(by_password(server, ada.email, new))["id"] == ada.id


@pytest.fixture
def boardless(server):
    """As if it was built --without-web."""
    web = server.directory / "web"
    web.rename(web.with_name("away"))
    yield server
    web.with_name("away").rename(web)


def links_of(text):
    return set(re.findall(r'href="([^"]*)"', text))


def test_links_without_the_board(boardless, mailbox, ada):
    """Each link in a mail leads to a page, and so does each link on these pages; one of them says how to sign in."""
    server, new = boardless, "without a board"
    server.secrets.append(new)
    ask(server, ada.email)
    code, mail = code_in(server, mailbox, ada.email)
    paths = {url.removeprefix(server.url) or "/" for url in re.findall(r"http://\S+", mail)}
    assert paths == {"/", "/choose_password", f"/choose_password/{code}"}
    path = f"/choose_password/{code}"
    texts = [is_page(page(server, "GET", path), 200), is_page(page(server, "GET", "/choose_password"), 200),
             is_page(page(server, "POST", path, data={"password": new}), 200),
             is_page(page(server, "POST", path, data={"password": new}), 404),
             page(server, "GET", "/").text]
    links = set().union(*map(links_of, texts))
    assert {"/signin", "/choose_password", "/-/style.css"} <= links
    for link in links - {"/services/v5"}:
        assert page(server, "GET", link).status_code == 200, link
    for path in ("/", "/signin", "/signin?next=/n/projects/1", "/dashboard", "/profile", "/accounts/1"):
        text = page(server, "GET", path).text
        assert "Signing in" in text and "api_token" in text and "belongs to a story" not in text, path
    assert "belongs to a story" in page(server, "GET", "/story/show/1").text
    assert ok(by_password(server, ada.email, new))["id"] == ada.id


@pytest.mark.parametrize("accepted, words", [
    ("de", "E-Mail-Adresse"), ("de-AT,de;q=0.9,en;q=0.5", "E-Mail-Adresse"), ("fr, de", "E-Mail-Adresse"),
    ("en-US,en;q=0.9,de;q=0.8", "Email address"), ("de;q=0, en", "Email address"),
    ("fr", "Email address"), ("*", "Email address"), (",;q=,de-,", "E-Mail-Adresse")])
def test_pages_in_the_language_of_the_browser(server, accepted, words):
    text = is_page(page(server, "GET", "/choose_password", headers={"Accept-Language": accepted}), 200)
    assert words in text and ('lang="de"' in text) == (words == "E-Mail-Adresse")
    gone = page(server, "GET", "/choose_password/x", headers={"Accept-Language": accepted})
    assert ("Link anfordern" in is_page(gone, 404)) == ('lang="de"' in text)


def test_addresses_that_nobody_has(server, mailbox):
    for address in ("nobody@example.test", "no address", "x" * 255):
        ask(server, address)
    assert wait_for(lambda: server.sql(
        "select count(*) from letter where last_error = 'nobody has this address'") >= [(3,)])
    assert not server.sql("select 1 from letter where failed_at is not null and email is not null")
    for body in ({}, {"email": 7}, {"email": "x" * 256}, {"email": "a@b.c", "more": 1}):
        refused(patiently(lambda: Client(server).post("/password_resets", body)))
    assert patiently(lambda: Client(server).post(
        "/password_resets", {"email": "x" * 20000})).status_code == 413
    for code in ("x", "0" * 32, "%27", "x" * 300, "0"):
        assert is_page(page(server, "GET", f"/choose_password/{code}"), 404)
        assert patiently(lambda: Client(server).post(
            f"/password_resets/{code}", {"password": "long enough"})).status_code == 404


def test_one_link_at_a_time(server, mailbox, ada):
    for _ in range(3):
        ask(server, ada.email)
    code_in(server, mailbox, ada.email)
    time.sleep(2)
    assert len(mails_to(mailbox, ada.email)) == 1
    server.sql("update letter set created_at = created_at - interval '1 hour' where person_id = %s", ada.id)
    ask(server, ada.email)
    first, second = code_in(server, mailbox, ada.email)[0], code_in(server, mailbox, ada.email, 2)[0]
    assert patiently(lambda: Client(server).post(
        f"/password_resets/{second}", {"password": "long enough"})).status_code == 204
    is_page(page(server, "GET", f"/choose_password/{first}"), 404)


def test_a_link_of_yesterday(server, mailbox, ada):
    ask(server, ada.email)
    code, _ = code_in(server, mailbox, ada.email)
    server.sql("update letter set expires_at = now() - interval '1 second' where person_id = %s", ada.id)
    is_page(page(server, "GET", f"/choose_password/{code}"), 404)
    assert patiently(lambda: Client(server).post(
        f"/password_resets/{code}", {"password": "long enough"})).status_code == 404


def test_a_link_ends_with_another_password_or_address(server, mailbox, ada):
    ask(server, ada.email)
    code, _ = code_in(server, mailbox, ada.email)
    ok(client_of(ada).put("/me", {"email": f"x.{ada.email}", "password": ada.password}))
    is_page(page(server, "GET", f"/choose_password/{code}"), 404)
    ask(server, f"x.{ada.email}")
    code, _ = code_in(server, mailbox, f"x.{ada.email}")
    assert client_of(ada).put("/me/password", {
        "old_password": ada.password, "new_password": "something else"}).status_code == 204
    is_page(page(server, "GET", f"/choose_password/{code}"), 404)


def test_who_is_disabled_gets_no_link(server, mailbox, ada):
    ask(server, ada.email)
    code, _ = code_in(server, mailbox, ada.email)
    server.ctl("person", "disable", ada.username)
    assert patiently(lambda: Client(server).post(
        f"/password_resets/{code}", {"password": "long enough"})).status_code == 404
    server.sql("update letter set created_at = created_at - interval '1 hour' where person_id = %s", ada.id)
    ask(server, ada.email)
    assert wait_for(lambda: not server.sql("select 1 from letter where failed_at is null"
                                           " and delivered_at is null"))
    assert len(mails_to(mailbox, ada.email)) == 1


def test_who_is_added_by_address_is_invited_once(server, mailbox, ada):
    client = client_of(ada)
    project = new_project(client)
    address = f"new.{ada.id}@invited.example.test"
    ok(client.post(f"/projects/{project['id']}/memberships",
                   {"email": address, "name": "Buy cheap at http://spam.example", "role": "member"}))
    code, text = code_in(server, mailbox, address)
    assert mails_to(mailbox, address)[0]["Subject"] == "You were added to planwright"
    assert "spam" not in text and project["name"] not in text
    other = new_project(client)
    ok(client.post(f"/projects/{other['id']}/memberships", {"email": address, "role": "member"}))
    account = f"colleague.{ada.id}@invited.example.test"
    ok(client.post(f"/accounts/{project['account_id']}/memberships", {"email": account, "name": "C"}))
    code_in(server, mailbox, account)
    time.sleep(1.5)
    assert len(mails_to(mailbox, address)) == 1
    assert patiently(lambda: Client(server).post(
        f"/password_resets/{code}", {"password": "the first one"})).status_code == 204
    answer = ok(by_password(server, address, "the first one"))
    server.secrets.append(answer["api_token"])
    assert {p["project_id"] for p in answer["projects"]} == {project["id"], other["id"]}


def test_the_operator_invites(server, stack, mailbox):
    server.ctl("person", "add", "--name", "Ida", "--email", "ida@invited.example.test", "--invite")
    code_in(server, mailbox, "ida@invited.example.test")
    server.ctl("person", "add", "--name", "Una", "--email", "una@invited.example.test")
    time.sleep(1.5)
    assert not mails_to(mailbox, "una@invited.example.test")
    done = stack.ctl("person", "add", "--name", "A", "--email", "a@invited.example.test", "--invite",
                     check=False)
    assert done.returncode == 1 and "mail is off" in done.stderr


# --- guesses ------------------------------------------------------------------------

def guess(server, login, n=1):
    return [by_password(server, login, f"guess {i}").status_code for i in range(n)]


def test_ten_guesses_and_then_one_waits(new_stack):
    server = new_stack(workers=2)
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    assert ok(Client(server, ada.token).get("/me"))
    assert guess(server, ada.username, 5) + guess(server, ada.email.upper(), 5) == [403] * 10

    def tried(who, login):  # nginx has a limit of its own, with another message
        while True:
            answer = Client(server).get("/me", auth=(login, who.password))
            if answer.status_code != 429 or "Too many wrong passwords" in answer.text:
                return answer
            time.sleep(1)
    for login in (ada.username, ada.email):
        answer = tried(ada, login)
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert ok(Client(server, ada.token).get("/me"))["id"] == ada.id
    assert tried(bob, bob.email).status_code == 200
    answer = Client(server, ada.token).put("/me/password", {
        "old_password": ada.password, "new_password": "something else"})
    assert answer.status_code == 429
    server.sql("update sign_in_failure set created_at = created_at - interval '11 minutes'")
    assert tried(ada, ada.email).status_code == 200
    # From here on this network is known to be Ada's.
    assert guess(server, ada.email, 11) == [403] * 11
    assert tried(ada, ada.email).status_code == 200


def test_what_nobody_is_called_is_limited_alike(new_stack):
    server = new_stack(workers=1)
    assert guess(server, "Nobody@Example.test", 10) == [403] * 10
    while True:
        answer = Client(server).get("/me", auth=("nobody@example.test", "x"))
        if "Too many wrong passwords" in answer.text:
            break
        assert answer.status_code == 429, "the eleventh is refused"
        time.sleep(1)
    assert "nobody@" not in str(server.sql("select login from sign_in_failure")).lower()


def test_a_reload_during_a_sign_in_fails_none(new_stack):
    server = new_stack(workers=3)
    ada, password = Person(server, "Ada"), "one that takes its time"
    server.ctl("passwd", ada.username, stdin=password)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for _ in range(3):
            before, times = set(workers(server)), server.log("workers").count("were replaced")
            asked = [pool.submit(lambda: Client(server).get("/me", auth=(ada.username, password)))
                     for _ in range(6)]
            time.sleep(0.05)
            os.kill(parent(server), signal.SIGHUP)
            assert [a.result().status_code for a in asked] == [200] * 6
            assert wait_for(lambda: server.log("workers").count("were replaced") > times, 30)
            assert wait_for(lambda: not before & set(workers(server)), 20)
