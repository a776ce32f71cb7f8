"""Opens boards and stories."""

from selenium.webdriver.support.select import Select


def show(browser, board, who=None):
    """Opens the page of the board."""
    browser.sign_in(who or board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.region("Current")
    browser.painted()
    return browser


def open_story(browser, title, loaded="Edit description"):
    """Opens a story; returns its card, expanded and loaded."""
    browser.press(title, browser.card(title))
    card = browser.card(title)
    browser.find("button", loaded, card)
    return card


def pick(browser, within, label, value):
    Select(browser.find("combobox", label, within)).select_by_visible_text(value)


def menu(browser, within, name, choice):
    """Chooses an item from a menu."""
    browser.press(name, within)
    browser.choose(choice)
