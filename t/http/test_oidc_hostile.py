"""Hostile providers and hostile people: each invalid answer is refused with a message, and with a log line that says
why, and nobody is signed in (contract 1.19)."""

import base64
import hashlib
import hmac
import http.server
import json
import socket
import threading
import time
import urllib.parse

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from conftest import Person
from provider import SESSION, Browser, Key, Provider, text64
from test_oidc import OWN, Place, came_back, link, refused


@pytest.fixture(scope="module")
def place():
    made = Place()
    ada = Person(made.server, "Ada")
    link(made, ada, sub="ada")
    made.ada = ada
    yield made
    made.close()


@pytest.fixture
def provider(place):
    """The provider "plain", which knows Ada as "ada"; made honest again afterwards."""
    it = place.of["plain"]
    yield it
    it.behave()
    place.server.sql("delete from oidc_provider")


@pytest.fixture
def browser(place):
    return Browser(place.server)


def newest(place):
    return next(line for line in reversed(place.server.log("workers").splitlines()) if "a sign-in" in line)


def wrong(place, answer, reason, words="cannot be accepted", status=403):
    """Checks the message, that there is no session, and the reason in the log."""
    refused(answer, words, status)
    assert not any(line.startswith(f"{SESSION}=") for line in answer.headers.get_all("Set-Cookie") or [])
    line = newest(place)
    assert "a sign-in was refused: from 127.0.0.1, by the provider plain: " in line and reason in line, line


def changed(**claims):
    """The claims with others in their place; None removes one."""
    return lambda honest: {k: v for k, v in {**honest, **claims}.items() if v is not None}


def now():
    return int(time.time())


# --- ID tokens ------------------------------------------------------------------------------

CLAIMS = {
    "another issuer": (dict(iss="https://accounts.example"), "another issuer"),
    "no issuer": (dict(iss=None), "another issuer"),
    "the issuer with a slash": (lambda p: dict(iss=p.issuer + "/"), "another issuer"),
    "another audience": (dict(aud="other"), "for another client"),
    "no audience": (dict(aud=None), "whom it is for"),
    "audiences without ours": (dict(aud=["other", "third"]), "for another client"),
    "several audiences without azp": (dict(aud=["planwright", "other"]), "several clients"),
    "another azp": (dict(azp="other"), "issued to another client"),
    "another nonce": (dict(nonce="x" * 43), "nonce"),
    "no nonce": (dict(nonce=None), "nonce"),
    "expired": (lambda p: dict(exp=now() - 61), "expired"),
    "no end": (dict(exp=None), "when it expires"),
    "an end that is text": (lambda p: dict(exp=str(now() + 300)), "when it expires"),
    "issued in the future": (lambda p: dict(iat=now() + 120), "in the future"),
    "made long ago": (lambda p: dict(iat=now() - 700), "older than ten minutes"),
    "not valid yet": (lambda p: dict(nbf=now() + 120), "not valid yet"),
    "nobody": (dict(sub=None), "who signs in"),
    "an empty subject": (dict(sub=""), "who signs in"),
    "a subject that is a number": (dict(sub=7), "who signs in"),
    "a subject that is endless": (dict(sub="a" * 256), "who signs in"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims(place, provider, browser, name):
    claims, reason = CLAIMS[name]
    provider.claims = changed(**(claims(provider) if callable(claims) else claims))
    wrong(place, browser.sign_in("plain", provider, sub="ada"), reason)


def hs256(secret):
    return lambda text: hmac.new(secret, text, hashlib.sha256).digest()


def public_pem(provider):
    return provider.keys[0].private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


SIGNED = {
    "alg none": (dict(alg="none"), lambda p: lambda text: b"", "another algorithm"),
    "alg none in capitals": (dict(alg="NONE"), lambda p: lambda text: b"", "another algorithm"),
    "HS256 with the public key": (dict(alg="HS256"), lambda p: hs256(public_pem(p)), "another algorithm"),
    "HS256 with the client's secret": (dict(alg="HS256"), lambda p: hs256(p.client_secret.encode()), "another algorithm"),
    "RS512": (dict(alg="RS512"), None, "another algorithm"),
    "no alg": (dict(alg=None), None, "another algorithm"),
    "no signature": ({}, lambda p: lambda text: b"", "no signature"),
    "the key of another": ({}, lambda p: Key().sign, "signature of the ID token is wrong"),
    "the signature of another text": ({}, lambda p: lambda text: p.keys[0].sign(b"x"), "signature of the ID token is wrong"),
    "ES256 by an RSA key": (dict(alg="ES256"), None, "does not name"),
    "an unknown kid": (dict(kid="nobody"), None, "does not name"),
    "a key in the head": (dict(kid="mine", jwk=Key("EdDSA", "mine").public()), None, "does not name"),
    "an address of keys in the head": (dict(kid="mine", jku="https://evil.example/keys"), None, "does not name"),
    "an extension": (dict(crit=["exp"]), None, "extension"),
}


@pytest.mark.parametrize("name", SIGNED)
def test_signatures(place, provider, browser, name):
    head, signature, reason = SIGNED[name]
    provider.head = changed(**head)
    provider.signature = signature and signature(provider)
    wrong(place, browser.sign_in("plain", provider, sub="ada"), reason)


def test_a_small_key(place, provider, browser):
    provider.keys = [Key(bits=1024)]
    try:
        wrong(place, browser.sign_in("plain", provider, sub="ada"), "does not name")
    finally:
        provider.keys = [Key()]


def test_a_token_of_another_sign_in(place, provider, browser):
    """For example, stolen from Eve's browser."""
    kept = []
    provider.token_answer = lambda answer: kept.append(answer["id_token"]) or answer
    came_back(Browser(place.server).sign_in("plain", provider, sub="ada"))
    provider.token_answer = {"id_token": kept[0]}
    wrong(place, browser.sign_in("plain", provider, sub="ada"), "nonce")


TOKENS = {
    "no ID token": (lambda a: {"access_token": "x"}, "no ID token"),
    "an ID token that is a number": (lambda a: {"id_token": 7}, "no ID token"),
    "a list": (lambda a: [a], "no ID token"),
    "an encrypted token": (lambda a: {"id_token": a["id_token"] + ".x.y"}, "not a signed JSON web token"),
    "half a token": (lambda a: {"id_token": a["id_token"].rpartition(".")[0]}, "not a signed JSON web token"),
    "claims twice": (lambda a: {"id_token": twice(a["id_token"])}, "not a signed JSON web token"),
    "bytes that are no text": (lambda a: {"id_token": "e30." + text64(b'{"a":"\xff"}') + ".e30"}, "not a signed JSON web token"),
    "a huge ID token": (lambda a: {"id_token": a["id_token"].replace(".", "." + "A" * 70000, 1)}, "at most 64 KiB"),
}


def twice(token):
    head, claims, signature = token.split(".")
    text = base64.urlsafe_b64decode(claims + "==")
    return f"{head}.{text64(text[:-1] + b',' + text[1:])}.{signature}"


@pytest.mark.parametrize("name", TOKENS)
def test_answers_to_a_code(place, provider, browser, name):
    provider.token_answer, reason = TOKENS[name]
    wrong(place, browser.sign_in("plain", provider, sub="ada"), reason)


# --- codes and states -----------------------------------------------------------------------

def back_of(provider, url, **changes):
    """The address that leads back, with other parameters; None removes one."""
    whole = urllib.parse.urlsplit(provider.approve(url, sub="ada"))
    query = {**dict(urllib.parse.parse_qsl(whole.query)), **changes}
    return whole._replace(query=urllib.parse.urlencode({k: v for k, v in query.items() if v is not None})).geturl()


def test_a_code_is_good_once(place, provider, browser):
    back = provider.approve(browser.leave("plain"), sub="ada")
    came_back(browser.page(back))
    n = provider.asked.count("/token")
    wrong(place, browser.page(back), "was used", "start again")
    assert provider.asked.count("/token") == n, "the state is used up, so nobody asks"
    # The same code with a state of its own.
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))["code"]
    wrong(place, browser.page(back_of(provider, browser.leave("plain"), code=code)), "status 400")


def test_the_state_of_another_browser(place, provider, browser):
    eve = Browser(place.server)
    back = provider.approve(eve.leave("plain"), sub="ada")
    wrong(place, browser.page(back), "did not begin", "start again")
    browser.leave("plain")
    wrong(place, browser.page(back), "state is unknown", "start again")
    came_back(eve.page(back))  # hers is still valid


@pytest.mark.parametrize("state", [None, "", "0" * 32, "x" * 4000, "0" * 31])
def test_states_that_are_none(place, provider, browser, state):
    n = len(provider.asked)
    back = back_of(provider, browser.leave("plain"), state=state)
    n = len(provider.asked)
    wrong(place, browser.page(back), "it", "start again")
    assert len(provider.asked) == n


def test_the_code_of_another_browser(place, provider, browser):
    """PKCE: an intercepted code is useless with another browser's verifier."""
    victim = Browser(place.server)
    caught = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(
        provider.approve(victim.leave("plain"), sub="ada")).query))["code"]
    wrong(place, browser.page(back_of(provider, browser.leave("plain"), code=caught)), "status 400")


@pytest.mark.parametrize("code", [None, "", "x" * 5000])
def test_codes_that_are_none(place, provider, browser, code):
    n = provider.asked.count("/token")
    wrong(place, browser.page(back_of(provider, browser.leave("plain"), code=code)), "no code")
    assert provider.asked.count("/token") == n


def test_errors_of_the_provider(place, provider, browser):
    answer = browser.page(back_of(provider, browser.leave("plain"), code=None, error="access_denied"))
    wrong(place, answer, "the provider says access_denied", "did not sign you in")
    for word in ("<script>", "x" * 100, "a\nb", ""):
        answer = browser.page(back_of(provider, browser.leave("plain"), code=None, error=word, error_description="<b>"))
        wrong(place, answer, "the provider says", "did not sign you in")
        assert "<script>" not in answer.text and "<b>" not in answer.text


# --- mixed-up providers ---------------------------------------------------------------------

def test_another_provider_answers(place, provider, browser):
    url = browser.leave("plain")
    back = provider.approve(url, sub="ada").replace("/oidc/plain/", "/oidc/trusted/")
    answer = browser.page(back)
    refused(answer, "start again")
    assert "by the provider trusted: it began with another provider" in newest(place)
    wrong(place, browser.page(provider.approve(url, sub="ada")), "was used", "start again")


def test_the_answer_names_another_issuer(place, provider, browser):
    n = provider.asked.count("/token")
    for iss in ("https://evil.example", "", provider.issuer + "/"):
        wrong(place, browser.page(back_of(provider, browser.leave("plain"), iss=iss)), "the answer comes from another provider")
    assert provider.asked.count("/token") == n, "the code goes to nobody"
    came_back(browser.page(back_of(provider, browser.leave("plain"), iss=provider.issuer)))


def test_an_issuer_that_it_always_names(place, provider, browser):
    provider.document = {"authorization_response_iss_parameter_supported": True}
    place.server.sql("delete from oidc_provider")
    wrong(place, browser.sign_in("plain", provider, sub="ada"), "the answer comes from another provider")
    came_back(browser.page(back_of(provider, browser.leave("plain"), iss=provider.issuer)))


# --- where to go afterwards --------------------------------------------------------------------

@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example", "evil", "",
                                "/a\r\nSet-Cookie: x=y", "/\t/evil.example", "javascript:alert(1)", "/" + "a" * 1000, "/\u00e4"])
def test_open_redirects(place, browser, to):
    answer = browser.request("GET", "/session/oidc/plain", params={"to": to})
    wrong(place, answer, "not a path of this server", "not one of this server", 400)
    assert "Location" not in answer.headers


# --- documents ------------------------------------------------------------------------------------

class Trap:
    """A host that must never receive a request."""

    def __init__(self, host="127.0.0.1"):
        self.asked = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                self.send_response(200)
                self.end_headers()

            do_POST = do_GET

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer((host, 0), Handler)
        self.url = f"http://{host}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def trap():
    it = Trap()
    yield it
    it.close()


def begins_not(place, browser, reason, is_away=False):
    place.server.sql("delete from oidc_provider")
    answer = browser.page("/session/oidc/plain")
    wrong(place, answer, reason, *(("does not answer at the moment", 503) if is_away else ()))
    assert "Location" not in answer.headers and place.server.sql("select 1 from oidc_provider") == []


DOCUMENTS = {
    "another issuer": (dict(issuer="https://accounts.example"), "names another issuer"),
    "no issuer": (dict(issuer=None), "names another issuer"),
    "no PKCE": (dict(code_challenge_methods_supported=["plain"]), "PKCE"),
    "no code flow": (dict(response_types_supported=["id_token"]), "code flow"),
    "no token endpoint": (dict(token_endpoint=None), "lacks an address"),
    "an endpoint by http": (dict(token_endpoint="http://id.example/token"), "without https"),
    "an endpoint that is a file": (dict(jwks_uri="file:///etc/passwd"), "without https"),
    "an endpoint that is a script": (dict(authorization_endpoint="javascript:alert(1)"), "without https"),
    "an endpoint with a line end": (dict(authorization_endpoint="https://id.example/\r\nSet-Cookie: x=y"), "without https"),
    "an endpoint with a user": (dict(jwks_uri="https://user:pass@id.example/"), "without https"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(place, provider, browser, name):
    provider.document, reason = DOCUMENTS[name]
    begins_not(place, browser, reason)


@pytest.mark.parametrize("local", ["https://127.0.0.1:%d/", "https://localhost:%d/", "https://[::1]:%d/", "https://169.254.169.254/",
                                   "https://10.0.0.1/", "https://0.0.0.0:%d/", "https://[::ffff:127.0.0.1]:%d/", "https://2130706433:%d/"])
def test_local_addresses(place, provider, browser, trap, local):
    """The author of the document cannot make this server send requests to its own network."""
    provider.document = {"jwks_uri": local.replace("%d", str(trap.server.server_port))}
    began = time.monotonic()
    begins_not(place, browser, "an address that is not allowed")
    assert trap.asked == [] and time.monotonic() - began < 5


def test_a_local_token_endpoint(place, provider, browser, trap):
    provider.document = {"token_endpoint": f"https://127.0.0.1:{trap.server.server_port}/token"}
    place.server.sql("delete from oidc_provider")
    wrong(place, browser.sign_in("plain", provider, sub="ada"), "an address that is not allowed")
    assert trap.asked == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys"])
def test_redirects_are_not_followed(place, provider, browser, trap, path, status):
    provider.answers[path] = lambda handler: handler.give({}, status, Location=f"{trap.url}/keys")
    begins_not(place, browser, "with a redirect, which is not followed")
    assert trap.asked == []


def test_a_redirect_of_the_code(place, provider, browser, trap):
    """It would send code, verifier and secret along."""
    provider.answers["/token"] = lambda handler: handler.give({}, 307, Location=f"{trap.url}/token")
    wrong(place, browser.sign_in("plain", provider, sub="ada"), "with a redirect, which is not followed")
    assert trap.asked == []


def endless(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    handler.close_connection = True
    for _ in range(20000):
        handler.wfile.write(b" " * 10000)


BODIES = {
    "larger than 256 KiB": (lambda h: h.give(b" " * (256 * 1024 + 1)), "more than 256 KiB"),
    "without an end": (endless, "more than 256 KiB"),
    "no JSON": (lambda h: h.give(b"<html>"), "not a JSON"),
    "nothing": (lambda h: h.give(b""), "not a JSON"),
    "a list": (lambda h: h.give([]), "not a JSON"),
    "nested deeply": (lambda h: h.give(b"[" * 100000), "not a JSON"),
    "no text": (lambda h: h.give(b'{"issuer":"\xff"}'), "not a JSON"),
    "a 404": (lambda h: h.give({}, 404), "status 404"),
    "a 500": (lambda h: h.give({}, 500), "status 500"),
    "half of it": (lambda h: (h.send_response(200), h.send_header("Content-Length", "100"), h.end_headers(),
                              h.wfile.write(b"{"), setattr(h, "close_connection", True)), "nothing"),
}


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys"])
@pytest.mark.parametrize("name", BODIES)
def test_bodies(place, provider, browser, name, path):
    provider.answers[path], reason = BODIES[name]
    begins_not(place, browser, reason, is_away=name in ("a 500", "half of it"))


@pytest.mark.alone
def test_keys_that_cost_much(place, provider, browser):
    """Thousands of keys, and an enormous one: the time does not grow."""
    n = "_" * 20000
    many = [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": provider.keys[0].kid} for _ in range(3000)]
    for keys in (many, [{"kty": "RSA", "n": n, "e": n, "kid": provider.keys[0].kid}]):
        provider.answers["/keys"] = lambda handler, keys=keys: handler.give({"keys": keys})
        place.server.sql("delete from oidc_provider")
        began = time.monotonic()
        wrong(place, browser.sign_in("plain", provider, sub="ada"), "does not name")
        assert time.monotonic() - began < 3


def test_nobody_listens(place, browser):
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    before = place.text
    place.set(before.replace(place.of["plain"].issuer, f"http://127.0.0.1:{port}"))
    try:
        begins_not(place, browser, "nothing:", is_away=True)
    finally:
        place.set(before)


def test_secrets_stay_here(place, provider, browser):
    """Neither pages nor logs contain codes, secrets or tokens (the logs are checked when the server is stopped)."""
    kept = []
    provider.token_answer = lambda answer: kept.append(answer["id_token"]) or answer
    provider.claims = changed(nonce="x")
    back = provider.approve(browser.leave("plain"), sub="ada")
    answer = browser.page(back)
    wrong(place, answer, "nonce")
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))
    place.server.secrets += [kept[0], code["code"], code["state"]]
    assert not any(word in answer.text for word in (kept[0], code["code"], code["state"], provider.client_secret))


def test_a_password_session_is_not_the_providers(place, provider):
    """A person who comes back with an invalid answer stays signed in as before."""
    browser = Browser(place.server)
    browser.request("POST", "/services/v5/session", json={"login": place.ada.email, "password": place.ada.password},
                    headers=OWN)
    provider.claims = changed(aud="other")
    wrong(place, browser.sign_in("plain", provider, sub="eve"), "another client")
    assert browser.me()["id"] == place.ada.id
    assert json.loads(browser.api("GET", "/my/identities").text)[0]["issuer"] == provider.issuer
