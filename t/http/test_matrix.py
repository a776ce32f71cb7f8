"""Who may do what: every route of the table, with every role, on every kind of target. EXPECTED contains for each
route who is admitted, and how (a body or query that works). A new route without a row here fails, and so does a row
whose `need` differs from that in the program.
"""

import itertools

import pytest

import tables
from parts import PARTS
from world import UNKNOWN, collection, fill, ok, unique

ANYBODY = {"stranger", "viewer", "member", "owner", "admin"}
PEOPLE = {"viewer", "member", "owner"}          # of the project
WRITERS = {"member", "owner"}
STEWARDS = {"owner", "admin"}
ACCOUNT = {"viewer", "member", "owner", "admin"}  # everybody in the project is in its account

# need -> who is admitted to the project or account `own`
NEEDS = {
    "person": ANYBODY,
    **dict.fromkeys(("viewer", "participant"), PEOPLE),
    "member": WRITERS,
    "owner": {"owner"},
    "steward": STEWARDS,
    "partner": PEOPLE | {"admin"},
    "account_member": ACCOUNT,
    "account_admin": {"admin"},
    "account_owner": {"admin"},
    "account_self": {"admin"},
    "nothing": ANYBODY | {"nobody", "bad"},
}


class Row:
    """need, and what makes the request valid: a body, a query; `only` if a rule about the object admits fewer people;
    `gives` is the status of success."""

    def __init__(self, need, body=None, query="", only=None, gives=None,
                 files=None):
        self.need, self.body, self.query, self.gives, self.files = (
            need, body, query, gives, files)
        self.allowed = NEEDS[need] if only is None else only


fresh = itertools.count(1)


def mail_of_nobody():
    """A person gets only so many links by mail: these addresses belong to nobody."""
    return {"email": mail()}


def mail():
    return f"matrix-{next(fresh)}@example.test"


PASSKEY = ("client_data", "authenticator_data")
EXPECTED = {
    ("GET", "/openapi"): Row("nothing"),
    **{("GET", path): Row("person") for path in ("/me", "/live")},
    ("PUT", "/me"): Row("person", {"personal_settings": {"reports_autorefresh": True}}),
    ("PUT", "/me/password"): Row("person", {"old_password": "not it", "new_password": "y"}),
    ("POST", "/me/token"): Row("person", {"password": "not it"}),
    ("POST", "/password_resets"): Row("nothing", mail_of_nobody, gives=204),
    ("POST", "/password_resets/:code"): Row("nothing", {"password": "long enough"}),
    ("POST", "/session"): Row("nothing", {"login": "nobody", "password": "x"}),
    ("DELETE", "/session"): Row("person"),
    ("GET", "/my/sessions"): Row("person"),
    ("DELETE", "/my/sessions/:id"): Row("person"),
    ("GET", "/session/options"): Row("nothing"),
    ("GET", "/session/passkey"): Row("nothing"),
    ("POST", "/session/passkey"): Row("nothing", dict.fromkeys(PASSKEY + ("credential", "signature"), "AAAA")),
    ("GET", "/my/passkeys"): Row("person"),
    ("POST", "/my/passkeys/options"): Row("person", {"password": "not it"}),
    ("POST", "/my/passkeys"): Row("person", {**dict.fromkeys(PASSKEY + ("name", "public_key"), "AAAA"), "alg": -7}),
    ("GET", "/my/identities"): Row("person"),
    ("POST", "/my/identities"): Row("person", {"provider": "none"}),
    ("DELETE", "/my/identities/:id"): Row("person"),
    ("POST", "/mcp"): Row("person", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    ("GET", "/my/tokens"): Row("person"),
    ("POST", "/my/tokens"): Row("person", {"name": "matrix", "scope": "read"}),
    **{("DELETE", f"/my/{kind}/:id"): Row("person") for kind in ("tokens", "passkeys")},
    ("GET", "/accounts/:account/tokens"): Row("account_admin"),
    ("DELETE", "/accounts/:account/tokens/:id"): Row("account_admin"),
    ("GET", "/accounts/:account/audit"): Row("account_owner"),
    ("GET", "/accounts/:account/audit.csv"): Row("account_owner"),
    ("GET", "/my/second_factor"): Row("person"),
    ("POST", "/my/second_factor"): Row("person", {"password": "not it"}),
    ("PUT", "/my/second_factor"): Row("person", {"code": "123456"}),
    ("DELETE", "/my/second_factor"): Row("person", {"password": "not it", "code": "123456"}),
    ("GET", "/my/people"): Row("partner", query="project_id=:project"),
    ("POST", "/my/people"): Row("partner", {"emails": ["x@example.test"]},
                                query="project_id=:project"),
    ("GET", "/accounts"): Row("person"),
    ("GET", "/account_summaries"): Row("person"),
    ("GET", "/accounts/:account"): Row("account_admin"),
    ("PUT", "/accounts/:account"): Row("account_owner", {"second_factor": "optional"}),
    ("GET", "/accounts/:account/memberships"): Row("account_member"),
    ("POST", "/accounts/:account/memberships"): Row(
        "account_admin", lambda: {"email": mail(), "name": "New"}),
    ("GET", "/accounts/:account/memberships/:id"): Row("account_member"),
    ("PUT", "/accounts/:account/memberships/:id"): Row("account_admin", {"project_creator": False}),
    ("DELETE", "/accounts/:account/memberships/:id"): Row("account_self"),
    ("GET", "/my/placeholders"): Row("person"),
    ("POST", "/my/placeholders/:id/claim"): Row("person", {}),
    ("POST", "/accounts/:account/placeholders/:id/claim"): Row(
        "account_admin", {"person_id": ":admin"}, gives=204),
    ("GET", "/projects"): Row("person"),
    ("POST", "/projects"): Row("person", lambda: {"name": unique("P"),
                                                  "new_account_name": unique("A")}),
    ("GET", "/projects/:project"): Row("viewer"),
    ("PUT", "/projects/:project"): Row("owner", {"description": "changed"}),
    ("DELETE", "/projects/:project"): Row("owner"),
    ("GET", "/projects/:project/memberships"): Row("viewer"),
    ("POST", "/projects/:project/memberships"): Row(
        "steward", lambda: {"email": mail(), "name": "New"}),
    ("GET", "/projects/:project/memberships/:id"): Row("viewer"),
    ("PUT", "/projects/:project/memberships/:id"): Row("partner", {"role": "member"},
                                                       only=STEWARDS),
    ("DELETE", "/projects/:project/memberships/:id"): Row("partner", only=STEWARDS),
    ("GET", "/projects/:project/labels"): Row("viewer"),
    ("POST", "/projects/:project/labels"): Row("member", lambda: {"name": unique("matrix")}),
    ("GET", "/projects/:project/labels/:id"): Row("viewer"),
    ("PUT", "/projects/:project/labels/:id"): Row("member", lambda: {"name": unique("matrix")}),
    ("DELETE", "/projects/:project/labels/:id"): Row("member"),
    ("GET", "/projects/:project/stories"): Row("viewer"),
    ("POST", "/projects/:project/stories"): Row("member", {"name": "matrix"}),
    ("GET", "/projects/:project/stories.csv"): Row("viewer"),
    ("GET", "/projects/:project/export.zip"): Row("owner"),
    ("GET", "/projects/:project/stories/bulk"): Row("viewer", query="ids=1,2"),
    ("PUT", "/projects/:project/stories/bulk"): Row("member", {"ids": [], "changes": {}}),
    ("GET", "/projects/:project/stories/:story"): Row("viewer"),
    ("PUT", "/projects/:project/stories/:story"): Row("member", {"name": "matrix"}),
    ("DELETE", "/projects/:project/stories/:story"): Row("member"),
    ("GET", "/stories/:story"): Row("viewer"),
    ("PUT", "/stories/:story"): Row("member", {"name": "matrix"}),
    ("DELETE", "/stories/:story"): Row("member"),
    ("PUT", "/projects/:project/stories/:story/presence"): Row("participant", {"state": "looking"}, gives=204),
    ("GET", "/projects/:project/stories/:story/owners"): Row("viewer"),
    ("POST", "/projects/:project/stories/:story/owners"): Row("member", {"id": ":viewer"}),
    ("DELETE", "/projects/:project/stories/:story/owners/:id"): Row("member"),
    ("GET", "/projects/:project/stories/:story/labels"): Row("viewer"),
    ("POST", "/projects/:project/stories/:story/labels"): Row(
        "member", lambda: {"name": unique("matrix")}),
    ("DELETE", "/projects/:project/stories/:story/labels/:id"): Row("member", gives=200),
    ("GET", "/projects/:project/stories/:story/tasks"): Row("viewer"),
    ("POST", "/projects/:project/stories/:story/tasks"): Row("member", {"description": "x"}),
    ("GET", "/projects/:project/stories/:story/tasks/:id"): Row("viewer"),
    ("PUT", "/projects/:project/stories/:story/tasks/:id"): Row("member", {"complete": True}),
    ("DELETE", "/projects/:project/stories/:story/tasks/:id"): Row("member"),
}

for on in ("/projects/:project/stories/:story", "/projects/:project/epics/:epic"):
    EXPECTED |= {
        ("GET", f"{on}/comments"): Row("viewer"),
        ("POST", f"{on}/comments"): Row("member", {"text": "x"}),
        ("GET", f"{on}/comments/:id"): Row("viewer"),
        ("PUT", f"{on}/comments/:id"): Row("member", {"text": "x"}),
        ("DELETE", f"{on}/comments/:id"): Row("member"),
        ("DELETE", f"{on}/comments/:id/file_attachments/:attachment"): Row("member"),
        ("DELETE", f"{on}/comments/:id/google_attachments/:google"): Row("member"),
    }
for part in PARTS.values():
    on = f"/projects/:project/stories/:story/{part.list}"
    body = {"review_type_id": ":review"} if part.list == "reviews" else part.body
    EXPECTED |= {
        ("GET", on): Row("viewer"),
        ("POST", on): Row("member", body),
        ("GET", f"{on}/:id"): Row("viewer"),
        ("PUT", f"{on}/:id"): Row("member", part.change),
        ("DELETE", f"{on}/:id"): Row("member"),
    }
EXPECTED |= {
    ("GET", "/projects/:project/stories/:story/followers"): Row("viewer"),
    ("POST", "/projects/:project/stories/:story/followers"): Row("member", {"id": ":viewer"}),
    ("DELETE", "/projects/:project/stories/:story/followers/:id"): Row("member"),
    ("GET", "/projects/:project/review_types"): Row("viewer"),
    ("POST", "/projects/:project/review_types"): Row("owner", lambda: {"name": unique("matrix")}),
    ("GET", "/projects/:project/review_types/:id"): Row("viewer"),
    ("PUT", "/projects/:project/review_types/:id"): Row("owner", {"hidden": False}),
    ("POST", "/projects/:project/uploads"): Row("member", files={"file": ("x", b"x")}),
    ("GET", "/projects/:project/imports"): Row("owner"),
    ("POST", "/projects/:project/imports"): Row("owner", files={"file": ("x", b"x")}),
    ("GET", "/projects/:project/imports/:id"): Row("owner"),
    ("DELETE", "/projects/:project/imports/:id"): Row("owner"),
    ("GET", "/projects/:project/imports/:id/report"): Row("owner"),
    ("GET", "/projects/:project/imports/:id/people.csv"): Row("owner"),
    ("POST", "/source_commits"): Row("person", {"source_commit": {
        "commit_id": "abc", "message": "no story"}}),
    ("POST", "/stories/export"): Row("person", {"ids": [1, 2]}),
    ("GET", "/my/workspaces"): Row("person"),
    ("POST", "/my/workspaces"): Row("person", {"name": "matrix"}),
    ("GET", "/my/workspaces/:workspace"): Row("person"),
    ("PUT", "/my/workspaces/:workspace"): Row("person", {"project_ids": []}),
    ("DELETE", "/my/workspaces/:workspace"): Row("person"),
    ("GET", "/my/workspaces/:workspace/activity"): Row("person"),
    ("POST", "/aggregator"): Row("person", ["/services/v5/projects"]),
    ("GET", "/projects/:project/integrations"): Row("partner"),
    ("POST", "/projects/:project/integrations"): Row(
        "owner", {"kind": "other_integration", "name": "x"}),
    ("GET", "/projects/:project/integrations/:integration"): Row("partner"),
    ("PUT", "/projects/:project/integrations/:integration"): Row("owner", {"active": False}),
    ("DELETE", "/projects/:project/integrations/:integration"): Row("owner"),
    ("GET", "/projects/:project/integrations/:integration/stories"): Row("partner"),
    ("GET", "/projects/:project/epics"): Row("viewer"),
    ("POST", "/projects/:project/epics"): Row("member", lambda: {"name": unique("matrix")}),
    ("GET", "/projects/:project/epics/:epic"): Row("viewer"),
    ("PUT", "/projects/:project/epics/:epic"): Row("member", {"name": "matrix"}),
    ("DELETE", "/projects/:project/epics/:epic"): Row("member"),
    ("GET", "/epics/:epic"): Row("viewer"),
    ("GET", "/projects/:project/iterations"): Row("viewer"),
    ("GET", "/projects/:project/iterations/:number"): Row("viewer"),
    ("PUT", "/projects/:project/iteration_overrides/:number"): Row("member", {"team_strength": 2}),
    ("GET", "/projects/:project/iterations/:number/analytics"): Row("viewer"),
    ("GET", "/projects/:project/iterations/:number/analytics/cycle_time_details"): Row("viewer"),
    ("GET", "/projects/:project/iterations/:number/analytics/cycle_time_details.csv"): Row("viewer"),
    ("GET", "/project_stale_commands/:project/:version"): Row("viewer"),
    ("GET", "/projects/:project/history/iterations/:number/days"): Row("viewer"),
    ("GET", "/projects/:project/history/days"): Row("viewer"),
    ("GET", "/projects/:project/history/releases/:id/days"): Row("viewer"),
    ("GET", "/projects/:project/history/snapshots"): Row("viewer"),
}

for feed in ("/projects/:project", "/projects/:project/stories/:story",
             "/projects/:project/epics/:epic"):
    EXPECTED[("GET", f"{feed}/activity")] = Row("viewer")
EXPECTED |= {
    ("GET", "/my/activity"): Row("person"),
    ("GET", "/my/notifications"): Row("person"),
    ("PUT", "/my/notifications/mark_read"): Row("person", {"before": 0}, gives=204),
    ("PUT", "/my/notifications/read_list"): Row("person", {"ids": []}, gives=204),
    ("PUT", "/my/notifications/:id"): Row("person", {"read_at": "2026-01-01T00:00:00Z"}),
    ("GET", "/people/:person/notifications/since/:timestamp"): Row("person"),
    ("GET", "/projects/:project/webhooks"): Row("partner"),
    ("POST", "/projects/:project/webhooks"): Row(
        "owner", {"webhook_url": "https://hooks.example.test/x", "webhook_version": "v5"}),
    ("GET", "/projects/:project/webhooks/:id"): Row("partner"),
    ("PUT", "/projects/:project/webhooks/:id"): Row("owner", {"enabled": False}),
    ("DELETE", "/projects/:project/webhooks/:id"): Row("owner"),
    ("GET", "/projects/:project/webhooks/:id/deliveries"): Row("owner"),
}
EXPECTED |= {
    ("GET", "/projects/:project/search"): Row("viewer", query="query=x"),
    ("GET", "/projects/:project/my/searches"): Row("partner"),
    ("POST", "/projects/:project/my/searches"): Row("partner", {"name": "x", "query": "y"}),
    # The owner created the example, and saved searches belong to their person.
    ("GET", "/projects/:project/my/searches/:id"): Row("partner", only={"owner"}),
    ("PUT", "/projects/:project/my/searches/:id"): Row("partner", {"name": "z"}, only={"owner"}),
    ("DELETE", "/projects/:project/my/searches/:id"): Row("partner", only={"owner"}),
}
# Routes about the caller's own things, whatever the role: MINE contains the answer for somebody else's id.
MINE = {
    # A token without the password.
    **dict.fromkeys([("PUT", "/me/password"), ("POST", "/me/token"), ("POST", "/session"), ("POST", "/session/passkey"),
                     ("POST", "/my/passkeys/options"), ("POST", "/my/second_factor"), ("DELETE", "/my/second_factor")],
                    (403, "invalid_authentication")),
    ("POST", "/password_resets/:code"): (404, "unfound_resource"),
    **{("DELETE", f"/my/{kind}/:id"): (404, "unfound_resource") for kind in ("sessions", "tokens", "passkeys", "identities")},
    ("DELETE", "/session"): (204, None),  # a token has no session
    ("POST", "/my/passkeys"): (400, "invalid_parameter"),  # no authenticator produced that
    ("POST", "/my/identities"): (400, "invalid_parameter"),  # the settings have no provider
    ("PUT", "/my/second_factor"): (400, "invalid_parameter"),  # no enrolment was begun
    ("POST", "/my/placeholders/:id/claim"): (404, "unfound_resource"),
    ("GET", "/my/workspaces/:workspace/activity"): (404, "unfound_resource"),
    **{(method, "/my/workspaces/:workspace"): (404, "unfound_resource")
       for method in ("GET", "PUT", "DELETE")},
    ("PUT", "/my/notifications/:id"): (404, "unfound_resource"),
    ("GET", "/people/:person/notifications/since/:timestamp"): (403, "unauthorized_operation"),
}

for path in ("releases", "releases/:id", "releases/:id/stories", "releases/:id/stories.csv",
             "stories/:story/transitions", "story_transitions"):
    EXPECTED["GET", f"/projects/:project/{path}"] = Row("viewer")

# What works only once.
USED_UP = {("POST", "/accounts/:account/placeholders/:id/claim")}

ROLES = ["nobody", "bad", "stranger", "viewer", "member", "owner", "admin"]
DENIED = (403, "unauthorized_operation")
UNFOUND = (404, "unfound_resource")
BAD_TOKEN = (403, "invalid_authentication")


def each(routes):
    """Runs the test once for each of these routes."""
    routes = list(routes)
    return pytest.mark.parametrize("route", routes, ids=tables.names(routes))


def is_inside(route):
    """Whether its people decide who is admitted: those of a project or an account."""
    return bool(route.ids) or any("project" in p["flags"] for p in route.params)


def names_project(route):
    return any(name in (":project", ":story", ":epic") for _, name in route.ids)


def remover(route):
    """The DELETE route for what the route's last id refers to, if the path ends there."""
    return next((r for r in tables.ROUTES if r.method == "DELETE" and r.path == route.path), None)


each_route = each(tables.ROUTES)
each_shared = each(r for r in tables.ROUTES if r.key not in MINE)
each_mine = each(r for r in tables.ROUTES if r.key in MINE)
inside = [r for r in tables.ROUTES if is_inside(r) and r.key not in MINE]
with_ids = each(r for r in tables.ROUTES
                if r.ids and r.key not in MINE and ":version" not in r.path)
# Numbers are unique only within a project: a foreign one refers to an iteration of the own project.
with_parents = each(r for r in tables.ROUTES
                    if len(r.ids) > 1 and r.key not in MINE and ":number" not in r.path and ":version" not in r.path)
inside_writes = each(r for r in inside if r.is_write)


def row_of(route):
    if route.key not in EXPECTED:
        pytest.fail(f"{route.name} has no row in EXPECTED: say who may call it")
    return EXPECTED[route.key]


def named(world, word):
    """What a ":word" in a body stands for: the id of a person or of a review type."""
    if word == "review":
        return ok(world.owner.get(f"/projects/{world.own.project}/review_types"))[0]["id"]
    return world.people[word].id


def body_of(world, row):
    body = row.body() if callable(row.body) else row.body
    if isinstance(body, dict):
        body = {k: named(world, v[1:]) if isinstance(v, str) and v.startswith(":") else v
                for k, v in body.items()}
    return body


def call(world, role, route, place, ids, method=None, override=None):
    """The status and the error's code, or None if it worked."""
    row = row_of(route)
    path = fill(route.path, ids)
    query = row.query.replace(":project", str(place.project))
    if override:
        query = f"{query}&_method={override}"
    answer = world.clients[role].request(
        method or route.method, path + (f"?{query}" if query else ""), json=body_of(world, row),
        files=row.files)
    body = answer.json() if answer.status_code >= 400 else {"code": None}
    code = body.get("data", body)["code"]  # one endpoint always adds an envelope
    return answer.status_code, code


def success(route):
    return (row_of(route).gives or (204 if route.method == "DELETE" else 200)), None


def expected(route, role, allowed, otherwise=DENIED):
    if role == "bad" and role not in allowed:
        return BAD_TOKEN
    return success(route) if role in allowed else otherwise


def check(route, role, got, want):
    assert got == want, f"{role}: {route.name} gave {got}, not {want}"


def test_every_expectation_has_a_route():
    assert set(EXPECTED) <= {r.key for r in tables.ROUTES}


@each_route
def test_need(route):
    assert row_of(route).need == route.need


@each_mine
def test_mine(world, route):
    """Nobody has access to what belongs to others, or does not exist."""
    for role in ROLES:
        want = DENIED if role == "nobody" else expected(route, role, (), MINE[route.key])
        if row_of(route).need == "nothing":
            want = MINE[route.key]
        got = call(world, role, route, world.own, [UNKNOWN] * len(route.ids))
        check(route, role, got, want)


@each_shared
def test_own(world, route):
    row = row_of(route)
    for role in ROLES:
        last = None
        if (route.method == "DELETE" or route.key in USED_UP) and role in row.allowed:
            last = world.own.new(route.path)
            if collection(route.path) == "/projects":
                ok(world.admin.post(f"/projects/{last}/memberships",
                                    {"person_id": world.people["owner"].id, "role": "owner"}))
        got = call(world, role, route, world.own, world.own.ids(route.path, last))
        # Assistants ask for a token when the status tells them to.
        want = (401, "invalid_authentication") if route.path == "/mcp" and role in ("nobody", "bad") \
            else expected(route, role, row.allowed)
        check(route, role, got, want)


@each(inside)
def test_foreign(world, route):
    for role in ROLES:
        got = call(world, role, route, world.foreign, world.foreign.ids(route.path))
        check(route, role, got, expected(route, role, set()))


@each(r for r in inside if names_project(r))
def test_public(world, route):
    """Visitors of a public project may read, nothing else."""
    row = row_of(route)
    allowed = set(ROLES) - {"bad"} if row.need == "viewer" else set()
    for role in ROLES:
        got = call(world, role, route, world.public, world.public.ids(route.path))
        check(route, role, got, expected(route, role, allowed))


@with_parents
def test_foreign_id_under_an_own_path(world, route):
    """The object is looked up within the path's project only."""
    own, foreign = world.own.ids(route.path), world.foreign.ids(route.path)
    let_in = NEEDS[route.need]
    for at in range(1, len(own)):
        for tail in (foreign[at:], foreign[at:at + 1] + own[at + 1:]):
            for role in ROLES:
                got = call(world, role, route, world.own, own[:at] + tail)
                check(route, role, got, UNFOUND if role in let_in else expected(route, role, ()))


@with_ids
def test_unknown_ids(world, route):
    """An unknown project gives 404 to everybody; an unknown object in a project gives 404 to those who are admitted."""
    own = world.own.ids(route.path)
    for at in range(len(own)):
        ids = own[:at] + [UNKNOWN] + own[at + 1:]
        for role in ROLES:
            let_in = role in NEEDS[route.need] or (at == 0 and role != "bad")
            want = UNFOUND if let_in else expected(route, role, ())
            check(route, role, call(world, role, route, world.own, ids), want)


# A cancelled import can still be read.
@each(r for r in tables.ROUTES if remover(r) and not {r.key, remover(r).key} & set(MINE)
      and collection(r.path) != "/projects/imports")
def test_deleted(world, route):
    """What was deleted is gone for every method."""
    ids = world.own.ids(route.path, world.own.new(route.path))
    boss = "admin" if collection(route.path) in ("/projects", "/accounts/memberships", "/accounts/tokens") else "owner"
    assert call(world, boss, remover(route), world.own, ids) == success(remover(route))
    check(route, boss, call(world, boss, route, world.own, ids), UNFOUND)


@inside_writes
def test_aliases_are_no_way_around_rights(world, route):
    aliases = [("POST", route.method), ("GET", route.method)]
    if route.method == "PUT":
        aliases += [("PATCH", None), ("GET", "patch")]
    row = row_of(route)
    for method, override in aliases:
        for role in set(ROLES) - row.allowed - {"bad"}:
            got = call(world, role, route, world.own, world.own.ids(route.path), method, override)
            check(route, role, got, DENIED)
        for role in ("viewer", "owner"):
            got = call(world, role, route, world.foreign, world.foreign.ids(route.path), method,
                       override)
            check(route, role, got, DENIED)


@inside_writes
def test_rights_come_before_faults_of_the_body(world, route):
    row = row_of(route)
    path = fill(route.path, world.own.ids(route.path))
    query = row.query.replace(":project", str(world.own.project))
    for role in set(ROLES) - NEEDS[row.need] - {"bad"}:
        for body in (b'{"name":', b'{"no_such_key":1}', b'[]', b'\xff'):
            answer = world.clients[role].request(
                route.method, f"{path}?{query}", data=body,
                headers={"Content-Type": "application/json"})
            assert answer.status_code == 403, f"{role} {route.name} {body}: {answer.text}"


@with_ids
def test_no_object_has_the_id_0(world, route):
    own = world.own.ids(route.path)
    for at in range(len(own)):
        ids = own[:at] + [0] + own[at + 1:]
        for role in ROLES:
            check(route, role, call(world, role, route, world.own, ids), UNFOUND)


@pytest.mark.parametrize("path", ["/projects/x", "/projects/-1", "/projects/1.5", "/stories/0x10",
                                  "/projects/99999999999999999999", "/accounts/%20"])
def test_what_is_no_id(world, path):
    answer = world.owner.get(path)
    assert (answer.status_code, answer.json()["code"]) == UNFOUND
