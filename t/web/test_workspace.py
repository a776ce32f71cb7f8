"""Several boards side by side."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from board import Board
from looking import look
from test_drag import drag, names
from world import ok


def test_workspace(browser, board, stack):
    other = Board(board.client)
    board.adds(["Of the first", "Behind it"], "unstarted")
    other.add("Of the second", "unstarted")
    first, second = board.project["name"], other.project["name"]
    browser.sign_in(board.who)
    browser.open("/dashboard")
    browser.press("New workspace")
    dialog = browser.find("dialog")
    browser.fill("Name", "Side by side", dialog)
    for name in (first, second):
        browser.find("checkbox", name, dialog).click()
    browser.shot("workspace-new")
    assert browser.axe() == []
    browser.press("Save", dialog)
    browser.find("link", "Side by side").click()
    for name, story in ((first, "Of the first"), (second, "Of the second")):
        browser.region(f"{name}: Current")
        browser.card(story)
    look(browser, "workspace")
    drag(browser, browser.card("Behind it"), browser.card("Of the first"))
    browser.until(lambda: names(board) == ["Behind it", "Of the first"])
    drag(browser, browser.card("Behind it"), browser.card("Of the second"), drop=False)
    assert not browser.js("return document.querySelector('.drag-line:not([hidden])')"), "to another project"
    browser.keys(Keys.ESCAPE)
    ActionChains(browser.driver).release().perform()

    browser.press("Start", browser.card("Of the second"))
    browser.until(lambda: other.state("Of the second") == "started")
    assert board.state("Of the first") == "unstarted"
    browser.press(f"Panels of {first}")
    browser.choose("Icebox")
    browser.region(f"{first}: Icebox")
    assert not browser.all("region", f"{second}: Icebox")

    browser.press("Edit workspace")
    dialog = browser.find("dialog")
    browser.find("checkbox", second, dialog).click()
    browser.press("Save", dialog)
    browser.none("region", f"{second}: Current")
    browser.press("Edit workspace")
    browser.press("Delete workspace", browser.find("dialog"))
    browser.press("Delete", browser.find("dialog", "Delete workspace"))
    browser.until(lambda: browser.path == "/dashboard")
    assert ok(board.client.get("/my/workspaces")) == []
