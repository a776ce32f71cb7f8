"""Which states a story may have, and what they cause (contract 5.1)."""

import psycopg2
import pytest

from board import Board, problem
from world import ok

STATES = ["unscheduled", "unstarted", "planned", "started", "finished", "delivered", "rejected",
          "accepted"]
NOT_FOR = {
    "feature": {"planned"},
    "bug": {"planned"},
    "chore": {"planned", "finished", "delivered", "rejected"},
    "release": {"planned", "started", "finished", "delivered", "rejected"},
}
ESTIMATED = ["started", "finished", "delivered", "accepted", "rejected"]
MATRIX = [(story_type, state) for story_type in NOT_FOR for state in STATES]


@pytest.fixture(scope="module")
def board(api, boss):
    return Board(api(boss))


@pytest.fixture(scope="module")
def by_hand(api, boss):
    return Board(api(boss), automatic_planning=False)


@pytest.fixture(scope="module")
def estimable(api, boss):
    return Board(api(boss), bugs_and_chores_are_estimatable=True)


def post(board, **body):
    return board.client.post(f"{board.path}/stories", {"name": "a story", **body})


def assert_state(answer, story_type, state, refused):
    if state not in refused:
        assert ok(answer)["current_state"] == state
    elif state == "planned" and story_type in ("feature", "bug"):
        assert "Automatic Planning" in problem(answer)
        assert answer.json()["possible_fix"]
    else:
        text = problem(answer, "current_state")
        assert state in text and story_type in text


@pytest.mark.parametrize("story_type,state", MATRIX)
def test_new_stories(board, story_type, state):
    body = {"estimate": 1} if story_type == "feature" else {}
    assert_state(post(board, story_type=story_type, current_state=state, **body), story_type,
                 state, NOT_FOR[story_type])


@pytest.mark.parametrize("story_type,state", MATRIX)
def test_changes(board, story_type, state):
    board.add("s", story_type=story_type)
    version = board.version()
    answer = board.put("s", current_state=state)
    assert_state(answer, story_type, state, NOT_FOR[story_type])
    changed = answer.status_code == 200 and state != "unscheduled"
    assert board.version() == version + changed


@pytest.mark.parametrize("story_type,state", MATRIX)
def test_planning_by_hand_allows_planned(by_hand, story_type, state):
    refused = NOT_FOR[story_type] - ({"planned"} if story_type in ("feature", "bug") else set())
    by_hand.add("s", story_type=story_type)
    assert_state(by_hand.put("s", current_state=state), story_type, state, refused)


@pytest.mark.parametrize("first", [s for s in STATES if s != "planned"])
def test_from_any_state_to_any_other(board, first):
    for then in STATES:
        if then != "planned":
            board.add("s", first)
            assert board.move("s", current_state=then)["current_state"] == then


def test_an_unknown_state_is_refused(board):
    assert problem(post(board, current_state="done")) == (
        "'current_state' must be one of: accepted, delivered, finished, started, rejected, planned, "
        "unstarted, unscheduled")


def test_defaults(board, boss):
    story = ok(post(board))
    assert (story["story_type"], story["current_state"]) == ("feature", "unscheduled")
    assert story["requested_by_id"] == boss.id
    assert "estimate" not in story and "accepted_at" not in story


def test_starting_by_the_api_adds_no_owner(board):
    board.add("s")
    assert board.move("s", current_state="started")["owner_ids"] == []


# --- estimates -----------------------------------------------------------------------

@pytest.mark.parametrize("state", ESTIMATED)
def test_features_need_an_estimate(board, state):
    assert problem(post(board, current_state=state), "estimate") == (
        f"Stories in the {state} state must be estimated.")
    board.add("s", estimate=None)
    problem(board.put("s", current_state=state), "estimate")
    assert board.move("s", current_state=state, estimate=2)["estimate"] == 2


@pytest.mark.parametrize("state", ["unscheduled", "unstarted"])
def test_features_without_an_estimate(board, state):
    assert "estimate" not in ok(post(board, current_state=state))


@pytest.mark.parametrize("state", ESTIMATED)
def test_an_estimate_that_is_needed_cannot_be_taken_away(board, state):
    board.add("s", state)
    problem(board.put("s", estimate=None), "estimate")
    assert "estimate" not in board.move("s", estimate=None, current_state="unstarted")


@pytest.mark.parametrize("estimate", [-1, 4, 0.5, 1000, 1e300])
def test_estimates_off_the_scale(board, estimate):
    assert "not a valid estimate for this project's point scale." in problem(
        post(board, estimate=estimate), "estimate")


def test_a_fraction_on_the_scale(api, boss):
    board = Board(api(boss), point_scale="0,0.5,1,13")
    assert ok(post(board, estimate=0.5))["estimate"] == 0.5
    assert ok(post(board, estimate=13.0))["estimate"] == 13


def test_an_estimate_survives_a_new_scale(api, boss):
    board = Board(api(boss))
    board.add("s", estimate=3)
    ok(board.client.put(board.path, {"point_scale": "0,1,2,4,8"}))
    assert board.move("s", current_state="started")["estimate"] == 3
    problem(board.put("s", estimate=5), "estimate")


@pytest.mark.parametrize("story_type", ["bug", "chore"])
def test_bugs_and_chores_have_no_estimates(board, story_type):
    problem(post(board, story_type=story_type, estimate=1), "estimate")
    assert "estimate" not in ok(post(board, story_type=story_type, current_state="started"))


@pytest.mark.parametrize("story_type,state", [
    ("bug", "started"), ("bug", "finished"), ("bug", "delivered"), ("bug", "rejected"),
    ("bug", "accepted"), ("chore", "started"), ("chore", "accepted")])
def test_estimable_bugs_and_chores_need_one(estimable, story_type, state):
    problem(post(estimable, story_type=story_type, current_state=state), "estimate")
    assert ok(post(estimable, story_type=story_type, current_state=state, estimate=3))[
        "estimate"] == 3


@pytest.mark.parametrize("story_type", ["bug", "chore"])
def test_estimable_bugs_and_chores_before_they_start(estimable, story_type):
    assert "estimate" not in ok(post(estimable, story_type=story_type, current_state="unstarted"))


def test_releases_are_never_estimated(estimable):
    assert "Releases" in problem(post(estimable, story_type="release", estimate=1), "estimate")


# --- accepted_at -----------------------------------------------------------------------

def test_accepted_at_comes_and_goes(board):
    board.add("s", "unstarted")
    assert board.move("s", current_state="accepted")["accepted_at"]
    assert "accepted_at" not in board.move("s", current_state="rejected")


def test_accepted_at_can_be_told(board):
    time = "2024-05-06T07:08:09Z"
    assert ok(post(board, current_state="accepted", estimate=1, accepted_at=time))[
        "accepted_at"] == time
    board.add("s", "unstarted")
    assert board.move("s", current_state="accepted", accepted_at=time)["accepted_at"] == time
    later = board.move("s", accepted_at=1714979289000)
    assert later["accepted_at"] == "2024-05-06T07:08:09Z"


@pytest.mark.parametrize("state", ["unscheduled", "unstarted", "started", "rejected"])
def test_accepted_at_is_for_accepted_stories(board, state):
    time = "2024-05-06T07:08:09Z"
    sentence = "Only stories in accepted state may have accepted_at dates"
    assert problem(post(board, current_state=state, estimate=1, accepted_at=time),
                   "accepted_at") == sentence
    board.add("s", state)
    assert problem(board.put("s", accepted_at=time), "accepted_at") == sentence


def test_accepted_at_is_not_in_the_future(board):
    problem(post(board, current_state="accepted", estimate=1, accepted_at="2999-01-01T00:00:00Z"),
            "accepted_at")


# --- deadlines ---------------------------------------------------------------------------

@pytest.mark.parametrize("story_type", ["feature", "bug", "chore"])
def test_deadlines_are_for_releases(board, story_type):
    time = "2030-01-02T00:00:00Z"
    sentence = "Deadline can only be set on releases."
    assert problem(post(board, story_type=story_type, deadline=time), "deadline") == sentence
    board.add("s", story_type=story_type)
    assert problem(board.put("s", deadline=time), "deadline") == sentence


def test_a_release_has_a_deadline(board):
    board.add("s", story_type="release", deadline="2030-01-02T00:00:00Z")
    assert board.move("s", deadline="2031-01-02T00:00:00Z")["deadline"] == "2031-01-02T00:00:00Z"
    assert "deadline" not in board.move("s", deadline=None)


# --- types -------------------------------------------------------------------------------

def test_a_new_type_drops_what_it_cannot_have(board):
    board.add("r", story_type="release", deadline="2030-01-02T00:00:00Z")
    assert "deadline" not in board.move("r", story_type="feature")
    board.add("f", "started")
    assert "estimate" not in board.move("f", story_type="chore")


@pytest.mark.parametrize("story_type", ["chore", "release"])
def test_a_new_type_must_allow_the_state(board, story_type):
    board.add("s", "finished")
    problem(board.put("s", story_type=story_type), "current_state")
    problem(board.put("s", story_type="epic"))


def test_a_bug_in_progress_needs_an_estimate_to_become_a_feature(board):
    board.add("s", "started", story_type="bug")
    problem(board.put("s", story_type="feature"), "estimate")
    assert board.move("s", story_type="feature", estimate=1)["story_type"] == "feature"


def test_all_problems_are_told_at_once(board):
    answer = post(board, story_type="chore", current_state="finished", estimate=1,
                  deadline="2030-01-02T00:00:00Z")
    problem(answer)
    assert {e["field"] for e in answer.json()["validation_errors"]} == {
        "current_state", "estimate", "deadline"}


# --- a rejection with its comment ------------------------------------------------------------

def test_a_rejection_brings_its_comment(board, boss):
    board.add("s", "delivered")
    version = board.version()
    answer = board.put("s", current_state="rejected", comment={"text": "Not in capitals, please."})
    assert ok(answer)["current_state"] == "rejected"
    comment, = ok(board.client.get(f"{board.at('s')}/comments"))
    assert (comment["text"], comment["person_id"]) == ("Not in capitals, please.", boss.id)
    assert board.version() == version + 1


def test_a_refused_rejection_leaves_no_comment(board):
    board.add("s", story_type="chore")
    problem(board.put("s", current_state="rejected", comment={"text": "No"}), "current_state")
    problem(board.put("s", current_state="started", comment={"text": 5}))
    problem(board.put("s", current_state="started", comment="No"))
    assert ok(board.client.get(f"{board.at('s')}/comments")) == []
    assert board.state("s") == "unscheduled"
