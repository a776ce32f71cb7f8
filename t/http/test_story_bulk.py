"""Changes many stories in one PUT: all or none, one version, one activity (contract 2.8, 6.2)."""

import random

import pytest

from board import Board
from test_bodies import refused
from world import new_project, ok

SECTION = {"accepted": "done", "unstarted": "backlog", "unscheduled": "icebox", "planned": "planned",
           "started": "work", "finished": "work", "delivered": "work", "rejected": "work"}
FIELDS = "id,name,current_state,estimate,before_id,after_id,label_ids,owner_ids,story_type,accepted_at"


def bulk(board, names, **body):
    """The answer to a change of the stories with these names."""
    return board.client.put(f"{board.path}/stories/bulk",
                            board.body(ids=[board.ids[n] for n in names], **body))


def change(board, names, **body):
    """The same, which must succeed: returns its activity and the stories."""
    before = board.version()
    answer = bulk(board, names, **body)
    stories = ok(answer)
    assert answer.headers["X-Tracker-Project-Version"] == str(before + 1)
    feed = ok(board.client.get(f"{board.path}/activity?limit=5"))
    assert feed[0]["project_version"] == before + 1 == board.version()
    return feed[0], stories


def neighbours_are_right(board):
    stories = ok(board.client.get(f"{board.path}/stories?limit=500&fields={FIELDS}"))
    ids = [s["id"] for s in stories]
    assert [s.get("after_id") for s in stories] == [None, *ids[:-1]]
    assert [s.get("before_id") for s in stories] == [*ids[1:], None]
    sections = ["accepted", "started finished delivered rejected", "planned", "unstarted", "unscheduled"]
    found = [next(i for i, s in enumerate(sections) if story["current_state"] in s) for story in stories]
    assert found == sorted(found)
    return stories


# --- changes ------------------------------------------------------------------------

def test_values_of_each(board):
    board.adds("abc", "unstarted")
    activity, stories = change(board, "cab", changes={"estimate": 2, "story_priority": "p1"})
    assert [s["name"] for s in stories] == ["c", "a", "b"]
    assert {(s["estimate"], s["story_priority"]) for s in stories} == {(2, "p1")}
    assert activity["kind"] == "story_update_multi_activity"
    assert (activity["highlight"], activity["message"]) == ("edited", "Boss edited 3 stories")
    assert {c["new_values"]["estimate"] for c in activity["changes"]} == {2}
    assert [r["name"] for r in activity["primary_resources"]] == ["c", "a", "b"]
    assert board.order() == "abc"


def test_states_and_their_verb(board, sql):
    board.adds("abc", "unstarted")
    activity, stories = change(board, "ac", changes={"current_state": "started"})
    assert activity["highlight"] == "started" and "started 2 stories" in activity["message"]
    assert [s["name"] + s["current_state"] for s in neighbours_are_right(board)] == [
        "astarted", "cstarted", "bunstarted"]
    assert len(sql("select 1 from story_transition where project_id = %s and project_version = %s",
                   board.id, board.version())) == 2
    activity, _ = change(board, "abc", changes={"current_state": "accepted"})
    assert all(s.get("accepted_at") for s in neighbours_are_right(board))
    assert len(activity["changes"]) == 3


def test_nothing_changes_nothing(board):
    board.adds("ab", "unstarted")
    before = board.version()
    for body in ({"changes": {}}, {"changes": {"current_state": "unstarted"}}, {"delete": False},
                 {"add_label_ids": []}, {"group": "scheduled"}):
        assert [s["name"] for s in ok(bulk(board, "ab", **body))] == ["a", "b"]
    assert ok(bulk(board, "", changes={"estimate": 2})) == []
    assert board.version() == before and board.order() == "ab"


def test_owners_hear_of_it_once_each(board, api, world):
    people = [world.people["member"], world.people["viewer"]]
    for person in people:
        ok(board.client.post(f"{board.path}/memberships", {"person_id": person.id, "role": "member"}))
    board.adds("ab")
    count = lambda who: len(ok(api(who).get("/my/notifications")))
    before = [count(p) for p in people]
    change(board, "ab", changes={"owner_ids": [p.id for p in people]})
    assert [count(p) for p in people] == [n + 2 for n in before]
    change(board, "ab", changes={"current_state": "delivered"})
    assert [count(p) for p in people] == [n + 4 for n in before]


def test_labels_are_added_and_removed(board, sql):
    board.adds("ab", "unstarted", labels=["old", "kept"])
    board.add("c", labels=["kept"])
    labels = {l["name"]: l["id"] for l in ok(board.client.get(f"{board.path}/labels"))}
    other = ok(board.client.post(f"{board.path}/labels", {"name": "known"}))["id"]
    activity, stories = change(board, "abc", add_label_ids=[other], remove_label_ids=[labels["old"]],
                               add_labels=["brand new", {"name": "Brand New"}])
    assert [[l["name"] for l in s["labels"]] for s in stories] == [["brand new", "kept", "known"]] * 3
    assert activity["kind"] == "story_update_multi_activity"
    counts = {l["name"]: l["counts"]["number_of_stories_by_state"] for l in ok(board.client.get(
        f"{board.path}/labels?fields=name,counts"))}
    assert counts["old"]["unstarted"] == 0
    assert (counts["known"]["unstarted"], counts["known"]["unscheduled"]) == (2, 1)
    assert counts["brand new"] == counts["kept"] == counts["known"]
    change(board, "ab", changes={"label_ids": [labels["old"]]})
    assert [s["label_ids"] for s in neighbours_are_right(board)][:2] == [[labels["old"]]] * 2


def test_accepted_together_they_free_others(board):
    board.adds("abx", "started")
    for name in "ab":
        ok(board.client.post(f"{board.at('x')}/blockers", {"description": f"#{board.ids['a']} #{board.ids['b']}"}))
    board.add("y", "started")
    ok(board.client.post(f"{board.at('b')}/blockers", {"description": f"#{board.ids['a']}"}))
    activity, _ = change(board, "ab", changes={"current_state": "accepted"})
    assert all(b["resolved"] for name in "xb" for b in ok(board.client.get(f"{board.at(name)}/blockers")))
    assert [r["name"] for r in activity["primary_resources"]] == ["a", "b"]
    assert "accepted 2 stories" in activity["message"]


# --- places -------------------------------------------------------------------------

@pytest.mark.parametrize("names, body, want", [
    ("bd", {"before": "a"}, "bdacefgh"), ("hg", {"before": "a"}, "hgabcdef"),
    ("ab", {"after": "d"}, "cdabefgh"), ("ba", {"after": "h"}, "cdefghba"),
    ("ac", {"after": "b", "before": "d"}, "bacdefgh"), ("ca", {"after": "b"}, "bcadefgh"),
    ("ab", {"before": "c"}, "abcdefgh"), ("cb", {"after": "a"}, "acbdefgh"),
    ("bdfh", {"before": "e"}, "acbdfheg"), ("hgfedcb", {"after": "a"}, "ahgfedcb"),
    ("dc", {"group": "current"}, "dcabefgh")])
def test_they_stand_where_they_are_named(board, names, body, want):
    board.adds("abcdefgh", "unstarted")
    if want == board.order():
        before = board.version()
        ok(bulk(board, names, **body))
        assert board.version() == before
    else:
        activity, _ = change(board, names, **body)
        assert activity["kind"] == "story_move_multi_activity" and activity["highlight"] == "moved"
        told = {c["id"]: c["new_values"] for c in activity["changes"]}
        for story in neighbours_are_right(board):
            for key in ("before_id", "after_id"):
                if key in told.get(story["id"], {}):
                    assert told[story["id"]][key] == story.get(key)
    assert board.order() == want


def test_between_panels(board):
    board.adds("abc", "unstarted")
    board.adds("zyx")
    board.add("s", "started")
    assert board.order() == "sabcxyz"
    change(board, "ax", group="unscheduled")
    assert board.order() == "sbcaxyz"
    change(board, "xz", before="c")
    assert board.order() == "sbxzcay"
    assert board.state("x") == "unstarted"
    change(board, "ys", after="b")
    assert board.order() == "sbyxzca" and board.state("s") == "started"
    change(board, "ac", changes={"current_state": "unscheduled"}, group="unscheduled")
    assert board.order() == "sbyxzca"  # one of them is there already
    neighbours_are_right(board)


def test_a_hundred_between_two(board, sql):
    """A gap is made for all of them together."""
    board.adds("ab", "unstarted")
    ids = [ok(board.client.post(f"{board.path}/stories", {"name": f"{i}"}))["id"] for i in range(100)]
    sql("update story set rank = case when id = %s then 5 else 7 end where id = any(%s)",
        board.ids["a"], [board.ids["a"], board.ids["b"]])
    body = {"ids": ids, "after_id": board.ids["a"], "before_id": board.ids["b"]}
    assert [s["id"] for s in ok(board.client.put(f"{board.path}/stories/bulk", body))] == ids
    stories = neighbours_are_right(board)
    assert [s["id"] for s in stories] == [board.ids["a"], *ids, board.ids["b"]]
    ids.append(board.ids["a"])
    refused(board.client.put(f"{board.path}/stories/bulk", {"ids": ids, "group": "current"}))


def expected_order(order, names, place, at):
    rest = [n for n in order if n not in names]
    where = rest.index(at) + (place == "after")
    return rest[:where] + names + rest[where:]


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_any_number(board, seed):
    dice = random.Random(seed)
    order = [chr(ord("a") + i) for i in range(12)]
    board.adds(order, "unstarted")
    for _ in range(25):
        names = dice.sample(order, dice.randint(1, 8))
        at = dice.choice([n for n in order if n not in names])
        place = dice.choice(["before", "after"])
        ok(bulk(board, names, **{place: at}))
        order = expected_order(order, names, place, at)
        assert board.order() == "".join(order)
    neighbours_are_right(board)


@pytest.mark.parametrize("seed", range(3))
def test_any_states_of_any_number(board, seed):
    """Stories that are not named keep their order; those that move between the same sections follow the order in the
    request."""
    dice = random.Random(seed)
    states = ["unstarted", "started", "accepted", "unscheduled", "finished", "delivered"]
    names = [chr(ord("a") + i) for i in range(14)]
    for name in names:
        board.add(name, dice.choice(states))
    for _ in range(40):
        chosen = dice.sample(names, dice.randint(1, 9))
        others = [n for n in names if n not in chosen]
        before, old = board.order(), {n["name"]: n["current_state"] for n in board.stories()}
        body = dice.choice([{"before": dice.choice(others)}, {"after": dice.choice(others)},
                            {"group": dice.choice(["scheduled", "unscheduled", "current"])}, {}])
        if not body or dice.random() < 0.3:
            body["changes"] = {"current_state": dice.choice(states)}
        answer = bulk(board, chosen, **body)
        after, new = board.order(), {s["name"]: s["current_state"] for s in neighbours_are_right(board)}
        assert [n for n in after if n in others] == [n for n in before if n in others]
        if answer.status_code == 400:
            assert after == before and new == old
            continue
        ok(answer)
        moved = [n for n in chosen if SECTION[new[n]] != SECTION[old[n]]]
        for where in {(SECTION[old[n]], SECTION[new[n]]) for n in moved if new[n] != "accepted"}:
            came = [n for n in moved if (SECTION[old[n]], SECTION[new[n]]) == where]
            assert [n for n in after if n in came] == came, (chosen, body, before, after)


@pytest.mark.parametrize("seed", range(4))
def test_one_alone_is_as_its_own_put(api, boss, seed):
    """The same requests on two boards: alone, and as a bulk of one."""
    dice = random.Random(seed)
    boards = [Board(api(boss), automatic_planning=seed % 2 == 0) for _ in range(2)]
    states = ["unstarted", "started", "accepted", "unscheduled", "finished"]
    for name in "abcdefgh":
        state = dice.choice(states)
        for board in boards:
            board.add(name, state)
    for _ in range(25):
        name, at = dice.sample("abcdefgh", 2)
        place = dice.choice([{"before": at}, {"after": at}, {"group": "current"}, {"group": "scheduled"},
                             {"group": "unscheduled"}, {}])
        change = {"current_state": dice.choice(states + ["planned"])} if dice.random() < 0.5 or not place else {}
        one = boards[0].put(name, **place, **change)
        all_of_one = bulk(boards[1], [name], **place, changes=change)
        assert one.status_code == all_of_one.status_code, (place, change, one.text, all_of_one.text)
        both = [[(s["name"], s["current_state"]) for s in b.stories()] for b in boards]
        assert both[0] == both[1], (name, place, change)
    neighbours_are_right(boards[1])


# --- all or nothing -----------------------------------------------------------------

def test_a_refusal_names_the_story(board):
    board.adds("ab", "unstarted")
    board.add("c", estimate=None)
    before = board.version()
    answer = bulk(board, "abc", changes={"current_state": "started"})
    refused(answer)
    assert f"Story {board.ids['c']}: Stories in the started state must be estimated." in answer.text
    assert answer.json()["validation_errors"][0]["field"] == "estimate"
    assert board.state("a") == "unstarted" and board.version() == before
    answer = bulk(board, "ab", changes={"current_state": "planned"})
    assert f"Story {board.ids['a']}: Project must have" in answer.text
    refused(answer)


def test_what_is_not_there(board, api, boss):
    board.adds("ab")
    other = new_project(api(boss))
    foreign = ok(api(boss).post(f"/projects/{other['id']}/stories", {"name": "x"}))["id"]
    label = ok(api(boss).post(f"/projects/{other['id']}/labels", {"name": "x"}))["id"]
    for extra in (foreign, 1, 1 << 62):
        answer = board.client.put(f"{board.path}/stories/bulk", {
            "ids": [board.ids["a"], extra], "changes": {"estimate": 2}})
        refused(answer)
        assert f"Story with id={extra} does not exist" in answer.text
    for body in ({"before_id": foreign}, {"after_id": foreign}, {"add_label_ids": [label]},
                 {"remove_label_ids": [label]}, {"changes": {"owner_ids": [1]}},
                 {"changes": {"name": "x"}}, {"changes": {"project_id": other["id"]}},
                 {"before": "a"}, {"delete": True, "group": "current"}, {"add_labels": [{}]},
                 {"changes": 1}, {}, {"group": "nowhere"}):
        refused(bulk(board, "ab", **body))
    refused(board.client.put(f"{board.path}/stories/bulk", {"ids": list(range(1, 102)), "changes": {}}))
    refused(board.client.put(f"{board.path}/stories/bulk", {"changes": {"estimate": 2}}))
    assert board.client.put(f"/projects/{other['id']}/stories/bulk", {
        "ids": [board.ids["a"]], "changes": {"estimate": 2}}).status_code == 400


def test_deleting_many(board):
    board.adds("abcd", "unstarted", labels=["x"])
    activity, stories = change(board, "acd", delete=True)
    assert stories == [] and board.order() == "b"
    # As the original reported it: of the same kind as one.
    assert (activity["kind"], activity["highlight"]) == ("story_delete_activity", "deleted")
    assert activity["message"].endswith("deleted 3 stories") and "secondary_resources" not in activity
    assert [thing["name"] for thing in activity["primary_resources"]] == ["a", "c", "d"]
    label, = ok(board.client.get(f"{board.path}/labels?fields=counts"))
    assert label["counts"]["number_of_stories_by_state"]["unstarted"] == 1
    refused(bulk(board, "ab", delete=True))
    assert board.order() == "b"
    activity, _ = change(board, "b", delete=True)
    assert activity["message"].endswith("deleted this feature")


def test_feeds_of_stories_have_it(board):
    board.adds("abc")
    activity, _ = change(board, "ab", changes={"estimate": 3})
    for name, has in zip("abc", (True, True, False)):
        feed = ok(board.client.get(f"{board.at(name)}/activity"))
        assert (feed[0]["guid"] == activity["guid"]) == has
