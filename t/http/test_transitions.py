"""Story transitions (contract 3.7)."""

import pytest

from board import Board, problem
from world import ok


def transitions(board, name, query=""):
    return ok(board.client.get(f"{board.at(name)}/transitions{query}"))


def states(list):
    return [t["state"] for t in list]


def test_a_change_of_state_is_recorded(board, boss):
    board.add("a", "unstarted")
    version = board.version()
    board.move("a", current_state="accepted")
    board.move("a", current_state="rejected")
    first, accepted, rejected = transitions(board, "a")
    assert first["state"] == "unstarted"
    assert accepted == {
        "kind": "story_transition", "state": "accepted", "story_id": board.ids["a"],
        "project_id": board.id, "project_version": version + 1,
        "occurred_at": accepted["occurred_at"], "performed_by_id": boss.id}
    assert (rejected["state"], rejected["project_version"]) == ("rejected", version + 2)


def test_other_changes_are_not(board):
    board.add("a")
    board.move("a", name="b", estimate=2)
    board.move("a", current_state="unscheduled")
    assert transitions(board, "a") == []
    assert problem(board.put("a", current_state="planned"))
    assert transitions(board, "a") == []


def test_a_move_that_changes_the_state_is(board):
    board.add("i")
    board.add("x", "unstarted")
    board.move("i", before="x")
    board.move("i", group="unscheduled")
    assert states(transitions(board, "i")) == ["unstarted", "unscheduled"]


def test_a_place_that_changes_the_state_among_other_changes_is(board):
    board.add("i")
    board.add("x", "unstarted")
    assert board.move("i", before="x", name="j")["current_state"] == "unstarted"
    assert states(transitions(board, "i")) == ["unstarted"]


def test_the_version_is_that_of_the_activity(board, sql):
    board.add("a", "started", labels=["new"])
    board.move("a", current_state="finished", labels=["newer"])
    for t in transitions(board, "a"):
        (changes,), = sql("""select changes::json from planwright.activity
            where project_id = %s and version = %s""", board.id, t["project_version"])
        story, = [c for c in changes if c["kind"] == "story"]
        assert story["new_values"]["current_state"] == t["state"]


def test_who_did_it(board, api, person):
    member = person("Member")
    board.join(member)
    board.add("a")
    ok(api(member).put(board.at("a"), {"current_state": "unstarted"}))
    t, = transitions(board, "a", "?fields=state,performed_by(name)")
    assert t == {"state": "unstarted", "performed_by": {"id": member.id, "name": "Member"}}


def test_pages(board):
    board.add("a")
    for state in ("unstarted", "started", "finished", "delivered", "accepted"):
        board.move("a", current_state=state)
    answer = board.client.get(f"{board.at('a')}/transitions?limit=2&offset=1")
    assert states(ok(answer)) == ["started", "finished"]
    assert [answer.headers[f"X-Service-Pagination-{x}"]
            for x in ("Total", "Limit", "Offset", "Returned")] == ["5", "2", "1", "2"]
    assert board.client.get(f"{board.at('a')}/transitions").headers[
        "X-Service-Pagination-Limit"] == "100"


def test_nested_in_a_story(board):
    board.add("a", "started")
    board.add("b")
    nested = board.stories("name,transitions(state)")
    assert nested == [
        {"id": board.ids["a"], "name": "a", "transitions": [{"state": "started"}]},
        {"id": board.ids["b"], "name": "b", "transitions": []}]
    assert "transitions" not in ok(board.client.get(board.at("a")))


def test_they_are_not_written(board):
    board.add("a")
    assert problem(board.put("a", transitions=[])) == (
        "this endpoint cannot accept the parameter: transitions")


# --- of a project --------------------------------------------------------------------

def test_all_of_a_project_oldest_first(board):
    board.add("a", "started")
    board.add("b", "unstarted")
    board.move("a", current_state="accepted")
    answer = board.client.get(f"{board.path}/story_transitions")
    assert [(t["story_id"], t["state"]) for t in ok(answer)] == [
        (board.ids["a"], "started"), (board.ids["b"], "unstarted"), (board.ids["a"], "accepted")]
    assert answer.headers["X-Service-Pagination-Total"] == "3"
    assert states(ok(board.client.get(f"{board.path}/story_transitions?limit=1&offset=1"))) == [
        "unstarted"]


def test_between_two_times(board, sql):
    board.add("a")
    for day, state in enumerate(["unstarted", "started", "finished", "delivered"], 1):
        board.move("a", current_state=state)
        sql("""update planwright.story_transition set occurred_at = %s
            where story_id = %s and state = %s""", f"2024-01-0{day}T00:00:00Z", board.ids["a"], state)

    def get(query):
        answer = board.client.get(f"{board.path}/story_transitions?{query}")
        assert answer.headers["X-Service-Pagination-Total"] == str(len(ok(answer)))
        return states(answer.json())

    assert get("occurred_after=2024-01-02T00:00:00Z") == ["finished", "delivered"]
    assert get("occurred_before=2024-01-02T00:00:00Z") == ["unstarted"]
    assert get("occurred_after=2024-01-01T00:00:00Z&occurred_before=1704326400000") == [
        "started", "finished"]
    assert problem(board.client.get(f"{board.path}/story_transitions?occurred_after=x"))


def test_a_story_keeps_its_past_in_another_project(board, api, boss):
    there = Board(api(boss))
    board.add("a", "started")
    there.ids["a"] = board.ids["a"]
    board.move("a", project_id=there.id, current_state="finished")
    assert [(t["state"], t["project_id"]) for t in transitions(there, "a")] == [
        ("started", board.id), ("finished", there.id)]
    assert transitions(there, "a")[1]["project_version"] == there.version()
    assert states(ok(board.client.get(f"{board.path}/story_transitions"))) == ["started"]
    assert states(ok(there.client.get(f"{there.path}/story_transitions"))) == ["finished"]


def test_they_go_with_the_story(board, sql):
    board.add("a", "started")
    ok(board.client.delete(board.at("a")), 204)
    assert ok(board.client.get(f"{board.path}/story_transitions")) == []


def test_a_project_with_them_can_be_deleted(board):
    board.add("a", "started")
    ok(board.client.delete(board.path), 204)


@pytest.mark.parametrize("path", ["/stories/{story}/transitions", "/story_transitions"])
def test_who_may_see_them(board, api, person, path):
    board.add("a", "started")
    path = board.path + path.format(story=board.ids["a"])
    viewer = person("Viewer")
    board.join(viewer, "viewer")
    assert api(viewer).get(path).status_code == 200
    assert api(person("Stranger")).get(path).status_code == 403
    assert api().get(path).status_code == 403
