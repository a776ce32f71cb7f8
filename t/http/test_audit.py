"""The audit log (contract 2.4): what each act writes, who reads it, pages and CSV, and that it contains no secret."""

import csv
import io
import json
import re

import pytest

import tables
from authenticator import Device
from conftest import Client, Person, Stack, stack_folder
from mails import mailbox, settings  # noqa: F401
from test_sessions import OWN, Browser, sign_in
from test_tokens import days, make
from world import new_project, ok, unique


@pytest.fixture(scope="module")
def server(mailbox):
    made = Stack(stack_folder("audit"), workers=2, settings=settings(mailbox))
    yield made
    found = "".join(row for row, in made.sql("select e::text from audit_entry e"))
    assert not [s for s in made.secrets if s and s in found], "no secret is in any entry"
    assert "does not name the act" not in made.log("workers")
    made.close()


def somebody(server, name):
    person = Person(server, name)
    person.client = Client(server, person.token)
    return person


@pytest.fixture
def place(server):
    """Olga's account with a project in which Ada works; Ada has an account of her own, too."""
    olga, olga.ada = somebody(server, "Olga Owns"), somebody(server, "Ada Works")
    project = new_project(olga.client)
    olga.account, olga.project, olga.path = project["account_id"], project["id"], f"/projects/{project['id']}"
    olga.log = f"/accounts/{olga.account}/audit"
    ok(olga.client.post(f"{olga.path}/memberships", {"person_id": olga.ada.id, "role": "member"}))
    olga.ada.own = new_project(olga.ada.client)
    return olga


def entries(who, **params):
    return ok(who.client.get(who.log, params=params))


def last(who, act, **params):
    """The newest entry of that act, without the fields that all entries have."""
    found = entries(who, act=act, **params)[0]
    assert found["kind"] == "audit_entry" and found["act"] == act
    assert found["id"] and found["occurred_at"]
    return {k: v for k, v in found.items() if k not in ("kind", "id", "occurred_at", "act")}


def by(who, means, **more):
    """What an entry contains about a request by that person."""
    return {"person_id": who.id, "by": means, "address": "127.0.0.1", **more}


def seen(who, act, **params):
    entry = last(who, act, **params)
    assert len(entry.pop("request_id")) >= 16
    return entry


def person(who, **more):
    return {"kind": "person", "id": who.id, **more}


# --- acts ------------------------------------------------------------------------------

def test_sign_in_and_out(place, server):
    ada = place.ada
    browser = Browser(ada)
    session, = [s["id"] for s in ok(browser.get("/my/sessions"))]
    assert seen(place, "sign_in") == by(ada, "password", object={"kind": "session", "id": session})
    other = Browser(ada)
    theirs, = [s["id"] for s in ok(browser.get("/my/sessions")) if s["id"] != session]
    ok(browser.delete(f"/my/sessions/{theirs}"), 204)
    assert seen(place, "session_end") == by(ada, "session", object={"kind": "session", "id": theirs})
    ok(browser.delete("/session"), 204)
    assert seen(place, "sign_out") == by(ada, "session", object={"kind": "session", "id": session})
    ok(Client(server).get("/me", auth=(ada.email, ada.password)))
    assert seen(place, "sign_in") == by(ada, "password", object=person(ada))
    assert other.get("/me").status_code == 403


def test_a_read_with_a_token_is_no_sign_in(place):
    before = entries(place)
    ok(place.ada.client.get("/me"))
    ok(place.ada.client.get("/projects"))
    assert entries(place) == before


def test_refused_sign_ins(place, server):
    ada, nobody = place.ada, unique("nobody-here")
    assert sign_in(server, ada.email, "a wrong one").status_code == 403
    assert seen(place, "sign_in_refused") == by(ada, "password", new={"reason": "password"})
    assert sign_in(server, nobody, "a wrong one").status_code == 403
    (account, who, name), = server.sql("""select account_id, person_id, object_name from audit_entry
        where act = 'sign_in_refused' and object_kind = 'login' order by id desc limit 1""")
    assert account is None and who is None and name.startswith("nobody ") and len(name) == 26
    assert nobody not in str(server.sql("select e::text from audit_entry e"))


def test_guesses_fill_no_disk(place, server):
    ada = place.ada
    for _ in range(15):
        sign_in(server, ada.email, "a wrong one")
    assert 1 <= len(entries(place, act="sign_in_refused")) <= 10
    reasons = [e["new"]["reason"] for e in entries(place, act="sign_in_refused")]
    assert set(reasons) <= {"password", "too many"}
    for n in range(14):
        sign_in(server, f"nobody-{n}", "a wrong one")
    nobodies = "select count(*) from audit_entry where act = 'sign_in_refused' and person_id is null"
    assert server.sql(nobodies)[0][0] <= 12
    server.sql("""insert into audit_entry (is_first, act, means, address)
        select true, 'sign_in_refused', 'password', '192.0.2.' || n from generate_series(1, 60) n""")
    (before,), = server.sql(nobodies)
    sign_in(server, "nobody-else", "a wrong one")
    assert server.sql(nobodies) == [(before,)]
    assert sign_in(server, place.email, "a wrong one").status_code == 403
    assert seen(place, "sign_in_refused") == by(place, "password", new={"reason": "password"}), "nor hides others"


def test_second_factors(place, server):
    ada = place.ada
    begun = ok(ada.client.post("/my/second_factor", {"password": ada.password}))
    server.secrets.append(begun["secret"])
    device = Device(begun["secret"])
    codes = ok(ada.client.put("/my/second_factor", {"code": device.code()}))["recovery_codes"]
    server.secrets.extend(codes + [c.replace("-", "") for c in codes])
    assert seen(place, "second_factor_on") == by(ada, "api_token", object=person(ada))
    body = {"login": ada.email, "password": ada.password}
    assert Client(server).post("/session", {**body, "code": "000000"}, headers=OWN).status_code == 403
    assert seen(place, "sign_in_refused")["new"] == {"reason": "code"}
    ok(Client(server).post("/session", {**body, "code": codes[0]}, headers=OWN))
    assert seen(place, "recovery_code_use") == by(ada, "password", object=person(ada))
    assert seen(place, "sign_in")["object"]["kind"] == "session"
    ok(ada.client.delete("/my/second_factor", json={"password": ada.password, "code": codes[1]}), 204)
    assert seen(place, "second_factor_off") == by(ada, "api_token", object=person(ada))


def test_tokens(place, server):
    ada = place.ada
    made = make(ada, "read", name="Nightly")
    assert seen(place, "token_create") == by(
        ada, "api_token", object={"kind": "token", "id": made["id"], "name": "Nightly"}, new={"scope": "read"})
    ends = make(ada, name="Ends", expires_at=days(2))
    assert seen(place, "token_create")["new"] == {"scope": "write", "expires_at": ends["expires_at"]}
    ok(ada.client.delete(f"/my/tokens/{made['id']}"), 204)
    assert seen(place, "token_delete") == by(
        ada, "api_token", object={"kind": "token", "id": made["id"], "name": "Nightly"})
    assert ada.client.delete(f"/my/tokens/{made['id']}").status_code == 404
    assert len(entries(place, act="token_delete")) == 1, "what was not done is not told"
    ok(place.client.delete(f"/accounts/{place.account}/tokens/{ends['id']}"), 204)
    assert seen(place, "token_delete") == by(
        place, "api_token", object={"kind": "token", "id": ends["id"], "name": "Ends"})
    # The account's owner does not see a token that reaches nothing in the account.
    own = make(ada, name="Own", project_ids=[ada.own["id"]])
    ok(ada.client.delete(f"/my/tokens/{own['id']}"), 204)
    assert "Own" not in json.dumps(entries(place))
    ada.log = f"/accounts/{ada.own['account_id']}/audit"
    assert [e["object"]["name"] for e in entries(ada, act="token_create")][:1] == ["Own"]


def test_by_a_token(place):
    made = make(place, name="Hiring")
    added = somebody(place.stack, "Nora New")
    ok(made["client"].post(f"{place.path}/memberships", {"person_id": added.id, "role": "viewer"}))
    assert seen(place, "membership_create") == by(
        place, "token:Hiring", project_id=place.project, object=person(added), new={"role": "viewer"})


def test_passwords_and_addresses(place, server, mailbox):
    ada = place.ada
    server.secrets.append("battery staples")
    ok(ada.client.put("/me/password", {"old_password": ada.password, "new_password": "battery staples",
                                       "keep_token": True}), 204)
    assert seen(place, "password_change") == by(ada, "api_token", object=person(ada))
    token = ok(ada.client.post("/me/token", {"password": "battery staples"}))["api_token"]
    server.secrets.append(token)
    assert seen(place, "api_token_change") == by(ada, "api_token", object=person(ada))
    ada.client = Client(server, token)
    ok(ada.client.put("/me", {"name": "Ada Else"}))
    assert entries(place, act="address_change") == []
    ok(ada.client.put("/me", {"email": f"new.{ada.email}", "password": "battery staples"}))
    assert seen(place, "address_change") == by(
        ada, "api_token", object=person(ada, name="Ada Else"), old={"email": ada.email},
        new={"email": f"new.{ada.email}"})


def test_memberships(place):
    added = somebody(place.stack, "Nora New")
    membership = ok(place.client.post(f"{place.path}/memberships", {"person_id": added.id, "role": "member"}))
    where = {"project_id": place.project, "object": person(added)}
    assert seen(place, "membership_create") == by(place, "api_token", **where, new={"role": "member"})
    path = f"{place.path}/memberships/{membership['id']}"
    ok(place.client.put(path, {"role": "owner"}))
    assert seen(place, "role_change") == by(
        place, "api_token", **where, old={"role": "member"}, new={"role": "owner"})
    ok(added.client.put(path, {"favorite": True}))
    assert len(entries(place, act="role_change")) == 1, "what is one's own is no role"
    ok(place.client.delete(path), 204)
    assert seen(place, "membership_delete") == by(place, "api_token", **where, old={"role": "owner"})


def test_account_memberships(place):
    path = f"/accounts/{place.account}/memberships"
    address = f"{unique('grace').replace(' ', '-')}@example.test"
    grace = ok(place.client.post(path, {"email": address, "name": "Grace New"}))
    of_grace = {"kind": "person", "id": grace["id"]}
    made = seen(place, "person_create")
    assert made["object"] == {**of_grace, "name": "Grace New"} and made["new"]["email"] == address
    rights = {"owner": False, "admin": False, "project_creator": False}
    assert seen(place, "membership_create") == by(place, "api_token", object=of_grace, new=rights)
    ok(place.client.put(f"{path}/{grace['id']}", {"admin": True}))
    assert seen(place, "role_change") == by(
        place, "api_token", object=of_grace, old={"admin": False}, new={"admin": True})
    ok(place.client.delete(f"{path}/{grace['id']}"), 204)
    assert seen(place, "membership_delete") == by(
        place, "api_token", object=of_grace, old={**rights, "admin": True})
    ok(place.client.delete(f"{path}/{place.ada.id}"), 204)
    left = entries(place, act="membership_delete", limit=2)
    assert {e.get("project_id") for e in left} == {None, place.project}, "the account and its project"


def test_accounts_and_projects(place, server):
    client, name = place.client, unique("Made")
    made = ok(client.post("/projects", {"name": name, "new_account_name": "Another"}))
    place.log = f"/accounts/{made['account_id']}/audit"
    account = {"kind": "account", "id": made["account_id"], "name": "Another"}
    project = {"kind": "project", "id": made["id"], "name": name}
    assert seen(place, "account_create") == by(place, "api_token", object=account, new={"name": "Another"})
    told = seen(place, "project_create")
    assert told["object"] == project and told["project_id"] == made["id"]
    assert (told["new"]["name"], told["new"]["public"]) == (name, False)
    assert [e["new"] for e in entries(place, act="membership_create")] == [
        {"role": "owner"}, {"owner": True, "admin": True, "project_creator": True}]
    path = f"/projects/{made['id']}"
    ok(client.put(path, {"iteration_length": 2, "description": "Not for the log"}))
    assert seen(place, "project_change") == by(
        place, "api_token", project_id=made["id"], object=project, old={"iteration_length": 1},
        new={"iteration_length": 2, "description": "changed"})
    ok(client.put(path, {"public": True}))
    assert seen(place, "project_public") == by(
        place, "api_token", project_id=made["id"], object=project,
        old={"public": False, "project_type": "private"}, new={"public": True, "project_type": "public"})
    ok(client.put(path, {"public": False}))
    assert seen(place, "project_change")["new"] == {"public": False, "project_type": "private"}
    ok(client.put(f"/accounts/{made['account_id']}", {"second_factor": "optional"}))
    assert seen(place, "account_change") == by(
        place, "api_token", object=account, old={"second_factor": None}, new={"second_factor": "optional"})
    assert client.get(f"{path}/export.zip").status_code == 200
    assert seen(place, "project_export") == by(
        place, "api_token", project_id=made["id"], object={"kind": "project", "id": made["id"]},
        new={"form": "zip"})
    assert client.get(f"{path}/stories.csv?filter=type:bug").status_code == 200
    assert len(entries(place, act="project_export")) == 1
    assert client.get(f"{path}/stories.csv").status_code == 200
    assert seen(place, "project_export")["new"] == {"form": "csv"}
    ok(client.delete(path), 204)
    gone = seen(place, "project_delete")
    assert gone["object"] == project and gone["old"]["name"] == name


def test_a_project_that_changes_its_account_concerns_both(place):
    other = new_project(place.client)
    ok(place.client.put(f"/projects/{other['id']}", {"account_id": place.account}))
    here = seen(place, "project_change")
    place.log = f"/accounts/{other['account_id']}/audit"
    assert seen(place, "project_change") == here
    assert here["old"] == {"account_id": other["account_id"]} and here["new"] == {"account_id": place.account}


def test_webhooks(place):
    client, secret = place.client, "whsec-of-the-hook-1234"
    place.stack.secrets.append(secret)
    hook = ok(client.post(f"{place.path}/webhooks", {
        "webhook_url": "https://hooks.example.test/T0/B1?key=xyzzy", "webhook_version": "v5",
        "secret": secret}))
    where = {"project_id": place.project, "object": {"kind": "webhook", "id": hook["id"]}}
    assert seen(place, "webhook_create") == by(place, "api_token", **where, new={
        "webhook_url": "https://hooks.example.test", "webhook_version": "v5", "enabled": True})
    path = f"{place.path}/webhooks/{hook['id']}"
    ok(client.put(path, {"secret": f"{secret}5", "enabled": False}))
    assert seen(place, "webhook_change") == by(
        place, "api_token", **where, old={"enabled": True}, new={"enabled": False, "secret": "changed"})
    ok(client.delete(path), 204)
    assert seen(place, "webhook_delete")["old"]["webhook_url"] == "https://hooks.example.test"
    assert "xyzzy" not in json.dumps(entries(place))


def test_integrations(place):
    client = place.client
    made = ok(client.post(f"{place.path}/integrations", {
        "kind": "other_integration", "name": "Desk", "base_url": "https://desk.example.test/t/"}))
    where = {"project_id": place.project, "object": {"kind": "integration", "id": made["id"], "name": "Desk"}}
    told = seen(place, "integration_create")
    assert told["new"]["base_url"] == "https://desk.example.test" and told["object"] == where["object"]
    path = f"{place.path}/integrations/{made['id']}"
    ok(client.put(path, {"active": False, "component": "x"}))
    assert seen(place, "integration_change") == by(
        place, "api_token", **where, old={"active": True}, new={"active": False, "component": "changed"})
    ok(client.delete(path), 204)
    assert seen(place, "integration_delete")["old"]["name"] == "Desk"


def test_imports(place):
    files = {"file": ("stories.csv", b"Title\nOne\n", "text/csv")}
    made = ok(place.client.post(f"{place.path}/imports", files=files))
    where = {"project_id": place.project, "object": {"kind": "project_import", "id": made["id"]}}
    assert seen(place, "project_import") == by(place, "api_token", **where)


def test_planning_is_not_told(place):
    before = entries(place)
    story = ok(place.ada.client.post(f"{place.path}/stories", {"name": "A story"}))
    ok(place.ada.client.put(f"/stories/{story['id']}", {"estimate": 1}))
    ok(place.ada.client.post(f"{place.path}/stories/{story['id']}/comments", {"text": "Hm"}))
    ok(place.ada.client.delete(f"/stories/{story['id']}"), 204)
    assert entries(place) == before


def test_each_act_is_told_somewhere():
    """Each act is named by a route. The others belong to planwrightctl alone, or are recorded where a provider sends
    a browser back to, which is a page (test_oidc.py)."""
    named = {act for route in tables.ROUTES for act in route.row.get("audit", ())}
    listed = next(p["words"] for r in tables.ROUTES if r.path == "/accounts/:account/audit" for p in r.row["params"]
                  if p["name"] == "act")
    assert set(listed) - named == {"person_disable", "person_enable", "person_delete", "secret_rotate", "backup", "restore",
                                  "password_sign_in_change",
                                  "identity_link"}
    assert not [r.name for r in tables.ROUTES if r.row.get("audit") and r.method == "GET"
                and r.path not in ("/me", "/projects/:project/export.zip", "/projects/:project/stories.csv")]


# --- reading ------------------------------------------------------------------------------

def test_who_reads_it(place, server):
    ada, path = place.ada, place.log
    boss = somebody(server, "Bea Boss")
    ok(place.client.post(f"/accounts/{place.account}/memberships", {"person_id": boss.id, "admin": True}))
    for address in (path, f"{path}.csv"):
        assert Client(server).get(address).status_code == 403
        for who in (ada, boss, somebody(server, "Stray")):
            assert who.client.get(address).json()["code"] == "unauthorized_operation"
        some = make(place, "read", project_ids=[place.project])
        assert some["client"].get(address).json()["code"] == "insufficient_scope"
        assert make(place, "read")["client"].get(address).status_code == 200
        assert place.client.get(address).status_code == 200
    assert place.client.post(path, {}).status_code == 405
    assert place.client.get(f"/accounts/{1 << 40}/audit").status_code == 404


def test_not_what_is_of_other_accounts(place, server):
    other = somebody(server, "Other Owner")
    theirs = new_project(other.client)
    other.log = f"/accounts/{theirs['account_id']}/audit"
    ok(place.client.post(f"{place.path}/memberships", {"person_id": other.id, "role": "member"}))
    Browser(other)
    assert [e["act"] for e in entries(place, person_id=other.id)] == ["sign_in"]
    assert entries(other, person_id=place.id) == []
    ok(other.client.put(f"/projects/{theirs['id']}", {"iteration_length": 3}))
    assert entries(place, project_id=theirs["id"]) == []


def test_filters_and_pages(place):
    for n in (2, 3, 4, 1):
        ok(place.client.put(place.path, {"iteration_length": n}))
    answer = place.client.get(place.log, params={"act": "project_change", "limit": 2, "offset": 1})
    assert [e["new"]["iteration_length"] for e in ok(answer)] == [4, 3]
    assert [answer.headers[f"X-Service-Pagination-{w}"] for w in ("Total", "Limit", "Offset", "Returned")] == [
        "4", "2", "1", "2"]
    everything = entries(place)
    assert [e["id"] for e in everything] == sorted((e["id"] for e in everything), reverse=True)
    acts = "project_change,membership_create"
    assert {e["act"] for e in entries(place, act=acts)} == set(acts.split(","))
    assert {e["person_id"] for e in entries(place, person_id=place.id)} == {place.id}
    assert entries(place, person_id=place.ada.id) == []
    assert {e["project_id"] for e in entries(place, project_id=place.project)} == {place.project}
    first = everything[-1]["occurred_at"]
    assert entries(place, occurred_before="2020-01-01T00:00:00Z") == []
    assert entries(place, occurred_after="2020-01-01T00:00:00Z", occurred_before=first) == []
    assert entries(place, occurred_after="2020-01-01T00:00:00Z") == everything
    for wrong in ({"act": "no_such_act"}, {"person_id": "x"}, {"occurred_after": "soon"}, {"who": "1"}):
        assert place.client.get(place.log, params=wrong).status_code == 400
    with_names = ok(place.client.get(place.log, params={"fields": "act,person(name)", "limit": 1}))
    assert with_names == [{"id": everything[0]["id"], "act": "project_change", "person": {
        "id": place.id, "name": "Olga Owns"}}]


def rows_of(answer):
    return list(csv.DictReader(io.StringIO(answer.text)))


def test_csv(place, server):
    made = make(place, name="=cmd()")
    ok(place.client.put(place.path, {"name": unique('=HYPERLINK("x"), it')}))
    answer = place.client.get(f"{place.log}.csv")
    assert answer.headers["Content-Type"].startswith("text/csv") and "audit.csv" in answer.headers["Content-Disposition"]
    listed, rows = entries(place), rows_of(answer)
    assert [int(r["id"]) for r in rows] == [e["id"] for e in listed]
    assert list(rows[0]) == ["id", "occurred_at", "act", "person_id", "by", "address", "request_id", "project_id",
                             "object", "old", "new"]
    for row, entry in zip(rows, listed):
        assert json.loads(row["new"] or "null") == entry.get("new")
        assert row["occurred_at"] == entry["occurred_at"] and row["by"] == entry["by"]
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())
    ok(made["client"].put(place.path, {"iteration_length": 4}))
    assert rows_of(place.client.get(f"{place.log}.csv", params={"act": "project_change", "person_id": place.id}))[
        0]["by"] == "token:=cmd()"
    assert len(rows_of(place.client.get(f"{place.log}.csv", params={"act": "webhook_create"}))) == 0


def test_csv_of_many(place, server):
    """Sent in pieces: each entry appears once, also where many have the same time."""
    server.sql("""insert into audit_entry (account_id, is_first, act, means, occurred_at)
        select %s, true, 'sign_in', 'password', now() - n / 700 * interval '1 hour'
        from generate_series(1, 2500) n""", place.account)
    rows = rows_of(place.client.get(f"{place.log}.csv"))
    assert len({r["id"] for r in rows}) == len(rows) == 2500 + len(entries(place, act="project_create,account_create,membership_create"))
    assert int(place.client.get(place.log).headers["X-Service-Pagination-Total"]) == len(rows)


def test_the_total_ends_at_ten_thousand(place, server):
    server.sql("""insert into audit_entry (account_id, is_first, act, means)
        select %s, true, 'sign_in', 'password' from generate_series(1, 10100) n""", place.account)
    assert place.client.get(place.log).headers["X-Service-Pagination-Total"] == "10000"


# --- the table -----------------------------------------------------------------------------

def test_it_is_only_added_to(place, server):
    before = server.sql("select count(*) from audit_entry")
    parts = [name for name, in server.sql("""select inhrelid::regclass::text from pg_inherits
        where inhparent = 'audit_entry'::regclass""")]
    assert len(parts) == 5, "this month, three ahead, and the one for the rest"
    for name in ["audit_entry", *parts]:
        server.sql(f"delete from {name}")
        server.sql(f"update {name} set act = 'nothing'")
    assert server.sql("select count(*) from audit_entry") == before
    assert server.sql("select count(*) from audit_entry where act = 'nothing'") == [(0,)]


def test_an_act_that_fails_is_not_told(place):
    before = entries(place)
    assert place.client.put(place.path, {"iteration_length": 9}).status_code == 400
    assert place.client.delete(f"/accounts/{place.account}/memberships/{place.id}").status_code == 400
    assert place.ada.client.put(place.path, {"iteration_length": 2}).status_code == 403
    assert entries(place) == before


def test_a_page_costs_no_more_with_many(place, server):
    """Each filter finds its page by an index, however much else the account has."""
    server.sql("""insert into audit_entry (account_id, is_first, act, means, person_id, project_id, occurred_at)
        select %s, true, 'sign_in', 'password', 1, 1, now() - n * interval '1 second'
        from generate_series(1, 20000) n""", place.account)
    server.sql("analyze audit_entry")
    for condition in ("true", f"person_id = {place.id}", "act = 'webhook_create'", f"project_id = {place.project}",
                      "act in ('sign_in', 'sign_out')", "occurred_at < now() - interval '1 hour'"):
        plan = "\n".join(line for line, in server.sql(f"""explain (analyze, costs off, timing off, summary off)
            select * from api.audit_entry where account_id = {place.account} and {condition}
            order by occurred_at desc, id desc limit 100"""))
        read = sum(int(n) for n in re.findall(r"Scan.*rows=(\d+) loops=[1-9]", plan))
        read += sum(int(n) for n in re.findall(r"Rows Removed by Filter: (\d+)", plan))
        assert read <= 300, plan
