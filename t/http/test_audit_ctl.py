"""planwrightctl and the audit log: what its commands write."""

import getpass
import json
import os
import re
import shutil
import subprocess
import time

import psycopg2
import pytest

from conftest import Client, Person, wait_for
from importing import asked, over
from mails import mailbox  # noqa: F401
from test_audit import entries, make, person, place, seen, server  # noqa: F401
from test_import_people import COLUMNS, HEADING, story, table
from world import new_project, ok


def test_what_operators_do(place, server, tmp_path):
    user, ada, ctl = f"ctl:{getpass.getuser()}", place.ada, server.ctl
    told = lambda act: {k: v for k, v in seen(place, act).items() if k != "new"}  # noqa: E731
    by_ctl = {"by": user, "object": person(ada)}
    ctl("person", "second-factor", "off", ada.username, check=False)
    assert entries(place, act="second_factor_off") == [], "there was none"
    server.secrets.append("staples and horses")
    ctl("passwd", ada.username, "--password-file", "-", stdin="staples and horses\n")
    assert told("password_change") == by_ctl
    ctl("token", "rotate", ada.username)
    assert told("api_token_change") == by_ctl
    ctl("session", "end", ada.username)
    assert told("session_end") == by_ctl
    ctl("person", "rename", ada.username, "--name", "Ada Renamed")
    assert entries(place, act="address_change") == []
    ctl("person", "rename", ada.username, "--email", f"else.{ada.email}")
    assert seen(place, "address_change") == {
        **by_ctl, "old": {"email": ada.email, "username": ada.username},
        "new": {"email": f"else.{ada.email}", "username": ada.username}}
    for _ in range(2):
        ctl("person", "disable", ada.username)
    assert told("person_disable") == by_ctl and len(entries(place, act="person_disable")) == 1
    ctl("person", "enable", ada.username)
    assert told("person_enable") == by_ctl
    named = make(place, name="Ctl ends it")
    ctl("token", "revoke", place.username, "--token", str(named["id"]))
    assert seen(place, "token_delete") == {
        "by": user, "object": {"kind": "token", "id": named["id"], "name": "Ctl ends it"}}
    ctl("token", "revoke", ada.username)
    assert seen(place, "token_delete") == {**by_ctl, "new": {"tokens": "all"}}
    ctl("export", str(place.project), "--out", str(tmp_path / "x.zip"))
    assert seen(place, "project_export") == {
        "by": user, "project_id": place.project, "object": {"kind": "project", "id": place.project}, "new": {"form": "zip"}}
    ctl("account", "give", str(place.account), "--owner", ada.username)
    assert place.client.get(place.log).status_code == 403
    for _ in range(2):
        ctl("account", "give", str(place.account), "--owner", place.username)
    assert seen(place, "account_change") == {
        "by": user, "object": {"kind": "account", "id": place.account}, "old": {"owner_id": ada.id}, "new": {"owner_id": place.id}}
    assert len(entries(place, act="account_change")) == 2
    ctl("person", "remove", ada.username, "--heir", place.username, "--yes")
    assert told("person_delete") == by_ctl
    assert {e["by"] for e in entries(place, act="membership_delete")} == {user}
    ctl("project", "delete", str(place.project), "--yes")
    gone = seen(place, "project_delete")
    assert gone["by"] == user and "person_id" not in gone and gone["project_id"] == place.project


def test_an_import_is_told_with_what_it_wrote(place, server, tmp_path):
    """If its entry cannot be written, the import is not made."""
    file = tmp_path / "stories.csv"
    file.write_text("Id,Title\n,One\n")
    args = ["import", "--account", str(place.account), "--new-project", "By planwrightctl", str(file)]
    server.sql("alter table audit_entry add constraint untold check (act <> 'project_import') not valid")
    try:
        done = server.ctl(*args, check=False)
        assert done.returncode == 1 and "a statement failed" in done.stderr, done.stderr
    finally:
        server.sql("alter table audit_entry drop constraint untold")
    assert server.sql("select 1 from project where name = 'By planwrightctl'") == []
    assert entries(place, act="project_import") == []
    server.ctl(*args)
    (made,), = server.sql("select id from project where name = 'By planwrightctl'")
    told = {"by": f"ctl:{getpass.getuser()}", "project_id": made, "object": {"kind": "project", "id": made}}
    assert seen(place, "project_import") == told
    assert entries(place, act="project_create")[0]["object"] == told["object"]


def test_who_joins_and_who_is_new_by_an_import(new_stack, tmp_path):
    """By whom it was, also for collectors: planwrightctl's user, or the person who asked for it over HTTP."""
    server = new_stack(workers=1, settings="audit_log = on")
    olga = Person(server, "Olga Owns")
    olga.client = Client(server, olga.token)
    project = new_project(olga.client)
    path = f"/projects/{project['id']}"
    for n, by in enumerate((f"ctl:{getpass.getuser()}", "import")):
        files = {"stories.csv": table(HEADING, story(8807000 + n, f"New {n}")),
                 "people.csv": table(COLUMNS, [f"New {n}", f"new-{n}@import.test", "", "", "create"])}
        if n == 0:
            for name, text in files.items():
                (tmp_path / name).write_text(text)
            log = server.ctl("import", "--project", str(project["id"]), "--people", tmp_path / "people.csv",
                             tmp_path / "stories.csv").stderr
        else:
            done = over(olga.client, asked(olga.client, path, ("file", "stories.csv", files["stories.csv"].encode()),
                                           ("people", "people.csv", files["people.csv"].encode())))
            assert done["state"] == "done", done
            assert wait_for(lambda: "membership_create" in server.log("importer"))
            log = server.log("importer")
        (new,), = server.sql("select id from person where email = %s", f"new-{n}@import.test")
        found = [json.loads(text) for text in re.findall(r"audit (\{.*\})$", log, re.M)]
        # An import names its new people at its end, so either may be first.
        told = sorted((e for e in found if e["object"]["id"] == new), key=lambda e: e["act"], reverse=True)
        assert [e["act"] for e in told] == ["person_create", "membership_create"]
        for entry in told:
            assert entry["by"] == by and entry.get("person_id") == (olga.id if n else None)
            assert entry["account_ids"] == [project["account_id"]] and entry["object"]["kind"] == "person"
        assert told[0]["new"]["email"] == f"new-{n}@import.test" and told[1]["new"] == {"role": "member"}
        assert [e for e in lines(server) if e["id"] in [t["id"] for t in told]] == sorted(told, key=lambda e: e["id"])


def test_what_operators_do_to_the_server(server, tmp_path):
    server.ctl("backup", str(tmp_path / "b"), "--without-secret")
    server.ctl("secret", "rotate", "--out", str(tmp_path / "secret"))
    server.secrets.append((tmp_path / "secret").read_text().strip())
    shutil.move(tmp_path / "secret", server.directory / "secret")
    rows = server.sql("""select act, means, account_id from audit_entry
        where act in ('backup', 'secret_rotate') order by id""")
    assert rows == [(act, f"ctl:{getpass.getuser()}", None) for act in ("backup", "secret_rotate")]


# --- reading it -----------------------------------------------------------------------------------

def lines(server, *args):
    return [json.loads(line) for line in server.ctl("audit", "--json", *args).stdout.splitlines()]


def test_operators_read_all_of_it(place, server):
    other = new_project(place.ada.client)
    ok(place.client.put(place.path, {"iteration_length": 2}))
    found = lines(server, "--act", "project_change", "--account", str(place.account))
    assert len(found) == 1
    entry, listed = found[0], entries(place, act="project_change")[0]
    assert entry.pop("account_ids") == [place.account] and entry.pop("username") == place.username
    assert re.fullmatch(r"[\dT:-]+\.\d{3}Z", entry["occurred_at"])
    assert entry | {"occurred_at": listed["occurred_at"]} == listed
    by_ada = lines(server, "--person", place.ada.username)
    assert [e["id"] for e in by_ada] == sorted(e["id"] for e in by_ada) and {e["person_id"] for e in by_ada} == {place.ada.id}
    assert lines(server, "--project", str(other["id"]))[0]["act"] == "project_create"
    assert lines(server, "--before", "2020-01-01") == []
    assert lines(server, "--after", "2020-01-01", "--last", "1")[-1]["project_id"] == place.project
    text = server.ctl("audit", "--last", "1", "--person", place.username).stdout.rstrip("\n").split("\t")
    assert len(text) == 10 and text[1:4] == ["project_change", place.username, "api_token"]
    assert server.ctl("audit", "--act", "nothing", check=False).returncode == 2
    assert server.ctl("audit", "--after", "soon", check=False).returncode == 2


def test_one_act_of_two_accounts_is_one_line(place, server):
    other = new_project(place.client)
    ok(place.client.put(f"/projects/{other['id']}", {"account_id": place.account}))
    found = lines(server, "--act", "project_change", "--project", str(other["id"]))
    assert [e["account_ids"] for e in found] == [sorted((place.account, other["account_id"]))]


def test_follow_misses_nothing(place, server):
    """Nor entries of transactions that began before others and ended later."""
    program = subprocess.Popen([server.env["STACK_CTL"], "audit", "--follow", "--json"], text=True, stdout=subprocess.PIPE,
                               env={**os.environ, "PLANWRIGHT_CONF": server.env["STACK_CONF"]})
    try:
        time.sleep(1.5)
        slow = psycopg2.connect(server.env["STACK_ADMIN_DB"], options="-c search_path=planwright")
        slow.cursor().execute("insert into audit_entry (is_first, act, means) values (true, 'backup', 'slow')")
        ok(place.client.put(place.path, {"iteration_length": 3}))
        time.sleep(2)
        slow.commit()
        slow.close()
        ok(place.client.put(place.path, {"iteration_length": 4}))
        got = []
        while not got or got[-1].get("new") != {"iteration_length": 4}:
            got.append(json.loads(program.stdout.readline()))
        assert [e["act"] for e in got if e["by"] == "slow"] == ["backup"]
        assert [e["new"] for e in got if e["act"] == "project_change"] == [{"iteration_length": 3}, {"iteration_length": 4}]
        assert len({e["id"] for e in got}) == len(got)
    finally:
        program.kill()
        program.wait()


def test_lines_for_collectors(new_stack):
    server = new_stack(workers=1, settings="audit_log = on")
    ada = Person(server, "Ada Logs")
    client = Client(server, ada.token)
    project = new_project(client)
    Client(server).post("/session", {"login": ada.email, "password": "wrong"}, headers={"X-Requested-With": "planwright"})
    ok(client.get(f"/projects/{project['id']}"))
    assert wait_for(lambda: "sign_in_refused" in server.log("workers"))
    found = [json.loads(text) for text in re.findall(r"audit (\{.*\})$", server.log("workers"), re.M)]
    assert [e["act"] for e in found] == ["account_create", "membership_create", "project_create", "membership_create",
                                         "sign_in_refused"]
    assert found == [e for e in lines(server) if "ctl-" not in e["request_id"]]
    done = server.ctl("person", "disable", ada.username)
    assert json.loads(re.search(r"audit (\{.*\})$", done.stderr, re.M)[1])["act"] == "person_disable"


def test_each_line_is_json_whatever_names_contain(new_stack):
    """Control characters that JSON need not escape, and more than fits in a line of a log."""
    server = new_stack(workers=1, settings="audit_log = on")
    ada = Person(server, "Ada Odd")
    client = Client(server, ada.token)
    project = new_project(client)
    odd = 'a"b\\c\nd\x7f\x85\u2028\u009f{}'
    ok(client.put(f"/projects/{project['id']}", {"name": odd}))
    ids = [new_project(client)["id"] for _ in range(3)]
    long = ok(client.post(f"/projects/{project['id']}/integrations", {
        "kind": "other_integration", "name": "a" + "\x7f" * 99, "base_url": f"https://{'h' * 200}.example.test/"}))
    many = ok(client.post("/my/tokens", {"name": "b" + "\x85" * 99, "scope": "read", "project_ids": ids}))
    server.secrets.append(many["token"])
    server.sql("""insert into audit_entry (is_first, act, means, request_id, object_kind, object_name, new)
        values (true, 'webhook_create', 'x', 'ctl-long', 'webhook', %s, json_build_object('webhook_url', repeat('x', 5000)))""", odd)
    texts = lambda text: [json.loads(line) for line in re.findall(r"audit (\{.*\})$", text, re.M)]
    assert wait_for(lambda: "token_create" in server.log("workers"))
    written = server.log("workers").count("audit {")
    found = texts(server.log("workers"))
    assert len(found) == written
    told = {e["act"]: e for e in found}
    assert told["project_change"]["new"] == {"name": odd} and told["integration_create"]["object"]["name"] == long["name"]
    assert told["token_create"]["object"]["name"] == "b" + "\x85" * 99
    assert found == [e for e in lines(server) if "ctl-" not in e["request_id"]]


def test_what_is_too_long_for_a_line_is_cut(new_stack):
    """It is a JSON object all the same, which says so."""
    server = new_stack(workers=1, settings="audit_log = on")
    client = Client(server, Person(server, "Ada Long").token)
    path = f"/projects/{new_project(client)['id']}"
    ok(client.put("/me", {"name": "n" + "\u0085" * 254, "username": "\U0001d4b3" * 100}))
    ok(client.put("/me", {"username": "\U0001d4b4" * 100, "name": "x"}))
    for host in ("\u00fc" * 1980, "\u00e4" * 1980):
        ok(client.post(f"{path}/webhooks", {"webhook_url": f"https://{host}/", "webhook_version": "v5"}))
    assert wait_for(lambda: server.log("workers").count("webhook_create") == 2)
    whole = {e["id"]: e for e in lines(server)}
    found = [json.loads(line) for line in re.findall(r"audit (\{.*\})$", server.log("workers"), re.M)]
    cut = [e for e in found if e.get("cut")]
    assert len(found) == server.log("workers").count("audit {") and [e["act"] for e in cut] == ["webhook_create"] * 2
    for entry in cut:
        left_out = {k: v for k, v in whole[entry["id"]].items() if k not in ("old", "new", "account_ids")}
        assert entry == {**left_out, "cut": True}


@pytest.mark.parametrize("before", [b"x" + "\u00e9".encode() * 60, b"\xff\xfe", b"a\nb\x1b[0m"])
def test_the_system_s_users_have_any_names(server, place, before):
    done = subprocess.run([server.env["STACK_CTL"], "session", "end", place.ada.username], capture_output=True, env={
        **os.environb, b"PLANWRIGHT_CONF": server.env["STACK_CONF"].encode(), b"SUDO_USER": before})
    assert done.returncode == 0, done.stderr
    means = entries(place, act="session_end")[0]["by"]
    assert means.startswith(f"ctl:{getpass.getuser()} (") and means.endswith(")") and means.isprintable()


def test_a_long_answer_is_told_to_collectors_once(new_stack):
    """The process that made the answer logs it, since it has the request's id."""
    server = new_stack(workers=1, settings="audit_log = on")
    client = Client(server, Person(server, "Ada Exports").token)
    project = new_project(client)["id"]
    assert client.get(f"/projects/{project}/export.zip").status_code == 200
    assert wait_for(lambda: "project_export" in server.log("workers"))
    ok(client.get(f"/projects/{project}"))
    assert len(re.findall(r'audit .*"project_export"', server.log("workers"))) == 1


# --- months ---------------------------------------------------------------------------------------

def months(server):
    return sorted(name for name, in server.sql("""select c.relname::text from pg_inherits i
        join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_entry'::regclass"""))


def test_months_come_and_go(new_stack):
    server = new_stack(workers=1, settings="audit_months = 2")
    server.pin("2031-05-20 12:00:00+00")
    assert "audit log: a month has no partition" in server.ctl("doctor", check=False).stdout
    ada = Person(server, "Ada Later")
    server.sql("""insert into audit_entry (is_first, act, means, occurred_at) select true, 'sign_in', 'x', t from unnest(array[
        '2031-08-31 23:59:59.9+00', '2031-09-01 00:00:00+00'::timestamptz]) t""")
    before = server.sql("select * from audit_entry order by id")
    assert server.sql("select count(*) from audit_entry_rest") == [(len(before),)]
    now = server.sql("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY_MM')")[0][0]
    assert f"audit_entry_{now}" in months(server)
    assert server.ctl("clean").stdout == "4 months of the audit log dropped\n"
    assert months(server) == [*(f"audit_entry_2031_0{n}" for n in (5, 6, 7, 8)), "audit_entry_rest"]
    assert server.sql("select * from audit_entry order by id") == before, "and none is lost"
    assert server.sql("select count(*) from audit_entry_rest") == [(1,)], "that of September"
    server.sql("delete from audit_entry_rest")
    server.sql("delete from audit_entry_2031_05")
    assert server.sql("select * from audit_entry order by id") == before, "they keep their rules"
    server.pin("2031-07-31 23:00:00+00")
    assert server.ctl("clean").stdout == "0 months of the audit log dropped\n"
    server.pin("2031-08-01 00:00:00+00")
    assert server.ctl("clean").stdout == "1 month of the audit log dropped\n"
    assert "audit_entry_2031_05" not in months(server) and "audit_entry_2031_11" in months(server)
    assert "wrong: audit log" not in server.ctl("doctor", check=False).stdout
    server.pin(None)
    assert ada.id
