"""The search offers help as the user types: keywords, names in the project, and matching stories."""

import re

import pytest
from selenium.webdriver.common.keys import Keys

from board import Board
from browser import TOP
from client import Client
from looking import SIZES
from test_board import shown  # noqa: F401
from world import ok


@pytest.fixture
def shop(board):
    board.add("Paint the shop", "started", labels=["two words"], owner_ids=[board.who.id])
    board.add("Paint the house", "unscheduled", labels=["garden"])
    ok(board.client.post(f"{board.path}/epics", {"name": "Spring"}))
    return board


def typed(browser, text):
    field = browser.find("textbox", "Search")
    field.click()
    browser.driver.execute_script("arguments[0].select()", field)
    field.send_keys(Keys.DELETE, text)
    return field


def offered(browser):
    return browser.js("return [...document.querySelectorAll('[role=option]')].map(o => o.textContent)")


def has_offer(browser, words):
    return browser.until(lambda: [text for text in offered(browser) if text.startswith(words)], what=words)[0]


def value(browser):
    return browser.find("textbox", "Search").get_property("value")


def results(browser):
    browser.region("Search results")
    return browser.titles("Search results")


def is_open(browser, title):
    return browser.find("button", "Edit description", browser.card(title))


@pytest.mark.parametrize("form", ["{id}", "#{id}", "{url}/story/show/{id}", "{url}/n/projects/{project}/stories/{id}",
                                  "https://www.pivotaltracker.com/story/show/{id}"])
def test_a_story_by_its_number_or_address(shown, shop, form):  # noqa: F811
    """Offered and opened with the keyboard; Enter alone finds it, too."""
    browser = shown()
    number = shop.ids["Paint the house"]
    text = form.format(id=number, url=browser.stack.url, project=shop.id)
    field = typed(browser, text)
    has_offer(browser, f"Paint the house #{number} unscheduled")
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    is_open(browser, "Paint the house")
    typed(browser, text).send_keys(Keys.ENTER)
    browser.has(lambda: results(browser), ["Paint the house"])


def test_a_story_that_is_done_is_found(shown, shop, sql):  # noqa: F811
    """A story that is not on the board."""
    shop.add("Old times", "accepted", accepted_at="2020-01-01T00:00:00Z")
    browser = shown()
    typed(browser, f"#{shop.ids['Old times']}")
    has_offer(browser, "Old times")
    browser.keys(Keys.ENTER)
    browser.has(lambda: results(browser), ["Old times"])


def test_a_story_elsewhere(shown, shop, stack, planner):  # noqa: F811
    other = Board(Client(stack, planner.token))
    other.add("Far away")
    browser = shown()
    address = f"{browser.stack.url}/story/show/{other.ids['Far away']}"
    typed(browser, address).send_keys(Keys.ENTER)
    browser.find("link", "Open this story, which is not in this project")
    typed(browser, address)
    has_offer(browser, "Open this story, which is not in this project")
    browser.keys(Keys.ARROW_DOWN, Keys.ENTER)
    browser.until(lambda: browser.path == f"/story/show/{other.ids['Far away']}")


def test_words_and_names(shown, shop, mate):  # noqa: F811
    """A keyword, then what can follow it; Enter and Tab accept an offer, Escape closes the list."""
    browser = shown()
    field = typed(browser, "lab")
    has_offer(browser, "label:")
    assert field.get_attribute("role") == "combobox" and field.get_attribute("aria-expanded") == "true"
    browser.shot("search-help-words")
    assert browser.axe() == []
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert value(browser) == "label:"
    has_offer(browser, "garden")
    field.send_keys("two", Keys.ARROW_DOWN)
    active = field.get_attribute("aria-activedescendant")
    assert browser.js("return document.getElementById(arguments[0]).textContent", active).startswith("two words")
    field.send_keys(Keys.TAB)
    assert value(browser) == 'label:"two words" '
    assert browser.js("return document.activeElement.name !== 'q'"), "Tab goes on"
    browser.find("textbox", "Search").send_keys(Keys.ENTER)
    browser.has(lambda: results(browser), ["Paint the shop"])
    field = typed(browser, "owner:")
    has_offer(browser, mate.name)
    field.send_keys(mate.username[:4])
    browser.until(lambda: mate.name in " ".join(offered(browser)))
    field.send_keys(Keys.ESCAPE)
    browser.until(lambda: offered(browser) == [])
    assert field.get_attribute("aria-expanded") == "false" and value(browser) == f"owner:{mate.username[:4]}"
    assert browser.js("return document.activeElement.name") == "q"
    typed(browser, "-state:started,fin")
    has_offer(browser, "finished")
    browser.keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert value(browser) == "-state:started,finished "
    # A plain word also offers people, labels, epics and states.
    for part, wanted in (("gar", "label:garden"), ("spri", "epic:Spring"), ("start", "state:started"),
                         (mate.name.split()[0].lower(), f"owner:{mate.username}")):
        typed(browser, part)
        has_offer(browser, wanted)
    typed(browser, "").send_keys(Keys.ARROW_DOWN)
    has_offer(browser, "state:")


def test_hits_come_while_one_types(shown, shop):  # noqa: F811
    browser = shown()
    field = typed(browser, "pain")
    browser.until(lambda: {t.split(" #")[0] for t in offered(browser)} == {"Paint the shop", "Paint the house"})
    browser.until(lambda: browser.js("return [...document.querySelectorAll('[aria-live]')].map(n => n.textContent)"
                                     ".includes('2 stories found')"))
    browser.shot("search-help-hits")
    field.send_keys(Keys.ARROW_UP)
    browser.until(lambda: field.get_attribute("aria-activedescendant"))
    browser.keys(Keys.ENTER)
    is_open(browser, "Paint the house")


def test_nothing_is_asked_while_it_is_no_search_yet(shown, shop):  # noqa: F811
    """Nor is there a request for every letter; a search that cannot be read is an error once it is submitted."""
    browser = shown()
    queries = lambda: [line for line in browser.stack.log("access").splitlines()  # noqa: E731
                       if re.search(rf"projects/{shop.id}/search", line)]
    before = len(queries())
    for text in ("state:sta", "lable:x", "(paint", '"paint'):
        typed(browser, text)
        browser.frames()
    # Once this one is answered, requests for the others would have been sent.
    typed(browser, "paint ")
    browser.until(lambda: len(offered(browser)) == 2)
    assert len(queries()) - before <= 2
    browser.expect("/search")
    typed(browser, "lable:x").send_keys(Keys.ENTER)
    browser.until(lambda: "lable" in browser.text("alert"))


def test_an_old_answer_does_not_overwrite_a_newer_one(shown, shop):  # noqa: F811
    """The first request is held back until the second one is answered."""
    browser = shown()
    browser.js("""const real = window.fetch; window.held = [];
        window.fetch = (path, init) => String(path).includes('/search?') && String(path).includes('house')
            ? new Promise((done, fail) => { held.push(() => real(path, { ...init, signal: undefined }).then(done, fail)); })
            : real(path, init);""")
    typed(browser, "house")
    browser.until(lambda: browser.js("return held.length") == 1)
    typed(browser, "shop")
    has_offer(browser, "Paint the shop")
    browser.js("held[0]()")
    browser.frames(10)
    assert not [text for text in offered(browser) if "house" in text]
    # The same for the panel of results.
    typed(browser, "house ").send_keys(Keys.ENTER)
    browser.until(lambda: browser.js("return held.length") >= 2)
    typed(browser, "shop").send_keys(Keys.ENTER)
    browser.has(lambda: results(browser), ["Paint the shop"])
    browser.js("held.forEach(go => go())")
    browser.frames(10)
    assert results(browser) == ["Paint the shop"]


def test_a_finger_chooses(shown, shop):  # noqa: F811
    browser = shown()
    for scheme in ("light", "dark"):
        browser.colours(scheme)
        browser.size(*SIZES["narrow"])
        typed(browser, "pain")
        browser.until(lambda: len([t for t in offered(browser) if t.startswith("Paint")]) == 2)
        browser.shot(f"search-help-narrow-{scheme}")
        assert browser.axe() == []
        assert browser.js("return document.documentElement.scrollWidth") <= SIZES["narrow"][0]
    x, y = browser.js("""const box = [...document.querySelectorAll('[role=option]')].find(
        o => o.textContent.startsWith('Paint the house')).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]""")
    browser.touch("touchStart", x, y)
    browser.touch("touchEnd")
    is_open(browser, "Paint the house")


def test_german(browser, shop):
    browser.language("de-DE")
    browser.sign_in(shop.who)
    browser.open(f"/n/projects/{shop.id}")
    browser.card("Paint the shop")
    field = browser.find("textbox", "Suchen")
    field.send_keys("begonn")
    has_offer(browser, "state:started")
    field.clear()
    field.send_keys("stat")
    assert "in diesem Status" in has_offer(browser, "state:")
    browser.shot("search-help-german")


def test_every_word_that_is_offered_is_one(board):
    """The server accepts every keyword, with every value that is offered for it."""
    source = (TOP / "web/src/model/query.ts").read_text()
    table = source.split("export const KEYS = {")[1].split("} as const")[0]
    keys = dict(re.findall(r"^\t(\w+): (.+),$", table, re.M))
    assert len(keys) > 15
    lists = {"STATES": ["unscheduled", "planned", "accepted"], "TYPES": ["feature", "release"]}
    for name, body in re.findall(r"^const (THINGS|DAYS) = \[(.+)\];$", source, re.M):
        lists[name] = re.findall(r'"([^"]+)"', body)
    ours = {"people": "x", "labels": "x", "epics": "x", "review types": "x", "points": "-1", "numbers": "1", "text": "x"}
    for key, follows in keys.items():
        given = lists.get(follows) or [ours.get(word, word) for word in re.findall(r'"([^"]+)"', follows)]
        assert given, (key, follows)
        for word in given:
            ok(board.client.get(f"{board.path}/search", params={"query": f"{key}:{word}"}))


def test_hits_are_said_once(shown, shop):  # noqa: F811
    """While one types, and when the results are there; an empty field finds nothing that could be counted."""
    browser = shown()
    browser.js("""window.said = [];
        const live = document.querySelector('[aria-live]');
        new MutationObserver(() => said.push(live.textContent)).observe(live, { subtree: true, childList: true, characterData: true });""")
    typed(browser, "house")
    browser.has(lambda: browser.js("return said"), ["1 story found"])
    browser.keys(Keys.ENTER)
    browser.has(lambda: browser.titles("Search results"), ["Paint the house"])
    browser.has(lambda: [text.strip() for text in browser.js("return said")], ["1 story found", "1 story found"])
    # A timer that was set before, for a request of hits, runs before this one.
    browser.driver.execute_async_script("setTimeout(arguments[0], 200)")
    assert len(browser.js("return said")) == 2
