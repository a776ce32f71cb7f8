"""Parts of a story: tasks, blockers, reviews, code, history; and actions on the whole story."""

import pytest
from selenium.webdriver.common.keys import Keys

from opened import menu, open_story, pick, show
from world import new_project, ok


@pytest.fixture
def card(browser, board):
    board.add("Shelf", "started", labels=["shop"], description="A *long* one")
    show(browser, board)
    return open_story(browser, "Shelf")


def parts(board, kind, fields="*"):
    return ok(board.client.get(board.at("Shelf") + f"/{kind}"))


def tasks(board):
    return [(t["description"], t["complete"]) for t in parts(board, "tasks")]


def boxes(browser, card):
    return [name for name in browser.names("checkbox", card) if name != "Select"]


def test_tasks(browser, board, card):
    for text in ("saw", "glue", "paint"):
        browser.find("textbox", "Add task", card).send_keys(text, Keys.ENTER)
    browser.until(lambda: tasks(board) == [("saw", False), ("glue", False), ("paint", False)])
    browser.until(lambda: browser.find("checkbox", "glue", card).is_enabled())
    browser.find("checkbox", "glue", card).click()
    browser.until(lambda: tasks(board)[1] == ("glue", True))
    menu(browser, card, "Menu of saw", "Edit")
    field = browser.find("textbox", "Task", card)
    field.clear()
    field.send_keys("saw twice", Keys.ENTER)
    browser.until(lambda: tasks(board)[0] == ("saw twice", False))
    menu(browser, card, "Menu of paint", "Move up")
    browser.until(lambda: boxes(browser, card) == ["saw twice", "paint", "glue"])
    browser.until(lambda: [text for text, _ in tasks(board)] == ["saw twice", "paint", "glue"])
    browser.find("checkbox", "paint", card).send_keys(Keys.ALT, Keys.ARROW_UP)
    browser.until(lambda: [text for text, _ in tasks(board)] == ["paint", "saw twice", "glue"])
    menu(browser, card, "Menu of glue", "Delete")
    browser.none("checkbox", "glue", card)
    browser.until(lambda: len(tasks(board)) == 2)


def test_blockers(browser, board, card):
    board.add("Wood first", "unstarted")
    wood = board.ids["Wood first"]
    browser.card("Wood first")
    browser.find("textbox", "Add blocker", card).send_keys(f"waits for #{wood}", Keys.ENTER)
    browser.until(lambda: "1 blocker" in browser.card("Shelf").text)
    browser.until(lambda: browser.find("link", f"#{wood}", card).get_attribute("href").endswith(
        f"/n/projects/{board.id}/stories/{wood}"))
    browser.press(f"Resolve: waits for #{wood}", card)
    browser.until(lambda: parts(board, "blockers")[0]["resolved"])
    browser.find("button", f"Reopen: waits for #{wood}", card)
    browser.press(f"Reopen: waits for #{wood}", card)
    browser.until(lambda: not parts(board, "blockers")[0]["resolved"])
    browser.until(lambda: browser.find("link", f"#{wood}", card).click() is None)
    other = browser.card("Wood first")
    browser.find("button", "Save", other)
    assert browser.path == f"/n/projects/{board.id}/stories/{wood}"
    browser.until(lambda: "Other stories wait for this one" in browser.card("Wood first").text)


def test_reviews(browser, board, mate, card):
    menu(browser, card, "Add review", "Design")
    browser.until(lambda: parts(board, "reviews"))
    browser.until(lambda: browser.find("combobox", "Design: reviewer", card).is_enabled())
    pick(browser, card, "Design: reviewer", mate.name)
    browser.until(lambda: parts(board, "reviews")[0].get("reviewer_id") == mate.id)
    pick(browser, card, "Design: status", "passed")
    browser.until(lambda: parts(board, "reviews")[0]["status"] == "pass")
    browser.press("Delete: Design", card)
    browser.until(lambda: parts(board, "reviews") == [])


def test_code(browser, board, card):
    field = browser.find("textbox", "Add pull request (URL)", card)
    field.send_keys("javascript:alert(1)", Keys.ENTER)
    browser.until(lambda: "not the URL" in browser.text("alert"))
    assert field.get_property("value") == "javascript:alert(1)", "to be corrected"
    browser.fill("Add pull request (URL)", "https://git.example/wood/shelf/pull/17", card).send_keys(Keys.ENTER)
    browser.until(lambda: [p["number"] for p in parts(board, "pull_requests")] == [17])
    browser.find("link", "wood/shelf #17", card)
    browser.find("textbox", "Add branch (URL)", card).send_keys(
        "https://git.example/wood/shelf/tree/feature/x", Keys.ENTER)
    browser.until(lambda: [b["name"] for b in parts(board, "branches")] == ["feature/x"])
    browser.press("Delete: wood/shelf #17", card)
    browser.until(lambda: parts(board, "pull_requests") == [])


def test_builds(browser, board, card):
    def build(**more):
        return ok(board.client.post(board.at("Shelf") + "/cicd_events", more))

    assert "Builds" not in card.text
    build(name="unit tests", status="passed", provider="ci", url="https://ci.example/1")
    link = browser.find("link", "unit tests", card)
    assert link.get_attribute("href") == "https://ci.example/1"
    assert "Builds" in card.text and "passed · ci" in card.text
    build(name="lint", status="failed", url="javascript:alert(1)")
    browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})",
                                  browser.find("button", "Delete: lint", card))
    assert not browser.all("link", "lint", card)
    browser.shot("builds")
    browser.press("Delete: lint", card)
    browser.until(lambda: [e["name"] for e in parts(board, "cicd_events")] == ["unit tests"])


def test_history(browser, board, card):
    ok(board.client.put(board.at("Shelf"), {"estimate": 3}))
    browser.press("Show history", card)
    browser.until(lambda: "estimated" in card.text and "added" in card.text)


def test_clone(browser, board, card):
    browser.find("textbox", "Add task", card).send_keys("saw", Keys.ENTER)
    browser.until(lambda: tasks(board))
    menu(browser, card, "Story menu", "Clone")
    browser.until(lambda: len(board.stories()) == 2)
    copy = next(s for s in board.stories("name,description,current_state,labels(name),tasks(description),owner_ids")
                if s["id"] != board.ids["Shelf"])
    assert copy["description"] == "A *long* one" and copy["current_state"] == "unscheduled"
    assert [label["name"] for label in copy["labels"]] == ["shop"]
    assert [task["description"] for task in copy["tasks"]] == ["saw"]


def test_to_another_project(browser, board, card):
    other = new_project(board.client, name="The other workshop")
    browser.driver.refresh()
    card = open_story(browser, "Shelf")
    menu(browser, card, "Story menu", "Move to another project…")
    browser.press("The other workshop", browser.find("dialog"))
    browser.until(lambda: "Moved to The other workshop" in browser.text("status"))
    browser.until(lambda: not browser.js("return document.querySelector('li[data-story]')"))
    moved = ok(board.client.get(f"/stories/{board.ids['Shelf']}?fields=project_id"))
    assert moved["project_id"] == other["id"]


def test_delete_and_undo(browser, board, card):
    menu(browser, card, "Story menu", "Delete")
    browser.undo_once("!document.querySelector('li[data-story]')")
    browser.card("Shelf")
    menu(browser, open_story(browser, "Shelf"), "Story menu", "Delete")
    browser.until(lambda: board.stories() == [])


def test_delete_is_sent_when_the_page_is_left(browser, board, card):
    menu(browser, card, "Story menu", "Delete")
    browser.until(lambda: not browser.js("return document.querySelector('li[data-story]')"))
    browser.driver.get("about:blank")
    browser.until(lambda: board.stories() == [])


def test_who_only_looks(browser, board, person):
    board.add("Behind glass", "unstarted", description="Look")
    guest = person("Vera Viewer")
    board.join(guest, "viewer")
    show(browser, board, guest)
    browser.press("Behind glass", browser.card("Behind glass"))
    card = browser.card("Behind glass")
    browser.until(lambda: "Look" in card.text)
    for name in ("Save", "Edit description", "Add comment"):
        assert not browser.all("button", name, card)
    assert not browser.all("textbox", "Add task", card)
