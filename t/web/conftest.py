"""Shared by the tests in a browser: Chromium, driven by WebDriver, against a real server.

    def test_name(browser, board):
        browser.sign_in(board.who)
        browser.open(f"/n/projects/{board.id}")
        browser.press("Start", browser.card("A story"))

`browser` is a tab without cookies or storage; `second` is another one, with a profile of its own. Elements are
found as screen readers announce them: by role and name. `shot` saves a screenshot below BUILD/web/pictures, for
people to look at. An error that a page writes to the console fails its test.
The server, people and boards are those of t/http/conftest.py.
"""

import importlib.util
import pathlib
import sys

import pytest

HTTP = pathlib.Path(__file__).resolve().parents[1] / "http"
sys.path.insert(0, str(HTTP))
spec = importlib.util.spec_from_file_location("http_conftest", HTTP / "conftest.py")
server = importlib.util.module_from_spec(spec)
sys.modules["http_conftest"] = server
spec.loader.exec_module(server)

from board import Board  # noqa: E402
from browser import Browser  # noqa: E402
from client import Client  # noqa: E402
from world import ok  # noqa: E402

api, new_stack, person, sql, stack = (server.api, server.new_stack, server.person, server.sql,
                                      server.stack)
pytest_sessionfinish = server.pytest_sessionfinish
SLOWEST = [f"test_{name}.py" for name in (
    "board", "sync", "two_people", "still", "project_pages", "drag", "story_parts", "profile", "many",
    "overview", "import", "story", "panels", "notes", "comments", "outbox", "alone", "signin")]


def pytest_collection_modifyitems(items):
    server.longest_first(items, SLOWEST)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure reports what each browser showed, for people who cannot reproduce it."""
    report = (yield).get_result()
    if call.when != "call" or not report.failed:
        return
    for number, tab in enumerate({id(one): one for one in item.funcargs.values() if isinstance(one, Browser)}.values()):
        try:
            report.sections.append((f"browser {number}", tab.state(f"{item.name}-{number}")))
        except Exception as error:  # must not hide why the test failed
            report.sections.append((f"browser {number}", repr(error)))


@pytest.fixture(scope="session")
def chromium(stack):
    """chromium(n): the n-th browser, started when first requested."""
    started = {}

    def get(n):
        if n not in started:
            started[n] = Browser(stack)
        return started[n]

    yield get
    for each in started.values():
        each.quit()


def lent(one):
    """Lends a browser to a test; afterwards, none of its pages sends requests or listens any more."""
    one.reset()
    yield one
    try:
        one.complain()
    finally:
        one.driver.get("about:blank")


@pytest.fixture
def browser(chromium):
    yield from lent(chromium(0))


@pytest.fixture
def second(chromium):
    yield from lent(chromium(1))


@pytest.fixture(scope="session")
def planner(person):
    """The person who signs in; the same for all tests."""
    return person("Paula Planner", initials="PP")


@pytest.fixture(scope="session")
def mate(person):
    return person("Mark Mate", initials="MM")


@pytest.fixture
def board(stack, planner, mate):
    """An empty project of the planner's, with one more member."""
    made = Board(Client(stack, planner.token))
    made.who = planner
    ok(made.client.post(f"{made.path}/memberships", {"person_id": mate.id, "role": "member"}))
    return made


@pytest.fixture
def own(new_stack):
    """A separate server, which the test may break: a browser for it, and a board whose `server` it is."""
    made = new_stack(expects_5xx=True, workers=2)
    who = server.Person(made, "Olga Own")
    board = Board(Client(made, who.token))
    board.who, board.server = who, made
    tab = Browser(made)
    tab.reset()
    yield tab, board
    tab.quit()
