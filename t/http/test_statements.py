"""What changing a story costs the database: which statements it sends, and which indexes it updates."""

import re
import time

import pytest

from board import Board
from conftest import Client, Person, Stack, stack_folder, wait_for
from world import ok

READS = ["gate_member", "scene_project_of_story", "load_story", "load_labels_of_story"]
ORDER = ["load_adjacent", "load_section_border"]
WRITES = ["save_label_counts", "save_transition", "save_version", "save_activity"]


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("statements"), workers=1)
    stack.sql("alter system set log_statement = 'all'")
    stack.sql("select pg_reload_conf()")
    stack.client = Client(stack, Person(stack, "Boss").token)
    stack.board = Board(stack.client)
    yield stack
    stack.close()


def sent(server, change):
    """The names of the statements that a change to a story sends, without the update itself and without those that
    the sender runs meanwhile."""
    story = f"{server.board.path}/stories/{server.story}"
    mark = len(server.log("postgres"))
    ok(server.client.put(story, change))
    seen = wait_for(lambda: (lambda text: text if "save_activity" in text else None)(
        server.log("postgres")[mark:]))
    return re.findall(r"execute ((?:gate|scene|load|save)_\w+):", seen)


@pytest.mark.parametrize("state, names", [
    ("started", READS + ORDER + WRITES),  # it moves to another section
    ("finished", READS + WRITES),
    ("delivered", READS + ["load_concerned"] + WRITES),
    ("rejected", READS + ["load_concerned"] + WRITES),
    ("unstarted", READS + ORDER + WRITES),
])
def test_a_state_asks_for_what_it_needs(server, state, names):
    if state == "started":
        server.story = server.board.add("a", "unstarted", estimate=1, labels=["x"])["id"]
        ok(server.client.put(f"{server.board.path}/stories/{server.story}", {"name": "b"}))
    assert sent(server, {"current_state": state}) == names


def test_a_change_in_place_writes_into_no_index(server):
    """The story stays on its page (HOT): there are ten indexes of stories."""
    def counts():
        time.sleep(1.1)  # a backend reports its statistics at the end of a transaction, at most once a second
        ok(server.client.get("/me"))
        return server.sql("""select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables
            where schemaname = 'planwright' and relname = 'story'""")[0]
    story = server.board.add("c", "started", estimate=1)["id"]
    updates, in_place = counts()
    for estimate in (2, 3, 1, 2, 3):
        ok(server.client.put(f"{server.board.path}/stories/{story}", {"estimate": estimate}))
    assert counts() == (updates + 5, in_place + 5)


@pytest.mark.parametrize("path, names", [
    ("", ["gate_project", "project_get"]),
    ("?fields=iteration_override_numbers", ["gate_project", "project_get"]),
    ("?fields=current_velocity", ["gate_project", "project_get", "planning_midnights"]),
    ("/epics?fields=past_done_story_estimates,completed_at",
     ["gate_project", "epic_list", "epic_rollups"]),
    ("/iterations?scope=done&fields=number",
     ["gate_project", "planning_projects", "planning_midnights"]),
])
def test_what_follows_from_the_calendar_is_not_asked_for_by_itself(server, path, names):
    if path.startswith("/epics"):
        ok(server.client.post(server.board.path + "/epics", {"name": "e"}))
    path = server.board.path + path
    mark = len(server.log("postgres"))
    ok(server.client.get(path))
    seen = wait_for(lambda: (lambda text: text if f"execute {names[-1]}:" in text else None)(
        server.log("postgres")[mark:]))
    # The view is recorded after the answer, and so at any time.
    asked = re.findall(r"execute ((?:gate|project|epic|planning)_\w+):", seen)
    assert [name for name in asked if name != "project_viewed"] == names


def test_the_news_of_a_board_have_one_plan(server):
    """Planning it for each version would cost more than all other requests of open boards."""
    path = f"{server.board.path}/activity?since_version=%d&sort_order=asc&limit=100"
    for version in range(1, 6):  # each worker prepares a text that it sees again
        ok(server.client.get(path % version))
    mark = len(server.log("postgres"))
    ok(server.client.get(path % 2))
    seen = wait_for(lambda: (lambda text: text if "from api.activity" in text else None)(
        server.log("postgres")[mark:]))
    assert re.search(r"execute text\d+: select a.\* from api.activity", seen), seen
    assert "plan_mode" not in seen, seen
