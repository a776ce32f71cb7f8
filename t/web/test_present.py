"""Who else is looking at a story: their initials are on its card as long as they do."""

from selenium.webdriver.common.by import By

from opened import open_story, show


def present(browser, name):
    """Who is present, by the titles of the initials."""
    return [x.get_attribute("title") for x in
            browser.card(name).find_elements(By.CSS_SELECTOR, ".present .avatar")]


def test_initials_of_others_come_and_go(browser, second, board, mate):
    board.add("Shelf", "started")
    show(browser, board)
    second.sign_in(mate)
    second.open(f"/n/projects/{board.id}")
    card = open_story(second, "Shelf")
    browser.until(lambda: present(browser, "Shelf") == ["Mark Mate is looking at this"])
    assert browser.card("Shelf").find_element(By.CSS_SELECTOR, ".present").text == "MM"
    assert browser.axe() == []
    assert present(second, "Shelf") == [], "nobody sees themselves"
    second.fill("Title", "Shelf", card)
    browser.until(lambda: present(browser, "Shelf") == ["Mark Mate is typing"])
    assert "…" in browser.card("Shelf").find_element(By.CSS_SELECTOR, ".present").text
    browser.shot("present-typing")
    open_story(browser, "Shelf")
    browser.until(lambda: present(browser, "Shelf"))
    browser.shot("present-open")
    second.open("/dashboard")
    browser.until(lambda: present(browser, "Shelf") == [])
