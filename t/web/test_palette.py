"""Ctrl+K, the story's number, folding, previews, and the way back."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from opened import open_story, show
from test_board import state
from world import ok


def palette(browser, text):
    browser.keys(Keys.CONTROL, "k")
    dialog = browser.find("dialog")
    browser.until(lambda: browser.js("return document.activeElement.getAttribute('role')") == "combobox")
    browser.keys(text)
    return dialog


def first(browser):
    return browser.js("return document.querySelector('.palette [aria-selected=true]')?.textContent")


def test_stories_by_word_and_number(browser, board):
    board.add("A shelf of oak", "unscheduled")
    board.add("A chair", "unscheduled")
    show(browser, board)
    for text in ("oak shelf", str(board.ids["A shelf of oak"]), f"#{board.ids['A shelf of oak']}"):
        palette(browser, text)
        browser.until(lambda: (first(browser) or "").startswith("A shelf of oak"))
        browser.keys(Keys.ENTER)
        browser.none("dialog")
        card = browser.card("A shelf of oak")
        browser.find("button", "Edit description", card)
        browser.press("Cancel", card)
        browser.none("textbox", "Title")
        browser.open(f"/n/projects/{board.id}")
        browser.card("A chair")


def test_panels_commands_and_projects(browser, board):
    board.add("At hand", "unscheduled")
    show(browser, board)
    palette(browser, "blocked")
    browser.keys(Keys.ENTER)
    browser.region("Blocked")
    browser.js("arguments[0].focus()", browser.find("button", "At hand"))
    palette(browser, "next state")
    browser.until(lambda: "s" in (first(browser) or ""))
    assert browser.axe() == []
    browser.shot("palette")
    browser.keys(Keys.ENTER)
    browser.until(lambda: state(board, "At hand")["current_state"] == "started")
    browser.open("/dashboard")
    browser.until(lambda: browser.js("return !!document.querySelector('main') && !document.querySelector('.loading')"))
    palette(browser, board.project["name"])
    browser.until(lambda: (first(browser) or "").startswith(board.project["name"]), what="the project")
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    browser.region("Current")


def test_in_german(browser, board):
    browser.language("de-DE")
    show_german = f"/n/projects/{board.id}"
    browser.sign_in(board.who)
    browser.open(show_german)
    browser.region("Aktuell")
    palette(browser, "blockiert")
    browser.keys(Keys.ENTER)
    browser.region("Blockiert")
    browser.language("en-US")


def test_the_number_is_copied(browser, board):
    board.add("Numbered", "unscheduled")
    browser.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    show(browser, board)
    number = f"#{board.ids['Numbered']}"
    browser.js("arguments[0].focus()", browser.find("button", "Numbered"))
    browser.keys("#")
    browser.until(lambda: f"Copied {number}" in browser.text("status"))
    assert browser.driver.execute_async_script(
        "const done = arguments[0]; navigator.clipboard.readText().then(done, e => done(String(e)))") == number
    card = open_story(browser, "Numbered")
    browser.press(f"Copy {number}", card)
    browser.until(lambda: f"Copied {number}" in browser.text("status"))


def test_all_that_can_be_done(browser, board):
    """A full stop opens the menu of all actions, m only that of moves."""
    board.add("At hand", "unscheduled")
    show(browser, board)
    browser.js("arguments[0].focus()", browser.find("button", "At hand"))
    browser.keys(".")
    for name in ("Next state", "Copy its number", "Top of Backlog"):
        browser.find("menuitem", name)
    browser.keys(Keys.ESCAPE)
    browser.none("menuitem", "Copy its number")
    assert browser.js("return document.activeElement.textContent") == "At hand"
    browser.keys("m")
    browser.find("menuitem", "Top of Backlog")
    assert not browser.all("menuitem", "Copy its number")


def test_accepted_stories_are_folded(browser, board):
    board.adds(["Done one", "Done two"], "accepted")
    board.add("In work", "started")
    show(browser, board)
    assert browser.titles("Current") == ["Done one", "Done two", "In work"]
    browser.press("2 accepted stories")
    browser.has(lambda: browser.titles("Current"), ["In work"])
    browser.driver.refresh()
    browser.card("In work")
    browser.has(lambda: browser.titles("Current"), ["In work"])
    browser.js("document.activeElement.blur()")
    browser.keys("f")
    browser.has(lambda: browser.titles("Current"), ["Done one", "Done two", "In work"])


@pytest.mark.parametrize("how", ["pointer", "key"])
def test_a_look_without_opening(browser, board, how):
    board.add("Covered", "unscheduled", description="What **it** is about")
    for n in range(3):
        ok(board.client.post(board.at("Covered") + "/comments", {"text": f"Word {n}"}))
    show(browser, board)
    if how == "key":
        browser.js("arguments[0].focus()", browser.find("button", "Covered"))
        browser.keys("v")
    else:
        ActionChains(browser.driver).move_to_element(browser.card("Covered")).perform()
        browser.frames()
        ActionChains(browser.driver).move_by_offset(3, 1).perform()
    said = browser.until(lambda: browser.js("return document.querySelector('.preview .one-comment') &&"
                                            " document.querySelector('.preview').innerText"))
    browser.until(lambda: "Word 2" in browser.js("return document.querySelector('.preview').innerText"))
    said = browser.js("return document.querySelector('.preview').innerText")
    assert "What it is about" in said and "Word 1" in said and "Word 0" not in said
    assert not browser.all("textbox", "Title")
    browser.shot(f"preview-{how}")
    browser.keys(Keys.ESCAPE)
    browser.until(lambda: not browser.js("return document.querySelector('.preview')"))


def test_back_closes_a_story_on_a_phone(browser, board):
    board.adds(["One", "Two"], "unstarted")
    show(browser, board)
    browser.size(390, 844)
    browser.press("One")
    browser.find("textbox", "Add task")
    browser.driver.back()
    browser.none("textbox", "Add task")
    assert browser.path == f"/n/projects/{board.id}"
    browser.press("Two")
    browser.find("textbox", "Add task")
    browser.press("Cancel", browser.card("Two"))
    browser.none("textbox", "Add task")
    assert browser.path == f"/n/projects/{board.id}"
    browser.press("One")
    browser.find("textbox", "Add task")


def test_back_brings_open_stories_back(browser, board):
    board.adds(["One", "Two"], "unstarted")
    show(browser, board)
    for name in ("One", "Two"):
        open_story(browser, name)
    browser.find("link", f"#{board.ids['Two']}").click()
    browser.find("link", "Show in board")
    browser.driver.back()
    for name in ("One", "Two"):
        browser.find("button", "Edit description", browser.card(name))


def test_the_form_of_a_story(browser, board):
    board.add("Alone", "delivered", description="First of all")
    show(browser, board)
    card = open_story(browser, "Alone")
    top = browser.js("""return ['.markdown', '.fields'].map(name =>
        arguments[0].querySelector(name).getBoundingClientRect().top)""", card)
    assert top[0] < top[1]
    for name in ("Blockers", "Tasks", "Reviews"):
        assert browser.js("""return [...arguments[0].querySelectorAll('.part')]
            .find(part => part.getAttribute('aria-label') === arguments[1]).offsetHeight""", card, name) <= 40
    assert browser.axe() == []
    browser.open(f"/story/show/{board.ids['Alone']}")
    browser.press("Accept")
    browser.until(lambda: state(board, "Alone")["current_state"] == "accepted")


def test_the_side_bar_folds(browser, board):
    show(browser, board)
    bar = browser.driver.find_element("css selector", ".sidebar")
    wide = bar.size["width"]
    browser.press("Fold the side bar")
    browser.until(lambda: bar.size["width"] < 60 < wide)
    browser.press("Icebox")
    browser.none("region", "Icebox")
    assert browser.axe() == []
    browser.driver.refresh()
    browser.press("Unfold the side bar")
    browser.until(lambda: browser.driver.find_element("css selector", ".sidebar").size["width"] == wide)
