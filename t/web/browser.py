"""A Chromium driven by WebDriver; elements are found by what screen readers announce: role and name."""

import contextlib
import os
import pathlib
import re
import subprocess
import time

from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

BUILD = pathlib.Path(os.environ["STACK_BUILD"]).resolve()
TOP = pathlib.Path(__file__).resolve().parents[2]
PICTURES = BUILD / "web" / "pictures"
# Only tests that fail wait so long.
WAIT = 30
# A number: pages wait at random, the same for each number, before requests and after answers, and stall now and then,
# as on a busy machine. A test that passes only on an idle one fails more often this way.
DELAYS = os.environ.get("WEB_DELAYS")
DELAY = """{
    let state = %d + location.href.length;
    const random = () => (state = (state * 48271) %% 2147483647) / 2147483647;
    const sometimes = async ms => random() < 0.4 && await new Promise(done => setTimeout(done, random() * ms));
    const now = window.fetch;
    window.fetch = async (address, options) => {
        // What a page that is left sends last must be sent at once.
        if (options?.keepalive) return now(address, options);
        await sometimes(500);
        const answer = await now(address, options);
        await sometimes(1500);
        return answer;
    };
    const stall = () => {
        const end = performance.now() + random() * 300;
        while (performance.now() < end);
        setTimeout(stall, 300 + random() * 1500);
    };
    setTimeout(stall, random() * 1000);
}"""
# What WebDriver says about an element that was replaced, alone or with its page.
GONE = ("stale element", "does not belong to the document", "Frame is detached")

# The elements that may have a role; their names are checked afterwards.
ROLES = {
    "alert": "[role=alert]", "button": "button, [role=button]", "checkbox": "[type=checkbox]",
    "dialog": "dialog, [role=dialog]", "heading": "h1, h2, h3", "link": "a[href]",
    "listitem": "li", "menuitem": "[role=menuitem], [role=menuitemradio]",
    "region": "section[aria-label]", "status": "[role=status]",
    "textbox": "input:not([type=checkbox]):not([type=radio]), textarea", "combobox": "select",
}

# Nodes that may have a name with this word in it. Only for these is the browser asked for the name, one
# by one: a board has hundreds of buttons.
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
    """do(); if a node was redrawn meanwhile, the nodes that know how they were found are looked up again."""
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
    """A node that is looked up again when it was replaced."""

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
    """Scripts work even if the nodes passed to them are redrawn before they run."""

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
    """The source of axe-core, which npm installs for checks."""
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
        # axe takes long for a large page while other tests keep the processors busy.
        self.driver.set_script_timeout(120)
        self.expected = []
        self.cookies = {}
        if DELAYS:
            self.cdp("Page.addScriptToEvaluateOnNewDocument", source=DELAY % (int(DELAYS) + 1))

    def quit(self):
        self.driver.quit()

    # --- the browser as a whole -------------------------------------------------

    def cdp(self, command, **values):
        return self.driver.execute_cdp_cmd(command, values)

    def js(self, script, *values):
        return self.driver.execute_script(script, *values)

    def reset(self):
        """Like a new browser: no cookies, no storage, a wide page in light mode."""
        self.driver.get("about:blank")
        self.driver.delete_all_cookies()
        self.cdp("Network.clearBrowserCookies")
        self.cdp("Storage.clearDataForOrigin", origin=self.stack.url, storageTypes="all")
        self.cdp("Network.enable")
        self.cdp("Network.setBlockedURLs", urls=[])
        self.network()
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=False)
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

    def late(self, word, ms=2000):
        """Pages opened within this context delay requests whose address contains the word."""
        return self.slow(word, f"new Promise(done => setTimeout(done, {ms}))")

    def held(self, word):
        """The same until the page's release() is called."""
        return self.slow(word, "new Promise(done => (window.release = done))")

    @contextlib.contextmanager
    def slow(self, word, wait):
        script = self.cdp("Page.addScriptToEvaluateOnNewDocument", source=f"""const now = window.fetch;
            window.fetch = async (address, ...rest) => {{
                if (String(address).includes('{word}')) await {wait};
                return now(address, ...rest);
            }}""")
        try:
            yield
        finally:
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", **script)

    def complain(self):
        """Fails if the page wrote errors to the console that the test does not expect."""
        lines = [entry["message"] for entry in self.driver.get_log("browser")
                 if entry["level"] == "SEVERE"]
        bad = [line for line in lines if not any(word in line for word in self.expected)]
        assert not bad, bad

    def expect(self, *words):
        """Errors that contain one of these words are allowed on the console."""
        self.expected += words

    def shot(self, name):
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))

    def state(self, name):
        """What the browser showed when a test failed: address, alerts, focus, the last requests, and a screenshot."""
        self.shot(f"failed-{name}")
        focus = self.js("return document.activeElement?.outerHTML.slice(0, 200)")
        return "\n".join([f"path    {self.path}", f"alert   {self.text('alert')}", f"status  {self.text('status')}",
                          f"focus   {focus}", f"picture {PICTURES}/failed-{name}.png",
                          *[line[:150] for line in self.stack.log("access").splitlines() if "Mozilla" in line][-20:]])

    def axe(self, within="document"):
        """Violations that axe finds, one line each."""
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
        """Sets the cookie that the form would get. Each person gets only one, because checking passwords is slow."""
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
        """Calls look() until its value is true, and returns it."""
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
        """Calls look() until it returns what is wanted."""
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
        """The board polls for changes every three seconds: what happens within this context must arrive by the
        first few polls, however slow the machine is."""
        def looks():
            return self.stack.log("access").count(f"projects/{project}/activity")
        before = looks()
        yield
        assert looks() - before <= most

    def frames(self, count=3):
        """Waits until the page was drawn so many times more, so that what follows a change has settled."""
        self.driver.execute_async_script("""const done = arguments[1];
            const next = left => left ? requestAnimationFrame(() => setTimeout(next, 0, left - 1)) : done();
            next(arguments[0])""", count)

    def painted(self):
        """Waits until the first panels of a board show their stories."""
        self.until(lambda: self.js("""return document.querySelector('.iteration-head') && !document.querySelector('.loading')
            && [...document.querySelectorAll('.panel-icebox .sum')].every(sum => sum.textContent)"""), what="a painted board")

    def drags(self):
        """Waits until the board handles drags, whose code is loaded after the first panel, knows that the user may
        write, and does not move its panels any more for the first steps of a new board."""
        self.until(lambda: self.js("""return performance.getEntriesByType('resource')
            .some(file => /\\/lazy_tools-/.test(file.name) && file.responseEnd > 0)"""), what="what drags")
        with contextlib.suppress(AssertionError):
            self.until(lambda: self.js("""return document.querySelector('.panel-head .icon-plus') &&
                document.querySelector('[data-story], .first-steps')"""), 5)
        self.frames()

    # --- fingers ---------------------------------------------------------------------

    def touch(self, kind, x=None, y=None):
        points = [] if x is None else [{"x": x, "y": y}]
        self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def hold(self, x, y):
        """Holds a finger down until what is under it can be dragged. If the page was too busy to notice, puts the
        finger down again."""
        self.drags()

        def rests():
            self.touch("touchStart", x, y)
            try:
                return self.until(lambda: self.js("return !!document.querySelector('.drag-ghost')"), 5)
            except AssertionError:
                self.touch("touchCancel")
        self.until(rests)

    def all(self, role, name=None, within=None, starts=False):
        """The visible elements with a role, and with a name (or one that starts with it)."""
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
        """The first node that look() finds; it is looked up again when it is redrawn."""
        def first():
            return self.until(look, seconds, what)[0]
        return Found(first(), first)

    def find(self, role, name=None, within=None, seconds=WAIT, starts=False):
        return self.found(lambda: self.all(role, name, within, starts)[:1], seconds, f"{role} {name!r}")

    def none(self, role, name=None, within=None, seconds=WAIT):
        """Waits until there is no such element."""
        self.until(lambda: not self.all(role, name, within), seconds, f"no {role} {name!r}")

    def region(self, name, seconds=WAIT):
        return self.find("region", name, seconds=seconds)

    def card(self, title, within=None, seconds=WAIT):
        """The card of a story, anywhere or within a region."""
        if isinstance(within, str):
            within = self.region(within)
        look = lambda: self.js("""return [...(arguments[1] ?? document).querySelectorAll('li[data-story]')]
            .filter(li => li.ariaLabel?.startsWith(arguments[0] + ', '))""", title, within)
        return self.found(look, seconds, f"card {title!r}")

    def label(self, title, within=None):
        return self.card(title, within).get_attribute("aria-label")

    def titles(self, region):
        """The titles of a region's cards, from top to bottom."""
        return self.js("""return [...arguments[0].querySelectorAll('li[data-story] .title')]
            .map(b => b.textContent)""", self.region(region))

    def text(self, role):
        """The current text of all elements with a role."""
        return " ".join(self.js("""return [...document.querySelectorAll(arguments[0])]
            .filter(node => arguments[1] === 'status' || node.checkVisibility({ visibilityProperty: true }))
            .map(node => node.innerText.trim())""", ROLES[role], role))

    def names(self, role, within=None):
        """The names of all elements with a role, in their order."""
        return self.until(lambda: [[node.accessible_name for node in self.all(role, within=within)]])[0]

    # --- doing -----------------------------------------------------------------------

    def press(self, name, within=None, seconds=WAIT):
        """Clicks the button with this name."""
        def click():
            for node in self.all("button", name, within):
                node.click()
                return True
        self.until(click, seconds, f"button {name!r}")

    def undo(self):
        """Undoes the last step: by the button of the message, or by the keys if a busy machine saw the message go, after
        its six seconds."""
        try:
            self.until(lambda: self.js("""const button = [...document.querySelectorAll(".toast button")]
                .find(each => each.textContent === "Undo"); button?.click(); return !!button"""), 1)
        except AssertionError:
            self.keys(Keys.CONTROL, "z")

    def undo_once(self, condition):
        """Takes a deletion back as soon as the page shows it: `condition` is an expression of JavaScript. It is possible
        for five seconds, in which a busy machine may not get from one call of a driver to the next."""
        self.driver.execute_async_script(f"""const done = arguments[0], look = () => {{
            const button = [...document.querySelectorAll("button")].find((b) => b.textContent.trim() === "Undo");
            if (!button || !({condition})) return setTimeout(look, 10);
            button.click();
            done();
        }}; look();""")

    def choose(self, name):
        self.find("menuitem", name).click()

    def fill(self, name, text, within=None):
        field = self.find("textbox", name, within)
        field.clear()
        field.send_keys(text)
        return field

    def keys(self, *keys):
        """Sends keys to whatever has the focus; it may be redrawn before they arrive."""
        def send():
            try:
                self.driver.switch_to.active_element.send_keys(*keys)
            except ElementNotInteractableException:
                return False
            return True
        self.until(send)
