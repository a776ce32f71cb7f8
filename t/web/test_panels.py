"""Panels other than those of the work in progress: searches, saved searches, people, labels, Done, History."""

import datetime

import pytest

from board import Board
from client import Client
from world import ok


@pytest.fixture
def shown(browser, board):
    def show():
        browser.sign_in(board.who)
        browser.open(f"/n/projects/{board.id}")
        browser.region("Current")
        browser.until(lambda: not browser.js("return document.querySelector('.loading')"))
        return browser
    return show


def look_for(browser, text):
    browser.fill("Search", text).submit()
    return browser.region("Search results")


def saved(board):
    return [(s["name"], s["query"]) for s in ok(board.client.get(f"{board.path}/my/searches"))]


def test_a_search_is_saved_renamed_and_deleted(shown, board):
    board.add("Paint the shop", "unstarted", labels=["shop"])
    board.add("Paint the house", "started")
    browser = shown()
    panel = look_for(browser, "paint label:shop")
    browser.until(lambda: browser.titles("Search results") == ["Paint the shop"])
    browser.press("Save search", panel)
    browser.fill("Name", "Shop to paint", panel)
    browser.press("Save", panel)
    browser.until(lambda: saved(board) == [("Shop to paint", "paint label:shop")])
    browser.none("button", "Save search", panel)
    assert browser.axe() == []

    look_for(browser, "state:started")
    browser.until(lambda: browser.titles("Search results") == ["Paint the house"])
    panel = browser.region("Search results")
    browser.until(lambda: browser.js(
        "const s = arguments[0].querySelector('summary'); s?.click(); return s !== null", panel))
    browser.shot("search")
    browser.press("Shop to paint", panel)
    browser.until(lambda: browser.titles("Search results") == ["Paint the shop"])

    panel = browser.region("Search results")
    browser.until(lambda: browser.js(
        "const saved = arguments[0].querySelector('.saved'); return saved && (saved.open = true)", panel))
    browser.press("Search “Shop to paint”", panel)
    browser.choose("Rename…")
    dialog = browser.find("dialog")
    browser.fill("Name", "All paint", dialog)
    browser.fill("Query", "paint", dialog)
    browser.press("Save", dialog)
    browser.until(lambda: saved(board) == [("All paint", "paint")])

    browser.press("Search “All paint”", panel)
    browser.choose("Delete")
    browser.until(lambda: saved(board) == [])
    browser.undo()
    browser.until(lambda: saved(board) == [("All paint", "paint")])


def test_epics_are_found_too(shown, board):
    ok(board.client.post(f"{board.path}/epics", {"name": "Paint it all"}))
    browser = shown()
    panel = look_for(browser, "paint")
    browser.find("listitem", "Paint it all", panel)
    browser.press("Paint it all", panel)
    browser.region("Paint it all")


def test_a_search_that_cannot_be_read(shown, board):
    browser = shown()
    browser.expect("/search")
    panel = look_for(browser, "(paint")
    alert = browser.find("alert", within=panel)
    assert alert.text
    assert browser.js("return arguments[0].querySelector('.sum').textContent", panel) == ""


def test_the_search_panel_of_the_side_bar(shown, board):
    browser = shown()
    browser.press("Search results")
    panel = browser.region("Search results")
    assert "label:shop" in panel.text
    assert browser.axe() == []
    browser.shot("search-empty")
    look_for(browser, "anything")
    browser.press("Search results")
    browser.none("region", "Search results")


def test_clicks_open_panels_of_that_name(shown, board, mate):
    board.add("Paint the shop", "started", labels=["shop"], owner_ids=[mate.id])
    board.add("Sweep the shop", "unscheduled", labels=["shop"])
    board.add("Sweep the house", "unscheduled", owner_ids=[mate.id])
    ok(board.client.post(f"{board.path}/epics", {"name": "A new shop", "label": {"name": "shop"}}))
    browser = shown()
    browser.press("shop", browser.card("Paint the shop", "Current"))
    browser.until(lambda: browser.titles("shop") == ["Paint the shop", "Sweep the shop"])
    browser.press("Mark Mate", browser.card("Paint the shop", "Current"))
    browser.until(lambda: browser.titles("Mark Mate") == ["Paint the shop", "Sweep the house"])
    browser.press("Close", browser.region("shop"))
    browser.press("Epics")
    browser.press("A new shop", browser.region("Epics"))
    browser.until(lambda: browser.titles("A new shop") == ["Paint the shop", "Sweep the shop"])
    browser.open(f"/n/projects/{board.id}")
    browser.region("A new shop")
    browser.region("Mark Mate")


@pytest.fixture(scope="module")
def long_past(stack, planner):
    """Fourteen past iterations, with a story in each."""
    now = datetime.datetime.now(datetime.timezone.utc)
    monday = now.date() - datetime.timedelta(weeks=14, days=now.weekday())
    board = Board(Client(stack, planner.token), start_date=monday.isoformat())
    board.who = planner
    for weeks in range(14, 0, -1):
        when = (now - datetime.timedelta(weeks=weeks)).isoformat(timespec="seconds").replace("+00:00", "Z")
        board.add(f"Week {15 - weeks}", "accepted", estimate=2, accepted_at=when)
    return board


def test_done_comes_by_ten_and_folded(browser, long_past):
    browser.sign_in(long_past.who)
    browser.open(f"/n/projects/{long_past.id}")
    browser.press("Done")
    browser.until(lambda: browser.titles("Done") == ["Week 14"])
    done = browser.region("Done")
    heads = "return [...arguments[0].querySelectorAll('.iteration-head .number')].map(n => n.textContent)"
    assert browser.js(heads, done) == [str(n) for n in range(5, 15)]
    browser.press("Iteration 5", done)
    browser.until(lambda: browser.titles("Done") == ["Week 5", "Week 14"])
    browser.press("Earlier iterations", done)
    browser.until(lambda: browser.js(heads, done) == [str(n) for n in range(1, 15)])
    browser.none("button", "Earlier iterations", done)
    assert browser.axe() == []
    browser.shot("done")
    browser.find("link", "Report for iteration 14", done).click()
    browser.find("region", "Iteration report")
    browser.until(lambda: "Week 14" in browser.region("Iteration report").text)


def test_history_tells_what_happened(shown, board):
    for n in range(60):
        board.add(f"Idea {n}", "unscheduled")
    epic = ok(board.client.post(f"{board.path}/epics", {"name": "A new shop"}))
    ok(board.client.delete(board.at("Idea 59")), 204)
    browser = shown()
    browser.press("History")
    panel = browser.region("History")
    entries = "return arguments[0].querySelectorAll('li').length"
    browser.until(lambda: browser.js(entries, panel) == 50)
    link = browser.find("link", "A new shop", panel)
    assert link.get_attribute("href").endswith(f"/n/projects/{board.id}/epics/{epic['id']}")
    assert browser.find("link", "Idea 58", panel).get_attribute("href").endswith(
        f"/stories/{board.ids['Idea 58']}")
    browser.press("Show more", panel)
    browser.until(lambda: browser.js(entries, panel) > 60)
    board.move("Idea 3", current_state="unstarted")
    browser.until(lambda: "Idea 3" in panel.text.split("\n")[:6])
    assert browser.axe() == []
    browser.shot("history")
