"""Named tokens in a browser: creating and revoking one's own, and those with access to an account."""

import datetime

import pytest

from browser import PICTURES
from client import Client
from looking import german, look
from world import new_project, ok


@pytest.fixture
def somebody(person, browser, api):
    """A person who is signed in and has two projects."""
    who = person("Sam Somebody", initials="SS")
    who.client = api(who)
    who.projects = [ok(who.client.post("/projects", {"name": name, "new_account_name": f"{name} account"}))
                    for name in ("Website", "Shop")]
    browser.sign_in(who)
    return who


def fill_in(browser, region, name, *, writes=False, day=None, projects=()):
    """Fills in the dialog for a new token, and returns it."""
    browser.press("New token", region)
    dialog = browser.find("dialog", "New token")
    browser.fill("Name", name, dialog)
    if writes:
        browser.find("combobox", "What it does", dialog).send_keys("reads and writes")
    if day:
        browser.js("arguments[0].value = arguments[1]", dialog.find_element("css selector", "[type=date]"), day)
    if projects:
        browser.find("checkbox", "All my projects", dialog, starts=True).click()
    for project in projects:
        browser.find("checkbox", project, dialog).click()
    return dialog


def pictures(browser, region, name):
    """Screenshots of the region alone, which is far down: on a phone, and in dark mode."""
    browser.size(360, 740)
    region.screenshot(str(PICTURES / f"{name}-part-narrow.png"))
    browser.size(1400, 900)
    browser.colours("dark")
    region.screenshot(str(PICTURES / f"{name}-part-dark.png"))
    browser.colours("light")


def secret_of(browser, stack, region):
    token = browser.until(lambda: region.find_elements("css selector", ".secret code"))[0].text
    stack.secrets.append(token)
    return token


def test_from_none_to_one_and_back(browser, somebody, stack, api):
    browser.open("/profile")
    region = browser.region("Named tokens")
    browser.until(lambda: "No named tokens yet" in region.text)
    day = (datetime.date.today() + datetime.timedelta(days=9)).isoformat()
    dialog = fill_in(browser, region, "Nightly report", day=day, projects=["Shop"])
    look(browser, "named-token-new")
    browser.press("Create the token", dialog)
    token = secret_of(browser, stack, region)
    look(browser, "named-token-made")
    pictures(browser, region, "named-token-made")
    made, = ok(somebody.client.get("/my/tokens"))
    assert (made["name"], made["scope"], made["project_ids"]) == ("Nightly report", "read", [somebody.projects[1]["id"]])
    end = datetime.datetime.fromisoformat(made["expires_at"])
    assert end - datetime.datetime.fromisoformat(f"{day}T00:00:00+00:00") == datetime.timedelta(days=1)
    assert [p["name"] for p in ok(api(token).get("/projects"))] == ["Shop"]
    browser.press("Hide", region)
    browser.until(lambda: not region.find_elements("css selector", ".secret"))
    assert token not in browser.js("return document.documentElement.outerHTML")
    browser.open("/profile")
    region = browser.region("Named tokens")
    browser.until(lambda: "reads · Shop · until" in region.text and "last used" in region.text)
    look(browser, "named-tokens")
    pictures(browser, region, "named-tokens")
    german(browser, "/profile", "named-tokens")
    browser.open("/profile")
    browser.press("End Nightly report", browser.region("Named tokens"))
    dialog = browser.find("dialog", "End Nightly report")
    browser.press("End", dialog)
    browser.until(lambda: "No named tokens yet" in browser.region("Named tokens").text)
    assert api(token).get("/me").status_code == 403


def test_what_is_left_out(browser, somebody, stack):
    """All projects and no end are the defaults; choosing no project is refused with a message."""
    browser.open("/profile")
    region = browser.region("Named tokens")
    dialog = fill_in(browser, region, "Robot", writes=True)
    box = browser.find("checkbox", "All my projects", dialog, starts=True)
    box.click()
    browser.expect("/services/v5/")
    browser.press("Create the token", dialog)
    browser.until(lambda: "for no project" in browser.text("alert"))
    browser.find("checkbox", "All my projects", dialog, starts=True).click()
    browser.press("Create the token", dialog)
    token = secret_of(browser, stack, region)
    made, = ok(somebody.client.get("/my/tokens"))
    assert made["scope"] == "write" and not {"project_ids", "expires_at"} & set(made)
    browser.until(lambda: "reads and writes · all projects · never used" in region.text)
    ok(Client(stack, token).put("/me", {"initials": "SX"}))


def test_those_that_reach_an_account(browser, person, somebody, stack, api):
    other = person("Olga Other", initials="OO")
    project = somebody.projects[0]
    ok(somebody.client.post(f"/projects/{project['id']}/memberships", {"person_id": other.id, "role": "member"}))
    elsewhere = new_project(api(other))["id"]
    made = ok(api(other).post("/my/tokens", {"name": "Robot of Olga", "scope": "write"}))
    stack.secrets.append(made["token"])
    browser.open(f"/accounts/{project['account_id']}")
    region = browser.region("Programs with named tokens")
    browser.until(lambda: "Robot of Olga" in region.text and "Olga Other · reads and writes · all projects" in region.text)
    look(browser, "account-tokens")
    german(browser, f"/accounts/{project['account_id']}", "account-tokens")
    browser.open(f"/accounts/{project['account_id']}")
    browser.press("End Robot of Olga", browser.region("Programs with named tokens"))
    browser.press("End", browser.find("dialog", "End Robot of Olga"))
    browser.until(lambda: "No named tokens yet" in browser.region("Programs with named tokens").text)
    client = Client(stack, made["token"])
    assert [p["id"] for p in ok(client.get("/projects"))] == [elsewhere]
