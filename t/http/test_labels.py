"""Labels of a project and of a story (contract 2.7)."""

import pytest

from test_bodies import refused
from world import Place, ok, unique

KEYS = ["kind", "id", "project_id", "name", "created_at", "updated_at"]


@pytest.fixture
def place(world):
    return Place(world.admin)


def test_whether_a_label_is_an_epics(place):
    epic = ok(place.client.post(f"/projects/{place.project}/epics", {"name": "Theme"}))
    add(place, "plain")
    path = f"/projects/{place.project}/labels"
    assert all("has_epic" not in label for label in ok(place.client.get(path)))
    found = {label["name"]: label for label in ok(place.client.get(f"{path}?fields=name,has_epic"))}
    assert found["theme"] == {"id": epic["label"]["id"], "name": "theme", "has_epic": True}
    assert found["plain"]["has_epic"] is False
    one = f"{path}/{epic['label']['id']}?fields=:default,has_epic"
    assert list(ok(place.client.get(one))) == KEYS + ["has_epic"]
    ok(place.client.delete(f"/projects/{place.project}/epics/{epic['id']}"), 204)
    assert ok(place.client.get(one))["has_epic"] is False
    story = ok(place.client.post(f"/projects/{place.project}/stories?fields=labels(has_epic)", {
        "name": "x", "labels": ["theme"]}))
    assert [label["has_epic"] for label in story["labels"]] == [False]


def test_known_labels_are_added_one_after_the_other(place):
    """Each time, the story's list of labels grows by one that was loaded after it."""
    labels = [add(place, f"known {n}") for n in range(9)]
    path = f"/projects/{place.project}/stories/{place.story}/labels"
    for n, label in enumerate(labels):
        given = {"id": label["id"]} if n % 2 else {"name": label["name"].upper()}
        assert ok(place.client.post(path, given))["id"] == label["id"]
        assert [x["id"] for x in ok(place.client.get(path))] == [x["id"] for x in labels[:n + 1]]


@pytest.fixture(scope="module")
def other(world):
    """A label of another project."""
    place = Place(world.admin)
    return ok(place.client.post(f"/projects/{place.project}/labels", {"name": "other"}))["id"]


def add(place, name):
    return ok(place.client.post(f"/projects/{place.project}/labels", {"name": name}))


def listed(place, query=""):
    return [label["name"] for label in ok(place.client.get(f"/projects/{place.project}/labels{query}"))]


def put_labels(place, labels):
    return place.client.put(f"/stories/{place.story}", {"labels": labels})


def names(story):
    return [label["name"] for label in story["labels"]]


# --- of the project -------------------------------------------------------------

def test_shape(place):
    label = add(place, "  Some ÄPFEL ")
    assert list(label) == KEYS
    assert (label["kind"], label["name"], label["project_id"]) == ("label", "some äpfel", place.project)
    assert ok(place.client.get(f"/projects/{place.project}/labels/{label['id']}")) == label


def test_list_is_by_name(place):
    for name in ("b", "c", "a"):
        add(place, name)
    assert listed(place) == ["a", "b", "c"]


def test_names_are_unique_in_a_project(place, world):
    label = add(place, "one")
    refused(place.client.post(f"/projects/{place.project}/labels", {"name": "ONE"}))
    two = add(place, "two")
    refused(place.client.put(f"/projects/{place.project}/labels/{two['id']}", {"name": "One"}))
    same = ok(place.client.put(f"/projects/{place.project}/labels/{label['id']}", {"name": "One"}))
    assert same["name"] == "one"


def test_renaming_reaches_the_stories(place):
    ok(put_labels(place, ["a", "b"]))
    label = ok(place.client.get(f"/stories/{place.story}"))["labels"][0]["id"]
    ok(place.client.put(f"/projects/{place.project}/labels/{label}", {"name": "Z"}))
    assert names(ok(place.client.get(f"/stories/{place.story}"))) == ["b", "z"]


def test_deleting_reaches_the_stories(place):
    ok(put_labels(place, ["a", "b"]))
    label = ok(place.client.get(f"/stories/{place.story}"))["labels"][0]["id"]
    ok(place.client.delete(f"/projects/{place.project}/labels/{label}"), 204)
    assert names(ok(place.client.get(f"/stories/{place.story}"))) == ["b"]
    assert listed(place) == ["b"]


def test_deleting_a_label_of_thousands(place, sql):
    """The activity names only the label; an entry for each story took longer than a request may."""
    kept, label = (l["id"] for l in ok(put_labels(place, ["worn", "kept"]))["labels"])
    sql("""begin; set local search_path = planwright; set local session_replication_role = replica;
        insert into story (project_id, name, current_state, story_type, rank, label_ids)
        select %s, 'Worn ' || n, 'unscheduled', 'bug', n * 1048576::bigint, array[%s, %s]::bigint[]
        from generate_series(1, 5000) n;
        update project set story_counts[5] = story_counts[5] + 5000 where id = %s;
        select labels_recount(); commit""", place.project, kept, label, place.project)
    ok(place.client.delete(f"/projects/{place.project}/labels/{label}"), 204)
    activity = ok(place.client.get(f"/projects/{place.project}/activity?limit=1"))[0]
    assert [c["kind"] for c in activity["changes"]] == ["label"]
    left = ok(place.client.get(f"/projects/{place.project}/stories?with_label=worn"))
    assert left == []
    assert names(ok(place.client.get(f"/stories/{place.story}"))) == ["kept"]


def test_with_status(place):
    """active: on a story that is not accepted."""
    add(place, "unused")
    path = f"/projects/{place.project}/stories"
    ok(place.client.post(path, {"name": "x", "labels": ["live", "both"]}))
    ok(place.client.post(path, {"name": "x", "labels": ["done", "both"], "story_type": "bug",
                                "current_state": "accepted"}))
    assert listed(place, "?with_status=active") == ["both", "live"]
    assert listed(place, "?with_status=inactive") == ["done", "unused"]
    refused(place.client.get(f"/projects/{place.project}/labels?with_status=x"))


def test_with_type(place):
    add(place, "plain")
    assert listed(place, "?with_type=standard") == ["plain"]
    assert listed(place, "?with_type=epic") == []
    refused(place.client.get(f"/projects/{place.project}/labels?with_type=x"))


def test_counts(place):
    path = f"/projects/{place.project}/stories"
    ok(place.client.post(path, {"name": "x", "labels": ["l"], "estimate": 3}))
    ok(place.client.post(path, {"name": "x", "labels": ["l"], "estimate": 0}))
    ok(place.client.post(path, {"name": "x", "labels": ["l"], "estimate": 2,
                                "current_state": "started"}))
    ok(place.client.post(path, {"name": "x", "labels": ["l"], "story_type": "bug",
                                "current_state": "started"}))
    label, = ok(place.client.get(f"/projects/{place.project}/labels?fields=counts"))
    counts = label["counts"]
    assert counts["kind"] == "story_counts"
    parts = [counts[k] for k in ("number_of_stories_by_state", "sum_of_story_estimates_by_state",
                                 "number_of_zero_point_stories_by_state")]
    assert all(p["kind"] == "counts_by_story_state" and len(p) == 9 for p in parts)
    assert [(p["unscheduled"], p["started"], p["planned"]) for p in parts] == [
        (2, 2, 0), (3, 2, 0), (1, 1, 0)]  # a bug without an estimate has no points


# --- of a story -----------------------------------------------------------------

def test_names_hashes_and_ids(place):
    known = add(place, "known")
    story = ok(put_labels(place, ["Plain", {"name": "HASH"}, {"id": known["id"]},
                                  {"id": known["id"], "name": "ignored"}, "plain"]))
    assert names(story) == ["hash", "known", "plain"]
    assert all(list(label) == KEYS for label in story["labels"])
    assert listed(place) == ["hash", "known", "plain"]


def test_the_list_replaces(place):
    ok(put_labels(place, ["a", "b"]))
    assert names(ok(put_labels(place, ["c"]))) == ["c"]
    ok(place.client.put(f"/stories/{place.story}", {"name": "x"}))
    assert names(ok(place.client.get(f"/stories/{place.story}"))) == ["c"]
    assert ok(put_labels(place, []))["labels"] == []
    assert listed(place) == ["a", "b", "c"]


def test_label_ids(place):
    a, b = add(place, "a"), add(place, "b")
    path = f"/projects/{place.project}/stories?fields=label_ids,labels"
    story = ok(place.client.post(path, {"name": "x", "label_ids": [b["id"], a["id"]]}))
    assert story["label_ids"] == [a["id"], b["id"]] == [label["id"] for label in story["labels"]]
    assert ok(place.client.put(f"/stories/{story['id']}?fields=label_ids",
                               {"label_ids": []}))["label_ids"] == []


@pytest.mark.parametrize("item", [5, None, True, [], {}, {"id": "x"}, {"id": None}, {"id": 1.5},
                                  {"other": "x"}])
def test_items_that_are_no_label(place, item):
    error = refused(put_labels(place, [item]))
    assert error["general_problem"] == "Can't use content of 'label' parameter."


@pytest.mark.parametrize("item", ["", " ", {"name": ""}])
def test_blank_names(place, item):
    refused(put_labels(place, [item]), "Please enter a name for the label.")


@pytest.mark.parametrize("item", ["x" * 256, {"name": "x" * 256}])
def test_long_names(place, item):
    error = refused(put_labels(place, [item]))
    assert error["requirement"] == "'name' parameter must be 255 characters or less."


def test_labels_of_another_project(place, other):
    sentence = f"Label with id={other} does not exist within this project"
    refused(put_labels(place, [{"id": other}]), sentence)
    refused(place.client.put(f"/stories/{place.story}", {"label_ids": [other]}), sentence)
    refused(place.client.post(f"/projects/{place.project}/stories/{place.story}/labels",
                              {"id": other}), sentence)


def test_endpoints_of_a_story(place):
    path = f"/projects/{place.project}/stories/{place.story}/labels"
    known = add(place, "known")
    assert ok(place.client.post(path, {"id": known["id"]})) == known
    new = ok(place.client.post(path, {"name": "New"}))
    assert new["name"] == "new"
    ok(place.client.post(path, {"name": "KNOWN"}))
    assert [label["name"] for label in ok(place.client.get(path))] == ["known", "new"]
    assert ok(place.client.delete(f"{path}/{known['id']}")) == known
    assert place.client.delete(f"{path}/{known['id']}").status_code == 404
    assert [label["name"] for label in ok(place.client.get(path))] == ["new"]
    assert listed(place) == ["known", "new"]
    refused(place.client.post(path, {}),
            "this endpoint requires at least one of the following parameters: id, name")


def test_a_label_is_made_once_under_two_cases(place):
    name = unique("Case")
    story = ok(put_labels(place, [name.upper(), name.lower()]))
    assert names(story) == [name.lower()]
