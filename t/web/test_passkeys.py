"""Passkeys in a browser with a virtual authenticator: adding one, signing in with it, removing it."""

import pytest

import http_conftest
from browser import Browser
from client import Client
from looking import german, look
from world import new_project, ok

AUTHENTICATOR = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
                 "isUserVerified": True, "automaticPresenceSimulation": True}


@pytest.fixture(scope="module")
def place():
    """A server with a host name, which browsers require for passkeys, and a tab with an authenticator."""
    stack = http_conftest.Stack(http_conftest.stack_folder("passkeys-web"), workers=2)
    conf = stack.directory / "planwright.conf"
    conf.write_text(conf.read_text().replace("base_url = http://127.0.0.1", "base_url = http://localhost"))
    stack.part("stop", "workers")
    stack.part("start", "workers")
    stack.url = stack.url.replace("127.0.0.1", "localhost")
    tab = Browser(stack)
    tab.cdp("WebAuthn.enable")
    tab.authenticator = tab.cdp("WebAuthn.addVirtualAuthenticator", options=AUTHENTICATOR)["authenticatorId"]
    yield stack, tab
    tab.quit()
    stack.close()


@pytest.fixture
def browser(place):
    tab = place[1]
    tab.reset()
    tab.cdp("WebAuthn.clearCredentials", authenticatorId=tab.authenticator)
    tab.cdp("WebAuthn.setUserVerified", authenticatorId=tab.authenticator, isUserVerified=True)
    yield tab
    tab.complain()


@pytest.fixture
def ada(place):
    return http_conftest.Person(place[0], "Ada Keys")


def add(browser, who, name="Laptop"):
    browser.sign_in(who)
    browser.open("/profile")
    region = browser.region("Passkeys")
    browser.fill("Name", name, region)
    browser.fill("Current password", who.password, region)
    browser.press("Add a passkey", region)
    browser.until(lambda: f"{name}" in region.text and "never used" in region.text)
    return region


def sign_out(browser):
    browser.expect("/services/v5/me", "/assets/demo.json")
    browser.driver.delete_all_cookies()
    browser.open("/signin")


def test_from_adding_to_removing(browser, ada):
    add(browser, ada)
    look(browser, "passkeys-profile")
    german(browser, "/profile", "passkeys")
    sign_out(browser)
    browser.find("button", "Sign in with a passkey")
    look(browser, "passkeys-signin")
    browser.press("Sign in with a passkey")
    browser.find("button", "Account")
    browser.open("/profile")
    region = browser.region("Passkeys")
    browser.until(lambda: "never used" not in region.text and "Laptop" in region.text)
    browser.press("Remove Laptop", region)
    browser.press("Remove", browser.find("dialog"))
    browser.until(lambda: "Laptop" not in browser.region("Passkeys").text)
    sign_out(browser)
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.press("Sign in with a passkey")
    browser.until(lambda: "does not sign in" in browser.text("alert"))


def test_the_audit_log_says_who_came_by_a_passkey(place, browser, ada):
    client = Client(place[0], ada.token)
    account = new_project(client)["account_id"]
    add(browser, ada)
    sign_out(browser)
    browser.press("Sign in with a passkey")
    browser.find("button", "Account")
    for language, words in (("en-US", "passkey "), ("de-DE", "Passkey ")):
        browser.language(language)
        browser.open(f"/accounts/{account}/audit")
        rows = browser.until(lambda: browser.js(
            "return [...document.querySelectorAll('.sheet tbody tr')].map(row => row.innerText)"))
        assert words in rows[0], rows[0]


def test_a_wrong_password_adds_none(browser, ada):
    browser.sign_in(ada)
    browser.open("/profile")
    region = browser.region("Passkeys")
    browser.expect("/services/v5/my/passkeys/options")
    browser.fill("Name", "Laptop", region)
    browser.fill("Current password", "wrong", region)
    browser.press("Add a passkey", region)
    browser.until(lambda: "This is not your password" in browser.text("alert"))


def test_whoever_changes_their_mind(browser, ada):
    add(browser, ada)
    sign_out(browser)
    browser.cdp("WebAuthn.setUserVerified", authenticatorId=browser.authenticator, isUserVerified=False)
    browser.press("Sign in with a passkey")
    browser.until(lambda: "showed no passkey" in browser.text("alert"))
    browser.fill("Login", ada.username)
    browser.fill("Password", ada.password)
    browser.press("Sign in")
    browser.find("button", "Account")


def test_where_the_host_is_a_number(stack, person, chromium):
    tab = chromium(0)
    tab.reset()
    tab.open("/signin")
    tab.find("button", "Sign in")
    tab.none("button", "Sign in with a passkey")
    assert ok(Client(stack).get("/session/options")) == {"password": True, "providers": []}
