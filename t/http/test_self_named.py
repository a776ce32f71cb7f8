"""Addresses and user names that people gave to themselves: nobody whom a provider or the web server calls so is signed
in as them, until somebody confirms it (contract 1.19)."""

import uuid

import pytest

from conftest import Client, Person, Stack, stack_folder
from importing import asked, over
from provider import SESSION, Browser, Provider
from test_import_people import COLUMNS, HEADING, story, table
from test_oidc import came_back, refused
from test_remote_user import ask
from world import ok


class Place:
    """A server that trusts the web server, and providers: `trusted` trusts addresses, `fresh` admits new people, `both`
    does both, `follows` lets addresses follow, `surely` does so and trusts them."""

    def __init__(self):
        self.of = {name: Provider() for name in ("trusted", "fresh", "both", "follows", "surely")}
        self.server = Stack(stack_folder("selfnamed"), workers=2, settings="trust_remote_user = on\n")
        self.server.secrets.append(Provider.client_secret)
        self.boss = Person(self.server, "Boss")
        self.server.ctl("account", "add", "Acme", "--owner", self.boss.username)
        (self.account,), = self.server.sql("select id from account where name = 'Acme'")
        more = {"trusted": {"trust_email": "on"}, "fresh": {"new_people": self.account},
                "both": {"trust_email": "on", "new_people": self.account}, "follows": {"follow": "on"},
                "surely": {"trust_email": "on", "follow": "on"}}
        with open(self.server.env["STACK_CONF"], "a") as conf:
            conf.write(f"oidc_providers = {' '.join(self.of)}\n")
            conf.write("".join(self.of[name].settings(name, **more[name]) for name in self.of))
        self.server.part("stop", "workers")
        self.server.part("start", "workers")

    def arrive(self, name, email, **claims):
        """Somebody whom the provider knows by this address signs in: (answer, browser)."""
        browser = Browser(self.server)
        claims = {"sub": uuid.uuid4().hex, "email_verified": True, "name": "Vera", **claims}
        return browser.sign_in(name, self.of[name], email=email, **claims), browser

    def signs_in(self, name, email, person):
        answer, browser = self.arrive(name, email)
        came_back(answer)
        assert browser.me()["id"] == person.id


@pytest.fixture(scope="module")
def place():
    made = Place()
    yield made
    made.server.close()
    for provider in made.of.values():
        provider.close()


def address(name="victim"):
    return f"{name}-{uuid.uuid4().hex[:8]}@company.test"


def takes(place, email, name="Mallory"):
    """Somebody who gives the address to themselves, with their password."""
    who = Person(place.server, name)
    ok(Client(place.server, who.token).put("/me", {"email": email, "password": who.password}))
    return who


def named(place, name):
    who = Person(place.server, "Mallory")
    ok(Client(place.server, who.token).put("/me", {"username": name}))
    return who


def use_letter(place, who, sent_to):
    code = uuid.uuid4().hex
    place.server.sql("""insert into letter (kind, person_id, code_hash, expires_at, delivered_at, sent_to) values
        ('reset', %s, sha256(%s), now() + interval '1 hour', now(), %s)""", who.id, code.encode(), sent_to)
    ok(Client(place.server).post(f"/password_resets/{code}", {"password": "correct horses"}), 204)


# --- addresses, and providers ---------------------------------------------------------------

def test_an_address_that_somebody_took_signs_in_nobody(place):
    email = address()
    mallory = takes(place, email)
    told = lambda: place.server.sql("""select person_id, new::text from audit_entry where act = 'sign_in_refused'
        and new::text like %s order by id""", f"%person {mallory.id} %")
    answer, browser = place.arrive("trusted", email)
    refused(answer, "Nobody here is linked with your account at trusted")
    assert "ask the administrator of this server" in answer.text and SESSION not in browser.cookies
    (person, reason), = told()
    assert person is None and "gave that address to themselves" in reason
    for name in ("fresh", "both"):
        answer, browser = place.arrive(name, email.upper())
        refused(answer, "Somebody here already has your email address")
        assert "ask the administrator of this server" in answer.text and SESSION not in browser.cookies
    assert len(told()) == 3
    assert place.server.sql("select 1 from identity where person_id = %s", mallory.id) == []
    assert f"person {mallory.id} gave that address to themselves" in place.server.log("workers")
    # With the password, it signs in as before: that proves who it is.
    assert ok(Browser(place.server).request("POST", "/services/v5/session", headers={"X-Requested-With": "planwright"},
                                            json={"login": email, "password": mallory.password}))["id"] == mallory.id


def test_who_is_linked_signs_in_whatever_the_address(place):
    who = Person(place.server, "Ada")
    sub = uuid.uuid4().hex
    came_back(place.arrive("trusted", who.email, sub=sub)[0])
    ok(Client(place.server, who.token).put("/me", {"email": address("ada"), "password": who.password}))
    answer, browser = place.arrive("trusted", who.email, sub=sub)
    came_back(answer)
    assert browser.me()["id"] == who.id


def test_a_letter_confirms_the_address_it_was_sent_to(place):
    email = address()
    mallory = takes(place, email)
    use_letter(place, mallory, "other@company.test")
    refused(place.arrive("trusted", email)[0], "Nobody here is linked")
    use_letter(place, mallory, email.upper())
    place.signs_in("trusted", email, mallory)


def linked(place, who, name="follows"):
    """An account at a provider that the person links; its subject."""
    browser, sub = Browser(place.server), uuid.uuid4().hex
    ok(browser.request("POST", "/services/v5/session", headers={"X-Requested-With": "planwright"},
                       json={"login": who.email, "password": who.password}))
    url = ok(browser.api("POST", "/my/identities", {"provider": name}))["url"]
    came_back(browser.page(place.of[name].approve(url, sub=sub)), "/profile")
    return sub


@pytest.mark.parametrize("is_own", [True, False])
def test_who_gave_the_address_does_not_stay(place, is_own):
    """Mallory links an account, and then asks for a link to the victim's address, which the victim uses."""
    mallory, email = Person(place.server, "Mallory"), address()
    sub = linked(place, mallory)
    if not is_own:
        ok(Client(place.server, mallory.token).put("/me", {"email": email, "password": mallory.password}))
    use_letter(place, mallory, mallory.email if is_own else email)
    answer, browser = place.arrive("follows", mallory.email, sub=sub, email_verified=False)
    told = place.server.sql("""select means, old::text from audit_entry where act = 'identity_unlink' and object_id = %s""", mallory.id)
    if is_own:
        came_back(answer)
        assert browser.me()["id"] == mallory.id and told == []
    else:
        refused(answer, "Nobody here is linked")
        assert told == [("link", '{"provider":"follows"}')]


def test_an_operator_confirms_it(place):
    email = address()
    who = takes(place, email)
    place.server.ctl("person", "rename", who.username, "--name", "Same Address")
    refused(place.arrive("trusted", email)[0], "Nobody here is linked")
    assert "unconfirmed address\n" in place.server.ctl("person", "show", who.username).stdout
    place.server.ctl("person", "rename", who.username, "--email", email)
    assert "unconfirmed no\n" in place.server.ctl("person", "show", who.username).stdout
    place.signs_in("trusted", email, who)
    assert place.server.sql("""select 1 from audit_entry where act = 'address_change' and object_id = %s
        and means like 'ctl:%%'""", who.id)


def test_another_case_changes_nothing(place):
    who = Person(place.server, "Ada")
    client = Client(place.server, who.token)
    ok(client.put("/me", {"email": who.email.upper(), "username": who.username.upper(), "password": who.password}))
    ok(client.put("/me", {"email": who.email, "password": who.password}))
    place.signs_in("trusted", who.email, who)
    email = address()
    who = takes(place, email)
    ok(Client(place.server, who.token).put("/me", {"email": email.upper(), "password": who.password}))
    refused(place.arrive("trusted", email)[0], "Nobody here is linked")
    # The kelvin sign is another letter, whose lower case in the database is a k.
    kim = Person(place.server, "Kim", email=address("kim"))
    twin = "\u212a" + kim.email[1:]
    answer = Client(place.server, kim.token).put("/me", {"email": twin, "password": kim.password})
    assert answer.status_code == 400 and "is not a valid email address" in answer.text, answer.text
    # Nobody can take such an address any more, but somebody may have.
    place.server.sql("update person set email = %s, email_claimed = true where id = %s", twin, kim.id)
    refused(place.arrive("trusted", "\u212a" + kim.email[1:])[0], "Nobody here is linked")


def test_a_trusted_provider_whom_addresses_follow_confirms_them(place):
    email, who = address(), Person(place.server, "Ada")
    sub = linked(place, who, "surely")
    ok(Client(place.server, who.token).put("/me", {"email": email, "password": who.password}))
    for claims in ({"email_verified": False}, {"email_verified": "true"}, {"email_verified": None}):
        came_back(place.arrive("surely", email, sub=sub, **claims)[0])
        refused(place.arrive("trusted", email)[0], "Nobody here is linked")
    came_back(place.arrive("surely", email, sub=sub)[0])
    place.signs_in("trusted", email, who)
    other = address()
    ok(Client(place.server, who.token).put("/me", {"email": address(), "password": who.password}))
    came_back(place.arrive("surely", other, sub=sub)[0])
    place.signs_in("trusted", other, who)


def test_one_that_is_not_trusted_confirms_nothing(place):
    """Nor does it take back what is confirmed, as long as the address stays."""
    email, who = address(), Person(place.server, "Ada")
    sub, claims = linked(place, who), "select email, email_claimed from person where id = %s"
    came_back(place.arrive("follows", who.email.upper(), sub=sub)[0])
    assert place.server.sql(claims, who.id) == [(who.email.upper(), False)]
    for taken in (False, True):
        came_back(place.arrive("follows", email, sub=sub)[0])
        assert place.server.sql(claims, who.id) == [(email, True)]
        refused(place.arrive("trusted", email)[0], "Nobody here is linked")
        assert ask(place.server, REMOTE_USER=email)[0] == 403
        if not taken:
            ok(Client(place.server, who.token).put("/me", {"email": email, "password": who.password}))
    place.server.ctl("person", "rename", who.username, "--email", email)
    came_back(place.arrive("follows", email, sub=sub)[0])
    assert place.server.sql(claims, who.id) == [(email, False)]


def test_new_people_have_the_address_that_a_trusted_provider_confirmed(place):
    her = lambda browser: type("Her", (), {"id": browser.me()["id"]})
    email = address("new")
    answer, browser = place.arrive("both", email, preferred_username="root")
    came_back(answer)
    place.signs_in("trusted", email, her(browser))
    status, answer, _ = ask(place.server, REMOTE_USER=browser.me()["username"])
    assert status == 403, "what a provider calls somebody is no name for the web server"
    email = address("newer")
    answer, browser = place.arrive("fresh", email)
    came_back(answer)
    refused(place.arrive("trusted", email)[0], "Nobody here is linked")
    assert ask(place.server, REMOTE_USER=email)[0] == 403
    boss = Client(place.server, place.boss.token)
    path = f"/projects/{ok(boss.post('/projects', {'name': uuid.uuid4().hex, 'account_id': place.account}))['id']}/memberships"
    assert boss.post(path, {"email": email}).status_code == 400
    she = her(browser)
    use_letter(place, she, email)
    assert ok(boss.post(path, {"email": email}))["person"]["id"] == she.id


# --- the web server ---------------------------------------------------------------------------

def test_the_web_server_signs_in_nobody_by_such_a_name(place):
    email, name = address(), f"victim{uuid.uuid4().hex[:8]}"
    for who, remote in ((takes(place, email), email), (named(place, name), name)):
        for case in (remote, remote.upper()):
            status, answer, cookie = ask(place.server, REMOTE_USER=case)
            assert (status, answer["code"], cookie) == (403, "invalid_authentication", None), answer
            assert "nobody has confirmed" in answer["general_problem"]
        status, page, cookie = ask(place.server, DOCUMENT_URI="/session/remote_user", REMOTE_USER=remote)
        assert status == 403 and "nobody has confirmed" in page and cookie is None
        assert f"nobody has confirmed that it is the name of person {who.id}" in place.server.log("workers")
        assert place.server.sql("""select person_id from audit_entry where act = 'sign_in_refused'
            and means = 'remote_user' and new::text like %s""", f"%of person {who.id}%")[0] == (None,)
        place.server.ctl("person", "rename", who.username if remote == email else name,
                         "--email" if remote == email else "--username", remote)
        assert ask(place.server, REMOTE_USER=remote)[1]["id"] == who.id


def test_the_other_name_still_counts(place):
    who = Person(place.server, "Ada")
    ok(Client(place.server, who.token).put("/me", {"email": address(), "password": who.password}))
    assert ask(place.server, REMOTE_USER=who.username)[1]["id"] == who.id
    who = named(place, f"new{uuid.uuid4().hex[:8]}")
    assert ask(place.server, REMOTE_USER=who.email)[1]["id"] == who.id


def test_a_session_is_not_that_of_who_took_the_name(place):
    """Mallory's session is still in the browser when the web server names the victim."""
    for take in ("email", "username"):
        mallory = Person(place.server, "Mallory")
        _, _, cookie = ask(place.server, REMOTE_USER=mallory.email if take == "username" else mallory.username)
        name = address() if take == "email" else f"victim{uuid.uuid4().hex[:8]}"
        ok(Client(place.server, mallory.token).put("/me", {take: name, "password": mallory.password}))
        assert ask(place.server, HTTP_COOKIE=f"{SESSION}={cookie}")[1]["id"] == mallory.id
        status, answer, _ = ask(place.server, HTTP_COOKIE=f"{SESSION}={cookie}", REMOTE_USER=name)
        assert status == 403, answer


def test_a_session_is_not_that_of_a_name_that_looks_alike(place):
    kim = Person(place.server, "Kim", username=f"kim{uuid.uuid4().hex[:8]}")
    _, _, cookie = ask(place.server, REMOTE_USER=kim.username)
    status, answer, _ = ask(place.server, HTTP_COOKIE=f"{SESSION}={cookie}", REMOTE_USER="\u212a" + kim.username[1:])
    assert status == 403, answer


def test_names_made_up_from_an_address_are_not_confirmed(place):
    """Whoever may invite people chooses the address, and with it the user name."""
    boss = Client(place.server, place.boss.token)
    project = ok(boss.post("/projects", {"name": uuid.uuid4().hex, "account_id": place.account}))["id"]
    email = f"victim{uuid.uuid4().hex[:8]}@mallory.test"
    row = ok(boss.post(f"/projects/{project}/memberships", {"email": email, "name": "I. N.", "initials": "IN", "role": "member"}))
    name = row["person"]["username"]
    assert name == email.partition("@")[0]
    assert ask(place.server, REMOTE_USER=name)[0] == 403
    assert ask(place.server, REMOTE_USER=email)[1]["id"] == row["person"]["id"], "but the address is that of its owner"
    place.server.ctl("person", "rename", name, "--username", name)
    assert ask(place.server, REMOTE_USER=name)[1]["id"] == row["person"]["id"]


def test_names_of_people_whom_a_member_imports_are_not_confirmed(place):
    boss = Client(place.server, place.boss.token)
    project = ok(boss.post("/projects", {"name": uuid.uuid4().hex, "account_id": place.account}))["id"]
    name = f"victim{uuid.uuid4().hex[:8]}"
    url = asked(boss, f"/projects/{project}", ("file", "s.csv", table(HEADING, story(8805001, "Vic Tim")).encode()),
                ("people", "people.csv", table(COLUMNS, ["Vic Tim", f"{name}@mallory.test", "", "", "create"]).encode()))
    assert over(boss, url)["state"] == "done"
    assert place.server.sql("select username_claimed from person where username = %s", name) == [(True,)]
    assert ask(place.server, REMOTE_USER=name)[0] == 403


# --- links to an address that is no longer somebody's -------------------------------------------

@pytest.mark.parametrize("act", ["address", "password"])
def test_what_an_operator_changes_ends_links(place, act):
    who, code = Person(place.server, "Ada"), uuid.uuid4().hex
    place.server.sql("""insert into letter (kind, person_id, code_hash, expires_at, delivered_at, sent_to) values
        ('reset', %s, sha256(%s), now() + interval '1 hour', now(), %s)""", who.id, code.encode(), who.email)
    if act == "address":
        place.server.ctl("person", "rename", who.username, "--email", address())
    else:
        place.server.ctl("passwd", who.username, "--password-file", "-", stdin="battery staples\n")
    assert Client(place.server).post(f"/password_resets/{code}", {"password": "correct horses"}).status_code == 404
