"""planwrightctl: the arguments of all commands, their help, and the commands for accounts, projects, sessions and
settings."""

import json
import os
import re
import subprocess
import uuid

import pytest

from conftest import BUILD, TOP, Client, Person, run
from test_ctl import fails
from world import new_project, ok

PROGRAM = os.path.join(BUILD, "planwrightctl")


def commands():
    """{name: help} of all commands."""
    names = re.findall(r"^planwrightctl ((?:[a-z]+ ?)+?)(?= [^a-z]| [a-z]+\||$)", run(PROGRAM, "help").stdout, re.M)
    return {n.strip(): run(PROGRAM, "help", *n.split()).stdout for n in names if n.strip() != "help"}


COMMANDS = commands()


def needed(name):
    """The arguments that the command requires, with invalid values."""
    usage = COMMANDS[name].splitlines()[0].removeprefix(f"planwrightctl {name}")
    usage = re.sub(r"\[[^]]*\]", "", usage).split()
    return [w if w.startswith("--") else "1" if w != "bash|zsh|fish" else "zsh" for w in usage]


def options(name):
    """[(option, value or None, help)]"""
    return [(o, v or None, text) for o, v, text in re.findall(
        r"^  (--[a-z-]+)(?: (\S+))?\n      (.+)$", COMMANDS[name], re.M)]


def wrong(*args):
    done = subprocess.run([PROGRAM, *args], capture_output=True, text=True,
                          env={**os.environ, "PLANWRIGHT_CONF": "/none"})
    assert (done.returncode, done.stdout) == (2, ""), (args, done)
    assert done.stderr.startswith("planwrightctl: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_wrong_arguments_of_each_command_end_with_2(name):
    """Before any setting is read."""
    words, more = name.split(), needed(name)
    wrong(*words, *more, "--no-such-option")
    wrong(*words, *more, b"\xff")
    if "..." not in COMMANDS[name].splitlines()[0]:
        wrong(*words, *more, "one", "too", "many")
    if more:
        wrong(*words, *more[:-1])
    for option, value, _ in options(name):
        if value:
            wrong(*words, *[w for w in more if w != option], option)
        else:
            wrong(*words, *more, f"{option}=x")
        wrong(*words, *more, option, *(["1"] if value else []), option, *(["1"] if value else []))
        if value == "ID" or value and "|" in value:
            rest = more[:more.index(option)] + more[more.index(option) + 2:] if option in more else more
            wrong(*words, *rest, option, "x")
    for word in ("ID", "PROJECT", "DELIVERY", "bash|zsh|fish"):
        if re.match(rf"planwrightctl {name} \[?{re.escape(word)}\]?( |$)", COMMANDS[name].splitlines()[0]):
            wrong(*words, "x")


@pytest.mark.parametrize("args", [
    ["import", "x", "--project=1", "--new-project=x"], ["export", "--account=1", "--all"],
    ["backup", "x", "--verify", "--without-secret"], ["status", "--json", "--prometheus"],
    ["backup", "x", "--passphrase-file=x", "--without-secret"], ["describe", "--html", "--man"]])
def test_options_that_exclude_each_other(args):
    wrong(*args)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_tells_each_option_as_the_manual_does(name):
    usage = COMMANDS[name].splitlines()[0]
    told = options(name)
    assert {o for o, _, _ in told} == set(re.findall(r"--[a-z-]+", usage))
    assert all(text.endswith(".") for _, _, text in told)
    manual = (TOP / "man" / "planwrightctl.8").read_text().replace("\\-", "-")
    synopsis = manual[manual.index(".Sh SYNOPSIS"):manual.index(".Sh DESCRIPTION")]
    blocks = re.findall(rf"^\.Nm\n\.Cm {name}( .*)?\n((?:(?!\.Nm).*\n)*)", synopsis, re.M)
    assert blocks
    assert {"--" + o for o in re.findall(r"Fl -([a-z-]+)", str(blocks))} == {o for o, _, _ in told}


@pytest.fixture
def boss(person):
    return person("Boss")


@pytest.fixture
def heir(person):
    return person("Heir")


def members(client, account):
    return {m["person"]["id"]: m for m in ok(client.get(f"/accounts/{account}/memberships"))}


def test_an_account_gets_another_owner(stack, api, boss, heir):
    account = new_project(api(boss))["account_id"]
    stack.ctl("account", "give", account, "--owner", heir.username)
    found = members(api(heir), account)
    assert (found[heir.id]["owner"], found[boss.id]["owner"], found[boss.id]["admin"]) == (True, False, True)
    assert "there is no account 7" in fails(stack, "account", "give", "7", "--owner", heir.username)
    assert "nobody has" in fails(stack, "account", "give", str(account), "--owner", f"x{uuid.uuid4()}")
    stack.ctl("person", "disable", boss.username)
    assert "is disabled" in fails(stack, "account", "give", str(account), "--owner", boss.username)


def test_projects_are_listed_and_deleted(stack, api, boss, heir):
    project = new_project(api(boss))
    ok(api(boss).post(f"/projects/{project['id']}/stories", {"name": "x"}))
    line = f"{project['id']}\t{project['account_id']}\t1\tprivate\t{project['name']}"
    assert line in stack.ctl("project", "list").stdout.splitlines()
    assert [line] == stack.ctl("project", "list", "--account", project["account_id"]).stdout.splitlines()
    assert "there is no account 7" in fails(stack, "project", "list", "--account", "7")
    assert "use --yes" in fails(stack, "project", "delete", str(project["id"]))
    stack.ctl("project", "delete", project["id"], "--yes")
    assert api(boss).get(f"/projects/{project['id']}").status_code == 404
    assert "there is no project" in fails(stack, "project", "delete", str(project["id"]), "--yes")
    lonely = new_project(api(boss), no_owner=True)
    stack.ctl("project", "delete", lonely["id"], "--yes")
    assert api(boss).get(f"/projects/{lonely['id']}").status_code == 404


def test_an_owner_is_removed_when_there_is_an_heir(stack, api, boss, heir):
    project = new_project(api(boss))
    assert "--heir" in fails(stack, "person", "remove", boss.username, "--yes")
    assert "their own heir" in fails(stack, "person", "remove", boss.username, "--heir", boss.email, "--yes",
                                   status=2)
    stack.ctl("person", "remove", boss.username, "--heir", heir.username, "--yes")
    found = members(api(heir), project["account_id"])
    assert list(found) == [heir.id] and found[heir.id]["owner"]
    roles = {m["person"]["id"]: m["role"] for m in ok(api(heir).get(f"/projects/{project['id']}/memberships"))}
    assert roles == {heir.id: "owner"}


def session(stack, person):
    answer = Client(stack).post("/session", {"login": person.username, "password": person.password},
                                headers={"X-Requested-With": "planwright"})
    assert answer.status_code == 200, answer.text
    return answer.headers["Set-Cookie"].split(";")[0]


def test_sessions_are_listed_and_ended(stack, api, boss):
    def me(cookie):
        return Client(stack).get("/me", headers={"Cookie": cookie, "X-Requested-With": "planwright"}).status_code

    def listed():
        return [line.split("\t") for line in stack.ctl("session", "list", boss.username).stdout.splitlines()]

    one, two = session(stack, boss), session(stack, boss)
    assert me(one) == me(two) == 200 and len(listed()) == 2
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", listed()[0][1])
    oldest = min(int(row[0]) for row in listed())
    stack.ctl("session", "end", boss.username, "--session", oldest)
    assert (me(one), me(two)) == (403, 200)
    assert "has no session" in fails(stack, "session", "end", boss.username, "--session", str(oldest))
    stack.ctl("session", "end", boss.username)
    assert me(two) == 403 and listed() == [] and api(boss).get("/me").status_code == 200
    for command in ("rotate", "revoke"):
        cookie = session(stack, boss)
        stack.ctl("token", command, boss.username)
        assert me(cookie) == 403 and listed() == []
    stack.secrets.append(stack.ctl("token", "show", boss.username).stdout.strip())


def test_settings_say_what_is_in_force_and_from_where(stack, tmp_path):
    conf = tmp_path / "planwright.conf"
    secret = "s" * 40
    conf.write_text(f"base_url = http://a.example\n\nsecret = {secret}\nsmtp_password = hidden\n")
    done = run(PROGRAM, "settings", env={"PLANWRIGHT_CONF": str(conf), "PLANWRIGHT_WORKERS": "3"})
    lines = done.stdout.splitlines()
    assert f"base_url = http://a.example  # {conf} line 1" in lines
    assert "workers = 3  # environment PLANWRIGHT_WORKERS" in lines
    assert "tracker_headers = on  # default" in lines and "database = dbname=planwright  # default" in lines
    assert f"secret = (not shown)  # {conf} line 3" in lines
    assert secret not in done.stdout and "hidden" not in done.stdout
    found = json.loads(stack.ctl("settings", "--json").stdout)
    assert len(found) == len(lines) and {"name", "value", "source"} == set(found[0])
    conf.write_text("workers = many\n")
    failed = run(PROGRAM, "settings", env={"PLANWRIGHT_CONF": str(conf)}, check=False)
    assert failed.returncode == 1 and "workers must be a whole number" in failed.stderr


def test_doctor_as_json(stack):
    done = stack.ctl("doctor", "--json", check=False)
    found = json.loads(done.stdout)
    text = stack.ctl("doctor", check=False)
    lines = [f"{'ok' if f['ok'] else 'wrong':5} {f['finding']}" for f in found]
    assert re.sub(r"\d+", "0", "\n".join(lines)) == re.sub(r"\d+", "0", text.stdout.rstrip("\n"))
    assert done.returncode == text.returncode == (0 if all(f["ok"] for f in found) else 1)


def test_completions_of_three_shells_are_installed():
    rules = (TOP / "Makefile.am").read_text() + (TOP / "debian" / "rules").read_text()
    for folder in ("bash-completion/completions", "zsh/site-functions", "fish/vendor_completions.d",
                   "zsh/vendor-completions"):
        assert folder in rules
    for name, begins in (("planwrightctl", "# bash"), ("_planwrightctl", "#compdef"), ("planwrightctl.fish", "# fish")):
        with open(os.path.join(BUILD, "completions", name)) as file:
            assert file.read().startswith(begins)
