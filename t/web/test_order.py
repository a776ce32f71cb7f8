"""Panels and epics are reordered by mouse, by finger, by keys and by menu."""

import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from opened import menu, show
from world import ok


def panels(browser):
    """The names of the panels, from left to right."""
    return browser.js("return [...document.querySelectorAll('.panel')].map(p => p.ariaLabel)")


def heading(browser, name):
    return browser.region(name).find_element("css selector", "h2")


def drag(browser, node, target, x=0, y=0, drop=True):
    """Drags to a point relative to the middle of another element."""
    browser.drags()
    chain = ActionChains(browser.driver, duration=40)
    chain.move_to_element(node).click_and_hold().move_by_offset(6, 3)
    chain.move_to_element_with_offset(target, x, y).perform()
    if drop:
        ActionChains(browser.driver).release().perform()


@pytest.fixture
def wide(browser, board):
    board.add("A", "unstarted")
    show(browser, board)
    browser.press("Blocked")
    browser.region("Blocked")
    browser.region("Backlog")
    return browser


def test_a_panel_by_its_heading(wide, board):
    browser = wide
    assert panels(browser) == ["Current", "Backlog", "Icebox", "Blocked"]
    drag(browser, heading(browser, "Blocked"), heading(browser, "Current"), drop=False)
    assert browser.js("return document.querySelector('.drag-ghost').textContent") == "Blocked"
    browser.shot("panel-dragging")
    ActionChains(browser.driver).release().perform()
    browser.until(lambda: panels(browser) == ["Blocked", "Current", "Backlog", "Icebox"])
    drag(browser, heading(browser, "Backlog"), heading(browser, "Icebox"), x=300)
    browser.until(lambda: panels(browser) == ["Blocked", "Icebox", "Current", "Backlog"])
    browser.open(f"/n/projects/{board.id}")
    browser.until(lambda: panels(browser) == ["Blocked", "Icebox", "Current", "Backlog"])
    menu(browser, browser.region("Icebox"), "Panel menu", "Move left")
    browser.until(lambda: panels(browser) == ["Icebox", "Blocked", "Current", "Backlog"])


def test_a_panel_stays_when_it_is_not_let_go_elsewhere(wide):
    browser = wide
    before = panels(browser)
    drag(browser, heading(browser, "Blocked"), heading(browser, "Current"), drop=False)
    browser.keys(Keys.ESCAPE)
    ActionChains(browser.driver).release().perform()
    assert panels(browser) == before
    browser.press("Panel menu", browser.region("Blocked"))
    browser.find("menuitem", "Move left")
    browser.keys(Keys.ESCAPE)
    assert not browser.js("return document.querySelector('.drag-ghost, [data-dragged]')")


def test_a_panel_by_finger(wide):
    browser = wide
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    box, goal = heading(browser, "Icebox").rect, heading(browser, "Current").rect
    x, y = box["x"] + 10, box["y"] + 8
    browser.hold(x, y)
    for step in range(1, 6):
        browser.touch("touchMove", x + (goal["x"] - x) * step / 5, y)
        time.sleep(0.03)
    browser.touch("touchEnd")
    browser.until(lambda: panels(browser)[0] == "Icebox")
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


@pytest.fixture
def list_of(browser, board):
    for name in ("Spring", "Summer", "Autumn"):
        ok(board.client.post(board.path + "/epics", {"name": name}))
    show(browser, board)
    browser.press("Epics")
    browser.region("Epics")
    return browser


def names(board):
    return [e["name"] for e in ok(board.client.get(board.path + "/epics?fields=name"))]


def rows(browser):
    return browser.js("return [...document.querySelectorAll('[data-epic]')].map(e => e.ariaLabel)")


def row(browser, name):
    return browser.find("listitem", name, browser.region("Epics"))


def test_epics_by_mouse(list_of, board):
    browser = list_of
    first = names(board)
    a, b, c = first
    drag(browser, row(browser, c), row(browser, a), y=-10, drop=False)
    browser.shot("epic-dragging")
    ActionChains(browser.driver).release().perform()
    browser.until(lambda: names(board) == [c, a, b])
    assert rows(browser) == [c, a, b]
    browser.undo()
    browser.until(lambda: names(board) == first)
    assert rows(browser) == first
    drag(browser, row(browser, a), row(browser, c), y=10)
    browser.until(lambda: names(board) == [b, c, a])
    browser.find("button", b, row(browser, b))
    browser.keys(Keys.CONTROL, "z")
    browser.until(lambda: names(board) == first)


def test_what_moves_the_page_moves_the_places(list_of, board):
    browser = list_of
    a, b, c = names(board)
    browser.drags()
    ActionChains(browser.driver, duration=40).move_to_element(row(browser, c)).click_and_hold().move_by_offset(
        6, 3).perform()
    browser.until(lambda: browser.js("return !!document.querySelector('.drag-ghost')"))
    browser.js("document.querySelector('[data-epic]').parentElement.style.marginTop = '100px'")
    ActionChains(browser.driver, duration=40).move_to_element_with_offset(row(browser, a), 0, 10).release().perform()
    browser.until(lambda: names(board) == [a, c, b])


def test_epics_by_keys(list_of, board):
    browser = list_of
    a, b, c = names(board)
    browser.js("arguments[0].querySelector('.title').focus()", row(browser, a))
    for key, order in ((Keys.END, [b, c, a]), (Keys.ARROW_UP, [b, a, c]), (Keys.HOME, [a, b, c]),
                       (Keys.ARROW_DOWN, [b, a, c])):
        browser.keys(Keys.ALT, key)
        browser.until(lambda: names(board) == order)
        browser.until(lambda: browser.js("return document.activeElement.textContent") == a)
    browser.keys(Keys.CONTROL, "z")
    browser.until(lambda: names(board) == [a, b, c])


def test_epics_that_are_refused_go_back(list_of, board):
    browser = list_of
    browser.expect("/epics/")
    a, b, c = names(board)
    browser.js("""
        const real = window.fetch;
        window.fetch = (address, init) => init?.method === 'PUT' && String(address).includes('/epics/')
            ? Promise.resolve(new Response('{"kind": "error", "error": "Not now."}', {status: 400}))
            : real(address, init);""")
    drag(browser, row(browser, c), row(browser, a), y=-10)
    browser.until(lambda: "Not now." in browser.text("alert"))
    browser.until(lambda: rows(browser) == [a, b, c])
