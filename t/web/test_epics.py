"""Epics: adding, ordering and opening them in their panel, and their progress."""

import datetime

import pytest
from selenium.webdriver.common.keys import Keys

from board import Board
from client import Client
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
    with browser.held("v5/me"):
        browser.open(f"/n/projects/{board.id}")
        panel = browser.region("Epics")
        browser.js("arguments[0].focus()", browser.find("button", first[0], panel))
        browser.keys(Keys.ALT, Keys.ARROW_DOWN)
        browser.keys(Keys.ALT, Keys.ARROW_DOWN)
        assert not browser.all("button", "Add epic", panel), "it is not known yet"
        browser.js("release()")
    browser.until(lambda: names(board) == [*first[1:], first[0]])


def test_its_end_is_a_day_of_the_project(browser, stack, planner):
    """Wherever the reader is: this project's Monday begins when it is still Sunday there."""
    board = Board(Client(stack, planner.token), time_zone={"olson_name": "Pacific/Kiritimati", "kind": "time_zone"})
    board.who = planner
    ok(board.client.post(board.path + "/epics", {"name": "Spring"}))
    board.add("Sow", "unstarted", labels=["spring"])
    finish = ok(board.client.get(f"{board.path}/iterations?scope=current"))[0]["finish"]
    there = datetime.datetime.fromisoformat(finish.replace("Z", "+00:00")) + datetime.timedelta(hours=14)
    assert there.weekday() == 0
    show(browser, board)
    browser.press("Epics")
    line = row(browser, browser.region("Epics"), "Spring")
    browser.until(lambda: f"{there:%b} {there.day}, {there.year}" in line.text, what=there)


def test_a_refused_name_goes_back(browser, board, panel):
    browser.expect("/services/v5/")
    browser.press("Details of Summer", panel)
    form = row(browser, panel, "Summer")
    browser.find("button", "Edit description", form)
    browser.js("""const real = fetch;
        window.refusal = new Promise((go) => (window.refuse = go));
        window.fetch = async (path, init) => init?.method !== "PUT" ? real(path, init)
            : refusal.then(() => new Response('{"kind": "error", "general_problem": "Not that name"}', { status: 400 }))""")
    browser.fill("Title", "Winter", form)
    browser.press("Save", form)
    row(browser, panel, "Winter")
    assert not browser.all("listitem", "Summer", panel)
    browser.js("refuse()")
    form = row(browser, panel, "Summer")
    assert not browser.all("listitem", "Winter", panel)
    # What was typed is kept in the form, which says why it was refused.
    browser.until(lambda: "Not that name" in form.text)
    assert browser.find("textbox", "Title", form).get_property("value") == "Winter"
    assert "Summer" in names(board) and "Winter" not in names(board)


def test_undo_of_a_deletion_that_is_sent(browser, board, panel):
    browser.press("Details of Autumn", panel)
    browser.js("""const late = setInterval(() => {
        const undo = [...document.querySelectorAll(".toast button")].find((b) => b.textContent.trim() === "Undo");
        if (!undo) return;
        clearInterval(late);
        setTimeout(() => undo.click(), 5500);
    }, 10)""")
    menu(browser, row(browser, panel, "Autumn"), "Epic menu", "Delete")
    browser.until(lambda: "This cannot be undone any more" in browser.text("status"))
    browser.until(lambda: "Autumn" not in names(board))
    assert not browser.all("listitem", "Autumn", panel)


def test_undo_keeps_what_others_did_meanwhile(browser, board, panel):
    browser.press("Details of Autumn", panel)
    menu(browser, row(browser, panel, "Autumn"), "Epic menu", "Delete")
    ok(board.client.post(board.path + "/epics", {"name": "Winter"}))
    browser.js("""const seen = setInterval(() => {
        if (!performance.getEntriesByType("resource").some((r) => r.name.includes("/activity") && r.responseEnd > 0)) return;
        clearInterval(seen);
        setTimeout(() => [...document.querySelectorAll(".toast button")].find((b) => b.textContent.trim() === "Undo").click(), 500);
    }, 10)""")
    row(browser, panel, "Autumn")
    row(browser, panel, "Winter")


def test_delete_and_undo(browser, board, panel):
    browser.press("Details of Autumn", panel)
    menu(browser, row(browser, panel, "Autumn"), "Epic menu", "Delete")
    browser.undo_once("![...document.querySelectorAll('[data-epic]')].some((row) => row.textContent.includes('Autumn'))")
    row(browser, panel, "Autumn")


def test_the_focus_falls_to_the_epic_in_the_place_of_a_deleted_one(browser, board, panel):
    for gone, next_one in (("Summer", "Autumn"), ("Autumn", "Spring")):
        browser.press(f"Details of {gone}", panel)
        menu(browser, row(browser, panel, gone), "Epic menu", "Delete")
        browser.until(lambda: browser.js("return document.activeElement.textContent") == next_one, what=next_one)


def test_conflict(browser, board, panel):
    browser.press("Details of Spring", panel)
    form = row(browser, panel, "Spring")
    browser.find("button", "Edit description", form)
    browser.fill("Title", "My spring", form)
    epic = next(e for e in epics(board) if e["name"] == "Spring")
    ok(board.client.put(board.path + f"/epics/{epic['id']}", {"name": "Their spring"}))
    browser.find("button", "Take theirs", panel).click()
    assert browser.find("textbox", "Title", panel).get_property("value") == "Their spring"


@pytest.mark.parametrize("width", [1400, 390])
def test_a_long_word_leaves_room_for_the_menu(browser, board, width):
    ok(board.client.post(board.path + "/epics", {"name": "Donaudampfschifffahrt" * 8}))
    browser.size(width, 844)
    show(browser, board)
    browser.press("Epics")
    panel = browser.region("Epics")
    browser.find("listitem", "Donaudampfschifffahrt" * 8, panel)
    assert browser.js("""const edge = arguments[0].getBoundingClientRect().right;
        return [...arguments[0].querySelectorAll('.row button')].every((b) => b.getBoundingClientRect().right <= edge)""", panel)


def test_what_is_to_be_added_stands_in_one_column(browser, board, panel):
    epic = row(browser, panel, "Spring")
    browser.press("Details of Spring", epic)
    fields = [browser.find("textbox", name, epic) for name in ("Add pull request (URL)", "Add branch (URL)")]
    places = [browser.js("const { left, top } = arguments[0].getBoundingClientRect(); return [left, top]", f) for f in fields]
    assert places[0][0] == places[1][0] and places[0][1] < places[1][1]


def test_what_is_typed_for_an_epic_that_is_deleted_can_be_copied(browser, board, panel):
    browser.press("Details of Spring", row(browser, panel, "Spring"))
    browser.fill("Comment", "Tulips, too", row(browser, panel, "Spring"))
    browser.js("""Object.defineProperty(navigator, "clipboard",
        { value: { writeText: async (text) => { window.copied = text; } } })""")
    spring = next(e["id"] for e in epics(board, "id,name") if e["name"] == "Spring")
    ok(board.client.delete(f"{board.path}/epics/{spring}"), 204)
    browser.until(lambda: "no longer exists" in browser.text("alert"))
    browser.press("Copy what I typed")
    browser.until(lambda: browser.js("return window.copied") == "Tulips, too")
