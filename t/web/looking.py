"""Checks for every page: axe in light and dark mode, narrow and wide pages, targets for fingers, and screenshots."""

# Everything that can be pressed and is smaller than a fingertip.
SMALL = """return [...document.querySelectorAll('button, a[href], input, select, textarea, [role=button]')]
    .filter(node => node.checkVisibility() && !node.disabled && !node.closest('.hidden, .markdown'))
    .map(node => [node.getBoundingClientRect(), node.className + ' ' + node.textContent])
    .filter(([box]) => box.width && (box.width < 24 || box.height < 24)).map(([box, name]) => [name, box.width, box.height])"""
SIZES = {"narrow": (360, 740), "wide": (2560, 1300)}


def still(browser):
    browser.until(lambda: browser.js(
        "return document.querySelector('main') && !document.querySelector('.loading')"))


def look(browser, name):
    """Checks the current page, and saves screenshots of it."""
    still(browser)
    for scheme in ("light", "dark"):
        browser.colours(scheme)
        found = browser.axe()
        assert not found, (name, scheme, found)
        browser.shot(name if scheme == "light" else f"{name}-dark")
    browser.colours("light")
    for size, (width, height) in SIZES.items():
        browser.size(width, height)
        browser.shot(f"{name}-{size}")
        assert browser.js("return document.documentElement.scrollWidth") <= width, f"{name}, {size}"
        if size == "narrow":
            found = browser.axe()
            assert not found, (name, size, found)
            small = browser.js(SMALL)
            assert not small, (name, small)
    browser.size(1400, 900)


def german(browser, path, name):
    """The page in German, with its screenshot."""
    browser.language("de-DE")
    browser.open(path)
    still(browser)
    assert browser.js("return document.documentElement.lang") == "de"
    browser.shot(f"{name}-german")
    browser.language("en-US")
