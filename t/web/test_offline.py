"""No network, or no server: changes wait, the board says so, and they are sent as soon as
possible."""

import time

from opened import open_story, show
from world import ok


def story(board, name="Shelf"):
    return ok(board.client.get(board.at(name) + "?fields=name,description,comments(text),tasks(description)"))


def test_without_network(browser, board):
    from selenium.webdriver.common.keys import Keys

    browser.expect("/services/v5/", "ERR_INTERNET_DISCONNECTED")
    board.add("Shelf", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.network(offline=True)
    browser.find("textbox", "Add task", card).send_keys("saw", Keys.ENTER)
    browser.fill("Comment", "Later", card)
    browser.press("Add comment", card)
    browser.fill("Title", "My shelf", card)
    browser.press("Save", card)
    assert browser.card("My shelf")
    browser.until(lambda: "3 changes are waiting" in browser.text("status"))
    browser.shot("offline")
    assert story(board)["name"] == "Shelf"
    time.sleep(3)
    with browser.within_looks(board.id):
        browser.network()
        browser.until(lambda: story(board)["name"] == "My shelf")
    now = story(board)
    assert [c["text"] for c in now["comments"]] == ["Later"] and [t["description"] for t in now["tasks"]] == ["saw"]
    browser.until(lambda: "wait" not in browser.text("status"))


def test_a_reload_without_an_answer_keeps_what_was_saved(browser, board):
    browser.expect("/services/v5/", "ERR_INTERNET_DISCONNECTED")
    board.add("Shelf", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.network(offline=True)
    browser.fill("Title", "My shelf", card)
    browser.press("Save", card)
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    browser.network()
    browser.cdp("Network.setBlockedURLs", urls=["*/services/v5/*stories/*"])
    browser.driver.refresh()
    browser.cdp("Network.setBlockedURLs", urls=[])
    if story(board)["name"] == "My shelf":
        return
    card = open_story(browser, "Shelf")
    assert browser.find("textbox", "Title", card).get_property("value") == "My shelf"
    browser.press("Save", card)
    browser.until(lambda: story(board)["name"] == "My shelf")


def test_a_reload_keeps_what_was_saved_twice(browser, board):
    """The second Save comes before the first one is answered."""
    browser.expect("/services/v5/", "ERR_INTERNET_DISCONNECTED")
    board.add("Shelf", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.network(offline=True)
    browser.fill("Title", "My shelf", card)
    browser.press("Save", card)
    card = open_story(browser, "My shelf")
    browser.press("Edit description", card)
    browser.fill("Description", "Of oak", card)
    browser.press("Save", card)
    browser.until(lambda: "2 changes are waiting" in browser.text("status"))
    kept = browser.js("return Object.values(localStorage).join()")
    assert "My shelf" in kept and "Of oak" in kept
    browser.network()
    browser.until(lambda: story(board).get("description") == "Of oak")
    assert story(board)["name"] == "My shelf"
    browser.until(lambda: "Of oak" not in browser.js("return Object.values(localStorage).join()"))


def test_a_lost_answer_makes_nothing_twice(browser, board):
    """The server made the change, and the network failed before its response arrived."""
    browser.expect("/services/v5/", "ERR_")
    board.add("Shelf", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.js("""
        const real = window.fetch;
        let lost = 0;
        window.fetch = async (...args) => {
            const answer = await real(...args);
            if (args[1]?.method === 'POST' && lost++ === 0) throw new TypeError('lost');
            return answer;
        };""")
    browser.fill("Comment", "Once", card)
    browser.press("Add comment", card)
    browser.until(lambda: browser.js(
        "return document.querySelectorAll('.one-comment:not(.is-waiting)').length") == 1)
    assert [c["text"] for c in story(board)["comments"]] == ["Once"]


def test_while_the_server_says_503(browser, board):
    """The database is unavailable for a moment: changes wait until it answers."""
    browser.expect("/services/v5/", "503")
    board.add("Shelf", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.js("""
        const real = window.fetch;
        window.away = true;
        window.fetch = (address, init) => window.away && init?.method === 'PUT'
            ? Promise.resolve(new Response('{"kind": "error"}', {status: 503}))
            : real(address, init);""")
    browser.fill("Title", "My shelf", card)
    browser.press("Save", card)
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    assert browser.card("My shelf")
    browser.js("window.away = false")
    browser.press("Try again")
    browser.until(lambda: story(board)["name"] == "My shelf")
    browser.until(lambda: "wait" not in browser.text("status"))
