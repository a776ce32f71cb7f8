"""The keys of a board: what each does, and that none changes anything for viewers."""

from selenium.webdriver.common.keys import Keys

from test_board import shown, state  # noqa: F401
from world import ok


def focused(browser, title):
    browser.has(lambda: browser.js("return document.activeElement.closest('.card')?.querySelector('.title').textContent"),
                title)


def selected(browser, *titles):
    browser.has(lambda: browser.js("return [...document.querySelectorAll('.card.is-selected .title')]"
                                   ".map(node => node.textContent)"), list(titles))


def shift(browser, letter):
    browser.keys(letter.upper())


def test_walk_and_select(shown, board):  # noqa: F811
    board.adds(["A", "B", "C"], "unstarted", estimate=3)
    board.adds(["X", "Y"], "unscheduled")
    browser = shown()
    browser.card("Y", "Icebox")
    for key, title in (("j", "A"), ("j", "B"), ("k", "A"), ("l", "Y"), ("h", "A")):
        browser.keys(key)
        focused(browser, title)
    shift(browser, "j")
    focused(browser, "B")
    selected(browser, "A", "B")
    shift(browser, "j")
    selected(browser, "A", "B", "C")
    browser.keys(Keys.ESCAPE)
    selected(browser)
    shift(browser, "k")
    focused(browser, "B")
    selected(browser, "B", "C")
    browser.keys(Keys.ESCAPE)
    browser.keys("x")
    selected(browser, "B")


def test_a_story_at_hand(shown, board):  # noqa: F811
    board.add("Shelf", "unstarted", estimate=None)
    board.add("Old", "accepted")
    browser = shown()
    browser.js("arguments[0].focus()", browser.find("button", "Shelf"))
    browser.keys("7")
    browser.keys("2")
    browser.until(lambda: state(board, "Shelf").get("estimate") == 2)
    focused(browser, "Shelf")
    browser.keys("m")
    browser.find("menuitem", "Top of Icebox")
    browser.keys(Keys.ESCAPE)
    browser.none("menuitem", "Top of Icebox")
    browser.keys("o")
    browser.find("button", "Edit description", browser.card("Shelf"))
    browser.js("arguments[0].focus()", browser.find("button", "Shelf"))
    browser.keys("o")
    browser.none("button", "Edit description")
    browser.js("arguments[0].focus()", browser.find("button", "Old"))
    browser.keys(Keys.ALT, Keys.ARROW_DOWN)
    browser.until(lambda: "stay where they were accepted" in browser.text("alert"))
    browser.js("arguments[0].focus()", browser.find("button", "Shelf"))
    shift(browser, "o")
    browser.until(lambda: browser.path == f"/story/show/{board.ids['Shelf']}")
    assert state(board, "Shelf")["current_state"] == "unstarted"


def test_panels(shown, board):  # noqa: F811
    browser = shown()
    for letter, name in (("w", "My work"), ("d", "Done"), ("e", "Epics"), ("i", "Icebox"), ("c", "Current"), ("b", "Backlog")):
        was = bool(browser.all("region", name))
        for there in (not was, was):
            shift(browser, letter)
            browser.until(lambda: bool(browser.all("region", name)) is there, what=f"{name}: {there}")
    browser.keys("/")
    browser.has(lambda: browser.js("return document.activeElement.closest('form')?.className"), "search")


def test_viewers_change_nothing(browser, board, person):
    board.add("A", "unstarted", estimate=None)
    board.add("B", "unstarted")
    viewer = person("Vic Viewer")
    board.join(viewer, "viewer")
    version = board.version()
    browser.sign_in(viewer)
    browser.open(f"/n/projects/{board.id}")
    browser.js("arguments[0].focus()", browser.find("button", "A", browser.card("A")))
    for keys in (("2",), ("s",), ("r",), ("a",), (Keys.ALT, Keys.ARROW_DOWN), (Keys.ALT, Keys.END)):
        browser.keys(*keys)
    browser.frames()
    assert not browser.js("return document.querySelector('.add-story, .toast, dialog')")
    assert ok(board.client.get(board.path))["version"] == version


def pressed_early(browser, board, title, *keys):
    """Presses the keys on a card before it is known who is signed in; afterwards that is known."""
    with browser.held("v5/me"):
        browser.open(f"/n/projects/{board.id}")
        node = browser.find("button", title)
        browser.js("arguments[0].focus()", node)
        browser.keys(*keys)
        assert not browser.all("button", "Add story"), "it is not known yet"
        browser.js("release()")
    browser.find("button", "Add story")


def test_keys_do_what_they_do_before_it_is_known_who_presses_them(browser, board):
    board.adds(["A", "B", "C"], "unstarted", estimate=3)
    browser.sign_in(board.who)
    pressed_early(browser, board, "A", Keys.ALT, Keys.END)
    browser.until(lambda: browser.titles("Current") == ["B", "C", "A"])
    browser.until(lambda: board.order() == "BCA")
    pressed_early(browser, board, "B", "2")
    browser.until(lambda: state(board, "B").get("estimate") == 2)
    pressed_early(browser, board, "B", "m")
    browser.find("menuitem", "Top of Icebox")


def test_nor_do_viewers_before_that_is_known(browser, board, person):
    board.adds(["A", "B"], "unstarted", estimate=3)
    viewer = person("Vera Viewer")
    board.join(viewer, "viewer")
    version = board.version()
    browser.sign_in(viewer)
    with browser.held("v5/me"):
        browser.open(f"/n/projects/{board.id}")
        browser.js("arguments[0].focus()", browser.find("button", "A"))
        browser.keys(Keys.ALT, Keys.END)
        browser.keys("2")
        browser.js("release()")
    browser.until(lambda: browser.js("return document.querySelector('.account-name') && performance.getEntriesByType('resource')"
                                     ".some(r => /v5.me\\?/.test(r.name) && r.responseEnd > 0)"))
    browser.frames(10)
    assert not browser.js("return document.querySelector('.toast, dialog')")
    assert board.version() == version
