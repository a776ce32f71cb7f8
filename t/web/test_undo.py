"""Undo reverts everything that a command did, and redo repeats it; changes by others are not overwritten."""

import pytest
from selenium.webdriver.common.keys import Keys

from client import Client
from test_board import shown, state  # noqa: F401
from world import ok


@pytest.fixture
def other(stack, mate):
    return Client(stack, mate.token)


def names(board):
    return [s["name"] for s in board.stories()]


def comments(board, name):
    return [c["text"] for c in ok(board.client.get(board.at(name) + "/comments"))]


def press(browser, *keys):
    """Presses Ctrl and a key, wherever the focus is."""
    for key in keys:
        browser.keys(Keys.CONTROL + key + Keys.NULL)


def said(browser, words, role="status"):
    browser.until(lambda: words in browser.text(role), what=words)


def test_a_rejection_goes_back_with_its_comment(shown, board):  # noqa: F811
    board.add("Shelf", "delivered")
    ok(board.client.post(board.at("Shelf") + "/comments", {"text": "Too narrow"}))
    browser = shown()
    browser.press("Reject", browser.card("Shelf"))
    dialog = browser.find("dialog")
    browser.fill("Comment", "Too narrow", dialog)
    browser.press("Reject", dialog)
    browser.until(lambda: comments(board, "Shelf") == ["Too narrow", "Too narrow"])
    press(browser, "z")
    said(browser, "Undone: “Shelf” is rejected")
    browser.until(lambda: state(board, "Shelf")["current_state"] == "delivered")
    browser.until(lambda: comments(board, "Shelf") == ["Too narrow"])
    press(browser, Keys.SHIFT + "z")
    said(browser, "Redone: “Shelf” is rejected")
    browser.until(lambda: comments(board, "Shelf") == ["Too narrow", "Too narrow"])
    browser.until(lambda: state(board, "Shelf")["current_state"] == "rejected")
    browser.undo()
    browser.until(lambda: comments(board, "Shelf") == ["Too narrow"])
    browser.until(lambda: state(board, "Shelf")["current_state"] == "delivered")


def test_back_and_forth(shown, board):  # noqa: F811
    board.add("One", "unstarted", estimate=None)
    board.add("Two", "unstarted", estimate=1)
    browser = shown()
    browser.press("Estimate 2 points", browser.card("One"))
    browser.until(lambda: state(board, "One").get("estimate") == 2)
    browser.press("Start", browser.card("Two"))
    browser.until(lambda: state(board, "Two")["current_state"] == "started")
    press(browser, "z", "z")
    browser.until(lambda: "estimate" not in state(board, "One"))
    assert state(board, "Two")["current_state"] == "unstarted" and state(board, "Two")["owner_ids"] == []
    browser.shot("undone")
    assert browser.axe() == []
    press(browser, "y")
    browser.until(lambda: state(board, "One").get("estimate") == 2)
    assert state(board, "Two")["current_state"] == "unstarted"
    press(browser, Keys.SHIFT + "z")
    browser.until(lambda: state(board, "Two")["current_state"] == "started")
    assert state(board, "Two")["owner_ids"] == [board.who.id]
    # A new change clears what could be redone.
    press(browser, "z")
    browser.until(lambda: state(board, "Two")["current_state"] == "unstarted")
    browser.press("Start", browser.card("One"))
    browser.until(lambda: state(board, "One")["current_state"] == "started")
    press(browser, "y")
    browser.frames()
    assert "Redone" not in browser.text("status") and state(board, "Two")["current_state"] == "unstarted"


def test_what_others_changed_is_not_overwritten(shown, board, other):  # noqa: F811
    board.add("Shelf", "unstarted", estimate=None)
    browser = shown()
    browser.press("Estimate 2 points", browser.card("Shelf"))
    browser.until(lambda: state(board, "Shelf").get("estimate") == 2)
    ok(other.put(board.at("Shelf"), {"estimate": 3}))
    browser.until(lambda: "3 points" in browser.label("Shelf"))
    press(browser, "z")
    said(browser, "Not undone, because it was changed since: Estimated “Shelf”: 2", "alert")
    browser.shot("undo-overtaken")
    assert browser.axe() == []
    assert state(board, "Shelf")["estimate"] == 3
    browser.press("Undo anyway")
    browser.until(lambda: "estimate" not in state(board, "Shelf"))
    ok(other.put(board.at("Shelf"), {"estimate": 1}))
    browser.until(lambda: "1 point" in browser.label("Shelf"))
    press(browser, "y")
    said(browser, "Not redone, because it was changed since", "alert")
    assert state(board, "Shelf")["estimate"] == 1


def test_what_the_server_refuses_is_said(shown, board, other):  # noqa: F811
    """The story was deleted before the change is undone."""
    board.add("Shelf", "unstarted", estimate=None)
    browser = shown()
    browser.press("Estimate 2 points", browser.card("Shelf"))
    browser.until(lambda: state(board, "Shelf").get("estimate") == 2)
    browser.expect("/services/v5/")
    browser.cdp("Network.setBlockedURLs", urls=["*/activity*"])
    ok(other.delete(board.at("Shelf")), 204)
    press(browser, "z")
    browser.until(lambda: browser.text("alert"))
    press(browser, "y")
    browser.frames()
    assert "Redone" not in browser.text("status")


def test_a_new_story_comes_back(shown, board):  # noqa: F811
    """Redo creates another story, to which the later changes are applied."""
    board.add("Old")
    browser = shown()
    browser.press("Add story")
    browser.fill("Title", "Shelf")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "Shelf" in names(board))
    browser.keys(Keys.ESCAPE)
    browser.press("Estimate 3 points", browser.card("Shelf"))
    browser.until(lambda: [s.get("estimate") for s in board.stories("name,estimate") if s["name"] == "Shelf"] == [3])
    press(browser, "z", "z")
    browser.until(lambda: names(board) == ["Old"])
    press(browser, "y", "y")
    browser.until(lambda: [s.get("estimate") for s in board.stories("name,estimate") if s["name"] == "Shelf"] == [3])
    browser.until(lambda: "3 points" in browser.label("Shelf"))
    press(browser, "z", "z")
    browser.until(lambda: names(board) == ["Old"])


def test_a_form_goes_back_with_its_description(shown, board):  # noqa: F811
    board.add("Shelf", "unstarted", description="Of oak")
    browser = shown()
    browser.press("Shelf", browser.card("Shelf"))
    card = browser.card("Shelf")
    browser.press("Edit description", card)
    browser.fill("Description", "Of pine", card)
    browser.fill("Title", "Long shelf", card)
    browser.press("Save", card)
    look = lambda: (lambda s: (s["name"], s["description"]))(  # noqa: E731
        ok(board.client.get(board.at("Shelf") + "?fields=name,description")))
    browser.until(lambda: look() == ("Long shelf", "Of pine"))
    browser.undo()
    browser.until(lambda: look() == ("Shelf", "Of oak"))
    browser.press("Redo")
    browser.until(lambda: look() == ("Long shelf", "Of pine"))


def test_a_deletion_comes_back_and_goes_again(shown, board):  # noqa: F811
    board.adds(["A", "B"], "unscheduled")
    browser = shown()
    for name in ("A", "B"):
        browser.card(name).find_element("css selector", "[type=checkbox]").click()
    browser.press("Delete")
    browser.until(lambda: browser.titles("Icebox") == [])
    press(browser, "z")
    said(browser, "Undone: Deleted 2 stories")
    browser.until(lambda: sorted(browser.titles("Icebox")) == ["A", "B"])
    press(browser, "y")
    browser.until(lambda: browser.titles("Icebox") == [])
    browser.until(lambda: names(board) == [])


def test_keys_of_fields_are_theirs(shown, board):  # noqa: F811
    board.add("Shelf", "unstarted", estimate=None)
    browser = shown()
    browser.press("Estimate 2 points", browser.card("Shelf"))
    browser.until(lambda: state(board, "Shelf").get("estimate") == 2)
    browser.find("textbox", "Search").click()
    browser.keys("x")
    press(browser, "z", "y")
    browser.frames()
    assert state(board, "Shelf")["estimate"] == 2 and "Undone" not in browser.text("status")


def test_german(browser, board):
    board.add("Regal", "unstarted", estimate=None)
    browser.language("de-DE")
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    card = browser.card("Regal")
    browser.press("Auf 2 Punkte schätzen", card)
    browser.press("Rückgängig")
    said(browser, "Rückgängig gemacht: „Regal“")
    browser.find("button", "Wiederholen")
    browser.shot("undone-german")


def test_a_deletion_is_sent_when_its_page_is_left(browser, board):
    """The message stays a moment longer, and says so instead of "Undone"."""
    board.add("Shelf", "unscheduled")
    browser.sign_in(board.who)
    browser.open(f"/story/show/{board.ids['Shelf']}")
    browser.press("Story menu")
    browser.js("""const left = setInterval(() => {
        const undo = [...document.querySelectorAll('button')].find((b) => b.textContent.trim() === 'Undo');
        const board = document.querySelector('main .empty a');
        if (!undo || !board) return;
        clearInterval(left);
        board.click();
        setTimeout(() => undo.click(), 300);
    }, 10)""")
    browser.choose("Delete")
    said(browser, "This cannot be undone any more")
    browser.until(lambda: names(board) == [])
