"""PUT of a story accepts the lists that POST accepts (contract 2.8): items with an id change that part, items without
an id create one, and parts that are not listed stay."""

import time

import pytest

from parts import PARTS
from team import team  # noqa: F401 (a fixture)
from test_bodies import refused
from test_story_parts import BRANCH, PULL
from world import ok

# A new item, and a change to one: the field that changes, and its new value.
LISTS = {
    **{p.list: (p.body, *next(iter(p.change.items()))) for p in PARTS.values() if p.in_bodies},
    "tasks": ({"description": "Paint it"}, "description", "Paint it twice"),
    "comments": ({"text": "Why?"}, "text", "Why not?"),
    "blockers": ({"description": "The lift is broken"}, "description", "No lift"),
    "reviews": ({}, "status", "pass"),
    "pull_requests": (PULL, "number", 7),
    "branches": (BRANCH, "name", "fix/that"),
}
NOUNS = {"tasks": "Task", "comments": "Comment", **{p.list: p.noun for p in PARTS.values()}}
ALL = ",".join(LISTS)
each_list = pytest.mark.parametrize("name", list(LISTS))


def item(team, name):
    made = dict(LISTS[name][0])
    if name == "reviews":
        made["review_type_id"] = team.viewer.get(f"{team.path}/review_types").json()[0]["id"]
    return made


def full(team):
    """A story with one of each kind, and its path."""
    story = team.make_story(**{name: [item(team, name)] for name in LISTS})
    return f"/stories/{story['id']}"


def read(team, path, fields=ALL):
    return ok(team.viewer.get(f"{path}?fields={fields}"))


def version(team):
    return ok(team.viewer.get(f"{team.path}?fields=version"))["version"]


def last_changes(team, path):
    activity = ok(team.viewer.get(f"{team.path}{path}/activity?limit=1"))[0]
    return [(c["kind"], c["change_type"]) for c in activity["changes"]]


@each_list
def test_an_item_without_an_id_is_new(team, name):
    path = full(team)
    before = read(team, path)
    ok(team.member.put(path, {name: [item(team, name)] * 2}))
    after = read(team, path)
    assert after[name][:1] == before[name] and len(after[name]) == 3
    for other in LISTS:
        assert other == name or after[other] == before[other]


@each_list
def test_an_item_with_an_id_changes_that_one(team, name):
    path = full(team)
    before, versions = read(team, path), version(team)
    _, key, value = LISTS[name]
    ok(team.member.put(path, {name: [{"id": before[name][0]["id"], key: value}]}))
    after = read(team, path)
    assert after[name] == [{**before[name][0], key: value, "updated_at": after[name][0]["updated_at"]}]
    assert version(team) == versions + 1
    kind = PARTS[name].kind if name in PARTS else name[:-1]
    assert last_changes(team, path) == [("story", "update"), (kind, "update")]


@each_list
def test_equal_values_make_no_version(team, name):
    path = full(team)
    before, versions = read(team, path, f"updated_at,{ALL}"), version(team)
    thing, key = before[name][0], LISTS[name][1]
    for body in {"id": thing["id"], key: thing[key]}, {"id": thing["id"]}:
        ok(team.member.put(path, {name: [body]}))
    ok(team.member.put(path, {name: [], "name": "A story"}))
    assert (read(team, path, f"updated_at,{ALL}"), version(team)) == (before, versions)


@each_list
def test_an_id_of_another_story(team, name):
    path, other = full(team), read(team, full(team), name)[name][0]["id"]
    sentence = f"{NOUNS[name]} with id=%s does not exist within this story"
    before, versions = read(team, path), version(team)
    for wrong in other, 1 << 60, -(1 << 63), 0:
        error = refused(team.member.put(path, {name: [item(team, name), {"id": wrong}]}))
        assert error["validation_errors"][0]["field"] == name
        assert error["general_problem"].startswith(sentence.split("%s")[0])
        assert error["general_problem"].endswith(sentence.split("%s")[1])
    assert (read(team, path), version(team)) == (before, versions)


@each_list
def test_an_id_twice(team, name):
    path = full(team)
    thing = {"id": read(team, path)[name][0]["id"]}
    refused(team.member.put(path, {name: [thing, thing]}),
            f"{NOUNS[name]} with id={thing['id']} is given twice")


@each_list
def test_bodies_of_items(team, name):
    path = full(team)
    thing = {"id": read(team, path)[name][0]["id"]}
    for extra in {}, thing:
        refused(team.member.put(path, {name: [{**extra, "no_such": 1}]}),
                "this endpoint cannot accept the parameter: no_such")
    for wrong in "1", None, 1.5, [1]:
        assert "'id' parameter value was" in refused(
            team.member.put(path, {name: [{"id": wrong}]}))["general_problem"]
    key = LISTS[name][1]
    refused(team.member.put(path, {name: [{**thing, key: [1]}]}))
    if name not in PARTS or not PARTS[name].can_be_null(key):
        refused(team.member.put(path, {name: [{**thing, key: None}]}))
    refused(team.member.put(path, {name: thing}), f"'{name}' must be an array of objects")
    refused(team.member.put(path, {name: [thing] * 501}), f"'{name}' must have at most 500 items")
    if name != "comments":
        assert "requires the parameter" in refused(
            team.member.put(path, {name: [{}]}))["general_problem"]


def test_rules_hold_in_lists(team, person):
    path, stranger = full(team), person().id
    ids = {name: things[0]["id"] for name, things in read(team, path).items() if name in LISTS}
    for body, field in (
            ({"blockers": [{"description": "x", "person_id": stranger}]}, "person_id"),
            ({"blockers": [{"id": ids["blockers"], "person_id": stranger}]}, "person_id"),
            ({"reviews": [{**item(team, "reviews"), "reviewer_id": stranger}]}, "reviewer_id"),
            ({"reviews": [{"review_type_id": 1 << 50}]}, "review_type_id"),
            ({"reviews": [{"id": ids["reviews"], "review_type_id": 1 << 50}]}, "review_type_id"),
            ({"comments": [{"text": "x", "person_id": stranger}]}, "person_id")):
        for more in {}, {"name": "Other"}:
            error = refused(team.member.put(path, {**body, **more}))
            assert error["validation_errors"][0]["field"] == field
    assert read(team, path, "name")["name"] == "A story"


def test_all_at_once_are_told_in_one_activity(team):
    path = full(team)
    before = read(team, path)
    body = {name: [item(team, name), {"id": before[name][0]["id"], LISTS[name][1]: LISTS[name][2]}]
            for name in LISTS}
    versions = version(team)
    ok(team.member.put(path, {**body, "labels": ["new"], "comment": {"text": "the end"}}))
    assert version(team) == versions + 1
    assert last_changes(team, path) == [
        ("label", "create"), ("label", "update"), ("story", "update"),
        ("task", "update"), ("task", "create"), ("comment", "create"), ("comment", "update"),
        *((p.kind, how) for p in PARTS.values() if p.in_bodies for how in ("create", "update")),
        ("comment", "create")]
    assert read(team, path, "comments")["comments"][-1]["text"] == "the end"


def test_who_may_not_write_changes_nothing(team):
    path = full(team)
    before, versions = read(team, path), version(team)
    for name in LISTS:
        body = {name: [{"id": before[name][0]["id"], LISTS[name][1]: LISTS[name][2]}]}
        assert team.viewer.put(path, body).status_code == 403
    assert (read(team, path), version(team)) == (before, versions)


# Tasks

def tasks(team, path):
    rows = read(team, path, "tasks")["tasks"]
    assert [t["position"] for t in rows] == list(range(1, len(rows) + 1))
    return "".join(t["description"] for t in rows)


def lettered(team, letters):
    path = f"/stories/{team.make_story(tasks=[{'description': x} for x in letters])['id']}"
    return path, {t["description"]: t["id"] for t in read(team, path, "tasks")["tasks"]}


@pytest.mark.parametrize("wished, order", [
    ([("d", 4)], "abcd"), ([("d", 1)], "dabc"), ([("d", 1), ("e", 1)], "edabc"),
    ([("d", None), ("e", 2)], "aebcd"), ([("a", 3)], "bca"), ([("c", 1), ("b", 1)], "bca"),
    ([("a", 2), ("d", 1), ("c", 4)], "dbac"), ([("a", 4)], None), ([("d", 5)], None),
    ([("d", None), ("a", 4)], "bcda"), ([("a", 0)], None), ([("d", -1)], None),
    ([("d", 1 << 40)], None)])
def test_places_of_tasks(team, wished, order):
    path, ids = lettered(team, "abc")
    body = [{"id": ids[x]} if x in ids else {"description": x} for x, _ in wished]
    for thing, (_, position) in zip(body, wished):
        if position is not None:
            thing["position"] = position
    answer = team.member.put(path, {"tasks": body})
    if order:
        ok(answer)
    else:
        assert refused(answer)["requirement"].startswith("position must be between 1 and ")
    assert tasks(team, path) == (order or "abc")


def test_places_of_a_new_storys_tasks(team):
    path = f"/stories/{team.make_story(tasks=[{'description': 'a'}, {'description': 'b', 'position': 1}, {'description': 'c', 'position': 2}])['id']}"
    assert tasks(team, path) == "bca"
    answer = team.member.post(f"{team.path}/stories", {
        "name": "x", "tasks": [{"description": "a", "position": 2}]})
    assert refused(answer)["requirement"] == "position must be between 1 and 1."


# Blockers

def news(client, path):
    rows = client.get("/my/notifications?notification_types=:all").json()
    return [(n["notification_type"], n["action"]) for n in rows
            if str(n.get("story", {}).get("id")) == path.split("/")[-1]]


def test_followers_hear_of_blockers_in_lists(team):
    story = team.make_story(follower_ids=[team.people["other"].id],
                            blockers=[{"description": "one"}])
    path = f"/stories/{story['id']}"
    assert news(team.other, path) == [("blocker", "create")]
    blocker = read(team, path, "blockers")["blockers"][0]["id"]
    ok(team.owner.put(path, {"blockers": [{"id": blocker, "description": "two"}]}))
    assert len(news(team.other, path)) == 1
    ok(team.owner.put(path, {"blockers": [{"description": "three"},
                                          {"id": blocker, "resolved": True}]}))
    assert news(team.other, path)[:2] == [("blocker", "resolve"), ("blocker", "create")]
    assert news(team.member, path)[:2] == [("blocker", "resolve"), ("blocker", "create")]
    assert news(team.owner, path) == []


def test_own_blockers_stay_when_the_story_is_accepted(team):
    story = team.make_story(estimate=1, current_state="delivered", blockers=[{"description": "x"}])
    path = f"/stories/{story['id']}"
    waits = f"/stories/{team.make_story(blockers=[{'description': '#%s' % story['id']}])['id']}"
    blocker = read(team, path, "blockers")["blockers"][0]["id"]
    ok(team.member.put(path, {"current_state": "accepted",
                              "blockers": [{"id": blocker, "description": "y"}]}))
    assert read(team, path, "blockers")["blockers"][0]["resolved"] is False
    assert read(team, waits, "blockers")["blockers"][0]["resolved"] is True


@pytest.mark.parametrize("text, named", [
    ("#%s", True), ("##%s", True), ("(#%s)", True), ("x#%s.", True), ("#%s\u2026", True),
    ("#%s\u2014so", True), ("#1 #%s#2", True), ("# %s", False), ("#%sa", False), ("#%s_", False),
    ("#%s\u00e9", False), ("#%s\u4e00", False), ("#0000000000000000%s", None), ("#-%s", False),
    ("#999999999999999999%s", False), ("%s", False)])
def test_what_names_a_story(team, text, named):
    blocking = team.make_story()["id"]
    path = f"/stories/{team.make_story()['id']}"
    text = text % blocking
    ok(team.member.post(f"{team.path}{path}/blockers", {"description": text}))
    got = ok(team.viewer.get(f"/stories/{blocking}?fields=blocked_story_ids"))["blocked_story_ids"]
    assert named is None or (got != []) == named


def test_a_blocker_never_names_its_own_story_nor_one_of_another_project(team, world):
    path = f"/stories/{team.make_story()['id']}"
    ok(team.member.put(path, {"blockers": [{
        "description": f"#{path.split('/')[-1]} #{world.own.story}"}]}))
    assert read(team, path, "blocked_story_ids")["blocked_story_ids"] == []


# Parts one by one

@pytest.mark.parametrize("part, body", [
    ("blockers", {"description": "x", "resolved": False}), ("pull_requests", PULL),
    ("branches", BRANCH), ("cicd_events", {"name": "build", "status": "ok"}), ("reviews", {}),
    ("followers", None)])
def test_a_change_to_what_it_is_makes_no_version(team, part, body):
    path = f"{team.path}/stories/{team.make_story()['id']}/{part}"
    if part == "followers":
        made = again = {"id": team.people["other"].id}
        ok(team.member.post(path, made))
    else:
        body = {**item(team, part), **body} if part in LISTS else body
        made, again = ok(team.member.post(path, body)), body
    before = version(team)
    send = team.member.post if part == "followers" else team.member.put
    answer = ok(send(path if part == "followers" else f"{path}/{made['id']}", again))
    assert answer["id"] == made["id"] and version(team) == before
    if part != "followers":
        assert answer == made


def test_names_of_review_types(team):
    path = f"{team.path}/review_types"
    made = ok(team.owner.post(path, {"name": "  Sound  "}))
    assert made["name"] == "Sound"
    for name in "SOUND", " sound ":
        refused(team.owner.post(path, {"name": name}),
                f"The review type '{name.strip()}' already exists in this project.")
    before = version(team)
    ok(team.owner.put(f"{path}/{made['id']}", {"name": "Sound "}))
    assert version(team) == before
    assert ok(team.owner.put(f"{path}/{made['id']}", {"name": "sound"}))["name"] == "sound"
    refused(team.owner.put(f"{path}/{made['id']}", {"name": "Design"}),
            "The review type 'Design' already exists in this project.")
    assert version(team) == before + 1


def test_500_of_each(team):
    many = {name: [item(team, name)] * 500 for name in LISTS}
    many["blockers"] = [{"description": f"#{n} and #{n + 1}"} for n in range(500)]
    start = time.monotonic()
    story = team.make_story(follower_ids=[team.people["other"].id], **many)
    path = f"/stories/{story['id']}"
    got = read(team, path)
    assert all(len(got[name]) == 500 for name in LISTS)
    body = {name: [{"id": x["id"], LISTS[name][1]: LISTS[name][2]} for x in got[name]]
            for name in LISTS}
    ok(team.member.put(path, body))
    assert time.monotonic() - start < 20
    got = read(team, path)
    for name in LISTS:
        assert [x[LISTS[name][1]] for x in got[name]] == [LISTS[name][2]] * 500
    assert len(news(team.other, path)) >= 999
