"""Other people's changes do not move what the user is about to click."""

import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import WAIT
from client import Client
from opened import open_story, show
from world import ok


@pytest.fixture
def other(stack, mate):
    return Client(stack, mate.token)


@pytest.fixture
def page(browser, board):
    board.adds(["A", "B", "C", "D"], "unstarted", estimate=1)
    board.adds(["W", "X", "Y"], "unscheduled")
    show(browser, board)
    browser.card("W", "Icebox")
    return browser


# Records, each time the cards change their order, how long the pointer and the keys had been at rest.
WATCH = """let used = 0, last = '';
    window.rests = [];
    for (const kind of ['pointermove', 'keydown']) addEventListener(kind, () => used = Date.now(), true);
    const look = () => {
        const now = [...document.querySelectorAll('li[data-story]')].map(li => li.dataset.story).join();
        if (last && now !== last) window.rests.push(Date.now() - used);
        last = now;
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });"""
REST = 500


def stays(browser, look, was):
    """What the user holds is where it was, unless cards were allowed to move because the test itself paused."""
    now = look()
    assert now == was or browser.js("return window.rests.length")


def only_at_rest(browser):
    """Cards moved, but only at rest; on a busy machine, the test itself may pause for so long."""
    rests = browser.js("return window.rests")
    assert rests and min(rests) >= REST, rests


def point(browser, title, x=0, y=0):
    def move():
        points = browser.card(title).find_element("css selector", ".points")
        ActionChains(browser.driver, duration=20).move_to_element_with_offset(points, x, y).perform()
        return True
    browser.until(move)


def top(browser, title):
    return browser.js("return arguments[0].getBoundingClientRect().top", browser.card(title))


def above(board, client, title, anchor):
    ok(client.put(board.at(title), {"before_id": board.ids[anchor]}))


def away(browser):
    field = browser.find("textbox", "Search")
    ActionChains(browser.driver, duration=20).move_to_element(field).click().perform()


def test_moves_wait_for_rest(page, board, other):
    """While the pointer moves over a card, nothing else moves; then everything is shown, with the card where it was."""
    browser = page
    point(browser, "B")
    was = top(browser, "B")
    browser.js(WATCH)
    above(board, other, "D", "A")
    end = time.monotonic() + 5
    while time.monotonic() < end:
        point(browser, "B", x=int(time.monotonic() * 10) % 3)
        stays(browser, lambda: top(browser, "B"), was)
    browser.until(lambda: browser.titles("Current")[:3] == ["D", "A", "B"])
    browser.frames()
    assert abs(top(browser, "B") - was) <= 1
    only_at_rest(browser)


@pytest.mark.parametrize("story, anchor, region, order", [
    ("D", "A", "Current", "DABC"), ("A", "C", "Current", "BACD"), ("W", "Y", "Icebox", "WYX")])
def test_the_card_under_the_pointer_stays(page, board, other, story, anchor, region, order):
    browser = page
    held = "B" if region == "Current" else "X"
    point(browser, held)
    was = top(browser, held)
    above(board, other, story, anchor)
    browser.until(lambda: "".join(browser.titles(region)) == order)
    browser.frames()
    assert abs(top(browser, held) - was) <= 1
    browser.shot(f"still-{story}")
    away(browser)
    browser.until(lambda: not browser.js(
        "return [...document.querySelectorAll('.panel-body')].some(b => b.style.padding)"))
    assert "".join(browser.titles(region)) == order


def test_a_story_that_goes_or_comes(page, board, other):
    browser = page
    point(browser, "W")
    was = top(browser, "W")
    ok(other.delete(board.at("Y")), 204)
    browser.until(lambda: browser.titles("Icebox") == ["X", "W"])
    browser.frames()
    assert abs(top(browser, "W") - was) <= 1
    ok(other.post(board.path + "/stories", {"name": "New"}))
    browser.until(lambda: browser.titles("Icebox") == ["New", "X", "W"])
    browser.frames()
    assert abs(top(browser, "W") - was) <= 1


def test_a_field_with_the_focus_stays(page, board, other):
    browser = page
    card = open_story(browser, "B")
    browser.fill("Title", "Half", card)
    away = browser.find("button", "Notifications")
    ActionChains(browser.driver, duration=20).move_to_element(away).perform()
    focus = lambda: browser.js("return document.activeElement.getBoundingClientRect().top")
    was = focus()
    browser.js(WATCH)
    above(board, other, "D", "A")
    end = time.monotonic() + 4
    while time.monotonic() < end:
        browser.keys("x", Keys.BACKSPACE)
        stays(browser, focus, was)
    browser.until(lambda: browser.titles("Current")[0] == "D")
    browser.frames()
    assert abs(focus() - was) <= 1
    only_at_rest(browser)
    assert browser.js("return document.activeElement.value") == "Half"


def test_what_moves_nothing_does_not_wait(page, board, other):
    browser = page
    point(browser, "B")
    ok(other.put(board.at("B"), {"name": "Better"}))
    end = time.monotonic() + WAIT
    while "Better" not in browser.titles("Current"):
        point(browser, "A", x=int(time.monotonic() * 10) % 3)
        assert time.monotonic() < end
