"""What would be lost with a page: files that were not sent yet, and lines that are being edited."""

import pytest
from selenium.webdriver.common.keys import Keys

from opened import drop_slowly, menu, open_story, show
from world import new_project, ok

RISK = "return !dispatchEvent(new Event('beforeunload', {cancelable: true}))"
REFUSE = """window.real = fetch;
    window.fetch = async (path, init) => ["PUT", "POST"].includes(init?.method)
        ? new Response('{"kind": "error", "general_problem": "Not that"}', { status: 400 }) : real(path, init)"""


@pytest.fixture
def card(browser, board, tmp_path):
    """An open story with a file for a comment that is not sent yet; the dashboard is the page before the board."""
    board.add("Shelf", "started")
    (tmp_path / "plan.txt").write_text("a plan")
    browser.sign_in(board.who)
    browser.open("/dashboard")
    browser.find("link", board.project["name"]).click()
    browser.painted()
    card = open_story(browser, "Shelf")
    browser.find("textbox", "Attach files", card).send_keys(str(tmp_path / "plan.txt"))
    browser.find("button", "Remove plan.txt from the comment", card)
    browser.until(lambda: not card.find_elements("css selector", "progress"))
    return card


def on_card(browser):
    browser.js("arguments[0].focus()", browser.find("button", "Shelf"))


def by_back(browser, board):
    browser.js("setTimeout(() => history.back())")


def by_palette(browser, board):
    on_card(browser)
    browser.keys(Keys.CONTROL + "k" + Keys.NULL)
    browser.find("dialog")
    browser.keys("dashboard")
    browser.keys(Keys.ENTER)


def by_key(browser, board):
    on_card(browser)
    browser.keys("O")


def by_search(browser, board):
    other = new_project(board.client)["id"]
    story = ok(board.client.post(f"/projects/{other}/stories", {"name": "Elsewhere"}))["id"]
    browser.fill("Search", f"{browser.stack.url}/story/show/{story}")
    browser.until(lambda: browser.js("return document.querySelectorAll('[role=option]').length") == 1)
    browser.keys(Keys.ARROW_DOWN)
    browser.keys(Keys.ENTER)


def by_sign_out(browser, board):
    browser.press("Account")
    browser.choose("Sign out")


def question(browser):
    """The question that the page asks."""
    def look():
        try:
            return browser.driver.switch_to.alert
        except Exception:
            return None
    return browser.until(look)


@pytest.mark.parametrize("way", [by_back, by_palette, by_key, by_search])
def test_files_are_not_lost_without_a_question(browser, board, card, way):
    way(browser, board)
    question(browser).dismiss()
    browser.frames()
    assert browser.path.startswith(f"/n/projects/{board.id}")
    browser.find("button", "Remove plan.txt from the comment", browser.card("Shelf"))
    way(browser, board)
    question(browser).accept()
    browser.until(lambda: not browser.path.startswith(f"/n/projects/{board.id}"))
    assert not browser.js(RISK), "what is lost is no risk any more"


def test_signing_out_asks_before_it_does(browser, board, card):
    by_sign_out(browser, board)
    question(browser).dismiss()
    browser.find("button", "Remove plan.txt from the comment", card)
    assert browser.js(RISK)
    ok(board.client.post(board.at("Shelf") + "/comments", {"text": "Still there"}))
    browser.until(lambda: "Still there" in card.text)


def test_a_narrow_page_asks_when_it_is_left_and_not_when_a_story_is_closed(browser, board, card):
    browser.press("Shelf", card)
    browser.size(390, 800)
    browser.press("Shelf", browser.card("Shelf"))
    browser.find("button", "Remove plan.txt from the comment", browser.card("Shelf"))
    by_back(browser, board)
    browser.none("button", "Edit description")
    assert browser.js(RISK)
    by_back(browser, board)
    question(browser).dismiss()
    browser.press("Shelf", browser.card("Shelf"))
    browser.find("button", "Remove plan.txt from the comment", browser.card("Shelf"))


def test_an_upload_ends_with_its_page(browser, board, card):
    browser.press("Remove plan.txt from the comment", card)
    assert not browser.js(RISK)
    drop_slowly(browser, card, 50_000)
    browser.until(lambda: card.find_elements("css selector", "progress"))
    browser.find("link", "Overview").click()
    question(browser).accept()
    browser.until(lambda: browser.path.endswith("/overview"))
    browser.network()
    ended = "return performance.getEntriesByType('resource').filter((r) => r.name.includes('/uploads')).length"
    browser.until(lambda: browser.js(ended) == 2)
    browser.frames(10)
    assert not browser.js(RISK)


def test_cancel_takes_the_files_too(browser, board, card):
    browser.press("Cancel", card)
    browser.none("button", "Edit description")
    assert not browser.js(RISK)


def test_files_of_a_refused_comment_are_kept(browser, board, card):
    browser.expect("/services/v5/")
    browser.fill("Comment", "See", card)
    browser.js(REFUSE)
    browser.press("Add comment", card)
    browser.until(lambda: "Not that" in browser.text("alert"))
    browser.find("button", "Remove plan.txt from the comment", card)
    assert browser.find("textbox", "Comment", card).get_property("value") == "See"
    browser.js("window.fetch = real")
    browser.press("Add comment", card)
    browser.until(lambda: [(c["text"], [f["filename"] for f in c["file_attachments"]]) for c in ok(board.client.get(
        board.at("Shelf") + "/comments?fields=text,file_attachments"))] == [("See", ["plan.txt"])])


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
def test_files_of_a_deleted_story_are_no_risk_and_can_be_kept(browser, board, card, is_open):
    if not is_open:
        browser.press("Shelf", card)
        browser.none("button", "Edit description")
    assert browser.js(RISK)
    browser.expect("/presence")  # the page may tell that somebody looks before it knows that the story is gone
    ok(board.client.delete(board.at("Shelf")), 204)
    browser.until(lambda: "no longer in this project" in browser.text("alert"))
    assert not browser.js(RISK)
    browser.press("Keep what I typed as a new story")
    again = browser.until(lambda: [s for s in board.stories("name,comments(file_attachments(filename))")
                                   if s["name"] == "Shelf"])
    assert again[0]["comments"][0]["file_attachments"][0]["filename"] == "plan.txt"


def test_files_of_a_story_that_was_moved_are_no_risk(browser, board, card):
    browser.press("Shelf", card)
    browser.none("button", "Edit description")
    browser.expect("/presence")
    ok(board.put("Shelf", project_id=new_project(board.client)["id"]))
    browser.until(lambda: not browser.js(RISK))


# --- lines that are edited in place ---------------------------------------------------

KINDS = [("comments", "text", "Comment text", "Comment menu"), ("tasks", "description", "Task", "Menu of old"),
         ("blockers", "description", "Blocker", "Menu of old")]


@pytest.fixture(params=KINDS, ids=[kind for kind, *_ in KINDS])
def line(request, browser, board):
    """A part of an open story: its kind, the name of its field, of its menu, and what the server has."""
    kind, field, label, opener = request.param
    board.add("Shelf", "started")
    part = ok(board.client.post(f"{board.at('Shelf')}/{kind}", {field: "old"}))
    show(browser, board)
    open_story(browser, "Shelf")
    kept = lambda: ok(board.client.get(f"{board.at('Shelf')}/{kind}/{part['id']}"))[field]  # noqa: E731
    return label, opener, kept, f"{board.at('Shelf')}/{kind}/{part['id']}"


def edit(browser, line, text):
    label, opener, *_ = line
    menu(browser, browser.card("Shelf"), opener, "Edit")
    field = browser.find("textbox", label, browser.card("Shelf"))
    field.clear()
    field.send_keys(text)
    return field


def test_what_is_typed_into_a_line_survives_the_page(browser, board, line):
    label, opener, kept, _ = line
    edit(browser, line, "new")
    browser.driver.refresh()
    card = open_story(browser, "Shelf")
    field = browser.find("textbox", label, card)
    assert field.get_property("value") == "new"
    assert browser.js("return document.activeElement !== arguments[0]", field), "the form begins with its title"
    browser.press(f"Save: {label}", card)
    browser.until(lambda: kept() == "new")
    browser.has(lambda: browser.js("return document.activeElement.getAttribute('aria-label')"),
                opener.replace("old", "new"))
    assert "new.edit" not in browser.js("return JSON.stringify(localStorage)")


def test_a_line_that_is_not_saved_is_forgotten(browser, board, line):
    label, opener, kept, path = line
    edit(browser, line, "new").send_keys(Keys.ESCAPE)
    browser.has(lambda: browser.js("return document.activeElement.getAttribute('aria-label')"), opener)
    assert "new.edit" not in browser.js("return JSON.stringify(localStorage)")
    edit(browser, line, "new")
    assert "new.edit" in browser.js("return JSON.stringify(localStorage)")
    ok(board.client.delete(path), 204)
    browser.until(lambda: "new.edit" not in browser.js("return JSON.stringify(localStorage)"))


def test_a_refused_line_is_there_again(browser, board, line):
    label, opener, kept, _ = line
    browser.expect("/services/v5/")
    edit(browser, line, "new")
    browser.js(REFUSE)
    browser.press(f"Save: {label}", browser.card("Shelf"))
    browser.until(lambda: "Not that" in browser.text("alert"))
    assert browser.find("textbox", label, browser.card("Shelf")).get_property("value") == "new"
    assert kept() == "old"


def test_a_refused_new_line_is_there_again(browser, board):
    board.add("Shelf", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.expect("/services/v5/")
    browser.js(REFUSE)
    for label in ("Add task", "Add blocker"):
        field = browser.find("textbox", label, card)
        field.send_keys("saw", Keys.ENTER)
        browser.until(lambda: "Not that" in browser.text("alert"))
        browser.has(lambda: browser.find("textbox", label, card).get_property("value"), "saw")


def test_an_address_that_is_none_stays_to_be_corrected(browser, board):
    board.add("Shelf", "started")
    show(browser, board)
    card = open_story(browser, "Shelf")
    field = browser.find("textbox", "Add pull request (URL)", card)
    field.send_keys("https://example.com/nothing", Keys.ENTER)
    browser.until(lambda: "not the URL of a pull request" in browser.text("alert"))
    assert field.get_property("value") == "https://example.com/nothing"


def test_a_refused_rejection_gives_its_reason_back(browser, board):
    board.add("Shelf", "delivered")
    show(browser, board)
    browser.expect("/services/v5/")
    browser.js(REFUSE)
    browser.press("Reject", browser.card("Shelf"))
    dialog = browser.find("dialog")
    browser.find("textbox", "Comment", dialog).send_keys("It leans to the left")
    browser.press("Reject", dialog)
    browser.until(lambda: "Not that" in browser.text("alert"))
    card = open_story(browser, "Shelf")
    assert browser.find("textbox", "Comment", card).get_property("value") == "It leans to the left"
