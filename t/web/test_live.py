"""Live updates: what others do appears at once, in all tabs through one stream; without a stream, the board polls."""

import os
import pathlib
import time

import pytest

from conftest import server
from browser import Browser
from board import Board
from client import Client
from world import ok

SOON = 0.3  # seconds from sending a change until it is drawn, on an otherwise idle machine


def streams(stack):
    """How many streams planwright-live keeps: its sockets except those that it listens on and its database's."""
    session = (stack.directory / "pid" / "live").read_text().split()[0]
    for proc in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (proc / "stat").read_text()
            if words.split()[1] != "(planwright-live)" or words.rpartition(") ")[2].split()[3] != session:
                continue
            return sum(os.readlink(fd).startswith("socket:") for fd in (proc / "fd").iterdir()) - 3
        except OSError:
            pass
    return 0


def asked(stack, board):
    return stack.log("access").count(f"projects/{board.id}/activity")


def is_live(browser, stack, count=1):
    """Waits until a stream is open and the tab knows, so that it does not poll any more."""
    browser.until(lambda: streams(stack) == count, 15, "a stream")


@pytest.fixture
def shown(browser, board, stack):
    """The board in two visible windows of one browser, which share a stream."""
    browser.sign_in(board.who)
    first = browser.driver.current_window_handle
    browser.open(f"/n/projects/{board.id}")
    browser.region("Icebox")
    browser.driver.switch_to.new_window("window")
    second = browser.driver.current_window_handle
    browser.open(f"/n/projects/{board.id}")
    browser.region("Icebox")
    is_live(browser, stack)
    browser.windows = first, second
    yield browser
    browser.driver.switch_to.window(second)
    browser.driver.close()
    browser.driver.switch_to.window(first)


WATCH = """window.drawnAt = null;
    new MutationObserver(() => { if (!window.drawnAt && document.body.textContent.includes(arguments[0]))
        window.drawnAt = Date.now() / 1000; }).observe(document.body, {subtree: true, childList: true, characterData: true});"""


def drawn(browser, name, change):
    """The seconds from the change until each window showed it."""
    for window in browser.windows:
        browser.driver.switch_to.window(window)
        browser.js(f"const watch = function() {{ {WATCH} }}; watch(arguments[0])", name)
    begun = time.time()
    change()
    took = []
    for window in browser.windows:
        browser.driver.switch_to.window(window)
        took.append(browser.until(lambda: browser.js("return window.drawnAt")) - begun)
    return took


def test_a_change_is_there_at_once_in_all_tabs_by_one_stream(shown, board, mate, stack):
    other = Client(stack, mate.token)
    took = []
    for i in range(5):
        name = f"Heard {i}"
        took.append(drawn(shown, name, lambda: ok(
            other.post(f"{board.path}/stories", {"name": name, "current_state": "unscheduled"}))))
    assert min(max(each) for each in took) < SOON, took
    assert streams(stack) == 1


def test_nobody_asks_while_nothing_happens(shown, board, stack):
    time.sleep(1)  # a tab that does not know about the stream yet may be polling
    before = asked(stack, board)
    time.sleep(6)
    assert asked(stack, board) == before


def test_the_bell_hears_of_notifications(shown, board, mate, stack):
    other = Client(stack, mate.token)
    ok(other.post(f"{board.path}/stories", {"name": "For you", "owner_ids": [board.who.id]}))
    shown.until(lambda: shown.js("return document.querySelector('.bell .count')?.textContent"), 5)


def test_the_bell_of_every_tab_says_how_many_are_unread(shown, board, mate, stack):
    """One tab holds the stream, the other one hears of it from there: neither asks by the clock."""
    def counts():
        found = []
        for window in shown.windows:
            shown.driver.switch_to.window(window)
            found.append(shown.js("return document.querySelector('.bell .count')?.textContent ?? '0'"))
        return found
    other = Client(stack, mate.token)
    ok(Client(stack, board.who.token).put("/my/notifications/mark_read", {"before": 1 << 40}), 204)
    shown.has(counts, ["0", "0"])
    for n in (1, 2):
        ok(other.post(f"{board.path}/stories", {"name": f"For you {n}", "owner_ids": [board.who.id]}))
        begun = time.monotonic()
        shown.has(counts, [str(n), str(n)])
        assert time.monotonic() - begun < 20, "sooner than it is counted without being told (every 30 s)"
    # What is read in one tab is read in the other.
    shown.press("Notifications")
    shown.press("Mark all as read")
    shown.has(counts, ["0", "0"])
    assert streams(stack) == 1


def test_another_tab_takes_over(shown, board, mate, stack):
    """The tab that holds the stream is closed, whichever it is."""
    first, second = shown.windows
    other = Client(stack, mate.token)
    for window in (first, second):
        shown.driver.switch_to.window(window)
        shown.open("/dashboard")
        shown.until(lambda: streams(stack) == 1)
        shown.driver.switch_to.window(second if window == first else first)
        shown.open(f"/n/projects/{board.id}")
        shown.region("Icebox")
        shown.until(lambda: streams(stack) == 1)
        name = f"After {window[-4:]}"
        ok(other.post(f"{board.path}/stories", {"name": name, "current_state": "unscheduled"}))
        shown.card(name, "Icebox")


def test_asking_comes_back_when_the_stream_breaks_and_goes_again(own):
    browser, board = own
    stack = board.server
    browser.expect("/live", "ERR_INCOMPLETE", "ERR_")
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.region("Icebox")
    is_live(browser, stack)
    stack.part("stop", "live")
    before = asked(stack, board)
    board.add("Asked for", "unscheduled")
    browser.card("Asked for", "Icebox")
    browser.until(lambda: asked(stack, board) >= before + 3, 15)
    stack.part("start", "live")
    browser.until(lambda: streams(stack) == 1, 40)
    time.sleep(1)
    before = asked(stack, board)
    time.sleep(6)
    assert asked(stack, board) <= before + 1


def test_without_live_updates_one_tab_asks_for_all(new_stack):
    stack = new_stack(workers=2, settings="live = off")
    who = server.Person(stack, "Otto Off")
    board = Board(Client(stack, who.token))
    browser = Browser(stack)
    try:
        browser.reset()
        browser.sign_in(who)
        browser.open(f"/n/projects/{board.id}")
        browser.region("Icebox")
        browser.driver.switch_to.new_window("tab")
        browser.open(f"/n/projects/{board.id}")
        browser.region("Icebox")
        board.add("For all tabs", "unscheduled")
        browser.card("For all tabs", "Icebox")
        before, start = asked(stack, board), time.monotonic()
        browser.until(lambda: asked(stack, board) >= before + 2)
        assert asked(stack, board) - before <= (time.monotonic() - start) / 3 + 1, "one tab asks every three seconds"
    finally:
        browser.quit()
