"""GET stories?filter=: the search language in story lists."""

import pytest

from conftest import Client, Person
from searching import Board, board, empty_board, owner  # noqa: F401


def test_order_pages_and_totals(empty_board):
    board = empty_board
    wanted = [board.story(f"Lemur {i}", current_state="unstarted") for i in range(5)]
    for i in range(3):
        board.story(f"Tapir {i}", current_state="unstarted")
    order = [s["id"] for s in board.client.get(f"{board.path}/stories").json()]
    in_order = [i for i in order if i in wanted]
    assert board.filtered("lemur") == in_order
    answer = board.filter("lemur", limit=2, offset=3)
    assert [s["id"] for s in answer.json()] == in_order[3:5]
    paging = {k: answer.headers[f"X-Tracker-Pagination-{k}"]
              for k in ("Total", "Limit", "Offset", "Returned")}
    assert paging == {"Total": "5", "Limit": "2", "Offset": "3", "Returned": "2"}
    answer = board.filter("lemur", limit=0)
    assert answer.json() == [] and answer.headers["X-Tracker-Pagination-Total"] == "5"
    assert board.filter("nosuchword").headers["X-Tracker-Pagination-Total"] == "0"


def test_it_gives_whole_stories(board):
    story = board.story("Whole", labels=["x"])
    assert board.ok(board.filter("whole")) == [board.client.get(f"{board.path}/stories/{story}").json()]


def test_done_iterations_only_when_asked_for(empty_board):
    board = empty_board
    done = board.story(current_state="accepted", estimate=1, accepted_at="2020-01-01T00:00:00Z",
                       created_at="2019-01-01T00:00:00Z", labels=["mnt"])
    new = board.story(labels=["mnt"])
    assert board.filtered("label:mnt") == [new]
    assert board.filtered("label:mnt AND includedone:true") == [done, new]
    assert board.filtered("state:unstarted,started OR accepted_since:10/01/2015") == [done]
    assert board.filtered(f"id:{done}") == []


@pytest.mark.parametrize("more", [
    {"date_format": "millis"}, {"limit": 1}, {"offset": 0}, {"envelope": "true"},
    {"project_id": None}])
def test_what_may_stand_beside_it(board, more):
    if "project_id" in more:
        more = {"project_id": board.project["id"]}
    assert board.filter("x", **more).status_code == 200


@pytest.mark.parametrize("more", [
    {"fields": "name"}, {"with_state": "started"}, {"with_label": "x"}, {"after_story_id": "1"},
    {"created_after": "2015-01-01T00:00:00Z"}, {"with_story_type": "bug"}])
def test_what_may_not_stand_beside_it(board, more):
    answer = board.filter("x", **more)
    assert answer.status_code == 400
    error = answer.json()
    assert error["code"] == "invalid_parameter"
    (name,) = more
    assert "'filter'" in error["general_problem"] and name in error["general_problem"]


def test_token_may_stand_beside_it(board, api):
    answer = api().get(f"{board.path}/stories",
                       params={"filter": "x", "token": board.owner.token})
    assert answer.status_code == 200


def test_fields_may_stand_beside_it_when_the_settings_say_so(new_stack):
    stack = new_stack(workers=1, settings="filter_with_fields = yes")
    board = Board(lambda who: Client(stack, who.token), Person(stack, "Olga"))
    story = board.story("Configured")
    assert board.ok(board.filter("configured", fields="name")) == [
        {"id": story, "name": "Configured"}]
    assert board.filter("x", with_state="started").status_code == 400


def test_another_project_is_refused(board):
    answer = board.filter("x", project_id=board.project["id"] + 1)
    assert answer.status_code == 400 and "project_id" in answer.json()["general_problem"]


@pytest.mark.parametrize("query, place", [("state:nowhere", 7), ("a OR", 3), ("/x(/", 1)])
def test_a_bad_filter_is_told_where(board, query, place):
    answer = board.filter(query)
    assert answer.status_code == 400
    assert f"at character {place} of the search: " in answer.json()["general_problem"]


def test_rights_come_before_the_filter(board, api, person):
    answer = api(person()).get(f"{board.path}/stories", params={"filter": "state:nowhere"})
    assert answer.status_code == 403


def test_the_version_is_in_the_answer(board):
    assert int(board.filter("x").headers["X-Tracker-Project-Version"]) > 0


def test_an_empty_filter_finds_all_that_is_not_done(empty_board):
    story = empty_board.story()
    assert empty_board.filtered("") == [story]


def test_it_works_in_the_edge_version(board, api):
    story = board.story("Edgeworth")
    answer = api(board.owner, base="/services/edge").get(f"{board.path}/stories",
                                                         params={"filter": "edgeworth"})
    assert [s["id"] for s in answer.json()] == [story]
