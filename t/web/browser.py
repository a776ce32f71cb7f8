"""A Chromium driven by WebDriver, which finds elements the way screen readers announce them."""

import contextlib
import os
import pathlib
import re
import subprocess
import time

from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement

BUILD = pathlib.Path(os.environ["STACK_BUILD"]).resolve()
TOP = pathlib.Path(__file__).resolve().parents[2]
PICTURES = BUILD / "web" / "pictures"
# Only what never comes is waited for so long.
WAIT = 30
# What is said of a thing that another took the place of.
GONE = ("stale element", "does not belong to the document")

# What may have a role, before its name is looked at.
ROLES = {
    "alert": "[role=alert]", "button": "button, [role=button]", "checkbox": "[type=checkbox]",
    "dialog": "dialog, [role=dialog]", "heading": "h1, h2, h3", "link": "a[href]",
    "listitem": "li", "menuitem": "[role=menuitem], [role=menuitemradio]",
    "region": "section[aria-label]", "status": "[role=status]",
    "textbox": "input:not([type=checkbox]):not([type=radio]), textarea", "combobox": "select",
}

# Nodes that may have a name with this word in it. The browser is asked for the names of these only,
# one by one: on a board there are hundreds of buttons.
MAYBE = """const [within, selector, word] = arguments;
    const has = text => text?.toLowerCase().includes(word);
    const byId = id => has(document.getElementById(id)?.outerHTML);
    return [...(within ?? document).querySelectorAll(selector)].filter(node =>
        node.getAttribute('aria-labelledby')?.split(/\\s+/).some(byId) ||
        (node.ariaLabel?.trim() ? has(node.ariaLabel)
            : has(node.outerHTML) || [...(node.labels ?? [])].some(label => has(label.outerHTML))))"""



def is_gone(error):
    return any(words in str(error) for words in GONE)


def steady(do, nodes=()):
    """do(); where a node was drawn anew meanwhile, those that know how they were found are found anew."""
    for tries in range(5):
        try:
            return do()
        except WebDriverException as error:
            nodes = [node for node in nodes if isinstance(node, Found)]
            if tries == 4 or not nodes or not is_gone(error):
                raise
            for node in nodes:
                node.again()


class Found(WebElement):
    """A node that is looked for once more when another took its place."""

    def __init__(self, node, look):
        super().__init__(node.parent, node.id)
        self.look = look

    def again(self):
        self._id = self.look().id

    def _execute(self, command, params=None):
        return steady(lambda: WebElement._execute(self, command, {**(params or {})}), [self])

    def find_element(self, by, value):
        def look():
            return WebElement.find_element(self, by, value)
        return Found(look(), look)


class Chrome(webdriver.Chrome):
    """What a script gets that was found by a role or a title may be drawn anew before it runs."""

    def execute_script(self, script, *values):
        return steady(lambda: super(Chrome, self).execute_script(script, *values), values)


def chromium_options():
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--window-size=1400,900", "--hide-scrollbars", "--lang=en-US"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return options


def axe_source():
    """axe-core, as npm brings it for checks."""
    path = BUILD / "web/work/node_modules/axe-core/axe.min.js"
    if not path.exists():
        subprocess.run([TOP / "web/build.sh", BUILD / "web/work/checked", BUILD / "web/work"],
                       env={**os.environ, "WEB_CHECK": "1"}, check=True, capture_output=True)
    return path.read_text()


class Browser:
    def __init__(self, stack):
        self.stack = stack
        self.driver = Chrome(service=Service("/usr/bin/chromedriver"),
                             options=chromium_options())
        # axe looks at a large page for long where others keep the processors busy.
        self.driver.set_script_timeout(120)
        self.expected = []
        self.cookies = {}

    def quit(self):
        self.driver.quit()

    # --- the browser as a whole -------------------------------------------------

    def cdp(self, command, **values):
        return self.driver.execute_cdp_cmd(command, values)

    def js(self, script, *values):
        return self.driver.execute_script(script, *values)

    def reset(self):
        """As new: no cookies, no memory, a wide page in the light."""
        self.driver.get("about:blank")
        self.driver.delete_all_cookies()
        self.cdp("Network.clearBrowserCookies")
        self.cdp("Storage.clearDataForOrigin", origin=self.stack.url, storageTypes="all")
        self.cdp("Network.enable")
        self.cdp("Network.setBlockedURLs", urls=[])
        self.network()
        self.size(1400, 900)
        self.colours("light")
        self.language("en-US")
        self.driver.get_log("browser")
        self.expected = []

    def size(self, width, height=900):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)

    def colours(self, scheme):
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])

    def language(self, word):
        agent = self.js("return navigator.userAgent")
        self.cdp("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=word)

    def network(self, offline=False, latency=0):
        self.cdp("Network.emulateNetworkConditions", offline=offline, latency=latency,
                 downloadThroughput=-1, uploadThroughput=-1)

    def complain(self):
        """Errors that the page wrote to the console, but for those a test expects."""
        lines = [entry["message"] for entry in self.driver.get_log("browser")
                 if entry["level"] == "SEVERE"]
        bad = [line for line in lines if not any(word in line for word in self.expected)]
        assert not bad, bad

    def expect(self, *words):
        """The console may have errors with these words."""
        self.expected += words

    def shot(self, name):
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))

    def axe(self, within="document"):
        """Violations that axe finds, in one line each."""
        self.js(axe_source())
        found = self.driver.execute_async_script(
            f"const done = arguments[0], rules = {{ 'target-size': {{ enabled: true }} }};"
            f"axe.run({within}, {{ rules }}).then(r => done(r.violations.map(v => "
            "v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + "
            "(n.any[0]?.message ?? '')).join(' | '))), e => done([String(e)]))")
        return found

    # --- going somewhere ---------------------------------------------------------

    def open(self, path):
        self.driver.get(self.stack.url + path)

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.stack.url)

    def sign_in(self, who):
        """By the cookie that the form would get: of each person one, for passwords are slow."""
        from client import Client

        if who.username not in self.cookies:
            answer = Client(self.stack).post(
                "/session", {"login": who.username, "password": who.password},
                headers={"X-Requested-With": "planwright"})
            assert answer.status_code == 200, answer.text
            self.cookies[who.username] = answer.headers["Set-Cookie"].split(";")[0].split("=", 1)
            self.stack.secrets.append(self.cookies[who.username][1])
        name, value = self.cookies[who.username]
        self.cdp("Network.setCookie", name=name, value=value, url=self.stack.url, path="/",
                 httpOnly=True, sameSite="Strict")

    # --- finding -------------------------------------------------------------------

    def until(self, look, seconds=WAIT, what=""):
        """look() until it is something; its value."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = look()
            except WebDriverException as error:
                if not is_gone(error):
                    raise
                value = None
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not there after {seconds} s: {what or look}")
            time.sleep(0.03)

    def has(self, look, wanted):
        """look() until it is what is wanted."""
        last = []

        def same():
            last[:] = [look()]
            return last[0] == wanted
        try:
            self.until(same)
        except AssertionError:
            raise AssertionError(f"{last} is not {wanted!r}") from None

    @contextlib.contextmanager
    def within_looks(self, project, most=3):
        """What comes in here comes by looks at what is new, of which there is one every three seconds: by
        the first ones, however slow all is."""
        def looks():
            return self.stack.log("access").count(f"projects/{project}/activity")
        before = looks()
        yield
        assert looks() - before <= most

    def frames(self, count=3):
        """Until the page was drawn so many times more: what follows a change of it has come to rest."""
        self.driver.execute_async_script("""const done = arguments[1];
            const next = left => left ? requestAnimationFrame(() => setTimeout(next, 0, left - 1)) : done();
            next(arguments[0])""", count)

    # --- fingers ---------------------------------------------------------------------

    def touch(self, kind, x=None, y=None):
        points = [] if x is None else [{"x": x, "y": y}]
        self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def hold(self, x, y):
        """A finger that rests until what is under it can be dragged."""
        self.touch("touchStart", x, y)
        self.until(lambda: self.js("return !!document.querySelector('.drag-ghost')"))

    def all(self, role, name=None, within=None, starts=False):
        """Those of a role that are shown, with a name or one that starts so."""
        found = []
        word = max(re.findall(r"\w+", name or ""), key=len, default="")
        for node in self.js(MAYBE, within, ROLES[role], word.lower()):
            try:
                own = node.accessible_name if name is not None else None
                if name is None or own == name or (starts and own.startswith(name)):
                    if role == "status" or node.is_displayed():
                        found.append(node)
            except WebDriverException as error:
                if not is_gone(error):
                    raise
        return found

    def found(self, look, seconds, what):
        """The node that look() finds, in a list: now, and anew when it is drawn anew."""
        def first():
            return self.until(look, seconds, what)[0]
        return Found(first(), first)

    def find(self, role, name=None, within=None, seconds=WAIT, starts=False):
        return self.found(lambda: self.all(role, name, within, starts)[:1], seconds, f"{role} {name!r}")

    def none(self, role, name=None, within=None, seconds=WAIT):
        """Waits until there is none."""
        self.until(lambda: not self.all(role, name, within), seconds, f"no {role} {name!r}")

    def region(self, name, seconds=WAIT):
        return self.find("region", name, seconds=seconds)

    def card(self, title, within=None, seconds=WAIT):
        """The card of a story, wherever it is, or in a region."""
        if isinstance(within, str):
            within = self.region(within)
        look = lambda: self.js("""return [...(arguments[1] ?? document).querySelectorAll('li[data-story]')]
            .filter(li => li.ariaLabel?.startsWith(arguments[0] + ', '))""", title, within)
        return self.found(look, seconds, f"card {title!r}")

    def label(self, title, within=None):
        return self.card(title, within).get_attribute("aria-label")

    def titles(self, region):
        """Titles of the cards of a region, from top to bottom."""
        return self.js("""return [...arguments[0].querySelectorAll('li[data-story] .title')]
            .map(b => b.textContent)""", self.region(region))

    def text(self, role):
        """All that is said in a role now."""
        return " ".join(self.js("""return [...document.querySelectorAll(arguments[0])]
            .filter(node => arguments[1] === 'status' || node.checkVisibility({ visibilityProperty: true }))
            .map(node => node.innerText.trim())""", ROLES[role], role))

    def names(self, role, within=None):
        """Names of all of a role, in their order."""
        return self.until(lambda: [[node.accessible_name for node in self.all(role, within=within)]])[0]

    # --- doing -----------------------------------------------------------------------

    def press(self, name, within=None, seconds=WAIT):
        """Clicks the button of this name."""
        def click():
            for node in self.all("button", name, within):
                node.click()
                return True
        self.until(click, seconds, f"button {name!r}")

    def choose(self, name):
        self.find("menuitem", name).click()

    def fill(self, name, text, within=None):
        field = self.find("textbox", name, within)
        field.clear()
        field.send_keys(text)
        return field

    def keys(self, *keys):
        """To whatever has the focus; it may be drawn anew before they come."""
        def send():
            try:
                self.driver.switch_to.active_element.send_keys(*keys)
            except ElementNotInteractableException:
                return False
            return True
        self.until(send)
