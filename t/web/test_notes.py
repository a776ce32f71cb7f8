"""The bell, and addresses that lead straight to what a notification is about."""

import pytest

from client import Client
from looking import german, look
from world import ok


@pytest.fixture
def told(stack, board, person, mate):
    """A person with notifications about three stories."""
    who = person("Nadia Notified", initials="NN")
    ok(board.client.post(f"{board.path}/memberships", {"person_id": who.id, "role": "member"}))
    ok(Client(stack, who.token).put("/my/notifications/mark_read",
                                    {"before": ok(Client(stack, who.token).get(
                                        "/my/notifications?notification_types=:all"))[0]["id"]}), 204)
    for name in ("One", "Two", "Three"):
        board.add(name, "unstarted")
        ok(board.client.post(board.at(name) + "/owners", {"id": who.id}))
    return who


def bell(browser):
    node = browser.find("button", "Notifications")
    return browser.js("return document.getElementById(arguments[0].getAttribute('aria-describedby')).textContent",
                      node)


def test_bell(browser, board, told):
    browser.sign_in(told)
    browser.open(f"/n/projects/{board.id}")
    browser.until(lambda: bell(browser) == "3 unread")
    browser.press("Notifications")
    region = browser.region("Notifications")
    browser.find("link", "Two", region)
    assert "You" in region.text or "owner" in region.text.lower()
    browser.driver.execute_script("document.activeElement.blur()")
    look(browser, "notifications")
    browser.find("link", "Two", region).click()
    browser.until(lambda: bell(browser) == "2 unread")
    browser.none("region", "Notifications")
    assert browser.path == f"/n/projects/{board.id}/stories/{board.ids['Two']}"
    browser.press("Notifications")
    browser.press("Mark all as read", browser.region("Notifications"))
    browser.until(lambda: bell(browser) == "0 unread")
    assert all(n.get("read_at") for n in ok(Client(board.client.stack, told.token).get("/my/notifications")))
    browser.keys("\ue00c")
    browser.none("region", "Notifications")
    ok(board.client.post(f"{board.at('One')}/comments", {"text": f"@{told.username} look"}))
    browser.until(lambda: bell(browser) == "1 unread", 8)


def test_no_notifications(browser, person):
    who = person("Nobody Told")
    browser.sign_in(who)
    browser.open("/dashboard")
    browser.press("Notifications")
    browser.until(lambda: "Nothing yet" in browser.region("Notifications").text)
    browser.shot("notifications-empty")
    german(browser, "/dashboard", "dashboard-empty")


@pytest.mark.parametrize("address", ["/story/show/{story}", "/projects/{project}/stories/{story}",
                                     "/stories/{story}", "/n/projects/{project}/stories/{story}"])
def test_old_addresses_of_stories(browser, board, address):
    story = board.add("Known for years", "unstarted")["id"]
    browser.sign_in(board.who)
    browser.open(address.format(story=story, project=board.id))
    browser.until(lambda: "Known for years" in browser.js("return document.body.textContent"))


def test_old_address_of_an_epic(browser, board):
    epic = ok(board.client.post(f"{board.path}/epics", {"name": "Epic for years"}))["id"]
    browser.sign_in(board.who)
    browser.open(f"/epic/show/{epic}")
    browser.until(lambda: f"/epics/{epic}" in browser.path or f"/epic/show/{epic}" in browser.path)
    browser.until(lambda: browser.all("button", "Account"))


def test_what_is_gone_is_told(browser, board):
    browser.sign_in(board.who)
    for address in (f"/n/projects/{board.id}/epics/1", f"/n/projects/{board.id}/stories/1"):
        browser.open(address)
        browser.until(lambda: "no longer exists" in browser.text("alert"))


def test_signed_out_and_back(browser, board):
    story = board.add("Behind the door", "unstarted")["id"]
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.open(f"/story/show/{story}")
    browser.fill("Login", board.who.username)
    browser.fill("Password", board.who.password)
    browser.press("Sign in")
    browser.until(lambda: "Behind the door" in browser.js("return document.body.textContent"))
