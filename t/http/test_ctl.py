"""planwrightctl (planwrightctl(8)): its output and its errors."""

import concurrent.futures
import contextlib
import json
import os
import re
import subprocess
import time

import psycopg2
import pytest

from conftest import BUILD, TOP, Client, Person, run
from within import within
from world import new_project, ok


def fails(stack, *args, status=1, **kwargs):
    """Returns the single line of a command that fails; wrong arguments end with status 2."""
    done = stack.ctl(*args, check=False, **kwargs)
    assert (done.returncode, done.stdout) == (status, ""), done
    assert done.stderr.startswith("planwrightctl: ") and done.stderr.count("\n") == 1
    return done.stderr


# --- arguments --------------------------------------------------------------------

PROGRAM = os.path.join(BUILD, "planwrightctl")


def test_help_names_what_the_manual_names():
    text = run(PROGRAM, "--help").stdout
    commands = re.findall(r"^planwrightctl ((?:[a-z]+ ?)+)(?![a-z|])", text, re.M)
    manual = (TOP / "man" / "planwrightctl.8").read_text()
    assert {"migrate", "person add", "doctor", "demo"} <= {c.strip() for c in commands}
    for command in commands:
        assert re.search(rf"^\.(It )?Cm {command.strip()}\b", manual, re.M), command
    assert "--password-file FILE" in run(PROGRAM, "passwd", "--help").stdout
    assert re.fullmatch(r"planwrightctl \d+\.\d+\n", run(PROGRAM, "--version").stdout)


@pytest.mark.parametrize("args, said", [
    ([], "a command is missing"), (["person", "gone"], "person has no command gone: it has "),
    (["help", "token", "lose"], "token has no command lose"), (["help", "x"], "there is no command x"),
    (["nothing"], "there is no command nothing"), (["passwd"], "LOGIN is missing; usage: "),
    (["passwd", "a", "b"], "one argument too many"),
    (["passwd", "a", "--owner", "b"], "passwd takes no option --owner"),
    (["passwd", "a", "--password-file"], "--password-file is missing its value"),
    (["passwd", "a", "--password-file=x", "--password-file=y"], "--password-file is given twice"),
    (["person", "add", "--name", "A"], "--email is missing"),
    (["import", "--dry-run"], "FILE... is missing"),
    (["import", "x", "--dry-run=yes"], "--dry-run takes no value"),
    (["import", "x", "--dry-run", "--dry-run"], "--dry-run is given twice"),
    (["import", "x", "--name", "y"], "import takes no option --name"),
    (["passwd", ""], "LOGIN is empty"), (["passwd", "a", "--password-file", ""], "--password-file is empty"),
    (["person", "remove", "a", "--heir="], "--heir is empty"), (["imports", "end", "a"], "a is not the number of an import: "),
    (["help", "passwd", "a"], "one argument too many"), (["--version", "a"], "there is no command --version"),
    (["passwd", b"\xff"], "argument 1 is not UTF-8 text")])
def test_wrong_arguments(args, said):
    done = subprocess.run([PROGRAM, *args], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_groups_and_help():
    group = run(PROGRAM, "token").stdout
    assert re.findall(r"^planwrightctl (.+?) LOGIN", group, re.M)[:2] == ["token show", "token rotate"]
    assert run(PROGRAM, "help", "token").stdout == run(PROGRAM, "token", "--help").stdout == group
    assert run(PROGRAM, "help").stdout == run(PROGRAM, "--help").stdout
    assert run(PROGRAM, "help", "token", "show").stdout == run(
        PROGRAM, "token", "show", "-h").stdout


def completed(*words):
    """What bash offers after these words."""
    script = run(PROGRAM, "completion", "bash").stdout + f"""
        COMP_WORDS=(planwrightctl {' '.join(f"'{w}'" for w in words)}); COMP_CWORD={len(words)}
        _planwrightctl; printf '%s\n' "${{COMPREPLY[@]}}" """
    return run("bash", "-c", script).stdout.split()


def test_completion():
    assert {"migrate", "token", "doctor", "help"} <= set(completed(""))
    assert completed("to") == completed("help", "to") == ["token"]
    assert {"show", "rotate"} <= set(completed("token", ""))
    assert completed("person", "add", "--user") == ["--username"]
    assert completed("person", "add", "--name", "A", "--em") == ["--email"]
    assert completed("completion", "z") == ["zsh"]
    assert "#compdef planwrightctl\n" in run(PROGRAM, "completion", "zsh").stdout
    fish = run(PROGRAM, "completion", "fish").stdout
    assert "-n '__fish_seen_subcommand_from help' -a 'migrate grant account " in fish
    assert "complete -c planwrightctl -n '__fish_seen_subcommand_from demo' -l out -r\n" in fish
    done = run(PROGRAM, "completion", "csh", check=False)
    assert done.returncode == 2 and "csh is not bash, zsh or fish" in done.stderr


@pytest.mark.parametrize("name", ["planwright.fcgi", "planwright-live", "planwright-sender", "planwright-importer"])
def test_programs_say_what_they_are(name):
    program = os.path.join(BUILD, name)
    version = run(PROGRAM, "--version").stdout.split()[1]
    assert run(program, "--version").stdout == f"{name} {version}\n"
    usage = run(program, "--help").stdout
    assert usage == run(program, "-h").stdout and len(usage.splitlines()) < 24
    assert usage.startswith(name) and max(map(len, usage.splitlines())) <= 100
    done = run(program, "--no-such", check=False)
    assert done.returncode == 78 and len(done.stderr.splitlines()) == 1
    assert f"unknown argument --no-such: see {name} --help" in done.stderr


@pytest.mark.parametrize("name, value, said", [
    ("PORT", "80000", "is no port"), ("WORKERS", "some", "set WORKERS to a number"),
    ("STATE_DIR", "/etc", "is not empty")])
def test_what_run_is_not_told_to_do(tmp_path, name, value, said):
    done = run(TOP / "run", check=False, env={
        "STATE_DIR": str(tmp_path), "PORT": "65500", "WORKERS": "1", name: value})
    assert (done.returncode, done.stderr.count("\n")) == (1, 1) and said in done.stderr


# --- passwords --------------------------------------------------------------------

def test_a_password_from_a_file(stack, tmp_path):
    file = tmp_path / "password"
    file.write_text("from a file\r\n")
    name = f"filed{os.getpid()}"
    stack.ctl("person", "add", "--name", "Filed", "--email", f"{name}@example.test",
              "--username", name, "--password-file", file)
    assert ok(Client(stack).get("/me", auth=(name, "from a file")))["username"] == name


@pytest.mark.parametrize("password, said", [
    ("short", "at least 8"), ("x" * 1001, "at most 1000"), ("two\nlines here", "one line"),
    ("", "at least 8")])
def test_what_is_no_password(stack, person, password, said):
    who = person("No Password")
    assert said in fails(stack, "passwd", who.username, stdin=password)
    assert "cannot be opened" in fails(stack, "passwd", who.username, "--password-file", "/none")


def test_people_who_are_not_there(stack):
    for command in ("passwd", "token show", "token rotate"):
        assert "nobody has the email address or user name nobody" in fails(
            stack, *command.split(), "nobody")
    stack.ctl("person", "add", "--name", "A", "--email", "twice@example.test")
    assert "another person has this email address" in fails(
        stack, "person", "add", "--name", "A", "--email", "Twice@example.test")


def test_names_and_zones_of_new_people(stack, sql):
    """What is not given is derived from the rest; a zone must be one that the database knows."""
    stack.ctl("person", "add", "--name", "Eva Maria  Östen", "--email", "Eva.+@zones.example.test",
              "--time-zone", "Europe/Vienna")
    stack.ctl("person", "add", "--name", "Eva", "--email", "eva.@other.example.test")
    assert sql("select username, initials, time_zone from person where username like 'eva.%'"
               " order by id") == [("eva.", "EMÖ", "Europe/Vienna"), ("eva.2", "E", "Etc/UTC")]
    for zone in ("Mars/Base", "EST5EDT", "x'y"):
        assert "is not a time zone" in fails(stack, "person", "add", "--name", "A", "--email",
                                        "zone@example.test", "--time-zone", zone, status=2)
    assert "another person has this user name" in fails(
        stack, "person", "add", "--name", "A", "--email", "z@example.test", "--username", "EVA.")
    stack.ctl("account", "add", "Company", "--owner", "eva.2")
    assert sql("select m.owner, m.admin, m.project_creator from account a join account_membership m"
               " on m.account_id = a.id where a.name = 'Company'")[0] == (True, True, True)
    assert "must have 1 to 100 characters" in fails(stack, "account", "add", "x" * 101, "--owner", "eva.2", status=2)


# --- imports: their options --------------------------------------------------------

@pytest.mark.parametrize("option, value, said", [
    ("--project", "x", "give a number from 1"), ("--account", "0", "give a number from 1"),
    ("--iteration-length", "5", "give a number from 1 to 4"),
    ("--date-order", "ymd", "give mdy or dmy"), ("--encoding", "latin1", "give utf-8 or windows-1252"),
    ("--week-start-day", "Someday", "give one like Monday"),
    ("--start-date", "1/2/2026", "give one like 2026-01-31"),
    ("--time-zone", "Mars/Base", "give one like Europe/Vienna"),
    ("--point-scale", "0,2,1", "must be provided in ascending order"),
    ("--report", "/none/report", "name another file")])
def test_values_of_options_of_imports(stack, option, value, said):
    whose = [] if option in ("--project", "--account") else ["--account", "1"]
    done = stack.ctl("import", *whose, option, value, "/none", check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("planwrightctl: import: ") and said in done.stderr
    assert value in done.stderr


def test_the_account_of_an_import(new_stack):
    server = new_stack()

    def said():
        done = server.ctl("import", "--report", server.directory, "/none", check=False)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr
    assert "add one with planwrightctl account add" in said()
    Person(server, "Olga", username="olga")
    server.ctl("account", "add", "First", "--owner", "olga")
    assert "the report" in said()
    server.ctl("account", "add", "Second", "--owner", "olga")
    assert f"({IDS_FROM} First, {IDS_FROM + 1} Second)" in said()
    done = server.ctl("import", "--project=1", "--account=1", "/none", check=False)
    assert done.returncode == 2 and "--project names an existing project" in done.stderr


# --- ids --------------------------------------------------------------------------

IDS_FROM = 200_000_000


def places(server):
    """The last id of each kind, used or skipped."""
    return dict(server.sql("select sequencename::text, coalesce(last_value, 0) from pg_sequences"
                           " where schemaname = 'planwright'"))


def test_ids_begin_above_those_of_the_original(new_stack):
    server = new_stack()
    assert set(places(server).values()) == {IDS_FROM - 1}
    client = Client(server, Person(server, "Ida").token)
    project = new_project(client)["id"]
    story = ok(client.post(f"/projects/{project}/stories", {"name": "First"}))["id"]
    assert story == project == ok(client.get("/me"))["id"] == IDS_FROM
    before = places(server)
    server.ctl("migrate")
    assert places(server) == before


def test_ids_are_moved_and_never_back(new_stack):
    server = new_stack()
    assert server.ctl("ids", "--from", "300000000").stdout == "ids of new objects start at 300000000\n"
    assert set(places(server).values()) == {299_999_999}
    said = server.ctl("ids", "--from", "250000000").stdout
    assert "those of person_id_seq are above it already, and continue after 299999999" in said
    assert set(places(server).values()) == {299_999_999}
    for wrong in ("1", "2000000001", "many", "-5"):
        assert "is not a number from 2 to 2000000000" in fails(server, "ids", "--from", wrong, status=2)


def test_an_older_server_keeps_its_ids(new_stack):
    server = new_stack()
    server.sql("select setval(format('planwright.%I', sequencename)::regclass, 70)"
               " from pg_sequences where schemaname = 'planwright'")
    server.ctl("migrate")
    assert set(places(server).values()) == {70}


# --- the server as a whole ----------------------------------------------------------

def doctor(server, *args):
    """What is wrong, as {subject: line}; empty if all is well."""
    done = server.ctl("doctor", *args, check=False)
    lines = [line.split(None, 1) for line in done.stdout.splitlines()]
    assert lines and {verdict for verdict, _ in lines} <= {"ok", "wrong"}
    found = {line.split(":")[0]: line for verdict, line in lines if verdict == "wrong"}
    assert done.returncode == (1 if found else 0)
    return found


def socket_of(server):
    return os.path.join(server.env["STACK_RUN"], "web", "fcgi.sock")


def test_doctor_finds_what_is_wrong(new_stack):
    server = new_stack(workers=1, expects_5xx=True)
    socket = socket_of(server)
    assert doctor(server, "--socket", socket) == {}
    assert "is not a socket" in doctor(server, "--socket", server.env["STACK_CONF"])["socket"]
    assert "start the workers" in doctor(server, "--socket", "/none")["socket"]
    assert "too long" in doctor(server, "--socket", "/" + "x" * 200)["socket"]
    files = server.directory / "files"
    files.chmod(0o777)
    found = doctor(server)
    assert "clock" not in found and "reset it" not in found["files"]
    files.chmod(0o700)
    mail = run(PROGRAM, "doctor", check=False, env={
        "PLANWRIGHT_CONF": server.env["STACK_CONF"], "PLANWRIGHT_SMTP_URL": "smtp://mail.test"})
    assert "wrong mail: it is off because smtp_url is set without mail_from" in mail.stdout
    more = run(PROGRAM, "doctor", check=False, env={
        "PLANWRIGHT_CONF": server.env["STACK_CONF"], "PLANWRIGHT_SMTP_URL": "smtp://mail.test",
        "PLANWRIGHT_MAIL_FROM": "planwright", "PLANWRIGHT_DISK_FLOOR_MIB": "1048576",
        "PLANWRIGHT_BASE_URL": "http://127.0.0.1:1"}).stdout
    assert "wrong mail: mail_from is not an address" in more
    assert "less than disk_floor_mib (1048576): free space" in more
    assert "wrong workers: nothing answers at base_url, http://127.0.0.1:1: " in more
    server.part("stop", "workers")
    found = doctor(server, "--socket", socket)
    assert "socket" in found and "/-/ready answers 502: start the workers" in found["workers"]
    server.part("stop", "postgres")
    for line in (doctor(server)["database"], fails(server, "migrate")):
        assert "start the database" in line and "\t" not in line


@pytest.mark.timed
def test_a_migration_that_waits_is_in_nobodys_way(new_stack):
    """It needs a table that a long transaction holds, and has locked others that requests need."""
    server = new_stack(workers=1)
    client = Client(server, Person(server, "Boss").token)
    path = f"/projects/{new_project(client)['id']}"
    slowest, end = 0, time.monotonic() + 4
    with contextlib.closing(psycopg2.connect(server.env["STACK_ADMIN_DB"])) as other:
        other.cursor().execute("lock table api.story in row exclusive mode")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            migrated = pool.submit(server.ctl, "migrate")
            while time.monotonic() < end:
                start = time.monotonic()
                ok(client.get(path))
                slowest = max(slowest, time.monotonic() - start)
                time.sleep(0.02)
            assert not migrated.done()
            other.rollback()
            assert "views are up to date" in migrated.result().stdout
    assert slowest < within(3)


def test_migrations_that_are_not_the_programs(new_stack):
    server = new_stack(workers=1)
    assert "no migrations were pending" in server.ctl("migrate").stdout
    recorded = server.sql("select max(number) from planwright.schema_migration")[0][0]
    for change, undo, said in (
            ("insert into planwright.schema_migration (number, name, sha256)"
             " select 9999, '9999_later', sha256 from planwright.schema_migration where number = 1",
             "delete from planwright.schema_migration where number = 9999", "does not know"),
            ("update planwright.schema_migration set sha256 = reverse(sha256) where number = 1",
             "update planwright.schema_migration set sha256 = reverse(sha256) where number = 1",
             "differs from it"),
            ("update planwright.schema_migration set number = -2 where number = 2",
             "update planwright.schema_migration set number = 2 where number = -2", "lacks the")):
        server.sql(change)
        assert said in fails(server, "migrate")
        assert said in doctor(server)["schema"]
        server.sql(undo)
    assert doctor(server) == {}
    server.sql("delete from planwright.schema_migration where number = %s", recorded)
    assert "pending" in doctor(server)["schema"]
    assert "run planwrightctl migrate" in fails(server, "demo")


def test_the_demo_loads_and_gives_new_secrets(new_stack, tmp_path):
    server = new_stack(workers=1, settings="add_people_by_id = seen")
    file = tmp_path / "demo.json"
    said = set()
    for _ in range(2):
        assert "the demo is loaded" in server.ctl("demo", "--out", file).stdout
        assert file.stat().st_mode & 0o777 == 0o600
        people = list(json.loads(file.read_text())["people"].values())
        server.secrets += [p[word] for p in people for word in ("password", "token")]
        said |= {p["token"] for p in people}
        for one in people:
            assert ok(Client(server, one["token"]).get("/me"))["email"] == one["email"]
        assert len(ok(Client(server, people[0]["token"]).get("/projects"))) >= 1
    assert len(said) == 2 * len(people)
    assert ok(Client(server).get("/me", auth=(people[0]["username"], people[0]["password"])))
    assert "planwrightctl: " in fails(server, "demo", "--out", "/none/demo.json")


def test_the_demo_is_not_for_a_server_with_people(new_stack, tmp_path):
    server = new_stack(workers=1)
    Person(server, "Real")
    assert "has 1 other person" in fails(server, "demo", "--out", tmp_path / "demo.json")
    assert not (tmp_path / "demo.json").exists()
    server.ctl("demo", "--force", "--out", tmp_path / "demo.json")
    demo = json.loads((tmp_path / "demo.json").read_text())
    server.secrets += [p[word] for p in demo["people"].values() for word in ("password", "token")]


def test_the_demo_is_what_happened_in_eight_weeks(new_stack, tmp_path):
    """Created by requests: all effects of each change are there, in chronological order."""
    server = new_stack(workers=1)
    server.ctl("demo", "--out", tmp_path / "demo.json")
    demo = json.loads((tmp_path / "demo.json").read_text())
    server.secrets += [p[word] for p in demo["people"].values() for word in ("password", "token")]
    owner = Client(server, demo["people"]["owner"]["token"])
    path = f"/projects/{demo['project_id']}"
    for project in (path, f"/projects/{demo['public_project_id']}"):
        version = ok(owner.get(project))["version"]
        feed = ok(owner.get(f"{project}/activity?limit=500&sort_order=asc"))
        assert [a["project_version"] for a in feed] == list(range(2, version + 1))
        times = [a["occurred_at"] for a in feed]
        assert times == sorted(times)
    iterations = ok(owner.get(f"{path}/iterations?scope=done_current"))
    assert [len(i["stories"]) for i in iterations[:7]] == [0, 4, 4, 4, 4, 3, 4]
    stories = ok(owner.get(f"{path}/stories?limit=500&fields=current_state,tasks,labels,owner_ids"))
    assert {s["current_state"] for s in stories} >= {
        "accepted", "delivered", "finished", "started", "rejected", "unstarted", "unscheduled"}
    assert all(t["complete"] for s in stories if s["current_state"] == "accepted" for t in s["tasks"])
    assert sum(len(s["labels"]) for s in stories) == 40
    assert {e["label"]["name"] for e in ok(owner.get(f"{path}/epics"))} == {"loans", "search"}
    blocked, = ok(owner.get(f"{path}/stories?filter=is:blocked"))
    waits_for = ok(owner.get(f"{path}/stories?filter=is:blocking"))
    assert [b["description"] for b in ok(owner.get(f"{path}/stories/{blocked['id']}/blockers"))] == [f"Waits for #{s['id']}" for s in waits_for]
    asked, = ok(owner.get(f"{path}/stories?filter=reviewer:owner"))
    assert [r["status"] for r in ok(owner.get(f"{path}/stories/{asked['id']}/reviews"))] == ["unstarted"]
    assert [n["message"].startswith("You were mentioned") for n in ok(owner.get("/my/notifications"))].count(True) == 1
    member = Client(server, demo["people"]["member"]["token"])
    assert {n["action"] for n in ok(member.get("/my/notifications"))} >= {"acceptance", "delivery"}
    assert ok(member.get(f"{path}/search?query=terminal"))["stories"]["total_hits"] == 1


def test_a_demo_that_fails_leaves_nothing(new_stack, tmp_path):
    """It is one transaction, and its file gets its name only at the end."""
    server = new_stack(workers=1)
    server.sql("alter table planwright.story add constraint no_website check (name not like '%site%')")
    said = server.ctl("demo", "--out", tmp_path / "demo.json", check=False)
    assert said.returncode == 1 and "demo: POST /projects/" in said.stderr
    assert list(tmp_path.iterdir()) == []
    assert server.sql("select (select count(*) from planwright.person), (select count(*) from"
                      " planwright.project), (select count(*) from planwright.story)") == [(0, 0, 0)]


def test_the_sweep_leaves_young_files(new_stack):
    """They may belong to an upload in progress; mtime, which a restored backup sets, does not count."""
    server = new_stack(workers=1)
    files = [server.directory / "files" / name for name in ("05/4294967301", "tmp/old")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text("x")
        os.utime(file, (0, 0))
    assert "0 abandoned uploads removed, 0 files deleted" in server.ctl("files", "sweep").stdout
    assert all(file.exists() for file in files)
