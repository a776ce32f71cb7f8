"""What a database that is spread over several machines would require of statements and tables (docs/shards.md): each
statement is bound to one project, account, person or thing, or is listed in sql/unbound.txt with a reason; and the
page lists each table, with what it lacks."""

import re

import psycopg2
import pytest

import bound
import tables
from parts import PARTS
from conftest import TOP
from test_explain import fill

PAGE = TOP / "docs" / "shards.md"
LIST = TOP / "sql" / "unbound.txt"


def rows(title):
    """The rows of the table under a heading of the page."""
    text = PAGE.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines[2:]]


def words(cell):
    return cell.split(", ") if cell else []


TABLES = {table: (home, words(told), words(lacks), keys) for table, home, told, lacks, keys in rows("Tables")}
FUNCTIONS = dict(rows("Functions"))


def listed():
    """The listed names with their reasons."""
    found, reason = {}, []
    for line in LIST.read_text("utf-8").splitlines():
        if line.startswith("## "):
            reason = [line[3:]] if not reason or reason[0] == "" else [*reason, line[3:]]
        elif re.match(r"[a-z{]", line):
            names = [line.replace("{parts}", part) for part in PARTS] if "{parts}" in line else [line]
            for name in names:
                assert name not in found, f"{name} stands twice in {LIST.name}"
                found[name] = " ".join(reason)
        elif line == "":
            reason = []
    return found


def late_statements():
    """Statements that are not prepared at the start (sql/embed.awk); planwrightctl does not describe them."""
    found = {}
    for file in sorted((TOP / "sql" / "queries").glob("*.sql")):
        text = re.sub(r"(?m)^ *--(?! (?:name|late): ).*\n", "", file.read_text("utf-8"))
        blocks = re.findall(r"(?ms)^-- (name|late): (\S+)\n(.*?)(?=^-- |\Z)", text)
        found.update({name: sql.strip(" \n;") for kind, name, sql in blocks if kind == "late"})
    return found


LATE = late_statements()


@pytest.fixture(scope="module")
def database(stack):
    yield from fill(stack, "shards", LATE["import_run_table"].replace("on commit drop", ""), "select 1")


@pytest.fixture(scope="module")
def schema(database):
    made = bound.Schema(database, {table: row[0] for table, row in TABLES.items()},
                        {table: row[1] for table, row in TABLES.items()})
    made.add("import_run", "account")
    return made


@pytest.fixture(scope="module")
def found(database, schema):
    """Statements that are not bound, each with the tables and functions that cause it."""
    opaque = [name for name, of in FUNCTIONS.items() if of in ("a list", "all")]
    result = {name: bound.unbound(database, schema, sql.replace("{where}", ""), opaque)
              for name, sql in tables.STATEMENTS.items()}
    for name, sql in LATE.items():
        try:
            result[name] = bound.unbound(database, schema, sql, opaque)
        except psycopg2.ProgrammingError:
            result[name] = bound.named(schema, sql)
    return {name: places for name, places in result.items() if places}


def test_each_statement_that_is_not_bound_says_why(found):
    new = [f"{name}: {', '.join(sorted(places))}" for name, places in found.items() if name not in listed()]
    assert not new, ("These statements are not bound to one project, account, person or thing by the tables "
                     f"named. Add the condition, or the name below its reason in sql/{LIST.name}:\n" + "\n".join(new))


def test_the_list_of_those_only_shrinks(found):
    old = [name for name in listed() if name not in found]
    assert not old, f"These are bound by now, or gone: take them out of sql/{LIST.name}:\n" + "\n".join(old)


def test_each_of_those_has_a_reason():
    assert [name for name, reason in listed().items() if len(reason.split()) < 5] == []


@pytest.mark.parametrize("sql, expected", [
    ("select * from story where id = $1::bigint", ""),
    ("select * from story", "story"),
    ("select * from story where id = any($1::bigint[])", "story"),
    ("select * from story where project_id = $1::bigint and name = $2::text", ""),
    ("select * from story where requested_by_id = $1::bigint", "story"),
    ("select * from story where project_id = $1::bigint or id = $2::bigint", "story"),
    ("select * from story where project_id <> $1::bigint", "story"),
    ("select * from story s join project p on p.id = s.project_id where p.account_id = $1::bigint", ""),
    ("select * from task t join story s on s.id = t.story_id where s.project_id = $1::bigint", ""),
    ("select * from task t, story s where s.id = $1::bigint", "task"),
    ("select l.* from label l where l.id = any((select label_ids from story where id = $1::bigint)::bigint[])",
     ""),
    ("select l.* from label l where l.id = any(array(select unnest(label_ids) from story))", "label story"),
    ("select p.* from project p join project_membership m on m.project_id = p.id where m.person_id = $1::bigint",
     "project project_membership"),
    ("select p.* from notification n join project p on p.id = n.project_id where n.person_id = $1::bigint",
     "project"),
    ("select * from person where lower(name) = $1::text", ""),
    ("with x as materialized (select * from story where id = $1::bigint) select * from x join task t "
     "on t.story_id = x.id", ""),
    ("insert into task (story_id, description, position) values ($1::bigint, $2::text, 1)", ""),
    ("insert into task (story_id, description, position) select x, $2::text, 1 from unnest($1::bigint[]) x",
     "task"),
    ("insert into task (story_id, description, position) select id, $2::text, 1 from story where id = $1::bigint",
     ""),
    ("update story set name = $1::text", "story"),
    ("delete from story where id = $1::bigint", ""),
    ("select * from project_snapshots($1::bigint, now()::date, now()::date, $2::bigint[])",
     "project_snapshots"),
])
def test_what_counts_as_bound(database, schema, sql, expected):
    opaque = [name for name, of in FUNCTIONS.items() if of in ("a list", "all")]
    assert bound.unbound(database, schema, sql, opaque) == set(expected.split())


def test_the_page_has_each_table_with_what_it_lacks(schema):
    assert sorted(TABLES) == sorted(t for t in schema.columns if t != "import_run"), \
        "docs/shards.md, Tables: say what the table belongs to"
    for table, (home, told, lacks, keys) in TABLES.items():
        columns = schema.columns[table]
        key = {"account": "account_id", "person": "person_id"}.get(home)
        assert home in ("account", "person", "reference", "local"), table
        assert set(told) <= set(columns), f"{table}: no such column: {told}"
        wanted = [key] if key and key not in columns and table != "account" else []
        if wanted and home == "account" and "project_id" not in columns:
            wanted.append("project_id")
        assert lacks == wanted, f"docs/shards.md, Tables: {table} lacks {', '.join(wanted) or 'nothing'}"
        wide = [f"({', '.join(c)})" for t, c in sorted(schema.unique)
                if t == table and key and key not in c and c != ("id",)]
        assert keys == ", ".join(wide), f"docs/shards.md, Tables: keys of {table}: {', '.join(wide)}"


def test_the_page_has_each_function_that_reads_tables(database, schema):
    database.execute("""select p.proname, pg_get_functiondef(p.oid) from pg_proc p
        join pg_language l on l.oid = p.prolang and l.lanname in ('sql', 'plpgsql')
        where p.pronamespace in ('planwright'::regnamespace, 'api'::regnamespace)""")
    reads = {name for name, text in database.fetchall() if any(
        schema.is_split(t) for t in re.findall(r"(?i)\b(?:from|join|update|into)\s+\(*(?:planwright\.)?(\w+)", text))}
    assert sorted(FUNCTIONS) == sorted(reads), "docs/shards.md, Functions: say of what their rows are"


def test_ids_stay_below_what_browsers_can_count(database):
    """2^53: many clients lose the last digits of larger JSON numbers."""
    database.execute("select sequencename from pg_sequences where schemaname = 'planwright' "
                     "and max_value > 9007199254740991")
    assert database.fetchall() == [], "alter sequence … maxvalue 9007199254740991"
