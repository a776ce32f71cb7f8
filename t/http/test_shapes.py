"""Lists with conditions are built at run time; a worker keeps the most used statements prepared, however many shapes
its clients use."""

import itertools
import re
import statistics
import time

from conftest import Client, Person
from world import new_project, ok

CONDITIONS = ["with_state=unstarted", "with_story_type=feature", "with_story_priority=none",
              "created_after=2006-01-01T00:00:00Z", "created_before=9000-01-01T00:00:00Z",
              "updated_after=2006-01-01T00:00:00Z", "updated_before=9000-01-01T00:00:00Z",
              "with_label=blue"]


def test_more_shapes_than_are_kept(new_stack):
    server = new_stack(workers=1)
    server.sql("alter database planwright set log_statement = 'all'")
    server.sql("alter database planwright set log_min_messages = log")
    server.pin(None)  # new connections, which use the clock
    client = Client(server, Person(server, "Shaper").token)
    path = f"/projects/{new_project(client)['id']}/stories"
    story = ok(client.post(path, {"name": "x", "current_state": "unstarted", "labels": ["blue"]}))
    shapes = ["&".join(some) for n in range(1, len(CONDITIONS) + 1)
              for some in itertools.combinations(CONDITIONS, n)]
    assert len(shapes) == 255  # each is two statements: the page and the total

    def ask(shape):
        answer = client.get(f"{path}?{shape}&fields=name")
        assert ok(answer) == [{"id": story["id"], "name": "x"}], shape
        assert answer.headers["X-Tracker-Pagination-Total"] == "1"

    def prepared(shape):
        """Whether both statements of the last request were prepared."""
        before = len(server.log("postgres"))
        ask(shape)
        log = server.log("postgres")[before:]
        return len(re.findall(r"execute text\d+: select", log)) == 2

    for shape in shapes:
        ask(shape)
        ask(shape)
    for shape in shapes[-5:]:
        assert prepared(shape)
    for shape in shapes[:5]:  # dropped meanwhile, and prepared again
        ask(shape)
        ask(shape)
        assert prepared(shape)
    for _ in range(3):
        for shape in shapes:
            ask(shape)
    names = set(re.findall(r"execute (text\d+): select", server.log("postgres")))
    assert 100 < len(names) <= 256 and "deallocate text" in server.log("postgres")


def test_plans_are_not_compiled(new_stack):
    """jit is on by default, and takes tens of milliseconds for a plan whose cost exceeds a threshold, which that of a
    generic plan of a large list does."""
    server = new_stack(workers=1)
    client = Client(server, Person(server, "Hasty").token)
    path = f"/projects/{new_project(client)['id']}/stories"

    def median():
        times = []
        for _ in range(9):
            start = time.monotonic()
            ok(client.get(path))
            times.append(time.monotonic() - start)
        return statistics.median(times)

    before = median()
    server.sql("alter database planwright set jit_above_cost = 0")
    server.sql("alter database planwright set jit_optimize_above_cost = 0")
    server.pin(None)
    assert median() < before + 0.05
