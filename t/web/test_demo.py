"""The demo as a newcomer sees it after ./run; its screenshots are those in README.md."""

import http.client
import json
import types

import pytest

from browser import Browser


@pytest.fixture
def demo(new_stack, tmp_path):
    """A server with the demo, and the file that ./run serves along with it."""
    server = new_stack(workers=2)
    out = tmp_path / "demo.json"
    server.ctl("demo", "--out", out)
    people = json.loads(out.read_text())
    owner = people["people"]["owner"]
    (server.directory / "web/assets/demo.json").write_text(
        json.dumps({"login": owner["username"], "password": owner["password"]}))
    tab = Browser(server)
    tab.reset()
    tab.project = people["project_id"]
    tab.owner = types.SimpleNamespace(**owner)
    yield tab
    tab.quit()


def test_its_password_is_for_this_address(demo):
    """Otherwise a page with a host name that resolves to this address could read it."""
    for host, status in (("127.0.0.1", 200), (f"localhost:{demo.stack.port}", 200), ("elsewhere.example", 404)):
        connection = http.client.HTTPConnection("127.0.0.1", demo.stack.port)
        connection.request("GET", "/assets/demo.json", headers={"Host": host})
        assert connection.getresponse().status == status, host


def test_a_newcomer_plans(demo):
    demo.expect("/services/v5/me")
    demo.open("/")
    demo.press("Fill in the demo's owner")
    demo.shot("signin-demo")
    demo.press("Sign in")
    demo.region("Backlog")
    demo.open(f"/n/projects/{demo.project}")
    demo.card("Invite a neighbour")
    demo.until(lambda: not demo.js("return document.querySelector('.loading')"))
    demo.size(1280, 800)
    demo.shot("readme-board")
    demo.press("Pay a fee by card")
    demo.find("textbox", "Title")
    demo.until(lambda: not demo.js("return document.querySelector('.loading')"))
    demo.shot("readme-story")
    demo.complain()


def test_there_is_one_of_each_to_look_at(demo):
    """There is an epic, a blocker, a review and a mention."""
    demo.sign_in(demo.owner)
    demo.open(f"/n/projects/{demo.project}")
    for title, sign in (("Hand a tool on without coming to the desk", "1 blocker"),
                        ("Mail to old addresses comes back", "1 open review")):
        demo.until(lambda: sign in demo.card(title).text, what=sign)
    demo.press("Epics")
    demo.find("button", "Lending without paper", demo.region("Epics"))
    demo.press("Notifications")
    demo.until(lambda: "mentioned" in demo.region("Notifications").text)
