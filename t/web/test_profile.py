"""The user's own profile, password, token and sessions; and the people of an account."""

import pytest
from selenium.webdriver.common.keys import Keys

from client import Client
from looking import german, look, still
from world import ok


@pytest.fixture
def somebody(person, browser):
    """A person with a known password, signed in and on the profile page."""
    who = person("Sam Somebody", initials="SS")
    browser.sign_in(who)
    browser.open("/profile")
    browser.region("Profile")
    still(browser)
    return who


def said(browser, words):
    browser.until(lambda: words in browser.text("status"), what=words)


def test_profile(browser, somebody, api):
    look(browser, "profile")
    browser.fill("Name", "Samantha Somebody")
    browser.fill("Initials", "SamS")
    browser.fill("Time zone", "Europe/Vienna")
    browser.press("Save", browser.region("Profile"))
    said(browser, "Saved")
    mine = ok(api(somebody).get("/me"))
    assert [mine["name"], mine["initials"], mine["time_zone"]["olson_name"]] == [
        "Samantha Somebody", "SamS", "Europe/Vienna"]
    assert mine["username"] == somebody.username
    german(browser, "/profile", "profile")


def test_taken_name(browser, somebody, mate):
    browser.expect("/services/v5/")
    browser.fill("User name", mate.username)
    browser.press("Save", browser.region("Profile"))
    browser.until(lambda: browser.text("alert").strip())
    browser.shot("profile-refused")


def test_language(browser, second, somebody):
    browser.find("combobox", "Language").send_keys("Deutsch")
    browser.press("Save", browser.region("Profile"))
    browser.region("Profil")
    assert browser.js("return document.documentElement.lang") == "de"
    second.sign_in(somebody)
    second.open("/dashboard")
    second.region("Projekte")
    browser.find("combobox", "Sprache").send_keys("Wie der Browser")
    browser.press("Speichern", browser.region("Profil"))
    browser.region("Profile")


def test_address(browser, somebody, api):
    region = browser.region("Email address")
    browser.expect("/services/v5/")
    browser.fill("Email address", "other@example.test", region)
    browser.fill("Current password", "wrong", region)
    browser.press("Change address", region)
    browser.until(lambda: browser.text("alert").strip())
    assert browser.path == "/profile", "a wrong password signs nobody out"
    browser.fill("Current password", somebody.password, region)
    browser.press("Change address", region)
    said(browser, "Saved")
    assert ok(api(somebody).get("/me"))["email"] == "other@example.test"


def test_password(browser, somebody, stack, api):
    region = browser.region("Password")
    browser.expect("/services/v5/")
    stack.secrets.append("another one 1234")
    browser.fill("Current password", "wrong", region)
    browser.fill("New password", "another one 1234", region)
    browser.press("Change password", region)
    browser.until(lambda: browser.text("alert").strip())
    browser.fill("Current password", somebody.password, region)
    browser.find("checkbox", "Keep my API tokens and passkeys", region).click()
    browser.press("Change password", region)
    said(browser, "Password changed")
    assert api(somebody).get("/me").status_code == 200
    browser.open("/profile")
    browser.region("Password")
    answer = Client(stack).post("/session", {"login": somebody.username, "password": "another one 1234"},
                                headers={"X-Requested-With": "planwright"})
    assert answer.status_code == 200


def test_token(browser, somebody, api, stack):
    region = browser.region("Token for programs")
    browser.expect("/services/v5/")
    assert somebody.token not in browser.js("return document.documentElement.outerHTML")
    browser.fill("Current password", "wrong", region)
    browser.press("Show my token", region)
    browser.until(lambda: "This is not your password" in browser.text("alert"))
    browser.fill("Current password", somebody.password, region)
    browser.press("Show my token", region)
    browser.until(lambda: somebody.token in region.text)
    browser.press("Hide", region)
    browser.until(lambda: somebody.token not in region.text)
    browser.find("checkbox", "Create a new one", region, starts=True).click()
    browser.fill("Current password", somebody.password, region)
    browser.press("Create a new token", region)
    token = browser.until(lambda: region.find_elements("tag name", "code"))[0].text
    stack.secrets.append(token)
    assert token != somebody.token
    assert api(token).get("/me").status_code == 200
    assert api(somebody).get("/me").status_code == 403


def test_sessions(browser, second, somebody):
    second.sign_in(somebody)
    second.open("/profile")
    second.region("Where you are signed in")
    # The same cookie is the same session: signing in with the form begins another one.
    second.driver.delete_all_cookies()
    second.expect("/services/v5/", "/assets/demo.json")
    second.open("/signin")
    second.fill("Login", somebody.username)
    second.fill("Password", somebody.password)
    second.press("Sign in")
    second.find("button", "Account")
    browser.open("/profile")
    region = browser.region("Where you are signed in")
    browser.until(lambda: "this browser" in region.text and "last used" in region.text)
    browser.press("End the session in Chrome, Linux", region)
    browser.none("button", "End the session in Chrome, Linux", region)
    second.open("/dashboard")
    second.find("button", "Sign in")
    browser.expect("/assets/demo.json", "/services/v5/")
    browser.press("Sign out", region)
    browser.find("button", "Sign in")
    assert browser.path == "/signin"


def test_account(browser, board, mate, api):
    account = board.project["account_id"]
    browser.sign_in(board.who)
    browser.open(f"/accounts/{account}")
    browser.find("checkbox", f"Project creator: {mate.name}").click()
    said(browser, "Saved")
    look(browser, "account")
    people = lambda: {m["person"]["name"]: m["project_creator"]  # noqa: E731
                      for m in ok(board.client.get(f"/accounts/{account}/memberships"))}
    assert people()[mate.name] is True
    browser.fill("Email address", "anna.account@example.test")
    browser.fill("Name", "Anna Account")
    browser.press("Add")
    browser.press("Remove Anna Account")
    browser.press("Remove", browser.find("dialog"))
    browser.until(lambda: "Anna Account" not in people())
    browser.find("checkbox", f"Project creator: {mate.name}").click()
    browser.until(lambda: people()[mate.name] is False)
    browser.sign_in(mate)
    browser.open(f"/accounts/{account}")
    browser.find("button", "Leave this account")
    assert not browser.find("checkbox", f"Project creator: {mate.name}").is_enabled()
    assert browser.axe() == []
    browser.open("/accounts")
    browser.region("Accounts")
    look(browser, "accounts")


def test_menus_by_keys(browser, somebody):
    browser.press("Account")
    here = lambda: browser.js("return document.activeElement.textContent")  # noqa: E731
    for key, name in ((Keys.END, "Sign out"), (Keys.HOME, "Sam Somebody"), ("d", "Dashboard"), ("s", "Sign out"),
                      (Keys.ARROW_DOWN, "Sam Somebody")):
        browser.keys(key)
        browser.until(lambda: here() == name, what=name)
    browser.keys(Keys.ESCAPE)
    assert "Account" in here()


def test_a_form_keeps_the_focus(browser, somebody, api):
    """While it is being sent, and afterwards."""
    browser.fill("Name", "Samantha S.")
    browser.find("button", "Save", browser.region("Profile")).send_keys(Keys.ENTER)
    said(browser, "Saved")
    assert browser.js("return document.activeElement.textContent") == "Save"
