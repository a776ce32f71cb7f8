"""The overview: charts and their tables, when the backlog will be done, iteration reports."""

import datetime

import pytest

from board import Board
from client import Client
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from world import ok

CHARTS = ["Burnup", "Cumulative flow", "Velocity", "Cycle time", "Accepted points by type"]
NOW = datetime.datetime.now(datetime.timezone.utc)


def ago(weeks):
    return NOW - datetime.timedelta(weeks=weeks)


@pytest.fixture(scope="module")
def past(stack, planner, mate):
    """Four iterations that accepted 3, 5, 4 and 6 points, so that the velocity is 5; 2 points are in
    progress and 11 wait."""
    monday = ago(4).date() - datetime.timedelta(days=NOW.weekday())
    board = Board(Client(stack, planner.token), start_date=monday.isoformat(), name="Looking back")
    board.who = planner
    ok(board.client.post(f"{board.path}/memberships", {"person_id": mate.id, "role": "member"}))
    for weeks, points in ((4, 3), (3, 5), (2, 4), (1, 6)):
        when = ago(weeks).isoformat(timespec="seconds").replace("+00:00", "Z")
        board.add(f"Part {weeks} A", "accepted", estimate=3, accepted_at=when, owner_ids=[planner.id])
        if points > 3:
            board.add(f"Part {weeks} B", "accepted", estimate=min(points - 3, 3), accepted_at=when,
                      owner_ids=[planner.id, mate.id])
    board.add("A bug", "accepted", story_type="bug", accepted_at=when)
    board.add("Under way", "started", estimate=2, owner_ids=[mate.id])
    for n, points in enumerate((3, 3, 3, 2)):
        board.add(f"Coming {n}", "unstarted", estimate=points)
    board.add("How large", "unstarted", estimate=None)
    return board


@pytest.fixture
def shown(browser, past):
    def show(more=""):
        browser.sign_in(past.who)
        browser.open(f"/projects/{past.id}/overview{more}")
        browser.region("Iteration report")
        browser.region(CHARTS[-1])
        browser.until(lambda: not browser.js("return document.querySelector('.loading')"))
        return browser
    return show


def table(browser, region):
    """The table for screen readers, row by row, as text."""
    return browser.js("""return [...arguments[0].querySelectorAll('tr')].map(
        row => [...row.cells].map(cell => cell.textContent))""", browser.region(region))


def test_five_charts(shown):
    browser = shown()
    names = ["When the backlog is done", *CHARTS, "Iteration report"]
    browser.until(lambda: browser.names("region") == names)
    assert browser.axe() == []
    browser.size(1400, 1900)
    browser.shot("overview")
    browser.colours("dark")
    assert browser.axe() == []
    browser.shot("overview-dark")
    browser.size(360, 740)
    assert browser.js("return document.documentElement.scrollWidth") <= 360
    assert browser.js("return document.querySelector('.page').scrollWidth") <= 360
    browser.size(360, 4200)
    browser.shot("overview-narrow")


def test_numbers(shown):
    browser = shown()
    head, *rows = table(browser, "Velocity")
    assert head == ["Iteration", "Points accepted", "Velocity used", "Team strength", "Weeks"]
    assert [row[1:] for row in rows] == [[points, velocity, "100 %", "1"] for points, velocity in (
        ("0", "5"), ("6", "4"), ("4", "4"), ("5", "3"), ("3", "10"))]
    assert rows[0][0].startswith("Iteration 5, ")
    head, *rows = table(browser, "Accepted points by type")
    assert head == ["Iteration", "feature", "bug", "chore"]
    assert [row[1:] for row in rows] == [[n, "0", "0"] for n in ("0", "6", "4", "5", "3")]
    head, *rows = table(browser, "Burnup")
    assert head == ["Day", "Accepted", "Total scope"]
    assert rows[0][1:] == ["18", "31"]
    head, *rows = table(browser, "Cumulative flow")
    assert head == ["Day", "accepted", "delivered", "finished", "started", "rejected", "unstarted", "unscheduled"]
    assert rows[0][1:] == ["18", "0", "0", "2", "0", "11", "0"]
    head, *rows = table(browser, "Cycle time")
    assert head == ["Iteration", "started", "finished", "delivered", "rejected", "median total",
                    "Mean total", "Stories"]
    assert len(rows) == 5


def test_when_the_backlog_is_done(shown):
    """At 5 points, give or take 0.82, 11 points are done in the next iteration or the one after it. The current
    iteration makes no difference: 3 points of it are left."""
    browser = shown()
    text = browser.region("When the backlog is done").text
    assert text.startswith("The backlog’s 11 points will be done between ")
    assert ", most likely by " in text
    assert "velocity of 5, give or take 0.82: a volatility of 16 %" in text
    assert "1 story in it has no estimate" in text


def test_as_table(shown):
    browser = shown()
    chart = browser.region("Velocity")
    button = browser.find("button", "Show as table", chart)
    width = "return arguments[0].querySelector('table').parentNode.getBoundingClientRect().width"
    assert browser.js(width, chart) == 1
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert browser.js(width, chart) > 300
    assert not browser.js("return arguments[0].querySelector('svg')", chart)
    assert browser.axe() == []
    browser.find("button", "Show as table", browser.region("Burnup")).click()
    browser.size(1400, 1900)
    browser.shot("overview-tables")
    button.click()
    assert browser.js("return arguments[0].querySelector('svg')", chart)


def test_keys_walk_over_a_chart(shown):
    browser = shown()
    plot = browser.js("return arguments[0].querySelector('[role=slider]')", browser.region("Velocity"))
    assert plot.get_attribute("aria-valuetext").endswith("Points accepted 0, Velocity used 5")
    plot.send_keys(Keys.ARROW_LEFT)
    browser.until(lambda: plot.get_attribute("aria-valuetext").endswith("accepted 6, Velocity used 4"))
    assert plot.get_attribute("aria-valuetext").startswith("Iteration 4, ")
    assert "Points accepted\n6" in browser.region("Velocity").text
    plot.send_keys(Keys.HOME)
    browser.until(lambda: plot.get_attribute("aria-valuetext").startswith("Iteration 1, "))


def test_period(shown, past):
    browser = shown()
    field = browser.find("textbox", "Show the last")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("2", Keys.TAB)
    browser.until(lambda: len(table(browser, "Velocity")) == 3)
    assert browser.path.endswith("/overview?iterations=2")
    accepted = table(browser, "Burnup")[1][1]
    assert accepted == "6", "counted from the first day that is shown"
    Select(browser.find("combobox", "Iterations or days")).select_by_visible_text("days")
    browser.until(lambda: len(table(browser, "Burnup")) == 91)
    Select(browser.find("combobox", "Count")).select_by_visible_text("Stories")
    browser.region("Accepted stories by type")
    assert browser.path.endswith("/overview?days=90&count=stories")
    assert [row[2] for row in table(browser, "Accepted stories by type")][:3] == ["bug", "0", "1"]
    shown("?days=99999")
    assert len(table(browser, "Burnup")) == 1 + 364
    shown("?iterations=-1&iteration=zero&count=<b>")
    assert len(table(browser, "Velocity")) == 6


def test_report(shown, past):
    browser = shown()
    report = browser.region("Iteration report")
    assert "Iteration 5, " in report.text
    assert browser.js("return [...document.querySelectorAll('.figures dd')].map(d => d.textContent)")[:4] == \
        ["5", "0", "0", "5"]
    browser.press("Previous", report)
    browser.until(lambda: "Iteration 4, " in report.text)
    assert browser.path.endswith("iteration=4")
    assert browser.js("return [...document.querySelectorAll('.figures dd')].map(d => d.textContent)")[:4] == \
        ["4", "6", "3", "4"]
    rows = browser.js("""return [...document.querySelectorAll('.tables tbody tr')].map(
        row => [...row.cells].map(cell => cell.textContent))""")
    assert rows == [["accepted", "3", "6"],
                    ["Paula Planner", "2 stories, 6 points", "2 stories, 6 points"],
                    ["Mark Mate", "1 story, 3 points", "1 story, 3 points"],
                    ["Nobody", "1 story, 0 points", "1 story, 0 points"]]
    browser.find("link", "Part 1 A", report)
    browser.expect(f"/projects/{past.id}/")
    field = browser.find("textbox", "Iteration", report)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("777", Keys.ENTER)
    browser.until(lambda: "There is no iteration 777 yet." in report.text)


def test_the_way_there(browser, past):
    browser.sign_in(past.who)
    browser.open(f"/n/projects/{past.id}")
    browser.press("Velocity 5")
    browser.find("link", "How it is calculated: overview", browser.find("dialog")).click()
    browser.region("Burnup")
    assert browser.path == f"/projects/{past.id}/overview"
    browser.driver.back()
    browser.region("Current")
    browser.none("dialog")
    browser.find("link", "Overview").click()
    browser.region("Burnup")


def test_in_german(browser, past):
    browser.language("de-DE")
    browser.sign_in(past.who)
    browser.open(f"/projects/{past.id}/overview")
    text = browser.region("Wann der Backlog fertig ist").text
    assert text.startswith("11 Punkte im Backlog sind zwischen dem ")
    browser.region("Bericht zur Iteration")
    browser.until(lambda: not browser.js("return document.querySelector('.loading')"))
    browser.size(1400, 1900)
    browser.shot("overview-german")


def test_printed(shown):
    """Printed, the page has no buttons, and nothing is cut off."""
    browser = shown()
    browser.size(800, 2400)
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    try:
        assert not browser.all("button")
        assert browser.js("return getComputedStyle(document.querySelector('.page')).overflowY") == "visible"
        browser.shot("overview-print")
    finally:
        browser.cdp("Emulation.setEmulatedMedia", media="")


def test_a_new_project(browser, board):
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/overview")
    for name in CHARTS:
        browser.region(name)
    assert "No points are waiting" in browser.region("When the backlog is done").text
    browser.until(lambda: not browser.js("return document.querySelector('.loading')"))
    assert browser.axe() == []
    browser.size(1400, 1900)
    browser.shot("overview-empty")


def test_of_a_project_that_is_not_there(browser, board):
    browser.expect("/projects/999999999999")
    browser.sign_in(board.who)
    browser.open("/projects/999999999999/overview")
    browser.find("heading", "Nothing here")
