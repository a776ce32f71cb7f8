"""Comments: mentions, files, Markdown, editing and deleting."""

import struct
import zlib

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from client import Client
from opened import drop_slowly, menu, open_story, show
from world import ok


def png(width=40, height=30):
    """A picture in a single colour."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = (b"\0" + b"\x30\x80\xc0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture
def card(browser, board):
    board.add("Shelf", "started")
    show(browser, board)
    return open_story(browser, "Shelf")


def comments(board):
    return ok(board.client.get(board.at("Shelf") + "/comments?fields=:default,file_attachments"))


def drop(browser, card, kind, name="plan.png", mime="image/png"):
    """Adds a file by dropping or pasting it."""
    browser.js("""
        const [card, kind, name, mime, bytes] = arguments;
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], name, {type: mime}));
        const field = card.querySelector('textarea[aria-label=Comment]');
        if (kind === 'paste')
            field.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
        else for (const each of ['dragover', 'drop'])
            field.dispatchEvent(new DragEvent(each, {dataTransfer: data, bubbles: true, cancelable: true}));
        """, card, kind, name, mime, list(png()))


def test_add_edit_delete(browser, board, card):
    field = browser.find("textbox", "Comment", card)
    field.send_keys("It is **green**")
    browser.press("Add comment", card)
    assert field.get_property("value") == ""
    browser.until(lambda: [c["text"] for c in comments(board)] == ["It is **green**"])
    browser.until(lambda: card.find_elements(By.CSS_SELECTOR, ".one-comment:not(.is-waiting) strong"))
    browser.until(lambda: "1 comment" in browser.card("Shelf").text)
    menu(browser, card, "Comment menu", "Edit")
    field = browser.find("textbox", "Comment text", card)
    field.clear()
    field.send_keys("It is blue")
    browser.press("Save: Comment text", card)
    browser.until(lambda: [c["text"] for c in comments(board)] == ["It is blue"])
    menu(browser, card, "Comment menu", "Delete")
    browser.until(lambda: comments(board) == [])
    browser.until(lambda: "It is blue" not in card.text)


def test_ctrl_enter_posts(browser, board, card):
    browser.find("textbox", "Comment", card).send_keys("Quick", Keys.CONTROL + Keys.ENTER)
    browser.until(lambda: [c["text"] for c in comments(board)] == ["Quick"])


def test_others_comments_are_not_ones_own(browser, board, mate, stack):
    board.add("Shelf", "started")
    ok(Client(stack, mate.token).post(board.at("Shelf") + "/comments", {"text": "From Mark"}))
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.until(lambda: "From Mark" in card.text)
    assert not browser.all("button", "Comment menu", card)


def test_what_was_imported_says_so(browser, board, mate, stack):
    story = board.add("Shelf", "started")
    ok(board.client.post(board.at("Shelf") + "/comments", {"text": "Pay it"}))
    for what, where in (("story", "id"), ("comment", "story_id")):
        stack.sql(f"update {what} set imported_at = '2026-03-05T12:00:00Z', imported_by_id = %s where {where} = %s",
                  mate.id, story["id"])
    show(browser, board)
    card = open_story(browser, "Shelf")
    browser.until(lambda: card.text.count(f"Imported by {mate.name} on") == 2)


def test_mention(browser, board, mate, card, stack):
    field = browser.find("textbox", "Comment", card)
    field.send_keys("Ask @mar")
    browser.shot("mention")
    browser.until(lambda: browser.js("return document.querySelectorAll('[role=option]').length") == 1)
    browser.shot("mention")
    assert browser.axe() == []
    field.send_keys(Keys.ENTER)
    assert field.get_property("value") == f"Ask @{mate.username} "
    field.send_keys("please")
    browser.press("Add comment", card)
    browser.until(lambda: [c["text"] for c in comments(board)] == [f"Ask @{mate.username} please"])
    told = ok(Client(stack, mate.token).get("/my/notifications"))
    assert f"@{mate.username}" in str(told)


@pytest.mark.parametrize("how", ["drop", "paste", "choose"])
def test_files(browser, board, card, how, tmp_path):
    if how == "choose":
        path = tmp_path / "plan.png"
        path.write_bytes(png())
        browser.find("textbox", "Attach files", card).send_keys(str(path))
    else:
        drop(browser, card, how)
    browser.find("button", "Remove plan.png from the comment", card)
    browser.until(lambda: card.find_elements(By.CSS_SELECTOR, "img.thumb"))
    browser.press("Add comment", card)
    browser.until(lambda: [f["filename"] for c in comments(board) for f in c["file_attachments"]] == ["plan.png"])
    picture = browser.until(lambda: card.find_elements(By.CSS_SELECTOR, ".file img"))[0]
    browser.until(lambda: browser.js("return arguments[0].naturalWidth > 0", picture))
    browser.shot(f"files-{how}")


def test_progress(browser, board, card):
    browser.network(latency=50)
    drop_slowly(browser, card, 100_000)
    bar = browser.until(lambda: card.find_elements(By.CSS_SELECTOR, "progress"))[0]
    assert bar.accessible_name == "Sending long.bin"
    assert not browser.find("button", "Add comment", card).is_enabled()
    browser.network()
    browser.until(lambda: browser.find("button", "Add comment", card).is_enabled())


def test_hostile_markdown(browser, board, card):
    text = ("Hi <script>alert(1)</script> <img src=x onerror=alert(2)> [click](javascript:alert(3)) "
            "[data](data:text/html,x) ![p](https://tracker.example/p.png) <b onclick=alert(4)>b</b> "
            "[ok](https://example.test) [own](/dashboard) `<i>` &lt;u&gt;\n\n<div>block</div>")
    ok(board.client.post(board.at("Shelf") + "/comments", {"text": text}))
    shown = browser.until(lambda: card.find_elements(By.CSS_SELECTOR, ".one-comment .markdown"))[0]
    assert "<script>alert(1)</script>" in shown.text and "[click](javascript:alert(3))" in shown.text
    assert "<b onclick=alert(4)>" in shown.text and "<div>block</div>" in shown.text
    assert "<u>" in shown.text and "[data](data:text/html,x)" in shown.text
    assert browser.js("return arguments[0].querySelectorAll('img, script, b, div, i, u').length", shown) == 0
    links = browser.js("return [...arguments[0].querySelectorAll('a')].map(a => a.href)", shown)
    assert links == ["https://tracker.example/p.png", "https://example.test/", browser.stack.url + "/dashboard"]
