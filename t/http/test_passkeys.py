"""Passkeys: adding them, signing in with them, and what hostile ones send (contract 1.21)."""

import concurrent.futures
import os
import struct

import pytest

from conftest import Client, Person, Stack, stack_folder
from passkey import EDDSA, ES256, PRESENT, RS256, VERIFIED, Passkey, decode, encode
from test_second_factor import Owner, failures
from test_sessions import COOKIE, OWN, Browser
from world import ok


@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("passkeys"), workers=3)
    yield made
    made.close()


def offered(client, person, **more):
    return ok(client.post("/my/passkeys/options", {"password": person.password, **more}))["options"]


def add(person, client=None, alg=ES256, **said):
    """Adds a passkey for the person; returns it with its row."""
    client = client or Client(person.stack, person.token)
    key = Passkey(person.stack.url, alg)
    key.row = ok(client.post("/my/passkeys", key.made(offered(client, person), **said)))
    return key


def asked(server):
    return ok(Client(server).get("/session/passkey"))["options"]


def show(server, body, headers=OWN):
    return Client(server).post("/session/passkey", body, headers=headers)


def sign_in(key, server):
    return show(server, key.shown(asked(server)))


def came_in(answer, person):
    assert ok(answer)["id"] == person.id and "api_token" not in answer.json()
    assert COOKIE.fullmatch(answer.headers["Set-Cookie"])
    person.stack.secrets.append(COOKIE.fullmatch(answer.headers["Set-Cookie"])[1])


def refused(answer, word):
    assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication"), answer.text
    assert word in answer.json()["possible_fix"], answer.text
    assert "Set-Cookie" not in answer.headers


@pytest.fixture
def ada(server):
    return Person(server, "Ada Keys")


# --- what works ---------------------------------------------------------------------------

@pytest.mark.parametrize("alg", [ES256, EDDSA, RS256])
def test_from_adding_to_removing(server, ada, alg):
    client = Client(server, ada.token)
    key = add(ada, client, alg)
    assert key.row == {"kind": "passkey", "id": key.row["id"], "name": "Phone", "created_at": key.row["created_at"]}
    assert ok(client.get("/my/passkeys")) == [key.row]
    came_in(sign_in(key, server), ada)
    came_in(sign_in(key, server), ada)
    (row,) = ok(client.get("/my/passkeys"))
    assert row["last_used_at"] >= row["created_at"]
    ok(client.delete(f"/my/passkeys/{row['id']}"), 204)
    assert ok(client.get("/my/passkeys")) == []
    refused(sign_in(key, server), "nobody here has it")
    assert client.delete(f"/my/passkeys/{row['id']}").status_code == 404


def test_what_browsers_are_asked_for(server, ada):
    client = Client(server, ada.token)
    key = add(ada, client)
    options = offered(client, ada)
    assert options["rp"] == {"id": "127.0.0.1", "name": "planwright"}
    assert decode(options["user"]["id"]).decode() == str(ada.id)
    assert (options["user"]["name"], options["user"]["displayName"]) == (ada.email, ada.name)
    assert [p["alg"] for p in options["pubKeyCredParams"]] == [ES256, EDDSA, RS256]
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert options["excludeCredentials"] == [{"type": "public-key", "id": encode(key.id)}]
    request = asked(server)
    assert (request["rpId"], request["userVerification"]) == ("127.0.0.1", "required")
    assert len({asked(server)["challenge"] for _ in range(5)}) == 5
    # Browsers support no passkeys where the host is an IP address.
    assert ok(Client(server).get("/session/options")).keys() == {"password", "providers"}


def test_two_people_have_theirs(server, ada):
    bob = Person(server, "Bob Keys")
    of_ada, of_bob = add(ada), add(bob)
    came_in(sign_in(of_bob, server), bob)
    came_in(sign_in(of_ada, server), ada)
    assert Client(server, bob.token).delete(f"/my/passkeys/{of_ada.row['id']}").status_code == 404
    came_in(sign_in(of_ada, server), ada)


def test_authenticators_that_do_not_count(server, ada):
    key = add(ada)
    for _ in range(2):
        came_in(show(server, key.shown(asked(server), counts=False)), ada)


def test_it_stands_for_both_factors(server):
    owner = Owner(server, "Ada Both")
    client = owner.client
    answer = client.post("/my/passkeys/options", {"password": owner.password})
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_required")
    key = Passkey(server.url)
    ok(client.post("/my/passkeys", key.made(offered(client, owner, code=owner.recovery[0]))))
    came_in(sign_in(key, server), owner)


def test_it_is_enough_where_a_second_factor_is_required(new_stack):
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    key = add(ada)
    account = server.ctl("account", "add", "Strict", "--owner", ada.username).stdout.split()[2].rstrip(",")
    browser = Browser(ada)
    ok(Client(server, ada.token).put(f"/accounts/{account}", {"second_factor": "required"}))
    assert browser.get("/projects").status_code == 403
    answer = sign_in(key, server)
    came_in(answer, ada)
    browser.headers["Cookie"] = f"planwright={server.secrets[-1]}"
    ok(browser.get("/projects"))


# --- adding: what is refused ---------------------------------------------------------------

def test_only_with_the_password(server, ada):
    client = Client(server, ada.token)
    before = failures(ada)
    answer = client.post("/my/passkeys/options", {"password": "wrong"})
    assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication")
    assert failures(ada) == before + 1
    for body in ({}, {"password": ada.password, "more": 1}):
        assert client.post("/my/passkeys/options", body).status_code == 400


def test_named_tokens_do_not(server, ada):
    made = ok(Client(server, ada.token).post("/my/tokens", {"name": "x", "scope": "write"}))["token"]
    server.secrets.append(made)
    client = Client(server, made)
    for answer in (client.get("/my/passkeys"), client.post("/my/passkeys/options", {"password": ada.password}),
                   client.post("/my/passkeys", Passkey(server.url).made({"challenge": "AA"})), client.delete("/my/passkeys/1")):
        assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope")


NOT_MADE = {
    "another origin": (dict(origin="https://evil.example"), "another site"),
    "inside another site": (dict(crossOrigin=True), "inside another site"),
    "another act": (dict(type="webauthn.get"), "for another purpose"),
    "no challenge": (dict(challenge=None), "no challenge"),
    "a challenge of nobody": (dict(challenge=encode(os.urandom(40))), "challenge"),
    "not verified": (dict(flags=PRESENT | 64), "did not verify"),
    "not present": (dict(flags=VERIFIED | 64), "did not verify"),
    "without a credential": (dict(flags=PRESENT | VERIFIED), "has no passkey"),
    "too short": (dict(rest=b""), "has no passkey"),
    "an empty name": (dict(rest=bytes(18)), "has no passkey"),
    "a name that is longer than the data": (dict(rest=bytes(16) + b"\xff\xff" + bytes(40)), "has no passkey"),
    "a name that is too long": (dict(rest=bytes(16) + b"\x04\x00" + bytes(1100)), "has no passkey"),
}


@pytest.mark.parametrize("said", NOT_MADE)
def test_what_is_not_added(server, ada, said):
    client = Client(server, ada.token)
    more, word = NOT_MADE[said]
    answer = client.post("/my/passkeys", Passkey(server.url).made(offered(client, ada), **more))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter"), answer.text
    assert word in answer.json()["general_problem"]
    assert ok(client.get("/my/passkeys")) == []


def test_keys_that_are_none(server, ada):
    client = Client(server, ada.token)
    key, other = Passkey(server.url), Passkey(server.url, EDDSA)
    for wrong in ({"alg": -8}, {"alg": -35}, {"public_key": encode(other.public())}, {"public_key": encode(key.public() + b"x")},
                  {"public_key": encode(key.public()[:-1])}, {"public_key": "AAAA"}):
        answer = client.post("/my/passkeys", {**key.made(offered(client, ada)), **wrong})
        assert answer.status_code == 400 and "public key" in answer.json()["general_problem"], answer.text
    for field in ("client_data", "authenticator_data", "public_key"):
        for text in ("", "=", "a+b/", "A", "ü"):
            answer = client.post("/my/passkeys", {**key.made(offered(client, ada)), field: text})
            assert answer.status_code == 400, answer.text


def test_challenges_are_those_of_the_person(server, ada):
    client, bob = Client(server, ada.token), Person(server, "Bob Else")
    theirs = offered(Client(server, bob.token), bob)
    for options in (theirs, asked(server)):
        answer = client.post("/my/passkeys", Passkey(server.url).made(options))
        assert answer.status_code == 400 and "challenge" in answer.json()["general_problem"]


def test_one_that_is_known_is_not_added_again(server, ada):
    client, bob = Client(server, ada.token), Person(server, "Bob Twice")
    key = add(ada)
    answer = client.post("/my/passkeys", key.made(offered(client, ada)))
    assert answer.status_code == 400 and "exists already" in answer.json()["general_problem"]
    theirs = Client(server, bob.token)
    assert theirs.post("/my/passkeys", key.made(offered(theirs, bob))).status_code == 400
    came_in(sign_in(key, server), ada)


def test_there_are_twenty(server, ada):
    client = Client(server, ada.token)
    for _ in range(19):
        ok(client.post("/my/passkeys", Passkey(server.url).made(offered(client, ada))))
    bodies = [Passkey(server.url).made(offered(client, ada)) for _ in range(6)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda body: Client(server, ada.token).post("/my/passkeys", body), bodies))
    assert len(ok(client.get("/my/passkeys"))) == 20
    answer = client.post("/my/passkeys", Passkey(server.url).made(offered(client, ada)))
    assert answer.status_code == 400 and "20" in answer.json()["general_problem"]


def test_each_challenge_adds_one(server, ada):
    """Not another one within the five minutes, not at the same time, not after the first one was removed."""
    client = Client(server, ada.token)
    earlier, options = offered(client, ada), offered(client, ada)
    add_it = lambda made: Client(server, ada.token).post("/my/passkeys", Passkey(server.url).made(made))
    row = ok(add_it(options))
    ok(client.delete(f"/my/passkeys/{row['id']}"), 204)
    for made in (options, earlier):
        answer = add_it(made)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter"), answer.text
        assert "was used before" in answer.json()["general_problem"]
    options = offered(client, ada)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: add_it(options), range(6)))
    assert sorted(a.status_code for a in answers) == [200] + [400] * 5
    assert len(ok(client.get("/my/passkeys"))) == 1


# --- signing in: what is refused --------------------------------------------------------------

NOT_SHOWN = {
    "another origin": (dict(origin="https://evil.example"), "another site"),
    "inside another site": (dict(crossOrigin=True), "inside another site"),
    "something odd about other sites": (dict(crossOrigin="no"), "inside another site"),
    "another act": (dict(type="webauthn.create"), "for another purpose"),
    "no challenge": (dict(challenge=7), "no challenge"),
    "a challenge of nobody": (dict(challenge=encode(os.urandom(40))), "challenge"),
    "a short challenge": (dict(challenge="AAAA"), "challenge"),
    "not verified": (dict(flags=PRESENT), "did not verify"),
    "not present": (dict(flags=VERIFIED), "did not verify"),
}


@pytest.mark.parametrize("said", NOT_SHOWN)
def test_what_does_not_sign_in(server, ada, said):
    key = add(ada)
    more, word = NOT_SHOWN[said]
    refused(show(server, key.shown(asked(server), **more)), word)
    told = server.sql("""select person_id, means, new->>'reason' from audit_entry
        where act = 'sign_in_refused' and person_id = %s order by id desc limit 1""", ada.id)
    assert told and told[0][1] == "passkey", told
    came_in(sign_in(key, server), ada)


def test_signatures_that_are_none(server, ada):
    key, other = add(ada), Passkey(server.url)
    other.id = key.id
    refused(sign_in(other, server), "not the passkey's")
    body = key.shown(asked(server))
    for field in ("client_data", "authenticator_data", "signature"):
        data = decode(body[field])
        for changed in (data[:-1], data + b" ", data[:-1] + bytes([data[-1] ^ 1])):
            answer = show(server, {**body, field: encode(changed)})
            assert answer.status_code == 403, (field, answer.text)
    for field in body:
        for wrong in ("", "=", "A", "ü", None, 7, "A" * 5000):
            answer = show(server, {**body, field: wrong})
            assert answer.status_code == 400, (field, wrong, answer.text)
    came_in(show(server, body), ada)


def test_another_host(server, ada):
    key = add(ada)
    key.host = "evil.example"
    refused(sign_in(key, server), "another site")


def test_each_challenge_is_good_once(server, ada):
    key = add(ada)
    options = asked(server)
    body = key.shown(options)
    came_in(show(server, body), ada)
    refused(show(server, body), "counter went back")
    refused(show(server, key.shown(options)), "used before")
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        body = key.shown(asked(server))
        answers = list(pool.map(lambda _: show(server, body), range(6)))
    assert sorted(a.status_code for a in answers) == [200] + [403] * 5
    server.secrets += [COOKIE.fullmatch(a.headers["Set-Cookie"])[1] for a in answers if a.status_code == 200]


def test_a_challenge_of_adding_does_not_sign_in(server, ada):
    key = add(ada)
    refused(show(server, key.shown(offered(Client(server, ada.token), ada))), "challenge")


def test_a_copy_is_noticed(server, ada):
    key = add(ada)
    key.count = 41
    came_in(sign_in(key, server), ada)
    key.count = 7
    refused(sign_in(key, server), "copied")


def test_old_challenges(server, ada):
    key = add(ada)
    options = asked(server)
    made = bytearray(decode(options["challenge"]))
    for shift in (-301_000_000, 10, 3_600_000_000):
        moved = struct.pack(">Q", struct.unpack(">Q", made[:8])[0] + shift) + bytes(made[8:])
        refused(show(server, key.shown({"challenge": encode(moved)})), "challenge")


def test_pages_of_other_sites(server, ada):
    key = add(ada)
    for headers in ({**OWN, "Origin": "https://evil.example"}, {**OWN, "Sec-Fetch-Site": "cross-site"}):
        answer = show(server, key.shown(asked(server)), headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "unauthorized_operation")


def test_who_is_disabled(server, ada):
    key = add(ada)
    server.ctl("person", "disable", ada.username)
    refused(sign_in(key, server), "nobody here has it")
    server.ctl("person", "enable", ada.username)
    came_in(sign_in(key, server), ada)


# --- what ends them ---------------------------------------------------------------------------

@pytest.mark.parametrize("keeps", [True, False])
def test_a_new_password(server, ada, keeps):
    key = add(ada)
    Client(server, ada.token).put("/me/password", {"old_password": ada.password, "new_password": "another long one",
                                                   "keep_token": keeps})
    if keeps:
        came_in(sign_in(key, server), ada)
    else:
        refused(sign_in(key, server), "nobody here has it")


def test_revoking_everything(server, ada):
    key = add(ada)
    server.ctl("token", "revoke", ada.username)
    refused(sign_in(key, server), "nobody here has it")


def test_where_passwords_do_not_sign_in(new_stack):
    server = new_stack(workers=1, settings="password_sign_in = off\ntrust_remote_user = on")
    ada = Person(server, "Ada")
    answer = Client(server, ada.token).post("/my/passkeys/options", {"password": ada.password})
    assert (answer.status_code, answer.json()["code"]) == (403, "unauthorized_operation"), answer.text
    key = Passkey(server.url)
    server.sql("""insert into passkey (person_id, credential, public_key, alg, count, name)
        values (%s, %s, %s, -7, 0, 'x')""", ada.id, key.id, key.public())
    refused(sign_in(key, server), "passwords")
    bob = Owner(server, "Bob")  # a second factor can be switched on, and off again
    ok(bob.client.delete("/my/second_factor", json={"password": bob.password, "code": bob.device.code()}), 204)


def test_the_audit_log(server, ada):
    key = add(ada, name="Laptop")
    came_in(sign_in(key, server), ada)
    ok(Client(server, ada.token).delete(f"/my/passkeys/{key.row['id']}"), 204)
    told = server.sql("""select act, means, object_kind, object_name from audit_entry
        where person_id = %s and act <> 'person_create' order by id""", ada.id)
    assert [t[0] for t in told] == ["passkey_create", "sign_in", "passkey_delete"], told
    assert told[1][1] == "passkey" and {t[2:] for t in told if "passkey_" in t[0]} == {("passkey", "Laptop")}
