"""Signing in, and returning to the previous page."""

from selenium.webdriver.common.keys import Keys


def sign_in(browser, login, password):
    browser.fill("Login", login)
    browser.fill("Password", password)
    browser.press("Sign in")


def test_sign_in_and_out(browser, board):
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.open("/")
    browser.find("button", "Sign in")
    assert browser.path == "/signin"
    browser.shot("signin")
    assert browser.axe() == []
    browser.colours("dark")
    assert browser.axe() == []
    browser.shot("signin-dark")
    sign_in(browser, board.who.email, board.who.password)
    for name in ("Current", "Backlog", "Icebox"):
        browser.region(name)
    assert browser.path.startswith("/n/projects/")
    cookies = browser.driver.get_cookies()
    assert [c["httpOnly"] for c in cookies] == [True]
    assert not browser.js("return document.cookie")
    assert board.who.token not in browser.js("return JSON.stringify(localStorage)")
    browser.press("Account")
    browser.choose("Sign out")
    browser.find("button", "Sign in")
    assert browser.driver.get_cookies() == []
    browser.open(f"/n/projects/{board.id}")
    browser.find("button", "Sign in")


def test_back_to_where_one_came_from(browser, board):
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.open(f"/n/projects/{board.id}?x=1")
    browser.find("button", "Sign in")
    sign_in(browser, board.who.username, board.who.password)
    browser.region("Current")
    assert browser.path == f"/n/projects/{board.id}?x=1"


def test_not_to_others(browser, board):
    """Signing in returns only to addresses of the board itself."""
    browser.sign_in(board.who)
    for bad in ("https://example.test/n/projects/1", "//example.test/signin", "/docs", "javascript:alert(1)",
                "/\\example.test/signin"):
        browser.open(f"/signin?next={bad}")
        browser.region("Current")
        assert browser.path.startswith("/n/projects/")


def test_refused(browser, board):
    browser.expect("/services/v5/", "/assets/demo.json")
    browser.open("/signin")
    sign_in(browser, board.who.username, "not the password")
    browser.until(lambda: "Wrong login or password" in browser.text("alert"))
    assert browser.path == "/signin"
    browser.shot("signin-refused")
    browser.find("textbox", "Password").send_keys(board.who.password, Keys.ENTER)
    browser.region("Current")


def test_session_ended(browser, board, stack, person):
    """The page notices, although nobody does anything."""
    browser.expect("/services/v5/", "/assets/demo.json", "ERR_")
    who = person("Eva Ended")
    board.join(who)
    browser.sign_in(who)
    browser.open(f"/n/projects/{board.id}")
    browser.painted()
    stack.sql("delete from planwright.session where person_id = %s", who.id)
    browser.find("textbox", "Login")
    assert browser.path == f"/signin?next=%2Fn%2Fprojects%2F{board.id}"


def test_another_person_at_the_same_browser(browser, board, mate):
    """What one person typed is not shown to the next, and is still there when the first returns; a page of one
    person does not continue with the other's session."""
    browser.expect("/services/v5/", "/assets/demo.json")
    board.add("Shared", "unscheduled")
    browser.open(f"/n/projects/{board.id}")
    sign_in(browser, board.who.username, board.who.password)
    browser.press("Shared", browser.card("Shared"))
    browser.fill("Title", "Secret plan")
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    try:
        browser.open(f"/n/projects/{board.id}")
        browser.until(lambda: "Unsaved changes" in browser.card("Shared").get_property("textContent"))
        browser.press("Account")
        browser.choose("Sign out")
        sign_in(browser, mate.username, mate.password)
        browser.card("Shared")
        assert "Unsaved" not in browser.card("Shared").get_property("textContent")
        browser.press("Shared", browser.card("Shared"))
        browser.until(lambda: browser.find("textbox", "Title").get_property("value") == "Shared")
        browser.driver.switch_to.window(first)
        browser.card("Shared")
        assert not browser.js("return [...document.querySelectorAll('input, textarea')].some(f => f.value === 'Secret plan')")
        browser.press("Account")
        browser.choose("Sign out")
        sign_in(browser, board.who.username, board.who.password)
        browser.until(lambda: "Unsaved changes" in browser.card("Shared").get_property("textContent"))
    finally:
        for window in browser.driver.window_handles:
            if window != first:
                browser.driver.switch_to.window(window)
                browser.driver.close()
        browser.driver.switch_to.window(first)
