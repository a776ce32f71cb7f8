"""The single order of a project's stories, and how a request changes it (contract 1.8, 5.5)."""

import concurrent.futures
import random

import pytest

from board import Board, assert_permutation, problem
from world import ok


@pytest.fixture
def by_hand(api, boss):
    return Board(api(boss), automatic_planning=False)


# --- where stories arrive ------------------------------------------------------

def test_new_stories_stand_on_top_of_the_icebox(board):
    board.adds("abc")
    assert board.order() == "cba"


def test_new_stories_of_the_backlog_stand_at_its_end(board):
    board.adds("ab", "unstarted")
    board.add("i")
    board.add("c", "unstarted")
    assert board.order() == "abci"


def test_regions_stand_in_their_order(by_hand):
    for name, state in zip("iupsrfda", ["unscheduled", "unstarted", "planned", "started", "rejected",
                                        "finished", "delivered", "accepted"]):
        by_hand.add(name, state)
    assert by_hand.order() == "asrfdpui"


def test_a_started_story_stands_below_those_in_progress(board):
    board.adds("ab", "started")
    board.adds("xyz", "unstarted")
    board.move("y", current_state="started")
    assert board.order() == "abyxz"


def test_a_story_in_progress_keeps_its_place_through_its_states(board):
    board.adds("abc", "started")
    for state in ("finished", "delivered", "rejected", "started"):
        board.move("b", current_state=state)
        assert board.order() == "abc"


def test_a_story_that_is_unstarted_again_stands_on_top_of_the_backlog(board):
    board.adds("ab", "started")
    board.adds("xy", "unstarted")
    board.move("a", current_state="unstarted")
    assert board.order() == "baxy"


def test_a_story_from_the_icebox_goes_to_the_end_of_the_backlog(board):
    board.adds("xy", "unstarted")
    board.adds("ab")
    board.move("a", current_state="unstarted")
    assert board.order() == "xyab"


def test_a_story_that_is_unscheduled_stands_on_top_of_the_icebox(board):
    board.adds("ab")
    board.adds("xy", "unstarted")
    board.move("x", current_state="unscheduled")
    assert board.order() == "yxba"


def test_accepted_stories_stand_by_the_time_of_acceptance(board):
    board.add("b", "accepted", accepted_at="2024-02-02T00:00:00Z")
    board.add("c", "accepted", accepted_at="2024-03-02T00:00:00Z")
    board.add("a", "accepted", accepted_at="2024-01-02T00:00:00Z")
    assert board.order() == "abc"
    board.move("a", accepted_at="2024-02-20T00:00:00Z")
    assert board.order() == "bac"


# --- moves within a region -----------------------------------------------------

@pytest.mark.parametrize("story,where,order", [
    ("d", {"before": "a"}, "dabc"), ("a", {"after": "d"}, "bcda"), ("a", {"before": "d"}, "bcad"),
    ("d", {"after": "a"}, "adbc"), ("a", {"after": "b"}, "bacd"), ("b", {"before": "a"}, "bacd"),
    ("a", {"before": "b"}, "abcd"), ("b", {"after": "a"}, "abcd"),
    ("d", {"after": "a", "before": "b"}, "adbc"), ("b", {"after": "a", "before": "c"}, "abcd"),
])
def test_moves(board, story, where, order):
    board.adds("abcd", "unstarted")
    board.move(story, **where)
    assert board.order() == order


def test_the_answer_tells_the_new_neighbours(board):
    board.adds("abc", "unstarted")
    answer = ok(board.client.put(board.at("c") + "?fields=before_id,after_id",
                                 board.body(before="b")))
    assert answer == {"id": board.ids["c"], "before_id": board.ids["b"], "after_id": board.ids["a"]}


def test_ends_have_no_neighbour(board):
    board.adds("ab")
    assert_permutation(board.stories("before_id,after_id"))


def test_a_move_is_one_version_and_one_activity(board, sql):
    board.adds("ab")
    before = board.version()
    board.move("a", before="b")
    assert board.version() == before + 1
    assert board.activities(sql)[-1] == "story_move_activity"


def test_a_move_across_regions_is_one_too(board):
    board.adds("ab")
    board.add("x", "unstarted")
    board.move("a", after="x")
    move = ok(board.client.get(f"{board.path}/activity?limit=1"))[0]
    assert (move["kind"], move["highlight"]) == ("story_move_activity", "moved")
    assert move["message"] == "Boss moved this story after 'x'"
    new = move["changes"][0]["new_values"]
    assert (new["current_state"], new["after_id"]) == ("unstarted", board.ids["x"])


def test_a_move_with_more_is_an_update(board):
    board.adds("ab", "unstarted")
    board.move("b", before="a", current_state="started")
    started = ok(board.client.get(f"{board.path}/activity?limit=1"))[0]
    assert (started["kind"], started["highlight"]) == ("story_update_activity", "started")


def test_a_change_that_moves_nothing_is_an_update(board, sql):
    board.adds("ab")
    version = board.version()
    board.move("a", name="a", before_id=None)
    assert board.version() == version
    board.move("a", name="a", description="said", before_id=None)
    assert board.activities(sql)[-1] == "story_update_activity"
    assert board.order() == "ba"


def test_a_move_touches_no_other_story(board, sql):
    board.adds("abcdefgh", "unstarted")
    ranks = dict(sql("select id, rank from planwright.story where project_id = %s", board.id))
    board.move("h", before="c")
    after = dict(sql("select id, rank from planwright.story where project_id = %s", board.id))
    assert {id for id in ranks if ranks[id] != after[id]} == {board.ids["h"]}


def test_a_gap_that_is_used_up_is_made_again(board):
    """Each move halves the gap before b; twenty of them use it up."""
    board.adds("abcdefgh", "unstarted")
    board.move("h", before="b")
    for i in range(70):
        board.move("gh"[i % 2], before="b")
        assert board.order() in ("aghbcdef", "ahgbcdef")
    for i in range(70):
        board.move("gh"[i % 2], after="a")
        assert board.order() in ("aghbcdef", "ahgbcdef")


def test_random_moves_follow_a_list(board):
    names = list("abcdefghij")
    board.adds(names, "unstarted")
    dice = random.Random(5)
    for _ in range(60):
        story, beside = dice.sample(names, 2)
        names.remove(story)
        if dice.random() < 0.5:
            board.move(story, before=beside)
            names.insert(names.index(beside), story)
        else:
            board.move(story, after=beside)
            names.insert(names.index(beside) + 1, story)
        assert board.order() == "".join(names)


# --- moves across regions ------------------------------------------------------

@pytest.mark.parametrize("story,where,order,state", [
    ("i", {"before": "y"}, "sxiyj", "unstarted"),
    ("i", {"after": "y"}, "sxyij", "unstarted"),
    ("x", {"before": "j"}, "syixj", "unscheduled"),
    ("x", {"after": "j"}, "syijx", "unscheduled"),
    ("s", {"after": "i"}, "xyisj", "unscheduled"),
    # Stories in progress stay in front of the backlog, whatever they are moved next to.
    ("s", {"after": "y"}, "sxyij", "started"),
    ("s", {"before": "x"}, "sxyij", "started"),
    # Next to a story in progress, the nearest place is the top of the backlog.
    ("y", {"before": "s"}, "syxij", "unstarted"),
    ("i", {"after": "s"}, "sixyj", "unstarted"),
    # Between two regions: the one that is nearer to the story's own.
    ("j", {"after": "y", "before": "i"}, "sxyji", "unscheduled"),
    ("x", {"after": "y", "before": "i"}, "syxij", "unstarted"),
    ("j", {"after": "s", "before": "x"}, "sjxyi", "unstarted"),
    ("s", {"after": "y", "before": "i"}, "sxyij", "started"),
])
def test_a_story_takes_the_state_of_its_place(board, story, where, order, state):
    board.add("s", "started")
    board.adds("xy", "unstarted")
    board.adds("ji")
    assert board.order() == "sxyij"
    assert board.move(story, **where)["current_state"] == state
    assert board.order() == order


@pytest.mark.parametrize("story,where,order,state", [
    ("x", {"before": "p"}, "sxpyi", "planned"),
    ("x", {"after": "s"}, "sxpyi", "planned"),
    ("i", {"after": "p"}, "spixy", "planned"),
    ("p", {"after": "x"}, "sxpyi", "unstarted"),
    ("p", {"before": "i"}, "sxypi", "unscheduled"),
])
def test_planning_by_hand(by_hand, story, where, order, state):
    by_hand.add("s", "started")
    by_hand.add("p", "planned")
    by_hand.adds("xy", "unstarted")
    by_hand.add("i")
    assert by_hand.move(story, **where)["current_state"] == state
    assert by_hand.order() == order


def test_what_cannot_be_planned_stays_in_the_backlog(by_hand):
    by_hand.add("p", "planned")
    by_hand.adds("xy", "unstarted", story_type="chore")
    assert by_hand.move("y", before="p")["current_state"] == "unstarted"
    assert by_hand.order() == "pyx"


def test_a_new_story_takes_the_state_of_its_place(board):
    board.adds("xy", "unstarted")
    board.add("n", before_id=board.ids["y"])
    assert board.order() == "xny"
    assert board.state("n") == "unstarted"


def test_a_state_named_along_with_a_place_is_kept(board):
    board.adds("xy", "unstarted")
    board.adds("ji")
    board.add("n", "unscheduled", after_id=board.ids["x"])
    assert board.order() == "xynij"
    assert board.move("j", before="y", current_state="unscheduled")["current_state"] == "unscheduled"
    assert board.order() == "xyjni"
    assert board.move("x", after="i", current_state="unstarted")["current_state"] == "unstarted"
    assert board.order() == "yxjni"


def test_a_change_of_state_may_name_the_place(board):
    board.adds("abc", "started")
    board.add("x", "unstarted")
    board.move("x", current_state="started", before="b")
    assert board.order() == "axbc"


# --- groups ----------------------------------------------------------------------

@pytest.mark.parametrize("story,body,order,state", [
    ("i", {"group": "scheduled"}, "sxyij", "unstarted"),
    ("i", {"group": "scheduled", "before": "y"}, "sxiyj", "unstarted"),
    ("x", {"group": "unscheduled"}, "syxij", "unscheduled"),
    ("x", {"group": "unscheduled", "after": "i"}, "syixj", "unscheduled"),
    ("s", {"group": "unscheduled"}, "xysij", "unscheduled"),
    ("s", {"group": "scheduled", "after": "x"}, "sxyij", "started"),
    ("y", {"group": "current"}, "syxij", "unstarted"),
    ("i", {"group": "current"}, "sixyj", "unstarted"),
    ("i", {"group": "current", "after": "x"}, "sxiyj", "unstarted"),
    ("y", {"group": "scheduled"}, "sxyij", "unstarted"),
    # With the same neighbour, the group decides between the end of the backlog and the top of the icebox.
    ("x", {"group": "scheduled", "before": "i"}, "syxij", "unstarted"),
    ("x", {"group": "unscheduled", "before": "i"}, "syxij", "unscheduled"),
    ("j", {"group": "scheduled", "before": "i"}, "sxyji", "unstarted"),
])
def test_groups(board, story, body, order, state):
    board.add("s", "started")
    board.adds("xy", "unstarted")
    board.adds("ji")
    assert board.move(story, **body)["current_state"] == state
    assert board.order() == order


@pytest.mark.parametrize("story,body,order,state", [
    ("x", {"group": "current"}, "spxyi", "planned"),
    ("i", {"group": "current", "before": "p"}, "sipxy", "planned"),
    ("p", {"group": "scheduled"}, "spxyi", "unstarted"),
    ("p", {"group": "scheduled", "after": "x"}, "sxpyi", "unstarted"),
    ("p", {"group": "current"}, "spxyi", "planned"),
])
def test_groups_when_planning_by_hand(by_hand, story, body, order, state):
    by_hand.add("s", "started")
    by_hand.add("p", "planned")
    by_hand.adds("xy", "unstarted")
    by_hand.add("i")
    assert by_hand.move(story, **body)["current_state"] == state
    assert by_hand.order() == order


def test_a_group_may_come_with_a_state_that_it_has(board):
    board.adds("xy", "unstarted")
    assert board.move("y", group="current", current_state="started")["current_state"] == "started"
    assert board.move("y", group="unscheduled", current_state="unscheduled")
    assert board.order() == "xy"


@pytest.mark.parametrize("group,state", [
    ("unscheduled", "unstarted"), ("unscheduled", "started"), ("scheduled", "unscheduled"),
    ("current", "unscheduled")])
def test_a_group_without_such_stories_is_refused(board, group, state):
    board.add("x", "unstarted")
    assert group in problem(board.put("x", group=group, current_state=state), "group")


def test_an_unknown_group_is_refused(board):
    board.add("x")
    assert problem(board.put("x", group="icebox")) == (
        "'group' must be one of: scheduled, unscheduled, current")


def test_a_chore_cannot_be_planned_by_its_group(by_hand):
    by_hand.add("x", "unstarted", story_type="chore")
    assert "planned" in problem(by_hand.put("x", group="current"), "current_state")


# --- refusals ---------------------------------------------------------------------

@pytest.mark.parametrize("body,field", [
    ({"before": "i"}, "before_id"), ({"after": "b"}, "after_id"), ({"group": "current"}, "group"),
    ({"group": "scheduled", "after": "i"}, "after_id")])
def test_accepted_stories_cannot_be_moved(board, body, field):
    board.adds("ab", "accepted")
    board.add("i")
    before = board.version()
    assert "Accepted" in problem(board.put("a", **body), field)
    assert board.version() == before and board.order() == "abi"


def test_a_story_cannot_be_accepted_at_a_place(board):
    board.adds("ab", "unstarted")
    problem(board.put("a", current_state="accepted", before="b"), "before_id")


def test_nothing_stands_in_front_of_an_accepted_story(board):
    board.add("a", "accepted")
    board.adds("xy", "unstarted")
    problem(board.put("y", before="a"), "before_id")
    board.move("y", after="a")
    assert board.order() == "ayx"


def test_an_accepted_story_can_be_put_back_to_a_place(board):
    board.add("a", "accepted")
    board.adds("xy", "unstarted")
    board.move("a", current_state="unstarted", after="x")
    assert board.order() == "xay"


def test_two_neighbours_must_stand_side_by_side(board):
    board.adds("abcd", "unstarted")
    assert "not next to each other" in problem(board.put("d", after="a", before="c"), "before_id")
    assert "not next to each other" in problem(board.put("d", after="b", before="a"), "before_id")
    assert board.order() == "abcd"


def test_the_same_story_twice_is_refused(board):
    board.adds("abc", "unstarted")
    problem(board.put("c", after="a", before="a"), "before_id")


def test_a_story_does_not_stand_beside_itself(board):
    board.adds("ab")
    problem(board.put("a", before="a"), "before_id")
    problem(board.put("a", after="a"), "after_id")


@pytest.mark.parametrize("field", ["before_id", "after_id"])
def test_a_neighbour_is_a_story_of_the_project(board, api, boss, field):
    other = Board(api(boss))
    other.add("x")
    board.add("a")
    for id in (other.ids["x"], 1 << 45, 0, -1):
        assert str(id) in problem(board.put("a", **{field: id}), field)
    problem(board.put("a", **{field: "x"}))
    problem(board.client.post(f"{board.path}/stories", {"name": "n", field: other.ids["x"]}), field)


def test_viewers_move_nothing(board, api, person):
    viewer = person("Viewer")
    board.join(viewer, "viewer")
    board.adds("ab")
    answer = api(viewer).put(board.at("a"), board.body(before="b"))
    assert problem(answer, status=403)
    assert board.order() == "ba"


# --- many at once -------------------------------------------------------------------

def test_concurrent_movers_leave_a_permutation(board, api, boss):
    names = "abcdefghij"
    board.adds(names, "unstarted")
    before = board.version()

    def work(seed):
        dice, client = random.Random(seed), api(boss)
        for _ in range(6):
            story, beside = dice.sample(names, 2)
            body = {dice.choice(["before_id", "after_id"]): board.ids[beside]}
            ok(client.put(board.at(story), body))

    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        list(pool.map(work, range(32)))
    assert sorted(board.order()) == sorted(names)
    assert_permutation(board.stories("before_id,after_id"))
    assert before < board.version() <= before + 32 * 6  # a story that is already at the place does not move
