"""Activity: one for each version, with the messages and shapes of contract 6.1."""

import threading
import uuid

import pytest

from board import Board
from team import team  # noqa: F401
from world import new_project, ok

KEYS = ["kind", "guid", "project_version", "message", "highlight", "changes", "primary_resources",
        "secondary_resources", "project", "performed_by", "occurred_at"]


def newest(team, **params):
    return team.viewer.get(f"{team.path}/activity", params={"limit": 1, **params}).json()[0]


def of_story(client, path):
    return client.get(f"{path}/activity").json()


def test_story_create(team):
    story = team.make_story(name="Ship it", story_type="bug")
    activity = newest(team)
    assert list(activity) == KEYS
    assert activity["kind"] == "story_create_activity"
    assert activity["guid"] == f"{team.id}_{activity['project_version']}"
    assert activity["message"] == "Member added this bug"
    assert activity["highlight"] == "added"
    assert activity["primary_resources"] == [{
        "kind": "story", "id": story["id"], "name": "Ship it", "story_type": "bug",
        "url": story["url"]}]
    assert activity["project"]["kind"] == "project" and activity["project"]["id"] == team.id
    assert activity["performed_by"] == {
        "kind": "person", "id": team.people["member"].id, "name": "Member", "initials": "ME"}
    change, = activity["changes"]
    assert change["kind"] == "story" and change["change_type"] == "create"
    assert (change["name"], change["story_type"], change["story_priority"]) == (
        "Ship it", "bug", "none")
    assert change["new_values"]["current_state"] == "unscheduled"
    assert change["new_values"]["owner_ids"] == [] and change["new_values"]["label_ids"] == []
    assert change["new_values"]["created_at"] == story["created_at"]


def test_the_verb_of_an_update_is_its_state(team):
    story = team.make_story(estimate=1)
    path = f"/stories/{story['id']}"
    for state in ("unstarted", "started", "finished", "delivered", "rejected", "accepted"):
        team.member.put(path, {"current_state": state})
        activity = newest(team)
        assert activity["highlight"] == state
        assert activity["message"] == f"Member {state} this feature"
        change = activity["changes"][-1]
        assert change["new_values"]["current_state"] == state


def test_other_updates_are_edits_and_estimates(team):
    path = f"/stories/{team.make_story()['id']}"
    team.member.put(path, {"name": "Another name"})
    assert newest(team)["message"] == "Member edited this feature"
    team.member.put(path, {"estimate": 3})
    assert newest(team)["message"] == "Member estimated this feature as 3 points"
    assert newest(team)["highlight"] == "estimated"
    team.member.put(path, {"estimate": 1})
    assert newest(team)["message"] == "Member estimated this feature as 1 point"


def test_changes_hold_old_and_new_values_of_what_changed_only(team):
    story = team.make_story(name="Before")
    team.member.put(f"/stories/{story['id']}", {"name": "After", "story_type": "feature"})
    change, = newest(team)["changes"]
    assert change["original_values"]["name"] == "Before" and change["new_values"]["name"] == "After"
    assert set(change["new_values"]) <= {"name", "updated_at"}


def test_a_move_is_an_activity_of_its_own(team):
    first, second = team.make_story(name="First one"), team.make_story(name="Second one")
    team.member.put(f"/stories/{second['id']}", {"after_id": first["id"]})
    activity = newest(team)
    assert activity["kind"] == "story_move_activity"
    assert activity["message"] == "Member moved this story after 'First one'"
    assert activity["changes"][0]["new_values"]["after_id"] == first["id"]


def test_tasks(team):
    story = team.make_story()
    tasks = f"{team.path}/stories/{story['id']}/tasks"
    task = team.member.post(tasks, {"description": "Look"}).json()
    activity = newest(team)
    assert activity["kind"] == "task_create_activity"
    assert activity["message"] == 'Member added task: "Look"'
    assert activity["highlight"] == "added task:"
    assert [c["kind"] for c in activity["changes"]] == ["task", "story"]
    assert activity["primary_resources"][0]["id"] == story["id"]
    team.member.put(f"{tasks}/{task['id']}", {"description": "Look twice"})
    assert newest(team)["message"] == 'Member rewrote task: "Look twice"'
    assert [c["kind"] for c in newest(team)["changes"]] == ["story", "task"]


def test_labels(team):
    label = team.member.post(f"{team.path}/labels", {"name": "urgent now"}).json()
    activity = newest(team)
    assert activity["message"] == 'Member created labels: "urgent now"'
    assert activity["primary_resources"] == [
        {"kind": "label", "id": label["id"], "name": "urgent now"}]
    assert "secondary_resources" not in activity
    team.member.delete(f"{team.path}/labels/{label['id']}")
    assert newest(team)["message"] == 'Member deleted label: "urgent now"'


def test_comments(team):
    text = 'A "quoted" updated_at\": 1420070400000 comment'
    team.member.post(f"{team.story}/comments", {"text": text})
    activity = newest(team)
    assert activity["message"] == f'Member added comment: "{text}"'
    assert activity["highlight"] == "added comment:"
    comment = next(c for c in activity["changes"] if c["kind"] == "comment")
    assert comment["new_values"]["text"] == text
    assert comment["new_values"]["created_at"].endswith("Z")


def test_dates_are_milliseconds_when_asked(team):
    story = team.make_story()
    activity = newest(team, date_format="millis")
    assert isinstance(activity["occurred_at"], int)
    assert isinstance(activity["changes"][0]["new_values"]["created_at"], int)
    assert activity["primary_resources"][0]["id"] == story["id"]


def test_feeds_of_a_story_an_epic_and_a_person(team):
    story = team.make_story(name="Alone")
    path = f"{team.path}/stories/{story['id']}"
    team.member.put(path, {"name": "Still alone"})
    assert [a["kind"] for a in of_story(team.viewer, path)] == [
        "story_update_activity", "story_create_activity"]
    assert of_story(team.viewer, team.epic)[-1]["kind"] == "epic_create_activity"
    mine = team.viewer.get("/my/activity?limit=2").json()
    assert mine[0]["guid"] == newest(team)["guid"]
    assert "X-Tracker-Project-Version" not in team.viewer.get("/my/activity").headers


def test_pages_of_a_person_fit_together_when_times_do_not_follow_versions(team, sql):
    """As after a command that waited for another one to end."""
    for n in range(3):
        team.make_story(name=f"Late {n}")
    version = newest(team)["project_version"]
    sql("update activity set occurred_at = occurred_at - interval '1 minute'"
        " where project_id = %s and version = %s", team.id, version)
    workspace = team.viewer.post("/my/workspaces", {"project_ids": [team.id]}).json()["id"]
    for feed in ("/my/activity", f"/my/workspaces/{workspace}/activity"):
        pages = [team.viewer.get(f"{feed}?limit={n}&offset={offset}").json()
                 for n, offset in ((1, 0), (1, 1), (1, 2), (3, 0))]
        versions = [a["project_version"] for page in pages for a in page]
        assert versions == [version, version - 1, version - 2] * 2


def test_pages(team):
    for n in range(3):
        team.make_story(name=f"Page {n}")
    answer = team.viewer.get(f"{team.path}/activity?limit=2&offset=1")
    whole = team.viewer.get(f"{team.path}/activity?limit=500").json()
    assert [a["guid"] for a in answer.json()] == [a["guid"] for a in whole[1:3]]
    assert answer.headers["X-Tracker-Pagination-Total"] == str(len(whole))
    assert answer.headers["X-Tracker-Pagination-Limit"] == "2"


def test_totals_of_several_projects(team):
    """The totals are the same whether they are counted or stored."""
    other = new_project(team.owner)["id"]
    team.owner.post(f"/projects/{other}/stories", {"name": "Elsewhere"})
    workspace = ok(team.owner.post("/my/workspaces", {"project_ids": [other]}))["id"]
    for feed in ("/my/activity", f"/my/workspaces/{workspace}/activity"):
        totals = [team.owner.get(f"{feed}?limit=500{more}").headers["X-Tracker-Pagination-Total"]
                  for more in ("", "&offset=1", "&occurred_after=2000-01-01T00:00:00Z")]
        assert totals == [str(len(team.owner.get(f"{feed}?limit=500").json()))] * 3


@pytest.fixture
def feeds(team):
    """All activity lists, for a person who sees two projects."""
    other = new_project(team.member)["id"]
    for n in range(2):
        team.member.post(f"/projects/{other}/stories", {"name": f"Elsewhere {n}"})
    workspace = ok(team.member.post("/my/workspaces", {"project_ids": [team.id, other]}))["id"]
    epic = f"{team.path}/epics/{team.make_epic()['id']}"
    story = f"{team.path}/stories/{team.make_story()['id']}"
    for n in range(2):
        team.member.put(story, {"name": f"Again {n}"})
        team.member.put(epic, {"description": f"Again {n}"})
    return [f"{x}/activity" for x in (team.path, story, epic, "/my", f"/my/workspaces/{workspace}")]


def test_sort_order(team, feeds):
    for feed in feeds:
        newest_first = team.member.get(f"{feed}?limit=500")
        guids = [a["guid"] for a in newest_first.json()]
        assert len(guids) > 2 and [a["guid"] for a in team.member.get(
            f"{feed}?limit=500&sort_order=desc").json()] == guids
        oldest_first = team.member.get(f"{feed}?limit=500&sort_order=asc")
        assert {a["guid"] for a in oldest_first.json()} == set(guids)
        for project in {a["project"]["id"] for a in oldest_first.json()}:
            versions = [a["project_version"] for a in oldest_first.json()
                        if a["project"]["id"] == project]
            assert versions == sorted(versions)
        pages = [team.member.get(f"{feed}?limit=2&offset={n}&sort_order=asc") for n in (0, 2)]
        assert [a for p in pages for a in p.json()] == oldest_first.json()[:4]
        totals = {p.headers["X-Tracker-Pagination-Total"] for p in pages + [newest_first]}
        assert totals == {str(len(guids))}
        for bad in "up", "", "ASC":
            refused = team.member.get(f"{feed}?sort_order={bad}")
            assert refused.status_code == 400
            assert refused.json()["general_problem"] == "'sort_order' must be one of: asc, desc"


def test_sort_order_beside_windows(team, feeds):
    since = newest(team)["project_version"] - 3
    found = [a["project_version"] for a in team.member.get(
        f"{feeds[0]}?since_version={since}&sort_order=asc&limit=2").json()]
    assert found == [since + 1, since + 2]


def test_windows(team):
    team.make_story(name="In the window")
    latest = newest(team, date_format="millis")
    since = team.viewer.get(f"{team.path}/activity", params={
        "since_version": latest["project_version"] - 1}).json()
    assert [a["project_version"] for a in since] == [latest["project_version"]]
    assert team.viewer.get(f"{team.path}/activity", params={
        "occurred_after": latest["occurred_at"] + 1}).json() == []
    assert team.viewer.get(f"{team.path}/activity", params={
        "occurred_before": "2005-01-02T00:00:00Z"}).json() == []


def test_a_reader_that_tails_sees_every_version_once(team):
    def work(client):
        for _ in range(5):
            assert client.post(f"{team.path}/stories", {"name": "From a thread"}).status_code == 200

    start = newest(team)["project_version"]
    seen = []
    threads = [threading.Thread(target=work, args=(team.member,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    while True:
        running = any(t.is_alive() for t in threads)
        last = seen[-1] if seen else start
        page = team.viewer.get(f"{team.path}/activity", params={
            "since_version": last, "limit": 500}).json()
        seen += sorted(a["project_version"] for a in page)
        if not running and not page:
            break
    assert seen == list(range(start + 1, start + 81))


# --- key by key as recorded ----------------------------------------------------------

STORY = {"id", "project_id", "name", "story_type", "current_state", "requested_by_id", "owner_ids",
         "label_ids", "follower_ids", "created_at", "updated_at", "labels"}
COMMENT = {"id", "story_id", "text", "person_id", "created_at", "updated_at", "file_attachment_ids",
           "google_attachment_ids", "attachment_ids", "file_attachments", "google_attachments"}
STATES = {"accepted", "started", "finished", "unstarted", "planned", "delivered", "unscheduled",
          "rejected"}


def test_a_new_story_tells_its_neighbours_and_labels(team):
    below = team.make_story()
    team.make_story(labels=["zebra", "Ant"])
    *labels, story, _, _ = newest(team)["changes"]
    assert {c["name"] for c in labels} == {"zebra", "ant"}
    new = story["new_values"]
    assert set(new) - {"after_id"} == STORY | {"story_priority", "before_id"}
    assert new["labels"] == ["ant", "zebra"] and new["before_id"] == below["id"]
    team.make_story()
    assert newest(team)["changes"][0]["new_values"]["labels"] == []


PLACES = [{}, {"current_state": "unstarted"}, {"current_state": "planned"},
          {"current_state": "started"}, {"current_state": "accepted"},
          {"current_state": "accepted", "accepted_at": "2024-01-01T12:00:00Z"},
          {"before": "c"}, {"after": "c"}, {"after": "f"}, {"after": "e", "before": "f"}]


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_told_neighbours_of_a_new_story_are_those_that_it_has(api, person, place):
    board = Board(api(person("Boss")), automatic_planning=False)
    for name, state in zip("abcdefgh", ["accepted", "accepted", "started", "planned", "unstarted",
                                        "unstarted", "unscheduled", "unscheduled"]):
        board.add(name, state)
    board.add("new", **board.body(**place))
    story = ok(board.client.get(board.at("new") + "?fields=before_id,after_id"))
    told = ok(board.client.get(board.at("new") + "/activity"))[-1]["changes"][0]["new_values"]
    assert told["before_id"] == story["before_id"]
    assert told["after_id"] == story.get("after_id")  # null at the very front


def test_a_new_label_tells_its_counts(team):
    team.member.post(f"{team.path}/labels", {"name": "counted"})
    change, = newest(team)["changes"]
    assert set(change) == {"kind", "change_type", "id", "new_values", "name"}
    assert set(change["new_values"]) == {"id", "project_id", "name", "created_at", "updated_at",
                                         "counts"}
    counts = change["new_values"]["counts"]
    assert counts.pop("kind") == "story_counts"
    assert set(counts) == {"number_of_zero_point_stories_by_state",
                           "sum_of_story_estimates_by_state", "number_of_stories_by_state"}
    zeros = {"kind": "counts_by_story_state", **dict.fromkeys(STATES, 0)}
    assert all(c == zeros for c in counts.values())


def told_counts(change, which):
    """{state: (stories, points, stories without points)}, for states where one of them is not 0."""
    by = change[which]["counts"]
    numbers = {state: tuple(by[key][state] for key in (
        "number_of_stories_by_state", "sum_of_story_estimates_by_state",
        "number_of_zero_point_stories_by_state")) for state in STATES}
    return {state: n for state, n in numbers.items() if n != (0, 0, 0)}


def test_changes_of_a_story_tell_what_its_labels_count(team):
    label = f"l{uuid.uuid4().hex}"
    story = f"{team.path}/stories/{team.make_story(labels=[label], estimate=2)['id']}"
    *_, created = newest(team)["changes"]
    assert set(created) == {"kind", "change_type", "id", "name", "original_values", "new_values"}
    assert (created["kind"], created["change_type"], created["name"]) == ("label", "update", label)
    assert told_counts(created, "original_values") == {}
    assert told_counts(created, "new_values") == {"unscheduled": (1, 2, 0)}
    for body, before, after in (
            ({"current_state": "started"}, {"unscheduled": (1, 2, 0)}, {"started": (1, 2, 0)}),
            ({"estimate": 0}, {"started": (1, 2, 0)}, {"started": (1, 0, 1)}),
            ({"labels": []}, {"started": (1, 0, 1)}, {}),
            ({"labels": [label]}, {}, {"started": (1, 0, 1)})):
        assert team.member.put(story, body).status_code == 200
        told, changed = newest(team)["changes"]
        assert (told["kind"], changed["kind"]) == ("label", "story")
        assert (told_counts(told, "original_values"), told_counts(told, "new_values")) == (before, after)
    team.member.put(story, {"name": "Other"})
    assert [c["kind"] for c in newest(team)["changes"]] == ["story"]
    assert team.member.delete(story).status_code == 204
    *_, told = newest(team)["changes"]
    assert told_counts(told, "new_values") == {}


def test_a_new_comment_tells_what_is_attached(team):
    team.member.post(f"{team.story}/comments", {"text": "plain"})
    comment, story = newest(team)["changes"]
    assert set(comment["new_values"]) == COMMENT
    assert comment["new_values"]["file_attachments"] == []
    assert (story["kind"], story["change_type"]) == ("story", "update")
    upload = team.member.post(f"{team.path}/uploads", files={"file": ("a.txt", b"a")}).json()
    google = {"title": "Plan", "google_kind": "document"}
    answer = team.member.post(f"{team.story}/comments?fields=attachment_ids,file_attachments,"
                              "google_attachments", {"file_attachments": [upload],
                                                     "google_attachments": [google]}).json()
    new = newest(team)["changes"][0]["new_values"]
    assert {k: new[k] for k in answer} == answer
    assert new["file_attachments"][0]["uploaded"] is True
    millis = newest(team, date_format="millis")["changes"][0]["new_values"]
    assert isinstance(millis["file_attachments"][0]["created_at"], int)


def test_a_deleted_story_takes_its_parts_along_untold(team):
    story = team.make_story(tasks=[{"description": "x"}], comments=[{"text": "x"}])
    team.member.post(f"{team.path}/stories/{story['id']}/cicd_events", {"name": "build"})
    team.member.delete(f"/stories/{story['id']}")
    assert newest(team)["changes"] == [{"kind": "story", "change_type": "delete",
                                        "id": story["id"], "name": "A story",
                                        "story_type": "feature", "story_priority": "none"}]


def test_a_move_tells_of_one_story_however_many_make_room(team):
    ids = [team.make_story(name=f"Crowd {n}")["id"] for n in range(4)]
    for n in range(45):
        moved = ids[n % 3]
        team.member.put(f"/stories/{moved}", {"after_id": ids[3]})
        activity = newest(team)
        assert [c["id"] for c in activity["changes"]] == [moved]
        assert [p["id"] for p in activity["primary_resources"]] == [moved]
        assert activity["message"] == "Member moved this story after 'Crowd 3'"


def test_a_moved_epic(team):
    ids = [team.make_epic(name=f"Epic {n}")["id"] for n in range(4)]
    for n in range(45):
        moved = ids[n % 3]
        team.member.put(f"{team.path}/epics/{moved}", {"after_id": ids[3]})
        activity = newest(team)
        assert activity["kind"] == "epic_move_activity" and activity["highlight"] == "moved"
        assert activity["message"] == "Member moved this epic after 'Epic 3'"
        change, = activity["changes"]
        assert change["id"] == moved and change["new_values"]["after_id"] == ids[3]
    team.member.put(f"{team.path}/epics/{moved}", {"name": "Moved", "after_id": ids[0]})
    assert newest(team)["kind"] == "epic_update_activity"


def test_labels_that_count_the_same_are_not_told(team):
    stays, comes = f"a{uuid.uuid4().hex}", f"b{uuid.uuid4().hex}"
    story = f"{team.path}/stories/{team.make_story(labels=[stays])['id']}"
    assert team.member.post(f"{story}/labels", {"name": comes}).status_code == 200
    assert [(c["kind"], c["change_type"], c["name"]) for c in newest(team)["changes"]] == [
        ("label", "create", comes), ("label", "update", comes), ("story", "update", "A story")]


def test_a_story_is_told_once_however_often_it_changed(team):
    team.make_story(comments=[{"text": "first"}], current_state="unstarted")
    story, comment = newest(team)["changes"]
    assert (story["change_type"], comment["kind"]) == ("create", "comment")
    assert story["new_values"]["follower_ids"] == [team.people["member"].id]
    assert team.member.put(f"/stories/{story['id']}", {
        "name": "Renamed", "comment": {"text": "by another", "person_id": team.people["other"].id}}
    ).status_code == 200
    story, comment = newest(team)["changes"]
    assert (story["kind"], comment["kind"]) == ("story", "comment")
    assert set(story["original_values"]) == {"name", "updated_at", "follower_ids"}
    assert story["original_values"]["name"] == "A story" and story["name"] == "Renamed"
    assert story["new_values"]["follower_ids"] == [team.people[p].id for p in ("member", "other")]


def test_a_commit_that_finishes_a_story_says_so(team):
    story = team.make_story(story_type="bug", current_state="unstarted")["id"]
    assert team.member.post("/source_commits", {"source_commit": {
        "commit_id": uuid.uuid4().hex, "message": f"[Fixes #{story}] x"}}).status_code == 200
    activity = newest(team)
    assert (activity["kind"], activity["highlight"]) == ("story_update_activity", "finished")
    assert [c["kind"] for c in activity["changes"]] == ["story", "comment"]


def test_a_moved_task_is_the_one_named(team):
    story = f"{team.path}/stories/{team.make_story()['id']}"
    first, _ = (team.member.post(f"{story}/tasks", {"description": d}).json()
                for d in ("goes", "makes room"))
    assert team.member.put(f"{story}/tasks/{first['id']}", {"position": 2}).status_code == 200
    assert newest(team)["message"] == 'Member moved task: "goes"'


def test_an_accepted_story_is_what_its_activity_is_about(team):
    """Not the stories that it blocked, which change, too."""
    story = team.make_story(story_type="chore", current_state="started")
    blocked = team.make_story(blockers=[{"description": f"waits for #{story['id']}"}])
    assert team.member.put(f"/stories/{story['id']}", {"current_state": "accepted"}).status_code == 200
    activity = newest(team)
    assert [r["id"] for r in activity["primary_resources"]] == [story["id"]]
    assert [(c["kind"], c["id"]) for c in activity["changes"]][::2] == [
        ("story", story["id"]), ("story", blocked["id"])]
    assert of_story(team.viewer, f"{team.path}/stories/{blocked['id']}")[0] == activity
