"""Who else is looking at a story: their initials are on its card as long as they do."""

import time

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


def test_a_story_on_its_own_page_in_german(browser, second, board, mate):
    """Who has it open on a page of its own is seen on the board, and sees who has it open there."""
    shelf = board.add("Shelf", "started")
    browser.language("de-DE")
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.painted()
    second.sign_in(mate)
    second.open(f"/story/show/{shelf['id']}")
    browser.until(lambda: present(browser, "Shelf") == ["Mark Mate sieht sich das an"])
    second.fill("Title", "Shelf")
    browser.until(lambda: present(browser, "Shelf") == ["Mark Mate schreibt gerade"])
    browser.shot("present-german")
    open_story(browser, "Shelf", "Beschreibung bearbeiten")
    second.until(lambda: [x.get_attribute("title") for x in second.driver.find_elements(
        By.CSS_SELECTOR, "article .present .avatar")] == ["Paula Planner is looking at this"])
    second.shot("present-alone")
    assert second.axe() == []


def test_a_second_window_stays_when_the_first_is_closed(browser, second, board, mate):
    board.add("Shelf", "started")
    show(browser, board)
    show(second, board, mate)
    open_story(second, "Shelf")
    first = second.driver.current_window_handle
    second.driver.switch_to.new_window("window")
    second.open(f"/n/projects/{board.id}")
    open_story(second, "Shelf")
    looking = ["Mark Mate is looking at this"]
    browser.until(lambda: present(browser, "Shelf") == looking)
    second.driver.close()
    second.driver.switch_to.window(first)
    time.sleep(1)  # until the closed one said that it is gone
    browser.until(lambda: present(browser, "Shelf") == looking, 10)
