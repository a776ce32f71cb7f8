"""Imports: a dry run with its report and map of people, then the import."""

import pathlib
import time

import pytest
from selenium.webdriver.support.select import Select

from looking import german, look, still
from world import ok

CSV = (b"Id,Title,Labels,Type,Estimate,Current State,Created at,Requested By,Description\r\n"
       b'4001,One,"a, b",feature,2,unstarted,"Oct 2, 2023",Rita Requester,A text\r\n'
       b'4002,Two,,chore,,unscheduled,"Oct 3, 2023",Rita Requester,\r\n')
BAD = CSV + b'4003,Three,,feature,2,no such state,"Oct 4, 2023",Somebody Else,\r\n'


@pytest.fixture
def files(tmp_path):
    path = tmp_path / "stories.csv"
    path.write_bytes(BAD)
    return str(path)


def choose(browser, *paths):
    browser.find("textbox", "Files").send_keys("\n".join(paths))


def who(browser, name):
    """The field that maps a person in the files to one here."""
    return Select(browser.find("combobox", f"{name}: Becomes"))


def kinds(browser):
    return set(browser.js("return [...document.querySelectorAll('tbody th')].map(th => th.textContent)"))


def test_import(browser, board, files, mate):
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/import")
    assert not browser.find("button", "Import").is_enabled()
    look(browser, "import-empty")
    choose(browser, files)
    browser.press("Dry run first")
    browser.until(lambda: "The dry run is over" in browser.text("status"), 30)
    assert board.stories() == []
    browser.find("heading", "Report")
    browser.until(lambda: kinds(browser) >= {"Stories", "People", "Labels"})
    still(browser)
    look(browser, "import-dry-run")

    assert who(browser, "Rita Requester").first_selected_option.text == "a placeholder"
    who(browser, "Rita Requester").select_by_visible_text(f"{mate.name} ({mate.username})")
    assert "Person ID" not in browser.js("return document.body.textContent")
    look(browser, "import-people")
    browser.press("Import")
    browser.until(lambda: "Imported" in browser.text("status"), 30)
    stories = ok(board.client.get(f"{board.path}/stories?fields=name,requested_by_id"))
    assert {s["requested_by_id"] for s in stories if s["name"] in ("One", "Two")} == {mate.id}
    look(browser, "import-done")
    german(browser, f"/projects/{board.id}/import", "import")
    browser.until(lambda: kinds(browser) >= {"Storys", "Personen", "Labels"})
    browser.until(lambda: "Ließe sich importieren, mit Verlusten" in browser.js("return document.body.textContent"))
    browser.open(f"/projects/{board.id}/import")
    browser.find("link", "To the board").click()
    browser.card("One")


def test_what_is_no_import(browser, board, tmp_path):
    path = tmp_path / "picture.xlsx"
    path.write_bytes(b"\x00\x01 no file that is known")
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/import")
    choose(browser, str(path))
    browser.press("Import")
    browser.until(lambda: "Refused" in browser.text("status"), 30)
    problem = browser.driver.find_element("css selector", ".problem").text
    assert problem.startswith("picture.xlsx: ")
    look(browser, "import-refused")


def test_progress_of_a_large_file(browser, board, tmp_path):
    path = tmp_path / "large.csv"
    path.write_bytes(CSV + b"x" * (6 << 20))
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/import")
    choose(browser, str(path))
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1,
                uploadThroughput=1 << 20)
    browser.press("Dry run first")
    bar = lambda: browser.js("return document.querySelector('progress')?.value ?? null")  # noqa: E731
    seen = set()
    end = time.monotonic() + 10
    while time.monotonic() < end and len(seen) < 3:
        value = bar()
        if value:
            seen.add(value)
    assert len(seen) >= 3 and all(0 < v <= 1 for v in seen)
    browser.shot("import-sending")
    browser.press("Cancel")
    browser.until(lambda: bar() is None)
    assert ok(board.client.get(f"{board.path}/imports")) == []


def test_the_report_has_pages(browser, board, sql, files):
    pathlib.Path(files).write_bytes(CSV.replace(b"400", b"500"))
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/import")
    choose(browser, files)
    browser.press("Dry run first")
    browser.until(lambda: "The dry run is over" in browser.text("status"), 30)
    number = ok(board.client.get(f"{board.path}/imports"))[0]["id"]
    sql("delete from project_import_line where import_id = %s", number)
    sql("insert into project_import_line (import_id, number, row_number, severity, code, message)"
        " select %s, n, n, case when n %% 5 = 0 then 'lost' else 'note' end, 'c', 'line ' || n"
        " from generate_series(1, 120) n", number)
    browser.open(f"/projects/{board.id}/import")
    lines = lambda: browser.js("return [...document.querySelectorAll('tbody tr td:last-child')]"  # noqa: E731
                               ".map(td => td.textContent).filter(x => x.startsWith('line '))")
    browser.until(lambda: lines() == [f"line {n}" for n in range(1, 51)])
    browser.press("Next")
    browser.until(lambda: lines() == [f"line {n}" for n in range(51, 101)])
    browser.press("Next")
    browser.until(lambda: len(lines()) == 20)
    browser.find("combobox", "Show").send_keys("Lost")
    browser.until(lambda: lines() == [f"line {n}" for n in range(5, 121, 5)])


def test_imports_are_the_owners(browser, board, mate):
    browser.sign_in(mate)
    browser.open(f"/projects/{board.id}/import")
    browser.until(lambda: "Only owners" in browser.js("return document.body.textContent"))


def test_who_is_who_is_a_choice_of_members(browser, board, mate, files):
    """A member, somebody new with an address, or nobody; the report refers to the page's own switches."""
    own_ids = lambda text: text.replace(b"400", b"410")  # noqa: E731
    pathlib.Path(files).write_bytes(own_ids(BAD))
    browser.sign_in(board.who)
    browser.open(f"/projects/{board.id}/import")
    choose(browser, files)
    browser.press("Dry run first")
    browser.until(lambda: "The dry run is over" in browser.text("status"), 30)
    choice = who(browser, "Rita Requester")
    offered = [option.text for option in choice.options]
    assert [f"{p.name} ({p.username})" for p in (board.who, mate)] == sorted(
        (text for text in offered if "(" in text), reverse=True), offered
    assert offered[-3:] == ["somebody new …", "a placeholder", "nobody"]
    assert not browser.all("textbox", "Rita Requester: Email address")
    choice.select_by_visible_text("somebody new …")
    browser.fill("Rita Requester: Email address", "rita@example.test")
    who(browser, "Somebody Else").select_by_visible_text("nobody")
    browser.press("Import")
    browser.until(lambda: "Imported" in browser.text("status"), 30)
    stories = ok(board.client.get(f"{board.path}/stories?fields=name,requested_by"))
    assert {s["requested_by"]["email"] for s in stories if s["name"] in ("One", "Two")} == {"rita@example.test"}
    # Imported again: for stories changed here meanwhile, the report says what to switch on.
    one = next(s for s in stories if s["name"] == "One")
    ok(board.client.put(f"{board.path}/stories/{one['id']}", {"name": "One here"}))
    pathlib.Path(files).write_bytes(own_ids(CSV).replace(b"One", b"One there"))
    browser.open(f"/projects/{board.id}/import")
    choose(browser, files)
    browser.press("Dry run first")
    browser.until(lambda: "The dry run is over" in browser.text("status"), 30)
    text = lambda: browser.js("return document.body.textContent")  # noqa: E731
    browser.until(lambda: "“Replace what was changed here since the last import” replaces" in text(), what=text())
    assert "--overwrite" not in text()
