"""GET /projects/{id}/export.zip and planwrightctl export: the contents of a project's zip
(t/import/EXPORT.md), who may have it, and its consistency."""

import hashlib
import http.client
import io
import json
import os
import re
import signal
import stat
import subprocess
import time
import zipfile

import pytest

from board import Board
from parts import PARTS
from test_export import rows_of
from test_export_project import many
from world import UNKNOWN, ok

LINES = ["project", "people", "memberships", "labels", "review_types", "integrations",
         "iteration_overrides", "epics", "stories", "activity", "saved_searches", "webhooks",
         "files"]


@pytest.fixture(scope="module")
def boss(person):
    return person("Ana Núñez")


@pytest.fixture
def client(api, boss):
    return api(boss)


@pytest.fixture
def board(client):
    return Board(client)


class Zip:
    """The contents of a zip, by paths below its folder."""

    def __init__(self, content):
        self.zip = zipfile.ZipFile(io.BytesIO(content))
        assert self.zip.testzip() is None
        self.top, = {name.split("/", 1)[0] for name in self.zip.namelist()}
        self.names = [name.split("/", 1)[1] for name in self.zip.namelist()]
        assert len(self.names) == len(set(self.names))

    def read(self, name):
        return self.zip.read(f"{self.top}/{name}")

    def lines(self, name):
        text = self.read(f"planwright/{name}.jsonl").decode()
        assert not text or text.endswith("\n")
        return [json.loads(line) for line in text.splitlines()]

    def manifest(self):
        return json.loads(self.read("planwright/manifest.json"))

    def csv(self):
        name, = (name for name in self.names if "/" not in name)
        assert f"{name.removesuffix('.csv')}-export" == self.top
        return self.read(name)

    def files(self):
        return {name: self.read(name) for name in self.names if re.match(r"\d+/", name)}


def get(client, board):
    answer = client.get(f"{board.path}/export.zip")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/zip"
    z = Zip(answer.content)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{z.top}.zip"'
    assert answer.headers["X-Service-Project-Version"] == str(z.manifest()["project"]["version"])
    return z


def attach(client, board, on, *files, text="see"):
    ids = [ok(client.post(f"{board.path}/uploads", files={"file": file}))["id"] for file in files]
    ok(client.post(f"{board.path}/{on}/comments", {"text": text, "file_attachment_ids": ids}))
    return ids


def fill(board, client, api, person):
    """Creates something of every kind."""
    mate = person("Bo Li-Hart")
    board.join(mate)
    ok(client.put(board.path, {"description": "What for"}))
    epic = ok(client.post(f"{board.path}/epics", {"name": "Epic", "label": {"name": "red"},
              "comments": [{"text": "On an epic"}]}))
    type_id = ok(client.get(f"{board.path}/review_types"))[0]["id"]
    board.add("a", "accepted", labels=["red", "blue"], owner_ids=[mate.id], description="Größe\n",
              tasks=[{"description": "t"}], comments=[{"text": "c"}], blockers=[
                  {"description": "b"}], pull_requests=[{"owner": "o", "repo": "r", "number": 1}],
              branches=[{"owner": "o", "repo": "r", "name": "x"}],
              reviews=[{"review_type_id": type_id, "status": "pass", "reviewer_id": mate.id}])
    board.add("b", "started")
    board.add("c", "unstarted", follower_ids=[mate.id])
    ok(client.put(f"{board.path}/iteration_overrides/1", {"team_strength": 0.5}))
    ok(client.post(f"{board.path}/webhooks", {"webhook_url": "https://example.com/hook",
                                              "webhook_version": "v5", "secret": "shh-9876"}))
    ok(client.post(f"{board.path}/integrations", {"kind": "other_integration", "name": "Other",
                                                  "base_url": "https://example.com"}))
    ok(client.post(f"{board.path}/my/searches", {"name": "mine", "query": "red"}))
    ok(api(mate).post(f"{board.path}/my/searches", {"name": "theirs", "query": "blue"}))
    return mate, epic


def strip(value):
    """Without fractions of seconds, and without the values of fields that were not requested."""
    text = re.sub(r"(\d\d:\d\d:\d\d)\.\d+Z", r"\1Z", json.dumps(value))
    return json.loads(text)


# --- what is in it -----------------------------------------------------------------------

def test_lines_are_what_the_interface_answers(board, client, api, person, boss):
    mate, epic = fill(board, client, api, person)
    attach(client, board, f"stories/{board.ids['a']}", ("x.txt", b"hello"))
    z = get(client, board)
    at = board.path

    def same(name, path):
        lines = strip(z.lines(name))
        answered = ok(client.get(f"{at}{path}"))
        for line, one in zip(lines, answered if isinstance(answered, list) else [answered],
                             strict=True):
            assert set(line) == set(one)
            assert not [(key, line[key], one[key]) for key in one if line[key] != one[key]]
        assert lines
    assert strip(z.lines("labels")) == sorted(ok(client.get(f"{at}/labels")),
                                              key=lambda label: label["id"])
    same("review_types", "/review_types")
    same("integrations", "/integrations")
    same("memberships", "/memberships?fields=kind,project_id,person_id,role,project_color,favorite,"
         "last_viewed_at,created_at,updated_at,wants_comment_notification_emails,"
         "will_receive_mention_notifications_or_emails")
    comments = "comments(:default,file_attachments,google_attachments)"
    same("stories", "/stories?fields=kind,created_at,updated_at,accepted_at,estimate,story_type,"
         "story_priority,name,description,current_state,requested_by_id,url,project_id,owner_ids,"
         "label_ids,deadline,integration_id,external_id,follower_ids,tasks,transitions,"
         f"{','.join(PARTS)},{comments}")
    same("epics", "/epics?fields=kind,created_at,updated_at,project_id,name,description,url,"
         f"label_id,follower_ids,pull_requests,branches,{comments}")
    same("project", "?fields=:default,status,join_as")
    activity = [{k: v for k, v in a.items() if k not in ("story_ids", "epic_ids", "occurred_at")}
                for a in z.lines("activity")]
    answered = ok(client.get(f"{at}/activity?limit=500&date_format=millis"))[::-1]
    assert activity == [{k: v for k, v in a.items() if k not in ("project", "occurred_at")}
                        for a in answered]
    assert [a["project_version"] for a in activity] == list(range(2, board.version() + 1))


def test_what_the_interface_does_not_show(board, client, api, person, boss):
    fill(board, client, api, person)
    z = get(client, board)
    # A saved search belongs to its person: only that person's export contains it.
    assert [(s["name"], s["query"], s["person_id"]) for s in z.lines("saved_searches")] == [
        ("mine", "red", boss.id)]
    assert b"theirs" not in b"".join(z.read(n) for n in z.names)
    hook, = z.lines("webhooks")
    assert hook["webhook_url"] == "https://example.com/hook"
    assert "secret" not in hook and "shh-9876" not in repr([z.read(n) for n in z.names])
    assert z.lines("iteration_overrides") == [
        {"kind": "iteration_override", "number": 1, "project_id": board.id, "team_strength": 0.5}]
    made = next(a for a in z.lines("activity") if a["kind"] == "story_create_activity"
                and a["changes"][-1].get("name") == "b" or board.ids["b"] in a["story_ids"])
    assert made["story_ids"] == [board.ids["b"]] and made["epic_ids"] == []
    assert [p["name"] for p in z.lines("people")] == ["Ana Núñez", "Bo Li-Hart"]


def test_nothing_is_rounded(board, client, stack):
    id = board.add("a")["id"]
    stack.sql("update planwright.story set created_at = '2024-01-02T03:04:05.067890Z' where id = %s",
              id)
    assert get(client, board).lines("stories")[0]["created_at"] == "2024-01-02T03:04:05.06789Z"


def test_manifest(board, client, api, person, stack):
    fill(board, client, api, person)
    z = get(client, board)
    m = z.manifest()
    assert (m["kind"], m["format"], m["base_url"]) == ("planwright_export", 1, stack.url)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", m["exported_at"])
    assert m["project"] == {"id": board.id, "name": board.project["name"],
                            "version": board.version()}
    first, csv, *others = [f["path"] for f in m["files"]]
    assert [first, *others] == [f"planwright/{name}.jsonl" for name in LINES] and csv.endswith(".csv")
    assert z.names[0] == first, "a small one: the download of a large project begins at once"
    for file in m["files"]:
        content = z.read(file["path"])
        assert (file["size"], file["sha256"]) == (
            len(content), hashlib.sha256(content).hexdigest())
        rows = (len(rows_of(content)) - 1 if file["path"].endswith(".csv")
                else content.count(b"\n"))
        assert file["count"] == rows, file["path"]
    assert z.names[-1] == "planwright/manifest.json"


def test_the_csv_is_that_of_the_interface(board, client, api, person):
    fill(board, client, api, person)
    assert get(client, board).csv() == client.get(f"{board.path}/stories.csv").content


@pytest.mark.parametrize("name,slug", [
    ("Departments and policy (Dev)", "departments_and_policy__dev_"), ("Büro 7", "b_ro_7"),
    ("../..", "_____"), ("日本", "__")])
def test_its_name(client, board, name, slug):
    ok(client.put(board.path, {"name": name}))
    assert re.fullmatch(rf"{slug}_\d{{8}}_\d{{6}}-export", get(client, board).top)


# --- files -------------------------------------------------------------------------------

def test_files(board, client):
    a, b = (f"stories/{board.add(name)['id']}" for name in "ab")
    epic = ok(client.post(f"{board.path}/epics", {"name": "E"}))["id"]
    picture = os.urandom(70000)
    ids = [*attach(client, board, a, ("x.txt", b"one"), ("x.txt", b"two"), ("X.TXT", b"three")),
           *attach(client, board, a, ("Größe ✓.png", picture, "image/png"), ("noext", b"")),
           *attach(client, board, b, ("x.txt", b"four")),
           *attach(client, board, f"epics/{epic}", ("e.csv", b"Id,Title\n"))]
    z = get(client, board)
    story_a, story_b = (board.ids[name] for name in "ab")
    found = z.files()
    want = [(f"{story_a}/x.txt", b"one"), (f"{story_a}/x (2).txt", b"two"),
            (f"{story_a}/X (3).TXT", b"three"), (f"{story_a}/Größe ✓.png", picture),
            (f"{story_a}/noext", b""), (f"{story_b}/x.txt", b"four"),
            (f"{epic}/e.csv", b"Id,Title\n")]
    assert found == dict(want)
    assert sorted(z.lines("files"), key=lambda f: f["id"]) == [
        {"kind": "file", "id": id, "path": path, "size": len(content),
         "sha256": hashlib.sha256(content).hexdigest()} for id, (path, content) in zip(ids, want)]


@pytest.mark.parametrize("name,found", [
    ("../../etc/passwd", ".._.._etc_passwd"), ("a\\b", "a_b"), ("..", "_"), (".", "_"),
    ("tab\there", "tab_here"), ("x" * 255 + ".png", None), ("é" * 250, None),
    ("a" * 190 + ".much_longer_than_one", None)])
def test_names_of_files(board, client, stack, name, found):
    id = board.add("a")["id"]
    file, = attach(client, board, f"stories/{id}", ("x", b"x"))
    stack.sql("update planwright.file_attachment set filename = %s where id = %s", name[:255], file)
    z = get(client, board)
    (path, content), = z.files().items()
    got = path.removeprefix(f"{id}/")
    assert content == b"x" and (got == found if found else 100 < len(got.encode()) <= 200)
    if name.endswith(".png") and len(name) <= 255:
        assert got.endswith(".png")
    assert z.lines("stories")[0]["comments"][0]["file_attachments"][0]["filename"] == name[:255]


def test_a_story_and_an_epic_of_one_number(board, client, stack):
    """They share a folder; the JSON lines say which file belongs to which."""
    story = board.add("a")["id"]
    while stack.sql("select 1 from planwright.epic where id = %s", story):
        ok(client.delete(f"{board.path}/stories/{story}"))
        story = board.add("a")["id"]
    epic = ok(client.post(f"{board.path}/epics", {"name": "E"}))["id"]
    stack.sql("delete from planwright.search_text where epic_id = %s", epic)
    stack.sql("update planwright.epic set id = %s where id = %s", story, epic)
    ids = [*attach(client, board, f"stories/{story}", ("x.txt", b"story")),
           *attach(client, board, f"epics/{story}", ("x.txt", b"epic"))]
    z = get(client, board)
    assert z.files() == {f"{story}/x.txt": b"story", f"{story}/x (2).txt": b"epic"}
    assert [f["id"] for f in z.lines("files")] == ids


def test_a_file_that_is_gone(board, client, stack):
    id = board.add("a")["id"]
    gone, kept = attach(client, board, f"stories/{id}", ("gone", b"x"), ("kept", b"y"))
    (stack.directory / "files" / f"{gone & 255:02x}" / str(gone)).unlink()
    z = get(client, board)
    assert z.files() == {f"{id}/kept": b"y"}
    assert [f["id"] for f in z.lines("files")] == [kept]


# --- rights ------------------------------------------------------------------------------

def test_who_may_have_it(board, api, person):
    board.add("a")
    for role in ("member", "viewer"):
        somebody = person(role)
        board.join(somebody, role)
        answer = api(somebody).get(f"{board.path}/export.zip")
        assert (answer.status_code, answer.json()["code"]) == (403, "unauthorized_operation")
    owner = person("owner")
    board.join(owner, "owner")
    assert get(api(owner), board).lines("stories")
    for who, code in ((api(person()), "unauthorized_operation"), (api(), "unauthorized_operation"),
                      (api("0" * 32), "invalid_authentication")):
        answer = who.get(f"{board.path}/export.zip")
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert api(owner).get(f"/projects/{UNKNOWN}/export.zip").status_code == 404


def test_addresses_are_for_those_who_may_see_them(board, client, api, person, stack):
    former = person("Former")
    board.join(former)
    ok(api(former).post(f"{board.path}/stories", {"name": "Theirs"}))
    here, = (m["id"] for m in ok(client.get(f"{board.path}/memberships"))
             if m["person"]["id"] == former.id)
    ok(client.delete(f"{board.path}/memberships/{here}"), 204)
    account = board.project["account_id"]
    stack.sql("delete from planwright.account_membership where account_id = %s and person_id = %s",
              account, former.id)
    people = {p["id"]: p for p in get(client, board).lines("people")}
    assert "email" not in people[former.id] and people[former.id]["name"] == "Former"
    assert "email" in people[ok(client.get("/me"))["id"]]
    done = stack.ctl("export", str(board.id), "--out", str(stack.directory / "former.zip"))
    z = Zip((stack.directory / "former.zip").read_bytes())
    assert {p["email"] for p in z.lines("people")} >= {former.email}
    assert done.stderr == ""


# --- one moment ----------------------------------------------------------------------------

def test_it_is_of_one_moment(board, client, stack, boss):
    """A change made while the export is read is not in it, even in parts that are read later."""
    many(stack, board, boss, 20000)
    connection = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=30)
    connection.request("GET", f"/services/v5{board.path}/export.zip",
                       headers={"X-TrackerToken": boss.token})
    answer = connection.getresponse()  # the header with its version has arrived, so it has begun
    ok(client.post(f"{board.path}/webhooks", {"webhook_url": "https://example.com",
                                              "webhook_version": "v5"}))
    found = Zip(answer.read())
    connection.close()
    assert len(found.lines("stories")) == 20000
    assert found.lines("webhooks") == []
    assert len(get(client, board).lines("webhooks")) == 1


@pytest.mark.plain
def test_parts_and_activities_are_never_in_memory_together(board, client, stack, boss, tmp_path):
    """80 MB of tasks, and as much in activities of many stories."""
    many(stack, board, boss, 100)
    stack.sql("""insert into planwright.task (story_id, description, position)
        select s.id, repeat('x', 1000), i from planwright.story s, generate_series(1, 800) i
        where s.project_id = %s""", board.id)
    stack.sql("""insert into planwright.activity (project_id, version, kind, person_id, changes, story_ids, epic_ids)
        select %s, %s + i, 'story_update_activity', %s, jsonb_build_array(jsonb_build_object('kind', 'story',
            'change_type', 'update', 'id', i, 'new_values', jsonb_build_object('description', repeat('y', 400000)))),
            '{}', '{}' from generate_series(1, 200) i""", board.id, (before := board.version()), boss.id)
    stack.sql("update planwright.project set version = version + 200 where id = %s", board.id)
    subprocess.run(["sh", "-c", f'ulimit -d {64 * 1024}; exec "$0" "$@"', stack.env["STACK_CTL"], "export",
                    str(board.id), "--out", tmp_path / "p.zip"], env={"PLANWRIGHT_CONF": stack.env["STACK_CONF"]},
                   check=True)
    z = Zip((tmp_path / "p.zip").read_bytes())
    assert [len(s["tasks"]) for s in z.lines("stories")] == [800] * 100
    assert [a["project_version"] for a in z.lines("activity")] == list(range(2, before + 201))


# --- planwrightctl export --------------------------------------------------------------------

def test_ctl_writes_what_the_interface_answers(board, client, api, person, stack, tmp_path):
    fill(board, client, api, person)
    attach(client, board, f"stories/{board.ids['a']}", ("x.txt", b"hello"))
    # Downloading an export counts as a view of the project, which is recorded at most once a minute.
    stack.sql("update project_membership set last_viewed_at = now() where project_id = %s", board.id)
    out = tmp_path / "p.zip"
    done = stack.ctl("export", str(board.id), "--out", str(out))
    assert done.stdout == (f"{out}: project {board.id}, version {board.version()}, "
                           f"{out.stat().st_size} bytes\n")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["p.zip"]
    ours, theirs = Zip(out.read_bytes()), get(client, board)
    for name in set(LINES) - {"saved_searches"}:
        assert ours.lines(name) == theirs.lines(name), name
    # The operator's export contains those of everybody.
    assert [s["name"] for s in ours.lines("saved_searches")] == ["mine", "theirs"]
    assert (ours.csv(), ours.files()) == (theirs.csv(), theirs.files())


def test_ctl_plain(board, client, stack, tmp_path):
    attach(client, board, f"stories/{board.add('a')['id']}", ("x.txt", b"hello"))
    stack.ctl("export", "--plain", str(board.id), "--out", str(tmp_path / "p.zip"))
    z = Zip((tmp_path / "p.zip").read_bytes())
    assert sorted(z.names) == sorted([f"{z.top.removesuffix('-export')}.csv",
                                      f"{board.ids['a']}/x.txt"])


def test_ctl_writes_to_standard_output(board, stack):
    board.add("a")
    done = subprocess.run([stack.env["STACK_CTL"], "export", str(board.id), "--out", "-"],
                          env={"PLANWRIGHT_CONF": stack.env["STACK_CONF"]}, capture_output=True,
                          check=True)
    assert len(Zip(done.stdout).lines("stories")) == 1 and done.stderr == b""


def test_ctl_writes_an_account(client, stack, tmp_path):
    """Also projects whose names are equal once reduced to a file name."""
    board = Board(client, name="Twins +")
    account = board.project["account_id"]
    for name in ("Twins -", "Twins ."):
        ok(client.post("/projects", {"name": name, "account_id": account}))
    done = stack.ctl("export", "--account", str(account), "--out", str(tmp_path / "all"))
    names = [Zip(p.read_bytes()).manifest()["project"]["name"]
             for p in (tmp_path / "all").iterdir()]
    assert {"Twins +", "Twins -", "Twins ."} <= set(names)
    assert len(names) == len(set(names)) == done.stdout.count("\n")


@pytest.mark.parametrize("args,status,line", [
    ((), 2, "give one of PROJECT, --account and --all"),
    (("1", "--all"), 2, "give one of PROJECT, --account and --all"),
    (("--all",), 2, "name a folder with --out"),
    (("x",), 2, "x is not the number of a project"),
    ((str(UNKNOWN),), 1, f"there is no project {UNKNOWN}"),
    (("--account", "x", "--out", "/tmp"), 2, "--account: give a number from 1"),
    (("--account", str(UNKNOWN), "--out", "/tmp"), 1, "there is no project in this account"),
    (("1", "--out", "/dev/null"), 1, "")])
def test_ctl_says_what_is_wrong(stack, args, status, line):
    """2: the arguments are wrong; 1: what they name does not exist."""
    done = stack.ctl("export", *args, check=False)
    assert done.returncode == status and line in done.stderr


def test_ctl_leaves_nothing_behind(board, stack, boss, tmp_path):
    many(stack, board, boss, 20000)
    (tmp_path / "no").write_text("a file")
    done = stack.ctl("export", str(board.id), "--out", str(tmp_path / "no" / "p.zip"), check=False)
    assert done.returncode == 1 and "cannot write" in done.stderr
    one = subprocess.Popen([stack.env["STACK_CTL"], "export", str(board.id), "--out",
                            str(tmp_path / "p.zip")], stderr=subprocess.PIPE, text=True,
                           env={"PLANWRIGHT_CONF": stack.env["STACK_CONF"]})
    while one.poll() is None and not (tmp_path / "p.zip.part").exists():
        time.sleep(0.001)
    one.send_signal(signal.SIGSTOP)
    assert stack.sql("""select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'planwright' and backend_xmin is not null""")
    one.send_signal(signal.SIGCONT)
    assert "planwrightctl: export: " in one.communicate()[1] and one.returncode == 1
    assert [p.name for p in tmp_path.iterdir()] == ["no"]
