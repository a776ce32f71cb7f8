"""Forty workers, the importer and the sender behind pgbouncer in transaction mode, which has four connections to
PostgreSQL: nothing relies on more than a transaction."""

import concurrent.futures
import contextlib
import itertools
import re
import time

import pytest

import pooler
from conftest import TOP, Client, Person, Stack, stack_folder, wait_for
from importing import CSV, asked, held, over, team_of
from standby import Standby
from test_importer_turns import numbered
from test_shapes import CONDITIONS
from test_webhooks import SETTINGS, Receiver
from world import new_project, ok

WORKERS, CONNECTIONS = 40, 4


OLD = [version for version in pooler.FOUND if version[0] < pooler.CARRIES]
NEW = [version for version in pooler.FOUND if version[0] >= pooler.CARRIES]
carried = pytest.mark.needs(pooler.LACKS)


@pytest.fixture(scope="module")
def between():
    server = Stack(stack_folder("pooler"), workers=WORKERS,
                   settings=f"{SETTINGS}\nrequest_timeout_ms = 4000\nimport_max_mib = 1")
    made = pooler.Pooler(server, default_pool_size=str(CONNECTIONS))
    made.put_between()
    assert wait_for(lambda: Client(server, "").get("/").status_code == 200, 60)
    yield made
    made.close()
    server.close(expects_5xx=True)


@pytest.fixture(scope="module")
def server(between):
    return between.stack


@pytest.fixture(scope="module")
def team(server):
    return team_of(server)


def many(call, *lists):
    with concurrent.futures.ThreadPoolExecutor(30) as pool:
        return list(pool.map(call, *lists))


def connections(server):
    return server.sql("select application_name, state from pg_stat_activity where usename = 'planwright'")


@carried
def test_many_workers_have_few_connections(between, server, team):
    """Each answer belongs to its own request. Ten people take part: on a slow machine, a single one would reach their
    share."""
    people = [Person(server, f"Member {i}") for i in range(10)]
    for person in people:
        ok(team.owner.post(f"{team.path}/memberships", {"person_id": person.id, "role": "member"}))
    clients = [Client(server, person.token) for person in people * 3]
    made = many(lambda c, i: c.post(f"{team.path}/stories", {"name": f"Story {i}"}), clients * 5, range(150))
    assert {a.status_code for a in made} == {200}
    ids = [a.json()["id"] for a in made]
    told = many(lambda c, i: c.get(f"/stories/{i}?fields=name,labels,comments,owners"), clients * 5, ids)
    assert [a.json()["name"] for a in told] == [f"Story {i}" for i in range(150)]
    put = many(lambda c, i: c.put(f"/stories/{i}", {"name": f"Other {i}", "labels": [f"l{i % 7}"]}), clients * 5, ids)
    assert {(a.status_code, a.text[:300]) for a in put if a.status_code != 200} == set()
    assert [a.json()["name"] for a in put] == [f"Other {i}" for i in ids]
    searches = many(lambda c, i: c.get(f"{team.path}/stories?filter=name:Other label:l{i % 7}&limit=500"),
                    clients * 5, range(150))
    for i, answer in enumerate(searches):
        assert answer.status_code == 200, answer.text
        assert {s["labels"][0]["name"] for s in answer.json()} == {f"l{i % 7}"}
    assert len(between.show("clients")) >= WORKERS
    assert len(connections(server)) <= CONNECTIONS, connections(server)


@carried
def test_a_project_has_as_many_versions_as_changes(server, team):
    clients = [Client(server, team.people["owner"].token) for _ in range(10)]
    before = team.owner.get(team.path).json()["version"]
    many(lambda c: c.post(f"{team.path}/labels", {"name": f"label {id(c)}"}), clients)
    assert team.owner.get(team.path).json()["version"] == before + 10


@pytest.fixture
def single(new_stack):
    """A project's stories behind one worker, whose prepared statements are known."""
    server = new_stack(workers=1, expects_5xx=True, settings="request_timeout_ms = 1000")
    own = server.pooler = pooler.Pooler(server)
    own.put_between()
    client = Client(server, Person(server, "Shaper").token)
    path = f"/projects/{new_project(client)['id']}/stories"
    client.post(path, {"name": "x", "current_state": "unstarted", "labels": ["blue"]})
    yield server, client, path
    own.close()


@carried
def test_shapes_beyond_the_places_for_prepared_ones(single):
    """A statement cannot be dropped through a pooler: what was prepared keeps its slot, the rest is not prepared."""
    server, client, path = single
    shapes = ["&".join(some) for n in range(1, len(CONDITIONS) + 1)
              for some in itertools.combinations(CONDITIONS, n)]
    for shape in shapes * 2:
        for _ in range(2):
            answer = client.get(f"{path}?{shape}&fields=name")
            assert answer.status_code == 200, answer.text
            assert [s["name"] for s in answer.json()] == ["x"]
    assert "deallocate" not in server.log("postgres")
    assert "reconnecting" not in server.log("workers")


@carried
def test_a_statement_that_was_not_reached_is_as_good_as_prepared(single):
    """A statement before it failed, so PostgreSQL did not prepare it; the pooler registered its name nevertheless."""
    server, client, path = single
    shape = f"{path}?with_state=unstarted&with_label=blue&fields=name"
    assert client.get(shape).status_code == 200
    with contextlib.closing(pooler.psycopg2.connect(server.env["STACK_ADMIN_DB"])) as other:
        other.cursor().execute("lock table planwright.project_membership in access exclusive mode")
        assert client.get(shape).status_code == 503
    assert [client.get(shape).status_code for _ in range(3)] == [200] * 3
    assert "reconnecting" not in server.log("workers")


@carried
def test_a_pooler_that_loses_statements_from_now_on(single):
    """Workers notice, and go on once it keeps them again."""
    server, client, path = single
    assert client.get(path).status_code == 200
    server.pooler.set("max_prepared_statements", 0)
    assert {client.get(path).status_code for _ in range(3)} == {503}
    assert wait_for(lambda: "it pools by transaction and loses prepared statements" in server.log("workers"))
    server.pooler.set("max_prepared_statements", 1000)
    assert wait_for(lambda: client.get(path).status_code == 200)


@carried
def test_an_error_in_the_middle_of_a_pipeline(server, team):
    clients = [Client(server, team.people["owner"].token) for _ in range(20)]
    server.sql("alter table story add constraint broken check (name <> 'forbidden')")
    try:
        answers = many(lambda c, i: c.post(f"{team.path}/stories", {"name": "forbidden" if i % 2 else f"Fine {i}"}),
                       clients * 2, range(40))
    finally:
        server.sql("alter table story drop constraint broken")
    assert [a.status_code for a in answers] == [200, 500] * 20
    for answer in answers[1::2]:
        name = answer.headers["X-Request-Id"]
        assert len(re.findall(rf"planwright {name} ERROR: ", server.log("postgres"))) == 1, \
            "the log names the request of which the statement is"
    assert {a.status_code for a in many(lambda c: c.get(team.path), clients)} == {200}


@carried
def test_a_name_ends_with_its_transaction(server, team):
    team.owner.get(team.path)
    assert {name for name, state in connections(server) if state == "idle"} == {"planwright"}


@carried
def test_a_statement_that_takes_too_long_is_cancelled(server, team):
    with held(server, team.id):
        begun = time.monotonic()
        answer = team.owner.post(f"{team.path}/stories", {"name": "late"})
        assert answer.status_code == 503 and 3 < time.monotonic() - begun < 7
        assert wait_for(lambda: not server.sql("select 1 from pg_stat_activity where usename = 'planwright'"
                                               " and wait_event_type = 'Lock'"))
    assert team.owner.post(f"{team.path}/stories", {"name": "in time"}).status_code == 200


@carried
def test_an_import_and_its_end(server):
    team = team_of(server)
    end = over(team.owner, asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"910"))), 60)
    assert end["summary"]["story"]["created"] == 2
    with held(server, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", numbered(911)))
        assert wait_for(lambda: server.sql(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = %s",
            f"planwright import {url.rsplit('/', 1)[1]}"))
        assert team.owner.delete(url).status_code == 204
        assert wait_for(lambda: not server.sql("select 1 from pg_stat_activity where wait_event_type = 'Lock'"))
    end = over(team.owner, asked(team.owner, team.path, ("file", "a.csv", numbered(911))), 60)
    assert end["summary"]["story"]["created"] == 2
    assert team.owner.get(f"{team.path}/export.zip").content[:2] == b"PK"


@carried
def test_webhooks_arrive_once_and_in_order(server, team):
    receiver = Receiver()
    hook = team.owner.post(f"{team.path}/webhooks", {"webhook_url": receiver.url, "webhook_version": "v5"}).json()["id"]
    for i in range(20):
        assert team.owner.post(f"{team.path}/stories", {"name": f"Told {i}"}).status_code == 200
    assert wait_for(lambda: len(receiver.got) >= 20, 30)
    time.sleep(1)
    versions = receiver.versions()
    assert versions == list(range(versions[0], versions[0] + 20))
    assert wait_for(lambda: not server.sql("select 1 from lease where what = 'webhook'"))
    team.owner.delete(f"{team.path}/webhooks/{hook}")
    receiver.close()


@carried
def test_columns_that_others_have_by_now(server, team):
    """After a migration, connections that prepared statements before it still exist."""
    search = team.owner.post(f"{team.path}/my/searches", {"name": "s", "query": "a"}).json()["id"]
    clients = [Client(server, team.people["owner"].token) for _ in range(20)]

    def put(client):
        return client.put(f"{team.path}/my/searches/{search}", {"query": f"q{id(client)}"}).status_code
    assert {*many(put, clients)} == {200}
    before = {pid for pid, in server.sql("select pid from pg_stat_activity where usename = 'planwright'")}
    server.sql("alter table saved_search add column added integer")
    server.ctl("migrate")
    server.part("stop", "workers")
    server.part("start", "workers")
    assert wait_for(lambda: clients[0].get(team.path).status_code == 200, 30)
    assert {*many(put, clients * 3)} == {200}
    assert before & {pid for pid, in server.sql("select pid from pg_stat_activity where usename = 'planwright'")}


@carried
def test_pgbouncer_is_restarted(between, server, team):
    clients = [Client(server, team.people["owner"].token) for _ in range(20)]
    between.stop()
    assert {a.status_code for a in many(lambda c: c.get(team.path), clients)} == {503}
    between.start()
    assert wait_for(lambda: team.owner.get(team.path).status_code == 200)
    assert {a.status_code for a in many(lambda c: c.get(team.path), clients)} == {200}, server.log("workers")[-3000:]
    receiver = Receiver()
    team.owner.post(f"{team.path}/webhooks", {"webhook_url": receiver.url, "webhook_version": "v5"})
    team.owner.post(f"{team.path}/stories", {"name": "after it"})
    assert wait_for(lambda: receiver.got, 30)
    receiver.close()


@carried
def test_postgres_is_restarted_behind_it(server, team):
    """What was acknowledged exists once; what was not was answered 503, or exists."""
    clients = [Client(server, team.people["owner"].token) for _ in range(8)]
    end, made = time.monotonic() + 12, []

    def work(number, client):
        for i in itertools.count():
            if time.monotonic() > end:
                return
            name = f"Restart {number} {i}"
            made.append((name, client.post(f"{team.path}/stories", {"name": name})))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        working = [pool.submit(work, *pair) for pair in enumerate(clients)]
        time.sleep(3)
        server.part("stop", "postgres")
        server.part("start", "postgres")
        for one in working:
            one.result()
    codes = {a.status_code for _, a in made}
    assert codes <= {200, 503} and 200 in codes, {a.text for _, a in made if a.status_code not in (200, 503)}
    assert wait_for(lambda: team.owner.get(team.path).status_code == 200)
    told = [name for name, a in made if a.status_code == 200]
    kept = [name for name, in server.sql("select name from story where name like 'Restart %%'")]
    assert len(kept) == len(set(kept)) and set(told) <= set(kept)
    assert {a.status_code for a in many(lambda c: c.get(team.path), clients * 5)} == {200}, server.log("workers")[-3000:]


@pytest.fixture
def way(stack):
    way = pooler.Way(stack)
    yield way
    way.close()


def doctor_by(stack, way):
    return pooler.subprocess.run([stack.env["STACK_CTL"], "doctor"], capture_output=True, text=True, env={
        **pooler.os.environ, "PLANWRIGHT_CONF": stack.env["STACK_CONF"], "PLANWRIGHT_DATABASE": way.database}).stdout


def test_a_connection_is_made_without_many_waits(stack, way):
    """When a pooler comes back, all workers connect at the same time, and each has hundreds of statements to prepare.
    """
    said = doctor_by(stack, way)
    assert re.search(r"(?m)^ok +statements", said), said
    assert wait_for(lambda: len(way.turns) >= 2)
    assert max(way.turns) < 100, way.turns


def test_a_server_that_stops_rejects_no_statement(stack, way):
    """If PostgreSQL or a pooler terminates a connection during preparation, doctor must not advise to migrate."""
    way.says_at_last = way.SHUTDOWN
    all_said = doctor_by(stack, way)
    said = "".join(re.findall(r"(?m)^wrong statements: (.*)", all_said))
    # libpq may take the reason for a notice if it arrives between two answers.
    assert said.startswith("the connection to the database failed: ") and "migrate" not in said, all_said


def test_a_statement_that_cannot_be_prepared_is_named(stack, way):
    """Though other statements were sent after it."""
    stack.sql("alter table planwright.lease rename column until to til")
    try:
        said, = re.findall(r"(?m)^wrong statements: (.*)", doctor_by(stack, way))
    finally:
        stack.sql("alter table planwright.lease rename column til to until")
    assert re.match(r'the database rejects the statement \w+ \(run planwrightctl migrate\): ERROR: .*"until"', said), said
    assert re.search(r"(?m)^ok +statements", doctor_by(stack, way))


# The doctor ---------------------------------------------------------------------------

@carried
def test_the_doctor_finds_nothing(between, server):
    done = server.ctl("doctor", check=False)
    assert re.search(r"(?m)^ok +statements", done.stdout), done.stdout + done.stderr
    assert "connection pooler" not in done.stdout + done.stderr


@carried
def test_the_doctor_wants_the_direct_address(between, server, tmp_path):
    conf = tmp_path / "conf"
    conf.write_text(re.sub(r"(?m)^direct_database = .*$", "", open(server.env["STACK_CONF"]).read()))
    for command in ("doctor", "migrate", "backup"):
        done = pooler.subprocess.run(
            [server.env["STACK_CTL"], command, *([str(tmp_path / "b")] if command == "backup" else [])],
            capture_output=True, text=True, env={**pooler.os.environ, "PLANWRIGHT_CONF": str(conf)})
        assert done.returncode != 0 and "set direct_database" in done.stdout + done.stderr, done


def fill(made, connections):
    """Lets the pooler open so many connections."""
    clients = [pooler.psycopg2.connect(made.socket) for _ in range(connections)]
    for client in clients:
        client.cursor().execute("select 1")
    for client in clients:
        client.commit()
        client.close()


@contextlib.contextmanager
def told(stack, key="PLANWRIGHT_DATABASE", connections=0, **more):
    """What doctor says about a pooler, by lines."""
    if not pooler.FOUND:
        pytest.skip("pgbouncer is not installed")
    made = pooler.Pooler(stack, **more)
    fill(made, connections)
    done = pooler.subprocess.run(
        [stack.env["STACK_CTL"], "doctor"], capture_output=True, text=True,
        env={**pooler.os.environ, "PLANWRIGHT_CONF": stack.env["STACK_CONF"],
             key: made.socket, "PLANWRIGHT_DIRECT_DATABASE": stack.env["STACK_DB"]})
    try:
        yield [line for line in (done.stdout + done.stderr).splitlines() if "connection pooler" in line]
    finally:
        made.close()


LOSES = [pytest.param({"program": program}, id="%d.%d" % version) for version, program in OLD]
LOSES += [pytest.param({"max_prepared_statements": "0"}, id="new") for _ in NEW[:1]]


@pytest.mark.parametrize("settings", LOSES)
def test_a_pooler_that_loses_statements_is_named(stack, settings):
    """An old pgbouncer, or a new one without slots for them."""
    with told(stack, **settings) as lines:
        line, = lines
        assert "statements: there is a connection pooler in front of the database: it pools by transaction" in line
        assert "pgbouncer 1.21 or later with max_prepared_statements" in line


@pytest.mark.parametrize("settings", LOSES)
def test_a_pooler_that_takes_its_connections_in_turns(stack, settings):
    """Two connections then never get the same one."""
    with told(stack, **settings, connections=4, default_pool_size="4", server_round_robin="1") as lines:
        line, = lines
        assert "it pools by transaction" in line


@pytest.mark.parametrize("program", [pytest.param(program, id="%d.%d" % version) for version, program in pooler.FOUND])
def test_a_pooler_that_keeps_sessions_is_taken(new_stack, program):
    server = new_stack(workers=4)
    own = pooler.Pooler(server, program=program, pool_mode="session", server_reset_query="deallocate all",
                        default_pool_size="10")
    assert "`server_reset_query = deallocate all`" in pooler.GUIDE.read_text()
    own.put_between()
    team = team_of(server)
    assert team.owner.post(f"{team.path}/stories", {"name": "x", "labels": ["blue"]}).status_code == 200
    for shape in ("with_label=blue", "with_label=red"):
        assert {team.owner.get(f"{team.path}/stories?{shape}").status_code for _ in range(20)} == {200}
    assert re.search(r"(?m)^ok +statements", server.ctl("doctor", check=False).stdout)
    own.close()


def test_a_pooler_without_the_settings_is_named(stack):
    with told(stack, query=False) as lines:
        line, = lines
        assert "connect_query" in line


def test_reads_are_not_for_a_pooler_that_keeps_sessions(stack):
    with told(stack, "PLANWRIGHT_DATABASE_READS", pool_mode="session") as lines:
        line, = lines
        assert "database_reads: there is a connection pooler in front of it" in line and "1.21" in line


# Standbys -----------------------------------------------------------------------------

@carried
def test_standbys_behind_a_pooler(new_stack):
    server, standby = new_stack(workers=10), Standby()
    standby.start(server)
    reads = pooler.Pooler(server, host=standby.folder, default_pool_size="1")
    conf = pooler.pathlib.Path(server.env["STACK_CONF"])
    conf.write_text(f"{conf.read_text()}\ndatabase_reads = {reads.socket}\n")
    server.part("stop", "workers")
    server.part("start", "workers")
    team = team_of(server)
    ids = [team.owner.post(f"{team.path}/stories", {"name": f"Story {i}"}).json()["id"] for i in range(20)]
    standby.catch_up(server)

    def used():
        return int(re.search(r"standby_reads_total +(\d+)", server.ctl("status").stdout)[1])

    def read():
        before = used()
        answers = many(lambda i: team.owner.get(f"{team.path}/stories/{i}?fields=name,tasks"), ids * 5)
        assert [a.json()["name"] for a in answers] == [f"Story {i}" for i in range(20)] * 5
        return used() - before
    assert wait_for(lambda: read() >= 95)
    assert len(standby.sql("select from pg_stat_activity where usename = 'planwright'")) == 1
    reads.close()
    reads = pooler.Pooler(server, host=standby.folder, pool_mode="session")
    conf.write_text(re.sub("database_reads = .*", f"database_reads = {reads.socket}", conf.read_text()))
    server.part("stop", "workers")
    server.part("start", "workers")
    assert wait_for(lambda: read() == 0 and "reads stay on the leader: there is a connection pooler in front of the"
                    " database: it does not keep" in server.log("workers"))
    reads.close()
    standby.kill()
    pooler.shutil.rmtree(standby.folder)


# The guide ----------------------------------------------------------------------------

def test_the_guide_has_the_settings_of_each_connection():
    """connect_query sets what workers request without a pooler, except for the network settings."""
    asked_for = dict(re.findall(r"-c ([a-z_]+)=([^ \"]+)", (TOP / "src" / "db" / "db_connect.c").read_text()))
    asked_for = {k: v for k, v in asked_for.items() if not k.startswith("tcp_")}
    asked_for["statement_timeout"] = "5000"
    text = re.search("connect_query='(.*)'", pooler.ini()["databases"]["planwright"])[1]
    assert dict(re.findall(r"set (\w+) = ([^;]+)", text)) == asked_for
