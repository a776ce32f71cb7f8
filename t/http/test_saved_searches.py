"""Saved searches: each belongs to a person, in a project (contract 2.15, 3.13)."""

import pytest

from searching import Board, board, empty_board, owner  # noqa: F401


def save(board, client=None, **body):
    return (client or board.client).post(f"{board.path}/my/searches", json=body)


def test_whole_life(empty_board):
    board = empty_board
    searches = f"{board.path}/my/searches"
    made = board.ok(save(board, name="Mine", query='owner:OO -label:"x y"'))
    assert made == {"kind": "saved_search", "id": made["id"], "project_id": board.project["id"],
                    "name": "Mine", "query": 'owner:OO -label:"x y"'}
    one = f"{searches}/{made['id']}"
    assert board.client.get(one).json() == made
    assert board.client.get(searches).json() == [made]
    changed = board.ok(board.client.put(one, json={"query": "state:started"}))
    assert changed == {**made, "query": "state:started"}
    assert board.ok(board.client.put(one, json={"name": "Other"}))["name"] == "Other"
    assert board.client.get(f"{one}?fields=name").json() == {"id": made["id"], "name": "Other"}
    gone = board.client.delete(one)
    assert gone.status_code == 204 and gone.content == b""
    assert board.client.get(one).status_code == 404
    assert board.client.get(searches).json() == []


def test_each_person_has_their_own(board, person, api):
    viewer = person("Viewer")
    board.join(viewer, "viewer")
    made = board.ok(save(board, name="Mine", query="x"))
    one = f"{board.path}/my/searches/{made['id']}"
    client = api(viewer)
    assert client.get(f"{board.path}/my/searches").json() == []
    assert client.get(one).status_code == 403
    assert client.put(one, json={"name": "Stolen"}).status_code == 403
    assert client.delete(one).status_code == 403
    assert board.ok(save(board, client, name="Theirs", query="y"))["name"] == "Theirs"
    assert board.client.get(one).json() == made


def test_not_by_another_project(board, empty_board):
    made = board.ok(save(board, name="Mine", query="x"))
    other = f"{empty_board.path}/my/searches/{made['id']}"
    assert empty_board.client.get(other).status_code == 404
    assert empty_board.client.put(other, json={"name": "x"}).status_code == 404
    assert empty_board.client.delete(other).status_code == 404


def test_only_for_people_of_the_project(api, owner, person):
    board = Board(api, owner, public=True)
    for client in (api(person()), api()):
        assert client.get(f"{board.path}/my/searches").status_code == 403
        assert save(board, client, name="x", query="y").status_code == 403


def test_it_is_no_change_of_the_project(board):
    before = board.client.get(board.path).json()["version"]
    answer = save(board, name="x", query="y")
    assert answer.headers["X-Tracker-Project-Version"] == str(before)


@pytest.mark.parametrize("body, problem", [
    ({"name": "x"}, "this endpoint requires the parameter: query"),
    ({"query": "x"}, "this endpoint requires the parameter: name"),
    ({"name": "x", "query": "lable:x"}, "at character 1 of the search: "),
    ({"name": "x", "query": "(a"}, "at character 1 of the search: "),
    ({"name": "x", "query": "y" * 1001}, "too long"),
    ({"name": "y" * 256, "query": "x"}, "too long"),
    ({"name": "  ", "query": "x"}, "Name can't be blank"),
    ({"name": "x", "query": " "}, "Query can't be blank"),
    ({"name": "x", "query": 5}, "'query' must be"),
    ({"name": "x", "query": None}, "Query can't be blank"),
    ({"name": "x", "query": "x", "person_id": 1}, "cannot accept the parameter: person_id")])
def test_what_cannot_be_saved(board, body, problem):
    answer = save(board, **body)
    assert answer.status_code == 400, answer.text
    assert problem in answer.json()["general_problem"]


def test_limits_count_characters(board):
    made = board.ok(save(board, name="ß" * 255, query="é" * 1000))
    assert len(made["name"]) == 255 and len(made["query"]) == 1000


def test_a_change_must_be_a_search_too(board):
    made = board.ok(save(board, name="x", query="y"))
    answer = board.client.put(f"{board.path}/my/searches/{made['id']}", json={"query": "state:x"})
    assert answer.status_code == 400
    assert answer.json()["validation_errors"][0]["field"] == "query"
    answer = board.client.put(f"{board.path}/my/searches/{made['id']}", json={"query": None})
    assert answer.status_code == 400
