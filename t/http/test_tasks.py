"""Tasks of a story and their positions (contract 1.4, 2.9, 3.7)."""

import itertools

import pytest

from test_bodies import refused
from world import Place, ok


@pytest.fixture(scope="module")
def place(world):
    return Place(world.admin)


class Tasks:
    def __init__(self, place):
        self.client = place.client
        story = ok(self.client.post(f"/projects/{place.project}/stories", {"name": "x"}))["id"]
        self.story, self.path = story, f"/projects/{place.project}/stories/{story}/tasks"

    def add(self, description, **body):
        return ok(self.client.post(self.path, {"description": description, **body}))

    def put(self, task, **body):
        return self.client.put(f"{self.path}/{task['id']}", body)

    def order(self):
        tasks = ok(self.client.get(self.path))
        assert [t["position"] for t in tasks] == list(range(1, len(tasks) + 1))
        return "".join(t["description"] for t in tasks)


@pytest.fixture
def tasks(place):
    return Tasks(place)


@pytest.fixture
def four(tasks):
    """Tasks a, b, c and d."""
    tasks.list = [tasks.add(name) for name in "abcd"]
    return tasks


def test_shape(tasks):
    task = tasks.add("Test task")
    assert list(task) == ["kind", "id", "story_id", "description", "complete", "position",
                          "created_at", "updated_at"]
    assert (task["kind"], task["complete"], task["position"]) == ("task", False, 1)
    assert task["story_id"] == tasks.story
    assert ok(tasks.client.get(f"{tasks.path}/{task['id']}")) == task
    assert tasks.add("next", complete=True)["position"] == 2


def test_update(tasks):
    task = tasks.add("a")
    changed = ok(tasks.put(task, complete=True, description="b"))
    assert (changed["complete"], changed["description"], changed["position"]) == (True, "b", 1)
    assert ok(tasks.put(task, complete=False))["description"] == "b"


@pytest.mark.parametrize("source, target", itertools.product(range(4), range(1, 5)))
def test_moves(place, source, target):
    tasks = Tasks(place)
    made = [tasks.add(name) for name in "abcd"]
    moved = ok(tasks.put(made[source], position=target))
    want = [name for name in "abcd" if name != "abcd"[source]]
    want.insert(target - 1, "abcd"[source])
    assert moved["position"] == target and tasks.order() == "".join(want)


@pytest.mark.parametrize("position, want", [(1, "xabcd"), (3, "abxcd"), (5, "abcdx")])
def test_new_ones_with_a_position(four, position, want):
    assert four.add("x", position=position)["position"] == position
    assert four.order() == want


@pytest.mark.parametrize("position", [0, -1, 6, 1 << 40])
def test_positions_out_of_range(four, position):
    for answer in (four.put(four.list[0], position=position),
                   four.client.post(four.path, {"description": "x", "position": position})):
        error = refused(answer)
        assert list(error) == ["code", "kind", "error", "requirement"]
    assert four.order() == "abcd"
    refused(four.put(four.list[0], position=5))


@pytest.mark.parametrize("gone, want", [(0, "bcd"), (1, "acd"), (3, "abc")])
def test_deletion_closes_the_gap(four, gone, want):
    path = f"{four.path}/{four.list[gone]['id']}"
    answer = four.client.delete(path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert four.order() == want
    assert four.client.delete(path).status_code == 404


def test_tasks_of_another_story(four, place):
    other = Tasks(place)
    path = f"{other.path}/{four.list[0]['id']}"
    assert {other.client.get(path).status_code, other.client.put(path, {"complete": True}).status_code,
            other.client.delete(path).status_code} == {404}
    assert four.order() == "abcd"


def test_the_story_is_touched(four, sql):
    for change in (lambda: four.add("x"), lambda: four.put(four.list[0], complete=True),
                   lambda: four.client.delete(f"{four.path}/{four.list[1]['id']}")):
        sql("update story set updated_at = '2020-01-01' where id = %s", four.story)
        change()
        assert ok(four.client.get(f"/stories/{four.story}"))["updated_at"] > "2024"


def test_in_the_story(four):
    story = ok(four.client.get(f"/stories/{four.story}?fields=tasks,task_ids"))
    assert story["task_ids"] == [t["id"] for t in four.list] == [t["id"] for t in story["tasks"]]
    assert story["tasks"] == ok(four.client.get(four.path))
