"""Changing many stories at once: each change is one request, which adds one version."""

import pytest
from selenium.webdriver.common.keys import Keys

from test_board import shown, state  # noqa: F401
from test_drag import names
from world import ok


@pytest.fixture
def chosen(shown, board):  # noqa: F811
    """Three stories, two of which are selected."""
    board.adds(["A", "B", "C"], "unstarted", estimate=2)
    ok(board.client.post(f"{board.path}/labels", {"name": "spring"}))
    browser = shown()
    for name in ("A", "C"):
        browser.card(name).find_element("css selector", "[type=checkbox]").click()
    browser.until(lambda: "2 selected, 4 points" in browser.text("status"))
    assert browser.find("checkbox", "Select", browser.card("A")).is_selected()
    return browser


def test_state(chosen, board):
    before = board.version()
    chosen.press("State")
    chosen.shot("many-states")
    assert chosen.axe() == []
    chosen.choose("started")
    chosen.until(lambda: state(board, "C")["current_state"] == "started")
    assert state(board, "A")["current_state"] == "started"
    assert board.version() == before + 1
    chosen.undo()
    chosen.until(lambda: state(board, "C")["current_state"] == "unstarted")
    chosen.until(lambda: state(board, "A")["current_state"] == "unstarted")
    chosen.until(lambda: names(board) == ["A", "B", "C"])
    assert chosen.titles("Current") + chosen.titles("Backlog") == ["A", "B", "C"]


def test_owner_and_label(chosen, board):
    before = board.version()
    chosen.press("Owner")
    chosen.choose("Mark Mate")
    chosen.until(lambda: len(state(board, "C")["owner_ids"]) == 1)
    chosen.press("Label")
    chosen.choose("spring")
    chosen.until(lambda: board.version() == before + 2)
    for name in ("A", "C"):
        chosen.until(lambda: "spring" in chosen.card(name).text and "MM" in chosen.card(name).text)
    assert "spring" not in chosen.card("B").text


def test_a_label_that_is_new(chosen, board):
    """This, too, takes one request; and a message does not cover the menu."""
    before = board.version()
    bar = chosen.driver.find_element("css selector", ".bulk-bar")
    chosen.press("Owner")
    chosen.choose("Mark Mate")
    chosen.until(lambda: "Changed 2 stories" in chosen.text("status"))
    chosen.press("Label", bar)
    chosen.choose("New label …")
    dialog = chosen.find("dialog")
    assert chosen.axe() == []
    chosen.fill("Label", "Fresh", dialog)
    chosen.press("Save", dialog)
    for name in ("A", "C"):
        chosen.until(lambda: "fresh" in chosen.card(name).text)
    assert "fresh" not in chosen.card("B").text
    assert board.version() == before + 2
    chosen.undo()
    chosen.until(lambda: "fresh" not in chosen.card("A").text + chosen.card("C").text)


def test_no_label_yet(shown, board):  # noqa: F811
    board.add("A", "unstarted")
    browser = shown()
    browser.find("checkbox", "Select", browser.card("A")).click()
    browser.press("Label", browser.driver.find_element("css selector", ".bulk-bar"))
    browser.find("menuitem", "New label …")


def test_escape_chooses_none(chosen):
    assert chosen.js("return document.querySelector('.bulk-bar [role=status]').childNodes.length") == 1
    chosen.keys(Keys.ESCAPE)
    chosen.until(lambda: "selected" not in chosen.text("status"))
    assert not chosen.find("checkbox", "Select", chosen.card("A")).is_selected()


def test_move(chosen, board):
    chosen.press("Move…", chosen.driver.find_element("css selector", ".bulk-bar"))
    chosen.choose("Top of Icebox")
    chosen.until(lambda: names(board) == ["B", "A", "C"])
    assert state(board, "C")["current_state"] == "unscheduled"


def test_delete_and_undo(chosen, board):
    chosen.press("Delete", chosen.driver.find_element("css selector", ".bulk-bar"))
    chosen.undo_once("document.querySelectorAll('li[data-story]').length === 1")
    chosen.until(lambda: chosen.titles("Current") == ["A", "B", "C"])
    assert names(board) == ["A", "B", "C"]


def test_delete_when_the_page_is_left(chosen, board):
    chosen.press("Delete", chosen.driver.find_element("css selector", ".bulk-bar"))
    chosen.until(lambda: chosen.titles("Current") == ["B"])
    chosen.open("/docs")
    chosen.until(lambda: names(board) == ["B"])


def test_delete_after_a_while(chosen, board):
    before = board.version()
    chosen.press("Delete", chosen.driver.find_element("css selector", ".bulk-bar"))
    chosen.until(lambda: names(board) == ["B"], 8)
    assert board.version() == before + 1


def test_refused_names_the_story(chosen, board):
    chosen.expect("/stories/bulk")
    chosen.network(latency=900)
    ok(board.client.put(board.at("C"), {"estimate": None}))
    chosen.press("State")
    chosen.choose("delivered")
    chosen.until(lambda: f"Story {board.ids['C']}: " in chosen.text("alert"))
    assert "(C)" in chosen.text("alert")
    chosen.network()
    chosen.until(lambda: chosen.label("A").endswith("unstarted"))
    assert state(board, "A")["current_state"] == "unstarted"
