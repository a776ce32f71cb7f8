"""Neighbours, pages and moves cost as much in a large project as in a small one."""

import json
import re

import pytest

import tables
from world import new_project


@pytest.fixture(scope="module")
def large(api, boss, sql):
    """20,000 stories, 15,000 of them accepted; inserted without the triggers."""
    id = new_project(api(boss))["id"]
    sql("""begin; set local search_path = planwright; set local session_replication_role = replica;
        insert into story (project_id, name, current_state, accepted_at, story_type, rank)
        select %s, 'Story ' || n, case when n <= 15000 then 'accepted' when n <= 15010 then 'started'
                when n <= 18000 then 'unstarted' else 'unscheduled' end,
            case when n <= 15000 then '2020-01-01'::timestamptz + n * interval '1 hour' end,
            case when n %% 100 = 0 then 'release' else 'bug' end, n * 1048576::bigint
        from generate_series(1, 20000) n;
        update project set story_counts = '{15000,10,0,2990,2000}' where id = %s;
        commit; analyze planwright.story""", id, id)
    return id


def plan(sql, statement):
    """The top node of the statement's plan, with all pages that it and its triggers read."""
    (rows,), = sql("explain (analyze, buffers, format json) " + statement)
    top = (rows if isinstance(rows, list) else json.loads(rows))[0]["Plan"]
    return top, top["Shared Hit Blocks"] + top["Shared Read Blocks"]


def nodes(top):
    yield top
    for child in top.get("Plans", []):
        yield from nodes(child)


def assert_ordered_scan(top, pages, most):
    scans = [n for n in nodes(top) if n.get("Relation Name") == "story"]
    assert scans and all(n["Node Type"] != "Seq Scan" for n in scans)
    assert any(n.get("Index Name") in ("story_order", "story_type") for n in scans)
    assert not [n for n in nodes(top) if n["Node Type"] == "Sort" and n["Actual Rows"] > 600]
    assert pages <= most


@pytest.mark.parametrize("n", [10, 15005, 17000, 19990])
def test_neighbours_read_a_few_pages(large, sql, n):
    (id,), = sql("""select id from planwright.story where project_id = %s
        order by section, rank, id offset %s limit 1""", large, n)
    top, pages = plan(sql, f"""select b.id, a.id from planwright.story s
        left join lateral (select n.id from planwright.story n where n.project_id = s.project_id
            and (n.section, n.rank, n.id) > (s.section, s.rank, s.id)
            order by n.section, n.rank, n.id limit 1) b on true
        left join lateral (select n.id from planwright.story n where n.project_id = s.project_id
            and (n.section, n.rank, n.id) < (s.section, s.rank, s.id)
            order by n.section desc, n.rank desc, n.id desc limit 1) a on true
        where s.id = {id}""")
    scans = [n for n in nodes(top) if n.get("Index Name") == "story_order"]
    assert len([n for n in scans if n["Actual Rows"] == 1]) >= 2
    assert_ordered_scan(top, pages, 60)


@pytest.mark.parametrize("n", [10, 15005, 17000, 19890])
def test_a_page_behind_a_story_reads_a_few_pages(large, sql, n):
    (section, rank, id), = sql("""select section, rank, id from planwright.story
        where project_id = %s order by section, rank, id offset %s limit 1""", large, n)
    top, pages = plan(sql, f"""select s.id from planwright.story s where s.project_id = {large}
        and (s.section, s.rank, s.id) > ({section}, {rank}, {id})
        order by s.section, s.rank, s.id limit 100""")
    assert top["Actual Rows"] == 100
    assert_ordered_scan(top, pages, 120)


def put_in(statement, *values):
    """A statement of the service with its parameters replaced by values."""
    for i, value in enumerate(values, 1):
        statement = re.sub(rf"\${i}\b", value, statement)
    return statement


@pytest.mark.parametrize("n", [15005, 17000, 19990])
def test_what_a_move_asks_for_is_on_a_few_pages(large, sql, n):
    """The story with its neighbours, those that it is moved next to, and the ends of the order."""
    ids = [id for id, in sql("""select id from planwright.story where project_id = %s
        order by section, rank, id offset %s limit 3""", large, n)]
    (place,) = sql("select section, rank from story where id = %s", ids[2])
    asked = (("load_story", str(ids[2])),
             ("load_neighbours", "null", str(ids[2]), f"array[{ids[0]}]::bigint[]"),
             ("load_order", "null", str(ids[2])), ("load_section_border", str(large), str(ids[2]), "3"),
             ("load_adjacent", str(large), str(ids[2]), *map(str, place)))
    for name, *values in asked:
        statement = put_in(tables.STATEMENTS[name], *values)
        for _ in range(2):  # the first run also reads the catalogue
            _, pages = plan(sql, statement)
        assert pages <= 120, name
