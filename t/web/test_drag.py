"""Dragging one story or several, within a panel and between panels, by pointer and by keys."""

import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from test_board import shown, state  # noqa: F401
from world import ok


def names(board):
    return [s["name"] for s in board.stories()]


def drag(browser, card, target, at=0.25, drop=True):
    """Drags with the pointer to the upper or lower part of another card."""
    browser.drags()
    box = target.rect
    chain = ActionChains(browser.driver, duration=40)
    grip = card.find_element("css selector", ".points")
    chain.move_to_element(grip).click_and_hold().move_by_offset(0, 8)
    chain.move_to_element_with_offset(target, 0, int(box["height"] * (at - 0.5)))
    chain.perform()
    if drop:
        ActionChains(browser.driver).release().perform()


@pytest.fixture
def backlog(board, shown):  # noqa: F811
    board.adds(["A", "B", "C", "D"], "unstarted", estimate=3)
    board.adds(["X", "Y"], "unscheduled")
    browser = shown()
    browser.card("Y", "Icebox")
    return browser


def test_within_a_panel(backlog, board):
    browser = backlog
    browser.has(lambda: browser.titles("Current"), ["A", "B", "C"])
    drag(browser, browser.card("C"), browser.card("A"))
    browser.until(lambda: names(board) == ["C", "A", "B", "D", "Y", "X"])
    browser.has(lambda: browser.titles("Current"), ["C", "A", "B"])
    drag(browser, browser.card("C"), browser.card("B"), 0.8)
    browser.until(lambda: names(board) == ["A", "B", "C", "D", "Y", "X"])
    browser.undo()
    browser.until(lambda: names(board) == ["C", "A", "B", "D", "Y", "X"])


def test_what_moves_the_page_moves_the_places(backlog, board):
    browser = backlog
    browser.drags()
    grip = browser.card("C").find_element("css selector", ".points")
    ActionChains(browser.driver, duration=40).move_to_element(grip).click_and_hold().move_by_offset(0, 8).perform()
    browser.until(lambda: browser.js("return !!document.querySelector('.drag-ghost')"))
    browser.js("document.querySelector('.panel-current .panel-body').style.paddingTop = '70px'")
    ActionChains(browser.driver, duration=40).move_to_element_with_offset(browser.card("A"), 0, -8).release().perform()
    browser.until(lambda: names(board) == ["C", "A", "B", "D", "Y", "X"])


def test_between_panels(backlog, board):
    browser = backlog
    drag(browser, browser.card("X"), browser.card("A"))
    browser.until(lambda: names(board) == ["X", "A", "B", "C", "D", "Y"])
    assert state(board, "X")["current_state"] == "unstarted"
    drag(browser, browser.card("D"), browser.card("Y"), 0.8)
    browser.until(lambda: names(board) == ["X", "A", "B", "C", "Y", "D"])
    assert state(board, "D")["current_state"] == "unscheduled"
    browser.has(lambda: browser.titles("Icebox"), ["Y", "D"])


def test_several_at_once(backlog, board):
    browser = backlog
    for name in ("A", "C"):
        browser.card(name).find_element("css selector", "input").click()
    browser.until(lambda: "2 selected, 6 points" in browser.text("status"))
    browser.shot("selected")
    drag(browser, browser.card("C"), browser.card("X"), 0.8, drop=False)
    browser.until(lambda: browser.js("return document.querySelector('.drag-ghost')?.textContent ?? ''") == "2 stories")
    browser.until(lambda: browser.titles("Current") == ["B", "D"])
    browser.has(lambda: browser.titles("Icebox"), ["Y", "X", "A", "C"])
    browser.shot("dragging")
    ActionChains(browser.driver).release().perform()
    browser.until(lambda: names(board) == ["B", "D", "Y", "X", "A", "C"])
    browser.has(lambda: browser.titles("Icebox"), ["Y", "X", "A", "C"])


def test_iterations_follow_while_dragging(backlog, board):
    browser = backlog
    browser.has(lambda: browser.titles("Backlog"), ["D"])
    drag(browser, browser.card("D"), browser.card("A"), drop=False)
    browser.until(lambda: browser.titles("Backlog") == ["C"])
    browser.keys(Keys.ESCAPE)
    browser.until(lambda: browser.titles("Backlog") == ["D"])
    ActionChains(browser.driver).release().perform()
    time.sleep(0.5)
    assert names(board) == ["A", "B", "C", "D", "Y", "X"]


def test_others_wait_while_dragging(backlog, board):
    browser = backlog
    drag(browser, browser.card("A"), browser.card("B"), drop=False)
    board.add("From elsewhere", "unscheduled")
    time.sleep(4)
    assert "From elsewhere" not in browser.titles("Icebox")
    browser.keys(Keys.ESCAPE)
    ActionChains(browser.driver).release().perform()
    browser.card("From elsewhere", "Icebox")


def test_illegal_places_say_why(board, shown):  # noqa: F811
    board.add("Accepted", "accepted")
    board.add("Started", "started")
    board.add("Waiting", "unstarted")
    browser = shown()
    drag(browser, browser.card("Waiting"), browser.card("Started"), drop=False)
    browser.until(lambda: "not started" in browser.js("return document.querySelector('.drag-ghost')?.textContent ?? ''"))
    browser.shot("drag-refused")
    ActionChains(browser.driver).release().perform()
    browser.until(lambda: "not started" in browser.text("alert"))
    drag(browser, browser.card("Accepted"), browser.card("Waiting"))
    browser.until(lambda: "accepted" in browser.text("alert"))
    drag(browser, browser.card("Started"), browser.card("Waiting"), 0.8)
    browser.until(lambda: "stay above" in browser.text("alert"))
    assert names(board) == ["Accepted", "Started", "Waiting"]


def test_keys_and_menus_say_why_too(board, shown):  # noqa: F811
    for name, word in (("Accepted", "accepted"), ("First", "started"), ("Second", "started"), ("Waiting", "unstarted")):
        board.add(name, word)
    browser = shown()
    for name, key, why in (("Accepted", Keys.ARROW_DOWN, "Accepted"), ("Second", Keys.ARROW_DOWN, "stay above"),
                           ("Waiting", Keys.ARROW_UP, "stay below")):
        browser.js("arguments[0].focus()", browser.find("button", name))
        browser.keys(Keys.ALT, key)
        browser.until(lambda: why in browser.text("alert"))
        while dismiss := browser.all("button", "Dismiss"):
            dismiss[0].click()
    browser.press("Move…", browser.card("First"))
    browser.choose("Bottom of Backlog")
    browser.until(lambda: "stay above" in browser.text("alert"))
    assert names(board) == ["Accepted", "First", "Second", "Waiting"]
    browser.press("Move…", browser.card("Second"))
    browser.choose("Above…")
    assert not browser.all("button", "Waiting", browser.find("dialog"))
    browser.press("First", browser.find("dialog"))
    browser.until(lambda: names(board) == ["Accepted", "Second", "First", "Waiting"])


def test_where_it_stands_already(backlog, board):
    before = board.version()
    drag(backlog, backlog.card("B"), backlog.card("C"), 0.2)
    time.sleep(0.5)
    assert board.version() == before
    assert "Moved" not in backlog.text("status")


def test_keys_go_on_in_the_next_panel(backlog, board):
    browser = backlog
    browser.has(lambda: browser.titles("Backlog"), ["D"])
    browser.js("arguments[0].focus()", browser.find("button", "D"))
    browser.keys(Keys.ALT, Keys.ARROW_UP)
    browser.until(lambda: browser.titles("Current") == ["A", "B", "D"])
    browser.keys(Keys.ALT, Keys.ARROW_DOWN)
    browser.until(lambda: browser.titles("Backlog") == ["D"])
    browser.until(lambda: names(board) == ["A", "B", "C", "D", "Y", "X"])


def test_current_that_is_planned_by_hand(board, shown):  # noqa: F811
    ok(board.client.put(board.path, {"automatic_planning": False}))
    board.adds(["A", "B", "C"], "unstarted", estimate=1)
    browser = shown()
    drag(browser, browser.card("B"), browser.region("Current"), 0.6)
    browser.until(lambda: state(board, "B")["current_state"] == "planned")
    browser.has(lambda: browser.titles("Current"), ["B"])
    for key, current, waiting in ((Keys.ARROW_DOWN, [], ["B", "A", "C"]), (Keys.ARROW_UP, ["B"], ["A", "C"])):
        browser.js("arguments[0].focus()", browser.find("button", "B"))
        browser.keys(Keys.ALT, key)
        browser.until(lambda: browser.titles("Current") == current)
        browser.until(lambda: browser.titles("Backlog") == waiting)
        browser.until(lambda: names(board) == ["B", "A", "C"])
    browser.js("arguments[0].focus()", browser.find("button", "A"))
    browser.keys(Keys.ALT, Keys.ARROW_UP)
    browser.until(lambda: browser.titles("Current") == ["B", "A"])
    browser.until(lambda: state(board, "A")["current_state"] == "planned")


def test_by_menu(backlog, board):
    browser = backlog
    for choice, expected in (("Top of Icebox", ["B", "C", "D", "A", "Y", "X"]),
                             ("Bottom of Backlog", ["B", "C", "D", "A", "Y", "X"]),
                             ("Top of Backlog", ["A", "B", "C", "D", "Y", "X"])):
        browser.press("Move…", browser.card("A"))
        browser.choose(choice)
        browser.until(lambda: names(board) == expected)
    assert state(board, "A")["current_state"] == "unstarted"
    browser.press("Move…", browser.card("X"))
    browser.choose("Above…")
    browser.press("C", browser.find("dialog"))
    browser.until(lambda: names(board) == ["A", "B", "X", "C", "D", "Y"])


def test_by_keys(backlog, board):
    browser = backlog
    browser.keys("j")
    browser.keys("j")
    browser.keys(Keys.ALT, Keys.ARROW_DOWN)
    browser.until(lambda: names(board) == ["A", "C", "B", "D", "Y", "X"])
    browser.keys(Keys.ALT, Keys.HOME)
    browser.until(lambda: names(board) == ["B", "A", "C", "D", "Y", "X"])
    browser.keys("s")
    browser.until(lambda: state(board, "B")["current_state"] == "started")
    browser.keys(Keys.CONTROL, "z")
    browser.until(lambda: state(board, "B")["current_state"] == "unstarted")
    browser.until(lambda: browser.js("return document.activeElement.textContent") == "B")
    browser.keys("x")
    browser.until(lambda: "1 selected" in browser.text("status"))
    browser.keys("?")
    browser.find("dialog", "Keyboard shortcuts")
    browser.shot("keys")
    browser.keys(Keys.ESCAPE)
    browser.none("dialog")
    ok(board.client.get(board.path))


def middle(browser, title):
    box = browser.card(title).find_element("css selector", ".points").rect
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_by_finger(backlog, board):
    """A finger that rests drags; one that moves at once scrolls."""
    browser = backlog
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = middle(browser, "C")
    top = middle(browser, "A")[1]
    # A single command: between two, a busy browser may let so much time pass that the finger rests.
    browser.cdp("Input.synthesizeScrollGesture", x=x, y=y, yDistance=top - 8 - y, gestureSourceType="touch")
    time.sleep(0.5)
    assert names(board) == ["A", "B", "C", "D", "Y", "X"]
    browser.hold(x, y)
    for step in range(1, 6):
        browser.touch("touchMove", x, y + (top - 8 - y) * step / 5)
        time.sleep(0.03)
    browser.touch("touchEnd")
    browser.until(lambda: names(board) == ["C", "A", "B", "D", "Y", "X"])
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


def test_a_finger_that_rests_opens_no_menu(backlog):
    """Not even before the page has noticed that it rests."""
    backlog.drags()
    assert backlog.js("""const card = arguments[0], menu = new Event('contextmenu', { bubbles: true, cancelable: true });
        card.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch', isPrimary: true }));
        card.dispatchEvent(menu);
        card.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true }));
        return menu.defaultPrevented""", backlog.card("C"))


def test_by_finger_to_another_panel(backlog, board):
    """The card is drawn in the other panel while the finger is still on it."""
    browser = backlog
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = middle(browser, "X")
    to, top = middle(browser, "B")
    browser.hold(x, y)
    for step in range(1, 6):
        browser.touch("touchMove", x + (to - x) * step / 5, y + (top - 8 - y) * step / 5)
    browser.card("X", "Current")
    browser.touch("touchMove", to + 2, top - 8)
    browser.touch("touchEnd")
    browser.until(lambda: names(board) == ["A", "X", "B", "C", "D", "Y"])
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


def test_what_rested_is_dropped_where_it_was_shown(board, shown):  # noqa: F811
    """The cards make way for the dragged one, so other cards are under the pointer then."""
    ok(board.client.put(board.path, {"automatic_planning": False}))
    board.adds(["A", "B"], "unstarted", estimate=1)
    browser = shown()
    drag(browser, browser.card("B"), browser.region("Current"), 0.95, drop=False)
    browser.card("B", "Current")
    browser.frames()
    ActionChains(browser.driver).release().perform()
    browser.until(lambda: state(board, "B")["current_state"] == "planned")
    browser.has(lambda: browser.titles("Current"), ["B"])
