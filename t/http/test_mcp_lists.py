"""Long lists, as assistants are told them: pages of tools, cursors of resources (contract 1.20)."""
import pytest

from assistant import BEFORE, NEWEST, Assistant
from client import Client
from conftest import Person, Stack, stack_folder
from test_export import make_projects
from world import new_project, ok

PROJECTS, PAGE, MOST = 1200, 100, 500


@pytest.fixture(scope="module")
def crowded():
    """A server of its own: the crowd would slow others down."""
    server = Stack(stack_folder("crowded"), workers=2)
    yield server
    server.close()


@pytest.fixture(scope="module")
def boss(crowded):
    """Sees many projects; one has many members and epics."""
    stack, who = crowded, Person(crowded, "Crowded")
    make_projects(stack, who, PROJECTS - 1)
    project = new_project(Client(stack, who.token))["id"]
    stack.sql("set session_replication_role = replica")
    stack.sql("""with p as (insert into planwright.person (name, initials, username, email)
            select 'M ' || i, 'M', 'crowd' || i, 'crowd' || i || '@example.test' from generate_series(2, 250) i returning id)
        insert into planwright.project_membership (project_id, person_id, role) select %s, id, 'member' from p""", project)
    stack.sql("""with l as (insert into planwright.label (project_id, name)
            select %s, 'epic ' || i from generate_series(1, 250) i returning id, project_id, name)
        insert into planwright.epic (project_id, label_id, name, rank) select project_id, id, name, id from l""", project)
    stack.sql("reset session_replication_role")
    stack.sql("analyze")
    who.project = project
    return who


@pytest.fixture(scope="module", params=[BEFORE, NEWEST])
def robot(request, crowded, boss):
    made = ok(Client(crowded, boss.token).post("/my/tokens", {"name": f"Robot {request.param}", "scope": "write"}))
    return Assistant(Client(crowded), made["token"], request.param)


@pytest.mark.parametrize("tool, total", [("list_projects", PROJECTS), ("list_members", 250), ("list_epics", 250)])
def test_a_list_is_told_in_pages(robot, boss, tool, total):
    arguments = {} if tool == "list_projects" else {"project_id": boss.project}
    seen, offset, pages = [], 0, 0
    while offset is not None:
        told = robot.call(tool, **arguments, **({"offset": offset} if offset else {}))
        assert told["total"] == total and 0 < len(told["items"]) <= PAGE
        seen += [x["id"] for x in told["items"]]
        offset, pages = told.get("next_offset"), pages + 1
    assert len(seen) == len(set(seen)) == total and pages == -(-total // PAGE)
    past = robot.call(tool, **arguments, offset=total + 5)
    assert (past["items"], past["total"], past.get("next_offset")) == ([], total, None)
    few = robot.call(tool, **arguments, limit=2, offset=1)
    assert ([x["id"] for x in few["items"]], few["next_offset"]) == (seen[1:3], 3)
    assert len(robot.call(tool, **arguments, limit=100000)["items"]) == min(total, MOST)
    assert robot.call(tool, **arguments, limit=0)["items"] == []
    for wrong in (-1, 1.5, "x", True, [1]):
        for name in ("limit", "offset"):
            assert f"'{name}' must be" in robot.refused(tool, **arguments, **{name: wrong})
    assert len(robot.call(tool, **arguments, offset=None, limit=None)["items"]) == PAGE


def test_resources_have_cursors(robot, boss):
    seen, cursor, pages = set(), None, 0
    while pages == 0 or cursor:
        told = robot.ask("resources/list", {"cursor": cursor} if cursor else {})
        assert 0 < len(told["resources"]) <= MOST
        seen |= {r["uri"] for r in told["resources"]}
        cursor, pages = told.get("nextCursor"), pages + 1
    assert len(seen) == PROJECTS and pages == -(-PROJECTS // MOST)
    assert f"planwright://project/{boss.project}/iteration/current" in seen


@pytest.mark.parametrize("cursor", ["x", "-1", "", "1.5", " 1", "99999999999999999999", 100, [], {}, True])
def test_cursors_that_are_none(robot, cursor):
    assert robot.error("resources/list", {"cursor": cursor})["code"] == -32602
    assert robot.error("tools/list", {"cursor": cursor})["code"] == -32602


def test_an_envelope_is_ignored(robot):
    """JSON-RPC has one of its own."""
    for method, params in (("tools/list", {}), ("nothing", {}), ("tools/call", {"name": "list_projects"})):
        message = robot.message(method, params)
        plain, asked = (robot.client.request("POST", f"/mcp{query}", json=message, headers=robot.headers(message))
                        for query in ("", "?envelope=true"))
        assert plain.json()["jsonrpc"] == "2.0" and asked.content == plain.content
