"""Every route with every role and kind of token: what a named token restricts, and nothing else. The roles and what
they may do are those of test_matrix.py; this file has the expectations about scopes."""

import pytest

import tables
from conftest import Client
from test_matrix import (DENIED, EXPECTED, MINE, USED_UP, call, check, each, each_shared, expected,
                         is_inside, row_of)
from world import collection, new_project, ok

# Exceptions from the rule that a GET reads and everything else writes.
SCOPES = {
    ("GET", "/openapi"): "none",
    ("POST", "/session"): "none",
    ("POST", "/password_resets"): "none",
    ("POST", "/password_resets/:code"): "none",
    ("POST", "/aggregator"): "read",
    ("POST", "/stories/export"): "read",
    ("POST", "/mcp"): "read",
    ("PUT", "/projects/:project/stories/:story/presence"): "read",
    ("POST", "/my/people"): "read",
    ("PUT", "/me/password"): "own",
    ("POST", "/me/token"): "own",
    ("DELETE", "/session"): "own",
    ("GET", "/my/sessions"): "own",
    ("DELETE", "/my/sessions/:id"): "own",
    ("GET", "/session/options"): "none",
    ("GET", "/session/passkey"): "none",
    ("POST", "/session/passkey"): "none",
    ("GET", "/my/passkeys"): "own",
    ("POST", "/my/passkeys/options"): "own",
    ("POST", "/my/passkeys"): "own",
    ("DELETE", "/my/passkeys/:id"): "own",
    ("GET", "/my/identities"): "own",
    ("POST", "/my/identities"): "own",
    ("DELETE", "/my/identities/:id"): "own",
    ("GET", "/my/tokens"): "own",
    ("POST", "/my/tokens"): "own",
    ("DELETE", "/my/tokens/:id"): "own",
    **{(method, "/my/second_factor"): "own" for method in ("GET", "POST", "PUT", "DELETE")},
    ("GET", "/accounts/:account/tokens"): "own",
    ("DELETE", "/accounts/:account/tokens/:id"): "own",
}
# These concern more than projects: not for a token of some projects.
WHOLE = {
    ("POST", "/projects"), ("PUT", "/me"), ("POST", "/projects/:project/imports"),
    ("POST", "/my/workspaces"), ("PUT", "/my/workspaces/:workspace"), ("DELETE", "/my/workspaces/:workspace"),
    ("GET", "/my/placeholders"), ("POST", "/my/placeholders/:id/claim"),
    *(r.key for r in tables.ROUTES if r.path.startswith("/accounts/")),
}
OUT = (403, "insufficient_scope")
ROLES = ["stranger", "viewer", "member", "owner", "admin"]
inside = [r for r in tables.ROUTES if is_inside(r) and r.key not in MINE]


def scope_of(route):
    return SCOPES.get(route.key, "read" if route.method == "GET" else "write")


def narrowed(route, scope, some):
    """Whether such a token is refused because of its kind."""
    wants = scope_of(route)
    return (wants == "own" or (wants == "write" and scope == "read")
            or (some and wants != "none" and route.key in WHOLE))


@pytest.fixture(scope="module")
def tokens(world):
    """token(role, scope, some): the client of such a token; `some` is "own" for the project `own`, "else" for another
    project of the person, None for all."""
    made, elsewhere = {}, {}

    def token(role, scope, some):
        if (role, scope, some) not in made:
            client = world.clients[role]
            if some == "else" and role not in elsewhere:
                elsewhere[role] = new_project(client)["id"]
            ids = {None: None, "own": [world.own.project], "else": [elsewhere.get(role)]}[some]
            secret = ok(client.post("/my/tokens", {"name": "matrix", "scope": scope, "project_ids": ids}))["token"]
            client.stack.secrets.append(secret)
            made[role, scope, some] = Client(client.stack, secret)
        return made[role, scope, some]
    return token


class As:
    """The world, in which a role uses this token."""

    def __init__(self, world, role, client):
        self.world, self.clients = world, {**world.clients, role: client}

    def __getattr__(self, name):
        return getattr(self.world, name)


@each(tables.ROUTES)
def test_scope(route):
    assert (route.row["scope"], "whole" in route.flags) == (scope_of(route), route.key in WHOLE)


def test_each_exception_has_a_route():
    assert set(SCOPES) | WHOLE <= set(EXPECTED)


def want(route, role, scope, some, allowed):
    if narrowed(route, scope, some):
        return OUT
    if some == "else" and is_inside(route):
        allowed = set(ROLES) if row_of(route).need == "nothing" else ()
    return expected(route, role, allowed)


def last_id(world, route, role, gives):
    """The id of an object that the request will use up."""
    if gives[0] >= 400 or (route.method != "DELETE" and route.key not in USED_UP):
        return None
    last = world.own.new(route.path)
    if collection(route.path) == "/projects":
        ok(world.admin.post(f"/projects/{last}/memberships",
                            {"person_id": world.people["owner"].id, "role": "owner"}))
    return last


@each_shared
def test_all_projects(world, tokens, route):
    for role in ROLES:
        for scope in ("read", "write"):
            gives = want(route, role, scope, None, row_of(route).allowed)
            place = As(world, role, tokens(role, scope, None))
            ids = world.own.ids(route.path, last_id(world, route, role, gives))
            check(route, f"{role} {scope}", call(place, role, route, world.own, ids), gives)


@each_shared
def test_some_projects(world, tokens, route):
    """In the project, the token has the rights of the role; it has none in the account."""
    for role in ("viewer", "member", "owner"):
        for scope in ("read", "write"):
            gives = want(route, role, scope, "own", row_of(route).allowed)
            if route.key == ("DELETE", "/projects/:project"):
                gives = OUT if scope == "read" else DENIED  # a project that the token does not reach
                ids = [last_id(world, route, role, (204,))]
            else:
                ids = world.own.ids(route.path, last_id(world, route, role, gives))
            place = As(world, role, tokens(role, scope, "own"))
            check(route, f"{role} {scope}", call(place, role, route, world.own, ids), gives)


@each(inside)
def test_other_projects(world, tokens, route):
    """The answer is the same as for somebody who is in no project."""
    for role in ROLES:
        for scope in ("read", "write"):
            gives = want(route, role, scope, "else", ())
            place = As(world, role, tokens(role, scope, "else"))
            got = call(place, role, route, world.own, world.own.ids(route.path))
            check(route, f"{role} {scope}", got, gives)


@each(r for r in inside if row_of(r).need == "viewer")
def test_public_projects_are_everybodys(world, tokens, route):
    place = As(world, "member", tokens("member", "read", "own"))
    got = call(place, "member", route, world.public, world.public.ids(route.path))
    check(route, "member read", got, want(route, "member", "read", None, {"member"}))


@each(r for r in tables.ROUTES if r.key in MINE and r.need != "nothing")
def test_ones_own(world, tokens, route):
    for scope in ("read", "write"):
        for some in (None, "own"):
            gives = OUT if narrowed(route, scope, some) else MINE[route.key]
            place = As(world, "owner", tokens("owner", scope, some))
            got = call(place, "owner", route, world.own, [1 << 45] * len(route.ids))
            check(route, f"owner {scope} {some}", got, gives)
