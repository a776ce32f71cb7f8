"""Two people at once, several tabs, no network, and a server that goes away."""

import time

from test_board import shown, state  # noqa: F401
from test_drag import names
from world import ok


def open_board(browser, who, board):
    browser.sign_in(who)
    browser.open(f"/n/projects/{board.id}")
    browser.region("Icebox")


def test_two_people_at_once(browser, second, board, mate):
    board.adds(["One", "Two", "Three"], "unstarted")
    open_board(browser, board.who, board)
    open_board(second, mate, board)
    browser.press("Start", browser.card("One"))
    second.press("Start", second.card("Two"))
    for each in (browser, second):
        each.until(lambda: each.label("One").endswith("started") and each.label("Two").endswith("started"))
        each.until(lambda: "PP" in each.card("One").text and "MM" in each.card("Two").text)
    browser.expect("ERR_INTERNET_DISCONNECTED")
    browser.network(offline=True)  # otherwise the other board hears of it at once and has nothing left to press
    browser.press("Finish", browser.card("Two"))
    second.press("Finish", second.card("Two"))
    second.until(lambda: state(board, "Two")["current_state"] == "finished")
    browser.network()
    browser.until(lambda: "wait" not in browser.text("status"))
    browser.until(lambda: state(board, "Two")["current_state"] == "finished")
    in_turn = [*started(board), "Three"]
    assert names(board) == in_turn
    for each in (browser, second):
        each.until(lambda: each.titles("Current") + each.titles("Backlog") == in_turn)


def started(board):
    """Started stories, in the order in which the server processed them: each goes below those in progress."""
    activity = ok(board.client.get(f"/projects/{board.id}/activity?limit=50"))
    return [a["primary_resources"][0]["name"] for a in reversed(activity) if a["highlight"] == "started"]


def test_offline_keeps_changes(shown, board):  # noqa: F811
    board.adds(["One", "Two"], "unstarted")
    browser = shown()
    browser.expect("ERR_INTERNET_DISCONNECTED", "/activity")
    browser.network(offline=True)
    browser.press("Start", browser.card("One"))
    browser.press("Add story")
    browser.fill("Title", "Made on a train")
    browser.press("Save")
    assert browser.label("One").endswith("started")
    browser.until(lambda: "2 changes are waiting" in browser.text("status"))
    browser.shot("offline")
    assert browser.axe() == []
    assert state(board, "One")["current_state"] == "unstarted"
    with browser.within_looks(board.id):
        browser.network()
        browser.until(lambda: state(board, "One")["current_state"] == "started")
        browser.until(lambda: "Made on a train" in names(board))
    browser.until(lambda: "wait" not in browser.text("status"))
    assert names(board).count("Made on a train") == 1


def test_said_although_nothing_waits(shown, board):  # noqa: F811
    browser = shown()
    browser.expect("/services/v5/", "ERR_INTERNET_DISCONNECTED", "503")
    browser.network(offline=True)
    browser.until(lambda: "cannot be reached" in browser.text("status"))
    browser.network()
    browser.until(lambda: "cannot be reached" not in browser.text("status"))


def test_database_stopped_and_back(own):
    browser, board = own
    board.add("One", "unstarted")
    open_board(browser, board.who, board)
    browser.card("One")
    board.server.part("stop", "postgres")
    browser.press("Start", browser.card("One"))
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    assert browser.label("One").endswith("started")
    board.server.part("start", "postgres")
    browser.until(lambda: state(board, "One")["current_state"] == "started", 30)
    browser.until(lambda: "cannot be reached" not in browser.text("status"))


def test_killed_workers(own):
    browser, board = own
    board.add("One", "unstarted")
    open_board(browser, board.who, board)
    browser.card("One")
    board.server.part("stop", "workers")
    browser.press("Start", browser.card("One"))
    browser.until(lambda: "1 change is waiting" in browser.text("status"))
    board.server.part("start", "workers")
    browser.until(lambda: state(board, "One")["current_state"] == "started", 30)


def test_slow_network(shown, board):  # noqa: F811
    board.adds(["One", "Two"], "unstarted")
    browser = shown()
    browser.network(latency=700)
    for name in ("One", "Two"):
        browser.press("Start", browser.card(name))
        assert browser.label(name).endswith("started")
        browser.press("Finish", browser.card(name))
        assert browser.label(name).endswith("finished")
    browser.until(lambda: state(board, "Two")["current_state"] == "finished", 15)
    browser.until(lambda: not browser.text("alert"))
    browser.has(lambda: browser.titles("Current"), ["One", "Two"])


def test_several_tabs_ask_once(shown, board, stack):  # noqa: F811
    browser = shown()
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    try:
        browser.open(f"/n/projects/{board.id}")
        browser.region("Icebox")
        board.add("For all tabs", "unscheduled")
        browser.card("For all tabs", "Icebox")

        def asked():
            return stack.log("access").count(f"projects/{board.id}/activity")

        def is_over():
            """Nothing more is asked because of the first story."""
            known = asked()
            time.sleep(1)
            return asked() == known
        browser.until(is_over)
        before, start = asked(), time.monotonic()
        board.add("For all again", "unscheduled")
        browser.card("For all again", "Icebox")
        assert asked() - before <= (time.monotonic() - start) / 3 + 1, "one tab asks, whether it is told or not"
    finally:
        browser.driver.close()
        browser.driver.switch_to.window(first)
    browser.card("For all tabs", "Icebox")


def test_what_could_not_be_loaded_is_loaded_when_it_can(own):
    """The first response arrived and others did not."""
    browser, board = own
    board.add("Idea", "unscheduled")
    browser.sign_in(board.who)
    browser.expect("/services/v5/", "ERR_BLOCKED")
    browser.cdp("Network.setBlockedURLs", urls=["*with_state=*"])
    browser.open(f"/n/projects/{board.id}")
    browser.until(lambda: "cannot be reached" in browser.text("status"))
    browser.cdp("Network.setBlockedURLs", urls=[])
    browser.card("Idea", "Icebox")
    browser.until(lambda: "cannot be reached" not in browser.text("status"))


def test_a_board_that_is_closed_while_it_loads_requests_nothing_more(browser, board):
    """Not even the second page of a list whose first page was on its way."""
    board.adds([f"Idea {n}" for n in range(101)], "unscheduled")
    browser.sign_in(board.who)
    late = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
        const real = window.fetch;
        window.asked = [];
        window.fetch = async (address, ...rest) => {
            asked.push(String(address));
            const answer = await real(address, ...rest);
            if (String(address).includes("unscheduled")) await new Promise((go) => setTimeout(go, 3000));
            return answer;
        }""")
    try:
        browser.open(f"/n/projects/{board.id}")
        browser.until(lambda: browser.js("return asked.some((address) => address.includes('unscheduled'))"))
        browser.js("""const link = document.createElement("a");
            link.href = "/dashboard";
            document.body.append(link);
            link.click()""")
        browser.find("button", "New project")
        before = len(browser.js("return asked"))
        time.sleep(4)
        after = browser.js("return asked")[before:]
        assert not [address for address in after if f"/projects/{board.id}" in address], after
    finally:
        browser.cdp("Page.removeScriptToEvaluateOnNewDocument", **late)
