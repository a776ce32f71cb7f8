"""An upgraded database equals a new one: the schema of 0.1 with its demo (t/upgrade) becomes the same as a newly
created one, and keeps its contents."""

import lzma
import os
import re
import subprocess

import pytest

from conftest import TOP


def psql(stack, database, script):
    subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", admin(stack, database)],
                   input=script, text=True, check=True, capture_output=True)


def admin(stack, database):
    return re.sub(r"dbname=\w+", f"dbname={database}", stack.env["STACK_ADMIN_DB"])


def migrate(stack, database):
    conf = re.sub(r"dbname=\w+", f"dbname={database}", stack.env["STACK_DB"])
    return subprocess.run([stack.env["STACK_CTL"], "migrate"], text=True, capture_output=True,
                          env={**os.environ, "PLANWRIGHT_CONF": stack.env["STACK_CONF"],
                               "PLANWRIGHT_DATABASE": conf})


def schema(stack, database):
    """The schema without comments, and without the random keys that pg_dump writes around it."""
    dump = subprocess.run(["pg_dump", "--schema-only", "-n", "planwright", "-n", "api",
                           admin(stack, database)], text=True, check=True, capture_output=True)
    return [line for line in dump.stdout.splitlines()
            if line and not line.startswith(("--", "\\"))]


def fill_old(stack, database):
    """Loads what 0.1 stored."""
    old = lzma.open(TOP / "t" / "upgrade" / "0.1.sql.xz", "rt").read()
    psql(stack, database, f"""set role planwright;
        create schema planwright;
        create extension pg_trgm schema planwright;
        create extension btree_gin schema planwright;
        {old};
        -- Its tokens were sealed with a secret that nobody has any more.
        update planwright.person set token_mac = null, token_sealed = null""")


@pytest.fixture(scope="module")
def databases(stack):
    names = ("upgraded", "made")
    for name in names:
        psql(stack, "postgres", f"create database {name} owner planwright")
    fill_old(stack, "upgraded")
    for name in names:
        done = migrate(stack, name)
        assert done.returncode == 0, done.stderr
    yield names
    for name in names:
        psql(stack, "postgres", f"drop database {name}")


def test_the_schema_is_that_of_a_new_one(stack, databases):
    upgraded, made = (schema(stack, name) for name in databases)
    assert upgraded == made


def counts(stack, database):
    tables = ("story", "story_transition", "activity", "label", "task", "search_text")
    select = " union all ".join(f"select '{t}', count(*) from planwright.{t}" for t in tables)
    rows = subprocess.run(["psql", "-XqAt", "-d", admin(stack, database), "-c", select], text=True,
                          check=True, capture_output=True).stdout.split()
    return {name: int(n) for name, n in (row.split("|") for row in rows)}


def test_what_was_there_stays(stack, databases):
    there = counts(stack, "upgraded")
    assert there["story"] == 57 and there["task"] > 10 and there["label"] > 5
    assert there["activity"] > 150 and there["story_transition"] > 100
    assert there["search_text"] > there["story"]


def test_what_workers_of_the_version_before_call_is_there(sql):
    """They run until they are asked to end, and by then the schema is already the new one."""
    assert sql("select planwright.clock() = now()") == [(True,)]
    assert sql("select planwright.story_make_room(0::bigint, 3::smallint, 0::bigint, 0::bigint, null)")


def test_the_database_keeps_and_finds_and_decides_nothing(sql):
    """No trigger, and only a few functions, which are about sets (those of extensions are not counted)."""
    assert sql("select tgname from pg_trigger where not tgisinternal") == []
    functions = sql("""select p.proname from pg_proc p
        where p.pronamespace in ('planwright'::regnamespace, 'api'::regnamespace)
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')""")
    assert len(functions) <= 60
