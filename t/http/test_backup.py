"""planwrightctl backup and restore: one consistent file, and a server restored from it."""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import re
import secrets
import stat
import subprocess
import threading
import time
import zipfile

import psycopg2
import pytest

import tables
from board import Board
from conftest import MISCOUNTED, WITHOUT_ACTIVITY, Client, Person, run, wait_for
from test_ctl import fails
from test_export_zip import attach, fill
from test_round_trip import more
from test_upgrade import fill_old, psql
from test_uploads import png
from world import new_project, ok

PASSPHRASE = "correct horse battery"
FEW = 6  # how many ids of each list are followed


@pytest.fixture(scope="module")
def passphrase(tmp_path_factory):
    path = tmp_path_factory.mktemp("backup") / "passphrase"
    path.write_text(PASSPHRASE + "\n")
    return path


@pytest.fixture
def still(stack):
    """Nothing is sent meanwhile, and no result of it is recorded."""
    stack.part("stop", "sender")
    yield stack
    stack.part("start", "sender")


@pytest.fixture
def filled(stack, api, person):
    boss = person("Ana Núñez")
    client = api(boss)
    board = Board(client, start_date="2024-01-01")
    mate, _ = fill(board, client, api, person)
    more(board, client, mate)
    attach(client, board, f"stories/{board.ids['a']}", ("picture.png", png(300, 200)))
    ok(client.post(f"{board.path}/uploads", files={"file": ("waits.txt", b"unattached")}))
    assert client.get("/me", auth=(boss.username, boss.password)).status_code == 200
    return boss, mate, board


def restore(stack, path, *options):
    """Restores as an operator would; the tests run as another user than the workers, so files get their owner."""
    done = stack.ctl("restore", path, *options)
    files = stack.directory / "files"
    owner = files.stat()
    for folder, _, names in os.walk(files):
        for name in ["", *names]:
            os.chown(os.path.join(folder, name), owner.st_uid, owner.st_gid)
    stack.secrets.append((stack.directory / "secret").read_text())
    for verb in ("stop", "start"):
        stack.part(verb, "workers")
    return done.stdout


def rows(stack):
    """All rows of all tables."""
    names = [n for n, in stack.sql("select relname::text from pg_class where relkind = 'r' and "
                                   "relnamespace = 'planwright'::regnamespace order by 1")]
    return {name: sorted(text for text, in stack.sql(f"select t::text from planwright.{name} t"))
            for name in names}


def next_ids(stack):
    """Except for the audit log, which records the restore itself."""
    return stack.sql("select sequencename::text, last_value from pg_sequences "
                     "where schemaname = 'planwright' and sequencename <> 'audit_entry_id_seq' order by 1")


def templates():
    """Without /live, a stream of events that are not stored, and /session/passkey, whose challenge is new each time."""
    return sorted({r.path for r in tables.load()[0] if r.method == "GET"
                   and r.path not in ("/live", "/session/passkey") and not r.path.endswith((".zip", ".csv"))})


def places(client, template, known):
    """The paths of a template, with the ids that the lists above it return."""
    if template in known:
        return known[template]
    head, _, last = template.rpartition("/")
    found = [""] if template == "" else [
        f"{place}/{last}" for place in places(client, head, known)]
    if last.startswith(":"):
        found = []
        for place in places(client, head, known):
            answer = client.get(place) if place else None
            listed = answer.json() if answer and answer.status_code == 200 and \
                answer.content.startswith(b"[") else []
            found += [f"{place}/{item['id']}" for item in listed[:FEW]
                      if isinstance(item, dict) and "id" in item]
    known[template] = found
    return found


def plain(stack, answer):
    """Without the server's address, and without the time of the last view, which is recorded after the answer."""
    if answer.headers["Content-Type"].startswith("application/json"):
        return answer.status_code, re.sub(
            r'(?<="last_viewed_at":)"[^"]+"', "then", answer.text.replace(stack.url, "URL"))
    return answer.status_code, answer.content


def compare(stack, other, person):
    """Compares everything that one person can see; returns how many requests that took."""
    client, again, known, n = Client(stack, person.token), Client(other, person.token), {}, 0
    seen = set()
    for template in templates():
        for path in places(client, template, known):
            before = plain(stack, client.get(path))
            assert plain(other, again.get(path)) == before, path
            n += 1
            if before[0] == 200:
                seen.add(template)
    return n, seen


def test_a_server_is_made_of_a_backup(still, stack, filled, new_stack, passphrase, tmp_path):
    boss, mate, board = filled
    path = tmp_path / "all.backup"
    said = stack.ctl("backup", path, "--passphrase-file", passphrase).stdout
    assert said.startswith(f"{path}: database, ") and "the encrypted secret" in said
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "is intact" in stack.ctl("backup", "--verify", path).stdout
    other = new_stack(workers=1)
    other.part("stop", "sender")
    (other.directory / "secret").write_text(secrets.token_hex(32))
    said = restore(other, path, "--passphrase-file", passphrase)
    assert "the secret is in " in said
    here, there = rows(stack), rows(other)
    told = [name for name in there if name.startswith("audit_entry_2") and there[name]]
    assert any(",restore," in there[name].pop() for name in told), "which the audit log there tells at its end"
    assert {name: (here[name], there.get(name)) for name in here if here[name] != there.get(name)} == {}
    assert next_ids(other) == next_ids(stack)
    for person in (boss, mate):
        n, seen = compare(stack, other, person)
        assert n > 120 and len(seen) > 40, (n, len(seen))
    signed = Client(other).get("/me", auth=(boss.username, boss.password))
    assert signed.json()["api_token"] == boss.token
    for id, thumbnailable in stack.sql(
            "select id, thumbnailable from planwright.file_attachment where project_id = %s",
            board.id):
        for what in ["download"] + ["thumbnail", "big"] * thumbnailable:
            place = f"/file_attachments/{id}/{what}"
            got = [Client(s, boss.token, base="").get(place) for s in (stack, other)]
            assert got[0].status_code == 200 and got[0].content == got[1].content
    assert "ok    schema" in other.ctl("doctor").stdout
    assert "the database contains people" in fails(
        other, "restore", path, "--passphrase-file", passphrase)


def test_a_backup_is_of_one_moment(stack, filled, new_stack, tmp_path):
    boss, _, board = filled
    client, ended = Client(stack, boss.token), threading.Event()

    def write():
        while not ended.is_set():
            id = ok(client.post(f"{board.path}/stories", {"name": "n"}))["id"]
            attach(client, board, f"stories/{id}", ("x.txt", str(id).encode()))
    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    written = 0
    for n in range(30):
        before = board.version()
        stack.ctl("backup", tmp_path / f"{n}.backup", "--without-secret")
        written = board.version() - before
        if n and written > 1:
            break
    ended.set()
    for writer in writers:
        writer.join()
    assert written > 1, "it was written meanwhile"
    other = new_stack(workers=1)
    (other.directory / "secret").write_text((stack.directory / "secret").read_text())
    assert "contains no secret" in restore(other, tmp_path / f"{n}.backup")
    assert not other.sql(MISCOUNTED) and not other.sql(WITHOUT_ACTIVITY)
    for id, size in other.sql("select id, size from planwright.file_attachment"):
        assert (other.directory / "files" / f"{id % 256:02x}" / str(id)).stat().st_size == size


SIGNING = ["shh-9876-ünïcode", "with\ta tab, a \\\\ and\na line", "\\N", "planwright-sealed-1:00", "whsec_" + "c2VjcmV0" * 4]


@pytest.fixture
def secretive(new_stack):
    """A server with each kind of secret that clients set or receive, and these secrets."""
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    client = Client(server, ada.token)
    project = new_project(client)["id"]
    ids = [ok(client.post(f"/projects/{project}/webhooks", {
        "webhook_url": f"https://hooks.example.test/{i}", "webhook_version": "v5", "secret": secret},
        headers={"Idempotency-Key": f"key {i}"}))["id"] for i, secret in enumerate(SIGNING)]
    ok(client.post(f"/projects/{project}/webhooks", {
        "webhook_url": "https://hooks.example.test/", "webhook_version": "v5"}))
    # A story's name that looks like the beginning of a table's data.
    ok(client.post(f"/projects/{project}/stories", {"name": "COPY planwright.webhook (id, secret) FROM stdin;"}))
    code = "0123456789abcdef" * 2
    server.sql("insert into letter (kind, person_id, code_hash) select 'reset', %s, sha256(%s)", ada.id, code.encode())
    session = client.post("/session", {"login": ada.email, "password": ada.password},
                          headers={"X-Requested-With": "planwright"})
    cookie = session.headers["Set-Cookie"].split("=")[1].split(";")[0]
    proof = ok(client.post("/me/token", {"password": ada.password}, headers={"Idempotency-Key": "mine"}))
    server.secrets += [cookie, proof["api_token"]]
    return server, ids, [ada.token, ada.password, code, cookie, proof["api_token"]]


def signing(stack, ids):
    return [secret for secret, in stack.sql("select secret from webhook where id = any(%s) order by id", ids)]


def test_nothing_secret_is_in_it(secretive, new_stack, tmp_path, passphrase):
    server, ids, others = secretive
    one, two = tmp_path / "one.backup", tmp_path / "two.backup"
    server.ctl("backup", one, "--without-secret")
    server.ctl("backup", two, "--passphrase-file", passphrase)
    for path in (one, two):
        with zipfile.ZipFile(path) as z:
            unpacked = b"\0".join(z.read(name) for name in z.namelist())
        own = (server.directory / "secret").read_text().strip()
        for secret in [own, *SIGNING, *others]:
            if secret not in ("\\N", "planwright-sealed-1:00"):
                assert secret.encode() not in unpacked and json.dumps(secret).encode() not in unpacked, secret
        assert b"shh-9876" not in unpacked and b"with\\ta tab" not in unpacked
    assert signing(server, ids) == SIGNING, "they sign as before"
    other = new_stack(workers=1)
    done = restore(other, two, "--passphrase-file", passphrase)
    assert "restored" in done and signing(other, ids) == SIGNING
    empty(other)
    (other.directory / "secret").write_text("of another server, " * 3 + "\n")
    done = other.ctl("restore", one)
    assert "5 webhooks had secrets" in done.stderr and signing(other, ids) == [None] * 5
    # Without a key, secrets are not written in plain text.
    conf = server.directory / "planwright.conf"
    text = conf.read_text()
    conf.write_text("".join(line for line in text.splitlines(True) if not line.startswith("secret")))
    assert "encrypted with the setting secret" in fails(server, "backup", tmp_path / "x", "--without-secret")
    assert not (tmp_path / "x").exists()
    server.sql("update webhook set secret = null")
    server.ctl("backup", tmp_path / "x", "--without-secret")


def empty(server):
    """Drops the schema. Meanwhile, its programs read the tables in another order: the drop or one of them may be
    ended."""
    def is_dropped():
        try:
            psql(server, "planwright", "drop schema if exists api, planwright cascade")
        except subprocess.CalledProcessError as error:
            assert "deadlock detected" in error.stderr, error.stderr
            return False
        return True
    assert wait_for(is_dropped, 30)


def changed(path, to, name, content):
    """The same archive with other content for one of its files; None: without the file."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w") as new:
        for entry in old.namelist():
            data = content if entry == name else old.read(entry)
            if data is not None:
                new.writestr(entry, data)
    return to


@pytest.fixture
def backup(stack, filled, passphrase, tmp_path):
    path = tmp_path / "one.backup"
    stack.ctl("backup", path, "--passphrase-file", passphrase)
    return path


def test_what_is_in_it(stack, backup, filled):
    with zipfile.ZipFile(backup) as z:
        names = z.namelist()
        lines = z.read("MANIFEST").decode().splitlines()
        sums = dict(reversed(line.split("  ")) for line in lines if not line.startswith("#"))
        assert sorted([*sums, "MANIFEST"]) == sorted(names)
        assert all(hashlib.sha256(z.read(name)).hexdigest() == sums[name] for name in sums)
        assert b"CREATE TABLE planwright.story (" in z.read("database.dump")
        dump = z.getinfo("database.dump")
        assert dump.compress_size < dump.file_size / 3
        secret = (stack.directory / "secret").read_text().strip().encode()
        assert not any(secret in z.read(name) for name in names)
    assert lines[0] == "# planwright backup 1" and "# secret: sealed" in lines


def test_what_was_damaged_is_refused(stack, backup, new_stack, passphrase, tmp_path):
    other = new_stack(workers=1)
    to = tmp_path / "bad.backup"
    with zipfile.ZipFile(backup) as z:
        file = next(n for n in z.namelist() if n.startswith("files/"))
        manifest = z.read("MANIFEST").decode()
        dump = z.read("database.dump")
    for name, content, line in (
            (file, b"other", "is damaged"),
            (file, None, "list of files does not match"),
            ("database.dump", dump[:-1], "is damaged"),
            ("secret.sealed", b"", "is damaged"),
            ("MANIFEST", None, "MANIFEST: it is missing"),
            ("MANIFEST", manifest.replace("backup 1", "backup 2"), "comes from a newer planwright"),
            ("MANIFEST", manifest.replace(file, "../passwd"), "contains no such file"),
            ("MANIFEST", b"\xff" * 100, "its format is unknown")):
        changed(backup, to, name, content)
        for command in (("backup", "--verify", to), ("restore", to, "--passphrase-file", passphrase)):
            assert line in fails(other, *command), (name, command)
    to.write_bytes(backup.read_bytes()[:-3000])
    assert "bad.backup: " in fails(other, "backup", "--verify", to)
    to.write_bytes(b"no zip")
    assert "name a file that planwrightctl backup wrote" in fails(other, "restore", to)
    assert "No such file" in fails(other, "restore", tmp_path / "none")
    newer = manifest.replace("# version: ", "# version: 9").replace("# migration: ", "# migration: 9")
    changed(backup, to, "MANIFEST", newer)
    assert "which this version does not know" in fails(other, "restore", to)
    assert other.sql("select count(*) from planwright.person") == [(0,)]
    assert not list((other.directory / "files").rglob("*.big"))


def test_passphrases(stack, backup, new_stack, passphrase, tmp_path):
    other = new_stack(workers=1)
    wrong = tmp_path / "wrong"
    wrong.write_text("another passphrase\n")
    old = secrets.token_hex(32)
    (other.directory / "secret").write_text(old)
    assert "wrong passphrase" in fails(other, "restore", backup, "--passphrase-file", wrong)
    assert "wrong passphrase" in fails(stack, "backup", "--verify", backup, "--passphrase-file", wrong)
    assert "use --passphrase-file" in fails(other, "restore", backup)
    assert "or --without-secret" in fails(stack, "backup", tmp_path / "x")
    assert "cannot be combined" in fails(stack, "backup", tmp_path / "x", "--without-secret",
                                         "--passphrase-file", passphrase, status=2)
    wrong.write_text("short\n")
    assert "at least 8 characters" in fails(stack, "backup", tmp_path / "x", "--passphrase-file", wrong)
    assert not (tmp_path / "x").exists() and not (tmp_path / "x.part").exists()
    assert (other.directory / "secret").read_text() == old
    new = tmp_path / "new.secret"
    other.ctl("restore", backup, "--passphrase-file", passphrase, "--out", new)
    assert new.read_text() == (stack.directory / "secret").read_text().strip()
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    assert (other.directory / "secret").read_text() == old
    other.secrets.append(new.read_text())


def test_whoever_is_at_work_is_waited_for(new_stack, tmp_path):
    """While somebody holds what restore wants, programs that want what restore has are let through, again and again."""
    old, other, path = new_stack(workers=1), new_stack(workers=1), tmp_path / "one.backup"
    old.ctl("person", "add", "--name", "Ada", "--email", "ada@planwright.example")
    old.ctl("backup", path, "--without-secret")
    (other.directory / "secret").write_text((old.directory / "secret").read_text())
    connect = lambda: psycopg2.connect(other.env["STACK_ADMIN_DB"], options="-c search_path=planwright")  # noqa: E731
    waiting = "select count(*) from pg_locks where mode = 'AccessExclusiveLock' and not granted"
    with contextlib.closing(connect()) as somebody, contextlib.closing(connect()) as program:
        somebody.cursor().execute("lock table story in row exclusive mode")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            restored = pool.submit(restore, other, path)
            assert wait_for(lambda: other.sql(waiting) == [(1,)])
            for _ in range(10):
                program.cursor().execute("lock table schema_migration in row exclusive mode")  # which no view reads
                program.cursor().execute("select count(*) from api.valid_token")  # which restore locks first
                program.rollback()
                time.sleep(0.1)
            assert not restored.done()
            somebody.rollback()
            assert "restored: " in restored.result(60)
    assert other.sql("select name from planwright.person") == [("Ada",)]


def test_an_older_backup_is_migrated(new_stack, tmp_path):
    """A backup as 0.1 would have written it, made from what 0.1 stored (t/upgrade)."""
    old, other, path = new_stack(workers=1), new_stack(workers=1), tmp_path / "old.backup"
    empty(old)
    fill_old(old, "planwright")
    dump = subprocess.run(["pg_dump", "--no-owner", "--no-comments", "-n", "planwright", "-n", "api",
                           "-e", "pg_trgm", "-e", "btree_gin", old.env["STACK_ADMIN_DB"]],
                          capture_output=True, check=True).stdout
    (name,), = old.sql("select name from schema_migration order by number desc limit 1")
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("database.dump", dump)
        z.writestr("MANIFEST", f"# planwright backup 1\n# version: 0.1\n# migration: {name}\n"
                               f"{hashlib.sha256(dump).hexdigest()}  database.dump\n")
    assert "applied " in restore(other, path)
    assert other.sql("select count(*) from story") == old.sql("select count(*) from story")
    assert "ok    schema" in other.ctl("doctor").stdout


def test_what_a_newer_server_wrote_is_restored_and_no_program_is_started(new_stack, tmp_path):
    """Unknown settings and psql's lock (restrict) with a key of its own are left out; psql's other commands are
    refused."""
    old, other = new_stack(workers=1), new_stack(workers=1)
    old.ctl("person", "add", "--name", "Ada", "--email", "ada@planwright.example")
    path, to, proof = tmp_path / "one.backup", tmp_path / "other.backup", tmp_path / "proof"
    old.ctl("backup", path, "--without-secret")
    (other.directory / "secret").write_text((old.directory / "secret").read_text())
    with zipfile.ZipFile(path) as z:
        dump, manifest = z.read("database.dump").decode(), z.read("MANIFEST").decode()

    def with_dump(text):
        changed(path, tmp_path / "half", "database.dump", text)
        sums = [hashlib.sha256(t.encode()).hexdigest() for t in (dump, text)]
        return changed(tmp_path / "half", to, "MANIFEST", manifest.replace(*sums))
    evil = with_dump(dump + f"select 1 \\! touch {proof}\n")
    done = other.ctl("restore", evil, check=False)
    assert done.returncode == 1 and "psql failed" in done.stderr, done
    assert not proof.exists() and other.sql("select count(*) from planwright.person") == [(0,)]
    start = dump.index("SET ")
    newer = dump[:start] + "SET transaction_timeout = 0;\n" + dump[start:]
    if "\\restrict " not in dump:
        newer = "\\restrict abc\n" + newer + "\\unrestrict abc\n"
    assert "restored: " in restore(other, with_dump(newer))
    assert other.sql("select name from planwright.person") == [("Ada",)]


def test_two_roles(new_stack, tmp_path):
    """The workers' role writes a backup; a restore also needs the role that owns the schema."""
    old, other = new_stack(workers=1), new_stack(workers=1)
    old.ctl("person", "add", "--name", "Ada", "--email", "ada@planwright.example")
    old.sql("reassign owned by planwright to postgres")
    path = tmp_path / "one.backup"
    grant = {"PLANWRIGHT_OWNER_DATABASE": old.env["STACK_ADMIN_DB"]}
    run(old.env["STACK_CTL"], "grant", env={"PLANWRIGHT_CONF": old.env["STACK_CONF"], **grant})
    old.ctl("backup", path, "--without-secret")
    empty(other)
    other.sql("alter database planwright owner to postgres")
    (other.directory / "secret").write_text((old.directory / "secret").read_text())
    done = other.ctl("restore", path, check=False)
    assert done.returncode == 1 and "permission denied" in done.stderr
    done = run(other.env["STACK_CTL"], "restore", path, env={
        "PLANWRIGHT_CONF": other.env["STACK_CONF"],
        "PLANWRIGHT_OWNER_DATABASE": other.env["STACK_ADMIN_DB"]})
    assert "restored: " in done.stdout
    assert "200000000\tactive\tada" in other.ctl("person", "list").stdout
    assert next_ids(other) == next_ids(old)
    assert other.sql("select pg_get_userbyid(relowner)::text from pg_class where relname = 'story'"
                     " and relkind = 'r'") == [("postgres",)]
