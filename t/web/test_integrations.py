"""Integrations with other systems, and webhooks with their delivery log."""

import pytest

from looking import german, look, still
from world import ok


@pytest.fixture
def page(browser, board):
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/integrations")
    browser.region("Webhooks")
    still(browser)
    return browser


def test_integrations(page, board):
    browser = page
    look(browser, "integrations-empty")
    path = f"{board.path}/integrations"
    browser.press("Add integration")
    dialog = browser.find("dialog")
    browser.find("combobox", "System", dialog).send_keys("GitLab")
    browser.fill("Name", "Our code", dialog)
    browser.find("textbox", "Address of the other system", dialog, starts=True).send_keys("https://code.example.test")
    browser.shot("integration-new")
    assert browser.axe() == []
    browser.press("Save", dialog)
    browser.find("button", "Edit Our code")
    made, = ok(board.client.get(path))
    assert [made[word] for word in ("kind", "name", "base_url", "active")] == [
        "gitlab_integration", "Our code", "https://code.example.test", True]
    browser.find("checkbox", "In use", browser.region("Integrations")).click()
    browser.until(lambda: ok(board.client.get(path))[0]["active"] is False)
    browser.press("Remove Our code")
    browser.press("Remove", browser.find("dialog"))
    browser.until(lambda: ok(board.client.get(path)) == [])


def test_webhooks(page, board, sql):
    browser = page
    browser.press("Add webhook")
    dialog = browser.find("dialog")
    browser.find("textbox", "Address", dialog).send_keys("https://hooks.example.test/garden")
    browser.shot("webhook-new")
    browser.press("Save", dialog)
    browser.find("button", "Edit https://hooks.example.test/garden")
    hook, = ok(board.client.get(f"{board.path}/webhooks"))
    sql("""insert into delivery (webhook_id, project_id, version, attempts, delivered_at, failed_at,
        last_status, last_error, next_at) select %s, %s, n, n, case when n = 1 then now() end,
        case when n = 2 then now() end, 500 - n, case when n > 1 then 'no good' end,
        now() + interval '1 day' from generate_series(1, 3) n""", hook["id"], board.id)
    browser.driver.find_element("css selector", "summary").click()
    rows = browser.until(lambda: browser.js(
        "return [...document.querySelectorAll('tbody tr')].map(tr => tr.textContent)"))
    assert len(rows) == 3
    assert "Next attempt" in rows[0] and "Gave up" in rows[1] and "Delivered" in rows[2]
    assert "498 no good" in rows[1]
    look(browser, "webhooks")
    german(browser, f"/projects/{board.id}/integrations", "webhooks")
    browser.open(f"/projects/{board.id}/integrations")
    still(browser)
    browser.find("checkbox", "In use", browser.region("Webhooks")).click()
    browser.until(lambda: ok(board.client.get(f"{board.path}/webhooks"))[0]["enabled"] is False)
    browser.press("Remove https://hooks.example.test/garden")
    browser.press("Remove", browser.find("dialog"))
    browser.until(lambda: ok(board.client.get(f"{board.path}/webhooks")) == [])


def test_an_owner_can_press_what_is_seen_first(page, board):
    """However late the page learns who the user is: a click on a switch that does not work yet would be lost."""
    browser = page
    ok(board.client.post(f"{board.path}/webhooks",
                         {"webhook_url": "https://hooks.example.test/", "webhook_version": "v5"}))
    with browser.late("/v5/me"):
        browser.open(f"/projects/{board.id}/integrations")
        browser.find("checkbox", "In use", browser.region("Webhooks")).click()
        browser.until(lambda: ok(board.client.get(f"{board.path}/webhooks"))[0]["enabled"] is False)


def test_what_is_no_webhook(page):
    browser = page
    browser.expect("/services/v5/")
    browser.press("Add webhook")
    dialog = browser.find("dialog")
    browser.find("textbox", "Address", dialog).send_keys("ftp://hooks.example.test/")
    browser.press("Save", dialog)
    browser.until(lambda: "must be a valid URL" in browser.text("alert"))
    assert browser.find("dialog")
    browser.shot("webhook-refused")


def test_the_page_one_is_on_is_in_sight(page):
    browser = page
    browser.size(360, 740)
    browser.find("link", "Export").click()
    browser.find("link", "Download zip")
    left, right = browser.js("""const box = document.querySelector('.tabs [aria-current]').getBoundingClientRect();
        return [box.left, box.right]""")
    assert 0 <= left < right <= 360


def test_members_only_look(browser, board, mate):
    browser.sign_in(mate)
    browser.open(f"/projects/{board.id}/integrations")
    browser.region("Webhooks")
    still(browser)
    assert not browser.all("button", "Add webhook") and not browser.all("button", "Add integration")
    assert browser.axe() == []
