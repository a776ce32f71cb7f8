"""Signing in through a third-party provider: npm's oidc-provider, from the button to the board."""

import fcntl
import os
import pathlib
import shutil
import socket
import subprocess
import uuid

import pytest
from selenium.webdriver.common.by import By

import http_conftest
from board import Board
from browser import Browser
from client import Client
from world import ok

HERE = pathlib.Path(__file__).resolve().parents[1] / "oidc"


@pytest.fixture(scope="session")
def packages():
    """The folder with the provider, in the version of package-lock.json; npm installs it once per build."""
    folder = pathlib.Path(os.environ["STACK_BUILD"]) / "oidc"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in ("package.json", "package-lock.json", "serve.mjs"):
            shutil.copy(HERE / name, folder)
        stamp, wanted = folder / "node_modules" / ".planwright", (HERE / "package-lock.json").read_text()
        if not stamp.exists() or stamp.read_text() != wanted:
            http_conftest.run("npm", "--prefix", folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
            stamp.write_text(wanted)
    return folder


def served(begin):
    """A server whose account `Company` admits everybody from a provider: yields (browser, board of the boss).
    begin(stack, secret) returns the provider's issuer and a function that stops it."""
    stack = http_conftest.Stack(http_conftest.stack_folder("oidc-web"), workers=2)
    boss = http_conftest.Person(stack, "Olga Own")
    board = Board(Client(stack, boss.token))
    (account,), = stack.sql("select account_id from project where id = %s", board.id)
    secret = uuid.uuid4().hex
    stack.secrets.append(secret)
    issuer, end = begin(stack, secret)
    with open(stack.env["STACK_CONF"], "a") as conf:
        conf.write(f"oidc_providers = company\noidc_company_issuer = {issuer}\n"
                   f"oidc_company_client_id = planwright\noidc_company_client_secret = {secret}\n"
                   f"oidc_company_label = the company\noidc_company_new_people = {account}\n")
    stack.part("stop", "workers")
    stack.part("start", "workers")
    board.who, board.server, board.account = boss, stack, account
    tab = Browser(stack)
    tab.reset()
    yield tab, board
    tab.quit()
    end()
    stack.close()


@pytest.fixture(scope="module")
def place(packages):
    def begin(stack, secret):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        provider = subprocess.Popen(["node", "serve.mjs", str(port), stack.url, secret], cwd=packages,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert provider.stdout.readline().strip() == "ready"
        return f"http://127.0.0.1:{port}", lambda: (provider.kill(), provider.wait())
    for tab, board in served(begin):
        tab.cdp("Network.setBlockedURLs", urls=["*://fonts.googleapis.com/*"])  # used by the provider's own pages
        yield tab, board


def at_the_provider(tab, name):
    """Goes through the provider's own pages: a form for name and password, and one that asks to continue."""
    been = []

    def step():
        if tab.driver.current_url.startswith(tab.stack.url):
            return been
        been.append(tab.driver.current_url)
        button = tab.driver.find_elements(By.CSS_SELECTOR, 'button[type="submit"]')
        for field, text in (("login", name), ("password", "x")):
            for element in tab.driver.find_elements(By.NAME, field):
                if element.get_attribute("value") != text:
                    element.send_keys(text)
        if button:
            button[0].click()
        return False

    tab.until(step, what=f"the way back: {been[-1:]}")


def test_from_the_button_to_the_board(place):
    tab, board = place
    tab.expect("/services/v5/", "/assets/demo.json")
    tab.open("/signin")
    tab.find("link", "Sign in with the company")
    tab.shot("signin-provider")
    assert tab.axe() == []
    tab.find("link", "Sign in with the company").click()
    at_the_provider(tab, "Grace")
    tab.until(lambda: tab.driver.current_url.startswith(board.server.url) and tab.path == "/dashboard")
    (person,), = board.server.sql("select id from person where email = 'grace@company.test' and name = 'Grace Company'")
    ok(board.client.post(f"{board.path}/memberships", {"person_id": person, "role": "member"}))
    tab.open(f"/n/projects/{board.id}")
    tab.region("Current")
    cookies = {c["name"]: c for c in tab.driver.get_cookies() if c["name"].startswith("planwright")}
    assert cookies["planwright"]["sameSite"] == "Strict" and all(c["httpOnly"] for c in cookies.values())


def test_signing_out_at_both(place):
    tab, board = place
    tab.expect("/services/v5/", "/assets/demo.json")
    tab.press("Account")
    tab.choose("Sign out")
    tab.until(lambda: "/session/end" in tab.driver.current_url)
    tab.until(lambda: tab.driver.find_elements(By.CSS_SELECTOR, "button[name=logout]"))
    tab.driver.find_element(By.CSS_SELECTOR, "button[name=logout]").click()
    tab.until(lambda: tab.driver.current_url.startswith(board.server.url))
    tab.find("link", "Sign in with the company")
    assert tab.path == "/signin"


def test_linking_on_the_profile_page(place):
    tab, board = place
    tab.expect("/services/v5/", "/assets/demo.json")
    tab.sign_in(board.who)
    tab.open("/profile")
    tab.press("Link the company")
    at_the_provider(tab, "Olga")
    tab.until(lambda: tab.driver.current_url.startswith(board.server.url) and tab.path == "/profile")
    tab.until(lambda: "olga@company.test" in tab.region("Accounts elsewhere").text)
    tab.shot("profile-identities")
    assert tab.axe() == []
    tab.press("Unlink the company")
    tab.press("Unlink")
    tab.until(lambda: "olga@company.test" not in tab.region("Accounts elsewhere").text)


LONG = "of the Donaudampfschifffahrtsgesellschaft, Niederlassung Süd"


def keeps_its_width(tab, button):
    """The button fits on a phone, even with the longest label allowed."""
    tab.size(390, 800)
    tab.js("arguments[0].textContent += arguments[1]", button, f" {LONG}")
    room = tab.js("""const it = arguments[0], around = it.closest('form, section').getBoundingClientRect();
        return [it.scrollWidth - it.clientWidth, around.left, 390 - around.right,
            around.right - it.getBoundingClientRect().right]""", button)
    tab.size(1400, 900)
    return room[0] <= 0 and min(room[1:]) >= 0


def test_long_labels(place):
    tab, board = place
    tab.reset()
    tab.expect("/services/v5/", "/assets/demo.json")
    tab.open("/signin")
    assert keeps_its_width(tab, tab.find("link", "Sign in with the company"))
    tab.sign_in(board.who)
    tab.open("/profile")
    assert keeps_its_width(tab, tab.find("button", "Link the company"))
