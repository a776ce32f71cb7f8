"""A story and an epic at their own addresses, including the old ones."""

import pytest
from selenium.webdriver.common.keys import Keys

from opened import show
from world import ok


@pytest.fixture
def story(browser, board):
    board.add("Alone", "unstarted", description="By **itself**")
    browser.sign_in(board.who)
    return board.ids["Alone"]


@pytest.mark.parametrize("address", ["/story/show/{s}", "/stories/{s}", "/projects/{p}/stories/{s}"])
def test_addresses(browser, board, story, address):
    browser.open(address.format(s=story, p=board.id))
    title = browser.find("textbox", "Title")
    assert title.get_property("value") == "Alone"
    browser.find("button", "Edit description")
    assert browser.js("return document.title").startswith("Alone")
    browser.fill("Title", "Not so alone")
    browser.press("Save")
    browser.until(lambda: board.stories()[0]["name"] == "Not so alone")
    browser.shot("story-alone")
    assert browser.axe() == []
    browser.find("link", "Show in board").click()
    browser.find("button", "Save", browser.card("Not so alone", "Current"))
    assert browser.path == f"/n/projects/{board.id}/stories/{story}"


@pytest.mark.parametrize("state, panel", [("unstarted", "Current"), ("unscheduled", "Icebox")])
def test_expanded_in_the_board(browser, board, state, panel):
    board.adds([f"Filler {n}" for n in range(30)], state)
    board.add("Wanted", state)
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}/stories/{board.ids['Wanted']}")
    region = panel if state == "unscheduled" else "Backlog"
    card = browser.card("Wanted", region)
    browser.find("button", "Edit description", card)
    browser.until(lambda: browser.js(
        "const r = arguments[0].getBoundingClientRect(); return r.top > 0 && r.top < innerHeight", card))


def test_in_a_panel_that_is_closed(browser, board):
    board.add("Wanted", "unscheduled")
    show(browser, board)
    browser.press("Close", browser.region("Icebox"))
    browser.open(f"/n/projects/{board.id}/stories/{board.ids['Wanted']}")
    browser.find("button", "Save", browser.card("Wanted", "Icebox"))


def test_in_a_panel_whose_list_comes_last(browser, board):
    board.add("Wanted", "unscheduled")
    show(browser, board)
    browser.press("Close", browser.region("Icebox"))
    with browser.late("unscheduled"):
        browser.open(f"/n/projects/{board.id}/stories/{board.ids['Wanted']}")
        browser.find("button", "Save", browser.card("Wanted", "Icebox"))


def test_an_open_menu_changes_with_its_items(browser, story):
    """Who may do what is known only when /me has been answered."""
    with browser.late("v5/me"):
        browser.open(f"/story/show/{story}")
        browser.press("Story menu")
        browser.find("menuitem", "Copy link")
        browser.find("menuitem", "Delete")
        browser.keys(Keys.END)
        assert browser.js("return document.activeElement.textContent") == "Delete"


def test_delete_alone(browser, board, story):
    browser.open(f"/story/show/{story}")
    browser.press("Story menu")
    browser.choose("Delete")
    browser.undo_once("document.body.textContent.includes('no longer exists')")
    browser.find("textbox", "Title")


def test_nothing_there(browser, board, story):
    browser.expect("/services/v5/")
    for address in ("/story/show/1999999999", "/epic/show/1999999999",
                    f"/projects/{board.id}/stories/1999999999"):
        browser.open(address)
        browser.find("link", "To the dashboard" if browser.all("link", "To the dashboard") else None)
        assert not browser.all("textbox", "Title")


def test_signed_out(browser, board):
    browser.expect("/services/v5/", "/assets/demo.json")
    board.add("Alone", "unstarted")
    browser.open(f"/story/show/{board.ids['Alone']}")
    browser.fill("Login", board.who.username)
    browser.fill("Password", board.who.password)
    browser.press("Sign in")
    assert browser.find("textbox", "Title").get_property("value") == "Alone"
    assert browser.path == f"/story/show/{board.ids['Alone']}"


def test_epic_alone(browser, board):
    epic = ok(board.client.post(board.path + "/epics", {"name": "Spring", "description": "Warm"}))
    browser.sign_in(board.who)
    browser.open(f"/epic/show/{epic['id']}")
    browser.until(lambda: "Warm" in browser.js("return document.body.textContent"))
    browser.shot("epic-alone")
    assert browser.axe() == []
    browser.find("link", "Show in board").click()
    browser.find("button", "Save", browser.region("Epics"))
    assert browser.path == f"/n/projects/{board.id}/epics/{epic['id']}"


def test_an_epic_that_cannot_be_loaded_is_tried_again(browser, board):
    epic = ok(board.client.post(board.path + "/epics", {"name": "Spring", "description": "Warm"}))
    browser.expect("/services/v5/", "ERR_")
    browser.sign_in(board.who)
    for blocked in (f"*/v5/epics/{epic['id']}?fields=project_id", f"*/projects/{board.id}/epics/{epic['id']}?*"):
        browser.cdp("Network.setBlockedURLs", urls=[blocked])
        browser.open(f"/epic/show/{epic['id']}")
        browser.until(lambda: "cannot be reached" in browser.text("alert"))
        browser.cdp("Network.setBlockedURLs", urls=[])
        browser.press("Try again")
        browser.until(lambda: "Warm" in browser.js("return document.body.textContent"))


def test_a_long_project_name_ends_in_dots_on_a_phone(browser, board, story):
    ok(board.client.put(board.path, {"name": "Donaudampfschifffahrtselektrizitaeten in Wien"}))
    browser.sign_in(board.who)
    browser.size(390, 844)
    browser.open(f"/story/show/{board.ids['Alone']}")
    link = browser.find("link", "Donaudampfschifffahrtselektrizitaeten in Wien")
    assert browser.js("""const [node] = arguments, style = getComputedStyle(node);
        return style.textOverflow === "ellipsis" && style.display === "block" && node.scrollWidth > node.clientWidth
            && node.getBoundingClientRect().right <= node.closest(".headline").getBoundingClientRect().right""", link)


def test_one_that_was_accepted_long_ago(browser, board, sql):
    board.add("Long ago", "accepted", accepted_at="2020-01-08T12:00:00Z")
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}/stories/{board.ids['Long ago']}")
    browser.find("button", "Save", browser.card("Long ago", "Search results"))


def test_its_steps_stand_in_one_line_on_a_phone(browser, board):
    board.add("Brought", "delivered")
    browser.sign_in(board.who)
    browser.size(390, 844)
    browser.language("de-DE")
    browser.open(f"/story/show/{board.ids['Brought']}")
    tops = [browser.js("const r = arguments[0].getBoundingClientRect(); return Math.round((r.top + r.bottom) / 2)",
                       browser.find(role, name)) for role, name in (
        ("button", "Abnehmen"), ("button", "Zurückweisen"), ("link", "Im Board zeigen"), ("button", "Menü der Story"))]
    browser.shot("story-alone-narrow-german")
    assert max(tops) - min(tops) <= 2


def test_dark_and_narrow(browser, board, story):
    epic = ok(board.client.post(board.path + "/epics", {"name": "Spring", "description": "Warm"}))
    browser.colours("dark")
    browser.size(360, 900)
    for name, address in (("story", f"/story/show/{story}"), ("epic", f"/epic/show/{epic['id']}")):
        browser.open(address)
        browser.find("button", "Edit description")
        assert browser.axe() == []
        browser.shot(f"{name}-alone-narrow-dark")
        assert browser.js("return document.documentElement.scrollWidth") <= 360
        assert browser.js("return document.querySelector('.form').scrollWidth <= innerWidth")
