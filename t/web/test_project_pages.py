"""The pages of projects: the dashboard, members, settings, labels, export, and the first steps."""

import datetime

import pytest

from board import Board
from looking import german, look, still
from world import ok


@pytest.fixture
def page(browser, board):
    """page("members") opens a page of the board's project as its owner."""
    def show(part):
        browser.sign_in(board.who)
        browser.open(f"/projects/{board.id}/{part}")
        browser.find("link", "Board")
        still(browser)
        return browser
    return show


def said(browser, words, role="status"):
    browser.until(lambda: words in browser.text(role), what=words)


def row(browser, words):
    """The list item with these words."""
    return browser.until(lambda: [li for li in browser.all("listitem") if words in li.text], what=words)[0]


# --- the dashboard -------------------------------------------------------------------

def test_the_first_project(browser, person, api):
    who = person("Fiona First")
    browser.sign_in(who)
    browser.open("/")
    browser.find("heading", "Start with a project")
    assert browser.path == "/dashboard"
    look(browser, "dashboard-empty")
    browser.press("New project")
    dialog = browser.find("dialog")
    browser.fill("Name", "First of all", dialog)
    browser.fill("Account name", "Firsts", dialog)
    browser.shot("new-project")
    assert browser.axe() == []
    browser.press("Create", dialog)
    browser.find("heading", "First steps")
    project, = ok(api(who).get("/projects"))
    assert project["name"] == "First of all" and browser.path == f"/n/projects/{project['id']}"


def test_a_project_with_files(browser, person, api):
    who = person("Fred Files")
    browser.sign_in(who)
    browser.open("/dashboard")
    browser.press("New project")
    dialog = browser.find("dialog")
    browser.fill("Name", "Brought along", dialog)
    browser.fill("Account name", "Filed", dialog)
    browser.find("checkbox", "I have an export to import", dialog).click()
    browser.press("Create", dialog)
    browser.find("button", "Dry run first")
    assert browser.path == f"/projects/{ok(api(who).get('/projects'))[0]['id']}/import"


def test_dashboard(browser, board):
    browser.sign_in(board.who)
    browser.open("/dashboard")
    name = board.project["name"]
    star = browser.find("button", f"Favorite: {name}")
    assert star.get_attribute("aria-pressed") == "false"
    star.click()
    browser.until(lambda: browser.find("button", f"Favorite: {name}").get_attribute("aria-pressed") == "true")
    look(browser, "dashboard")
    assert browser.all("region", "Projects")[0].find_element("css selector", "a.name").text == name
    german(browser, "/dashboard", "dashboard")
    browser.open("/dashboard")
    browser.find("link", name).click()
    browser.region("Current")


def facts(browser, name):
    """What the dashboard says about a project."""
    return browser.js("""const row = [...document.querySelectorAll('.project-line')].find(
        li => li.querySelector('a.name').textContent === arguments[0]);
        return row && Object.fromEntries([...row.querySelectorAll('dl > div')].map(
            div => [div.querySelector('dt').textContent, div.querySelector('dd').textContent]))""", name)


def test_how_projects_stand(browser, person, api, mate):
    """Velocity, the end of the iteration, points, and what waits for the person; projects are in natural order."""
    who = person("Lea Lead", initials="LL")
    client = api(who)
    one, two, ten = (Board(client, name=f"Exhibition stand {n}") for n in (1, 2, 10))
    ok(client.post(f"{two.path}/memberships", {"person_id": mate.id, "role": "member"}))
    two.add("Accepted", "accepted", estimate=2)
    two.add("To accept", "delivered", estimate=1, owner_ids=[mate.id])
    two.add("Mine", "started", estimate=3, owner_ids=[who.id])
    two.add("Mine and done", "delivered", estimate=1, owner_ids=[who.id], requested_by_id=mate.id)
    two.add("To review", "finished", estimate=1, owner_ids=[mate.id], requested_by_id=mate.id)
    kind = ok(client.get(f"{two.path}/review_types"))[0]["id"]
    ok(client.post(f"{two.at('To review')}/reviews", {"review_type_id": kind, "reviewer_id": who.id}))
    seen = lambda: {m["project_id"]: m.get("last_viewed_at") for m in ok(client.get("/me"))["projects"]}  # noqa: E731
    span = ok(client.get(f"{two.path}/iterations?scope=current"))[0]
    before = seen()
    browser.sign_in(who)
    browser.open("/dashboard")
    browser.until(lambda: facts(browser, "Exhibition stand 2"))
    assert browser.js("return [...document.querySelectorAll('.project-line a.name')].map(a => a.textContent)") == [
        "Exhibition stand 1", "Exhibition stand 2", "Exhibition stand 10"]
    last = datetime.datetime.fromisoformat(span["finish"].replace("Z", "+00:00")) - datetime.timedelta(hours=1)
    assert facts(browser, "Exhibition stand 2") == {
        "Velocity": "10", "Iteration 1 ends": f"{last:%b} {last.day}", "Accepted": "2 of 8 points",
        "Waits for you": "1 to accept, 1 to review, 1 in progress"}
    assert facts(browser, "Exhibition stand 10")["Waits for you"] == "nothing"
    look(browser, "dashboard-standing")
    german(browser, "/dashboard", "dashboard-standing")
    browser.until(lambda: facts(browser, "Exhibition stand 2"))
    assert facts(browser, "Exhibition stand 2")["Wartet auf Sie"] == "1 abzunehmen, 1 zu prüfen, 1 in Arbeit"
    assert seen() == before, "who looks at the dashboard has not seen the boards"
    browser.open("/dashboard")
    browser.press("1 to accept, 1 to review, 1 in progress")
    browser.until(lambda: browser.js("return !!document.querySelector('section[aria-label=\"Search results\"] li')"))
    browser.until(lambda: sorted(browser.titles("Search results")) == ["Mine", "To accept", "To review"])


def test_an_iteration_ends_on_the_day_of_its_project(browser, person, api):
    """Wherever the reader is: here 14 hours east of that place."""
    who = person("Hana Hawaii")
    board = Board(api(who), name="Far away", time_zone={"olson_name": "Pacific/Honolulu", "kind": "time_zone"})
    board.add("A", "unstarted")
    finish = ok(board.client.get(f"{board.path}/iterations?scope=current"))[0]["finish"]
    last = datetime.datetime.fromisoformat(finish.replace("Z", "+00:00")) - datetime.timedelta(hours=11)
    assert last.weekday() == 6, "the last one is a Sunday there"
    browser.cdp("Emulation.setTimezoneOverride", timezoneId="Asia/Dubai")
    try:
        browser.sign_in(who)
        browser.open("/dashboard")
        shown = browser.until(lambda: facts(browser, "Far away"))
        assert shown["Iteration 1 ends"] == f"{last:%b} {last.day}"
    finally:
        browser.cdp("Emulation.setTimezoneOverride", timezoneId="")


def test_many_projects_are_few_requests(browser, person, api):
    who = person("Mona Many")
    client = api(who)
    for n in range(18):
        Board(client, name=f"Many {n}")
    browser.sign_in(who)
    browser.open("/dashboard")
    browser.until(lambda: facts(browser, "Many 17"))
    assert all(facts(browser, f"Many {n}")["Velocity"] == "10" for n in range(18))
    asked = browser.js("return performance.getEntriesByType('resource').map(e => e.name)")
    assert len([name for name in asked if name.endswith("/aggregator")]) == 2
    assert not [name for name in asked if "/iterations" in name]


# --- first steps -----------------------------------------------------------------------

def test_first_steps(browser, board):
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.find("heading", "First steps")
    look(browser, "first-steps")
    # They are aligned with the panels.
    assert browser.js("""const [above, below] = ['.first-steps', '.column'].map(name =>
        document.querySelector(name).getBoundingClientRect()); return [above.left - below.left, below.top - above.bottom]""") == [0, 8]
    browser.press("Add the first story")
    browser.fill("Title", "Really the first")
    browser.press("Save")
    browser.card("Really the first")
    browser.find("heading", "First steps")
    browser.until(lambda: [s["name"] for s in board.stories()] == ["Really the first"])


def test_first_steps_offer_the_import(browser, board, mate):
    browser.sign_in(board.who)
    browser.open(f"/n/projects/{board.id}")
    browser.find("link", "Import from another tracker").click()
    browser.find("button", "Dry run first")
    browser.sign_in(mate)
    browser.open(f"/n/projects/{board.id}")
    browser.find("heading", "First steps")
    assert not browser.all("link", "Import from another tracker"), "only owners import"


# --- members ------------------------------------------------------------------------------

def roles(board):
    return {m["person"]["name"]: m["role"] for m in ok(board.client.get(f"{board.path}/memberships"))}


def test_members(page, board, mate, person):
    browser = page("members")
    look(browser, "members")
    browser.find("combobox", f"Role of {mate.name}").send_keys("Viewer")
    said(browser, f"{mate.name} is now: Viewer")
    assert roles(board)[mate.name] == "viewer"

    browser.fill("Email address", "nora@example.test")
    browser.fill("Name", "Nora New")
    browser.press("Add to the project")
    said(browser, "Nora New was added")
    row(browser, "nora@example.test")
    assert roles(board)["Nora New"] == "member"

    browser.fill("Email address", "not an address")
    browser.press("Add to the project")
    assert len(roles(board)) == 3
    browser.press("Remove Nora New")
    dialog = browser.find("dialog")
    browser.shot("members-remove")
    assert browser.axe() == []
    browser.press("Remove", dialog)
    browser.until(lambda: "Nora New" not in roles(board))
    browser.none("button", "Remove Nora New")


def test_the_last_owner_stays(page, board):
    browser = page("members")
    browser.expect("/services/v5/")
    browser.press("Leave this project")
    browser.press("Leave this project", browser.find("dialog"))
    browser.until(lambda: "owner" in browser.text("alert"))
    assert browser.find("dialog")
    assert roles(board)[board.who.name] == "owner"


def test_members_change_only_what_is_theirs(browser, board, mate):
    browser.sign_in(mate)
    browser.open(f"/projects/{board.id}/members")
    box = browser.find("checkbox", "Email me when somebody mentions me")
    assert box.is_selected()
    box.click()
    said(browser, "Saved")
    assert not browser.all("combobox") and not browser.all("link", "Import")
    assert browser.axe() == []
    browser.press("Leave this project")
    browser.press("Leave this project", browser.find("dialog"))
    browser.until(lambda: mate.name not in roles(board))
    browser.until(lambda: browser.path == "/dashboard")


# --- settings -------------------------------------------------------------------------------

def test_settings(page, board):
    browser = page("settings")
    look(browser, "settings")
    browser.fill("Name", "Renamed here")
    browser.fill("Initial velocity", "7")
    browser.find("textbox", "Point scale", starts=True).clear()
    browser.find("textbox", "Point scale", starts=True).send_keys("0,1,2,4")
    browser.find("checkbox", "Bugs and chores have points, too").click()
    before = board.version()
    browser.press("Save")
    said(browser, "Saved")
    project = ok(board.client.get(board.path))
    assert [project[word] for word in ("name", "initial_velocity", "point_scale",
                                       "bugs_and_chores_are_estimatable", "version")] == [
        "Renamed here", 7, "0,1,2,4", True, before + 1]
    browser.find("heading", "Renamed here: Settings")
    german(browser, f"/projects/{board.id}/settings", "settings")


def test_settings_that_are_refused(page, board):
    browser = page("settings")
    browser.expect("/services/v5/")
    browser.fill("Time zone", "Mars/Olympus")
    browser.press("Save")
    browser.until(lambda: "zone" in browser.text("alert"))
    browser.shot("settings-refused")


def test_reviews(page, board):
    browser = page("settings")
    browser.fill("New review type", "Legal")
    browser.press("Add")
    browser.find("textbox", "Name of Legal")
    types = lambda: {t["name"]: t["hidden"] for t in ok(board.client.get(f"{board.path}/review_types"))}  # noqa: E731
    assert types()["Legal"] is False
    line = browser.until(lambda: [li for li in browser.all("listitem")
                                  if browser.all("textbox", "Name of Legal", li)])[0]
    browser.find("checkbox", "In use", line).click()
    browser.until(lambda: types()["Legal"] is True)


def test_delete_a_project(page, board):
    browser = page("settings")
    name = board.project["name"]
    browser.press("Delete …")
    dialog = browser.find("dialog")
    assert not browser.find("button", "Delete this project", dialog).is_enabled()
    browser.shot("project-delete")
    browser.find("textbox", None, dialog).send_keys(name)
    browser.press("Delete this project", dialog)
    browser.until(lambda: browser.path == "/dashboard")
    assert board.client.get(board.path).status_code in (403, 404)


def test_settings_are_the_owners(browser, board, mate):
    browser.sign_in(mate)
    browser.open(f"/projects/{board.id}/settings")
    assert not browser.find("textbox", "Name").is_enabled()
    assert not browser.all("button", "Delete …") and not browser.all("button", "Save")


def test_what_one_may_not_change_looks_so(browser, board, mate):
    browser.sign_in(mate)
    browser.open(f"/projects/{board.id}/settings")
    name = browser.find("textbox", "Name")
    assert not name.is_enabled()
    look = "return getComputedStyle(arguments[0]).backgroundColor"
    assert browser.js(look, name) != browser.js(look, browser.js("return arguments[0].closest('.block')", name))


def test_a_project_in_an_account_of_others(browser, board, mate):
    """People without permission are told what to do about it, not what the API calls the error."""
    browser.expect("/services/v5/projects")
    browser.sign_in(mate)
    browser.open("/dashboard")
    browser.press("New project")
    browser.fill("Name", "Mine", browser.find("dialog"))
    browser.press("Create")
    browser.until(lambda: "An owner of the project or account" in browser.text("alert"))


# --- labels -----------------------------------------------------------------------------------

def test_no_labels(page):
    look(page("labels"), "labels-empty")


def labels(board):
    return {x["name"] for x in ok(board.client.get(f"{board.path}/labels"))}


def test_labels(page, board):
    board.add("One", "accepted", labels=["shop"], estimate=3)
    board.add("Two", "unstarted", labels=["shop", "web shop"], estimate=2)
    ok(board.client.post(f"{board.path}/epics", {"name": "Great", "label": {"name": "great"}}))
    browser = page("labels")
    look(browser, "labels")
    cells = browser.js("""return [...document.querySelectorAll('tbody tr')].map(tr =>
        [tr.querySelector('input').value, ...[...tr.querySelectorAll('.number')].map(td => td.textContent)])""")
    assert cells == [["great", "0", "0", "0", "0"], ["shop", "1", "2", "1", "3"], ["web shop", "1", "2", "0", "0"]]

    browser.fill("New label", "brand new")
    browser.press("Add")
    browser.find("textbox", "Name of brand new")
    field = browser.find("textbox", "Name of brand new")
    field.clear()
    field.send_keys("renamed\n")
    browser.until(lambda: "renamed" in labels(board))

    browser.expect("/labels/")
    field = browser.find("textbox", "Name of renamed")
    field.clear()
    field.send_keys("great\n")
    browser.until(lambda: "already exists" in browser.text("alert"))
    browser.until(lambda: browser.find("textbox", "Name of renamed").get_attribute("value") == "renamed")

    browser.press("Merge the label “web shop” with another")
    dialog = browser.find("dialog")
    browser.find("combobox", "Into", dialog).send_keys("shop")
    browser.shot("labels-merge")
    assert browser.axe() == []
    browser.press("Merge", dialog)
    browser.until(lambda: "web shop" not in labels(board))
    assert [x["name"] for x in ok(board.client.get(board.at("Two")))["labels"]] == ["shop"]

    browser.press("Delete the label “shop”")
    assert "2 stories will lose it." in browser.find("dialog").text
    browser.press("Delete", browser.find("dialog"))
    browser.until(lambda: labels(board) == {"great", "renamed"})


# --- export --------------------------------------------------------------------------------------

def test_labels_on_a_phone_in_german(browser, board):
    board.add("One", "accepted", labels=["catalogue"], estimate=3)
    board.add("Two", "unstarted", labels=["members"], estimate=2)
    browser.sign_in(board.who)
    browser.size(390, 844)
    browser.language("de-DE")
    browser.open(f"/projects/{board.id}/labels")
    button = browser.find("button", "Das Label „catalogue“ löschen")
    browser.shot("labels-narrow-german")
    assert browser.js("return arguments[0].closest('.scroll').scrollWidth <= arguments[0].closest('.scroll').clientWidth", button)


def test_export(page, board, browser):
    board.add("To be exported", "unstarted", labels=["out"])
    page("export")
    look(browser, "export")
    fetch = """const done = arguments[1]; fetch(arguments[0]).then(async a => done([a.status,
        a.headers.get('Content-Type'), (await a.text()).includes('To be exported')]), e => done(String(e)))"""
    zipped = browser.find("link", "Download zip").get_attribute("href")
    assert browser.driver.execute_async_script(fetch, zipped)[:2] == [200, "application/zip"]
    csv = browser.find("link", "Download CSV")
    assert browser.driver.execute_async_script(fetch, csv.get_attribute("href"))[2] is True
    browser.fill("Only stories that match this search", "label:none such")
    assert browser.driver.execute_async_script(fetch, csv.get_attribute("href"))[::2] == [200, False]
    browser.expect("/stories?filter")
    browser.fill("Only stories that match this search", "estimate:foo")
    csv.click()
    browser.until(lambda: "estimate: takes a number" in browser.text("alert"))


# --- what is not there, and old addresses -------------------------------------------------------

@pytest.mark.parametrize("path", ["/projects/1/members", "/n/workspaces/1", "/accounts/1", "/story/show/1",
                                  "/epic/show/1", "/n/projects/1"])
def test_nothing_here(browser, board, path):
    browser.expect("/services/v5/")
    browser.sign_in(board.who)
    browser.open(path)
    browser.find("heading", "Nothing here")
    assert not browser.all("link", "Members")
    assert browser.axe() == []
    browser.shot("missing")


def test_without_the_server(browser, board):
    """A page that cannot be loaded says so, and loads when it is requested again."""
    browser.sign_in(board.who)
    browser.expect("/services/v5/", "ERR_INTERNET_DISCONNECTED")
    browser.open("/dashboard")
    browser.find("link", board.project["name"])
    browser.open(f"/projects/{board.id}/members")
    browser.find("link", "Labels")
    still(browser)
    browser.cdp("Network.setBlockedURLs", urls=["*/services/v5/*labels*"])
    try:
        browser.find("link", "Labels").click()
        browser.until(lambda: "cannot be reached" in browser.text("alert"))
        browser.shot("unreached")
    finally:
        browser.cdp("Network.setBlockedURLs", urls=[])
    browser.press("Try again")
    browser.find("textbox", "New label")
