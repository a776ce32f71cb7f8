"""Where people end up who get lost: a mistyped address, an expired session, a report further down."""

import itertools

import pytest
from selenium.webdriver.common.keys import Keys

from client import Client
from opened import open_story, show
from test_live import is_live
from world import ok


def test_a_mistyped_address(browser, board, stack):
    people = Client(stack).request("GET", stack.url + "/projcts/1", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (people.status_code, people.headers["Content-Type"].split(";")[0]) == (404, "text/html")
    program = Client(stack).request("GET", stack.url + "/projcts/1", headers={"Accept": "application/json"})
    assert program.status_code == 404 and program.json()["code"] == "route_not_found"
    browser.expect("/projcts/1", "/services/v5/me")
    browser.open("/projcts/1")
    browser.until(lambda: browser.driver.find_elements("css selector", "main.notice h1"))
    assert browser.js("""const [h1] = document.querySelectorAll("main.notice h1"), [p] = document.querySelectorAll("main.notice p");
        return parseFloat(getComputedStyle(h1).fontSize) > parseFloat(getComputedStyle(p).fontSize)""")
    assert browser.path == "/projcts/1"
    assert browser.axe() == []
    browser.sign_in(board.who)
    browser.open("/projcts/1")
    browser.until(lambda: browser.driver.find_elements("css selector", "main.notice"))
    browser.shot("mistyped")


def test_an_ended_session_says_so(browser, board):
    browser.expect("/services/v5/", "demo.json")
    show(browser, board)
    browser.cdp("Network.clearBrowserCookies")
    # Unless the page has noticed by itself.
    browser.js("[...document.querySelectorAll('.sidebar button')].find(b => b.textContent === 'History')?.click()")
    browser.find("textbox", "Password")
    browser.until(lambda: "session has ended" in browser.text("status"))
    assert browser.axe() == []


def test_what_was_done_without_a_session_is_not_lost(browser, board, stack):
    """It waits until the same person signs in, and error texts for programs are not shown to people."""
    browser.expect("/services/v5/", "demo.json")
    board.add("Shelf", "unstarted")
    show(browser, board)
    # What the page requests by itself would find the session gone before anything is done without it.
    browser.until(lambda: browser.js("return performance.getEntriesByType('resource').some("
                                     "(e) => e.name.includes('/my/notifications') && e.responseEnd > 0)"))
    is_live(browser, stack)
    browser.cdp("Network.clearBrowserCookies")
    browser.press("Start", browser.card("Shelf"))
    browser.until(lambda: "session has ended" in browser.text("status"))
    assert browser.text("alert").strip() == ""
    assert board.state("Shelf") == "unstarted"
    browser.fill("Login", board.who.username)
    browser.fill("Password", board.who.password)
    browser.press("Sign in")
    browser.until(lambda: board.state("Shelf") == "started")
    browser.until(lambda: browser.label("Shelf").endswith(", started"))


@pytest.mark.parametrize("what", ["a deletion that is held", "a change that waits"])
def test_what_waits_for_the_next_sign_in_is_not_said_to_be_undone(browser, board, stack, what):
    browser.expect("/services/v5/", "demo.json")
    board.adds(["Shelf", "Lamp"], "unstarted")
    show(browser, board)
    card = open_story(browser, "Shelf")
    is_live(browser, stack)
    task = browser.find("textbox", "Add task", card)
    task.send_keys("saw")
    browser.card("Lamp").find_element("css selector", "[type=checkbox]").click()
    browser.find("button", "Delete")
    # What tells others that somebody types would find the session gone before anything is done without it.
    browser.cdp("Network.setBlockedURLs", urls=["*/presence"])
    browser.cdp("Network.clearBrowserCookies")
    browser.js("""window.said = [];
        new MutationObserver(() => said.push(...[...document.querySelectorAll('.toast > span')].map((node) => node.textContent)))
            .observe(document.querySelector('.toasts'), { subtree: true, childList: true, characterData: true })""")
    if what == "a change that waits":
        browser.press("Start", browser.card("Lamp"))
    else:
        # A deletion is held for five seconds, and the driver may need longer: both happen at once. The task is refused
        # first, without a message of its own.
        browser.js("arguments[0].click(); arguments[1].dispatchEvent(new KeyboardEvent('keydown', "
                   "{ key: 'Enter', bubbles: true, cancelable: true }))", browser.find("button", "Delete"), task)
    browser.undo_once("document.querySelector('[type=password]')")
    said = browser.until(lambda: [text for text in browser.js("return window.said") if "ndone" in text])
    assert set(said) == {"This cannot be undone any more"}
    browser.fill("Login", board.who.username)
    browser.fill("Password", board.who.password)
    browser.press("Sign in")
    browser.until(lambda: {s["name"]: s["current_state"] for s in board.stories()} == (
        {"Shelf": "unstarted"} if what == "a deletion that is held" else {"Shelf": "unstarted", "Lamp": "started"}))


def test_the_report_is_in_sight(browser, board):
    board.add("Done", "accepted")
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/overview?iteration=1")
    browser.until(lambda: browser.js("""const report = document.querySelector('.report .report-dates');
        if (!report) return false; const top = report.getBoundingClientRect().top; return top > 0 && top < innerHeight"""))


def test_german_days_below_the_axis(browser, board):
    board.add("Done", "accepted")
    browser.language("de-DE")
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/overview")
    browser.until(lambda: browser.js("return document.querySelectorAll('.axes text').length") > 5)
    for width in (1400, 390):
        browser.size(width, 900)
        browser.frames()
        for boxes in browser.js("""return [...document.querySelectorAll('svg .axes')].map(axes => {
                const low = [...axes.querySelectorAll(':scope > text')].map(text => text.getBoundingClientRect());
                return low.map(box => [box.left, box.right]).sort((a, b) => a[0] - b[0])})"""):
            for (_, right), (left, _) in itertools.pairwise(boxes):
                assert right < left
    # One page has one name.
    assert browser.js("return document.querySelector('.tabs [aria-current]').textContent") == "Auswertung"
    assert "Auswertung" in browser.js("return document.querySelector('h1').textContent")


def test_roles_are_in_line(browser, board):
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/members")
    browser.until(lambda: browser.js("return document.querySelectorAll('.line > select').length") == 2)
    assert len(set(browser.js("return [...document.querySelectorAll('.line > select')].map(s => s.getBoundingClientRect().left)"))) == 1


def test_one_comment(browser, board):
    for name, count in (("One", 1), ("Two", 2)):
        board.add(name, "unstarted")
        for n in range(count):
            ok(board.client.post(board.at(name) + "/comments", {"text": str(n)}))
    show(browser, board)
    assert "1 comment" in browser.card("One").text and "1 comments" not in browser.card("One").text
    assert "2 comments" in browser.card("Two").text
