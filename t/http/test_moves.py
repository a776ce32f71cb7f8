"""Stories that move to another project (contract 2.8, 5.5, 6.2)."""

import concurrent.futures
import random

import pytest

from board import Board, assert_permutation, problem
from world import ok, unique

FOREIGN = "You do not have access to the destination project."


@pytest.fixture(scope="module")
def mate(person):
    return person("Mate")


@pytest.fixture
def here(api, boss):
    return Board(api(boss))


@pytest.fixture
def there(api, boss):
    return Board(api(boss))


def counts(board, sql):
    (numbers,), = sql("select story_counts from planwright.project where id = %s", board.id)
    (real,), = sql("""select array_agg((select count(*) from planwright.story
        where project_id = %s and section = n)::integer order by n) from generate_series(0, 4) n""",
                   board.id)
    assert numbers == real
    return sum(numbers)


def path(board, name, by_project):
    return board.at(name) if by_project else f"/stories/{board.ids[name]}"


# --- what moves --------------------------------------------------------------------

@pytest.mark.parametrize("by_project", [True, False])
def test_a_story_moves_with_its_id(here, there, by_project):
    here.add("a", "unstarted", description="more")
    there.adds("xy", "unstarted")
    story = ok(here.client.put(path(here, "a", by_project), {"project_id": there.id}))
    assert (story["id"], story["project_id"]) == (here.ids["a"], there.id)
    assert (story["name"], story["description"], story["current_state"]) == (
        "a", "more", "unstarted")
    assert (here.order(), there.order()) == ("", "xya")
    assert here.client.get(here.at("a")).status_code == 404
    assert ok(here.client.get(f"/stories/{story['id']}"))["project_id"] == there.id


def test_its_tasks_go_along(here, there):
    here.add("a", tasks=[{"description": "one"}, {"description": "two", "complete": True}])
    here.move("a", project_id=there.id)
    tasks = ok(here.client.get(f"{there.path}/stories/{here.ids['a']}/tasks"))
    assert [(t["description"], t["complete"]) for t in tasks] == [("one", False), ("two", True)]


def test_its_comments_go_along(here, there):
    here.add("a", comments=[{"text": "one"}])
    here.move("a", project_id=there.id, comment={"text": "two"})
    comments = ok(here.client.get(f"{there.path}/stories/{here.ids['a']}/comments"))
    assert [c["text"] for c in comments] == ["one", "two"]


def test_its_reviews_are_of_the_new_projects_types(here, there, boss, mate):
    here.join(mate)
    here.add("a")
    own = ok(here.client.post(f"{here.path}/review_types", {"name": "Smell"}))
    types = ok(here.client.get(f"{here.path}/review_types"))
    code = next(t for t in types if t["name"] == "Code")
    for body in ({"review_type_id": own["id"], "reviewer_id": mate.id},
                 {"review_type_id": code["id"], "reviewer_id": boss.id}):
        ok(here.client.post(f"{here.at('a')}/reviews", body))
    here.move("a", project_id=there.id)
    reviews = ok(here.client.get(f"{there.path}/stories/{here.ids['a']}/reviews"
                                 "?fields=reviewer_id,review_type(name,project_id)"))
    assert [(r["review_type"]["name"], r["review_type"]["project_id"], r.get("reviewer_id"))
            for r in reviews] == [("Smell", there.id, None), ("Code", there.id, boss.id)]


def test_blockers_name_stories_of_their_own_project(here, there, sql):
    here.adds("ab")
    there.add("x")
    text = f"waits for #{here.ids['b']} and #{there.ids['x']}"
    ok(here.client.post(f"{here.at('a')}/blockers", {"description": text}))

    def blocking():
        (ids,), = sql("select blocking_story_ids from planwright.blocker where story_id = %s",
                      here.ids["a"])
        return ids

    assert blocking() == [here.ids["b"]]
    here.move("a", project_id=there.id)
    assert blocking() == [there.ids["x"]]
    there.move("x", project_id=here.id)
    assert blocking() == []


@pytest.mark.parametrize("state", ["unscheduled", "unstarted", "started", "finished", "delivered",
                                   "rejected", "accepted"])
def test_its_state_stays(here, there, state):
    story = here.add("a", state)
    moved = here.move("a", project_id=there.id)
    assert moved["current_state"] == state
    assert moved.get("accepted_at") == story.get("accepted_at")


def test_an_accepted_story_stands_by_its_time(here, there):
    here.add("b", "accepted", accepted_at="2024-02-02T00:00:00Z")
    there.add("a", "accepted", accepted_at="2024-01-02T00:00:00Z")
    there.add("c", "accepted", accepted_at="2024-03-02T00:00:00Z")
    here.move("b", project_id=there.id)
    assert there.order() == "abc"


def test_labels_are_made_by_name(here, there):
    kept = ok(there.client.post(f"{there.path}/labels", {"name": "kept"}))
    here.add("a", labels=["kept", "new"])
    moved = here.move("a", project_id=there.id)
    assert [label["name"] for label in moved["labels"]] == ["kept", "new"]
    assert moved["labels"][0]["id"] == kept["id"]
    assert {label["project_id"] for label in moved["labels"]} == {there.id}
    assert [x["name"] for x in ok(here.client.get(f"{here.path}/labels"))] == ["kept", "new"]


def test_labels_of_the_request_are_the_new_projects(here, there):
    mine = ok(there.client.post(f"{there.path}/labels", {"name": "mine"}))["id"]
    here.adds("ab", labels=["old"])
    moved = here.move("a", project_id=there.id, labels=["fresh", {"id": mine}])
    assert [x["name"] for x in moved["labels"]] == ["fresh", "mine"]
    assert {x["project_id"] for x in moved["labels"]} == {there.id}
    old = ok(here.client.get(f"{here.path}/labels"))
    assert [x["name"] for x in old] == ["old"]
    problem(here.put("b", project_id=there.id, label_ids=[old[0]["id"]]), "label_ids")
    assert here.order() == "b"


def test_an_empty_list_leaves_the_labels_behind(here, there):
    here.add("a", labels=["old"])
    assert here.move("a", project_id=there.id, labels=[])["labels"] == []
    assert ok(here.client.get(f"{there.path}/labels")) == []


def test_people_who_are_no_members_stay_behind(here, there, boss, mate, person):
    stay = person("Stay")
    here.join(mate)
    here.join(stay)
    there.join(mate)
    people = [stay.id, mate.id, boss.id]
    here.add("a", owner_ids=people, follower_ids=people, requested_by_id=stay.id)
    here.add("b", owner_ids=people, requested_by_id=mate.id)
    moved = ok(here.client.put(here.at("a") + "?fields=owner_ids,follower_ids,requested_by_id",
                               {"project_id": there.id}))
    assert moved["owner_ids"] == moved["follower_ids"] == [mate.id, boss.id]
    assert moved["requested_by_id"] == boss.id
    assert here.move("b", project_id=there.id)["requested_by_id"] == mate.id


def test_people_of_the_request_are_checked_as_always(here, there, boss, mate):
    here.join(mate)
    here.add("a", owner_ids=[mate.id])
    problem(here.put("a", project_id=there.id, owner_ids=[boss.id, mate.id]), "owner_ids")
    problem(here.put("a", project_id=there.id, requested_by_id=mate.id), "requested_by_id")
    assert here.move("a", project_id=there.id, owner_ids=[boss.id])["owner_ids"] == [boss.id]


def test_an_estimate_off_the_new_scale_stays_until_it_is_changed(here, api, boss):
    there = Board(api(boss), point_scale="0,1,2,4,8")
    here.add("a", "unstarted", estimate=3)
    assert here.move("a", project_id=there.id)["estimate"] == 3
    there.ids["a"] = here.ids["a"]
    assert there.move("a", current_state="started")["estimate"] == 3
    problem(there.put("a", estimate=5), "estimate")
    assert there.move("a", estimate=4)["estimate"] == 4


def test_the_request_may_change_more(here, api, boss):
    there = Board(api(boss), point_scale="0,1,2,4,8")
    here.add("a", "unstarted", estimate=3)
    moved = here.move("a", project_id=there.id, name="A", estimate=8, current_state="started")
    assert (moved["name"], moved["estimate"], moved["current_state"]) == ("A", 8, "started")
    problem(there.client.put(f"/stories/{moved['id']}", {"project_id": here.id, "estimate": 4}),
            "estimate")


def test_planned_stories_come_to_an_automatic_backlog(api, boss, there):
    here = Board(api(boss), automatic_planning=False)
    here.add("a", "planned")
    assert here.move("a", project_id=there.id)["current_state"] == "unstarted"


def test_a_place_in_the_new_project(here, there):
    here.adds("abc")
    there.adds("xy", "unstarted")
    assert here.move("a", project_id=there.id, before_id=there.ids["y"])[
        "current_state"] == "unstarted"
    assert here.move("b", project_id=there.id, group="scheduled")["current_state"] == "unstarted"
    here.move("c", project_id=there.id, current_state="unstarted", after_id=there.ids["x"])
    assert there.order() == "xcayb"


def test_a_place_in_the_old_project_is_refused(here, there):
    here.adds("ab")
    problem(here.put("a", project_id=there.id, before="b"), "before_id")
    assert here.order() == "ba"


def test_the_same_project_is_no_move(here, sql):
    here.adds("ab", labels=["x"])
    before = here.version()
    answer = here.put("a", project_id=here.id, name="c")
    assert ok(answer)["name"] == "c"
    assert here.version() == before + 1
    assert int(answer.headers["X-Service-Project-Version"]) == before + 1
    assert here.activities(sql)[-1] == "story_update_activity"
    here.move("b", project_id=here.id, after="a")
    assert here.order() == "cb"


# --- rights ------------------------------------------------------------------------

@pytest.mark.parametrize("role", [None, "viewer"])
@pytest.mark.parametrize("by_project", [True, False])
def test_one_must_be_able_to_write_there(here, there, api, person, role, by_project):
    who = person("Who")
    here.join(who)
    if role:
        there.join(who, role)
    here.add("a")
    versions = here.version(), there.version()
    answer = api(who).put(path(here, "a", by_project), {"project_id": there.id})
    assert problem(answer, status=403) == FOREIGN
    assert answer.json()["code"] == "unauthorized_operation"
    assert "that project" in answer.json()["possible_fix"]
    assert (here.version(), there.version()) == versions
    assert here.order() == "a"


@pytest.mark.parametrize("role", [None, "viewer"])
@pytest.mark.parametrize("by_project", [True, False])
def test_one_must_be_able_to_write_here(here, there, api, person, role, by_project):
    who = person("Who")
    there.join(who)
    if role:
        here.join(who, role)
    here.add("a")
    answer = api(who).put(path(here, "a", by_project), {"project_id": there.id})
    assert problem(answer, status=403) != FOREIGN


@pytest.mark.parametrize("target", [1 << 45, 0, -1])
def test_a_project_that_is_not_there(here, target):
    here.add("a")
    assert problem(here.put("a", project_id=target), status=403) == FOREIGN


def test_no_mere_visitor_of_a_public_project(here, api, person):
    public = Board(api(person("Other")), public=True)
    here.add("a")
    assert problem(here.put("a", project_id=public.id), status=403) == FOREIGN


def test_nobody_without_a_token(here, there, api):
    here.add("a")
    assert api().put(here.at("a"), {"project_id": there.id}).status_code == 403
    assert api("0" * 32).put(here.at("a"), {"project_id": there.id}).json()["code"] == (
        "invalid_authentication")


def test_a_story_of_another_project_is_not_found(here, there):
    here.add("a")
    answer = here.client.put(f"{there.path}/stories/{here.ids['a']}", {"project_id": there.id})
    assert answer.status_code == 404


def test_the_id_is_a_number(here):
    here.add("a")
    assert problem(here.put("a", project_id="1")) == "'project_id' must be an integer value"
    assert problem(here.put("a", project_id=None)) == "'project_id' must be an integer value"


# --- what both projects note ---------------------------------------------------------

def test_both_versions_rise_once(here, there):
    here.add("a", labels=["x"])
    versions = here.version(), there.version()
    answer = here.put("a", project_id=there.id)
    assert (here.version(), there.version()) == (versions[0] + 1, versions[1] + 1)
    assert int(answer.headers["X-Service-Project-Version"]) == versions[0] + 1


def test_without_a_project_in_the_path_the_version_is_the_storys(here, there):
    here.add("a")
    there.adds("xyz")
    answer = here.client.put(f"/stories/{here.ids['a']}", {"project_id": there.id})
    assert int(answer.headers["X-Service-Project-Version"]) == there.version()


def test_an_activity_in_each(here, there, sql):
    here.add("a", labels=["secret-name"])
    here.move("a", project_id=there.id)
    assert here.activities(sql)[-1] == "story_move_from_project_activity"
    assert there.activities(sql)[-1] == "story_move_into_project_activity"
    for board in (here, there):
        (changes,), = sql("""select changes::json from planwright.activity where project_id = %s
            order by version desc limit 1""", board.id)
        story, = [c for c in changes if c["kind"] == "story"]
        assert story["original_values"]["project_id"] == here.id
        assert story["new_values"]["project_id"] == there.id
        own = {id for id, in sql("select id from planwright.label where project_id = %s", board.id)}
        assert {c["id"] for c in changes if c["kind"] == "label"} == own
    assert story["new_values"]["label_ids"]


def test_the_activity_says_where_to(here, there):
    here.add("a", labels=["secret-name"])
    here.move("a", project_id=there.id, name="b")
    left, came = (ok(b.client.get(f"{b.path}/activity?limit=1"))[0] for b in (here, there))
    assert left["message"] == "Boss moved this story to another project"
    assert came["message"] == "Boss moved this story from another project"
    assert left["changes"][0]["new_values"] == {"project_id": there.id}
    story, = [c for c in came["changes"] if c["kind"] == "story"]
    assert story["new_values"]["name"] == "b"
    assert left["primary_resources"][0]["id"] == came["primary_resources"][0]["id"] == here.ids["a"]


def test_a_rejection_on_the_way_is_told_once(here, there, api, mate):
    for board in (here, there):
        board.join(mate)
    here.add("a", owner_ids=[mate.id])
    here.move("a", project_id=there.id, current_state="rejected")
    told = [n for n in ok(api(mate).get("/my/notifications")) if n["action"] == "rejection"]
    assert [n["project"]["id"] for n in told] == [there.id]


def test_a_move_to_a_place_says_so(here, there, sql):
    here.add("a")
    there.add("x")
    here.move("a", project_id=there.id, after_id=there.ids["x"])
    assert there.activities(sql)[-1] == "story_move_into_project_and_prioritize_activity"


def test_the_counts_of_both(here, there, sql):
    here.adds("abc")
    there.adds("xy", "unstarted")
    here.move("b", project_id=there.id)
    assert (counts(here, sql), counts(there, sql)) == (2, 3)
    answer = here.client.get(f"{there.path}/stories?limit=1")
    assert answer.headers["X-Service-Pagination-Total"] == "3"


# --- many at once ----------------------------------------------------------------------

def test_moves_both_ways_do_not_deadlock(here, there, api, boss, sql):
    """Half of the clients use a path with the project, half one with the story alone."""
    here.adds("abcde", labels=["x"])
    there.adds("fghij", labels=["y"])
    ids = {**here.ids, **there.ids}
    versions = here.version() + there.version()
    moved = []

    def work(seed):
        dice, client = random.Random(seed), api(boss)
        for _ in range(8):
            name, target = dice.choice("abcdefghij"), dice.choice([here, there])
            if seed % 2:
                answer = client.put(f"/stories/{ids[name]}", {"project_id": target.id})
                ok(answer)
            else:
                source = dice.choice([here, there])
                answer = client.put(f"{source.path}/stories/{ids[name]}", {"project_id": target.id})
                assert answer.status_code in (200, 404), answer.text
            moved.append(answer.status_code)

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(16)))
    assert moved.count(200) >= 64
    for board in (here, there):
        assert_permutation(board.stories("before_id,after_id"))
    assert sorted(here.order() + there.order()) == list("abcdefghij")
    assert counts(here, sql) + counts(there, sql) == 10
    kinds = here.activities(sql) + there.activities(sql)
    # Two for each move, none for a request that moved nothing.
    assert here.version() + there.version() - versions == 2 * kinds.count(
        "story_move_from_project_activity") > 0


def test_a_story_that_moves_away_can_still_be_changed(here, there, api, boss):
    here.add("a")

    def shuttle():
        client = api(boss)
        for i in range(30):
            ok(client.put(f"/stories/{here.ids['a']}", {"project_id": [there, here][i % 2].id}))

    def rename():
        client = api(boss)
        for _ in range(30):
            ok(client.put(f"/stories/{here.ids['a']}", {"description": unique("text")}))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for job in [pool.submit(x) for x in (shuttle, rename, rename, rename)]:
            job.result()
