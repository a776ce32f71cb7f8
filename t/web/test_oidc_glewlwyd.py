"""Signing in through another third-party provider, Debian's glewlwyd: from the button to the board, and out again."""

import pytest
from selenium.webdriver.common.by import By

from glewlwyd import PASSWORD, Glewlwyd
from test_oidc import served
from world import ok


@pytest.fixture(scope="module")
def place():
    def begin(stack, secret):
        begun.append(Glewlwyd(stack.url, secret, ["Grace"]))
        return begun[0].issuer, begun[0].close
    begun = []
    for tab, board in served(begin):
        board.provider = begun[0]
        # Errors of its own pages: nobody is signed in there yet, and some files are not in the package.
        tab.expect("/services/v5/", "/assets/demo.json", "/api/profile_list", "/locales/", "favicon")
        yield tab, board


def shown(tab, selector):
    return [node for node in tab.driver.find_elements(By.CSS_SELECTOR, selector) if node.is_displayed()]


def press(tab, word):
    """Clicks the button with this text on the provider's pages."""
    def click():
        for node in shown(tab, "button"):
            if node.text.strip() == word and node.is_enabled():
                node.click()
                return True
    tab.until(click, what=f"{word} at {tab.driver.current_url}")


def is_back(tab, board):
    return tab.driver.current_url.startswith(board.server.url)


def log_in(tab, name):
    tab.until(lambda: shown(tab, "#username"))
    for field, text in (("username", name.lower()), ("password", PASSWORD)):
        tab.driver.find_element(By.ID, field).send_keys(text)
    press(tab, "OK")


def grant(tab):
    """Grants everything requested: nothing has been granted yet."""
    boxes = tab.until(lambda: shown(tab, "[id^=grant-]"))
    assert [box.get_attribute("id") for box in boxes] == ["grant-email", "grant-profile"]
    for box in boxes:
        box.click()
    press(tab, "Grant access")
    tab.until(lambda: not shown(tab, "[id^=grant-]"), what="the page behind what was granted")


def test_from_the_button_to_the_board(place):
    tab, board = place
    tab.open("/signin")
    tab.find("link", "Sign in with the company").click()
    log_in(tab, "Grace")
    grant(tab)
    press(tab, "Continue")
    tab.until(lambda: is_back(tab, board) and tab.path == "/dashboard", what="the dashboard")
    (person,), = board.server.sql("select id from person where email = 'grace@company.test' and name = 'Grace Company'")
    ok(board.client.post(f"{board.path}/memberships", {"person_id": person, "role": "member"}))
    tab.open(f"/n/projects/{board.id}")
    tab.region("Current")
    tab.complain()


def test_signing_out(place):
    """The provider ends its own session only if it gets an ID token; the session here ends in any case."""
    tab, board = place
    tab.press("Account")
    tab.choose("Sign out")
    tab.until(lambda: "/api/oidc/end_session?client_id=planwright&" in tab.driver.current_url)
    tab.open("/dashboard")
    tab.find("link", "Sign in with the company")
    assert tab.path.startswith("/signin?")
    tab.complain()


def test_it_knows_who_comes_again(place):
    tab, board = place
    before = board.server.sql("select count(*) from person")
    tab.open("/signin")
    tab.find("link", "Sign in with the company").click()
    press(tab, "Continue")
    tab.until(lambda: is_back(tab, board), what="the way back")
    tab.region("Current")  # the board that was opened last
    assert board.server.sql("select count(*) from person") == before
    tab.complain()


def test_somebody_whose_address_it_does_not_confirm(place):
    tab, board = place
    board.provider.call("/user/", board.provider.person("Newman", confirmed="no"))
    tab.cdp("Network.clearBrowserCookies")
    tab.open("/signin")
    tab.find("link", "Sign in with the company").click()
    log_in(tab, "Newman")
    grant(tab)
    press(tab, "Continue")
    words = "the company has not confirmed an email address of yours"
    tab.until(lambda: is_back(tab, board) and words in tab.text("alert"), what="the refusal")
    (entry,), = board.server.sql("select new::text from audit_entry where act = 'sign_in_refused' order by id desc limit 1")
    assert words in entry
    assert board.server.sql("select 1 from person where email = 'newman@company.test'") == []
