"""The caller and other people (contract 1.1, 2.1)."""

import base64
import json
import time

import pytest

from conftest import Client
from test_bodies import refused
from world import Place, ok

KEYS = ["kind", "id", "name", "initials", "username", "time_zone", "api_token",
        "has_google_identity", "accounts", "projects", "email", "receives_in_app_notifications",
        "twofactor_auth_enabled", "created_at", "updated_at"]


@pytest.fixture(scope="module")
def somebody(person):
    return person("Some Body", initials="SB")


def basic(stack, login, password, path="/me", **headers):
    credentials = base64.b64encode(f"{login}:{password}".encode()).decode()
    return with_authorization(stack, f"Basic {credentials}", path, **headers)


def patiently(ask):
    """nginx limits the attempts from an address (test_transport), and other tests may just have made many: waits
    until the next one is allowed."""
    while True:
        answer = ask()
        if answer.status_code != 429:
            return answer
        time.sleep(1)


def with_authorization(stack, value, path="/me", **headers):
    return patiently(lambda: Client(stack).get(path, headers={"Authorization": value, **headers}))


def bad_credentials(answer):
    assert answer.status_code == 403
    assert answer.json() == {
        "code": "invalid_authentication", "kind": "error",
        "error": "Invalid authentication credentials were presented.",
        "possible_fix": "Recheck your name (email address or Tracker username) and password."}


# --- GET /me --------------------------------------------------------------------

def test_me(api, somebody):
    me = ok(api(somebody).get("/me"))
    assert list(me) == KEYS
    assert {k: me[k] for k in ("kind", "id", "name", "initials", "username", "email", "api_token")} == {
        "kind": "me", "id": somebody.id, "name": "Some Body", "initials": "SB",
        "username": somebody.username, "email": somebody.email, "api_token": somebody.token}
    assert me["time_zone"]["kind"] == "time_zone"
    assert me["accounts"] == me["projects"] == []


def test_projects_and_accounts_of_me(world):
    me = ok(world.owner.get("/me?fields=projects,accounts,project_ids"))
    summary = next(p for p in me["projects"] if p["project_id"] == world.own.project)
    # Besides these, the time when the project was last viewed, if it was.
    assert [name for name in summary if name != "last_viewed_at"] == [
        "kind", "id", "project_id", "project_name", "project_color", "favorite", "role"]
    assert (summary["kind"], summary["role"]) == ("membership_summary", "owner")
    assert me["project_ids"] == [p["project_id"] for p in me["projects"]]
    account = next(a for a in me["accounts"] if a["id"] == world.own.account)
    assert list(account) == ["kind", "id", "name", "status", "plan"]
    assert account["kind"] == "account_summary"


def test_tokens_are_32_hexadecimal_digits(somebody):
    assert len(somebody.token) == 32 and set(somebody.token) <= set("0123456789abcdef")


# --- basic auth -----------------------------------------------------------------

def test_by_password(stack, somebody):
    for login in (somebody.email, somebody.username, somebody.email.upper(),
                  somebody.username.upper()):
        assert ok(basic(stack, login, somebody.password))["api_token"] == somebody.token


def test_by_one_that_is_typed(stack, person):
    """Its hash costs what the program's default is."""
    who, password = person("Typed"), "typed by somebody"
    stack.ctl("passwd", who.username, stdin=password)
    assert ok(basic(stack, who.username, password))["api_token"] == who.token
    bad_credentials(basic(stack, who.username, password + "x"))
    (stored,), = stack.sql("select password_hash from planwright.person where id = %s", who.id)
    assert stored.startswith("scrypt$16384$8$5$")


def test_wrong_passwords_and_names(stack, somebody):
    for login, password in [(somebody.username, "x"), ("nobody", somebody.password),
                            (somebody.username, ""), ("", ""), ("", somebody.password),
                            (somebody.username, somebody.password + "x")]:
        bad_credentials(basic(stack, login, password))


@pytest.mark.parametrize("value", ["Basic", "Basic !!!", "Basic eA==", "Basic " + "QUFB" * 1000,
                                   "Basic /w==", "Basic OjoA"])
def test_what_are_no_credentials(stack, value):
    assert with_authorization(stack, value).status_code == 403


def test_a_person_without_a_token_gets_one(stack, person, api, sql):
    new = person("Fresh")
    sql("update person set token_mac = null, token_sealed = null where id = %s", new.id)
    first = ok(basic(stack, new.username, new.password))["api_token"]
    stack.secrets.append(first)
    assert first != new.token
    assert ok(basic(stack, new.username, new.password))["api_token"] == first
    assert ok(api(first).get("/me"))["id"] == new.id
    assert api(new.token).get("/me").status_code == 403


def test_refused_with_an_origin(stack, somebody):
    bad_credentials(basic(stack, somebody.username, somebody.password,
                          Origin="https://app.example"))


@pytest.mark.parametrize("path", ["/projects", "/accounts", "/my/people?project_id=1"])
def test_on_no_other_path(stack, somebody, path):
    bad_credentials(basic(stack, somebody.username, somebody.password, path))


def test_on_no_other_method(stack, somebody):
    bad_credentials(patiently(lambda: Client(stack).put(
        "/me", {"personal_settings": {"reports_autorefresh": True}},
        auth=(somebody.username, somebody.password))))


def test_a_rotated_token(stack, api, person):
    new = person("Rotating")
    stack.ctl("token", "rotate", new.username)
    token = stack.ctl("token", "show", new.username).stdout.strip()
    stack.secrets.append(token)
    assert api(new).get("/me").status_code == 403
    assert ok(api(token).get("/me"))["id"] == new.id


# --- PUT /me --------------------------------------------------------------------

def test_settings(api, somebody):
    client = api(somebody)
    assert list(ok(client.put("/me", {"personal_settings": {"header_display_mode": "collapsed"}}))) == KEYS
    ok(client.put("/me", {"personal_settings": {"reports_autorefresh": True,
                                                "kind": "personal_settings"}}))
    assert ok(client.get("/me?fields=personal_settings"))["personal_settings"] == {
        "kind": "personal_settings", "header_display_mode": "collapsed", "reports_autorefresh": True}


def test_what_pages_keep(api, somebody):
    client, shown = api(somebody), lambda: ok(client.get("/me?fields=personal_settings"))["personal_settings"]
    web = {"panels": ["current", "icebox"], "äöü": {"deep": [1, 2.5, None, True, "\"'\\"]}}
    ok(client.put("/me", {"personal_settings": {"web": web}}))
    assert shown()["web"] == web
    ok(client.put("/me", {"personal_settings": {"header_display_mode": "collapsed"}}))
    assert shown()["web"] == web
    ok(client.put("/me", {"personal_settings": {"web": {"x": "y" * (16384 - 8)}}}))
    assert "16384 bytes" in refused(client.put("/me", {"personal_settings": {"web": {"x": "y" * (16384 - 7)}}}))[
        "general_problem"]
    ok(client.put("/me", {"personal_settings": {"web": None}}))
    assert "web" not in shown()


@pytest.mark.parametrize("settings", [{"web": 1}, {"web": []}, {"web": "{}"}, {"header_display_mode": "wide"}, {"no_such": 1},
                                      {"reports_autorefresh": "true"}, {"header_display_mode": None}])
def test_settings_that_are_none(api, somebody, settings):
    refused(api(somebody).put("/me", {"personal_settings": settings}))


# --- people ---------------------------------------------------------------------

@pytest.fixture(scope="module")
def crowd(world):
    """A project with its boss and Ann Smith, Bob Jones, Cid Smith."""
    place = Place(world.admin)
    for name, initials in (("Ann Smith", "AS"), ("Bob Jones", "BJ"), ("Cid Smith", "CX")):
        ok(place.client.post(f"/projects/{place.project}/memberships", {
            "email": f"{name.split()[0].lower()}.{place.project}@crowd.example.test", "name": name,
            "initials": initials}))
    return place


def known(place, query="", **kwargs):
    return [p["person"]["name"] for p in ok(place.client.get(
        f"/my/people?project_id={place.project}{query}", **kwargs))]


def test_known_people(crowd):
    found = ok(crowd.client.get(f"/my/people?project_id={crowd.project}"))
    assert [list(p) for p in found] == [["kind", "person", "collaboration_factor"]] * 3
    assert found[0]["kind"] == "known_person" and found[0]["collaboration_factor"] == 1
    assert known(crowd) == ["Ann Smith", "Bob Jones", "Cid Smith"]


@pytest.mark.parametrize("text, want", [
    ("smith", ["Ann Smith", "Cid Smith"]), ("SMITH", ["Ann Smith", "Cid Smith"]),
    ("bob.", ["Bob Jones"]), ("CX", ["Cid Smith"]), ("%25", []), ("_", []), ("nobody", []),
    ("", ["Ann Smith", "Bob Jones", "Cid Smith"])])
def test_filter_by(crowd, text, want):
    assert known(crowd, f"&filter_by={text}") == want


def test_pages_of_people(crowd):
    assert known(crowd, "&limit=1") == ["Ann Smith"]
    assert known(crowd, "&limit=2&offset=1") == ["Bob Jones", "Cid Smith"]
    assert known(crowd, "&limit=0") == []


def test_the_project_is_required(crowd):
    refused(crowd.client.get("/my/people"), "this endpoint requires the parameter: project_id")
    refused(crowd.client.get("/my/people?project_id=x"))
    refused(crowd.client.post("/my/people", {"emails": []}),
            "this endpoint requires the parameter: project_id")


def test_people_by_address(crowd):
    address = f"ann.{crowd.project}@crowd.example.test"
    path = f"/my/people?project_id={crowd.project}"
    for emails, want in [([address.upper(), "x@example.test"], ["Ann Smith"]), ([], []),
                         ([""], []), ([address, address], ["Ann Smith"])]:
        found = ok(crowd.client.post(path, {"emails": emails}))
        assert [p["person"]["name"] for p in found] == want


def test_pages_of_people_by_address(crowd):
    emails = {"emails": [f"{n}.{crowd.project}@crowd.example.test" for n in ("ann", "bob", "cid")]}

    def found(query):
        return [p["person"]["name"] for p in ok(crowd.client.post(
            f"/my/people?project_id={crowd.project}&{query}", emails))]
    assert found("") == ["Ann Smith", "Bob Jones", "Cid Smith"]
    assert found("limit=1") == ["Ann Smith"] and found("offset=2") == ["Cid Smith"]
    assert found("limit=2&offset=1") == ["Bob Jones", "Cid Smith"]
    assert found("limit=0") == [] == found("offset=9223372036854775807")
    for bad in ("limit=x", "limit=-1", "offset=-1", "offset=x"):
        refused(crowd.client.post(f"/my/people?project_id={crowd.project}&{bad}", emails))


# --- secrets --------------------------------------------------------------------

def test_the_token_is_in_no_answer_but_me(world):
    for path in (f"/projects/{world.own.project}/memberships", f"/accounts/{world.own.account}/memberships",
                 f"/projects/{world.own.project}?fields=memberships(:default,person)", "/projects"):
        text = world.admin.get(path).text + world.owner.get(path).text
        assert not [p.name for p in world.people.values() if p.token in text]
    assert world.owner.get("/me?fields=name").json().keys() == {"id", "name"}


def test_what_is_stored(somebody, sql):
    """The database contains no password and no token."""
    rows = json.dumps(sql("select to_jsonb(p) from person p where id = %s", somebody.id))
    assert somebody.password not in rows and somebody.token not in rows
    assert "scrypt" in rows


# --- how a token is sent --------------------------------------------------------

def test_a_token_behind_bearer(stack, api, somebody):
    def ask(value, token=None, **more):
        return api(token).get("/me", headers={"Authorization": value, **more})
    for word in ("Bearer", "bearer", "BEARER  "):
        assert ok(ask(f"{word} {somebody.token}"))["id"] == somebody.id
    assert ok(api().post("/projects", {"name": f"B{somebody.id}", "new_account_name": "B"},
                         headers={"Authorization": f"Bearer {somebody.token}"}))["kind"] == "project"
    assert ok(ask(f"Bearer {somebody.token}", somebody))["id"] == somebody.id
    refused(ask(f"Bearer {'0' * 32}", somebody), "the request contains two different tokens: send only one")
    assert ok(ask(f"Bearer {somebody.token}", Origin=stack.url))["id"] == somebody.id
    for answer in (ask("Bearer"), ask("Bearer "), ask(f"Bearer {'0' * 32}"), ask(f"Bearer {'x' * 300}"),
                   ask(f"Bearer {somebody.token}", Origin="https://elsewhere.example")):
        assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication")
    assert answer.json()["possible_fix"] == "Send the token in the header X-ServiceToken or X-TrackerToken."


def test_without_a_token_one_is_told_how_to_send_it(world, api):
    for answer in (api().get("/me"), api().get(f"/projects/{world.own.project}"),
                   api().post("/projects", {"name": "x"})):
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (403, "unauthorized_operation")
        assert problem["general_problem"].startswith("No API token was sent")
        assert "basic credentials" in problem["possible_fix"]
    problem = api(world.people["stranger"]).get(f"/projects/{world.own.project}").json()
    assert problem["general_problem"] == "You aren't authorized to access the requested resource."


# --- names and zones that are none --------------------------------------------------

@pytest.mark.parametrize("field, sentence", [("name", "Name can't be blank"), ("initials", "Initials can't be blank")])
def test_blank_names(api, somebody, field, sentence):
    for blank in ("", " ", "\u00a0", "\u200b", None):
        error = refused(api(somebody).put("/me", {field: blank}), sentence)
        assert error["validation_errors"] == [{"field": field, "problem": sentence}]


@pytest.mark.parametrize("zone", ["Mars/Base5", "MARS/BASE5", "Etc/GMT+99", "Foo3", "EST5EDT", "localtime", "", {},
                                  {"olson_name": 5}, {"olson_name": None}])
def test_zones_of_people_are_those_of_projects(api, somebody, world, zone):
    told = [refused(client.put(path, {"time_zone": zone})) for client, path in
            [(api(somebody), "/me"), (world.owner, f"/projects/{world.own.project}")]]
    assert told[0] == told[1] and told[0]["validation_errors"][0]["field"] == "time_zone"


@pytest.mark.parametrize("zone", ["UTC", "Etc/GMT+12", "Etc/GMT-14", "America/Port-au-Prince", "America/Indiana/Knox"])
def test_zones_that_look_odd(api, somebody, zone):
    assert ok(api(somebody).put("/me", {"time_zone": zone}))["time_zone"]["olson_name"] == zone
