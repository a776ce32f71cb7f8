"""Unaccepted stories are read in pieces, only as far as the page needs."""

import pytest

NOW = "2024-03-13T12:00:00Z"
FILL = """
insert into planwright.story (project_id, name, current_state, estimate, rank)
select %s, 'open ' || i, case when i <= %s then 'started' else 'unstarted' end, %s, i * 1048576::bigint
from generate_series(1, %s) i"""


@pytest.fixture
def fill(clocked, make):
    def of(started, estimate, count):
        clocked.pin(NOW)
        project = make(start_date="2024-03-11")
        clocked.sql("set session_replication_role = replica")
        clocked.sql(FILL, project, started, estimate, count)
        clocked.sql("reset session_replication_role")
        return project
    return of


@pytest.mark.parametrize("started, estimate, held", [
    (0, 0, 1500),     # all stories without points, in four pieces
    (0, 1, 10),       # the first piece
    (1200, 0, 1500),  # in progress, and the rest without points
    (400, 1, 400)])
def test_the_current_iteration_holds_what_all_together_show(planner, fill, started, estimate, held):
    project = fill(started, estimate, 1500)
    fields = "fields=number,points,story_ids"
    (alone,) = planner.get(f"/projects/{project}/iterations?scope=current&{fields}").json()
    assert len(alone["story_ids"]) == held
    every = planner.get(f"/projects/{project}/iterations?scope=current_backlog&limit=20&{fields}").json()
    assert every[0] == alone
    for one in every[1:20:9]:
        assert planner.get(f"/projects/{project}/iterations/{one['number']}?{fields}").json() == one
