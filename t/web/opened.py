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


def drop_slowly(browser, card, rate):
    """Drops the file long.bin into the card's comment; `rate` bytes of it are sent per second."""
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=20,
                downloadThroughput=-1, uploadThroughput=rate)
    browser.js("""
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(300000)], 'long.bin'));
        arguments[0].querySelector('textarea[aria-label=Comment]').dispatchEvent(
            new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));""", card)
