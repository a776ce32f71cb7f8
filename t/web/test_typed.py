"""Nothing that was typed is lost: titles for two lists, the same story in two tabs, a reason for a rejection, and what
was typed for a story that is gone."""

import pytest
from selenium.webdriver.common.keys import Keys

from opened import open_story, show
from world import ok

# POSTs are answered when the page's release() is called; those of `wanted` are refused.
HELD = """const real = fetch;
    let go, released = new Promise((done) => (go = done));
    window.release = () => go();
    window.fetch = async (path, init) => {
        if (init?.method !== "POST") return real(path, init);
        window.isHeld = true;
        await released;
        return arguments[0] ? new Response('{"kind": "error", "general_problem": "Not that"}', { status: 400 })
            : real(path, init);
    }"""


def value(browser, name, within=None):
    return browser.find("textbox", name, within).get_property("value")


@pytest.mark.parametrize("how", ["typed", "refused"])
def test_a_title_stays_while_another_list_has_its_form_open(browser, board, how):
    board.add("Old")
    show(browser, board)
    browser.press("Add story to Icebox")
    browser.fill("Title", "Shelf")
    if how == "refused":
        browser.js(HELD, True)
        browser.keys(Keys.ENTER)
        browser.until(lambda: browser.js("return window.isHeld"))
    browser.press("Add story to Backlog")
    browser.fill("Title", "Lamp", browser.region("Backlog"))
    if how == "refused":
        browser.js("release()")
        browser.until(lambda: "Not that" in browser.text("alert"))
        assert value(browser, "Title", browser.region("Backlog")) == "Lamp"
    browser.driver.refresh()
    browser.painted()
    for panel, title in (("Backlog", "Lamp"), ("Icebox", "Shelf")):
        browser.press(f"Add story to {panel}")
        browser.has(lambda: value(browser, "Title", browser.region(panel)), title)


def test_drafts_of_two_tabs(browser, board):
    """A reload brings back what was typed for the same story in either tab."""
    board.add("Shelf", "started")
    show(browser, board)
    first = browser.driver.current_window_handle
    open_story(browser, "Shelf")
    browser.driver.switch_to.new_window("tab")
    show(browser, board)
    browser.fill("Title", "Large shelf", open_story(browser, "Shelf"))
    second = browser.driver.current_window_handle
    browser.driver.switch_to.window(first)
    browser.fill("Comment", "of oak", browser.card("Shelf"))
    browser.driver.switch_to.window(second)
    browser.driver.refresh()
    browser.painted()
    card = open_story(browser, "Shelf")
    assert (value(browser, "Title", card), value(browser, "Comment", card)) == ("Large shelf", "of oak")
    browser.driver.close()
    browser.driver.switch_to.window(first)


def test_a_dialog_ends_with_its_page_and_its_text_does_not(browser, board):
    """The session ends while somebody writes why a story is rejected."""
    browser.expect("/services/v5/", "demo.json")
    board.add("Shelf", "delivered")
    show(browser, board)
    browser.press("Reject", browser.card("Shelf"))
    browser.fill("Comment", "It wobbles", browser.find("dialog"))
    browser.cdp("Network.clearBrowserCookies")
    board.add("Lamp")  # with which the page finds the session gone
    browser.find("textbox", "Password")
    browser.none("dialog")
    browser.fill("Login", board.who.username)
    browser.fill("Password", board.who.password)
    browser.press("Sign in")
    browser.painted()
    browser.press("Reject", browser.card("Shelf"))
    browser.has(lambda: value(browser, "Comment", browser.find("dialog")), "It wobbles")
    browser.press("Reject", browser.find("dialog"))
    browser.until(lambda: board.state("Shelf") == "rejected")
    assert [c["text"] for c in ok(board.client.get(board.at("Shelf") + "/comments"))] == ["It wobbles"]
    browser.until(lambda: not browser.js("return Object.keys(localStorage).some((key) => key.includes('reject'))"))


def test_each_text_for_a_story_that_is_gone_can_be_copied(browser, board):
    """Also without TLS, where browsers have no clipboard for scripts; and each message says what it is about."""
    browser.expect("/services/v5/")
    board.add("Shelf", "started")
    board.add("Lamp", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.js(HELD, False)
    for text in ("First", "Second"):
        browser.fill("Comment", text, card)
        browser.press("Add comment", card)
    browser.until(lambda: browser.js("return window.isHeld"))
    board.client.delete(board.at("Shelf"))
    browser.until(lambda: not browser.js("return document.querySelector(`[data-story='${arguments[0]}']`)",
                                         board.ids["Shelf"]))
    browser.js("""Object.defineProperty(navigator, "clipboard", { value: undefined });
        window.copied = [];
        document.addEventListener("copy", ({ target: t }) => copied.push(t.value.slice(t.selectionStart, t.selectionEnd)));
        release()""")
    browser.until(lambda: len(browser.all("button", "Copy what I typed")) == 2)
    assert browser.text("alert").count("(Shelf)") == 2
    for _ in range(2):
        browser.press("Copy what I typed")
        browser.until(lambda: "Copied" in browser.text("status"))
    assert browser.js("return copied") == ["First", "Second"]
    browser.js("document.querySelector('.card .title').focus()")
    browser.keys("#")
    browser.has(lambda: browser.js("return copied[2]"), f"#{board.ids['Lamp']}")
    assert browser.js("return document.activeElement.closest('.card') !== null")
