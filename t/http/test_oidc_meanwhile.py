"""Signing in with OpenID Connect while something else happens: sessions, people and identities that end meanwhile, names
that others take (contract 1.19)."""

import concurrent.futures
import contextlib
import time
import uuid

import psycopg2
import pytest

from conftest import Client, Person
from provider import SESSION, Browser
from test_oidc import OWN, browser, came_back, link, place, refused  # noqa: F401
from world import ok


def unique():
    return uuid.uuid4().hex[:12]


@contextlib.contextmanager
def meanwhile(place, query, *params):
    """Something that is done, and becomes visible only when the body ends."""
    own = psycopg2.connect(place.server.env["STACK_ADMIN_DB"], options="-c search_path=planwright")
    with own.cursor() as cursor:
        cursor.execute(query, params)
        yield
    own.commit()
    own.close()


def until_it_waits(place):
    end = time.monotonic() + 10
    while not place.server.sql("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"):
        assert time.monotonic() < end, "nothing waits"
        time.sleep(0.05)


def while_it_happens(place, act, query, *params):
    """The answer of `act`, which waits for what happens and goes on when that is done."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with meanwhile(place, query, *params):
            answer = pool.submit(act)
            until_it_waits(place)
        return answer.result()


def linking(place, person):
    browser = Browser(place.server)
    ok(browser.request("POST", "/services/v5/session", json={"login": person.email, "password": person.password}, headers=OWN))
    return browser, ok(browser.api("POST", "/my/identities", {"provider": "plain"}))["url"]


# --- linking ---------------------------------------------------------------------------------

@pytest.mark.parametrize("end", ["sign-out", "password", "disabled"])
def test_linking_ends_with_its_session_up_to_the_last_moment(place, end):
    """Whoever ends a session that somebody else uses does not get an account of theirs linked afterwards."""
    ada, plain, sub = Person(place.server, "Ada"), place.of["plain"], unique()
    browser, url = linking(place, ada)
    other = Client(place.server, ada.token)

    def meanwhile_at_the_provider(answer):
        if end == "sign-out":
            assert browser.api("DELETE", "/session").status_code == 204
        elif end == "password":
            ok(other.put("/me/password", {"old_password": ada.password, "new_password": "battery staples"}), 204)
        else:
            place.server.ctl("person", "disable", ada.username)
        return answer

    plain.token_answer = meanwhile_at_the_provider
    try:
        answer = browser.page(plain.approve(url, sub=sub))
    finally:
        plain.behave()
    refused(answer, "start again")
    assert place.server.sql("select 1 from identity where subject = %s", sub) == []


# --- signing in ----------------------------------------------------------------------------

def test_an_account_that_is_unlinked_meanwhile_signs_in_nobody(place, browser):
    ada, sub = Person(place.server, "Ada"), unique()
    link(place, ada, sub=sub)
    back = place.of["plain"].approve(browser.leave("plain"), sub=sub)
    answer = while_it_happens(place, lambda: browser.page(back), "delete from identity where subject = %s", sub)
    refused(answer, "Nobody here is linked")
    assert SESSION not in browser.cookies
    assert place.server.sql("select 1 from session where person_id = %s and provider = 'plain'", ada.id) == []


def test_who_is_disabled_meanwhile_does_not_sign_in(place, browser):
    ada, sub = Person(place.server, "Ada"), unique()
    link(place, ada, sub=sub)
    back = place.of["plain"].approve(browser.leave("plain"), sub=sub)
    answer = while_it_happens(place, lambda: browser.page(back), "update person set token_mac = null, disabled_at = now() where id = %s", ada.id)
    refused(answer, "can no longer sign in here")


def test_an_address_that_somebody_takes_meanwhile_is_theirs(place, browser):
    fresh, sub, email = place.of["fresh"], unique(), f"{unique()}@new.test"
    claims = {"sub": sub, "email_verified": True, "name": "Follows"}
    came_back(browser.sign_in("fresh", fresh, email=f"{sub}@new.test", **claims))
    back = fresh.approve(browser.leave("fresh"), email=email, **claims)
    bob = Person(place.server, "Bob")
    answer = while_it_happens(place, lambda: browser.page(back), "update person set email = %s where id = %s", email, bob.id)
    came_back(answer)
    assert browser.me()["email"] == f"{sub}@new.test"
    newcomer, email = Browser(place.server), f"{unique()}@new.test"
    back = fresh.approve(newcomer.leave("fresh"), email=email, email_verified=True, name="New", sub=unique())
    answer = while_it_happens(place, lambda: newcomer.page(back), "update person set email = %s where id = %s", email, bob.id)
    refused(answer, "already has your email address")


def test_a_user_name_that_a_thousand_have(place, browser):
    place.server.sql("""insert into person (name, initials, username, email)
        select 'Many', 'M', 'many' || case when n > 1 then n::text else '' end, 'many' || n || '@many.test'
        from generate_series(1, 999) n""")
    came_back(browser.sign_in("fresh", place.of["fresh"], sub=unique(), email="one-more@many.test", email_verified=True,
                              name="One More", preferred_username="many"))
    assert browser.me()["username"].startswith("many-")


# --- who is gone, and who was something ------------------------------------------------------

def test_who_left_the_account_does_not_come_back(place, browser):
    claims = {"sub": unique(), "email": f"{unique()}@new.test", "email_verified": True, "name": "Gone"}
    came_back(browser.sign_in("fresh", place.of["fresh"], **claims, role="boss"))
    me = browser.me()["id"]
    ok(Client(place.server, place.boss.token).delete(f"/accounts/{place.account}/memberships/{me}"), 204)
    again = Browser(place.server)
    came_back(again.sign_in("fresh", place.of["fresh"], **claims, role="boss"))
    assert again.me()["id"] == me and ok(again.api("GET", "/accounts")) == []
    assert place.server.sql("select 1 from account_membership where person_id = %s", me) == []


def test_two_ways_in_that_are_removed_at_once(place, browser):
    """One of them stays: somebody without a password needs one."""
    claims = {"sub": unique(), "email": f"{unique()}@new.test", "email_verified": True, "name": "Only"}
    came_back(browser.sign_in("fresh", place.of["fresh"], **claims))
    url = ok(browser.api("POST", "/my/identities", {"provider": "plain"}))["url"]
    came_back(browser.page(place.of["plain"].approve(url, sub=unique())), "/profile")
    one, two = [item["id"] for item in ok(browser.api("GET", "/my/identities"))]
    unlink = lambda: browser.api("DELETE", f"/my/identities/{one}")
    answer = while_it_happens(place, unlink, "with p as (select from person where id = %s for update) delete from identity where id = %s and exists (select from p)",
                              browser.me()["id"], two)
    assert answer.status_code == 400 and "only way to sign in" in answer.json()["general_problem"]
    assert [item["id"] for item in ok(browser.api("GET", "/my/identities"))] == [one]
