"""The secret of a database, the files that contain it, and the roles that use it."""

import concurrent.futures
import os
import signal
import subprocess
import threading

from conftest import Client, Person, run, wait_for
from pooler import Way
from test_ctl import fails
from test_limits import Lock
from world import new_project, ok


def conf_with(server, tmp_path, name, **lines):
    """A copy of the settings with some lines changed."""
    old = (server.directory / "planwright.conf").read_text().splitlines()
    old = [line for line in old if line.split(" = ")[0] not in lines]
    path = tmp_path / name
    path.write_text("\n".join(old + [f"{k} = {v}" for k, v in lines.items()]) + "\n")
    path.chmod(0o600)
    return path


def ctl(server, conf, *args):
    return run(server.env["STACK_CTL"], *args, check=False, env={"PLANWRIGHT_CONF": str(conf)})


def test_another_secret_is_refused(new_stack, tmp_path):
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    (tmp_path / "other").write_text("x" * 40)
    (tmp_path / "other").chmod(0o600)
    conf = conf_with(server, tmp_path, "conf", secret_file=tmp_path / "other")
    for command in ("token show ada", "migrate", f"token rotate {ada.username}"):
        done = ctl(server, conf, *command.split())
        assert done.returncode == 1 and "does not belong to this database" in done.stderr, done
    done = ctl(server, conf, "doctor")
    assert "wrong secret: the secret does not belong" in done.stdout
    assert "downloads" not in done.stdout, "workers with another secret do not know who asks"
    worker = subprocess.run(
        ["bash", "-c", 'exec spawn-fcgi -n -s "$0" -- "$1"', str(tmp_path / "s"),
         os.path.join(server.env["STACK_BUILD"], "planwright.fcgi")],
        env={**os.environ, "PLANWRIGHT_CONF": str(conf)}, capture_output=True, text=True, timeout=20)
    assert worker.returncode == 78 and "does not belong to this database" in worker.stderr
    assert ok(Client(server, ada.token).get("/me"))["api_token"] == ada.token


def test_an_older_database_is_told_its_secret_once(new_stack, tmp_path):
    server = new_stack(workers=1)
    Person(server, "Ada")
    server.sql("delete from secret_check")
    (tmp_path / "other").write_text("x" * 40)
    conf = conf_with(server, tmp_path, "conf", secret_file=tmp_path / "other")
    assert "does not belong to this database" in ctl(server, conf, "migrate").stderr
    assert server.sql("select 1 from secret_check") == []
    server.ctl("migrate")
    assert server.sql("select octet_length(value) from secret_check") == [(32,)]


def test_rotation_at_once_keeps_tokens(new_stack, tmp_path):
    """It leaves no way from the old secret to the new one."""
    server = new_stack(workers=2, expects_5xx=True)
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    server.ctl("person", "disable", bob.username)
    new = tmp_path / "new"
    assert "cannot create" in fails(server, "secret", "rotate", "--out", "/none/x")
    done = server.ctl("secret", "rotate", "--out", new, "--at-once")
    assert server.sql("select 1 from secret_handover") == []
    assert "2 tokens are encrypted" in done.stdout and (new.stat().st_mode & 0o777) == 0o600
    server.secrets.append(new.read_text().strip())
    assert "does not belong to this database" in fails(server, "token", "show", ada.username)
    assert Client(server, ada.token).get("/me").status_code >= 500
    assert wait_for(lambda: "does not belong to this database" in server.log("workers"))
    secret = server.directory / "secret"
    secret.write_text(new.read_text())
    server.part("stop", "workers")
    server.part("start", "workers")
    assert wait_for(lambda: Client(server, ada.token).get("/me").status_code == 200)
    assert ok(Client(server, ada.token).get("/me"))["api_token"] == ada.token
    assert server.ctl("token", "show", ada.username).stdout.strip() == ada.token
    server.ctl("person", "enable", bob.username)
    assert ok(Client(server, bob.token).get("/me"))["api_token"] == bob.token


def test_rotation_refuses_no_token(new_stack, tmp_path):
    """Under load, twice: workers learn the new secret from the database, then read the new file."""
    server = new_stack(workers=3)
    people = [Person(server, name) for name in ("Ada", "Bob", "Cid", "Dan")]
    stories = f"/projects/{new_project(Client(server, people[0].token))['id']}/stories"
    stop, refused, done = threading.Event(), [], []
    named = ok(Client(server, people[3].token).post("/my/tokens", {"name": "Dan's", "scope": "read"}))["token"]
    server.secrets.append(named)

    def load(person, is_writer):
        client = Client(server, named if person is people[3] else person.token)
        while not stop.is_set():
            me = client.get("/me")
            answers = [me, client.get("/projects")]
            if is_writer:
                answers += [client.post(stories, {"name": "On the way"}), client.get(f"{stories}?limit=5")]
            for answer in answers:
                (done if answer.status_code == 200 else refused).append(answer)
            if me.status_code == 200 and client.token != named and me.json()["api_token"] != person.token:
                refused.append(me)

    def meanwhile():
        """Waits until everybody has made several requests."""
        before = len(done)
        assert wait_for(lambda: refused or len(done) > before + 60, 60)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        threads = [pool.submit(load, person, person is people[0]) for person in people]
        try:
            for i in range(2):
                meanwhile()
                new = tmp_path / f"new{i}"
                said = server.ctl("secret", "rotate", "--out", new).stdout
                assert "5 tokens are encrypted" in said and "within an hour" in said
                server.secrets.append(new.read_text().strip())
                meanwhile()
                renewed = server.log("workers").count("were replaced")
                (server.directory / "secret").write_text(new.read_text())
                os.kill(int((server.directory / "pid" / "workers").read_text().split()[0]), signal.SIGHUP)
                assert wait_for(lambda: server.log("workers").count("were replaced") > renewed, 60)
                meanwhile()
        finally:
            stop.set()
        for thread in threads:
            thread.result()
    assert not refused, [(a.method, a.url, a.status_code, a.text[:200]) for a in refused][:5]
    for person in people:
        assert server.ctl("token", "show", person.username).stdout.strip() == person.token
    assert "does not belong to this database" not in server.log("workers")
    # The handover is deleted after a time, and is in no backup.
    server.sql("update secret_handover set until = now()")
    server.ctl("files", "sweep")
    assert server.sql("select 1 from secret_handover") == []


def test_whoever_is_late_follows_two_secrets(new_stack, tmp_path):
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    client = Client(server, ada.token)
    for name in "one", "two":
        server.ctl("secret", "rotate", "--out", tmp_path / name)
        server.secrets.append((tmp_path / name).read_text().strip())
        if name == "one":
            (server.directory / "secret.old").write_text((server.directory / "secret").read_text())
            (server.directory / "secret").write_text((tmp_path / name).read_text())
    assert ok(client.get("/me"))["api_token"] == ada.token
    (server.directory / "secret").write_text((server.directory / "secret.old").read_text())
    assert server.ctl("token", "show", ada.username).stdout.strip() == ada.token
    said = server.ctl("doctor", check=False).stdout
    assert "was replaced by planwrightctl secret rotate" in said and "ok    downloads" in said
    assert "does not belong to this database" in fails(
        server, "backup", tmp_path / "backup", "--without-secret")
    # After its time it counts as a wrong secret, and says so.
    server.sql("update secret_handover set until = now()")
    assert "does not belong to this database" in fails(server, "token", "show", ada.username)


def test_a_connection_that_is_made_anew_meanwhile_refuses_no_token(new_stack, tmp_path):
    """The token's MAC was computed with the old secret, before the worker learned the new one."""
    server = new_stack(workers=1)
    client = Client(server, Person(server, "Ada").token)
    for i in range(2):
        ok(client.get("/me"))
        server.ctl("secret", "rotate", "--out", tmp_path / f"new{i}")
        server.secrets.append((tmp_path / f"new{i}").read_text().strip())
        server.cut()
        assert [client.get("/me").status_code for _ in range(3)] == [200] * 3
        (server.directory / "secret").write_text((tmp_path / f"new{i}").read_text())


def test_parts_of_one_request_are_of_one_secret(new_stack, tmp_path):
    server = new_stack(workers=1)
    client = Client(server, Person(server, "Ada").token)
    path = f"/projects/{new_project(client)['id']}"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        with Lock(server) as lock:
            asked = pool.submit(client.post, "/aggregator", [
                f"/services/v5{path}/{what}" for what in ("labels", "epics", "stories", "memberships")])
            assert lock.waits()
            rotated = pool.submit(server.ctl, "secret", "rotate", "--out", tmp_path / "new")
            assert lock.waits(2), "the rotation waits for the part in hand"
        parts = ok(asked.result())
        rotated.result()
    server.secrets.append((tmp_path / "new").read_text().strip())
    assert all(isinstance(part, list) for part in parts.values()), parts


def test_ready_knows_the_secret(new_stack):
    server = new_stack(workers=1, expects_5xx=True)
    nobody = Client(server, base="")
    assert ok(nobody.get("/-/ready"))["secret"] == "ok"
    value, = server.sql("select value from secret_check")[0]
    server.sql("update secret_check set value = %s", b"x" * 32)
    answer = nobody.get("/-/ready")
    assert answer.status_code == 503 and answer.json()["secret"] == "another than the database's"
    assert wait_for(lambda: "does not belong to this database" in server.log("workers"))
    server.sql("update secret_check set value = %s", bytes(value))
    assert nobody.get("/-/ready").status_code == 200


def test_a_rotation_whose_commit_is_not_answered_keeps_the_file(new_stack, tmp_path):
    """It may be the only copy of the secret that the database has now."""
    server = new_stack(workers=1)
    ada, new, way = Person(server, "Ada"), tmp_path / "new", Way(server)
    way.cuts_after = b"lock table token"
    try:
        done = ctl(server, conf_with(server, tmp_path, "conf", database=way.database),
                   "secret", "rotate", "--out", str(new))
    finally:
        way.close()
    assert done.returncode == 1 and f"the outcome is unknown: keep {new}" in done.stderr, done
    server.secrets.append(new.read_text().strip())
    assert len(server.secrets[-1]) >= 40 and (new.stat().st_mode & 0o777) == 0o600
    conf = conf_with(server, tmp_path, "conf", secret_file=new)
    assert "ok    secret" in ctl(server, conf, "doctor").stdout
    assert ctl(server, conf, "token", "show", ada.username).stdout.strip() == ada.token
    assert wait_for(lambda: Client(server, ada.token).get("/me").status_code == 200)
    (server.directory / "secret").write_text(new.read_text())
    server.part("stop", "workers")
    server.part("start", "workers")
    assert wait_for(lambda: Client(server, ada.token).get("/me").status_code == 200)
    server.ctl("secret", "rotate", "--out", tmp_path / "newer")
    server.secrets.append((tmp_path / "newer").read_text().strip())
    assert ok(Client(server, ada.token).get("/me"))["api_token"] == ada.token


def test_rotation_that_fails_leaves_nothing(new_stack, tmp_path):
    server = new_stack(workers=1)
    ada = Person(server, "Ada")
    server.sql("update person set token_sealed = %s where id = %s", b"\x00" * 60, ada.id)
    assert "nothing was changed" in fails(server, "secret", "rotate", "--out", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_secrets_that_others_read(new_stack, tmp_path):
    server = new_stack(workers=1)
    text = server.ctl("doctor", check=False).stdout
    assert "every user can read" not in text and "ok    secret\n" in text
    (server.directory / "secret").chmod(0o644)
    assert f"every user can read {server.directory}/secret" in server.ctl("doctor", check=False).stdout
    (server.directory / "secret").chmod(0o600)
    conf = conf_with(server, tmp_path, "conf", smtp_password="quite secret")
    conf.chmod(0o644)
    assert f"every user can read {conf}" in ctl(server, conf, "doctor").stdout


def test_another_encoding_is_refused(new_stack, tmp_path):
    server = new_stack(workers=1)
    server.sql("create database latin encoding 'SQL_ASCII' locale 'C' template template0")
    database = server.env["STACK_DB"].replace("dbname=planwright", "dbname=latin")
    conf = conf_with(server, tmp_path, "conf", database=database)
    done = ctl(server, conf, "migrate")
    assert done.returncode == 1 and "has the encoding SQL_ASCII, not UTF8" in done.stderr


def test_workers_change_no_schema_with_two_roles(new_stack, tmp_path):
    """Here the superuser owns the schema, and the workers use the role planwright."""
    server = new_stack(workers=1, expects_5xx=True)
    ada = Person(server, "Ada")
    server.sql("reassign owned by planwright to postgres")
    fails(server, "person", "list")
    conf = conf_with(server, tmp_path, "conf", owner_database=server.env["STACK_ADMIN_DB"])
    assert ctl(server, server.env["STACK_CONF"], "grant").returncode == 1
    done = ctl(server, conf, "grant")
    assert done.returncode == 0, done.stderr
    client = Client(server, ada.token)
    for name in "before", "after":
        assert wait_for(lambda: client.get("/me").status_code == 200)
        project = ok(client.post("/projects", {"name": name, "new_account_name": name}))["id"]
        story = ok(client.post(f"/projects/{project}/stories", {"name": "A story"}))["id"]
        ok(client.put(f"/projects/{project}/stories/{story}", {"current_state": "unstarted"}))
        ok(client.get(f"/projects/{project}/iterations?scope=current"))
        for statement in ("create table planwright.x ()", "drop table planwright.story",
                          "alter table planwright.story add x int",
                          "delete from planwright.schema_migration"):
            said = run("psql", "-Xq", server.env["STACK_DB"], "-c", statement, check=False).stderr
            assert "permission denied" in said or "must be owner" in said
        file = tmp_path / f"{name}.csv"
        file.write_text("Id,Title\n" + "".join(f"{400000000 + story + i},Some\n" for i in range(600)))
        done = ctl(server, server.env["STACK_CONF"], "import", "--project", str(project), str(file))
        assert done.returncode == 0 and "not_analyzed" not in done.stdout, done.stdout + done.stderr
        done = ctl(server, conf, "migrate")
        assert done.returncode == 0, done.stderr
