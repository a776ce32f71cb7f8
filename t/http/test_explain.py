"""Every statement that reads lists is explained on a seeded database: large tables must be read by an index or not at
all. Plans are requested as the server creates them: with known values, and generic."""

import contextlib
import itertools
import re
import time

import psycopg2
import pytest

import tables
from conftest import TOP
from test_matrix import MINE
from world import ok

# The settings of the service's connections that affect plans.
SETTINGS = " ".join(["-c search_path=planwright", *re.findall(
    r"-c (?:jit|random_page_cost)=[\w.]+", (TOP / "src/db/db_connect.c").read_text())])

# Tables that are seeded large. For all others, an index must be usable.
SEEDED = {"person", "account_membership", "project_membership", "label", "story", "task",
          "activity"}

SEED = """
set session_replication_role = replica;
insert into person (id, name, initials, username, email)
	select i, 'P ' || i, 'P', 'seed' || i, 'seed' || i || '@example.test' from generate_series(1, 3000) i;
insert into account (id, name) select i, 'A ' || i from generate_series(1, 300) i;
insert into account_membership (account_id, person_id, owner, admin)
	select i % 300 + 1, i, i <= 300, i <= 300 from generate_series(1, 3000) i;
insert into project (id, account_id, name)
	select i, i % 300 + 1, 'Project ' || i from generate_series(1, 600) i;
insert into project_membership (project_id, person_id, role)
	select i % 600 + 1, i, 'owner' from generate_series(1, 3000) i;
insert into label (id, project_id, name)
	select i, i % 600 + 1, 'label ' || i from generate_series(1, 6000) i;
insert into story (id, project_id, name, current_state, story_type, accepted_at, created_at,
	updated_at, rank, owner_ids, label_ids, requested_by_id, deadline, external_id)
select i, case when i <= 20000 then 1 else i % 600 + 1 end, 'Story ' || i, state,
	case when i % 50 = 0 and state in ('unstarted', 'unscheduled') then 'release'
		when i % 3 = 0 then 'bug' else 'feature' end,
	case state when 'accepted' then now() - i * interval '1 hour' end,
	now() - i * interval '1 hour', now() - i * interval '1 minute', i * 1048576::bigint,
	array[i % 3000 + 1], array[i % 6000 + 1], i % 3000 + 1,
	case when i % 50 = 0 and state in ('unstarted', 'unscheduled') then now() end, 'x' || i
from (select i, (array['accepted', 'accepted', 'accepted', 'started', 'unstarted', 'unscheduled',
	'unscheduled'])[i % 7 + 1] as state from generate_series(1, 40000) i) s;
insert into task (story_id, description, position)
	select i % 40000 + 1, 'Task', 1 + i / 40000 from generate_series(1, 50000) i;
insert into activity (project_id, version, kind, person_id, changes, story_ids, epic_ids)
select case when i <= 20000 then 1 else i % 600 + 1 end, i + 1, 'story_update_activity',
	i % 3000 + 1, '[]', array[i % 5000 + 1], case when i % 10 = 0 then array[i % 990 + 1] else '{}' end
from generate_series(1, 40000) i;
reset session_replication_role;
"""

# A value for each type of parameter, as SQL; the story belongs to project 2.
VALUES = {"int": "20401", "bool": "true", "string": "'label 1'", "text": "'x'", "word": "'x'",
          "time": "'2026-01-01T00:00:00Z'", "ids": "'{1,2,3}'"}


SMALL = """
set session_replication_role = replica;
insert into person (id, name, initials, username, email)
	select i, 'P ' || i, 'P', 'seed' || i, 'seed' || i || '@example.test' from generate_series(1, 300) i;
insert into account (id, name) values (1, 'A');
insert into project (id, account_id, name) select i, 1, 'Project ' || i from generate_series(1, 5) i;
insert into project_membership (project_id, person_id) select i % 5 + 1, i from generate_series(1, 300) i;
insert into label (id, project_id, name)
	select i, i % 5 + 1, 'label ' || i from generate_series(1, 120) i;
insert into story (id, project_id, name, rank, owner_ids, label_ids, requested_by_id)
	select i, i % 5 + 1, 'Story ' || i, i, array[i % 300 + 1], array[i % 120 + 1], i % 300 + 1
	from generate_series(1, 800) i;
insert into task (story_id, description, position) select i, 'Task', 1 from generate_series(1, 800) i;
insert into comment (story_id, text) select i, 'Comment' from generate_series(1, 800) i;
reset session_replication_role;
"""


def fill(stack, name, seed, analyze="vacuum analyze"):
    """A copy of the empty schema, seeded within seconds; dropped afterwards."""
    admin = psycopg2.connect(stack.env["STACK_ADMIN_DB"].replace("dbname=planwright",
                                                                 "dbname=postgres"))
    admin.autocommit = True
    with admin.cursor() as cursor:
        cursor.execute(f"create database {name} owner planwright")
    conf = stack.directory / f"{name}.conf"
    conf.write_text((stack.directory / "planwright.conf").read_text().replace(
        "dbname=planwright", f"dbname={name}"))
    from conftest import run
    run(stack.env["STACK_CTL"], "migrate", env={"PLANWRIGHT_CONF": str(conf)})
    connection = psycopg2.connect(stack.env["STACK_ADMIN_DB"].replace(
        "dbname=planwright", f"dbname={name}"), options=SETTINGS)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(seed)
        cursor.execute(analyze)
        cursor.execute("select set_config('planwright.person', '2', false), "
                       "set_config('planwright.project', '2', false), "
                       "set_config('planwright.made', '2', false)")
        yield cursor
    connection.close()
    with admin.cursor() as cursor:
        cursor.execute(f"drop database {name} with (force)")
    admin.close()


@pytest.fixture(scope="module")
def database(stack):
    yield from fill(stack, "explain", SEED)


@pytest.fixture(scope="module", params=["vacuum analyze", "select 1"], ids=["known", "new"])
def small(stack, request):
    yield from fill(stack, "small", SMALL, request.param)


def parameters(sql):
    """The types that the text casts $1, $2 … to, and values for them."""
    found = {}
    for number, kind, then in re.findall(r"\$(\d+)::([a-z]+(?:\[\])?)(?:::([a-z]+))?", sql):
        found[int(number)] = kind, GIVEN[then if then in GIVEN else kind]
    return [found.get(i, ("bigint", GIVEN["bigint"])) for i in range(1, max(found, default=0) + 1)]


# A value for each type; a parameter that is cast twice gets the value of the second type.
GIVEN = {"bigint": "2", "bigint[]": "'{2,3,4,5,6,7,8,9,10,11}'", "text": "'x'",
         "boolean": "true", "bytea": "'x'", "jsonb": "'[]'", "timestamptz": "now()", "integer": "1",
         "date": "'2026-01-01'", "text[]": "'{x}'", "double": "1", "interval": "'1 minute'",
         "uuid": "'10000000-0000-4000-8000-000000000000'"}


def plans(cursor, sql):
    """Both plans of a statement with parameters."""
    found = parameters(sql)
    given = f"({', '.join(value for _, value in found)})" if found else ""
    cursor.execute("deallocate all")
    taken = ", ".join(kind.replace("double", "double precision") for kind, _ in found)
    cursor.execute(f"prepare s{f'({taken})' if found else ''} as {sql}")
    for mode in ("force_generic_plan", "force_custom_plan"):
        cursor.execute(f"set plan_cache_mode = {mode}")
        try:
            cursor.execute(f"explain (costs off) execute s{given}")
        except psycopg2.InternalError:
            # A function of the policy, called during planning, rejects the values.
            assert mode == "force_custom_plan"
            continue
        yield "\n".join(line for line, in cursor.fetchall())


def scanned(plan):
    """Tables that the plan reads from beginning to end."""
    return set(re.findall(r"Seq Scan on (\w+)", plan))


def check(cursor, sql):
    for plan in plans(cursor, sql):
        assert not scanned(plan) & SEEDED, f"{sql}\n{plan}"
    cursor.execute("set enable_seqscan = off")
    for plan in plans(cursor, sql):
        assert not scanned(plan), f"{sql}\n{plan}"
    cursor.execute("reset enable_seqscan")


def with_value(param):
    """The condition that a list's parameter adds, with a value in the place of the parameter."""
    value = f"'{param['words'][0]}'" if param.get("words") else VALUES[param["type"]]
    return " and " + param["where"].replace("%s", value)


def is_read(name, sql):
    return re.match(r"\s*(select|with)\b", sql) and not re.search(r"\b(insert|update|delete)\b", sql)


STATIC = sorted(name for name, sql in tables.STATEMENTS.items()
                if is_read(name, sql) and "{where}" not in sql)
LISTS = [r for r in tables.ROUTES if r.row.get("read") in tables.STATEMENTS
         and "{where}" in tables.STATEMENTS[r.row["read"]] and r.key not in MINE
         and not r.path.endswith("/search")]  # its condition is the whole query: test_search
FILTERS = [(r, p) for r in LISTS for p in r.params if "where" in p]


@pytest.mark.parametrize("name", STATIC)
def test_statements(database, name):
    check(database, tables.STATEMENTS[name])


@pytest.mark.parametrize("route", LISTS, ids=tables.names(LISTS))
def test_lists(database, route):
    for name in {route.row["read"], route.row.get("total", route.row["read"]),
                 *(p["read"] for p in route.params if "read" in p)}:
        check(database, tables.STATEMENTS[name].replace("{where}", ""))


@pytest.mark.parametrize("route, param", FILTERS, ids=[f"{r.name} {p['name']}" for r, p in FILTERS])
def test_each_parameter(database, route, param):
    for name in {route.row["read"], route.row.get("total", route.row["read"])}:
        check(database, tables.STATEMENTS[name].replace("{where}", with_value(param)))


def test_pairs_of_parameters_of_the_story_list(database):
    story_list = next(r for r in LISTS if r.key == ("GET", "/projects/:project/stories"))
    usable = [p for p in story_list.params if "where" in p]
    for a, b in itertools.combinations(usable, 2):
        sql = tables.STATEMENTS["story_list"].replace("{where}", with_value(a) + with_value(b))
        check(database, sql)


def test_a_page_of_a_large_project_is_read_by_the_order(database):
    """A page does not sort 20,000 stories."""
    sql = tables.STATEMENTS["story_list"].replace("{where}", "").replace("$1::bigint", "1")
    sql = sql.replace("$2::bigint", "100").replace("$3::bigint", "400")
    database.execute(f"explain (costs off) {sql}")
    plan = "\n".join(line for line, in database.fetchall())
    assert "story_order" in plan and not scanned(plan), plan


@contextlib.contextmanager
def logged(stack):
    """A list, which then has the statements that the server ran meanwhile."""
    found, before = [], len(stack.log("postgres"))
    admin = psycopg2.connect(stack.env["STACK_ADMIN_DB"])
    admin.autocommit = True
    for value in 0, -1:
        admin.cursor().execute(f"alter system set log_min_duration_statement = {value}")
        admin.cursor().execute("select pg_reload_conf()")
        time.sleep(0.5)
        if value == 0:
            yield found
    admin.close()
    lines = stack.log("postgres")[before:]
    found += re.findall(r"(?m) execute [^:\n]*: (.*(?:\n\t.*)*)", lines)


def test_stories_in_some_states_are_read_from_the_first_of_them(stack, database, world):
    """A board begins with those that wait: in an old project, very many accepted ones come before them."""
    with logged(stack) as statements:
        ok(world.own.client.get(f"/projects/{world.own.project}/stories?with_state=planned,unstarted"))
    sql, = (x for x in statements if "story_section" in x and "order by" in x)
    for plan in plans(database, sql):
        conditions = re.search(r"Index Cond: (.*section.*)", plan)
        assert conditions and "section >=" in conditions[1] and "section <=" in conditions[1], plan


@pytest.mark.parametrize("name, index", [("story_activity_list", "activity_story"),
                                         ("story_activity_count", "activity_story"),
                                         ("epic_activity_list", "activity_epic"),
                                         ("epic_activity_count", "activity_epic")])
def test_the_feed_of_one_thing_reads_no_others(database, name, index):
    """In a project with 20,000 activities."""
    database.execute("select set_config('planwright.project', '1', false)")
    for plan in plans(database, tables.STATEMENTS[name].replace("{where}", "")):
        assert f"on {index}" in plan and "activity" not in scanned(plan), plan
        assert "activity_time" not in plan and "activity_pkey" not in plan, plan


@pytest.mark.parametrize("name", ["notification_list", "notification_since", "notification_get", "stories_visible",
                                  "projects_visible", "comments_visible"])
def test_who_sees_a_row_is_asked_for_that_row(database, name):
    """No table of all projects or memberships is built to look up a few."""
    for plan in plans(database, tables.STATEMENTS[name].replace("{where}", "")):
        hashed = "hashed SubPlan" in plan and name.startswith("notification")
        assert not hashed and "project" not in scanned(plan), plan


@pytest.mark.parametrize("name", [
    "labels_of_story", "labels_of_stories", "label_by_ids", "person_by_ids", "account_person_by_ids",
    "story_by_ids", "stories_visible", "tasks_of_stories", "task_list", "story_get", "story_owner_list", "story_label_list", "story_exists"])
def test_a_few_rows_of_a_small_table_are_found_too(small, name):
    """A table of several pages is read faster by the index than completely."""
    for plan in plans(small, tables.STATEMENTS[name]):
        assert not scanned(plan) & {"label", "person", "story", "task"}, plan


def test_a_cursor_is_found_by_its_id(database):
    """Not by scanning all stories of its project."""
    for plan in plans(database, tables.STATEMENTS["story_exists"]):
        assert "story_pkey" in plan, plan


def test_there_is_much_to_explain():
    assert len(STATIC) > 20 and len(FILTERS) > 15
