"""A story opened in place: every field, Save, Cancel, drafts."""

import datetime

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from board import Board
from client import Client
from opened import open_story, pick, show
from world import ok

FIELDS = ("name,description,story_type,estimate,current_state,story_priority,requested_by_id,"
          "owner_ids,labels(name),deadline,follower_ids")


@pytest.fixture
def shown(browser, board):
    """shown() opens the page of the board."""
    return lambda: show(browser, board)


def story(board, name):
    return ok(board.client.get(board.at(name) + f"?fields={FIELDS}"))


def test_every_field_by_one_save(shown, board, mate, sql):
    board.add("Old title", "unscheduled", estimate=None)
    browser = shown()
    card = open_story(browser, "Old title")
    browser.fill("Title", "New title", card)
    pick(browser, card, "Type", "feature")
    pick(browser, card, "Estimate", "2 points")
    pick(browser, card, "State", "started")
    pick(browser, card, "Priority", "P1 – high")
    pick(browser, card, "Requester", mate.name)
    for field, typed in (("Owners", "mark"), ("Labels", "shop"), ("Labels", "Web site"), ("Followers", "mark")):
        node = browser.find("textbox", field, card)
        node.send_keys(typed, Keys.ENTER)
    browser.press("Edit description", card)
    browser.fill("Description", "It is **bold**.", card)
    browser.press("Preview", card)
    browser.until(lambda: card.find_elements(By.CSS_SELECTOR, ".markdown strong"))
    browser.shot("story-open")
    before = board.version()
    assert story(board, "Old title")["name"] == "Old title"
    browser.press("Save", card)
    card = browser.card("New title", "Current")
    assert not card.find_elements(By.CSS_SELECTOR, ".form")
    browser.until(lambda: "web site" in browser.card("New title").text)
    browser.until(lambda: board.version() == before + 1)
    now = story(board, "Old title")
    assert now["name"] == "New title" and now["description"] == "It is **bold**."
    assert (now["estimate"], now["current_state"], now["story_priority"]) == (2, "started", "p1")
    assert now["owner_ids"] == [mate.id] and now["requested_by_id"] == mate.id
    assert sorted(label["name"] for label in now["labels"]) == ["shop", "web site"]
    assert mate.id in now["follower_ids"]
    kept = browser.js("return Object.keys(localStorage).filter(k => k.startsWith('planwright.draft'))")
    assert kept == []
    assert board.activities(sql)[-1] == "story_update_activity"
    browser.undo()
    browser.until(lambda: story(board, "Old title")["current_state"] == "unscheduled")
    assert story(board, "Old title").get("description", "") == ""


def test_deadline_of_a_release(shown, board):
    board.add("Ship it", "unstarted", story_type="release")
    browser = shown()
    card = open_story(browser, "Ship it")
    field = browser.find("textbox", "Deadline", card)
    browser.js("""arguments[0].value = '2030-05-06';
               arguments[0].dispatchEvent(new Event('change', {bubbles: true}))""", field)
    browser.press("Save", card)
    browser.until(lambda: story(board, "Ship it").get("deadline", "").startswith("2030-05-06"))


def test_nothing_is_sent_before_save(shown, board):
    board.add("Quiet", "unstarted")
    browser = shown()
    card = open_story(browser, "Quiet")
    before = board.version()
    browser.fill("Title", "Loud", card).send_keys(Keys.TAB)
    pick(browser, card, "Type", "bug")
    browser.find("combobox", "Type", card).send_keys(Keys.TAB)
    assert "not saved yet" in card.text
    browser.press("Cancel", card)
    browser.none("button", "Save", browser.card("Quiet"))
    assert board.version() == before
    card = open_story(browser, "Quiet")
    assert browser.find("textbox", "Title", card).get_property("value") == "Quiet"


def test_drafts_survive_a_reload(shown, board):
    board.add("Long text", "unstarted")
    browser = shown()
    card = open_story(browser, "Long text")
    browser.press("Edit description", card)
    browser.fill("Description", "Typed for an hour", card)
    browser.fill("Comment", "Half a com", card)
    lines = ("Add task", "Add blocker", "Add pull request (URL)")
    for line in lines:
        browser.fill(line, f"Half: {line}", card)
    browser.driver.refresh()
    browser.press("Long text", browser.card("Long text"))
    card = browser.card("Long text")
    field = browser.find("textbox", "Description", card)
    assert field.get_property("value") == "Typed for an hour"
    assert browser.find("textbox", "Comment", card).get_property("value") == "Half a com"
    for line in lines:
        assert browser.find("textbox", line, card).get_property("value") == f"Half: {line}"
    browser.press("Save", card)
    browser.until(lambda: story(board, "Long text").get("description") == "Typed for an hour")
    browser.until(lambda: "hour" not in browser.js("return JSON.stringify(localStorage)"))


def test_a_folded_card_says_what_is_not_saved(shown, board):
    board.adds(["Long text", "Other"], "unstarted")
    browser = shown()
    says = lambda name="Long text": "Unsaved changes" in browser.card(name).get_property("textContent")
    card = open_story(browser, "Long text")
    assert not says()
    browser.fill("Comment", "Half a com", card)
    assert not says(), "the form is open"
    browser.keys(Keys.ESCAPE)
    browser.until(says)
    assert not says("Other")
    browser.shot("unsaved")
    assert browser.axe() == []
    browser.driver.refresh()
    browser.until(says)
    card = open_story(browser, "Long text")
    browser.fill("Title", "Longer text", card)
    browser.press("Save", card)
    browser.until(lambda: says("Longer text"))
    card = open_story(browser, "Longer text")
    browser.press("Cancel", card)
    browser.none("button", "Cancel", browser.card("Longer text"))
    assert not says("Longer text")


def test_ctrl_s_saves_all_that_is_open(shown, board):
    board.adds(["One", "Two"], "unstarted")
    browser = shown()
    for name in ("One", "Two"):
        card = open_story(browser, name)
        browser.find("textbox", "Title", card).send_keys(" more")
    browser.keys(Keys.CONTROL + "s")
    browser.until(lambda: [s["name"] for s in board.stories()] == ["One more", "Two more"])
    browser.find("button", "Save")


def test_refused_keeps_what_was_typed(shown, board):
    board.add("Points first", "unstarted", estimate=None)
    browser = shown()
    browser.expect("/services/v5/")
    card = open_story(browser, "Points first")
    browser.fill("Title", "Changed title", card)
    pick(browser, card, "State", "started")
    browser.press("Save", card)
    browser.until(lambda: browser.text("alert"))
    card = browser.card("Points first")
    browser.find("button", "Save", card)
    assert browser.find("textbox", "Title", card).get_property("value") == "Changed title"
    assert "estimate" in card.text.lower()


def test_axe_and_pictures(shown, board, mate):
    board.add("Everything", "started", labels=["shop", "web"], owner_ids=[board.who.id, mate.id],
              description="# Head\n\nSome *text* with `code` and https://example.test\n\n- one\n- two\n\n"
                          "| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n```\ncode\n```")
    for kind, body in (("tasks", {"description": "Paint it"}), ("tasks", {"description": "Done", "complete": True}),
                       ("blockers", {"description": "no wood"}), ("comments", {"text": "Well **done** @mark"}),
                       ("pull_requests", {"owner": "o", "repo": "r", "host_url": "https://git.example/", "number": 7})):
        ok(board.client.post(board.at("Everything") + f"/{kind}", body))
    types = ok(board.client.get(board.path + "/review_types"))
    ok(board.client.post(board.at("Everything") + "/reviews", {"review_type_id": types[0]["id"]}))
    browser = shown()
    open_story(browser, "Everything")
    browser.until(lambda: browser.js("return document.querySelector('.markdown table')"))
    browser.size(1400, 1700)
    browser.shot("story")
    assert browser.axe() == []
    browser.colours("dark")
    assert browser.axe() == []
    browser.shot("story-dark")
    browser.colours("light")
    browser.size(360, 1900)
    browser.shot("story-narrow")
    assert browser.js("return document.documentElement.scrollWidth") <= 360
    assert browser.js("return document.querySelector('.form').scrollWidth <= innerWidth")


def test_in_german(browser, board):
    board.add("Eine Story", "unstarted")
    browser.language("de-DE")
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.press("Eine Story", browser.card("Eine Story"))
    card = browser.card("Eine Story")
    browser.find("button", "Beschreibung bearbeiten", card)
    browser.find("textbox", "Titel", card)
    browser.shot("story-german")


def test_keyboard_and_two_panels(shown, board):
    board.adds([f"S{n}" for n in range(3)], "unstarted")
    board.add("Me", "started", owner_ids=[board.who.id])
    browser = shown()
    browser.card("Me")
    browser.card("S2")
    browser.keys("j")
    browser.keys("o")
    card = browser.card("Me")
    browser.find("button", "Edit description", card)
    browser.until(lambda: browser.js("return document.activeElement.getAttribute('aria-label')") == "Title")
    browser.keys(Keys.ESCAPE)
    browser.none("button", "Save")
    assert browser.js("return document.activeElement.textContent") == "Me"

    browser.press("My work")
    browser.press("Me", browser.card("Me", "My work"))
    browser.find("button", "Edit description")
    browser.has(lambda: len(browser.all("button", "Save")), 1)

    browser.press("Story menu")
    browser.keys(Keys.ESCAPE)
    browser.has(lambda: len(browser.all("button", "Save")), 1)

    browser.press("Finish", browser.card("Me", "My work"))
    browser.until(lambda: board.state("Me") == "finished")
    browser.has(lambda: len(browser.all("button", "Save")), 1)


@pytest.mark.parametrize("lengths", [{}, {3: 3, 5: 2}])
def test_the_iteration_in_which_it_was_done(browser, stack, planner, lengths):
    """Also if some earlier iterations were longer than others."""
    now = datetime.datetime.now(datetime.timezone.utc)
    monday = now.date() - datetime.timedelta(weeks=12, days=now.weekday())
    board = Board(Client(stack, planner.token), start_date=monday.isoformat())
    for number, length in lengths.items():
        ok(board.client.put(f"{board.path}/iteration_overrides/{number}", {"length": length}))
    for weeks in (12, 9, 7, 1):
        when = (now - datetime.timedelta(weeks=weeks)).isoformat(timespec="seconds").replace("+00:00", "Z")
        board.add(f"{weeks} weeks ago", "accepted", accepted_at=when)
    done = ok(board.client.get(board.path + "/iterations?scope=done&limit=20&fields=number,stories(id,name)"))
    numbers = {s["name"]: it["number"] for it in done for s in it["stories"]}
    assert len(numbers) == 4 and len(set(numbers.values())) >= 3
    browser.sign_in(planner)
    for name, number in numbers.items():
        browser.open(f"/story/show/{board.ids[name]}")
        words = browser.until(lambda: browser.js("""
            const name = [...document.querySelectorAll('.field-name')].find(n => n.textContent === 'Iteration');
            const text = name?.nextElementSibling.textContent;
            return text?.includes('·') && text"""), what=name)
        assert words.split(" ·")[0] == str(number), (name, words, numbers)
