"""Cards: how much space they take, what they show where, and how they are pressed."""

import itertools

from looking import SMALL
from opened import open_story, show
from selenium.webdriver.common.action_chains import ActionChains
from test_board import full, state  # noqa: F401
from world import ok

# The contrast ratio of two colours, as WCAG defines it.
CONTRAST = """const lum = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const [a, b] = [lum(arguments[0]), lum(arguments[1])].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05);"""


def style(browser, node, name):
    return browser.js("return getComputedStyle(arguments[0])[arguments[1]]", node, name)


def height(browser, title):
    return browser.js("return arguments[0].getBoundingClientRect().height", browser.card(title))


def test_a_line_where_it_fits(browser, board):
    board.add("A short title", "started", labels=["shop"])
    board.add("A title that is as long as those that people write every day", "unstarted", estimate=3,
              labels=["shop", "big"])
    ok(board.client.post(board.at("A short title") + "/owners", {"id": board.who.id}))
    show(browser, board)
    browser.size(1440, 900)
    assert height(browser, "A short title") <= 31
    assert browser.find("button", "A short title").size["height"] <= 26
    for name in ("My work", "Done", "Epics"):
        browser.press(name)
    browser.region("Epics")
    browser.until(lambda: browser.js("return arguments[0].clientWidth", browser.region("Icebox")) < 330)
    browser.frames()
    assert height(browser, "A short title") <= 56
    long = "A title that is as long as those that people write every day"
    assert height(browser, long) <= 80
    # The title has the whole width; buttons follow where it ends.
    lines = browser.js("return arguments[0].getClientRects().length", browser.find("button", long))
    assert lines <= 2


def test_comfortable_and_dense(browser, board):
    board.add("One", "unstarted")
    show(browser, board)
    dense = height(browser, "One")
    browser.press("Panel menu", browser.region("Icebox"))
    browser.choose("Comfortable cards")
    browser.until(lambda: height(browser, "One") >= dense + 6)
    browser.driver.refresh()
    browser.until(lambda: height(browser, "One") >= dense + 6)
    browser.press("Panel menu", browser.region("Icebox"))
    browser.choose("Dense cards")
    browser.until(lambda: height(browser, "One") == dense)


def test_the_word_of_the_state(browser, board):
    board.add("One", "unstarted")
    show(browser, board)
    word = browser.driver.find_element("css selector", ".card .state-word")
    assert browser.label("One").endswith(", unstarted")
    assert word.is_displayed()
    for name in ("My work", "Done", "Epics"):
        browser.press(name)
    browser.until(lambda: not browser.driver.find_element("css selector", ".card .state-word").is_displayed())


def test_sums_have_units(browser, board):
    board.add("Planned", "unstarted", estimate=2)
    board.adds(["Idea", "Thought"], "unscheduled")
    show(browser, board)
    for words in ("Backlog0 points", "Icebox2 stories"):
        browser.until(lambda: words in browser.js(
            "return [...document.querySelectorAll('.panel-head')].map(h => h.textContent).join('|')"), what=words)


def test_releases(browser, board):
    board.add("To be shown", "unstarted", story_type="release", deadline="2030-01-01T00:00:00Z")
    board.add("Selected", "unstarted")
    show(browser, board)
    browser.js("arguments[0].click()", browser.find("checkbox", "Select", browser.card("Selected")))
    for scheme in ("light", "dark"):
        browser.colours(scheme)
        card, button = browser.card("To be shown"), browser.find("button", "Finish")
        row, own = style(browser, card, "backgroundColor"), style(browser, button, "backgroundColor")
        assert row != style(browser, browser.card("Selected"), "backgroundColor")
        assert browser.js(CONTRAST, style(browser, button, "color"), own) >= 4.5
        for beside in (row, own):
            assert browser.js(CONTRAST, style(browser, button, "borderTopColor"), beside) >= 3


def test_labels_without_colour(browser, board):
    board.add("One", "unstarted", labels=["plain", "grand"])
    ok(board.client.post(f"{board.path}/epics", {"name": "Grand", "label": {"name": "grand"}}))
    show(browser, board)

    def sign(name):
        return browser.js("return getComputedStyle(arguments[0], '::before').content", browser.find("button", name))
    assert "◆" in sign("grand") and "◆" not in sign("plain")
    assert style(browser, browser.find("button", "plain"), "borderTopStyle") == "solid"


def test_initials_open_what_one_owns(browser, board):
    board.add("Mine", "started")
    board.add("Nobody's", "unscheduled")
    ok(board.client.post(board.at("Mine") + "/owners", {"id": board.who.id}))
    show(browser, board)
    browser.press("Paula Planner", browser.card("Mine"))
    browser.has(lambda: browser.titles("Paula Planner"), ["Mine"])


def test_fingertips(browser, board):
    full(board)
    ok(board.client.post(board.at("Feature started") + "/owners", {"id": board.who.id}))
    show(browser, board)
    browser.size(390, 844)
    browser.card("Feature started")
    browser.until(lambda: browser.js("return document.querySelectorAll('.panel-icebox .card').length") >= 5)
    assert browser.js(SMALL) == []
    assert "Velocity" in browser.js("return document.querySelector('.top .velocity').innerText")
    assert browser.axe() == []


def test_an_open_story_has_fingertips(browser, board):
    board.add("Opened", "started")
    show(browser, board)
    browser.size(390, 844)
    open_story(browser, "Opened")
    assert browser.js(SMALL) == []


def test_initials_above_a_label_of_two_lines(browser, board):
    """They are as high as a target must be, in a line that is not higher for it."""
    label = "a label of two lines, since it is so long that nobody would ever write it down in earnest"
    board.add("Labelled", "started", labels=[label], owner_ids=[board.who.id])
    board.add("Owned", "started", owner_ids=[board.who.id])
    board.add("Nobody's", "started")
    show(browser, board)
    browser.size(1024, 768)
    browser.until(lambda: browser.find("button", label).size["height"] > 30)
    assert browser.axe() == []
    assert height(browser, "Owned") == height(browser, "Nobody's")


def test_the_project_has_room_for_its_name_on_a_phone(browser, board):
    ok(board.client.put(board.path, {"name": "Tool library 2"}))
    show(browser, board)
    browser.size(390, 844)
    heading = browser.find("heading", "Tool library 2")
    assert browser.js("return arguments[0].scrollWidth <= arguments[0].clientWidth", heading)


def test_signs_stand_in_the_line_of_the_title(browser, board):
    board.add("Talked of", "started")
    ok(board.client.post(board.at("Talked of") + "/comments", {"text": "Soon"}))
    ok(board.client.post(board.at("Talked of") + "/blockers", {"description": "No wood"}))
    show(browser, board)
    middles = browser.js("""return [...arguments[0].querySelectorAll('.title, .mark .icon')].map(node => {
        const { top, bottom } = node.getBoundingClientRect(); return (top + bottom) / 2; })""", browser.card("Talked of"))
    assert len(middles) == 3 and max(middles) - min(middles) <= 1.5, middles


def test_the_head_of_an_iteration_stays_in_its_panel(browser, board):
    for points, word in ((3, "accepted"), (3, "started")):
        for n in range(6):
            board.add(f"{word} {n}", word, estimate=points)
    browser.language("de-DE")
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.region("Aktuell")
    browser.size(1024, 768)
    for name in ("Meine Arbeit", "Epics"):
        browser.press(name)
        browser.region(name)
    browser.until(lambda: browser.js("return document.querySelector('.iteration-head .sum').textContent") == "18 von 36 Punkten")
    assert browser.js("""return [...document.querySelectorAll('.iteration-head')].map(head =>
        [head.scrollWidth - head.clientWidth, head.querySelector('.sum').getBoundingClientRect().right
            <= head.getBoundingClientRect().right - 12])""") == [[0, True]]


def lit(browser):
    return browser.js("return [...document.querySelectorAll('.sidebar [aria-pressed=true]')].map(b => b.textContent)")


def test_the_bar_lights_what_is_in_sight(browser, board):
    board.adds([f"Story {n}" for n in range(40)], "unstarted", estimate=3)
    board.add("Idea", "unscheduled")
    show(browser, board)
    browser.size(390, 844)
    browser.driver.refresh()
    browser.has(lambda: lit(browser), ["Current"])
    for name in ("Icebox", "Backlog", "Current"):
        browser.press(name)
        browser.has(lambda: lit(browser), [name])
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    for x in itertools.chain([350], range(330, 20, -25)):
        browser.touch("touchStart" if x == 350 else "touchMove", x, 500)
    browser.touch("touchEnd")
    browser.has(lambda: lit(browser), ["Icebox"])
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


def test_a_click_anywhere_opens(browser, board):
    board.add("Near", "unstarted")
    show(browser, board)
    card = browser.card("Near")
    ActionChains(browser.driver).move_to_element_with_offset(card, 60, 0).click().perform()
    browser.find("textbox", "Title", browser.card("Near"))
    browser.press("Start", browser.card("Near"))
    browser.find("textbox", "Title", browser.card("Near"))
    browser.press("Near")
    browser.none("textbox", "Title")


def test_keys_press_a_title(browser, board):
    board.add("By keys", "unstarted")
    show(browser, board)
    browser.js("arguments[0].focus()", browser.find("button", "By keys"))
    for key in ("\ue007", " "):
        browser.keys(key)
        browser.find("textbox", "Title", browser.card("By keys"))
        browser.press("Cancel", browser.card("By keys"))
        browser.none("textbox", "Title")
        browser.js("arguments[0].focus()", browser.find("button", "By keys"))
