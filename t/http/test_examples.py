"""The examples in the reference pages: a shell runs each as printed, with ids of this server in the place of the
made-up ones."""

import json
import re
import struct
import subprocess
import uuid
import zlib

import pytest

import openapi
from authenticator import Device
from conftest import Client, Person
from world import World, fill, new_in_project, new_placeholder, new_story, ok

DATA = json.loads(openapi.describe())
ROUTES = DATA["routes"]


def png():
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = b"".join(b"\0" + b"\x20\x80\x20" * 400 for _ in range(400))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 400, 400, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


@pytest.fixture(scope="module")
def world(api, person):
    """A world of its own: others measure the time that stories spend in states."""
    return World(api, person)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The shell's working directory, with the files that examples send."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "photo.png").write_bytes(png())
    (folder / "stories.csv").write_text("Title,Type\nSow the beans,feature\n")
    return folder


@pytest.fixture(scope="module")
def ids(world):
    """The real ids for the made-up ids in queries and bodies."""
    types = ok(world.owner.get(f"/projects/{world.own.project}/review_types"))
    return {"99": world.own.project, "555": world.own.story,
            "556": new_story(world.own, world.owner), "101": world.people["member"].id,
            "12": types[0]["id"]}


def notification(world, key):
    """A field of one of the owner's notifications."""
    place = f"/projects/{world.own.project}/stories/{new_story(world.own, world.member)}"
    ok(world.member.post(f"{place}/owners", {"id": world.people["owner"].id}))
    return ok(world.owner.get("/my/notifications?date_format=millis"))[0][key]


def special(world, path):
    """The ids for paths that belong to the caller alone; None: the path belongs to the project or the account."""
    if path.startswith("/my/workspaces/"):
        return [ok(world.owner.post("/my/workspaces", {"name": "All"}))["id"]]
    if path in ("/session", "/my/second_factor"):
        return []
    if path == "/my/sessions/:id":
        return [session(world)]
    if path == "/my/identities/:id":
        made = world.owner.stack.sql(  # two are added, since the only one cannot be deleted
            "insert into identity (person_id, issuer, subject, provider) select %s, 'https://id.example', %s || i, 'x'"
            " from generate_series(1, 2) i returning id", world.people["owner"].id, uuid.uuid4().hex)
        return [made[0][0]]
    if path == "/my/passkeys/:id":
        (made,), = world.owner.stack.sql(
            "insert into passkey (person_id, credential, public_key, alg, count, name) values (%s, %s, '', -7, 0, 'x')"
            " returning id", world.people["owner"].id, uuid.uuid4().bytes)
        return [made]
    if path == "/my/tokens/:id":
        return [ok(world.owner.post("/my/tokens", {"name": "x", "scope": "read"}))["id"]]
    if path == "/my/placeholders/:id/claim":
        made, owner = new_placeholder(world.own, world.admin), world.people["owner"].id
        world.owner.stack.sql("update person set confirmed_email = email where id = %s", owner)
        world.owner.stack.sql("update person set said_email = (select email from person where id = %s)"
                              " where id = %s", owner, made)
        return [made]
    if path.startswith("/my/notifications/:"):
        return [notification(world, "id")]
    if path.startswith("/people/:person/notifications"):
        return [world.people["owner"].id, notification(world, "created_at")]
    if path.startswith("/file_attachments/"):
        upload = world.owner.post(f"/projects/{world.own.project}/uploads",
                                  files={"file": ("photo.png", png())})
        return [ok(upload)["id"]]
    if path.endswith("/:code"):
        return [code_of(world)]
    return None


PASSWORD = "correct horses"


def somebody(world, name):
    """A person with the password of the examples."""
    made = Person(world.owner.stack, name)
    made.stack.ctl("passwd", made.username, stdin=PASSWORD)
    return made


def code_of(world):
    """The code at the end of a mailed link: no mail is sent here."""
    code = uuid.uuid4().hex
    world.owner.stack.secrets.append(code)
    world.owner.stack.sql(
        "insert into letter (kind, person_id, code_hash, expires_at, delivered_at) values"
        " ('reset', %s, sha256(%s), now() + interval '1 hour', now())",
        somebody(world, "Linked").id, code.encode())
    return code


def session(world):
    """A session of the owner's, whose cookie nobody has."""
    (made,), = world.owner.stack.sql(
        "insert into session (mac, person_id, agent) values (%s, %s, '') returning id",
        uuid.uuid4().bytes, world.people["owner"].id)
    return made


def ids_of(world, route):
    path = route["path"]
    found = special(world, path)
    if found is not None:
        return found
    last = None
    if path.endswith("/review_types/:id"):
        last = new_in_project("review_types", "Type")(world.own, world.owner)
    elif route["method"] == "DELETE" or "/placeholders/" in path:
        last = world.own.new(path)
    return world.own.ids(path, last)


def somebody_with_a_factor(world, method, ids):
    """Set up as far as the method needs it; the code in the examples was for another time."""
    who = somebody(world, "Owner of a factor")
    if method in ("PUT", "DELETE"):
        client = Client(who.stack, who.token)
        secret = ok(client.post("/my/second_factor", {"password": PASSWORD}))["secret"]
        device = Device(secret)
        who.stack.secrets.append(secret)
        ids["492039"] = device.code()
        if method == "DELETE":
            ok(client.put("/my/second_factor", {"code": ids["492039"]}))
            ids["492039"] = device.code()
    return who


def caller(world, route, ids):
    path = route["path"]
    if route["method"] == "POST" and path == "/session":  # the example names this person
        stack = world.owner.stack
        if not stack.sql("select 1 from person where email = 'ada@example.com'"):
            Person(stack, "Ada", email="ada@example.com")
        stack.ctl("passwd", "ada@example.com", stdin=PASSWORD)
    if path in ("/me/password", "/me/token", "/my/passkeys/options"):
        return somebody(world, "Owner of a password")
    if path == "/my/second_factor":
        return somebody_with_a_factor(world, route["method"], ids)
    by_admin = path.startswith("/accounts") or (route["method"], path) == ("DELETE", "/projects/:project")
    return world.people["admin" if by_admin else "owner"]


# This server's settings have no provider (test_oidc.py), and trust no web server (test_remote_user.py); a passkey's
# response is valid only once (test_passkeys.py).
ELSEWHERE = [r for r in ROUTES if r["path"].startswith(("/session/oidc", "/session/remote_user"))
             or (r["method"], r["path"]) in {("POST", "/my/identities"), ("POST", "/my/passkeys"), ("POST", "/session/passkey")}]


@pytest.mark.parametrize("route", [r for r in ROUTES if r not in ELSEWHERE],
                         ids=lambda r: f"{r['method']} {r['path']}")
def test_it_runs(stack, world, folder, ids, route):
    line = route["example"]
    root, at_root = ("$HOST", True) if "root" in route["flags"] else ("$API", False)
    made_up = re.search(rf'"\{root}([^"?]*)', line)
    assert made_up and line.startswith("curl"), line
    real = fill(route["path"], ids_of(world, route))
    who = caller(world, route, ids)
    head, tail = line[:made_up.start(1)], line[made_up.end(1):]
    swap = lambda text: re.sub(r"(?<![\w.])\d+(?!\w)", lambda m: str(ids.get(m[0], m[0])), text)
    line = swap(head) + real + swap(tail)
    endless = route["path"] == "/live"  # until the client closes it, which curl reports with status 28
    done = subprocess.run(
        ["bash", "-c", f"{line} -s -m {1 if endless else 60} -o answer -w '%{{http_code}}'"], cwd=folder, text=True,
        capture_output=True, check=False,
        env={"PATH": "/usr/bin:/bin", "API": f"{stack.url}/services/v5", "HOST": stack.url,
             "TOKEN": who.token})
    answer = (folder / "answer").read_bytes()[:1000] if (folder / "answer").exists() else b""
    assert done.returncode == (28 if endless else 0) and done.stdout in ("200", "204"), f"{line}\n{done.stdout} {answer}"
    assert at_root == ("root" in route["flags"])
    (folder / "answer").unlink(missing_ok=True)


@pytest.mark.parametrize("route", [r for r in ROUTES if r["method"] in ("POST", "PUT")],
                         ids=lambda r: f"{r['method']} {r['path']}")
def test_what_is_written_has_a_body(route):
    assert " -d '" in route["example"] or " -F " in route["example"]
