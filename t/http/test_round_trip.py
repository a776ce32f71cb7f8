"""What leaves one server arrives unchanged on another: export, import into an empty server, export again, and nothing
differs except the time and the people of the new server."""

import csv
import hashlib
import io
import json
import re
import zipfile

import pytest

import tables
from board import Board
from conftest import Person, run
from parts import PARTS
from test_export_zip import LINES, Zip, attach, fill
from test_uploads import png
from world import ok


class Server:
    """planwrightctl with the settings of a stack, except for the address that links begin with."""

    def __init__(self, stack, url):
        self.stack, self.env = stack, {"PLANWRIGHT_CONF": stack.env["STACK_CONF"],
                                       "PLANWRIGHT_BASE_URL": url}

    def ctl(self, *args):
        return run(self.stack.env["STACK_CTL"], *args, env=self.env)

    def export(self, project, path):
        self.ctl("export", project, "--out", path)
        return Zip(path.read_bytes())


# Names that no folder, no zip or not every system has: the first two look alike.
ODD = ["e\u0301.txt", "\u00e9.txt", "..", "a\\b/c", "CON", "dot.", " blank ", "\U0001f600\u202egpj.exe", "=1+1", "A.TXT",
       "a.txt", "a (2).txt", "x" * 240 + ".txt", "\U0001f600" * 60]


def more(board, client, mate):
    """What `fill` does not create: each remaining kind, and texts that are hard to transfer."""
    a = f"stories/{board.ids['a']}"
    attach(client, board, a, ("x.txt", b"one"), ("x.txt", b"two"))
    attach(client, board, a, ("Größe ✓.bin", bytes(range(256)) * 300))
    attach(client, board, a, *((name, name.encode()) for name in ODD))
    board.add("=formula", description="- list\n'quoted'\r\n\ttab", labels=["=x"])
    board.add("rel", "unstarted", story_type="release", deadline="2030-06-01T12:00:00Z")
    board.add("bug", "rejected", story_type="bug", estimate=None, story_priority="p0",
              owner_ids=[mate.id], blockers=[{"description": f"#{board.ids['b']}", "resolved": True}])
    board.move("rel", before="c")
    board.move("a", description="changed", label_ids=[])
    ok(client.post(f"{board.path}/{a}/comments", {"text": f"@{mate.username} look", "google_attachments": [
        {"title": "Doc", "google_id": "g1", "google_kind": "document",
         "alternate_link": "https://docs.example/g1", "resource_id": "r1"}]}))
    ok(client.post(f"{board.path}/{a}/cicd_events", {"name": "build", "provider": "ci",
                                                     "status": "passed"}))
    ok(client.delete(f"{board.path}/stories/{board.add('gone')['id']}"), 204)
    ok(client.put(f"{board.path}", {"time_zone": {"olson_name": "America/Los_Angeles"},
                                    "point_scale": "0,1,2,4,8", "initial_velocity": 7,
                                    "bugs_and_chores_are_estimatable": True, "status": "x",
                                    "profile_content": "Who\nwe are", "join_as": "viewer"}))
    rare(board, client, a)


def rare(board, client, a):
    """Fields that are rarely set."""
    attach(client, board, a, ("p.png", png()))
    for part in PARTS.values():
        if part.list != "reviews":
            ok(client.post(f"{board.path}/{a}/{part.list}", part.body))
    code = {"owner": "o", "repo": "r"}
    ok(client.post(f"{board.path}/epics", {
        "name": "With code", "description": "Größe", "pull_requests": [{**code, "number": 3}],
        "branches": [{**code, "name": "z"}]}))
    other = next(r.body for r in tables.ROUTES if r.key == ("POST", "/projects/:project/integrations"))
    linked = ok(client.post(f"{board.path}/integrations", {
        **other.texts("create"), "kind": "other_integration", "comments_private": True, "update_comments": False,
        "update_state": True, "active": False, "statuses_to_exclude": "s" * 2000}))
    story = next(r.body for r in tables.ROUTES if r.key == ("POST", "/projects/:project/stories"))
    board.add("linked", **{**story.texts("create"), "name": "linked"}, integration_id=linked["id"])
    ok(client.post(f"{board.path}/{a}/comments", {
        "text": "from afar", "commit_identifier": "abc", "commit_type": "git", "external_source": "s",
        "external_author": "w", "external_link": "https://example.com/c"}))
    ok(client.post(f"{board.path}/{a}/pull_requests", {
        **code, "number": 2, "original_url": "https://example.com/2", "status": "open"}))
    ok(client.post(f"{board.path}/{a}/branches", {
        **code, "name": "y", "original_url": "https://example.com/y"}))
    ok(client.post(f"{board.path}/{a}/cicd_events", {"name": "n", "url": "https://example.com/n"}))
    ok(client.put(f"{board.path}/iteration_overrides/2", {"length": 2}))


def leave(board, client, api, gone):
    """A person did something and is no longer a member."""
    there = ok(client.post(f"{board.path}/memberships", {"email": gone.email}))
    ok(api(gone).post(f"{board.path}/stories", {"name": "Of who left", "owner_ids": [gone.id]}))
    attach(api(gone), board, f"stories/{board.ids['a']}", ("left.txt", b"theirs"))
    ok(client.delete(f"{board.path}/memberships/{there['id']}"), 204)


@pytest.fixture
def left(stack, api, person, tmp_path):
    """A project's export."""
    boss = person("Ana Núñez")
    client = api(boss)
    board = Board(client, start_date="2024-01-01")
    mate, _ = fill(board, client, api, person)
    more(board, client, mate)
    stack.sql("update project_membership set last_viewed_at = now() where project_id = %s", board.id)
    leave(board, client, api, person("Former Mate"))
    return Server(stack, stack.url).export(board.id, tmp_path / "one.zip")


@pytest.fixture
def empty(new_stack, stack):
    """A server whose own people have ids that nobody had."""
    other = new_stack(workers=1)
    other.ctl("ids", "--from", "900000000")
    return Server(other, stack.url)


def import_all(server, path, folder, name):
    """Everybody is created again as they were; nobody is a placeholder."""
    ada = Person(server.stack, "Ada")
    server.ctl("account", "add", "Ada's", "--owner", ada.username)
    (account,), = server.stack.sql("select id from planwright.account")
    args = ["import", path, "--new-project", name, "--account", account,
            "--people", folder / "people.csv"]
    server.ctl(*args, "--dry-run")
    people = (folder / "people.csv").read_text()
    (folder / "people.csv").write_text(people.replace(",placeholder", ",create"))
    server.ctl(*args, "--report", folder / "report.jsonl")
    (project,), = server.stack.sql("select id from planwright.project")
    return ada, project


def differences(name, before, after):
    """One difference for each field, so that a failure stays readable."""
    found = {}
    if len(before) != len(after):
        found["lines"] = (len(before), len(after))
    for one, other in zip(before, after):
        for key in sorted(set(one) | set(other)):
            if one.get(key) != other.get(key):
                found.setdefault(key, (one.get("id"), one.get(key), other.get(key)))
    return [(name, key, *values) for key, values in found.items()]


def plain(lines, ada):
    """Without what belongs to the server: its own person, and the ids that it assigned."""
    found = []
    for line in lines:
        if ada.id in (line.get("id") if line["kind"] == "person" else None, line.get("person_id")):
            continue
        line = {key: value for key, value in line.items() if key != "account_id"}
        if line["kind"] == "project_membership":
            del line["id"]
        found.append(line)
    return found


def test_nothing_is_lost(left, empty, tmp_path):
    ada, project = import_all(empty, tmp_path / "one.zip", tmp_path,
                              left.manifest()["project"]["name"])
    again = empty.export(project, tmp_path / "two.zip")
    assert all(left.lines(name) for name in LINES), "there is something of everything"
    assert not [difference for name in LINES for difference in differences(
        name, *(plain(z.lines(name), ada) for z in (left, again)))]
    assert again.csv() == left.csv()
    assert again.files() == left.files()
    assert again.manifest()["project"]["version"] == left.manifest()["project"]["version"]


HELD = [["Id", "Title", "Type", "Current State", "Created at", "Requested By", "Owned By", "Comment", "Comment"],
        [770071, "One", "feature", "unstarted", "Oct 2, 2023", "Heldghost", "Bo", "Nobody signed this",
         "Signed (Heldghost - Oct 3, 2023)"],
        [770072, "Two", "feature", "unstarted", "Oct 2, 2023", "", "Unknown", "(no name)", ""]]


def test_placeholders_stay_what_they_are(stack, person, new_stack, tmp_path):
    """People whom nobody knows, comments without an author, and files: zip, new project, zip."""
    one, two = Server(stack, stack.url), Server(new_stack(workers=1), stack.url)
    two.ctl("ids", "--from", "900000000")
    with zipfile.ZipFile(tmp_path / "held.zip", "w") as z:
        out = io.StringIO()
        csv.writer(out).writerows(HELD)
        z.writestr("held/held.csv", out.getvalue())
        z.writestr("held/770071/a.txt", b"A file that nobody sent")
        z.writestr("held/770072/b.bin", bytes(range(256)))
    zips = []
    for server, source, name in ((one, tmp_path / "held.zip", "Ada"), (two, tmp_path / "one.zip", "Eve")):
        owner, people = Person(server.stack, name), tmp_path / f"{name}.csv"
        account = server.ctl("account", "add", f"Of {owner.username}", "--owner", owner.username).stdout.split()[2].rstrip(",")
        args = ["import", source, "--new-project", "Held", "--account", account, "--people", people]
        server.ctl(*args, "--dry-run")
        # Ada is created; all others stay placeholders.
        people.write_text(re.sub(r"^(Ada,.*),placeholder$", r"\1,create", people.read_text(), flags=re.M))
        server.ctl(*args, "--report", tmp_path / "report.jsonl")
        (project,), = server.stack.sql("select id from planwright.project where account_id = %s", account)
        zips.append((server.export(project, tmp_path / f"{('one', 'two')[len(zips)]}.zip"), owner))
    (left, _), (again, eve) = zips
    assert "Unknown" in {p["name"] for p in left.lines("people")}
    for name in LINES:
        assert not differences(name, plain(left.lines(name), eve), plain(again.lines(name), eve)), name
    assert again.csv() == left.csv()
    assert again.files() == left.files()


def rewritten(z, name, line, to):
    """An export in which one file of lines is another line."""
    path, content, manifest = f"planwright/{name}.jsonl", json.dumps(line).encode() + b"\n", z.manifest()
    entry, = (f for f in manifest["files"] if f["path"] == path)
    entry.update(size=len(content), sha256=hashlib.sha256(content).hexdigest())
    with zipfile.ZipFile(to, "w") as out:
        for other in z.names:
            out.writestr(f"{z.top}/{other}", content if other == path else json.dumps(manifest).encode()
                         if other == "planwright/manifest.json" else z.read(other))


def test_a_version_that_could_not_rise_is_not_kept(stack, api, person, tmp_path):
    boss, server = person("Boss"), Server(stack, stack.url)
    board = Board(api(boss))
    board.add("a")
    project, = (left := server.export(board.id, tmp_path / "one.zip")).lines("project")
    rewritten(left, "project", {**project, "version": 2**63 - 1}, tmp_path / "two.zip")
    server.ctl("import", tmp_path / "two.zip", "--new-project", "Two", "--account", project["account_id"], "--renumber")
    (id,), = stack.sql("select id from project where account_id = %s and name = 'Two'", project["account_id"])
    before = ok(api(boss).get(f"/projects/{id}?fields=version"))["version"]
    ok(api(boss).post(f"/projects/{id}/stories", {"name": "b"}))
    assert ok(api(boss).get(f"/projects/{id}?fields=version"))["version"] == before + 1 < 100
