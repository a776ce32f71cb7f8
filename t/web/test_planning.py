"""Iterations as users see them: what if, team strength, releases."""

import re

from test_board import shown  # noqa: F401
from world import ok


def heads(browser):
    return browser.js("""return [...document.querySelectorAll('.iteration-head')].map(h => h.textContent)""")


def test_what_if(shown, board):  # noqa: F811
    board.adds(["A", "B", "C", "D", "E"], "unstarted", estimate=3)
    browser = shown()
    browser.until(lambda: browser.titles("Current") == ["A", "B", "C"])
    browser.press("Velocity 10")
    browser.shot("what-if")
    assert browser.axe() == []
    browser.find("dialog")
    field = browser.driver.find_element("css selector", "dialog input")
    field.clear()
    field.send_keys("6")
    browser.press("Save")
    browser.until(lambda: browser.titles("Current") == ["A", "B"])
    browser.until(lambda: "velocity 6" in browser.text("status"))
    browser.shot("what-if-shown")
    assert ok(board.client.get(f"{board.path}?fields=current_velocity"))["current_velocity"] == 10
    browser.press("Back to 10")
    browser.until(lambda: browser.titles("Current") == ["A", "B", "C"])


def test_what_if_on_a_phone(shown, board):  # noqa: F811
    board.add("A", "unstarted", estimate=2)
    browser = shown()
    browser.size(360, 740)
    browser.press("Velocity 10")
    browser.find("dialog", "What if the velocity were …")
    browser.shot("what-if-phone")


def test_strength(shown, board):  # noqa: F811
    board.adds(["A", "B", "C", "D", "E"], "unstarted", estimate=3)
    browser = shown()
    browser.until(lambda: browser.titles("Current") == ["A", "B", "C"])
    browser.press("Team strength 100 %", browser.region("Current"))
    browser.find("dialog")
    browser.shot("strength")
    field = browser.driver.find_element("css selector", "dialog input")
    field.clear()
    field.send_keys("50")
    browser.press("Save")
    browser.until(lambda: browser.titles("Current") == ["A"])
    assert "50 %" in heads(browser)[0]
    now = ok(board.client.get(f"{board.path}/iterations?scope=current&fields=team_strength"))
    assert now[0]["team_strength"] == 0.5


def test_strength_set_by_others(shown, board):  # noqa: F811
    board.adds(["A", "B", "C", "D", "E"], "unstarted", estimate=3)
    browser = shown()
    ok(board.client.put(f"{board.path}/iteration_overrides/2", {"team_strength": 0}))
    browser.until(lambda: len(heads(browser)) == 3 and "0 %" in heads(browser)[1])
    assert "6 points" in heads(browser)[2]


def test_strength_beyond_the_backlog_as_it_was(shown, board):  # noqa: F811
    """The server tells of an iteration when there is one: the board asks again when its plan has come so far."""
    board.adds("ABC", "unstarted", estimate=3)
    board.add("D", "unscheduled", estimate=3)
    ok(board.client.put(f"{board.path}/iteration_overrides/2", {"team_strength": 0}))
    browser = shown()
    browser.card("D", "Icebox")
    assert len(heads(browser)) == 1
    browser.press("Move…", browser.card("D"))
    browser.choose("Bottom of Backlog")
    browser.until(lambda: len(heads(browser)) == 3 and "0 %" in heads(browser)[1])
    assert "3 points" in heads(browser)[2]


def test_releases(shown, board):  # noqa: F811
    board.adds("abcdefg", "unstarted", estimate=3)
    board.add("On time", "unstarted", story_type="release", deadline="2040-01-01T00:00:00Z")
    board.add("Too late", "unstarted", story_type="release", deadline="2020-01-01T00:00:00Z")
    first = ok(board.client.get(f"{board.path}/iterations?scope=current"))[0]
    board.add("Soon", "unstarted", story_type="release", deadline=first["start"])
    ok(board.client.put(board.at("Soon"), {"before_id": board.ids["a"]}))
    browser = shown()
    text = browser.until(lambda: browser.card("Too late").text)
    assert "due" in text and "projected" in text and "late" in text.replace("Too late", "")
    assert re.search(r"due \w+ \d+, 20(19|20)\b", text), "a day of another year says which"
    text = browser.card("On time").text
    assert "projected" in text and "late" not in text
    assert "at risk" in browser.card("Soon").text
    browser.shot("releases")
    assert browser.axe() == []
