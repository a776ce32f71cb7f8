"""Two people editing one story: no input is lost, and the page says who changed what."""

import pytest
from selenium.webdriver.common.by import By

from client import Client
from opened import open_story, pick, show
from world import ok


@pytest.fixture
def other(stack, mate):
    return Client(stack, mate.token)


@pytest.fixture
def card(browser, board):
    board.add("Shelf", "started", description="Old text")
    show(browser, board)
    return open_story(browser, "Shelf")


def bar(browser, card):
    return browser.until(lambda: card.find_elements(By.CSS_SELECTOR, ".conflict"))[0]


def story(board):
    return ok(board.client.get(board.at("Shelf") + "?fields=name,description,story_type"))


def test_keep_mine(browser, board, other, card):
    browser.fill("Title", "My shelf", card)
    ok(other.put(board.at("Shelf"), {"name": "Their shelf"}))
    line = bar(browser, card)
    assert "Mark Mate changed this" in line.text
    assert browser.find("textbox", "Title", card).get_property("value") == "My shelf"
    assert "Their shelf" in line.text and "My shelf" in line.text
    assert browser.axe() == []
    browser.shot("conflict")
    browser.press("Keep mine", line)
    browser.until(lambda: not card.find_elements(By.CSS_SELECTOR, ".conflict"))
    browser.press("Save", card)
    browser.until(lambda: story(board)["name"] == "My shelf")


def test_long_texts_are_shown_when_asked_for(browser, board, other, card):
    browser.press("Edit description", card)
    browser.fill("Description", "My text", card)
    ok(other.put(board.at("Shelf"), {"description": "Their text " * 40}))
    line = bar(browser, card)
    assert "Their text" not in line.text
    browser.press("Show", line)
    assert "Their text" in line.text and "My text" in line.text


def test_take_theirs(browser, board, other, card):
    browser.press("Edit description", card)
    browser.fill("Description", "My text", card)
    ok(other.put(board.at("Shelf"), {"description": "Their text"}))
    browser.press("Take theirs", bar(browser, card))
    browser.until(lambda: "Their text" in card.text or
                  browser.all("textbox", "Description", card)[0].get_property("value") == "Their text")
    browser.press("Save", card)
    assert story(board)["description"] == "Their text"


def test_other_fields_are_no_conflict(browser, board, other, card):
    browser.fill("Title", "My shelf", card)
    ok(other.put(board.at("Shelf"), {"story_type": "bug", "labels": ["new"]}))
    browser.until(lambda: "new" in browser.card("Shelf").text)
    assert not card.find_elements(By.CSS_SELECTOR, ".conflict")
    browser.press("Save", card)
    browser.until(lambda: story(board)["name"] == "My shelf")
    assert story(board)["story_type"] == "bug"


def test_moved_while_one_types(browser, board, other, card):
    """The card moves to another panel; the text and the focus stay."""
    field = browser.fill("Title", "Half a ti", card)
    ok(other.put(board.at("Shelf"), {"current_state": "unscheduled"}))
    card = browser.card("Shelf", "Icebox")
    field = browser.find("textbox", "Title", card)
    assert field.get_property("value") == "Half a ti"
    browser.until(lambda: browser.js("return document.activeElement === arguments[0]", field))
    browser.keys("tle")
    assert field.get_property("value") == "Half a title"


def test_deleted_while_one_types(browser, board, other, card):
    browser.expect("/presence")  # the page may report that somebody types before it knows that the story is gone
    browser.fill("Title", "My shelf", card)
    browser.press("Edit description", card)
    browser.fill("Description", "Oak", card)
    browser.fill("Comment", "Which wood?", card)
    ok(other.delete(board.at("Shelf")), 204)
    browser.until(lambda: "Mark Mate deleted or moved it" in browser.text("alert"))
    browser.shot("deleted-while-typing")
    browser.press("Keep what I typed as a new story")
    browser.until(lambda: [s["name"] for s in board.stories()] == ["My shelf"])
    made = board.stories("description,comments(text)")[0]
    assert (made["description"], [c["text"] for c in made["comments"]]) == ("Oak", ["Which wood?"])
    browser.until(lambda: "Which wood" not in browser.js("return JSON.stringify(localStorage)"))


def test_others_comment_arrives(browser, board, other, card):
    browser.fill("Comment", "I was about to sa", card)
    ok(other.post(board.at("Shelf") + "/comments", {"text": "First!"}))
    browser.until(lambda: "First!" in card.text)
    assert browser.find("textbox", "Comment", card).get_property("value") == "I was about to sa"


def test_a_draft_that_is_older_than_the_page(browser, board, other, card):
    browser.fill("Title", "My shelf", card)
    browser.driver.get("about:blank")
    ok(other.put(board.at("Shelf"), {"name": "Their shelf"}))
    show(browser, board)
    card = open_story(browser, "Their shelf")
    browser.until(lambda: "Mark Mate changed this" in bar(browser, card).text)


def test_ctrl_s_does_not_overwrite(browser, board, other, card):
    from selenium.webdriver.common.keys import Keys

    browser.fill("Title", "My shelf", card)
    ok(other.put(board.at("Shelf"), {"name": "Their shelf"}))
    bar(browser, card)
    browser.find("textbox", "Title", card).send_keys(Keys.CONTROL + "s")
    browser.until(lambda: "was not saved" in browser.text("status"))
    assert story(board)["name"] == "Their shelf"


def test_both_in_browsers(browser, second, board, mate, card):
    show(second, board, mate)
    theirs = open_story(second, "Shelf")
    browser.fill("Title", "From Paula", card)
    pick(second, theirs, "Type", "bug")
    second.fill("Title", "From Mark", theirs)
    second.press("Save", theirs)
    assert "Mark Mate" in bar(browser, card).text
    browser.press("Take theirs", bar(browser, card))
    assert browser.find("textbox", "Title", card).get_property("value") == "From Mark"
