"""A printed board, and the direction of what people write."""

import pytest

from opened import show
from world import ok

# The left edges of the first letter of two words in a node's text.
LEFTS = """const node = document.createTreeWalker(arguments[0], NodeFilter.SHOW_TEXT).nextNode();
    return [arguments[1], arguments[2]].map(word => { const range = document.createRange(), at = node.data.indexOf(word);
        range.setStart(node, at); range.setEnd(node, at + 1); return range.getBoundingClientRect().left; })"""


def test_a_board_on_paper(browser, board):
    """All panels, one below the other, with all stories and nothing to click."""
    board.adds([f"Story {n}" for n in range(40)], "unstarted", estimate=3)
    board.add("Idea", "unscheduled")
    show(browser, board)
    browser.until(lambda: browser.js("return document.querySelectorAll('.card').length") == 41)
    try:
        browser.cdp("Emulation.setEmulatedMedia", media="print")
        browser.size(700, 900)
        browser.shot("board-on-paper")
        boxes = browser.js("""return [...document.querySelectorAll('.card')].map(card => card.getBoundingClientRect())
            .map(({ left, right, top, bottom }) => [left, right, top, bottom])""")
        assert all(left >= 0 and right <= 700 for left, right, _, _ in boxes)
        assert all(below[2] >= above[3] - 1 for above, below in zip(boxes, boxes[1:]))
        # No box on the way cuts it off.
        assert browser.js("return document.scrollingElement.scrollHeight") >= boxes[-1][3] > 900
        assert browser.js("""return [...document.querySelectorAll('button, input, select, [role=separator]')]
            .filter(node => node.checkVisibility() && !node.matches('.strength')).map(node => node.outerHTML)""") == []
        assert browser.js("return document.querySelector('.card .state-word').checkVisibility()")
    finally:
        browser.cdp("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("name", ["שלום abc", "abc שלום"])
def test_a_title_is_read_from_the_side_of_its_first_letter(browser, board, name):
    board.add(name, "started")
    ok(board.client.post(board.at(name) + "/comments", {"text": name}))
    show(browser, board)
    hebrew, latin = browser.js(LEFTS, browser.find("button", name, browser.card(name)), "ש", "a")
    assert latin < hebrew
    browser.press(name, browser.card(name))
    text = browser.until(lambda: browser.driver.find_elements("css selector", ".one-comment .markdown p"))[0]
    hebrew, latin = browser.js(LEFTS, text, "ש", "a")
    assert latin < hebrew
