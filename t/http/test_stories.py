"""Stories: creation, states, estimates, dates, people (contract 1.4, 3.6, 5.1)."""

import pytest

from test_bodies import refused
from world import Place, new_project, ok, unique

TYPES = ["feature", "bug", "chore", "release"]
STATES = ["accepted", "delivered", "finished", "started", "rejected", "planned", "unstarted",
          "unscheduled"]
WORKED_ON = {"started", "finished", "delivered", "accepted", "rejected"}
ACCEPTED = {
    "feature": set(STATES) - {"planned"},
    "bug": set(STATES) - {"planned"},
    "chore": {"unscheduled", "unstarted", "started", "accepted"},
    "release": {"unscheduled", "unstarted", "accepted"},
}
# The order in which the original wrote the keys (contract 1.8).
KEYS = ["kind", "id", "created_at", "updated_at", "accepted_at", "estimate", "story_type",
        "story_priority", "name", "description", "current_state", "requested_by_id", "url",
        "project_id", "owner_ids", "labels", "owned_by_id"]


@pytest.fixture(scope="module")
def place(world):
    return Place(world.admin)


@pytest.fixture(scope="module")
def manual(world):
    """A project without automatic planning, whose bugs and chores have estimates."""
    return Place(world.admin, automatic_planning=False, bugs_and_chores_are_estimatable=True)


def stories(place):
    return f"/projects/{place.project}/stories"


def post(place, **body):
    return place.client.post(stories(place), {"name": "x", **body})


def put(place, story, **body):
    return place.client.put(f"{stories(place)}/{story['id']}", body)


def fields_of(error):
    return [e["field"] for e in error["validation_errors"]]


# --- creation -------------------------------------------------------------------

def test_minimal_story(place, world):
    story = ok(post(place, name="Test story"))
    assert list(story) == [k for k in KEYS if k in story]
    assert set(story) == {"kind", "id", "project_id", "name", "story_type", "story_priority",
                          "current_state", "requested_by_id", "owner_ids", "labels", "created_at",
                          "updated_at", "url"}
    assert story["kind"] == "story" and story["project_id"] == place.project
    assert (story["story_type"], story["current_state"]) == ("feature", "unscheduled")
    assert story["requested_by_id"] == world.people["admin"].id
    assert story["owner_ids"] == story["labels"] == []
    assert story["url"].endswith(f"/story/show/{story['id']}")
    assert story["created_at"] == story["updated_at"]


def test_story_with_everything(place, world):
    me = world.people["admin"].id
    linked = place.example("/projects/:project/integrations/:integration")
    story = ok(post(place, description="text", story_type="feature", current_state="accepted",
                    estimate=3, accepted_at="2024-02-03T04:05:06Z", owner_ids=[me],
                    requested_by_id=me, labels=["One", {"name": "Two"}], story_priority="p2",
                    created_at="2024-01-02T03:04:05Z", external_id="e1", integration_id=linked,
                    follower_ids=[me], tasks=[{"description": "t", "complete": True}]))
    assert list(story) == KEYS + ["integration_id", "external_id"]
    assert story["estimate"] == 3 and story["owned_by_id"] == me
    assert story["accepted_at"] == "2024-02-03T04:05:06Z"
    assert story["created_at"] == "2024-01-02T03:04:05Z"
    assert [label["name"] for label in story["labels"]] == ["one", "two"]
    more = ok(place.client.get(f"/stories/{story['id']}?fields=follower_ids,tasks"))
    assert more["follower_ids"] == [me]
    assert [(t["description"], t["complete"], t["position"]) for t in more["tasks"]] == [("t", True, 1)]


def test_estimates_are_written_like_integers(place):
    assert '"estimate":2,' in post(place, estimate=2.0).text


def test_kind_in_the_body_is_tolerated(place):
    assert ok(post(place, kind="story"))["kind"] == "story"


def test_times_in_other_zones_and_in_millis(place):
    story = ok(post(place, created_at="2024-01-02T03:04:05+05:30"))
    assert story["created_at"] == "2024-01-01T21:34:05Z"
    assert ok(post(place, created_at=1704164645000))["created_at"] == "2024-01-02T03:04:05Z"


def test_created_at_is_no_future_and_no_distant_past(place):
    error = refused(post(place, created_at="2999-01-01T00:00:00Z"))
    assert error["requirement"] == "Story created_at cannot be in the future."
    error = refused(post(place, created_at="2000-01-01T00:00:00Z"))
    assert error["general_problem"] == (
        "The date you entered 2000-01-01T00:00:00Z, is too far in the past. "
        "Please enter a date after 2005-01-01T00:00:00Z.")


def test_created_at_can_be_corrected(place):
    story = ok(post(place))
    corrected = ok(put(place, story, created_at="2024-01-01T00:00:00Z"))
    assert corrected["created_at"] == "2024-01-01T00:00:00Z"
    assert "cannot be in the future" in put(
        place, story, created_at="2999-01-01T00:00:00Z").json()["requirement"]


@pytest.mark.parametrize("items", [[{"id": 1, "description": "x"}], [{}], [{"description": 5}],
                                   [{"description": ""}], [{"description": "x" * 1001}],
                                   [{"description": "x", "no_such": 1}],
                                   [{"description": "x", "position": 7}]])
def test_nested_tasks_are_checked(place, items):
    before = len(ok(place.client.get(f"{stories(place)}?limit=500")))
    refused(post(place, tasks=items))
    assert len(ok(place.client.get(f"{stories(place)}?limit=500"))) == before


def test_wrong_type_inside_a_nested_hash(place):
    refused(post(place, tasks=[{"description": 123}]),
            "The 'description' parameter value was '123' but must be of type 'extended_string'")


# --- states ---------------------------------------------------------------------

@pytest.mark.parametrize("story_type", TYPES)
@pytest.mark.parametrize("state", STATES)
def test_states_of_each_type(place, story_type, state):
    """The same with POST and PUT, from any state to any other (contract 5.1)."""
    body = {"story_type": story_type, "current_state": state}
    if story_type == "feature":
        body["estimate"] = 1
    made = post(place, **body)
    changed = put(place, ok(post(place, story_type=story_type)), **body)
    for answer in (made, changed):
        if state in ACCEPTED[story_type]:
            assert ok(answer)["current_state"] == state
            assert ("accepted_at" in answer.json()) == (state == "accepted")
        else:
            refused(answer)


def test_planned_needs_manual_planning(place, manual):
    assert refused(post(place, current_state="planned")) == {
        "code": "invalid_parameter", "kind": "error",
        "error": "One or more request parameters was missing or invalid.",
        "requirement": "Project must have 'Automatic Planning' off for 'planned' to be an "
                       "acceptable value for 'current_state'.",
        "possible_fix": "Remove the 'current_state' parameter from your request or turn off "
                        "'Automatic Planning' for this project."}
    assert ok(post(manual, current_state="planned"))["current_state"] == "planned"


@pytest.mark.parametrize("state", sorted(WORKED_ON))
def test_a_feature_needs_an_estimate_to_be_worked_on(place, state):
    sentence = f"Stories in the {state} state must be estimated."
    for answer in (post(place, current_state=state), put(place, ok(post(place)), current_state=state)):
        error = refused(answer, sentence)
        assert error["validation_errors"] == [{"field": "estimate", "problem": sentence}]


@pytest.mark.parametrize("story_type", ["bug", "chore"])
def test_bugs_and_chores_need_one_where_they_have_them(manual, place, story_type):
    refused(post(manual, story_type=story_type, current_state="started"),
            "Stories in the started state must be estimated.")
    ok(post(manual, story_type=story_type, current_state="started", estimate=1))
    ok(post(place, story_type=story_type, current_state="started"))


def test_clearing_the_estimate_of_started_work_is_refused(place):
    story = ok(post(place, estimate=1, current_state="started"))
    refused(put(place, story, estimate=None), "Stories in the started state must be estimated.")


def test_starting_adds_no_owner(place):
    assert ok(post(place, estimate=1, current_state="started"))["owner_ids"] == []


def test_accepting_and_taking_it_back(place):
    story = ok(post(place, story_type="bug"))
    accepted = ok(put(place, story, current_state="accepted"))
    assert accepted["accepted_at"] >= story["created_at"]
    again = ok(put(place, story, name="other"))
    assert again["accepted_at"] == accepted["accepted_at"]
    assert "accepted_at" not in ok(put(place, story, current_state="rejected"))


@pytest.mark.parametrize("state", ["unstarted", "started"])
def test_accepted_at_belongs_to_accepted_stories(place, state):
    error = refused(post(place, story_type="bug", current_state=state,
                         accepted_at="2024-01-01T00:00:00Z"),
                    "Only stories in accepted state may have accepted_at dates")
    assert fields_of(error) == ["accepted_at"]


def test_accepted_at_can_be_given_with_the_state(place):
    story = ok(post(place, story_type="bug"))
    accepted = ok(put(place, story, current_state="accepted", accepted_at="2024-01-01T00:00:00Z"))
    assert accepted["accepted_at"] == "2024-01-01T00:00:00Z"
    refused(post(place, story_type="bug", current_state="accepted",
                 accepted_at="2999-01-01T00:00:00Z"))


# --- estimates and deadlines ----------------------------------------------------

@pytest.mark.parametrize("estimate", [17, -1, 0.5, 4, 1e15, -0.1])
def test_estimates_off_the_scale(place, estimate):
    error = refused(post(place, estimate=estimate))
    written = f"{estimate:g}" if estimate != 1e15 else error["general_problem"].split()[0]
    assert error["general_problem"] == f"{written} is not a valid estimate for this project's point scale."
    assert fields_of(error) == ["estimate"]


@pytest.mark.parametrize("estimate", [0, 1, 2, 3, 3.0])
def test_estimates_on_the_scale(place, estimate):
    assert ok(post(place, estimate=estimate))["estimate"] == estimate


def test_custom_scales_with_fractions(world):
    place = Place(world.admin, point_scale="0,0.5,1,100")
    assert ok(post(place, estimate=0.5))["estimate"] == 0.5
    refused(post(place, estimate=2))


def test_an_estimate_is_cleared_by_null(place):
    story = ok(post(place, estimate=1))
    assert "estimate" not in ok(put(place, story, estimate=None))


def test_two_problems_in_one_error(place):
    error = refused(post(place, estimate=17, deadline="2030-01-01T00:00:00Z"),
                    "17 is not a valid estimate for this project's point scale., "
                    "Deadline can only be set on releases.")
    assert error["validation_errors"] == [
        {"field": "estimate",
         "problem": "17 is not a valid estimate for this project's point scale."},
        {"field": "deadline", "problem": "Deadline can only be set on releases."}]


@pytest.mark.parametrize("story_type", ["bug", "chore", "release"])
def test_what_has_no_estimate(place, story_type):
    error = refused(post(place, story_type=story_type, estimate=1))
    assert fields_of(error) == ["estimate"]


def test_deadline_of_a_release(place):
    release = ok(post(place, story_type="release", deadline="2030-01-02T03:04:05Z"))
    assert release["deadline"] == "2030-01-02T03:04:05Z"
    assert "deadline" not in ok(put(place, release, deadline=None))


def test_a_change_of_type_takes_along_what_fits(place):
    story = ok(post(place, estimate=2))
    assert "estimate" not in ok(put(place, story, story_type="bug"))
    release = ok(post(place, story_type="release", deadline="2030-01-01T00:00:00Z"))
    assert "deadline" not in ok(put(place, release, story_type="feature"))


def test_a_change_of_type_that_the_state_forbids(place):
    story = ok(post(place, story_type="bug", current_state="delivered"))
    refused(put(place, story, story_type="chore"))
    refused(put(place, story, story_type="feature"),
            "Stories in the delivered state must be estimated.")


# --- people ---------------------------------------------------------------------

@pytest.fixture(scope="module")
def team(place, world):
    ids = [world.people["member"].id, world.people["viewer"].id]
    for person in ids:
        ok(place.client.post(f"/projects/{place.project}/memberships", {"person_id": person}))
    return ids


def test_owners(place, team):
    a, b = team
    story = ok(post(place, owner_ids=[b, a, b]))
    assert (story["owner_ids"], story["owned_by_id"]) == ([b, a], b)
    assert ok(put(place, story, owned_by_id=a))["owner_ids"] == [a]
    assert ok(put(place, story, owned_by_id=None))["owner_ids"] == []
    assert ok(put(place, story, owner_ids=[a], owned_by_id=b))["owner_ids"] == [a]
    cleared = ok(put(place, story, owner_ids=[]))
    assert cleared["owner_ids"] == [] and "owned_by_id" not in cleared


@pytest.mark.parametrize("field", ["owner_ids", "owned_by_id", "requested_by_id", "follower_ids"])
def test_people_are_people_of_the_project(place, world, field):
    for person in (world.outsider.id, 1 << 60):
        refused(post(place, **{field: [person] if field.endswith("s") else person}))


def test_owners_by_their_endpoints(place, team):
    story = ok(post(place))
    path = f"{stories(place)}/{story['id']}/owners"
    person = ok(place.client.post(path, {"id": team[0]}))
    assert list(person) == ["kind", "id", "name", "email", "initials", "username"]
    ok(place.client.post(path, {"id": team[1]}))
    ok(place.client.post(path, {"id": team[1]}))
    assert [p["id"] for p in ok(place.client.get(path))] == team
    ok(place.client.delete(f"{path}/{team[0]}"), 204)
    assert place.client.delete(f"{path}/{team[0]}").status_code == 404
    assert [p["id"] for p in ok(place.client.get(path))] == team[1:]


def test_an_owner_from_outside_is_refused(place, world):
    for links, key in ("owners", "id"), ("followers", "id"), ("followers", "person_id"):
        error = refused(place.client.post(f"{stories(place)}/{place.story}/{links}", {key: world.outsider.id}))
        assert error["validation_errors"][0]["field"] == key  # as the client sent it


def test_who_leaves_the_project_keeps_the_stories(world, place):
    """Past work keeps the names of those who did it; only members can be added."""
    new = ok(place.client.post(f"/projects/{place.project}/memberships",
                               {"email": f"{unique('l').replace(' ', '')}@example.test", "name": "L"}))
    story = ok(post(place, owner_ids=[new["person"]["id"]]))
    ok(place.client.delete(f"/projects/{place.project}/memberships/{new['id']}"), 204)
    assert ok(put(place, story, name="y"))["owner_ids"] == [new["person"]["id"]]


# --- update, delete, elsewhere --------------------------------------------------

def test_update_at_both_paths(place):
    story = ok(post(place))
    assert ok(put(place, story, name="a"))["name"] == "a"
    other = ok(place.client.put(f"/stories/{story['id']}", {"name": "b", "description": "d"}))
    assert (other["name"], other["description"]) == ("b", "d")
    assert other == ok(place.client.get(f"/stories/{story['id']}"))


def test_an_update_touches_updated_at(place, sql):
    story = ok(post(place))
    sql("update planwright.story set updated_at = '2020-01-01' where id = %s", story["id"])
    assert ok(put(place, story, name="y"))["updated_at"] > "2024"


def test_deletion(place):
    story = ok(post(place, tasks=[{"description": "t"}]))
    path = f"{stories(place)}/{story['id']}"
    assert place.client.delete(path).status_code == 204
    for answer in (place.client.get(path), place.client.get(f"/stories/{story['id']}"),
                   place.client.delete(path), place.client.get(f"{path}/tasks")):
        assert answer.status_code == 404
    assert story["id"] not in [s["id"] for s in ok(place.client.get(stories(place)))]


def test_a_refused_write_changes_nothing(place):
    """A single transaction: no version, no label, no partial story."""
    story = ok(post(place))
    before = ok(place.client.get(f"/projects/{place.project}?fields=version,label_ids"))
    refused(put(place, story, labels=["never made"], estimate=17))
    assert ok(place.client.get(f"/projects/{place.project}?fields=version,label_ids")) == before


def test_each_change_is_one_version_and_one_activity(world, sql):
    project = new_project(world.admin)["id"]
    path = f"/projects/{project}/stories"
    story = ok(world.admin.post(path, {"name": "a", "labels": ["x", "y"],
                                       "tasks": [{"description": "1"}, {"description": "2"}]}))["id"]
    ok(world.admin.put(f"{path}/{story}", {"name": "b", "labels": ["z"], "before_id": None}))
    ok(world.admin.post(f"{path}/{story}/tasks", {"description": "3", "position": 1}))
    ok(world.admin.delete(f"{path}/{story}"), 204)
    assert sql("select version, kind from planwright.activity where project_id = %s order by 1",
               project) == [(2, "story_create_activity"), (3, "story_update_activity"),
                            (4, "task_create_activity"), (5, "story_delete_activity")]
    assert ok(world.admin.get(f"/projects/{project}?fields=version"))["version"] == 5


@pytest.mark.parametrize("date_format", ["iso8601", "millis"])
def test_times_sent_back_as_they_were_read_change_nothing(world, place, date_format):
    """Answers leave out the fraction of a second, or of a millisecond, which stays."""
    fields = f"?fields=created_at,accepted_at&date_format={date_format}"
    path = f"/projects/{place.project}/stories"
    story = ok(place.client.post(path, {"name": unique("S"), "estimate": 1, "current_state": "accepted"}))
    read = ok(place.client.get(f"{path}/{story['id']}{fields}"))
    before = ok(place.client.get(f"/projects/{place.project}"))["version"]
    for name in ("created_at", "accepted_at"):
        answer = place.client.put(f"{path}/{story['id']}{fields}", {name: read[name]})
        assert ok(answer) == read
        assert answer.headers["X-Service-Project-Version"] == str(before)
    earlier = read["accepted_at"] - 1 if date_format == "millis" else "2026-01-01T00:00:00Z"
    assert ok(place.client.put(f"{path}/{story['id']}{fields}", {"accepted_at": earlier}))["accepted_at"] == earlier


def test_null_clears_the_address_of_a_branch(place):
    path = f"/projects/{place.project}/stories"
    story = ok(place.client.post(path, {"name": unique("S")}))["id"]
    branch = ok(place.client.post(f"{path}/{story}/branches", {
        "owner": "o", "repo": "r", "name": "n", "original_url": "https://example.test/n"}))
    changed = ok(place.client.put(f"{path}/{story}/branches/{branch['id']}", {"original_url": None}))
    assert "original_url" not in changed
