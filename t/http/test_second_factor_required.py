"""A second factor required by the server or an account; what operators do; and where it is stored."""

import base64
import shutil
import zipfile

import pytest

import tables
from authenticator import Device
from conftest import Client, Person, Stack, stack_folder, wait_for
from mails import mailbox, settings  # noqa: F401
from test_backup import passphrase, restore  # noqa: F401
from test_passwords import mails_to
from test_second_factor import Owner, asked
from test_sessions import OWN, Browser
from world import fill, new_project, ok


@pytest.fixture(scope="module")
def strict():
    made = Stack(stack_folder("factor-required"), workers=2, settings="second_factor = required")
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(mailbox):
    made = Stack(stack_folder("factor-optional"), workers=2, settings=settings(mailbox))
    yield made
    made.close()


def led_to_enrolment(answer):
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_enrolment_required"), answer.text


def enrol(browser, person):
    begun = ok(browser.post("/my/second_factor", {"password": person.password}))
    person.stack.secrets.append(begun["secret"])
    device = Device(begun["secret"])
    person.stack.secrets.extend(ok(browser.put("/my/second_factor", {"code": device.code()}))["recovery_codes"])
    return device


# --- by the server --------------------------------------------------------------------

def test_a_session_first_enrols(strict):
    ada = Person(strict, "Ada")
    browser = Browser(ada)
    at_root = Client(strict, base="")
    at_root.headers |= browser.headers
    reached = set()
    for route in tables.ROUTES:
        if route.need == "nothing":
            continue
        client = at_root if "root" in route.flags else browser
        answer = client.request(route.method, fill(route.path, ["1"] * 5), json={} if route.method != "GET" else None)
        if "enrols" in route.flags:
            reached.add(route.key)
        else:
            led_to_enrolment(answer)
        if route.key == ("DELETE", "/session"):
            browser = Browser(ada)
            at_root.headers |= browser.headers
    assert reached == {("GET", "/me"), ("DELETE", "/session"), ("GET", "/my/second_factor"),
                       ("POST", "/my/second_factor"), ("PUT", "/my/second_factor")}
    assert ok(browser.get("/me"))["id"] == ada.id
    assert ok(browser.get("/my/second_factor")) == {"enabled": False, "recovery_codes_left": 0, "policy": "required"}
    enrol(browser, ada)
    assert ok(browser.get("/projects")) == []
    ok(browser.post("/projects", {"name": "Now I may", "new_account_name": "A"}))


def test_nothing_nests_in_me_before(strict):
    ada = Person(strict, "Ada")
    client = Client(strict, ada.token)
    project = new_project(client)["id"]
    ok(client.post(f"/projects/{project}/stories", {"name": "Not yet"}))
    ok(client.post("/my/workspaces", {"name": "Mine", "project_ids": [project]}))
    browser = Browser(ada)
    fields = "accounts,project_ids,projects(project(stories(name))),workspace_ids,workspaces(projects(stories(name)))"
    empty = {"id": ada.id, "accounts": [], "projects": [], "project_ids": [], "workspaces": [], "workspace_ids": []}
    login = {"login": ada.email, "password": ada.password}
    assert ok(browser.get(f"/me?fields={fields}")) == empty
    assert ok(Client(strict).post(f"/session?fields={fields}", login, headers=OWN)) == empty
    enrol(browser, ada)
    me = ok(browser.get(f"/me?fields={fields}"))
    assert me["project_ids"] == [project] and len(me["accounts"]) == len(me["workspaces"]) == 1
    assert me["projects"][0]["project"]["stories"][0]["name"] == "Not yet"


def test_signing_out_needs_no_enrolment(strict):
    browser = Browser(Person(strict, "Ada"))
    assert browser.delete("/session").status_code == 204
    assert not browser.is_signed_in()


def test_tokens_go_on(strict):
    ada = Person(strict, "Ada")
    assert ok(Client(strict, ada.token).get("/projects")) == []


def test_a_password_gives_no_token_before_enrolment(strict):
    ada = Person(strict, "Ada")
    answer = Client(strict).get("/me", auth=(ada.email, ada.password))
    led_to_enrolment(answer)
    assert f"{strict.url}/profile" in answer.json()["possible_fix"] and ada.token not in answer.text


def test_turning_it_off_leads_there_again(strict):
    ada = Person(strict, "Ada")
    browser = Browser(ada)
    device = enrol(browser, ada)
    assert browser.request("DELETE", "/my/second_factor", json={
        "password": ada.password, "code": device.code()}).status_code == 204
    led_to_enrolment(browser.get("/projects"))


def test_off_takes_nobody(new_stack):
    server = new_stack(workers=1, settings="second_factor = off")
    ada = Person(server, "Ada")
    client = Client(server, ada.token)
    assert ok(client.get("/my/second_factor"))["policy"] == "off"
    answer = client.post("/my/second_factor", {"password": ada.password})
    assert (answer.status_code, answer.json()["code"]) == (403, "unauthorized_operation")
    assert "second_factor" in answer.json()["general_problem"]
    project = new_project(client)
    ok(client.put(f"/accounts/{project['account_id']}", {"second_factor": "optional"}))
    assert ok(client.get("/my/second_factor"))["policy"] == "optional"
    server.secrets.append(ok(client.post("/my/second_factor", {"password": ada.password}))["secret"])


# --- by an account --------------------------------------------------------------------

def test_an_account_requires_it_of_its_people(server):
    ada, bob, eve = (Person(server, n) for n in ("Ada", "Bob", "Eve"))
    owner, admin = Client(server, ada.token), Client(server, bob.token)
    account = new_project(owner)["account_id"]
    for who, more in ((bob, {"admin": True}), (eve, {})):
        ok(owner.post(f"/accounts/{account}/memberships", {"person_id": who.id, **more}))
    browsers = {who.name: Browser(who) for who in (bob, eve)}
    for client in (admin, Client(server, eve.token)):
        denied = client.put(f"/accounts/{account}", {"second_factor": "required"})
        assert (denied.status_code, denied.json()["code"]) == (403, "unauthorized_operation")
    before = ok(owner.get(f"/accounts/{account}"))
    assert "second_factor" not in before
    changed = ok(owner.put(f"/accounts/{account}", {"second_factor": "required"}))
    assert changed["second_factor"] == "required"
    assert ok(owner.get(f"/accounts/{account}"))["second_factor"] == "required"
    led_to_enrolment(browsers["Eve"].get("/projects"))
    assert ok(browsers["Eve"].get("/my/second_factor"))["policy"] == "required"
    led_to_enrolment(Client(server).get("/me", auth=(eve.email, eve.password)))
    enrol(browsers["Bob"], bob)
    assert ok(browsers["Bob"].get("/projects")) is not None
    ok(owner.put(f"/accounts/{account}", {"second_factor": None}))
    assert ok(browsers["Eve"].get("/projects")) == []
    assert "second_factor" not in ok(owner.get(f"/accounts/{account}"))


def test_other_accounts_are_not_concerned(server):
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    account = new_project(Client(server, ada.token))["account_id"]
    ok(Client(server, ada.token).put(f"/accounts/{account}", {"second_factor": "required"}))
    assert ok(Browser(bob).get("/projects")) == []


def test_an_account_is_not_laxer(server, strict):
    for stack, words in ((server, ["off"]), (strict, ["off", "optional"])):
        client = Client(stack, Person(stack, "Ada").token)
        account = new_project(client)["account_id"]
        for word in words:
            answer = client.put(f"/accounts/{account}", {"second_factor": word})
            assert answer.status_code == 400
            assert answer.json()["validation_errors"][0]["field"] == "second_factor"
        assert client.put(f"/accounts/{account}", {"second_factor": "sometimes"}).status_code == 400
        assert client.put(f"/accounts/{account}", {"name": "x"}).status_code == 400


# --- operators ------------------------------------------------------------------------

def test_operators_take_it_off(server, mailbox):
    ada = Owner(server)
    assert "factor      yes" in server.ctl("person", "show", ada.username).stdout
    done = server.ctl("person", "second-factor", "off", ada.username)
    assert f"the second factor of {ada.username} is off" in done.stdout and "they are told by email" in done.stdout
    assert not ada.state()["enabled"]
    assert ok(ada.sign_in())["id"] == ada.id
    wait_for(lambda: mails_to(mailbox, ada.email))
    letter, = mails_to(mailbox, ada.email)
    assert letter["Subject"] == "Your second factor at planwright was removed"
    text = letter.get_content()
    assert f"{server.url}/profile" in text and f"{server.url}/choose_password\n" in text.replace("\r", "")
    assert server.sql("select code_hash from letter where person_id = %s", ada.id) == [(None,)]
    again = server.ctl("person", "second-factor", "off", ada.username, check=False)
    assert again.returncode == 1 and "has no second factor" in again.stderr


def test_who_is_removed_leaves_none(server):
    ada = Owner(server)
    server.ctl("person", "remove", ada.username, "--yes")
    assert not server.sql("select 1 from second_factor where person_id = %s", ada.id)


# --- what carries it --------------------------------------------------------------------

@pytest.mark.parametrize("at_once", [True, False])
def test_another_secret_carries_it(new_stack, tmp_path, at_once):
    server = new_stack(workers=1, expects_5xx=at_once)
    ada = Owner(server)
    out = tmp_path / "secret"
    server.ctl("secret", "rotate", "--out", out, *(["--at-once"] if at_once else []))
    if at_once:
        shutil.copy(out, server.directory / "secret")
        server.part("stop", "workers")
        server.part("start", "workers")
        assert wait_for(lambda: Client(server, ada.token).get("/me").status_code == 200)
    assert ok(ada.sign_in(ada.device.code()))["id"] == ada.id, "of a worker that has the old secret, too"
    assert ok(ada.sign_in(ada.recovery[0]))["id"] == ada.id
    assert ok(ada.client.get("/my/second_factor"))["recovery_codes_left"] == 9
    asked(ada.sign_in())


def test_who_begins_with_an_old_secret_is_sealed_with_the_new(new_stack, tmp_path):
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    client = Client(server, ada.token)
    assert ok(client.get("/me"))
    server.ctl("secret", "rotate", "--out", tmp_path / "secret")
    browser = Browser(ada)  # served by the worker with the old secret
    answer = browser.post("/my/second_factor", {"password": ada.password})
    assert answer.json()["general_problem"] == "The session has ended.", "with the secret that it was made with"
    assert not server.sql("select 1 from second_factor")
    enrol(Browser(ada), ada)
    assert ok(client.get("/my/second_factor"))["enabled"]


def test_a_backup_carries_it(server, new_stack, tmp_path, passphrase):
    ada = Owner(server)
    path = tmp_path / "one.backup"
    server.ctl("backup", path, "--passphrase-file", passphrase)
    with zipfile.ZipFile(path) as z:
        unpacked = b"\0".join(z.read(name) for name in z.namelist())
    raw = base64.b32decode(ada.device.secret)
    for secret in (ada.device.secret, raw.hex(), *ada.recovery):
        assert secret.encode() not in unpacked
    other = new_stack(workers=1)
    assert "restored" in restore(other, path, "--passphrase-file", passphrase)
    ada.stack = other
    assert ok(ada.sign_in(ada.device.code()))["id"] == ada.id
    assert ok(ada.sign_in(ada.recovery[0]))["id"] == ada.id
