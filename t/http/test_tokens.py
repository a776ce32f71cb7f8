"""Named tokens: creating and ending them, and what they may do (contract 1.17)."""

import datetime
import re

import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from test_sessions import Browser
from world import new_project, ok

SHOWN = {"kind", "id", "name", "scope", "project_ids", "created_at", "expires_at", "last_used_at"}


@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("tokens"), workers=2)
    yield made
    made.close()


@pytest.fixture
def ada(server):
    person = Person(server, "Ada Names")
    person.client = Client(server, person.token)
    person.project = new_project(person.client)["id"]
    person.other = new_project(person.client)["id"]
    return person


def make(who, scope="write", **more):
    """A new token with its client."""
    made = ok(who.client.post("/my/tokens", {"name": "A program", "scope": scope, **more}))
    who.stack.secrets.append(made["token"])
    made["client"] = Client(who.stack, made["token"])
    return made


def unknown(answer):
    assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication"), answer.text


def out_of_scope(answer, words=""):
    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope"), answer.text
    assert words in answer.json()["general_problem"] and answer.json()["possible_fix"]


def days(n):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=n)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_make_list_and_end(ada):
    end = days(3)
    made = make(ada, "read", name="  Nightly report ", project_ids=[ada.project], expires_at=end)
    made.pop("client")
    assert re.fullmatch("[0-9a-f]{32}", made["token"])
    assert made == {**made, "kind": "token", "scope": "read", "project_ids": [ada.project], "expires_at": end}
    second = make(ada)
    assert not {"project_ids", "expires_at", "last_used_at"} & set(second), "left out: all, never, never"
    token = made.pop("token")
    listed = ok(ada.client.get("/my/tokens"))
    assert listed[0] == made and [t["id"] for t in listed] == [made["id"], second["id"]]
    assert all(set(t) <= SHOWN for t in listed)
    page = ada.client.get("/my/tokens?limit=1&offset=1")
    assert [t["id"] for t in ok(page)] == [second["id"]]
    assert page.headers["X-Service-Pagination-Total"] == "2"
    ok(Client(ada.stack, token).get("/me"))
    ok(ada.client.delete(f"/my/tokens/{made['id']}"), 204)
    unknown(Client(ada.stack, token).get("/me"))
    assert [t["id"] for t in ok(ada.client.get("/my/tokens"))] == [second["id"]]
    assert ada.client.delete(f"/my/tokens/{made['id']}").status_code == 404


def test_null_is_as_absent(ada):
    made = make(ada, project_ids=None, expires_at=None)
    assert not {"project_ids", "expires_at"} & set(made)
    assert len(ok(made["client"].get("/projects"))) == 2


def test_a_project_counts_once(ada):
    made = make(ada, project_ids=[ada.other, ada.project, ada.other])
    assert made["project_ids"] == [ada.other, ada.project]
    assert ok(ada.client.get("/my/tokens"))[0]["project_ids"] == [ada.other, ada.project]


@pytest.mark.parametrize("body, field, words", [
    ({"scope": "read"}, None, "requires the parameter: name"),
    ({"name": "x"}, None, "requires the parameter: scope"),
    ({"name": " ", "scope": "read"}, None, "Name can't be blank"),
    ({"name": "x" * 101, "scope": "read"}, None, "too long"),
    ({"name": "x", "scope": "admin"}, None, "one of: read, write"),
    ({"name": "x", "scope": "read", "project_ids": []}, "project_ids", "for no project"),
    ({"name": "x", "scope": "read", "project_ids": [1 << 60]}, "project_ids", "You are not in a project with id"),
    ({"name": "x", "scope": "read", "expires_at": days(-1)}, "expires_at", "must be in the future"),
    ({"name": "x", "scope": "read", "token": "0" * 32}, None, "cannot accept the parameter: token"),
])
def test_what_is_refused(ada, body, field, words):
    answer = ada.client.post("/my/tokens", body)
    assert answer.status_code == 400 and words in answer.text, answer.text
    if field:
        assert [e["field"] for e in answer.json()["validation_errors"]] == [field]
    assert ok(ada.client.get("/my/tokens")) == []


def test_only_for_ones_own_projects(ada, server):
    stranger = Person(server, "Stranger")
    theirs = new_project(Client(server, stranger.token), public=True)["id"]
    answer = ada.client.post("/my/tokens", {"name": "x", "scope": "read", "project_ids": [ada.project, theirs]})
    assert answer.status_code == 400 and str(theirs) in answer.text
    made = make(ada)
    assert Client(server, stranger.token).delete(f"/my/tokens/{made['id']}").status_code == 404
    ok(made["client"].get("/me"))


def test_a_session_makes_one_and_sees_no_other(ada):
    browser = Browser(ada)
    made = ok(browser.post("/my/tokens", {"name": "From the page", "scope": "read"}))
    ada.stack.secrets.append(made["token"])
    assert ok(Client(ada.stack, made["token"]).get("/me"))["id"] == ada.id
    assert "token" not in ok(browser.get("/my/tokens?fields=token,name"))[0]
    assert "api_token" not in ok(browser.get("/me"))
    ok(browser.delete(f"/my/tokens/{made['id']}"), 204)


def test_a_token_to_read(ada):
    reader = make(ada, "read")["client"]
    path = f"/projects/{ada.project}"
    story = ok(ada.client.post(f"{path}/stories", {"name": "Kept"}))
    assert [s["id"] for s in ok(reader.get(f"{path}/stories"))] == [story["id"]]
    ok(reader.post("/aggregator", ["/services/v5/projects"]))
    assert "Kept" in reader.post("/stories/export", {"ids": [story["id"]]}).text
    version = ok(ada.client.get(path))["version"]
    for answer in (reader.post(f"{path}/stories", {"name": "x"}), reader.put(f"{path}/stories/{story['id']}", {"name": "x"}),
                   reader.delete(f"{path}/stories/{story['id']}"), reader.put("/me", {"name": "x"}),
                   reader.get(f"{path}/stories/{story['id']}?_method=delete"),
                   reader.post(f"{path}/stories", {"name": "x" * 20000}),
                   reader.post(f"{path}/uploads", files={"file": ("x", b"x" * 100000)}),
                   reader.post("/source_commits", {"source_commit": {"commit_id": "1", "message": f"[#{story['id']}]"}})):
        out_of_scope(answer, "may only read")
    assert ok(ada.client.get(path))["version"] == version
    part = ok(reader.post("/aggregator", [f"/services/v5{path}", "/services/v5/my/tokens"]))
    assert part["/services/v5/my/tokens"]["code"] == "insufficient_scope"


def test_a_token_to_write(ada):
    writer = make(ada)["client"]
    story = ok(writer.post(f"/projects/{ada.project}/stories", {"name": "Mine"}))
    ok(writer.put(f"/projects/{ada.project}/stories/{story['id']}", {"current_state": "unstarted"}))
    assert ok(writer.get(f"/stories/{story['id']}"))["requested_by_id"] == ada.id
    ok(writer.put("/me", {"initials": "AN"}))
    ok(writer.post("/projects", {"name": "Third", "new_account_name": "Third"}))


@pytest.mark.parametrize("scope, some", [("read", False), ("write", False), ("write", True)])
def test_credentials_are_not_for_named_tokens(ada, scope, some):
    made = make(ada, scope, **({"project_ids": [ada.project]} if some else {}))
    client = made["client"]
    me = ok(client.get("/me"))
    assert me["id"] == ada.id and "api_token" not in me
    assert "api_token" not in ok(client.get("/me?fields=api_token,name"))
    for answer in (client.get("/my/tokens"), client.post("/my/tokens", {"name": "x", "scope": "write"}),
                   client.delete(f"/my/tokens/{made['id']}"), client.post("/me/token", {"password": ada.password}),
                   client.put("/me/password", {"old_password": ada.password, "new_password": "long enough"}),
                   client.get("/my/sessions"), client.delete("/session")):
        out_of_scope(answer, "cannot manage")
    assert ok(ada.client.get("/me"))["api_token"] == ada.token


def test_more_than_its_projects(ada):
    client = make(ada, project_ids=[ada.project])["client"]
    account = ok(ada.client.get(f"/projects/{ada.project}?fields=account_id"))["account_id"]
    for answer in (client.post("/projects", {"name": "x", "new_account_name": "x"}),
                   client.get(f"/accounts/{account}"), client.get(f"/accounts/{account}/memberships"),
                   client.post("/my/workspaces", {"name": "x"}), client.put("/me", {"name": "x"})):
        out_of_scope(answer, "some projects")
    ok(client.put(f"/projects/{ada.project}", {"description": "its owner still"}))


def test_one_ends_by_itself(ada, server):
    made = make(ada, expires_at=days(1))
    ok(made["client"].get("/me"))
    server.sql("update token set expires_at = now() where id = %s", made["id"])
    for answer in (made["client"].get("/me"), made["client"].get(f"/projects/{ada.project}"),
                   made["client"].get("/projects"), made["client"].post("/my/workspaces", {"name": "x" * 20000})):
        unknown(answer)
    assert ok(ada.client.get("/my/tokens"))[0]["id"] == made["id"], "it is still listed"


def test_who_is_disabled_has_none(ada, server):
    client = make(ada)["client"]
    server.ctl("person", "disable", ada.username)
    for path in ("/me", f"/projects/{ada.project}", "/projects"):
        unknown(client.get(path))
    server.ctl("person", "enable", ada.username)
    ok(client.get("/me"))


def uses(server, made):
    return server.sql("select used_at, xmin::text from token where id = %s", made["id"])[0]


def test_the_last_use_is_noted_once_an_hour(ada, server):
    made = make(ada, "read")
    assert uses(server, made)[0] is None
    ok(made["client"].get(f"/projects/{ada.project}"))
    first = wait_for(lambda: uses(server, made)[0] and uses(server, made))
    for _ in range(3):
        ok(made["client"].get(f"/projects/{ada.project}"))
        ok(made["client"].get("/me"))
    assert uses(server, made) == first, "the row was written once"
    assert ok(ada.client.get("/my/tokens"))[0]["last_used_at"] == first[0].strftime("%Y-%m-%dT%H:%M:%SZ")
    server.sql("update token set used_at = now() - interval '61 minutes' where id = %s", made["id"])
    ok(made["client"].get("/me"))
    wait_for(lambda: uses(server, made)[0] > first[0] - datetime.timedelta(minutes=30))


def test_reading_where_nothing_can_be_written(new_stack):
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    ada.client = Client(server, ada.token)
    ada.project = new_project(ada.client)["id"]
    made = make(ada, "read")
    server.sql("alter role planwright set default_transaction_read_only = on")
    server.part("stop", "workers")
    server.part("start", "workers")
    for path in ("/me", f"/projects/{ada.project}", "/projects") * 2:
        ok(made["client"].get(path))
    assert uses(server, made)[0] is None and "the use of token" not in server.log("workers")


@pytest.mark.parametrize("keeps", [True, False, None])
def test_a_new_password_asks_about_them(ada, keeps):
    client = make(ada)["client"]
    body = {"old_password": ada.password, "new_password": "another long one"}
    ok(ada.client.put("/me/password", {**body, **({} if keeps is None else {"keep_token": keeps})}), 204)
    if keeps:
        ok(client.get("/me"))
    else:
        unknown(client.get("/me"))


def test_a_repeated_request_is_for_who_may_make_it(ada):
    key = {"Idempotency-Key": "once"}
    path, body = f"/projects/{ada.other}/stories", {"name": "Of the other project"}
    story = ok(ada.client.post(path, body, headers=key))
    assert ok(ada.client.post(path, body, headers=key)) == story
    assert ok(make(ada)["client"].post(path, body, headers=key)) == story
    out_of_scope(make(ada, "read")["client"].post(path, body, headers=key))
    stranger = make(ada, project_ids=[ada.project])["client"].post(path, body, headers=key)
    assert (stranger.status_code, stranger.json()["code"]) == (403, "unauthorized_operation")


def test_an_answer_is_not_repeated_for_a_token_of_some_projects(ada, server):
    """It may contain what this token may not see: here an address that Ada knows from elsewhere."""
    zoe = Person(server, "Zoe")
    ok(ada.client.post(f"/projects/{ada.other}/memberships", {"person_id": zoe.id, "role": "member"}))
    theirs = ok(ada.client.post(f"/projects/{ada.project}/memberships", {"person_id": zoe.id, "role": "member"}))
    key, path = {"Idempotency-Key": "one answer"}, f"/projects/{ada.project}/stories?fields=owners(email)"
    body = {"name": "x", "owner_ids": [zoe.id]}
    made = ok(ada.client.post(path, body, headers=key))
    assert made["owners"] == [{"id": zoe.id, "email": zoe.email}]
    ok(ada.client.delete(f"/projects/{ada.project}/memberships/{theirs['id']}"), 204)
    some, again = (make(ada, project_ids=[ada.project])["client"] for _ in range(2))
    for client in (some, again):
        answer = client.post(path, body, headers=key)
        assert answer.status_code == 400 and "used with another request" in answer.text and zoe.email not in answer.text
    body = {"name": "By a token of some"}
    assert ok(some.post(path, body, headers={"Idempotency-Key": "two"})) == ok(
        again.post(path, body, headers={"Idempotency-Key": "two"})), "of the same projects"


def test_what_a_person_holds_counts_whatever_the_token(ada, server):
    """One idempotency key with two tokens of a person: it is the same person."""
    one, two = make(ada)["client"], make(ada)["client"]
    body, key = {"name": "Once"}, {"Idempotency-Key": "shared"}
    made = ok(one.post("/my/workspaces", body, headers=key))
    assert ok(two.post("/my/workspaces", body, headers=key)) == made
    assert server.sql("select count(*) from workspace where person_id = %s", ada.id) == [(1,)]


def test_it_stays_when_the_secret_is_another(new_stack, tmp_path):
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    ada.client = Client(server, ada.token)
    made = make(ada, "read")
    out = server.ctl("secret", "rotate", "--out", str(tmp_path / "fresh")).stdout
    server.secrets.append((tmp_path / "fresh").read_text().strip())
    assert out.startswith("2 tokens are encrypted")
    assert ok(made["client"].get("/me"))["id"] == ada.id == ok(ada.client.get("/me"))["id"]
    out_of_scope(made["client"].post("/projects", {"name": "x"}))


def test_nothing_is_left_of_who_is_removed(server):
    gone = Person(server, "Gone")
    gone.client = Client(server, gone.token)
    made = make(gone)
    server.ctl("person", "remove", gone.username, "--yes")
    unknown(made["client"].get("/me"))
    assert server.sql("select 1 from token where person_id = %s", gone.id) == []
