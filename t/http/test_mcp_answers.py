"""What assistants are told of a story: all of it if that is short, and otherwise what matters most (contract 1.20)."""
import pytest

from assistant import BEFORE, NEWEST, Assistant
from client import Client
from team import team  # noqa: F401
from world import ok

MOST = 1200


@pytest.fixture(scope="module", params=[BEFORE, NEWEST])
def robot(request, team, stack):
    made = ok(team.member.post("/my/tokens", {"name": f"Robot {request.param}", "scope": "write"}))
    return Assistant(Client(stack), made["token"], request.param)


def text_of(robot, story):
    return robot.ask("tools/call", {"name": "show_story", "arguments": {"story_id": story}})["content"][0]["text"]


def show(robot, story):
    """As it is told, which is always short, and the whole."""
    assert len(text_of(robot, story).encode()) < MOST
    return robot.call("show_story", story_id=story), robot.call("show_story", story_id=story, whole=True)


def test_a_story_is_told_in_300_tokens(robot, team):
    story = team.make_story(name="n" * 300, description="d" * 20000, tasks=[{"description": "t" * 900}] * 20,
                            comments=[{"text": f"{i}" + "c" * 15000} for i in range(20)])["id"]
    text = robot.ask("tools/call", {"name": "show_story", "arguments": {"story_id": story}})["content"][0]["text"]
    assert len(text.encode()) < 1200
    shown = robot.call("show_story", story_id=story)
    assert shown["comments"][-1]["text"].startswith("19c") and shown["older_comments"] > 0
    whole = robot.call("show_story", story_id=story, whole=True)
    assert len(whole["comments"]) == 20 and len(whole["description"]) == 20000
    content, = robot.ask("resources/read", {"uri": f"planwright://story/{story}"})["contents"]
    assert content["text"] == text



def test_a_story_that_fits_is_told_whole(robot, team):
    """However many parts it has, and however long one text is."""
    many = team.make_story(name="Many", tasks=[{"description": f"task {i}"} for i in range(9)])["id"]
    shown, whole = show(robot, many)
    assert shown == whole and len(shown["tasks"]) == 9
    long = team.make_story(name="Long", description="d" * 600)["id"]
    shown, whole = show(robot, long)
    assert shown == whole and shown["description"] == "d" * 600


def test_the_oldest_comments_are_left_out_first(robot, team):
    story = team.make_story(name="Talk", tasks=[{"description": f"task {i}"} for i in range(5)], labels=["a", "b", "c"],
                            comments=[{"text": f"comment {i}"} for i in range(12)])["id"]
    shown, whole = show(robot, story)
    older = shown.pop("older_comments")
    assert 0 < older < 11 and shown["comments"] == whole["comments"][older:]
    assert {**shown, "comments": None} == {**whole, "comments": None}
    # One more would not have fitted.
    assert len(text_of(robot, story).encode()) > MOST - 150


def test_other_lists_are_cut_at_the_end(robot, team):
    story = team.make_story(name="Work", tasks=[{"description": f"task {i}"} for i in range(40)],
                            labels=[f"label {i}" for i in range(3)], comments=[{"text": f"comment {i}"} for i in range(3)])["id"]
    shown, whole = show(robot, story)
    told = len(shown["tasks"])
    assert 5 < told < 40 and shown["tasks"] == whole["tasks"][:told] and shown["more_tasks"] == 40 - told
    assert shown["labels"] == whole["labels"] and "more_labels" not in shown
    assert shown["comments"] == whole["comments"][-1:] and shown["older_comments"] == 2


@pytest.mark.parametrize("char", ["x", "é", "語", "🌱", '"', "\t"])
def test_no_story_is_longer(robot, team, char):
    """Whatever its texts consist of; and what people did not write is never cut."""
    text = "a" + char * 900 + "b"
    story = team.make_story(
        name=text, description=text, tasks=[{"description": text}] * 9, labels=["l" + char * 90 + f"{i}z" for i in range(5)],
        blockers=[{"description": text}] * 4, comments=[{"text": text}] * 9,
        owner_ids=[team.people[role].id for role in ("owner", "member")])["id"]
    shown, whole = show(robot, story)
    for key in ("id", "url", "story_type", "current_state", "updated_at", "requested_by"):
        assert shown[key] == whole[key]
    assert shown["name"].endswith(" more characters]") and shown["name"].startswith("a" + char)
    assert shown["comments"][-1]["created_at"] == whole["comments"][-1]["created_at"]
    assert shown["older_comments"] + len(shown["comments"]) == 9 and shown["more_tasks"] + len(shown["tasks"]) == 9
