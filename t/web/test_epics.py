"""Epics: adding, ordering and opening them in their panel, and their progress."""

import pytest
from selenium.webdriver.common.keys import Keys

from opened import menu, show
from world import ok


@pytest.fixture
def panel(browser, board):
    for name in ("Spring", "Summer", "Autumn"):
        ok(board.client.post(board.path + "/epics", {"name": name}))
    board.add("Sow", "accepted", estimate=2, labels=["spring"])
    board.add("Water", "started", estimate=3, labels=["spring"])
    show(browser, board)
    browser.press("Epics")
    return browser.region("Epics")


def epics(board, fields="name"):
    return ok(board.client.get(board.path + f"/epics?fields={fields}"))


def names(board):
    return [e["name"] for e in epics(board)]


def row(browser, panel, name):
    return browser.find("listitem", name, panel)


def test_progress_and_panel(browser, board, panel):
    browser.until(lambda: "2 of 5 points" in row(browser, panel, "Spring").text)
    assert "2 stories" in row(browser, panel, "Spring").text
    bar = row(browser, panel, "Spring").find_element("css selector", "[role=progressbar]")
    assert [bar.get_attribute(f"aria-value{x}") for x in ("now", "max")] == ["2", "5"]
    assert browser.axe() == []
    browser.shot("epics")
    browser.press("Spring", row(browser, panel, "Spring"))
    browser.card("Water", "Spring")


def test_add(browser, board, panel):
    browser.press("Add epic", panel)
    browser.fill("Title", "Winter", panel)
    browser.press("Save", panel)
    row(browser, panel, "Winter")
    assert "Winter" in names(board)
    assert "winter" in {e["label"]["name"] for e in epics(board, "name,label")}


def test_edit(browser, board, panel):
    browser.press("Details of Summer", panel)
    form = row(browser, panel, "Summer")
    browser.fill("Title", "High summer", form)
    browser.fill("Label", "sun", form)
    browser.press("Edit description", form)
    browser.fill("Description", "It is *hot*", form)
    browser.fill("Comment", "Ice!", form)
    browser.press("Add comment", form)
    browser.until(lambda: "Ice!" in form.text)
    browser.shot("epic-open")
    assert browser.axe() == []
    browser.press("Save", form)
    row(browser, panel, "High summer")
    now = browser.until(lambda: next((e for e in epics(board, "name,description,label,comments(text)")
                                      if e["name"] == "High summer"), None))
    assert now["description"] == "It is *hot*" and now["label"]["name"] == "sun"
    assert [c["text"] for c in now["comments"]] == ["Ice!"]


def test_order(browser, board, panel):
    first = names(board)
    menu(browser, row(browser, panel, first[2]), "Move…", "To the top")
    browser.until(lambda: names(board) == [first[2], first[0], first[1]])
    browser.find("button", first[2], row(browser, panel, first[2])).send_keys(Keys.ALT, Keys.ARROW_DOWN)
    browser.until(lambda: names(board) == first[:1] + first[2:] + first[1:2])
    assert [name for name in browser.names("listitem", panel) if name in first] == names(board)


def test_a_key_that_is_pressed_before_it_is_known_who_is_signed_in(browser, board, panel):
    first = names(board)
    with browser.late("v5/me"):
        browser.open(f"/n/projects/{board.id}")
        panel = browser.region("Epics")
        browser.js("arguments[0].focus()", browser.find("button", first[0], panel))
        browser.keys(Keys.ALT, Keys.ARROW_DOWN)
        browser.keys(Keys.ALT, Keys.ARROW_DOWN)
        assert not browser.all("button", "Add epic", panel), "it is not known yet"
    browser.until(lambda: names(board) == [*first[1:], first[0]])


def test_delete_and_undo(browser, board, panel):
    browser.press("Details of Autumn", panel)
    menu(browser, row(browser, panel, "Autumn"), "Epic menu", "Delete")
    browser.undo_once("![...document.querySelectorAll('[data-epic]')].some((row) => row.textContent.includes('Autumn'))")
    row(browser, panel, "Autumn")


def test_conflict(browser, board, panel):
    browser.press("Details of Spring", panel)
    form = row(browser, panel, "Spring")
    browser.find("button", "Edit description", form)
    browser.fill("Title", "My spring", form)
    epic = next(e for e in epics(board) if e["name"] == "Spring")
    ok(board.client.put(board.path + f"/epics/{epic['id']}", {"name": "Their spring"}))
    browser.find("button", "Take theirs", panel).click()
    assert browser.find("textbox", "Title", panel).get_property("value") == "Their spring"
