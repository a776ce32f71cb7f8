"""An account's audit log in a browser: who did what, filtered by person, act, project and day."""

import csv
import datetime
import io
import json
import pathlib
import re

import pytest

from looking import german, look
from world import new_project, ok

LOCALES = pathlib.Path(__file__).parents[2] / "web" / "locales"


@pytest.fixture
def place(person, browser, api):
    """An account with entries in its log; its owner is signed in."""
    boss, mate = person("Olga Owns", initials="OO"), person("Mia Member", initials="MM")
    boss.client = api(boss)
    boss.project = new_project(boss.client)
    boss.account, boss.mate = boss.project["account_id"], mate
    boss.path = f"/accounts/{boss.account}/audit"
    member = ok(boss.client.post(f"/projects/{boss.project['id']}/memberships", {"person_id": mate.id, "role": "member"}))
    ok(boss.client.put(f"/projects/{boss.project['id']}/memberships/{member['id']}", {"role": "viewer"}))
    ok(boss.client.put(f"/projects/{boss.project['id']}", {"iteration_length": 2}))
    ok(api(mate).get("/me"))
    browser.sign_in(boss)
    return boss


def rows(browser):
    """The cells of each entry, by the heading of their column."""
    region = browser.region("Audit log")
    if not (tables := region.find_elements("css selector", "table")):
        return []
    table = tables[0]
    heads = [cell.text for cell in table.find_elements("css selector", "thead th")]
    return [dict(zip(heads, (cell.text for cell in row.find_elements("css selector", "td"))))
            for row in table.find_elements("css selector", "tbody tr")]


def choose(browser, name, words):
    options = browser.find("combobox", name).find_elements("css selector", "option")
    next(o for o in options if o.text == words).click()


def test_from_the_account_to_an_entry(browser, place):
    browser.open(f"/accounts/{place.account}")
    link = browser.find("link", "Audit log")
    link.click()
    browser.until(lambda: browser.path == place.path)
    found = browser.until(lambda: rows(browser))
    assert found[0]["Action"] == "signed in" and found[0]["Who"] == "Olga Owns"
    assert found[0]["By"].startswith("password ") and "127.0.0.1" in found[0]["By"]
    changed = next(r for r in found if r["Action"] == "changed a role")
    assert "role: member → viewer" in changed["Old → new"] and changed["Object"] == "person Mia Member"
    assert "iteration_length: 1 → 2" in next(r for r in found if r["Action"] == "changed a project")["Old → new"]
    look(browser, "audit")
    german(browser, place.path, "audit")


def test_what_is_chosen_stands_in_the_address(browser, place):
    browser.open(place.path)
    everything = len(browser.until(lambda: rows(browser)))
    choose(browser, "Action", "changed a role")
    browser.until(lambda: [r["Action"] for r in rows(browser)] == ["changed a role"])
    assert "act=role_change" in browser.js("return location.search")
    browser.open(browser.js("return location.pathname + location.search"))
    browser.until(lambda: [r["Action"] for r in rows(browser)] == ["changed a role"])
    choose(browser, "Action", "All")
    browser.until(lambda: len(rows(browser)) == everything)
    choose(browser, "Who", "Mia Member")
    browser.until(lambda: "No entries" in browser.region("Audit log").text)
    choose(browser, "Who", "All")
    choose(browser, "Projects", place.project["name"])
    browser.until(lambda: {r["Action"] for r in rows(browser)} == {
        "created a project", "added a member", "changed a role", "changed a project"})


def test_days_and_the_file(browser, place, api):
    today = datetime.date.today()
    browser.open(f"{place.path}?occurred_before={today - datetime.timedelta(days=2)}")
    browser.until(lambda: "No entries" in browser.region("Audit log").text)
    browser.open(f"{place.path}?occurred_after={today - datetime.timedelta(days=2)}&act=project_change")
    browser.until(lambda: [r["Action"] for r in rows(browser)] == ["changed a project"])
    address = browser.find("link", "Download as CSV").get_attribute("href")
    assert f"/accounts/{place.account}/audit.csv?" in address and "act=project_change" in address
    text = browser.js("return fetch(arguments[0], {headers: {'X-Requested-With': 'planwright'}}).then(a => a.text())", address)
    assert [row["act"] for row in csv.DictReader(io.StringIO(text))] == ["project_change"]


def test_a_day_that_is_none_is_told(browser, place):
    """The server says what is wrong with the address."""
    browser.expect("/services/v5/")
    browser.open(f"{place.path}?occurred_after=yesterday")
    browser.until(lambda: "occurred_after" in browser.text("alert"))


def test_older_and_newer(browser, place):
    for n in range(60):
        ok(place.client.put(f"/projects/{place.project['id']}", {"initial_velocity": n + 1}))
    browser.open(place.path)
    first = browser.until(lambda: rows(browser))
    assert len(first) == 50
    browser.press("Next")
    browser.until(lambda: rows(browser) and len(rows(browser)) < 50)
    assert "offset=50" in browser.js("return location.search")
    browser.press("Previous")
    browser.until(lambda: len(rows(browser)) == 50)


def test_others_are_told_that_they_may_not(browser, place):
    browser.sign_in(place.mate)
    browser.open(f"/accounts/{place.account}")
    browser.none("link", "Audit log")
    browser.expect("/services/v5/")
    browser.open(place.path)
    browser.until(lambda: browser.text("alert"))


def test_each_kind_has_its_word():
    """Each kind of thing that entries can be about, as the server's sources name them."""
    sources = (LOCALES.parents[1] / "src").rglob("*.c")
    kinds = {kind for path in sources for kind in re.findall(r'(?:\bkind = |\babout\(\w+, )"([a-z_]+)"', path.read_text())}
    assert {"passkey", "session", "webhook"} <= kinds
    for language in ("en", "de"):
        words = json.loads((LOCALES / f"admin.{language}.json").read_text())
        assert {f"audit.{kind}" for kind in kinds} <= set(words)


def test_each_act_has_its_words(api, place):
    """In both languages, and there are no others."""
    answer = ok(place.client.get("/openapi.json"))
    act = next(p for p in answer["paths"]["/accounts/{account}/audit"]["get"]["parameters"] if p["name"] == "act")
    acts = set(act["schema"]["items"]["enum"])
    for language in ("en", "de"):
        words = json.loads((LOCALES / f"admin.{language}.json").read_text())
        assert {key.removeprefix("act.") for key in words if key.startswith("act.")} == acts


def test_what_is_created_has_no_old_value(browser, place):
    browser.open(place.path)
    made = next(r for r in browser.until(lambda: rows(browser)) if r["Action"] == "created a project")
    assert "iteration_length: 1" in made["Old → new"] and "→" not in made["Old → new"]
