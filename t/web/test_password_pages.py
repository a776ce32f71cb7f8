"""The pages to choose a password, for people who forgot theirs or were invited. They need no scripts."""

import hashlib
import uuid

import pytest

from client import Client
from looking import look


@pytest.fixture
def code(stack, person):
    """The code of a link, as a mail would contain it."""
    who = person("Clara Chooses")
    word = uuid.uuid4().hex
    stack.secrets.append(word)
    stack.sql("insert into letter (kind, person_id, code_hash, expires_at, delivered_at)"
              " values ('reset', %s, %s, now() + interval '30 minutes', now())",
              who.id, hashlib.sha256(word.encode()).digest())
    return word, who


def test_asked_for_from_the_sign_in(browser):
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.open("/signin")
    browser.find("link", "Choose a new password").click()
    browser.find("textbox", "Email address")
    look(browser, "password-ask")
    browser.fill("Email address", "nobody@example.test")
    browser.press("Send the link")
    browser.until(lambda: "30 minutes" in browser.text("status"))
    look(browser, "password-asked")
    browser.find("link", "Sign in").click()
    browser.find("button", "Sign in")


def test_chosen_by_a_link(browser, stack, code):
    word, who = code
    browser.expect("400 (Bad Request)", "404 (Not Found)", "/services/v5/", "/assets/demo.json")
    browser.js("return 1")
    browser.open(f"/choose_password/{word}")
    field = "New password, at least 8 characters"
    browser.fill(field, "short")
    browser.js("document.querySelector('form').noValidate = true")
    browser.press("Take it")
    browser.until(lambda: "at least 8" in browser.text("alert"))
    look(browser, "password-choose")
    stack.secrets.append("long enough for all")
    browser.fill(field, "long enough for all")
    browser.press("Take it")
    browser.find("link", "Sign in").click()
    browser.fill("Login", who.username)
    browser.fill("Password", "long enough for all")
    browser.press("Sign in")
    browser.find("button", "Account")
    browser.open(f"/choose_password/{word}")
    browser.find("link", "Request a link")
    look(browser, "password-gone")
    assert Client(stack, base="").get(f"/choose_password/{word}").status_code == 404


def test_in_german(browser):
    browser.language("de-DE")
    browser.open("/choose_password")
    browser.find("button", "Link senden")
    assert browser.js("return document.documentElement.lang") == "de"
    browser.shot("password-ask-german")
