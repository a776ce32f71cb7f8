"""Valid requests for routes that need more than a project: for each of them, a function of the torture that returns
the path and what is sent."""

import uuid

from assistant import Assistant
from conftest import Client, Person
from passkey import Passkey
from provider import Browser
from test_passwords import code_in
from test_second_factor import OWN, Device
from test_sessions import COOKIE
from test_uploads import png
from world import new_membership, new_placeholder, new_story, ok, unique


def one(t):
    """A new person, with a client and a password."""
    who = Person(t.stack, "Vic Victim")
    who.client = Client(t.stack, who.token)
    return who


def by(who, path, body=None, **more):
    return path, {"json": body, "client": who.client, **more}


def browser(t):
    """A person with a session; the client has its cookie, not a token."""
    who = one(t)
    answer = Client(t.stack).post("/session", {"login": who.email, "password": who.password}, headers=OWN)
    who.cookie = COOKIE.fullmatch(answer.headers["Set-Cookie"])[1]
    t.stack.secrets.append(who.cookie)
    who.session = {**OWN, "Cookie": f"planwright={who.cookie}"}
    return who


def second_factor(t):
    """A person who has begun to set up a second factor, with the device."""
    who = one(t)
    begun = ok(who.client.post("/my/second_factor", {"password": who.password}))
    t.stack.secrets.append(begun["secret"])
    who.device = Device(begun["secret"])
    return who


def offered(who):
    return ok(who.client.post("/my/passkeys/options", {"password": who.password}))["options"]


def passkey(t):
    who = one(t)
    who.key = Passkey(t.stack.url)
    who.key.row = ok(who.client.post("/my/passkeys", who.key.made(offered(who))))
    return who


def password(t):
    who = one(t)
    return by(who, "/me/password", {"old_password": who.password, "new_password": "another long one"})


def token(t):
    who = one(t)
    return by(who, "/me/token", {"password": who.password})


def sign_in(t):
    who = one(t)
    who.client = Client(t.stack)
    return by(who, "/session", {"login": who.email, "password": who.password}, headers=OWN)


def sign_out(t):
    who = browser(t)
    who.client = Client(t.stack)
    return by(who, "/session", headers=who.session)


def end_session(t):
    who = browser(t)
    row, = ok(who.client.get("/my/sessions"))
    return by(who, f"/my/sessions/{row['id']}")


def end_token(t):
    who = one(t)
    made = ok(who.client.post("/my/tokens", {"name": "One", "scope": "read"}))
    t.stack.secrets.append(made["token"])
    return by(who, f"/my/tokens/{made['id']}")


def passkey_options(t):
    who = one(t)
    return by(who, "/my/passkeys/options", {"password": who.password})


def passkey_new(t):
    who = one(t)
    return by(who, "/my/passkeys", Passkey(t.stack.url).made(offered(who)))


def passkey_end(t):
    who = passkey(t)
    return by(who, f"/my/passkeys/{who.key.row['id']}")


def passkey_sign_in(t):
    who = passkey(t)
    who.client = Client(t.stack)
    return by(who, "/session/passkey", who.key.shown(ok(who.client.get("/session/passkey"))["options"]), headers=OWN)


def second_factor_begin(t):
    who = one(t)
    return by(who, "/my/second_factor", {"password": who.password})


def second_factor_on(t):
    who = second_factor(t)
    return by(who, "/my/second_factor", {"code": who.device.code()})


def second_factor_off(t):
    who = second_factor(t)
    for code in ok(who.client.put("/my/second_factor", {"code": who.device.code()}))["recovery_codes"]:
        t.stack.secrets.append(code)
    return by(who, "/my/second_factor", {"password": who.password, "code": code})


def workspace(method):
    def make(t):
        made = ok(t.client.post("/my/workspaces", {"name": "One"}))["id"]
        return f"/my/workspaces/{made}", {"json": {"project_ids": [t.place.project]} if method == "PUT" else None}
    return make


def notification(t):
    who = one(t)
    ok(t.client.post(f"/projects/{t.place.project}/memberships", {"person_id": who.id, "role": "member"}))
    ok(t.client.post(f"/projects/{t.place.project}/stories", {"name": "Told", "owner_ids": [who.id]}))
    row = ok(who.client.get("/my/notifications"))[0]
    return by(who, f"/my/notifications/{row['id']}", {"read_at": "2026-01-01T00:00:00Z"})


def claim(t):
    ghost = new_placeholder(t.place, t.client)
    return f"/accounts/{t.place.account}/placeholders/{ghost}/claim", {"json": {"person_id": t.boss.id}}


def claim_own(t):
    who, ghost = one(t), new_placeholder(t.place, t.client)
    t.stack.sql("update person set said_email = %s where id = %s", who.email, ghost)
    t.stack.sql("update person set confirmed_email = email where id = %s", who.id)
    return by(who, f"/my/placeholders/{ghost}/claim", {})


CSV = b"Title,Type,Current State\r\nOne,feature,unstarted\r\nTwo,chore,unscheduled\r\n"


def import_file(t):
    t.stack.sql("delete from project_import")  # only ten of a project may wait
    return f"/projects/{t.place.project}/imports", {"files": {"file": ("stories.csv", CSV)}}


def export_stories(t):
    return "/stories/export", {"json": {"ids": [t.place.story]}}


def upload(t):
    """A picture, which a program other than the workers examines."""
    return f"/projects/{t.place.project}/uploads", {"files": {"file": ("a.png", png(300, 200), "image/png")}}


def new_member(t):
    row = ok(t.client.get(f"/projects/{t.place.project}/memberships/{new_membership(t.place, t.client)}?fields=person_id"))
    return row["person_id"]


def review_type_off(t):
    made = ok(t.client.post(f"/projects/{t.place.project}/review_types", {"name": unique("Type")}))["id"]
    return f"/projects/{t.place.project}/review_types/{made}", {"json": {"hidden": True}}


def part(name, body):
    def make(t):
        return f"/projects/{t.place.project}/stories/{t.place.story}/{name}", {"json": body(t)}
    return make


def review_type(t):
    return ok(t.client.get(f"/projects/{t.place.project}/review_types"))[0]["id"]


def bulk(t):
    ids = [new_story(t.place, t.client), t.place.story]
    return f"/projects/{t.place.project}/stories/bulk", {"json": {"ids": ids, "add_labels": [unique("bulk")]}}


def commit(t):
    return "/source_commits", {"json": {"source_commit": {
        "commit_id": uuid.uuid4().hex, "message": f"[#{t.place.story}] mended", "author": t.boss.name}}}


def aggregate(t):
    return "/aggregator", {"json": [f"/services/v5/projects/{t.place.project}", "/services/v5/me"]}


def assistant(t):
    who = one(t)
    ok(t.client.post(f"/projects/{t.place.project}/memberships", {"person_id": who.id, "role": "member"}))
    token = ok(who.client.post("/my/tokens", {"name": "Robot", "scope": "write"}))["token"]
    t.stack.secrets.append(token)
    who.client = Client(t.stack)
    robot = Assistant(who.client, token)
    told = robot.message("tools/call", {"name": "add_story", "arguments": {
        "project_id": t.place.project, "name": unique("Told")}})
    return by(who, "/mcp", told, headers=robot.headers(told))


def password_by_mail(t):
    who = one(t)
    ok(Client(t.stack).post("/password_resets", {"email": who.email}), 204)
    code, _ = code_in(t.stack, t.box, who.email)
    who.client = Client(t.stack)
    return by(who, f"/password_resets/{code}", {"password": "a long enough one"})


class Extra:
    """A route outside /services that writes."""

    def __init__(self, method, path):
        self.method, self.path, self.key, self.ids = method, path, (method, path), []


EXTRAS = [Extra("GET", "/session/oidc/:provider"), Extra("GET", "/session/oidc/:provider/callback")]


def to_provider(t):
    who = Browser(t.stack)
    return "/session/oidc/torture", {"client": who}


def from_provider(t):
    """With an account at the provider that is matched to a person by its address."""
    who = Person(t.stack, "Oda Open")
    t.stack.sql("update person set confirmed_email = email where id = %s", who.id)
    browser = Browser(t.stack)
    path = t.provider.approve(browser.leave("torture"), sub=uuid.uuid4().hex, email=who.email, email_verified=True)
    return path.removeprefix(t.stack.url), {"client": browser}


def linked(t):
    """A person with a session and a linked account at the provider."""
    who = browser(t)
    who.client = Browser(t.stack)
    who.client.cookies["planwright"] = who.cookie
    url = ok(who.client.api("POST", "/my/identities", {"provider": "torture"}))["url"]
    who.client.page(t.provider.approve(url, sub=uuid.uuid4().hex, email=who.email))
    return who


def link_begin(t):
    who = browser(t)
    who.client = Client(t.stack)
    return by(who, "/my/identities", {"provider": "torture"}, headers=who.session)


def link_end(t):
    who = linked(t)
    row, = ok(who.client.api("GET", "/my/identities"))
    return f"/my/identities/{row['id']}", {"client": Client(t.stack, who.token)}


GOOD = {
    ("PUT", "/me/password"): password,
    ("POST", "/me/token"): token,
    ("POST", "/session"): sign_in,
    ("DELETE", "/session"): sign_out,
    ("DELETE", "/my/sessions/:id"): end_session,
    ("DELETE", "/my/tokens/:id"): end_token,
    ("POST", "/my/passkeys/options"): passkey_options,
    ("POST", "/my/passkeys"): passkey_new,
    ("DELETE", "/my/passkeys/:id"): passkey_end,
    ("POST", "/session/passkey"): passkey_sign_in,
    ("POST", "/my/second_factor"): second_factor_begin,
    ("PUT", "/my/second_factor"): second_factor_on,
    ("DELETE", "/my/second_factor"): second_factor_off,
    ("PUT", "/my/workspaces/:workspace"): workspace("PUT"),
    ("DELETE", "/my/workspaces/:workspace"): workspace("DELETE"),
    ("PUT", "/my/notifications/:id"): notification,
    ("POST", "/accounts/:account/placeholders/:id/claim"): claim,
    ("POST", "/my/placeholders/:id/claim"): claim_own,
    ("POST", "/projects/:project/imports"): import_file,
    ("POST", "/stories/export"): export_stories,
    ("POST", "/projects/:project/uploads"): upload,
    ("POST", "/projects/:project/stories/:story/owners"): part("owners", lambda t: {"id": new_member(t)}),
    ("POST", "/projects/:project/stories/:story/followers"): part("followers", lambda t: {"id": new_member(t)}),
    ("POST", "/projects/:project/stories/:story/reviews"): part("reviews", lambda t: {"review_type_id": review_type(t)}),
    ("PUT", "/projects/:project/review_types/:id"): review_type_off,
    ("PUT", "/projects/:project/stories/bulk"): bulk,
    ("POST", "/source_commits"): commit,
    ("POST", "/aggregator"): aggregate,
    ("POST", "/mcp"): assistant,
    ("POST", "/password_resets/:code"): password_by_mail,
    ("GET", "/session/oidc/:provider"): to_provider,
    ("GET", "/session/oidc/:provider/callback"): from_provider,
    ("POST", "/my/identities"): link_begin,
    ("DELETE", "/my/identities/:id"): link_end,
}
