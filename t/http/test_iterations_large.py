"""A page of iterations costs about the same in a small and in a large project. The test counts database pages, which
other work on the machine does not affect."""

import re

import pytest

from conftest import TOP

QUERIES = (TOP / "sql/queries/iteration.sql").read_text()
FILL = """
insert into story (project_id, name, current_state, estimate, accepted_at, rank, created_at, updated_at)
select %(project)s, 'done ' || i, 'accepted', i %% 4, at, (extract(epoch from at) * 1000000)::bigint,
    %(start)s, at
from generate_series(0, %(accepted)s - 1) i cross join lateral (select %(start)s::timestamptz
    + make_interval(weeks => %(weeks)s) * (i::double precision / %(accepted)s)) x(at);
insert into story (project_id, name, current_state, estimate, rank, created_at, updated_at)
select %(project)s, 'open ' || i, case when i < 10 then 'started' when i < 40 then 'unstarted'
    else 'unscheduled' end, i %% 4, i * 1048576::bigint, %(start)s, %(start)s
from generate_series(0, %(open)s - 1) i;
"""
NOW = "2024-03-13T12:00:00Z"


def fill(sql, project, **counts):
    weeks = counts["weeks"]
    (start,), = sql("select timestamptz '2024-03-11T00:00:00Z' - make_interval(weeks => %s)", weeks)
    sql("set search_path = planwright")
    sql("set session_replication_role = replica")
    sql("update project set start_date = %s::date where id = %s", start, project)
    statement = FILL % {k: f"'{v}'" if k == "start" else v
                        for k, v in {**counts, "project": project, "start": start}.items()}
    sql(statement)
    sql("reset session_replication_role")


@pytest.fixture(scope="module")
def sizes(clocked, make):
    """A project with 1,000 stories and one with 20,000, at the same velocity."""
    clocked.pin(NOW)
    small, large = make(), make()
    fill(clocked.sql, small, accepted=950, weeks=15, open=50)
    fill(clocked.sql, large, accepted=19000, weeks=300, open=1000)
    clocked.sql("vacuum analyze story")
    return small, large


def statements(weeks, scope, offset, always):
    """What a page of ten iterations with their velocities reads (src/store/plan_load.h); all iterations here last a
    week."""
    current = weeks + 1
    first = current + offset if offset < 0 else offset + {"current": current, "backlog": current + 1}.get(scope, 1)
    last = min(first + 10, current)
    day = {n: f"date '2024-03-11' + {7 * (n - current)}" for n in range(1, first + current + 11)}
    sums = current - 3
    done = [(min(first - 3, sums), current)] if last > sums else [(max(1, first - 3), last), (sums, current)]
    yield "planning_projects", "array[{project}]"
    yield "planning_midnights", day[max(1, min(first - 3, sums))], day[max(first + 10, current + 1)], "'UTC'"
    for a, b in done:
        yield "planning_accepted", "{project}", day[a], day[b], "null"
    if always or first + 10 > current:
        yield "planning_accepted", "{project}", day[current], "null", "null"
        yield "planning_unaccepted", "{project}", "0", str(2**63 - 1), str(2**63 - 1), "null" if always else "128", "null"


def blocks(sql, project, weeks, scope, offset, always):
    """Blocks that the statements of a page read."""
    sql("set search_path = planwright")
    total = 0
    for name, *values in statements(weeks, scope, offset, always):
        text = re.search(rf"-- name: {name}\n(.*?)(?:\n\n|\Z)", QUERIES, re.S).group(1)
        text = re.sub(r"\$(\d+)", lambda m: f"({values[int(m.group(1)) - 1]})".format(project=project), text)
        sql(text)
        (((plan,),),) = [sql(f"explain (analyze, buffers, format json) {text}")]
        top = plan[0]["Plan"]
        total += top["Shared Hit Blocks"] + top["Shared Read Blocks"]
    return total


@pytest.mark.parametrize("scope, offset, always", [
    ("current", 0, False), ("done", 0, False), ("done", -10, False), ("", 0, True),
    ("backlog", 0, True)])
def test_a_page_reads_little_of_a_large_project(clocked, sizes, scope, offset, always):
    small, large = (blocks(clocked.sql, project, weeks, scope, offset, always)
                    for project, weeks in zip(sizes, (15, 300)))
    assert 0 < large <= 3 * small, (small, large)


def test_both_plan_alike(planner, sizes):
    for project, current in zip(sizes, (16, 301)):
        answer = planner.get(f"/projects/{project}/iterations?scope=done&limit=10&offset=-10"
                             "&fields=points,velocity,story_ids")
        assert [i["number"] for i in answer.json()] == list(range(current - 10, current))
        assert all(len(i["story_ids"]) in (63, 64) for i in answer.json())
