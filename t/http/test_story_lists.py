"""The stories of a project: their order, moves with before_id and after_id, the parameters of the list, bulk requests
(contract 1.8, 2.8, 5.5)."""

import pytest

from test_bodies import refused
from world import Place, ok


def stories(place):
    return f"/projects/{place.project}/stories"


def post(place, name="x", **body):
    return ok(place.client.post(stories(place), {"name": name, **body}))


def put(place, story, **body):
    return place.client.put(f"/stories/{story['id']}", body)


def order(place, query=""):
    return [s["name"] for s in ok(place.client.get(f"{stories(place)}?fields=name{query}"))]


@pytest.fixture
def icebox(world):
    """Stories a, b, c and d, in this order, all unscheduled."""
    place = Place(world.admin)
    ok(place.client.delete(f"/stories/{place.story}"), 204)
    place.a, place.b, place.c, place.d = reversed([post(place, n) for n in "dcba"])
    return place


# --- order ----------------------------------------------------------------------

def test_new_stories_go_to_the_top_of_the_icebox(icebox):
    assert order(icebox) == ["a", "b", "c", "d"]


def test_order_of_the_whole_list(world):
    """Accepted ones oldest first, then those in progress, backlog, icebox."""
    place = Place(world.admin)
    ok(place.client.delete(f"/stories/{place.story}"), 204)
    post(place, "icebox")
    post(place, "backlog", current_state="unstarted")
    post(place, "started", story_type="bug", current_state="started")
    post(place, "new", story_type="bug", current_state="accepted", accepted_at="2024-03-01T00:00:00Z")
    post(place, "old", story_type="bug", current_state="accepted", accepted_at="2024-02-01T00:00:00Z")
    post(place, "between", story_type="bug", current_state="accepted",
         accepted_at="2024-02-15T00:00:00Z")
    assert order(place) == ["old", "between", "new", "started", "backlog", "icebox"]


def test_neighbours(icebox):
    """before_id is the story directly after this one, after_id the one directly before it."""
    found = ok(icebox.client.get(f"{stories(icebox)}?fields=before_id,after_id"))
    ids = [icebox.a["id"], icebox.b["id"], icebox.c["id"], icebox.d["id"]]
    assert [s["id"] for s in found] == ids
    assert [s.get("before_id") for s in found] == ids[1:] + [None]
    assert [s.get("after_id") for s in found] == [None] + ids[:-1]
    assert "before_id" not in found[-1] and "after_id" not in found[0]


@pytest.mark.parametrize("body, want", [
    ({"before_id": "a"}, "dabc"), ({"after_id": "a"}, "adbc"), ({"before_id": "c"}, "abdc"),
    ({"after_id": "b"}, "abdc"), ({"after_id": "c"}, "abcd"),
])
def test_moves_of_the_last(icebox, body, want):
    ids = {key: getattr(icebox, name)["id"] for key, name in body.items()}
    moved = ok(icebox.client.put(f"/stories/{icebox.d['id']}?fields=before_id,after_id", ids))
    assert order(icebox) == list(want)
    for key, value in ids.items():
        assert moved[key] == value


@pytest.mark.parametrize("body", [{"before_id": "a"}, {"after_id": "b"}])
def test_new_stories_with_a_place(icebox, body):
    post(icebox, "new", **{k: getattr(icebox, v)["id"] for k, v in body.items()})
    assert order(icebox) == (["new", "a", "b", "c", "d"] if "before_id" in body
                             else ["a", "b", "new", "c", "d"])


def test_a_move_is_nothing_else(icebox):
    before = icebox.d
    after = ok(put(icebox, before, before_id=icebox.a["id"]))
    assert {k: v for k, v in after.items() if k != "updated_at"} == \
        {k: v for k, v in before.items() if k != "updated_at"}


@pytest.mark.parametrize("field", ["before_id", "after_id"])
def test_neighbours_that_are_none(icebox, world, field):
    for other in (icebox.d["id"], world.own.story, 1 << 60):
        error = refused(put(icebox, icebox.d, **{field: other}))
        assert [e["field"] for e in error["validation_errors"]] == [field]
    assert order(icebox) == ["a", "b", "c", "d"]


def test_accepted_stories_cannot_be_moved(icebox):
    done = post(icebox, "done", story_type="bug", current_state="accepted")
    refused(put(icebox, done, before_id=icebox.a["id"]))


def test_two_hundred_moves_into_the_same_gap(icebox):
    """Gaps are used up and recreated."""
    for i in range(200):
        ok(put(icebox, icebox.c if i % 2 else icebox.d, before_id=icebox.b["id"]))
    assert order(icebox) == ["a", "d", "c", "b"]


def test_a_change_of_state_moves_the_story(icebox):
    ok(put(icebox, icebox.d, current_state="unstarted"))
    assert order(icebox) == ["d", "a", "b", "c"]
    ok(put(icebox, icebox.c, story_type="bug", current_state="started"))
    assert order(icebox) == ["c", "d", "a", "b"]
    ok(put(icebox, icebox.c, current_state="unscheduled"))
    assert order(icebox) == ["d", "c", "a", "b"]


def test_state_and_place_in_one_request(icebox):
    ok(put(icebox, icebox.a, current_state="unstarted"))
    ok(put(icebox, icebox.b, current_state="unstarted"))
    first, second = order(icebox)[:2]
    by_name = {"a": icebox.a, "b": icebox.b}
    ok(put(icebox, icebox.d, current_state="unstarted", after_id=by_name[first]["id"]))
    assert order(icebox)[:3] == [first, "d", second]


# --- parameters of the list -----------------------------------------------------

@pytest.fixture(scope="module")
def mixed(world):
    place = Place(world.admin)
    ok(place.client.delete(f"/stories/{place.story}"), 204)
    post(place, "ice", labels=["Red"], story_priority="p1", created_at="2024-01-01T00:00:00Z")
    post(place, "next", current_state="unstarted", labels=["red", "blue"],
         created_at="2024-01-02T00:00:00Z")
    post(place, "bug", story_type="bug", current_state="started", created_at="2024-01-03T00:00:00Z")
    post(place, "done", story_type="chore", current_state="accepted", labels=["blue"],
         accepted_at="2024-02-01T00:00:00Z", created_at="2024-01-04T00:00:00Z")
    place.release = post(place, "release", story_type="release", current_state="unstarted",
                         deadline="2024-06-01T00:00:00Z", created_at="2024-01-05T00:00:00Z")
    place.everything = order(place)
    return place


@pytest.mark.parametrize("query, want", [
    ("with_label=red", {"ice", "next"}),
    ("with_label=RED", {"ice", "next"}),
    ("with_label=nothing", set()),
    ("with_label=", set()),
    ("with_story_type=bug", {"bug"}),
    ("with_story_type=release", {"release"}),
    ("with_story_priority=p1", {"ice"}),
    ("with_state=started", {"bug"}),
    ("with_state=unstarted", {"next", "release"}),
    ("with_state=rejected", set()),
    ("with_state=started,unstarted", {"bug", "next", "release"}),
    ("with_state=unstarted, unstarted,rejected", {"next", "release"}),
    ("with_state=accepted,started&with_label=blue", {"done"}),
    ("accepted_before=2024-02-02", {"done"}),
    ("accepted_after=2024-02-02T00:00:00Z", set()),
    ("accepted_after=2024-01-31T23:59:59Z", {"done"}),
    ("created_before=2024-01-03T00:00:00Z", {"ice", "next"}),
    ("created_after=2024-01-03T00:00:00Z", {"done", "release"}),
    ("created_after=1704240000000", {"done", "release"}),
    ("created_after=2024-01-02T00:00:00Z&created_before=2024-01-05T00:00:00Z", {"bug", "done"}),
    ("updated_before=2024-01-01T00:00:00Z", set()),
    ("updated_after=2024-01-01T00:00:00Z", {"ice", "next", "bug", "done", "release"}),
    ("deadline_before=2024-06-02T00:00:00Z", {"release"}),
    ("deadline_after=2024-06-01T00:00:00Z", set()),
    ("with_label=blue&with_state=unstarted", {"next"}),
    ("with_label=blue&with_story_type=bug", set()),
])
def test_parameters(mixed, query, want):
    answer = mixed.client.get(f"{stories(mixed)}?fields=name&{query}")
    got = [s["name"] for s in ok(answer)]
    assert set(got) == want
    assert got == [name for name in mixed.everything if name in want]
    assert answer.headers["X-Service-Pagination-Total"] == str(len(want))


def test_total_of_a_narrowed_page(mixed):
    answer = mixed.client.get(f"{stories(mixed)}?with_label=red&limit=1&offset=1")
    assert len(ok(answer)) == 1
    assert answer.headers["X-Service-Pagination-Total"] == "2"


def test_stories_behind_and_in_front_of_another(mixed):
    ids = {s["name"]: s["id"] for s in ok(mixed.client.get(stories(mixed)))}
    for at, name in enumerate(mixed.everything):
        assert order(mixed, f"&after_story_id={ids[name]}") == mixed.everything[at + 1:]
        assert order(mixed, f"&before_story_id={ids[name]}") == mixed.everything[:at]


def test_the_total_does_not_depend_on_the_place(mixed):
    """Like an offset, a cursor only says where the page begins."""
    first = ok(mixed.client.get(f"{stories(mixed)}?limit=1"))[0]["id"]
    for query, total in (("", len(mixed.everything)), ("&with_label=red", 2)):
        answer = mixed.client.get(f"{stories(mixed)}?after_story_id={first}&limit=1{query}")
        assert answer.headers["X-Service-Pagination-Total"] == str(total)


@pytest.mark.parametrize("query", [
    "with_story_type=epic", "with_state=done", "with_state=started,done", "with_state=started,", "with_state=",
    "with_state=" + "started," * 8 + "started",
    "with_story_priority=p9", "created_after=yesterday", "accepted_before=", "after_story_id=x",
    "after_story_id=1125899906842624", "before_story_id=0", "deadline_after=2024-13-01"])
def test_bad_parameters(mixed, query):
    error = refused(mixed.client.get(f"{stories(mixed)}?{query}"))
    assert query.split("=")[0] in str(error)


def test_a_story_of_another_project_is_no_place_to_start(mixed, world):
    refused(mixed.client.get(f"{stories(mixed)}?after_story_id={world.own.story}"))


# --- bulk -----------------------------------------------------------------------

def bulk(place, ids):
    return place.client.get(f"{stories(place)}/bulk?ids={','.join(map(str, ids))}&fields=name")


def test_bulk(icebox, world):
    ids = [icebox.c["id"], icebox.a["id"], 1 << 60, 0, world.own.story, icebox.c["id"]]
    assert sorted(s["name"] for s in ok(bulk(icebox, ids))) == ["a", "c"]
    ok(icebox.client.delete(f"/stories/{icebox.c['id']}"), 204)
    assert [s["name"] for s in ok(bulk(icebox, ids))] == ["a"]


def test_bulk_takes_500_ids(icebox):
    assert ok(bulk(icebox, range(1 << 40, (1 << 40) + 499))) == []
    assert len(ok(bulk(icebox, [icebox.a["id"]] * 500))) == 1
    refused(bulk(icebox, range(501)))


def test_an_id_beyond_64_bits_is_one_that_is_not_found(icebox):
    mine = icebox.a["id"]
    for ids in (f"99999999999999999999,{mine}", f"{mine},9223372036854775808", f"007,{mine}"):
        assert [s["id"] for s in ok(icebox.client.get(f"{stories(icebox)}/bulk?ids={ids}"))] == [mine]
    assert ok(icebox.client.get(f"{stories(icebox)}/bulk?ids=18446744073709551616")) == []
    assert ok(icebox.client.get("/projects?account_ids=99999999999999999999")) == []


def test_bulk_without_ids(icebox):
    refused(icebox.client.get(f"{stories(icebox)}/bulk"),
            "this endpoint requires the parameter: ids")
    for ids in ("x", "1,x", "1;2", "1.5", "-99999999999999999999", "99999999999999999999x"):
        refused(icebox.client.get(f"{stories(icebox)}/bulk?ids={ids}"))
    assert ok(icebox.client.get(f"{stories(icebox)}/bulk?ids=")) == []
