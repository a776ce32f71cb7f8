"""The browser of these tests: an element redrawn between finding and reading it is found again."""

ANEW = "document.body.innerHTML = document.body.innerHTML"
PAGE = """data:text/html,<section aria-label=Lane><ul><li data-story=1 aria-label="One, feature">
    <b class=title>One</b><button>Start</button></li></ul></section><p role=status>Saved</p>"""


def test_what_is_drawn_anew_is_found_anew(browser):
    browser.driver.get(PAGE)
    region, card = browser.region("Lane"), browser.card("One")
    title, button = card.find_element("css selector", ".title"), browser.find("button", "Start", card)
    for look in (lambda: region.text, lambda: card.get_attribute("aria-label"), lambda: title.text,
                 lambda: browser.js("return arguments[0].textContent", button), button.is_displayed,
                 lambda: browser.names("button", card) == ["Start"], lambda: browser.label("One", region)):
        browser.js(ANEW)
        assert look()
    assert browser.titles("Lane") == ["One"] and browser.text("status") == "Saved"
