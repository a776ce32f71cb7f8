"""What the audit log contains about sign-ins with a provider, what follows them, and refusals (contract 1.18, 1.19)."""

import json

import pytest

from conftest import Person
from provider import Browser
from test_oidc import Place, came_back, refused


@pytest.fixture(scope="module")
def place():
    made = Place()
    yield made
    made.close()


def told(place, person, act):
    """(means, old, new, accounts) of each such entry about the person, oldest first."""
    return place.server.sql("""select means, old::text, new::text, array_agg(account_id order by account_id) from audit_entry
        where act = %s and object_kind = 'person' and object_id = %s
        group by occurred_at, means, old::text, new::text order by occurred_at""", act, person)


def test_name_and_address_that_follow(place):
    fresh, browser = place.of["fresh"], Browser(place.server)
    claims = {"sub": "told", "email": "told@new.test", "email_verified": True, "name": "Maiden Name"}
    came_back(browser.sign_in("fresh", fresh, **claims))
    me = browser.me()["id"]
    assert told(place, me, "address_change") == []
    for act, new in (("person_create", {"provider": "fresh"}), ("membership_create", {"owner": False, "admin": False, "project_creator": False})):
        (means, old, got, accounts), = told(place, me, act)
        assert (means, old, json.loads(got), accounts) == ("provider:fresh", None, new, [place.account])
    came_back(browser.sign_in("fresh", fresh, **{**claims, "name": "Married Name"}))
    came_back(browser.sign_in("fresh", fresh, **{**claims, "name": "Married Name", "email": "married-told@new.test"}))
    came_back(browser.sign_in("fresh", fresh, **{**claims, "name": "Married Name", "email": "married-told@new.test"}))
    first, second = told(place, me, "address_change")
    assert first[0] == "provider:fresh" and first[3] == [place.account]
    assert (json.loads(first[1]), json.loads(first[2])) == ({"name": "Maiden Name"}, {"name": "Married Name"})
    assert (json.loads(second[1]), json.loads(second[2])) == ({"email": "told@new.test"}, {"email": "married-told@new.test"})
    # Names with control characters are not used.
    came_back(browser.sign_in("fresh", fresh, **{**claims, "name": "Two\nLines"}))
    assert browser.me()["name"] == "Married Name"


def test_initials_that_somebody_chose_stay(place):
    fresh, browser = place.of["fresh"], Browser(place.server)
    claims = {"sub": "initials", "email": "initials@new.test", "email_verified": True, "name": "Ini Tials"}
    came_back(browser.sign_in("fresh", fresh, **claims))
    place.server.sql("update person set initials = 'XX' where id = %s", browser.me()["id"])
    came_back(browser.sign_in("fresh", fresh, **{**claims, "email": "initials2@new.test"}))
    assert (browser.me()["initials"], browser.me()["email"]) == ("XX", "initials2@new.test")


def test_another_address_ends_links_to_the_old_one(place):
    fresh, browser = place.of["fresh"], Browser(place.server)
    claims = {"sub": "links", "email": "links@new.test", "email_verified": True, "name": "Links"}
    came_back(browser.sign_in("fresh", fresh, **claims))
    me = browser.me()["id"]
    place.server.sql("insert into letter (kind, person_id) values ('reset', %s)", me)
    waits = lambda: place.server.sql("select count(*) from letter where person_id = %s and used_at is null", me)[0][0]
    came_back(browser.sign_in("fresh", fresh, **claims))
    assert waits() == 1
    came_back(browser.sign_in("fresh", fresh, **{**claims, "email": "links2@new.test"}))
    assert waits() == 0


def test_administrators(place):
    fresh, browser = place.of["fresh"], Browser(place.server)
    claims = {"sub": "told-admin", "email": "told-admin@new.test", "email_verified": True, "name": "A"}
    came_back(browser.sign_in("fresh", fresh, **claims))
    me = browser.me()["id"]
    for role in ("boss", "boss", "clerk", "clerk"):
        came_back(browser.sign_in("fresh", fresh, role=role, **claims))
    entries = told(place, me, "role_change")
    assert [(json.loads(old), json.loads(new)) for _, old, new, _ in entries] == [
        ({"admin": False}, {"admin": True}), ({"admin": True}, {"admin": False})]
    assert {(means, tuple(accounts)) for means, _, _, accounts in entries} == {("provider:fresh", (place.account,))}


def test_keeping_the_password(place):
    ada = Person(place.server, "Ada")
    for switch in ("on", "on", "off"):
        place.server.ctl("person", "password-sign-in", switch, ada.username)
    entries = told(place, ada.id, "password_sign_in_change")
    assert [(json.loads(old), json.loads(new)) for _, old, new, _ in entries] == [
        ({"password_sign_in": False}, {"password_sign_in": True}), ({"password_sign_in": True}, {"password_sign_in": False})]
    assert all(means.startswith("ctl:") for means, _, _, _ in entries)


def test_each_of_many_refusals_is_told(place):
    """Forty within a minute from one address are all logged; with thousands, at most a hundred are."""
    count = lambda: place.server.sql("select count(*) from audit_entry where act = 'sign_in_refused' and means = 'provider:plain'")[0][0]
    before, browser = count(), Browser(place.server)
    for i in range(40):
        refused(browser.page(f"/session/oidc/plain/callback?state={i:032}&code=x"), "start again")
    assert count() == before + 40
    entry, = place.server.sql("""select person_id, address, object_name, new::text from audit_entry
        where act = 'sign_in_refused' and means = 'provider:plain' order by id desc limit 1""")
    assert entry[:3] == (None, "127.0.0.1", "somebody at a provider") and "did not begin it" in entry[3]
    for i in range(100):
        browser.page(f"/session/oidc/plain/callback?state={i:032}&code=x")
    assert count() <= before + 100


def test_letters_that_only_look_alike_are_another_address(place):
    trusted, kim = place.of["trusted"], Person(place.server, "Kim")
    place.server.sql("update person set email = 'kim@look.test' where id = %s", kim.id)
    claims = {"sub": "kelvin", "email": "\u212aim@look.test", "email_verified": True}  # its lower case is a k
    refused(Browser(place.server).sign_in("trusted", trusted, **claims), "Nobody here is linked")
    # Nor is it an address that somebody new can have (contract 1.8).
    refused(Browser(place.server).sign_in("fresh", place.of["fresh"], **claims), "has not confirmed an email address")
    browser = Browser(place.server)
    came_back(browser.sign_in("trusted", trusted, **{**claims, "email": "KIM@look.test"}))
    assert browser.me()["id"] == kim.id


@pytest.mark.parametrize("sub", ["a\x00b", "a\nb", "\x7f", "a\x1bb"])
def test_subjects_with_control_characters(place, sub):
    refused(Browser(place.server).sign_in("fresh", place.of["fresh"], sub=sub, email="control@new.test", email_verified=True),
            "cannot be accepted")
    assert place.server.sql("select 1 from person where email = 'control@new.test'") == []


def test_somebody_disabled_while_linking(place):
    ada, browser = Person(place.server, "Ada"), Browser(place.server)
    browser.request("POST", "/services/v5/session", json={"login": ada.email, "password": ada.password},
                    headers={"X-Requested-With": "planwright"})
    url = browser.api("POST", "/my/identities", {"provider": "plain"}).json()["url"]
    place.server.sql("update person set disabled_at = now(), token_mac = null where id = %s", ada.id)  # the session still exists
    refused(browser.page(place.of["plain"].approve(url, sub="meanwhile")), "start again")
    assert place.server.sql("select 1 from identity where subject = 'meanwhile'") == []


def test_somebody_disabled_while_at_the_provider(place):
    fresh, browser = place.of["fresh"], Browser(place.server)
    claims = {"sub": "gone", "email": "gone@new.test", "email_verified": True, "name": "Gone"}
    came_back(browser.sign_in("fresh", fresh, **claims))
    back = fresh.approve(browser.leave("fresh"), **{**claims, "name": "Other"}, role="boss")
    place.server.sql("update person set disabled_at = now() where email = 'gone@new.test'")
    refused(browser.page(back), "no longer")
    assert place.server.sql("select name, disabled_at is null from person where email = 'gone@new.test'") == [("Gone", False)]
