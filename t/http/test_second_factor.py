"""The second factor: setting it up, signing in with it, and which codes count as wrong (contract 1.1, 2.1)."""

import base64
import concurrent.futures
import hashlib
import time
import urllib.parse

import pytest

from authenticator import STEP, Device, code_of
from conftest import Client, Person, Stack, stack_folder
from test_sessions import COOKIE, OWN, sign_in
from test_throttle import send
from world import ok

@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("second-factor"), workers=3)
    yield made
    made.close()


class Owner(Person):
    """A person who has a second factor."""

    def __init__(self, server, name="Ada Factor"):
        super().__init__(server, name)
        self.client = Client(server, self.token)
        begun = ok(self.client.post("/my/second_factor", {"password": self.password}))
        server.secrets.append(begun["secret"])
        self.device = Device(begun["secret"])
        self.uri = begun["uri"]
        self.recovery = ok(self.client.put("/my/second_factor", {"code": self.device.code()}))["recovery_codes"]
        server.secrets.extend(self.recovery)

    def sign_in(self, code=None, password=None):
        body = {"login": self.email, "password": password or self.password}
        return Client(self.stack).post("/session", body | ({} if code is None else {"code": code}), headers=OWN)

    def state(self):
        return ok(self.client.get("/my/second_factor"))


def failures(person):
    (n,), = person.stack.sql("select count(*) from sign_in_failure where login = %s", f"person {person.id}")
    return n


def wrong_code(answer):
    assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication"), answer.text
    assert "code" in answer.json()["possible_fix"]
    assert "Set-Cookie" not in answer.headers


def asked(answer):
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_required"), answer.text
    assert "Set-Cookie" not in answer.headers


# --- setting it up --------------------------------------------------------------------

def test_from_nothing_to_on(server):
    ada = Person(server, "Ada")
    client = Client(server, ada.token)
    assert ok(client.get("/me"))["twofactor_auth_enabled"] is False
    off = {"enabled": False, "recovery_codes_left": 0, "policy": "optional"}
    assert ok(client.get("/my/second_factor")) == off
    begun = ok(client.post("/my/second_factor", {"password": ada.password}))
    server.secrets.append(begun["secret"])
    assert set(begun) == {"secret", "uri"} and len(base64.b32decode(begun["secret"])) == 20
    uri = urllib.parse.urlsplit(begun["uri"])
    assert (uri.scheme, uri.netloc) == ("otpauth", "totp")
    assert urllib.parse.unquote(uri.path) == f"/planwright:{ada.email}"
    assert dict(urllib.parse.parse_qsl(uri.query)) == {"secret": begun["secret"], "issuer": "planwright"}
    assert ok(client.get("/my/second_factor")) == off
    assert ok(sign_in(server, ada.email, ada.password))["id"] == ada.id, "until a code confirms it"

    codes = ok(client.put("/my/second_factor", {"code": Device(begun["secret"]).code()}))["recovery_codes"]
    server.secrets.extend(codes)
    assert len(set(codes)) == 10 and all(len(c) == 11 and c[5] == "-" for c in codes)
    assert ok(client.get("/me"))["twofactor_auth_enabled"]
    assert ok(client.get("/my/second_factor")) == {"enabled": True, "recovery_codes_left": 10, "policy": "optional"}


def test_what_is_stored_is_of_no_use(server):
    ada = Owner(server)
    kept = str(server.sql("select encode(sealed, 'escape') from second_factor")) + str(server.sql(
        "select encode(mac, 'escape') from recovery_code"))
    raw = base64.b32decode(ada.device.secret)
    (sealed,), = server.sql("select encode(sealed, 'hex') from second_factor where person_id = %s", ada.id)
    assert ada.device.secret not in kept and raw.hex() not in sealed
    macs = {m for m, in server.sql("select encode(mac, 'hex') from recovery_code where person_id = %s", ada.id)}
    for code in ada.recovery:
        plain = code.replace("-", "")
        assert plain not in kept and hashlib.sha256(plain.encode()).hexdigest() not in macs


def test_beginning_again_replaces_what_was_not_confirmed(server):
    ada = Person(server, "Ada")
    client = Client(server, ada.token)
    first, second = (ok(client.post("/my/second_factor", {"password": ada.password}))["secret"] for _ in range(2))
    server.secrets.extend([first, second])
    assert first != second
    wrong_code(client.put("/my/second_factor", {"code": Device(first).code()}))
    ok(client.put("/my/second_factor", {"code": Device(second).code()}))


def test_one_that_is_on_is_not_replaced(server):
    ada = Owner(server)
    for answer in (ada.client.post("/my/second_factor", {"password": ada.password}),
                   ada.client.put("/my/second_factor", {"code": ada.device.code()})):
        assert answer.status_code == 400 and "is already on" in answer.json()["general_problem"]
    assert ada.state()["recovery_codes_left"] == 10


def test_a_code_without_a_beginning(server):
    answer = Client(server, Person(server, "Ada").token).put("/my/second_factor", {"code": "123456"})
    assert answer.status_code == 400 and "start with POST /my/second_factor" in answer.json()["general_problem"]


@pytest.mark.parametrize("method, body", [
    ("POST", {}), ("POST", {"password": 1}), ("POST", {"password": "x", "code": "1"}), ("POST", {"password": "x" * 1001}),
    ("PUT", {}), ("PUT", {"code": 123456}), ("PUT", {"code": "1" * 65}), ("PUT", []),
    ("DELETE", {}), ("DELETE", {"password": "x"}), ("DELETE", {"code": "x"}), ("DELETE", {"password": "x", "code": None})])
def test_what_is_no_body(server, method, body):
    assert Client(server, Person(server, "Ada").token).request(
        method, "/my/second_factor", json=body).status_code == 400


# --- signing in -----------------------------------------------------------------------

def test_signing_in_asks_for_a_code(server):
    ada = Owner(server)
    asked(ada.sign_in())
    wrong_code(ada.sign_in("000000" if ada.device.code() != "000000" else "000001"))
    answer = ada.sign_in(ada.device.code())
    assert ok(answer)["id"] == ada.id and COOKIE.fullmatch(answer.headers["Set-Cookie"])


def test_a_wrong_password_tells_nothing_of_codes(server):
    ada = Owner(server)
    for code in (None, ada.device.code(), ada.recovery[0]):
        answer = ada.sign_in(code, "not it")
        assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication")
        assert "password" in answer.json()["possible_fix"]
    assert ada.state()["recovery_codes_left"] == 10


def test_a_code_of_who_has_no_second_factor_is_ignored(server):
    ada = Person(server, "Ada")
    answer = Client(server).post("/session", {"login": ada.email, "password": ada.password, "code": "123456"},
                                 headers=OWN)
    assert ok(answer)["id"] == ada.id


def test_a_step_is_accepted_once(server):
    ada = Owner(server)
    code = ada.device.code()
    assert ok(ada.sign_in(f" {code[:3]} {code[3:]}"))["id"] == ada.id
    wrong_code(ada.sign_in(code))
    wrong_code(ada.sign_in(code_of(ada.device.secret, ada.device.last - 1)))


def test_steps_far_away_are_none(server):
    ada = Owner(server)
    now = int(time.time()) // STEP
    wrong_code(ada.sign_in(code_of(ada.device.secret, now + 3)))
    wrong_code(ada.sign_in(code_of(ada.device.secret, now - 3)))


def at_once(n, does):
    with concurrent.futures.ThreadPoolExecutor(n) as pool:
        return sorted(a.status_code for a in pool.map(lambda _: does(), range(n)))


def test_at_the_same_moment_one_is_accepted(server):
    ada = Owner(server)
    code = ada.device.code()
    assert at_once(6, lambda: ada.sign_in(code)) == [200] + [403] * 5
    server.sql("delete from sign_in_failure")
    assert at_once(6, lambda: ada.sign_in(ada.recovery[3])) == [200] + [403] * 5
    assert ada.state()["recovery_codes_left"] == 9


def test_recovery_codes_are_good_once(server):
    ada = Owner(server)
    assert ok(ada.sign_in(ada.recovery[0]))["id"] == ada.id
    wrong_code(ada.sign_in(ada.recovery[0]))
    assert ok(ada.sign_in(ada.recovery[1].upper().replace("-", " ")))["id"] == ada.id
    assert ada.state()["recovery_codes_left"] == 8
    bob = Owner(server, "Bob Factor")
    wrong_code(bob.sign_in(ada.recovery[2]))


def test_a_password_alone_gives_no_token(server):
    ada = Owner(server)
    answer = Client(server).get("/me", auth=(ada.email, ada.password))
    asked(answer)
    assert f"{server.url}/profile" in answer.json()["possible_fix"] and ada.token not in answer.text
    assert ok(ada.client.get("/me"))["id"] == ada.id, "tokens go on"


# --- wrong codes ----------------------------------------------------------------------

def body_of(who, code):
    return {"login": who.email, "password": who.password, "code": code}


def test_wrong_codes_and_wrong_passwords_count_together(server):
    ada = Owner(server)
    network = {"HTTP_X_REQUESTED_WITH": "planwright"}
    wrong = [send(server, "192.0.2.9", "POST", "/session", body_of(ada, "wrong-code1"), **network) for _ in range(5)]
    wrong += [send(server, "192.0.2.9", "POST", "/session", body_of(ada, "") | {"password": "not it"}, **network)
              for _ in range(5)]
    assert wrong == [403] * 10
    assert send(server, "192.0.2.9", "POST", "/session", body_of(ada, ada.device.code()), **network) == 429
    assert send(server, "192.0.2.10", "POST", "/session", body_of(ada, ada.device.code()), **network) == 200
    assert f"a sign-in was refused: from 192.0.2.9, person {ada.id}" in server.log("workers")


def test_wrong_codes_count_wherever_they_come_from(server):
    """Whoever knows the password could go through the codes from many networks; wrong passwords keep nobody out."""
    ada, own = Owner(server), {"HTTP_X_REQUESTED_WITH": "planwright"}

    def tried(network, code):
        return send(server, network, "POST", "/session", body_of(ada, code), **own)
    server.sql("insert into sign_in_failure (login, network) select %s, '198.18.0.' || n from generate_series(1, 40) n",
               f"person {ada.id}")
    assert tried("192.0.2.50", ada.device.code()) == 200
    assert [tried(f"198.19.0.{n}", "000000") for n in range(30)] == [403] * 30
    assert tried("192.0.2.51", ada.device.code()) == 429
    assert tried("192.0.2.50", ada.recovery[1]) == 200, "it is known"
    server.sql("update sign_in_failure set created_at = created_at - interval '61 minutes' where login = %s", f"person {ada.id}")
    assert tried("192.0.2.51", ada.recovery[2]) == 200


def test_asking_for_a_code_counts_as_nothing(server):
    ada = Owner(server)
    before = failures(ada)
    asked(ada.sign_in())
    assert failures(ada) == before == 0
    known = server.sql("select network from sign_in_place where person_id = %s", ada.id)
    asked(Client(server).get("/me", auth=(ada.email, ada.password)))
    assert server.sql("select network from sign_in_place where person_id = %s", ada.id) == known


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_stolen_token_guesses_codes_as_anybody(server, method):
    ada = Person(server, "Ada") if method == "PUT" else Owner(server)
    client = Client(server, ada.token)
    if method == "PUT":
        server.secrets.append(ok(client.post("/my/second_factor", {"password": ada.password}))["secret"])
    server.sql("delete from sign_in_place where person_id = %s", ada.id)
    body = {"code": "wrong1"} | ({} if method == "PUT" else {"password": ada.password})

    def tried():
        return send(server, "192.0.2.30", method, "/my/second_factor", body, HTTP_X_SERVICETOKEN=ada.token)
    assert [tried() for _ in range(11)] == [403] * 10 + [429]


# --- turning it off -------------------------------------------------------------------

def test_turning_it_off_takes_password_and_code(server):
    ada = Owner(server)
    answer = ada.client.request("DELETE", "/my/second_factor", json={"password": "not it", "code": ada.device.code()})
    assert answer.status_code == 403 and "password" in answer.json()["possible_fix"]
    wrong_code(ada.client.request("DELETE", "/my/second_factor", json={"password": ada.password, "code": "1"}))
    assert ada.state()["enabled"]
    done = ada.client.request("DELETE", "/my/second_factor", json={"password": ada.password, "code": ada.recovery[0]})
    assert (done.status_code, done.content) == (204, b"")
    assert ada.state() == {"enabled": False, "recovery_codes_left": 0, "policy": "optional"}
    assert ok(ada.sign_in())["id"] == ada.id
    assert not server.sql("select 1 from recovery_code where person_id = %s", ada.id)
    again = ada.client.request("DELETE", "/my/second_factor", json={"password": ada.password, "code": "1"})
    assert again.status_code == 404


def test_a_new_password_keeps_it(server):
    ada = Owner(server)
    answer = ada.client.put("/me/password", {"old_password": ada.password, "new_password": "battery staples",
                                             "keep_token": True})
    server.secrets.append("battery staples")
    assert answer.status_code == 204 and ada.state()["enabled"]
    asked(ada.sign_in(password="battery staples"))
