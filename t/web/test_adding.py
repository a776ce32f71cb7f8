"""New stories: several lines at once, and where the focus is afterwards; the first steps."""

import pytest
from selenium.webdriver.common.keys import Keys

from looking import SIZES
from test_board import shown  # noqa: F401
from world import ok

LIST = "- First thing\n\n  * Second thing\n1. [x] Third thing\n\t\n"


def paste(browser, text):
    """Like Ctrl+V: the field gets the whole text at once."""
    browser.find("textbox", "Title").click()
    browser.cdp("Input.insertText", text=text)


def names(board):
    return [s["name"] for s in board.stories()]


def focus(browser):
    return browser.js("return document.activeElement.closest('[data-story]')?.ariaLabel ?? null")


@pytest.mark.parametrize("panel", ["Icebox", "Backlog"])
def test_lines_become_stories(shown, board, panel):  # noqa: F811
    board.add("Old", "unscheduled" if panel == "Icebox" else "unstarted")
    browser = shown()
    browser.press(f"Add story to {panel}")
    paste(browser, LIST)
    button = browser.find("button", "Add 3 stories")
    browser.shot("several-stories")
    assert browser.axe() == []
    before = board.version()
    button.click()
    made = ["First thing", "Second thing", "Third thing"]
    order = made + ["Old"] if panel == "Icebox" else ["Old"] + made
    browser.until(lambda: names(board) == order)
    assert board.version() == before + 3
    # The panels show the same order; what does not fit into the iteration is in the Backlog.
    browser.has(lambda: browser.titles("Icebox") if panel == "Icebox" else
                browser.titles("Current") + browser.titles("Backlog"), order)
    assert browser.find("textbox", "Title").get_property("value") == ""
    browser.keys(Keys.ESCAPE)
    browser.has(lambda: focus(browser), f"First thing, feature, unestimated, "
                f"{'unscheduled' if panel == 'Icebox' else 'unstarted'}")
    browser.keys(Keys.CONTROL + "z" + Keys.NULL)
    browser.until(lambda: names(board) == ["Old"])
    browser.keys(Keys.CONTROL + "y" + Keys.NULL)
    browser.until(lambda: names(board) == order)


def test_lines_may_stay_one_title(shown, board):  # noqa: F811
    board.add("Old")
    browser = shown()
    browser.press("Add story")
    paste(browser, "A title\nof two lines")
    browser.find("button", "Add 2 stories")
    browser.press("Save")
    browser.until(lambda: "A title of two lines" in names(board))
    paste(browser, "Only one\n\n")
    browser.frames()
    assert not browser.all("button", "Add 1 story")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "Only one" in names(board))


def test_many_lines_go_in_turns(shown, board):  # noqa: F811
    """No line of a long list is lost."""
    board.add("Old")
    browser = shown()
    browser.press("Add story")
    lines = [f"Line {n} {'x' * 60}" for n in range(1, 104)]
    paste(browser, "\n".join(lines))
    browser.press("Add the first 100 stories")
    browser.until(lambda: len(names(board)) == 101, 120)
    assert browser.find("textbox", "Title").get_property("value").split("\n") == lines[100:]
    browser.press("Add 3 stories")
    browser.until(lambda: len(names(board)) == 104)
    browser.keys(Keys.ESCAPE)
    browser.keys(Keys.CONTROL + "z" + Keys.NULL)
    browser.until(lambda: len(names(board)) == 101)


def test_a_title_that_is_too_long_stays(shown, board):  # noqa: F811
    board.add("Old")
    browser = shown()
    browser.press("Add story")
    paste(browser, "x" * 5001)
    browser.press("Save")
    browser.until(lambda: "A title has at most 5,000 characters." in browser.text("alert"))
    assert len(browser.find("textbox", "Title").get_property("value")) == 5001 and names(board) == ["Old"]


def test_the_focus_stays_on_the_new_card(shown, board):  # noqa: F811
    """Also when the server answers after Escape."""
    board.add("Old")
    browser = shown()
    browser.press("Add story to Icebox")
    browser.network(latency=400)
    browser.fill("Title", "Shelf")
    browser.keys(Keys.ENTER)
    browser.keys(Keys.ESCAPE)
    browser.has(lambda: (focus(browser) or "").split(",")[0], "Shelf")
    browser.until(lambda: "Shelf" in names(board))
    browser.network()
    browser.until(lambda: browser.js("return ![...document.querySelectorAll('[data-story]')].some(li => li.dataset.story < 0)"))
    browser.frames()
    browser.has(lambda: (focus(browser) or "").split(",")[0], "Shelf")
    browser.keys("o")
    browser.find("button", "Edit description", browser.card("Shelf"))


def test_first_steps_stay_until_they_are_done(browser, board):
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.find("heading", "First steps")
    browser.press("Add the first story")
    browser.fill("Title", "Shelf")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "1 of 4 done." in browser.text("status"))
    assert "Estimate it" in browser.text("status")
    browser.keys(Keys.ESCAPE)
    browser.until(lambda: names(board) == ["Shelf"])
    for scheme in ("light", "dark"):
        browser.colours(scheme)
        browser.shot(f"first-steps-begun-{scheme}")
        assert browser.axe() == []
    browser.colours("light")
    browser.size(*SIZES["narrow"])
    browser.shot("first-steps-begun-narrow")
    assert browser.axe() == [] and browser.js("return document.documentElement.scrollWidth") <= 360
    browser.size(1400, 900)
    browser.find("link", "Import from another tracker")
    browser.find("link", "Invite people").click()
    browser.find("heading", "Invite somebody")
    browser.driver.back()
    browser.until(lambda: "1 of 4 done." in browser.text("status"))
    browser.press("Estimate 2 points", browser.card("Shelf"))
    browser.until(lambda: "2 of 4 done." in browser.text("status"))
    story, = board.stories("id,name")
    ok(board.client.put(f"{board.path}/stories/{story['id']}", {"current_state": "unstarted"}))
    browser.until(lambda: "3 of 4 done." in browser.text("status"))
    browser.press("Start", browser.card("Shelf"))
    browser.until(lambda: "All first steps are done." in browser.text("status"))
    browser.none("heading", "First steps")
    browser.open(f"/n/projects/{board.id}")
    browser.card("Shelf")
    assert not browser.all("heading", "First steps")


def test_first_steps_can_be_sent_away(browser, board):
    browser.language("de-DE")
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.find("heading", "Erste Schritte")
    browser.shot("first-steps-german")
    browser.press("Erste Schritte ausblenden")
    browser.none("heading", "Erste Schritte")
    browser.open(f"/n/projects/{board.id}")
    browser.region("Icebox")
    browser.until(lambda: not browser.js("return document.querySelector('.loading')"))
    assert not browser.all("heading", "Erste Schritte")


@pytest.mark.parametrize("then", ["the form is open", "the form is closed"])
def test_a_title_that_is_refused_is_not_lost(shown, board, then):  # noqa: F811
    """The server refuses half a surrogate pair. Its title goes back to the field, or is there the next time."""
    board.add("Old")
    browser = shown()
    browser.expect("/services/v5/", "demo.json", "stories")
    browser.press("Add story to Icebox")
    browser.js("""const [field, closes] = arguments;
        field.value = 'Half ' + String.fromCharCode(0xd800);
        const press = (key) => field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        press('Enter');
        if (closes) press('Escape');""", browser.find("textbox", "Title"), then == "the form is closed")
    # The driver cannot carry half a pair.
    browser.until(lambda: browser.js("return document.querySelector('[role=alert] .toast') !== null"))
    if then == "the form is closed":
        browser.press("Add story to Icebox")
    browser.until(lambda: browser.js("return arguments[0].value.startsWith('Half ')", browser.find("textbox", "Title")))
    assert names(board) == ["Old"]
