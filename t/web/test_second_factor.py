"""The second factor in a browser: setting it up, signing in with it, turning it off, and where it is required."""

import pytest

from authenticator import Device
from browser import PICTURES
from client import Client
from looking import german, look
from test_signin import sign_in
from world import new_project, ok

FIRST = "Scan this with an authenticator app"


@pytest.fixture
def somebody(person, browser):
    who = person("Sam Somebody", initials="SS")
    browser.sign_in(who)
    return who


def begin(browser, who, stack, region):
    """Begins to set it up; returns a device with the secret, which the page shows as a code and as an address."""
    browser.fill("Current password", who.password, region)
    browser.press("Set it up", region)
    browser.until(lambda: FIRST in region.text)
    secret = region.find_element("css selector", "code").text.replace(" ", "")
    stack.secrets.append(secret)
    address = browser.find("link", "Open it in an app", region, starts=True).get_attribute("href")
    assert address.startswith("otpauth://totp/planwright:") and f"secret={secret}" in address
    return Device(secret)


def turn_on(browser, device, stack, region):
    browser.fill("Code", device.code(), region)
    browser.press("Turn on", region)
    browser.until(lambda: "Recovery codes" in region.text)
    codes = [li.text for li in region.find_elements("css selector", "ul.codes li")]
    stack.secrets.extend(codes)
    assert len(set(codes)) == 10
    return codes


def test_from_set_up_to_off(browser, somebody, stack, api):
    browser.open("/profile")
    region = browser.region("Second factor")
    browser.expect("/services/v5/")
    browser.fill("Current password", "wrong", region)
    browser.press("Set it up", region)
    browser.until(lambda: "This is not your password" in browser.text("alert"))
    device = begin(browser, somebody, stack, region)
    assert browser.js("return document.activeElement.name") == "code"
    look(browser, "second-factor-scan")
    region.find_element("css selector", ".qr").screenshot(str(PICTURES / "second-factor-qr.png"))
    browser.fill("Code", "000 000" if device.code() != "000000" else "111 111", region)
    browser.press("Turn on", region)
    browser.until(lambda: "Wrong code" in browser.text("alert"))
    codes = turn_on(browser, device, stack, region)
    look(browser, "second-factor-codes")
    browser.js("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as it is without https
    browser.press("Copy", region)
    browser.until(lambda: "does not allow copying" in browser.text("alert"))
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    assert browser.js("""return [...document.querySelectorAll('.block')].filter(b => b.checkVisibility()).length""") == 1
    browser.cdp("Emulation.setEmulatedMedia", media="")
    browser.press("I have kept them", region)
    browser.until(lambda: "10 recovery codes left" in region.text)
    assert codes[0] not in browser.js("return document.documentElement.outerHTML")
    look(browser, "second-factor-on")
    german(browser, "/profile", "second-factor")
    browser.open("/profile")
    region = browser.region("Second factor")
    browser.fill("Current password", somebody.password, region)
    browser.fill("Code", "not-a-code", region)
    browser.press("Turn off", region)
    browser.until(lambda: "Wrong password or code" in browser.text("alert"))
    browser.fill("Code", codes[0], region)
    browser.press("Turn off", region)
    browser.find("button", "Set it up", region)
    assert not ok(api(somebody).get("/my/second_factor"))["enabled"]


@pytest.fixture
def owner(person, browser, stack, api):
    """A person with a second factor, not signed in."""
    somebody = person("Olga Owner", initials="OO")
    begun = ok(api(somebody).post("/my/second_factor", {"password": somebody.password}))
    stack.secrets.append(begun["secret"])
    somebody.device = Device(begun["secret"])
    somebody.codes = ok(api(somebody).put("/my/second_factor", {"code": somebody.device.code()}))["recovery_codes"]
    stack.secrets.extend(somebody.codes)
    browser.expect("/services/v5/", "/assets/demo.json")
    return somebody


def test_signing_in(browser, owner):
    browser.open("/profile")
    sign_in(browser, owner.email, owner.password)
    browser.find("textbox", "Code")
    assert browser.js("return document.activeElement.name") == "code"
    look(browser, "signin-code")
    browser.fill("Code", "123-wrong")
    browser.press("Sign in")
    browser.until(lambda: "Wrong code" in browser.text("alert"))
    browser.press("Back")
    browser.find("textbox", "Password")
    browser.press("Sign in")
    browser.fill("Code", owner.codes[0])
    browser.press("Sign in")
    region = browser.region("Second factor")
    browser.until(lambda: "9 recovery codes left" in region.text)


def test_a_new_password_asks_for_a_code(browser, owner, stack):
    browser.open("/profile")
    sign_in(browser, owner.email, owner.password)
    browser.fill("Code", owner.device.code())
    browser.press("Sign in")
    region = browser.region("Password")
    stack.secrets.append("another one 1234")
    browser.fill("Current password", owner.password, region)
    browser.fill("New password", "another one 1234", region)
    browser.fill("Code", owner.codes[1], region)
    browser.press("Change password", region)
    browser.until(lambda: "Password changed" in browser.text("status"))
    browser.open("/dashboard")
    browser.find("button", "Account")


def test_a_new_password_and_a_wrong_code(browser, owner, stack):
    """The password is changed although the code is wrong; signing in needs the new one."""
    browser.open("/profile")
    sign_in(browser, owner.email, owner.password)
    browser.fill("Code", owner.codes[3])
    browser.press("Sign in")
    region = browser.region("Password")
    stack.secrets.append("another one 1234")
    browser.fill("Current password", owner.password, region)
    browser.fill("New password", "another one 1234", region)
    browser.fill("Code", "not-it", region)
    browser.press("Change password", region)
    browser.until(lambda: "Password changed" in browser.text("status"))
    browser.until(lambda: browser.path.startswith("/signin"))
    sign_in(browser, owner.email, "another one 1234")
    browser.fill("Code", owner.codes[4])
    browser.press("Sign in")
    browser.region("Second factor")


def test_a_token_is_made_and_not_shown(browser, owner, stack, api):
    browser.open("/profile")
    sign_in(browser, owner.email, owner.password)
    browser.fill("Code", owner.codes[2])
    browser.press("Sign in")
    region = browser.region("Token for programs")
    browser.fill("Current password", owner.password, region)
    browser.press("Create a new token", region)
    token = browser.until(lambda: region.find_elements("tag name", "code"))[0].text
    stack.secrets.append(token)
    assert ok(api(token).get("/me"))["id"] == owner.id


@pytest.fixture
def account(board):
    """The board's account; others work in it, too, so what it requires is reset after the test."""
    yield board.project["account_id"]
    ok(board.client.put(f"/accounts/{board.project['account_id']}", {"second_factor": None}))


def test_where_it_is_required(browser, person, stack, board, account, api):
    who = person("Eve Enrols", initials="EE")
    ok(board.client.post(f"{board.path}/memberships", {"person_id": who.id, "role": "member"}))
    browser.sign_in(board.who)
    browser.open(f"/accounts/{account}")
    browser.find("combobox", "Second factor of its people").send_keys("Required")
    browser.until(lambda: "Saved" in browser.text("status"))
    assert ok(board.client.get(f"/accounts/{account}"))["second_factor"] == "required"
    browser.reset()
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.sign_in(who)
    browser.open(f"/n/projects/{board.id}")
    region = browser.region("Second factor")
    browser.until(lambda: "required here" in region.text)
    look(browser, "second-factor-required")
    device = begin(browser, who, stack, region)
    turn_on(browser, device, stack, region)
    browser.press("I have kept them", region)
    browser.region("Current")
    assert browser.path == f"/n/projects/{board.id}"


def test_signing_out_instead(browser, person, stack, api):
    who = person("Sid Signs-Out", initials="SO")
    account = new_project(Client(stack, who.token))["account_id"]
    ok(api(who).put(f"/accounts/{account}", {"second_factor": "required"}))
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.sign_in(who)
    browser.open("/dashboard")
    browser.press("Sign out", browser.region("Second factor"))
    browser.find("textbox", "Login")
