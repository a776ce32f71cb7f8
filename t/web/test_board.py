"""The board: panels, cards and their buttons, adding stories, changes by others."""

import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from world import ok

FIRST = ["Current", "Backlog", "Icebox"]
OTHERS = ["My work", "Done", "Epics", "Blocked", "Labels", "History"]


@pytest.fixture
def shown(browser, board):
    """show() opens the page of the board."""
    def show():
        browser.sign_in(board.who)
        browser.open(f"/n/projects/{board.id}")
        browser.region("Current")
        browser.region("Icebox")
        browser.painted()
        return browser
    return show


def state(board, name):
    return ok(board.client.get(board.at(name) + "?fields=current_state,estimate,owner_ids"))


def full(board):
    """A story of every kind and state."""
    for word in ("accepted", "rejected", "delivered", "finished", "started", "unstarted", "unscheduled"):
        board.add(f"Feature {word}", word, labels=["shop"])
    board.add("A bug", "unstarted", story_type="bug")
    board.add("A chore", "started", story_type="chore")
    board.add("A release", "unstarted", story_type="release", deadline="2030-01-01T00:00:00Z")
    board.add("Unestimated", "unstarted", estimate=None)
    board.adds([f"Idea {n}" for n in range(5)], "unscheduled")


def test_an_empty_board(shown):
    browser = shown()
    browser.until(lambda: browser.names("region") == FIRST)
    assert browser.axe() == []
    browser.shot("board-empty")


def in_view(browser, name):
    """Waits until the panel is in view, however many panels there are."""
    browser.until(lambda: browser.js(
        "const { left, right } = arguments[0].getBoundingClientRect();"
        " return left >= 0 && right <= innerWidth", browser.region(name)))


def test_panels(shown, board):
    full(board)
    browser = shown()
    for name in OTHERS:
        browser.press(name)
        in_view(browser, name)
    browser.press("Done")
    browser.press("Done")
    in_view(browser, "Done")
    browser.fill("Search", "wood").submit()
    in_view(browser, "Search results")
    assert browser.axe() == []
    browser.shot("board-all-panels")
    for name in [*FIRST, *OTHERS, "Search results"]:
        browser.press("Close", browser.region(name))
        browser.none("region", name)
    browser.has(lambda: browser.all("region"), [])
    browser.press("Icebox")
    browser.open(f"/n/projects/{board.id}")
    browser.region("Icebox")
    browser.has(lambda: browser.names("region"), ["Icebox"])


def test_cards_at_a_glance(shown, board):
    full(board)
    ok(board.client.post(board.at("Feature started") + "/blockers", {"description": "no wood"}))
    ok(board.client.post(board.at("Feature started") + "/comments", {"text": "soon"}))
    ok(board.client.post(board.at("Feature started") + "/owners", {"id": board.who.id}))
    browser = shown()
    assert browser.label("Feature started", "Current") == "Feature started, feature, 1 point, started"
    assert browser.label("Unestimated") == "Unestimated, feature, unestimated, unstarted"
    assert browser.label("A bug") == "A bug, bug, unestimated, unstarted"
    text = browser.card("Feature started").text
    assert "shop" in text and "1 blocker" in text and "1 comment" in text and "PP" in text
    head = browser.js("return document.querySelector('.iteration-head').textContent")
    assert "1 of 6 points" in head and "100" in head
    browser.shot("board")
    browser.colours("dark")
    assert browser.axe() == []
    browser.shot("board-dark")
    browser.size(360, 740)
    assert browser.js("return document.querySelector('.middle').getBoundingClientRect().top"
                      " - document.querySelector('header').getBoundingClientRect().bottom") == 0
    browser.shot("board-narrow")
    assert browser.js("return document.documentElement.scrollWidth") <= 360


def test_each_step(shown, board):
    board.add("Step by step", "unstarted", estimate=2)
    browser = shown()
    for name, word in (("Start", "started"), ("Finish", "finished"), ("Deliver", "delivered")):
        browser.press(name, browser.card("Step by step"))
        browser.until(lambda: browser.label("Step by step").endswith(f", {word}"))
    browser.until(lambda: state(board, "Step by step")["current_state"] == "delivered")
    assert state(board, "Step by step")["owner_ids"] == [board.who.id]

    browser.press("Reject", browser.card("Step by step"))
    dialog = browser.find("dialog")
    browser.fill("Comment", "Still red", dialog)
    browser.shot("reject")
    browser.press("Reject", dialog)
    browser.until(lambda: browser.label("Step by step").endswith(", rejected"))
    browser.until(lambda: [c["text"] for c in ok(board.client.get(board.at("Step by step") + "/comments"))]
                  == ["Still red"])
    for name, word in (("Restart", "started"), ("Finish", "finished"), ("Deliver", "delivered"),
                       ("Accept", "accepted")):
        browser.press(name, browser.card("Step by step"))
        browser.until(lambda: browser.label("Step by step").endswith(f", {word}"))
    browser.until(lambda: state(board, "Step by step")["current_state"] == "accepted")


def test_reject_by_keys(shown, board):
    board.add("To be looked at", "delivered")
    browser = shown()
    browser.js("arguments[0].focus()", browser.find("button", "To be looked at"))
    browser.keys("r")
    browser.find("dialog")
    browser.keys("Not yet")
    browser.keys(Keys.CONTROL, Keys.ENTER)
    browser.until(lambda: state(board, "To be looked at")["current_state"] == "rejected")
    said = ok(board.client.get(board.at("To be looked at") + "/comments"))
    assert [c["text"] for c in said] == ["Not yet"]


def test_a_selection_that_ends_outside_keeps_the_dialog(shown, board):
    board.add("Mostly good", "delivered")
    browser = shown()
    browser.press("Reject", browser.card("Mostly good"))
    dialog = browser.find("dialog")
    browser.fill("Comment", "Still red", dialog)
    comment = browser.find("textbox", "Comment", dialog)
    ActionChains(browser.driver).move_to_element(comment).click_and_hold().move_by_offset(-600, 0).release().perform()
    assert comment.get_property("value") == "Still red"
    ActionChains(browser.driver).move_to_element(comment).move_by_offset(-600, 0).click().perform()
    browser.none("dialog")


def test_reject_without_a_word(shown, board):
    board.add("No good", "delivered")
    browser = shown()
    browser.press("Reject", browser.card("No good"))
    browser.press("Reject", browser.find("dialog"))
    browser.until(lambda: state(board, "No good")["current_state"] == "rejected")
    assert ok(board.client.get(board.at("No good") + "/comments")) == []


def test_undo_of_start_takes_the_ownership_back(shown, board):
    board.adds(["First", "Second", "Third"], "unstarted")
    browser = shown()
    browser.press("Start", browser.card("Second"))
    browser.until(lambda: state(board, "Second")["owner_ids"] == [board.who.id])
    browser.undo()
    browser.until(lambda: state(board, "Second")["current_state"] == "unstarted")
    assert state(board, "Second")["owner_ids"] == []
    browser.has(lambda: browser.titles("Current"), ["First", "Second", "Third"])
    assert [s["name"] for s in board.stories()] == ["First", "Second", "Third"]


def test_estimate(shown, board):
    board.add("How large", "unstarted", estimate=None)
    browser = shown()
    browser.press("Estimate 2 points", browser.card("How large"))
    assert browser.label("How large") == "How large, feature, 2 points, unstarted"
    browser.until(lambda: state(board, "How large").get("estimate") == 2)
    browser.find("button", "Start", browser.card("How large"))
    browser.undo()
    browser.until(lambda: "estimate" not in state(board, "How large"))


def test_refused_and_rolled_back(shown, board):
    board.add("Gone soon", "unstarted", estimate=None)
    browser = shown()
    browser.expect("/services/v5/")
    browser.network(latency=800)
    browser.cdp("Network.setBlockedURLs", urls=["*/activity*"])  # the page must not learn about the new scale
    ok(board.client.put(board.path, {"point_scale": "0,1,4"}))
    browser.press("Estimate 2 points", browser.card("Gone soon"))
    assert "2 points" in browser.label("Gone soon")
    browser.until(lambda: "2" in browser.text("alert"))
    assert browser.label("Gone soon") == "Gone soon, feature, unestimated, unstarted"
    browser.cdp("Network.setBlockedURLs", urls=[])


def test_what_one_types_goes_into_a_new_story(shown, board):
    """The field that a click opens has the focus; what is typed survives a reload."""
    browser = shown()
    for button, region in (("Add story", "Icebox"), ("Add story to Backlog", "Backlog")):
        browser.press(button)
        browser.keys(f"For the {region}")
        browser.driver.refresh()
        field = browser.find("textbox", "Title", browser.region(region))
        assert field.get_property("value") == f"For the {region}"
        field.send_keys("\n")
        browser.until(lambda: f"For the {region}" in [s["name"] for s in board.stories()])
        assert field.get_property("value") == ""
        browser.press("Cancel")
        browser.none("textbox", "Title")
    browser.js("arguments[0].focus()", browser.find("button", "For the Icebox"))
    browser.keys("a")
    browser.keys(Keys.ESCAPE)
    assert browser.js("return document.activeElement.textContent") == "For the Icebox"


def test_add_story(shown, board):
    browser = shown()
    browser.press("Add story")
    browser.fill("Title", "Written in the browser")
    browser.shot("add-story")
    browser.press("Save")
    card = browser.card("Written in the browser", "Icebox")
    assert card.get_attribute("aria-label") == "Written in the browser, feature, unestimated, unscheduled"
    made = browser.until(board.stories)
    assert [s["name"] for s in made] == ["Written in the browser"]
    browser.fill("Title", "Another one")
    browser.press("Save")
    browser.until(lambda: len(board.stories()) == 2)
    browser.has(lambda: browser.titles("Icebox"), ["Another one", "Written in the browser"])
    browser.press("Cancel")
    browser.none("textbox", "Title")


def test_what_others_do(shown, board):
    board.adds(["One", "Two"], "unstarted")
    browser = shown()
    with browser.within_looks(board.id):
        board.move("Two", before="One")
        browser.until(lambda: browser.titles("Current") == ["Two", "One"])
    board.add("Three", "unscheduled")
    browser.card("Three", "Icebox")
    ok(board.client.delete(board.at("One")), 204)
    browser.until(lambda: browser.titles("Current") == ["Two"])
    ok(board.client.put(board.at("Two"), {"name": "Two and a half", "labels": ["new"]}))
    browser.card("Two and a half")
    browser.until(lambda: "new" in browser.card("Two and a half").text)


def test_long_names(shown, board):
    """A card shows the beginning of a long title, and its label stays inside the card."""
    board.add("W" * 5000, "unstarted", estimate=2, labels=["l" * 250])
    browser = shown()
    for width in (1400, 360):
        browser.size(width, 740)
        card = browser.card("W" * 5000)
        box = browser.js("const b = arguments[0].getBoundingClientRect(); return [b.height, b.right]", card)
        assert box[0] < 420
        for label in card.find_elements("css selector", ".label, .title"):
            assert browser.js("return arguments[0].getBoundingClientRect().right", label) <= box[1]
    assert browser.axe() == []


def test_hostile_names(shown, board):
    name = "<img src=x onerror=alert(1)> <script>alert(2)</script> {name}"
    board.add(name, "unstarted", labels=["<b>bold</b>"])
    browser = shown()
    assert name in browser.card(name).text and "<b>bold</b>" in browser.card(name).text
    assert browser.js("return document.querySelectorAll('.card img, .card script, .card b').length") == 0


def test_german(shown, board, browser):
    board.add("Eine Story", "unstarted")
    browser.language("de-DE")
    shown_in = browser
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    shown_in.region("Aktuell")
    assert browser.js("return document.documentElement.lang") == "de"
    assert browser.label("Eine Story") == "Eine Story, Feature, 1 Punkt, nicht begonnen"
    browser.shot("board-german")


def test_wide(shown, board):
    full(board)
    browser = shown()
    browser.size(2560, 1300)
    browser.press("Epics")
    browser.region("Epics")
    browser.shot("board-wide")
    assert browser.js("return document.documentElement.scrollWidth") <= 2560


def test_by_phone(shown, board):
    """One panel at a time, and a bar at the bottom."""
    full(board)
    browser = shown()
    browser.size(360, 740)
    browser.press("Icebox")
    browser.until(lambda: browser.js("return arguments[0].getBoundingClientRect().left", browser.region("Icebox")) == 0)
    browser.shot("phone-icebox")
    assert browser.axe() == []
    browser.press("Start", browser.card("Idea 4", "Icebox"))
    browser.until(lambda: state(board, "Idea 4")["current_state"] == "started")


def box(browser, node):
    return browser.js("return arguments[0].getBoundingClientRect().toJSON()", node)


def test_a_finger_wipes_to_the_next_panel(shown, board):
    board.adds([f"Story {n}" for n in range(20)], "unstarted")
    browser = shown()
    browser.cdp("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True)
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.driver.refresh()
    browser.card("Story 9")
    for kind, x in [("touchStart", 320), *(("touchMove", x) for x in range(295, 20, -25)), ("touchEnd", None)]:
        browser.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": 500}] if x else [])
        time.sleep(0.02)
    browser.until(lambda: box(browser, browser.region("Icebox"))["left"] == 0)
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


def test_a_story_takes_the_phone(shown, board):
    board.adds([f"Story {n}" for n in range(20)], "unstarted")
    browser = shown()
    browser.size(360, 740)
    browser.press("Start", browser.card("Story 0"))
    said = browser.until(lambda: browser.driver.find_elements("css selector", ".toast"))[0]
    assert box(browser, said)["bottom"] < box(browser, browser.find("button", "Icebox"))["top"]
    browser.press("Story 7")
    card = browser.card("Story 7")
    browser.find("textbox", "Add task", card)
    at = box(browser, card)
    assert (at["left"], at["right"], at["bottom"]) == (0, 360, 740) and at["top"] < 50
    browser.shot("phone-story")
    browser.js("arguments[0].scrollTop = 900", card)
    browser.fill("Title", "Story 7 by thumb", card)
    browser.press("Save", card)
    browser.until(lambda: box(browser, browser.card("Story 7 by thumb"))["height"] < 100)


def test_viewers_look_only(browser, board, person):
    full(board)
    viewer = person("Vera Viewer")
    ok(board.client.post(f"{board.path}/memberships", {"person_id": viewer.id, "role": "viewer"}))
    browser.sign_in(viewer)
    browser.open(f"/n/projects/{board.id}")
    card = browser.card("Feature unstarted")
    for name in ("Start", "Add story", "Move…"):
        assert not browser.all("button", name)
    assert not browser.all("button", "Finish", card)


def test_what_one_may_not_see(browser, board, person):
    browser.expect("/services/v5/projects/")
    browser.sign_in(person("Sam Stranger"))
    for project in (board.id, 10 ** 15):
        browser.open(f"/n/projects/{project}")
        browser.until(lambda: "or you may not see it" in browser.js("return document.body.textContent"))
    browser.shot("missing")
    assert browser.axe() == []


def test_nobody_answers_at_the_beginning(own):
    browser, board = own
    browser.sign_in(board.who)
    board.server.part("stop", "workers")
    browser.open(f"/n/projects/{board.id}")
    browser.until(lambda: "cannot be reached" in browser.text("alert"))
    browser.shot("unreached")
    board.server.part("start", "workers")
    browser.region("Icebox")


def test_a_double_click_opens(shown, board):
    board.add("Near the title", "unstarted")
    browser = shown()
    at = box(browser, browser.card("Near the title"))
    # clickCount makes the second click a double click, however long a busy browser takes between them.
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            browser.cdp("Input.dispatchMouseEvent", type=kind, x=at["x"] + at["width"] / 2, y=at["y"] + 15,
                        button="left", clickCount=count)
    browser.find("textbox", "Title", browser.card("Near the title"))
