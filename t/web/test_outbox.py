"""Changes that were still unanswered when their page was closed are sent by the next page; files cannot
be kept, and the page says so."""

import pytest
from selenium.webdriver.common.keys import Keys

from opened import menu, open_story, show
from test_offline import story
from world import ok


def lose(browser):
    """Cuts off this page from the server; the next page works again."""
    browser.js("window.fetch = () => Promise.reject(new TypeError('lost'))")


def away(browser):
    browser.expect("/services/v5/", "ERR_")
    browser.driver.get("about:blank")


@pytest.fixture
def shelf(browser, board):
    board.add("Shelf", "unstarted")
    task = ok(board.client.post(board.at("Shelf") + "/tasks", {"description": "measure"}))
    ok(board.client.post(board.at("Shelf") + "/tasks", {"description": "paint"}))
    show(browser, board)
    card = open_story(browser, "Shelf")
    assert task["id"]
    return card


def enter_parts(browser, card):
    lose(browser)
    browser.find("textbox", "Add task", card).send_keys("saw", Keys.ENTER)
    browser.find("checkbox", "measure", card).click()
    browser.press("Menu of paint", card)
    browser.choose("Delete")
    browser.find("textbox", "Add blocker", card).send_keys("No wood", Keys.ENTER)
    browser.fill("Comment", "Later", card)
    browser.press("Add comment", card)


def parts(board):
    return ok(board.client.get(board.at("Shelf") + "?fields=comments(text),tasks(description,complete),"
                               "blockers(description)"))


def test_parts_survive_the_page(browser, board, shelf):
    enter_parts(browser, shelf)
    browser.until(lambda: "5 changes are waiting" in browser.text("status"))
    away(browser)
    assert not parts(board).get("comments")
    browser.open(f"/n/projects/{board.id}")
    browser.until(lambda: parts(board).get("comments"))
    now = parts(board)
    assert [c["text"] for c in now["comments"]] == ["Later"]
    assert [(t["description"], t["complete"]) for t in now["tasks"]] == [("measure", True), ("saw", False)]
    assert [b["description"] for b in now["blockers"]] == ["No wood"]
    browser.until(lambda: "1 comment" in browser.card("Shelf").get_property("textContent"))
    browser.driver.refresh()
    browser.card("Shelf")
    assert parts(board) == now


def with_one_waiting(browser, board, shelf, text):
    """The story on a new page, whose comment waits, as its requests are blocked."""
    lose(browser)
    browser.fill("Comment", text, shelf)
    browser.press("Add comment", shelf)
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    away(browser)
    browser.cdp("Network.setBlockedURLs", urls=["*/comments?*"])
    show(browser, board)
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    return open_story(browser, "Shelf")


def test_they_are_seen_until_they_are_sent(browser, board, shelf):
    card = with_one_waiting(browser, board, shelf, "Later")
    browser.until(lambda: "Later" in card.text)
    browser.driver.refresh()
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    browser.cdp("Network.setBlockedURLs", urls=[])
    browser.press("Try again")
    browser.until(lambda: [c["text"] for c in story(board).get("comments", [])] == ["Later"])
    browser.until(lambda: "wait" not in browser.text("status"))
    card = open_story(browser, "Shelf")
    browser.until(lambda: len(card.find_elements("css selector", ".one-comment:not(.is-waiting)")) == 1)


def test_a_lost_answer_makes_nothing_twice(browser, board, shelf):
    """The server made the change, but its response, and then the page, were lost."""
    browser.expect("/services/v5/")
    browser.js("""
        const real = window.fetch;
        window.fetch = async (...args) => {
            const answer = await real(...args);
            if (args[1]?.method === 'POST') throw new TypeError('lost');
            return answer;
        };""")
    browser.fill("Comment", "Once", shelf)
    browser.press("Add comment", shelf)
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    assert [c["text"] for c in story(board)["comments"]] == ["Once"]
    browser.driver.refresh()
    card = open_story(browser, "Shelf")
    browser.until(lambda: not card.find_elements("css selector", ".is-waiting"))
    browser.until(lambda: "wait" not in browser.text("status"))
    assert [c["text"] for c in story(board)["comments"]] == ["Once"]


def test_steps_and_new_stories_survive_too(browser, board, shelf):
    browser.keys(Keys.ESCAPE)
    lose(browser)
    browser.press("Start", browser.card("Shelf"))
    browser.press("Add story")
    browser.fill("Title", "Made on a train")
    browser.press("Save")
    browser.until(lambda: "2 changes are waiting" in browser.text("status"))
    away(browser)
    browser.open(f"/n/projects/{board.id}")
    browser.until(lambda: "Made on a train" in [s["name"] for s in board.stories()])
    assert board.state("Shelf") == "started"
    browser.until(lambda: browser.label("Shelf").endswith("started"))
    browser.card("Made on a train", "Icebox")
    browser.has(lambda: browser.titles("Icebox").count("Made on a train"), 1)


def test_another_person_does_not_send_it(browser, board, shelf, mate):
    browser.expect("/assets/demo.json")
    lose(browser)
    browser.fill("Comment", "Mine", shelf)
    browser.press("Add comment", shelf)
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    away(browser)
    show(browser, board, mate)
    assert not story(board).get("comments")
    browser.cdp("Network.clearBrowserCookies")
    show(browser, board)
    browser.until(lambda: story(board).get("comments"))


def test_files_cannot_be_kept(browser, board, shelf, tmp_path):
    (tmp_path / "plan.txt").write_text("a plan")
    leave = "return dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert browser.js(leave)
    browser.find("textbox", "Attach files", shelf).send_keys(str(tmp_path / "plan.txt"))
    browser.until(lambda: "If you leave this page before the comment is sent" in shelf.text)
    browser.shot("file-not-kept")
    assert not browser.js(leave)
    browser.find("link", "Overview").click()
    browser.driver.switch_to.alert.dismiss()
    assert browser.path == f"/n/projects/{board.id}"
    browser.until(lambda: not shelf.find_elements("css selector", "progress"))
    browser.fill("Comment", "See", shelf)
    browser.press("Add comment", shelf)
    browser.until(lambda: browser.js(leave))
    browser.find("link", "Overview").click()
    browser.until(lambda: browser.path.endswith("/overview"))


REFUSE_PUTS = """const real = window.fetch;
    window.fetch = (path, init) => init?.method === "PUT" && /comments|tasks/.test(path)
        ? Promise.resolve(new Response('{"kind": "error", "general_problem": "Not that"}', { status: 400 }))
        : real(path, init)"""


@pytest.fixture
def edited(browser, board):
    """A comment was edited in place; its page was left before there was an answer."""
    board.add("Shelf", "unstarted")
    comment = ok(board.client.post(board.at("Shelf") + "/comments", {"text": "old"}))
    show(browser, board)
    card = open_story(browser, "Shelf")
    menu(browser, card, "Comment menu", "Edit")
    lose(browser)
    field = browser.find("textbox", "Comment text", card)
    field.clear()
    field.send_keys("what I typed")
    browser.press("Save: Comment text", card)
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    away(browser)
    return f"{board.at('Shelf')}/comments/{comment['id']}"


def test_an_edit_that_is_refused_later_is_a_draft_again(browser, board, edited):
    script = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=REFUSE_PUTS)
    show(browser, board)
    browser.cdp("Page.removeScriptToEvaluateOnNewDocument", **script)
    browser.until(lambda: "Not that" in browser.text("alert"))
    browser.until(lambda: "Unsaved changes" in browser.card("Shelf").get_property("textContent"))
    card = open_story(browser, "Shelf")
    assert browser.find("textbox", "Comment text", card).get_property("value") == "what I typed"


def test_an_edit_of_what_is_gone_becomes_a_new_comment(browser, board, edited):
    ok(board.client.delete(edited), 204)
    show(browser, board)
    browser.until(lambda: browser.text("alert").strip())
    card = open_story(browser, "Shelf")
    browser.has(lambda: browser.find("textbox", "Comment", card).get_property("value"), "what I typed")
    assert "new.edit" not in browser.js("return JSON.stringify(localStorage)")


def test_an_edit_in_a_story_that_is_gone_can_be_copied(browser, board, edited):
    ok(board.client.delete(board.at("Shelf")), 204)
    browser.sign_in(board.who)
    script = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""Object.defineProperty(navigator, "clipboard",
        { value: { writeText: async (text) => { window.copied = text; } } })""")
    browser.open(f"/n/projects/{board.id}")
    browser.cdp("Page.removeScriptToEvaluateOnNewDocument", **script)
    browser.press("Copy what I typed")
    browser.until(lambda: browser.js("return window.copied") == "what I typed")


def test_a_refused_comment_is_in_a_form_that_is_open_again(browser, board, shelf):
    """It stands before what was typed in the meantime."""
    card = with_one_waiting(browser, board, shelf, "first")
    browser.fill("Comment", "second", card)
    browser.js("""window.fetch = async () =>
        new Response('{"kind": "error", "general_problem": "Not that"}', { status: 400 })""")

    def is_refused():
        """It may be sent again by itself before anybody asks for that."""
        for button in browser.all("button", "Try again"):
            button.click()
        return "Not that" in browser.text("alert")
    browser.until(is_refused)
    browser.has(lambda: browser.find("textbox", "Comment", card).get_property("value"), "first\nsecond")
