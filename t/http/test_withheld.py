"""What an account withholds from a token that it ended, and from sessions without the second factor that it requires:
nothing in the account is shown, and everything else continues to work (contract 1.1, 1.17)."""

import pytest

import tables
from conftest import Client, Person, Stack, stack_folder
from test_matrix import EXPECTED, row_of
from test_second_factor_required import enrol, led_to_enrolment
from test_sessions import OWN, Browser
from test_token_reach import ask, fields_of, inside, keeper, silent
from test_tokens import make
from world import fill, new_project, ok


@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("withheld"), workers=2)
    yield made
    made.close()


def by_token(zoo):
    made = make(zoo)
    ok(zoo.client.delete(f"/accounts/{zoo.other.account}/tokens/{made['id']}"), 204)
    return made["client"]


def by_session(zoo):
    browser = Browser(zoo)
    ok(zoo.client.put(f"/accounts/{zoo.other.account}", {"second_factor": "required"}))
    return browser


@pytest.fixture(scope="module", params=[by_token, by_session])
def zoo(request):
    """Ada, who uses `limited`; the account of `other` is withheld from it. Workspaces are hers, not the account's."""
    stack = Stack(stack_folder("keeper"), workers=2)
    ada = keeper(stack)
    zebra = next(w["id"] for w in ok(ada.client.get("/my/workspaces")) if w["name"] == "Zebra")
    ok(ada.client.delete(f"/my/workspaces/{zebra}"), 204)
    ada.limited = request.param(ada)
    yield ada
    stack.close()


def is_refused(zoo, answer):
    silent(answer)
    if zoo.limited.token or answer.status_code == 404:
        assert answer.status_code in (403, 404), answer.text
    else:
        led_to_enrolment(answer)


def test_things_of_the_account(zoo):
    for route in inside:
        is_refused(zoo, ask(zoo, zoo.limited, route, zoo.other))
    for path in ("", "/memberships", f"/memberships/{zoo.zoe.id}"):
        is_refused(zoo, zoo.limited.get(f"/accounts/{zoo.other.account}{path}"))
    answer = zoo.limited.post("/projects", {"name": "x", "account_id": zoo.other.account})
    assert answer.status_code == 403, answer.text


def test_every_field_of_all_else(zoo):
    for route in (r for r in tables.ROUTES if r.method == "GET" and r.key in EXPECTED and "/my/tokens" not in r.path
                  and "/my/sessions" not in r.path and "/audit" not in r.path):
        ids = zoo.own.ids(route.path) if route in inside else [1 << 45] * len(route.ids)
        if ":account" in route.path:
            ids[0] = zoo.own.account
        if "/my/workspaces/:workspace" in route.path:
            ids = [w["id"] for w in ok(zoo.limited.get("/my/workspaces"))][:1]
        path, query = fill(route.path, ids), row_of(route).query.replace(":project", str(zoo.own.project))
        fields = sorted(set(fields_of(route.resource))) if route.resource and "media" not in route.row and "since" not in path \
            else []
        for more in ("", *(f"&fields={field}" for field in fields)):
            answer = zoo.limited.get(f"{path}?{query}{more}")
            assert answer.status_code < 500, answer.text
            silent(answer)


def test_all_else_goes_on(zoo):
    client, own = zoo.limited, zoo.own
    assert [p["id"] for p in ok(client.get("/projects"))] == [own.project]
    assert [a["id"] for a in ok(client.get("/accounts"))] == [own.account]
    assert ok(client.get(f"/accounts/{own.account}?fields=owner_id"))["owner_id"] == zoo.id
    assert len(ok(client.get(f"/accounts/{own.account}/memberships"))) >= 1
    assert {w["name"]: w["project_ids"] for w in ok(client.get("/my/workspaces"))} == {"Both": [own.project]}
    ok(client.put(f"/projects/{own.project}/stories/{own.story}", {"name": "Goes on"}))
    assert ok(client.get("/me"))["id"] == zoo.id
    ok(client.put("/me", {"initials": "AK"}))
    made = ok(client.post("/projects", {"name": "Another one", "account_id": own.account}))
    assert made["id"] in [p["id"] for p in ok(client.get("/projects"))]
    ok(client.delete(f"/projects/{made['id']}"), 204)


def test_a_workspace_keeps_what_is_not_shown(zoo):
    made = ok(zoo.client.post("/my/workspaces", {"name": "Kept", "project_ids": [zoo.other.project, zoo.own.project]}))
    path = f"/my/workspaces/{made['id']}"
    assert ok(zoo.limited.put(path, {"project_ids": []}))["project_ids"] == []
    assert ok(zoo.client.get(path))["project_ids"] == [zoo.other.project]
    assert ok(zoo.limited.put(path, {"project_ids": [zoo.own.project]}))["project_ids"] == [zoo.own.project]
    assert ok(zoo.client.get(path))["project_ids"] == [zoo.own.project, zoo.other.project]
    ok(zoo.client.delete(path), 204)


def test_placeholders_in_projects_of_the_account(zoo):
    """Whoever claims one writes in all projects in which it has work."""
    ghost = Person(zoo.stack, "Ghost").id
    zoo.stack.sql("update person set placeholder = true, said_email = %s where id = %s", zoo.email, ghost)
    zoo.stack.sql("update person set confirmed_email = email where id = %s", zoo.id)
    zoo.stack.sql("insert into imported_person values (%s, 'name:Ghost', 'Ghost', %s)", zoo.other.project, ghost)
    assert [p["id"] for p in ok(zoo.client.get("/my/placeholders"))] == [ghost]
    assert ok(zoo.limited.get("/my/placeholders")) == []
    assert zoo.limited.post(f"/my/placeholders/{ghost}/claim", {}).status_code == 404
    zoo.stack.sql("delete from imported_person where person_id = %s", ghost)
    assert [p["id"] for p in ok(zoo.limited.get("/my/placeholders"))] == [ghost]
    ok(zoo.limited.post(f"/my/placeholders/{ghost}/claim", {}), 204)


def test_what_is_sent_again_with_its_key(zoo):
    """The first request changes what the caller reaches: it created a project."""
    body, key = {"name": "Once", "account_id": zoo.own.account}, {"Idempotency-Key": "once"}
    made = ok(zoo.limited.post("/projects", body, headers=key))
    assert ok(zoo.limited.post("/projects", body, headers=key)) == made
    assert zoo.client.post("/projects", body, headers=key).status_code == 400, "reaches more"
    ok(zoo.client.delete(f"/projects/{made['id']}"), 204)


def test_what_bodies_name(zoo):
    own, other, client = zoo.own, zoo.other, zoo.limited
    story = f"/projects/{own.project}/stories/{own.story}"
    answers = [client.put(story, {"project_id": other.project}),
               client.put(story, {"before_id": other.story, "group": "unscheduled"}),
               client.put(f"/projects/{own.project}", {"account_id": other.account})]
    assert [a.status_code for a in answers] == [403, 400, 403], [a.text for a in answers]
    commit = {"source_commit": {"commit_id": "1", "message": f"[#{other.story}]"}}
    assert ok(client.post("/source_commits", commit)) == []
    exported = client.post("/stories/export", {"ids": [own.story, other.story]})
    assert exported.status_code == 200 and exported.text.count("\n") == 2
    known = client.post(f"/my/people?project_id={own.project}", {"emails": [zoo.zoe.email]})
    assert ok(known) == []


@pytest.fixture
def pair(server):
    """Ada's own account, and Bob's, which requires a second factor of her."""
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    ada.client, bob.client = Client(server, ada.token), Client(server, bob.token)
    ada.own, bob.own = new_project(ada.client), new_project(bob.client)
    ok(bob.client.post(f"/projects/{bob.own['id']}/memberships", {"person_id": ada.id, "role": "member"}))
    ok(bob.client.put(f"/accounts/{bob.own['account_id']}", {"second_factor": "required"}))
    return ada, bob


def test_enrolment_gives_it_back(pair):
    ada, bob = pair
    browser = Browser(ada)
    assert [p["id"] for p in ok(browser.get("/projects"))] == [ada.own["id"]]
    led_to_enrolment(browser.get(f"/projects/{bob.own['id']}/stories"))
    led_to_enrolment(browser.post(f"/projects/{bob.own['id']}/stories", {"name": "x"}))
    enrol(browser, ada)
    assert [p["id"] for p in ok(browser.get("/projects"))] == [ada.own["id"], bob.own["id"]]
    ok(browser.post(f"/projects/{bob.own['id']}/stories", {"name": "x"}))


def test_what_signing_in_answers(pair):
    """Its `me` contains only what the session may see, however deeply it is nested."""
    ada, bob = pair
    story = ok(bob.client.post(f"/projects/{bob.own['id']}/stories", {"name": "Only with a factor"}))
    ok(ada.client.post(f"/projects/{ada.own['id']}/stories", {"name": "As ever"}))
    fields = "accounts,project_ids,projects(project(stories(name)))"
    answer = Client(ada.stack).post(f"/session?fields={fields}", {"login": ada.email, "password": ada.password}, headers=OWN)
    me = ok(answer)
    assert me["project_ids"] == [ada.own["id"]] and [a["id"] for a in me["accounts"]] == [ada.own["account_id"]]
    assert [s["name"] for p in me["projects"] for s in p["project"]["stories"]] == ["As ever"]
    assert story["name"] not in answer.text


def test_no_token_goes_further_than_the_session_that_makes_it(pair):
    ada, bob = pair
    browser = Browser(ada)
    made = ok(browser.post("/my/tokens", {"name": "x", "scope": "write"}))
    ada.stack.secrets.append(made["token"])
    client = Client(ada.stack, made["token"])
    assert [p["id"] for p in ok(client.get("/projects"))] == [ada.own["id"]]
    assert client.get(f"/projects/{bob.own['id']}").status_code == 403
    refused = browser.post("/my/tokens", {"name": "x", "scope": "write", "project_ids": [bob.own["id"]]})
    assert refused.status_code == 400, refused.text
    led_to_enrolment(browser.post("/me/token", {"password": ada.password}))
    led_to_enrolment(Client(ada.stack).get("/me", auth=(ada.email, ada.password)))
    ok(Client(ada.stack, ada.token).get(f"/projects/{bob.own['id']}"))


def test_where_every_account_requires_it_one_enrols_first(server):
    bob, eve = Person(server, "Bob"), Person(server, "Eve")
    owner = Client(server, bob.token)
    account = new_project(owner)["account_id"]
    ok(owner.post(f"/accounts/{account}/memberships", {"person_id": eve.id}))
    browser = Browser(eve)
    ok(owner.put(f"/accounts/{account}", {"second_factor": "required"}))
    led_to_enrolment(browser.get("/projects"))
    new_project(Client(server, eve.token))
    assert len(ok(browser.get("/projects"))) == 1
