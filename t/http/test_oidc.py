"""Signing in with OpenID Connect: to the provider and back, who it is, and what settings change (contract 1.19)."""

import concurrent.futures
import re
import time
import urllib.parse

import pytest

from conftest import Client, Person, Stack, stack_folder
from provider import SESSION, WAY, Browser, Key, Provider
from world import ok

OWN = {"X-Requested-With": "planwright"}


class Place:
    """A server with providers: `plain` only links, `trusted` trusts addresses, `fresh` admits new people, `grouped`
    asks for groups."""

    names = ("plain", "trusted", "fresh", "grouped")

    def __init__(self):
        self.of = {name: Provider() for name in self.names}
        self.server = Stack(stack_folder("oidc"), workers=3)
        self.server.secrets.append(Provider.client_secret)
        self.boss = Person(self.server, "Boss")
        self.server.ctl("account", "add", "Acme", "--owner", self.boss.username)
        (self.account,), = self.server.sql("select id from account where name = 'Acme'")
        more = {"plain": {"label": "Acme & <Co>"}, "trusted": {"trust_email": "on"},
                "fresh": {"new_people": self.account, "follow": "on", "admins": "role:boss"},
                "grouped": {"new_people": self.account, "allowed": "groups:crew groups:guests"}}
        self.set("oidc_providers = " + " ".join(self.names) + "\n" + "".join(
            self.of[name].settings(name, **more[name]) for name in self.names))

    def set(self, text):
        """Writes settings, and restarts the workers with them."""
        path = self.server.env["STACK_CONF"]
        mark = "# of the test\n"
        before = open(path).read().partition(mark)[0]
        open(path, "w").write(before + mark + text)
        self.text = text
        self.server.part("stop", "workers")
        self.server.part("start", "workers")

    def close(self):
        """An unreachable provider is not our fault; any other 5xx is."""
        bad = [line for line in self.server.log("access").splitlines()
               if re.search('" 5[0-9][0-9] ', line) and not re.search('"GET /session/oidc/[^"]*" 503 ', line)]
        assert not bad, bad
        self.server.close(expects_5xx=True)
        for provider in self.of.values():
            provider.close()


@pytest.fixture(scope="module")
def place():
    made = Place()
    yield made
    made.close()


@pytest.fixture
def server(place):
    return place.server


@pytest.fixture
def browser(place):
    return Browser(place.server)


def came_back(answer, to="/"):
    assert answer.status_code == 303, f"{answer.status_code} {answer.text}"
    assert urllib.parse.urlsplit(answer.headers["Location"])[2:3] == (urllib.parse.urlsplit(to).path,)


def refused(answer, words, status=403):
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert words in answer.text, answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store" and answer.headers["Referrer-Policy"] == "no-referrer"


# --- there and back ---------------------------------------------------------------------

def link(place, person, which="plain", /, **claims):
    """The person links an account at the provider; returns their browser."""
    browser = Browser(place.server)
    ok(browser.request("POST", "/services/v5/session", json={"login": person.email, "password": person.password},
                       headers=OWN))
    url = ok(browser.api("POST", "/my/identities", {"provider": which}))["url"]
    came_back(browser.page(place.of[which].approve(url, **claims)), "/profile")
    return browser


def test_a_linked_person_signs_in(place, browser):
    ada = Person(place.server, "Ada")
    first = link(place, ada, sub="ada-1", email="ada@elsewhere.test")
    assert first.me()["id"] == ada.id
    item, = ok(first.api("GET", "/my/identities"))
    assert {k: item[k] for k in ("kind", "provider", "issuer", "email")} == {
        "kind": "identity", "provider": "plain", "issuer": place.of["plain"].issuer, "email": "ada@elsewhere.test"}
    assert "last_used_at" not in item
    answer = browser.sign_in("plain", place.of["plain"], to="/n/projects/7?x=1#y", sub="ada-1")
    came_back(answer, "/n/projects/7")
    assert answer.headers["Location"] == f"{place.server.url}/n/projects/7?x=1#y"
    assert browser.me()["id"] == ada.id
    assert "last_used_at" in ok(browser.api("GET", "/my/identities"))[0]
    assert "signed in" in place.server.log("workers")
    assert place.server.sql("select act, means from audit_entry where person_id = %s and means like 'provider:%%' order by id", ada.id) == [
        ("identity_link", "provider:plain"), ("sign_in", "provider:plain")]


def test_cookies_of_the_way(place, browser):
    answer = browser.page("/session/oidc/plain")
    line, = answer.headers.get_all("Set-Cookie")
    assert re.fullmatch(WAY + r"=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600", line)
    assert answer.headers["Referrer-Policy"] == "no-referrer" and answer.headers["Cache-Control"] == "no-store"
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.headers["Location"]).query))
    assert query["redirect_uri"] == f"{place.server.url}/session/oidc/plain/callback"
    assert len({query["state"], query["nonce"], query["code_challenge"], browser.cookies[WAY]}) == 4
    kept = str(place.server.sql("select *, encode(state_mac, 'hex'), encode(browser_mac, 'hex') from sign_in_flow"))
    for secret in (query["state"], query["nonce"], query["code_challenge"], browser.cookies[WAY]):
        assert secret not in kept, "what is stored is of no use"
    ada = Person(place.server, "Ada")
    link(place, ada, sub="ada-cookies")
    back = browser.page(place.of["plain"].approve(answer.headers["Location"], sub="ada-cookies"))
    line, = back.headers.get_all("Set-Cookie")
    assert re.fullmatch(SESSION + r"=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000", line)


def test_two_windows_of_one_browser(place, browser):
    ada = Person(place.server, "Ada")
    link(place, ada, sub="ada-two")
    one, two = browser.leave("plain", "/one"), browser.leave("plain", "/two")
    came_back(browser.page(place.of["plain"].approve(two, sub="ada-two")), "/two")
    came_back(browser.page(place.of["plain"].approve(one, sub="ada-two")), "/one")


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
def test_algorithms(place, browser, alg):
    provider, ada = place.of["plain"], Person(place.server, "Ada")
    link(place, ada, sub=f"ada-{alg}")
    before = provider.keys
    provider.keys = [Key(alg), *before]
    place.server.sql("update oidc_provider set keys_asked_at = now() - interval '2 minutes'")
    came_back(browser.sign_in("plain", provider, sub=f"ada-{alg}"))
    assert browser.me()["id"] == ada.id


def test_new_keys_are_asked_for_once_a_minute(place):
    provider, ada = place.of["plain"], Person(place.server, "Ada")
    link(place, ada, sub="ada-keys")
    place.server.sql("update oidc_provider set keys_asked_at = now()")
    provider.keys = [Key(), *provider.keys]
    n = provider.asked.count("/keys")
    refused(Browser(place.server).sign_in("plain", provider, sub="ada-keys"), "cannot be accepted")
    assert provider.asked.count("/keys") == n
    place.server.sql("update oidc_provider set keys_asked_at = now() - interval '61 seconds'")
    came_back(Browser(place.server).sign_in("plain", provider, sub="ada-keys"))
    assert provider.asked.count("/keys") == n + 1
    provider.keys = [Key(), *provider.keys]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda _: Browser(place.server).sign_in("plain", provider, sub="ada-keys"), range(3)))
    assert {a.status_code for a in answers} == {403} and provider.asked.count("/keys") == n + 1
    place.server.sql("update oidc_provider set keys_asked_at = now() - interval '61 seconds'")
    came_back(Browser(place.server).sign_in("plain", provider, sub="ada-keys"))


def test_the_document_is_asked_for_once_a_day(place, browser):
    provider = place.of["plain"]
    browser.leave("plain")
    n = len(provider.asked)
    browser.leave("plain")
    assert len(provider.asked) == n
    place.server.sql("update oidc_provider set asked_at = now() - interval '25 hours'")
    browser.leave("plain")
    assert provider.asked[n:] == ["/.well-known/openid-configuration", "/keys"]
    place.server.sql("update oidc_provider set asked_at = now() - interval '25 hours'")
    provider.answers["/keys"] = lambda handler: handler.give({}, 500)
    try:
        browser.leave("plain")  # with the keys that it gave before
    finally:
        provider.behave()


# --- who it is ----------------------------------------------------------------------------

def test_somebody_unknown_is_told_whom_to_ask(place, browser):
    answer = browser.sign_in("plain", place.of["plain"], sub="stranger", email=place.boss.email, email_verified=True)
    refused(answer, "Nobody here is linked with your account at Acme &amp; &lt;Co&gt;")
    assert "ask the administrator of this server" in answer.text and SESSION not in browser.cookies
    in_german = browser.page(place.of["plain"].approve(browser.leave("plain"), sub="stranger"), **{"Accept-Language": "de"})
    refused(in_german, "fragen Sie, wer diesen Server betreibt")


def test_by_address(place):
    trusted, ada = place.of["trusted"], Person(place.server, "Ada")
    for claims in ({"email_verified": False}, {"email_verified": "true"}, {"email_verified": 1}, {}):
        refused(Browser(place.server).sign_in("trusted", trusted, sub="by-address", email=ada.email, **claims),
                "Nobody here is linked")
    browser = Browser(place.server)
    came_back(browser.sign_in("trusted", trusted, sub="by-address", email=ada.email.upper(), email_verified=True))
    assert browser.me()["id"] == ada.id
    # From then on, the subject counts.
    eve = Person(place.server, "Eve")
    again = Browser(place.server)
    came_back(again.sign_in("trusted", trusted, sub="by-address", email=eve.email, email_verified=True))
    assert again.me()["id"] == ada.id
    other = Browser(place.server)
    refused(other.sign_in("trusted", trusted, sub="another", email="nobody@example.test", email_verified=True),
            "Nobody here is linked")
    place.server.ctl("person", "disable", eve.username)
    refused(other.sign_in("trusted", trusted, sub="eve", email=eve.email, email_verified=True), "no longer")


def test_somebody_new(place, browser):
    fresh = place.of["fresh"]
    claims = {"sub": "new-1", "email": "grace.hopper@new.test", "email_verified": True, "name": "Grace Hopper",
              "preferred_username": "Grace"}
    for lacking in ({"email_verified": False}, {"email": None}, {"email": "nobody"}):
        refused(browser.sign_in("fresh", fresh, **{**claims, **lacking}), "has not confirmed an email address")
    came_back(browser.sign_in("fresh", fresh, **claims))
    me = browser.me()
    assert (me["name"], me["email"], me["initials"], me["username"]) == (
        "Grace Hopper", "grace.hopper@new.test", "GH", "grace")
    assert me["projects"] == [] and [a["id"] for a in ok(browser.api("GET", "/accounts"))] == [place.account]
    # The user name is taken by now.
    second = Browser(place.server)
    came_back(second.sign_in("fresh", fresh, **{**claims, "sub": "new-2", "email": "other@new.test"}))
    assert second.me()["username"] == "grace2" and second.me()["id"] != me["id"]
    # Two people cannot have the same address.
    refused(Browser(place.server).sign_in("fresh", fresh, **{**claims, "sub": "new-3"}), "already has your email address")
    refused(Browser(place.server).sign_in("fresh", fresh, **{**claims, "sub": "new-3", "email": place.boss.email}),
            "already has your email address")


def test_many_at_once_are_one(place):
    fresh = place.of["fresh"]
    claims = {"sub": "crowd", "email": "crowd@new.test", "email_verified": True, "name": "Crowd"}
    browsers = [Browser(place.server) for _ in range(4)]
    backs = [fresh.approve(b.leave("fresh"), **claims) for b in browsers]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda x: x[0].page(x[1]), zip(browsers, backs)))
    for answer in answers:
        came_back(answer)
    assert len({b.me()["id"] for b in browsers}) == 1
    assert place.server.sql("select count(*) from person where email = 'crowd@new.test'") == [(1,)]


def test_who_was_invited_keeps_the_memberships(place, browser):
    boss = Client(place.server, place.boss.token)
    project = ok(boss.post("/projects", {"name": "Rockets", "account_id": place.account}))["id"]
    ok(boss.post(f"/projects/{project}/memberships", {"email": "invited@new.test", "name": "I. N.", "initials": "IN",
                                                     "role": "member"}))
    claims = {"sub": "invited", "email": "invited@new.test", "name": "Ida Newcomer"}
    refused(browser.sign_in("fresh", place.of["fresh"], **claims), "has not confirmed")
    came_back(browser.sign_in("fresh", place.of["fresh"], **claims, email_verified=True))
    assert [p["project_id"] for p in browser.me()["projects"]] == [project]
    assert browser.me()["name"] == "Ida Newcomer"


def test_name_and_address_follow(place, browser):
    fresh = place.of["fresh"]
    claims = {"sub": "follow", "email": "follow@new.test", "email_verified": True, "name": "Maiden Name"}
    came_back(browser.sign_in("fresh", fresh, **claims))
    came_back(browser.sign_in("fresh", fresh, **{**claims, "name": "Married Name", "email": "married@new.test"}))
    assert (browser.me()["name"], browser.me()["initials"], browser.me()["email"]) == ("Married Name", "MN", "married@new.test")
    came_back(browser.sign_in("fresh", fresh, **{**claims, "name": " ", "email": place.boss.email}))
    assert (browser.me()["name"], browser.me()["email"]) == ("Married Name", "married@new.test"), "the address is another's"
    came_back(browser.sign_in("fresh", fresh, **{**claims, "email": "unsure@new.test", "email_verified": False}))
    assert browser.me()["email"] == "married@new.test"
    # With a provider that does not update people, everything stays.
    ada = Person(place.server, "Ada")
    link(place, ada, sub="ada-stays")
    came_back(browser.sign_in("plain", place.of["plain"], sub="ada-stays", name="Other", email="other-ada@new.test",
                              email_verified=True))
    assert (browser.me()["name"], browser.me()["email"]) == (ada.name, ada.email)


def is_admin(place, browser):
    return place.server.sql("select admin from account_membership where account_id = %s and person_id = %s",
                            place.account, browser.me()["id"])[0][0]


def test_groups(place, browser):
    claims = {"email": "crew@new.test", "email_verified": True, "name": "Crew"}
    grouped = place.of["grouped"]
    for groups in ({}, {"groups": []}, {"groups": ["other"]}, {"groups": "crewmen"}, {"group": ["crew"]}):
        refused(browser.sign_in("grouped", grouped, sub="crew", **claims, **groups), "in no group that may sign in")
    for groups in (["x", "crew"], "guests"):
        came_back(browser.sign_in("grouped", grouped, sub="crew", groups=groups, **claims))
    refused(browser.sign_in("grouped", grouped, sub="crew", **claims), "in no group")


def test_administrators(place, browser):
    fresh, claims = place.of["fresh"], {"sub": "admin", "email": "admin@new.test", "email_verified": True, "name": "A"}
    came_back(browser.sign_in("fresh", fresh, **claims))
    assert not is_admin(place, browser)
    came_back(browser.sign_in("fresh", fresh, **claims, role="boss"))
    assert is_admin(place, browser)
    came_back(browser.sign_in("fresh", fresh, **claims, role="clerk"))
    assert not is_admin(place, browser)


def test_disabled_people(place, browser):
    ada = Person(place.server, "Ada")
    signed_in = link(place, ada, sub="ada-disabled")
    place.server.ctl("person", "disable", ada.username)
    assert signed_in.me() is None
    refused(browser.sign_in("plain", place.of["plain"], sub="ada-disabled"), "can no longer sign in here")


# --- identities -----------------------------------------------------------------------------

def test_linking_needs_a_session(place):
    ada = Person(place.server, "Ada")
    client = Client(place.server, ada.token)
    assert ok(client.get("/my/identities")) == []
    answer = client.post("/my/identities", {"provider": "plain"})
    assert answer.status_code == 403 and "signed in with a browser" in answer.json()["general_problem"]
    answer = client.post("/my/identities", {"provider": "none"})
    assert answer.status_code == 400 and answer.json()["validation_errors"][0]["field"] == "provider"


def test_an_account_is_of_one_person(place):
    ada, eve = Person(place.server, "Ada"), Person(place.server, "Eve")
    link(place, ada, sub="of-one")
    browser = Browser(place.server)
    ok(browser.request("POST", "/services/v5/session", json={"login": eve.email, "password": eve.password}, headers=OWN))
    url = ok(browser.api("POST", "/my/identities", {"provider": "plain"}))["url"]
    refused(browser.page(place.of["plain"].approve(url, sub="of-one")), "is linked with somebody else here")
    assert ok(browser.api("GET", "/my/identities")) == []
    again = link(place, ada, sub="of-one")
    assert len(ok(again.api("GET", "/my/identities"))) == 1


def test_linking_ends_with_its_session(place):
    ada = Person(place.server, "Ada")
    browser = Browser(place.server)
    ok(browser.request("POST", "/services/v5/session", json={"login": ada.email, "password": ada.password}, headers=OWN))
    url = ok(browser.api("POST", "/my/identities", {"provider": "plain"}))["url"]
    assert browser.api("DELETE", "/session").status_code == 204
    refused(browser.page(place.of["plain"].approve(url, sub="too-late")), "start again")
    assert place.server.sql("select 1 from identity where subject = 'too-late'") == []


def test_taking_one_back(place, browser):
    ada = Person(place.server, "Ada")
    first = link(place, ada, sub="take-back")
    came_back(browser.sign_in("plain", place.of["plain"], sub="take-back"))
    item, = ok(first.api("GET", "/my/identities"))
    other = Client(place.server, Person(place.server, "Eve").token)
    assert other.request("DELETE", f"/my/identities/{item['id']}").status_code == 404
    assert first.api("DELETE", f"/my/identities/{item['id']}").status_code == 204
    assert browser.me() is None and first.me(), "the provider's sessions end"
    assert first.api("DELETE", f"/my/identities/{item['id']}").status_code == 404
    refused(browser.sign_in("plain", place.of["plain"], sub="take-back"), "Nobody here is linked")
    assert place.server.sql("select 1 from audit_entry where act = 'sign_in_refused' and means = 'provider:plain'")
    assert place.server.sql("select 1 from audit_entry where act = 'identity_unlink' and person_id = %s", ada.id)


def test_the_only_way_in_stays(place, browser):
    claims = {"sub": "only", "email": "only@new.test", "email_verified": True, "name": "Only"}
    came_back(browser.sign_in("fresh", place.of["fresh"], **claims))
    item, = ok(browser.api("GET", "/my/identities"))
    answer = browser.api("DELETE", f"/my/identities/{item['id']}")
    assert answer.status_code == 400 and "only way to sign in" in answer.json()["general_problem"]
    url = ok(browser.api("POST", "/my/identities", {"provider": "plain"}))["url"]
    came_back(browser.page(place.of["plain"].approve(url, sub="only-2")), "/profile")
    assert browser.api("DELETE", f"/my/identities/{item['id']}").status_code == 204
    assert browser.me(), "the session of the request stays"


# --- settings, sessions ------------------------------------------------------------------------

def test_options(place, browser):
    assert ok(browser.api("GET", "/session/options")) == {"password": True, "providers": [
        {"name": "plain", "label": "Acme & <Co>"}, *({"name": n, "label": n} for n in ("trusted", "fresh", "grouped"))]}
    refused(browser.page("/session/oidc/none"), "no such way to sign in", 404)
    refused(browser.page("/session/oidc/none/callback?state=x&code=y"), "no such way to sign in", 404)


def test_signing_out(place, browser):
    ada = Person(place.server, "Ada")
    first = link(place, ada, sub="out")
    assert first.api("DELETE", "/session").status_code == 204, "a password's session has no provider"
    came_back(browser.sign_in("plain", place.of["plain"], sub="out"))
    url = ok(browser.api("DELETE", "/session"))["end_session_url"]
    asked = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    assert url.startswith(f"{place.of['plain'].issuer}/end?")
    assert asked == {"client_id": ["planwright"], "post_logout_redirect_uri": [f"{place.server.url}/signin"]}
    assert browser.me() is None and SESSION not in browser.cookies


def test_signing_out_here_alone(place, browser):
    link(place, Person(place.server, "Ada"), sub="here")
    place.set(place.text + "oidc_plain_sign_out = off\n")
    try:
        came_back(browser.sign_in("plain", place.of["plain"], sub="here"))
        assert browser.api("DELETE", "/session").status_code == 204 and browser.me() is None
    finally:
        place.set(place.text.removesuffix("oidc_plain_sign_out = off\n"))


def test_a_provider_counts_as_a_second_factor(place, browser):
    ada = Person(place.server, "Ada")
    link(place, ada, sub="factor")
    place.set("second_factor = required\n" + place.text)
    try:
        came_back(browser.sign_in("plain", place.of["plain"], sub="factor"))
        assert browser.me()["id"] == ada.id
    finally:
        place.set(place.text.removeprefix("second_factor = required\n"))


def test_without_passwords_and_with_short_sessions(place, browser):
    ada, kept = Person(place.server, "Ada"), Person(place.server, "Kept")
    link(place, ada, sub="no-password")
    place.server.ctl("person", "password-sign-in", "on", kept.username)
    lines = "password_sign_in = off\nsession_max_hours = 1\n"
    place.set(lines + place.text)
    try:
        assert ok(browser.api("GET", "/session/options"))["password"] is False
        client = Client(place.server)
        sign_in = lambda who: client.post("/session", {"login": who.email, "password": who.password}, headers=OWN)
        answer = sign_in(ada)
        assert answer.status_code == 403 and "password_sign_in" in answer.json()["general_problem"]
        assert client.get("/me", auth=(ada.email, ada.password)).status_code == 403
        assert client.post("/session", {"login": ada.email, "password": "x"}, headers=OWN).json()["code"] == "invalid_authentication"
        answer = sign_in(kept)
        assert ok(answer)["id"] == kept.id and "Max-Age=3600" in answer.headers["Set-Cookie"]
        place.server.secrets.append(re.search("=([0-9a-f]{64})", answer.headers["Set-Cookie"])[1])
        back = browser.sign_in("plain", place.of["plain"], sub="no-password")
        came_back(back)
        assert "Max-Age=3600" in back.headers["Set-Cookie"]
        item = ok(browser.api("GET", "/my/sessions"))[0]
        assert item["current"]
        (seconds,), = place.server.sql("select extract(epoch from expires_at - created_at)::int from session where id = %s", item["id"])
        assert seconds == 3600
        identity, = ok(browser.api("GET", "/my/identities"))
        answer = browser.api("DELETE", f"/my/identities/{identity['id']}")
        assert answer.status_code == 400, "the password alone would not let her in"
    finally:
        place.set(place.text.removeprefix(lines))


@pytest.mark.alone
def test_a_slow_provider_makes_nobody_wait(place):
    plain, ada = place.of["plain"], Person(place.server, "Ada")
    link(place, ada, sub="slow")
    client, browsers = Client(place.server, ada.token), [Browser(place.server) for _ in range(6)]
    backs = [plain.approve(b.leave("plain"), sub="slow") for b in browsers]
    ok(client.get("/me"))
    plain.delay = 30
    try:
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            began = time.monotonic()
            waiting = [pool.submit(b.page, back) for b, back in zip(browsers, backs)]
            time.sleep(0.5)
            times = []
            for _ in range(100):
                at = time.monotonic()
                ok(client.get("/me"))
                times.append(time.monotonic() - at)
            answers = [w.result() for w in waiting]
            took = time.monotonic() - began
    finally:
        plain.behave()
    assert sorted(times)[98] < 0.5
    statuses = sorted(a.status_code for a in answers)
    assert statuses == [429, 429, 503, 503, 503, 503], statuses
    assert 9 < took < 13
    late = next(a for a in answers if a.status_code == 503)
    refused(late, "does not answer at the moment", 503)
    assert late.headers["Retry-After"] == "60"


def test_flows_are_bounded(place, browser):
    browser.leave("plain", "/first")
    place.server.sql("""insert into sign_in_flow (state_mac, browser_mac, provider, target, network, created_at)
        select sha256(i::text::bytea), sha256('x'), 'plain', '/', '127.0.0.1', now() - interval '5 minutes'
        from generate_series(1, 400) i""")
    browser.leave("plain")
    (n,), = place.server.sql("select count(*) from sign_in_flow where network = '127.0.0.1'")
    assert n == 300
    url = browser.leave("plain")
    place.server.sql("update sign_in_flow set created_at = now() - interval '11 minutes'")
    refused(browser.page(place.of["plain"].approve(url, sub="late")), "older than ten minutes")
