"""Epics: label, order, rollups (contract 2.10, 3.9)."""

import uuid

import pytest

from team import Team, team  # noqa: F401 (a fixture)


@pytest.fixture
def board(stack, api, person):
    """A project of its own, without the epic that Team creates."""
    board = Team(stack, api, person)
    assert board.member.delete(board.epic).status_code == 204
    return board


def names(board):
    return [e["name"] for e in board.member.get(f"{board.path}/epics").json()]


def move(board, epic, **where):
    return board.member.put(f"{board.path}/epics/{epic['id']}", where)


def test_an_epic_has_the_recorded_keys(team):
    epic = team.make_epic(name="Recorded Keys", description="Some text")
    assert list(epic) == ["id", "kind", "created_at", "updated_at", "project_id", "name",
                          "description", "url", "label"]
    assert epic["url"].endswith(f"/epic/show/{epic['id']}")
    assert epic["label"]["kind"] == "label"


def test_a_label_is_made_from_the_name(team):
    assert team.make_epic(name="Admin USERS")["label"]["name"] == "admin users"


def test_a_long_name_makes_a_label_that_fits(team):
    epic = team.make_epic(name=f"{uuid.uuid4()}" + "x" * 4000)
    assert len(epic["label"]["name"]) == 255


def test_a_label_can_be_named(team):
    assert team.make_epic(label={"name": "Shopping"})["label"]["name"] == "shopping"


def test_a_label_can_be_known(team):
    label = team.member.post(f"{team.path}/labels", {"name": "known"}).json()
    assert team.make_epic(label={"id": label["id"]})["label"] == label
    other = team.member.post(f"{team.path}/labels", {"name": "known too"}).json()
    assert team.make_epic(label_id=other["id"])["label"] == other


def test_a_whole_label_as_answered_is_welcome(team):
    label = team.member.post(f"{team.path}/labels", {"name": "whole"}).json()
    assert team.make_epic(label=label)["label"]["id"] == label["id"]


def test_an_empty_label_is_none(team):
    epic = team.make_epic(name="Nothing said", label={})
    assert epic["label"]["name"] == "nothing said"
    path = f"{team.path}/epics/{epic['id']}"
    assert team.member.put(path, {"name": "Else", "label": {}}).json()["label"] == epic["label"]
    answer = team.member.put(path, {"label": {"kind": "label"}})
    assert answer.json()["general_problem"] == "Can't use content of 'label' parameter."


def test_a_label_of_another_project_is_refused(team, stack, api, person):
    foreign = Team(stack, api, person)
    label = foreign.member.post(f"{foreign.path}/labels", {"name": "foreign"}).json()
    answer = team.member.post(f"{team.path}/epics", {"name": "x", "label": {"id": label["id"]}})
    assert answer.status_code == 400
    assert answer.json()["general_problem"] == (
        f"Label with id={label['id']} does not exist within this project")


def test_a_label_has_one_epic(team):
    team.make_epic(label={"name": "only once"})
    answer = team.member.post(f"{team.path}/epics", {"name": "x", "label": {"name": "Only ONCE"}})
    assert answer.status_code == 400
    assert answer.json()["general_problem"] == (
        "The label 'only once' is already used by another epic.")


def test_the_label_can_change(team):
    epic = team.make_epic()
    path = f"{team.path}/epics/{epic['id']}"
    assert team.member.put(path, {"label": {"name": "Changed"}}).json()["label"]["name"] == "changed"
    taken = team.make_epic(label={"name": "taken by one"})
    answer = team.member.put(path, {"label_id": taken["label"]["id"]})
    assert answer.json()["general_problem"] == (
        "The label 'taken by one' is already used by another epic.")


@pytest.mark.parametrize("label", [
    {"id": "x"}, "name", [], {"other": 1}, {"name": None}, {"name": ""}])
def test_a_label_that_says_nothing_is_refused(team, label):
    answer = team.member.post(f"{team.path}/epics", {"name": f"{uuid.uuid4()}", "label": label})
    assert answer.status_code == 400


def test_the_label_of_an_epic_cannot_be_deleted(team):
    epic = team.make_epic()
    path = f"{team.path}/labels/{epic['label']['id']}"
    assert team.member.delete(path).status_code == 400
    assert team.member.delete(f"{team.path}/epics/{epic['id']}").status_code == 204
    assert team.member.delete(path).status_code == 204


def test_stories_keep_the_label_of_a_deleted_epic(team):
    epic = team.make_epic(name="Short Lived")
    story = team.make_story(labels=["short lived"])
    team.member.delete(f"{team.path}/epics/{epic['id']}")
    read = team.member.get(f"{team.path}/stories/{story['id']}").json()
    assert [x["name"] for x in read["labels"]] == ["short lived"]


def test_labels_are_told_apart_by_type(team):
    epic = team.make_epic(name="Typed Label")
    team.member.post(f"{team.path}/labels", {"name": "plain label"})
    epics = {x["name"] for x in team.member.get(f"{team.path}/labels?with_type=epic").json()}
    plain = {x["name"] for x in team.member.get(f"{team.path}/labels?with_type=standard").json()}
    assert epic["label"]["name"] in epics and "plain label" not in epics
    assert "plain label" in plain and epic["label"]["name"] not in plain


def test_an_epic_is_found_without_its_project(team, api, person):
    epic = team.make_epic()
    assert team.viewer.get(f"/epics/{epic['id']}").json() == epic
    assert api(person()).get(f"/epics/{epic['id']}").status_code == 403
    assert team.viewer.get("/epics/999999999").status_code == 404
    assert team.viewer.get("/epics/0").status_code == 404


def test_an_epic_is_found_in_its_project_only(team, stack, api, person):
    foreign = Team(stack, api, person)
    path = f"{team.path}/{foreign.epic.split('/', 3)[3]}"
    assert team.member.get(path).status_code == 404
    assert team.member.put(path, {"name": "x"}).status_code == 404
    assert team.member.delete(path).status_code == 404
    assert team.member.get(f"{path}/comments").status_code == 404
    assert team.member.post(f"{path}/comments", {"text": "x"}).status_code == 404


def test_a_viewer_may_not_change_epics(team):
    assert team.viewer.post(f"{team.path}/epics", {"name": "x"}).status_code == 403
    assert team.viewer.put(team.epic, {"name": "x"}).status_code == 403
    assert team.viewer.delete(team.epic).status_code == 403


def test_a_name_is_required_and_not_blank(team):
    answer = team.member.post(f"{team.path}/epics", {})
    assert answer.json()["general_problem"] == "this endpoint requires the parameter: name"
    answer = team.member.post(f"{team.path}/epics", {"name": " "})
    assert answer.json()["general_problem"] == "Name can't be blank"


def test_null_clears_the_description(team):
    epic = team.make_epic(description="text")
    read = team.member.put(f"{team.path}/epics/{epic['id']}", {"description": None}).json()
    assert "description" not in read


def test_new_epics_stand_last(board):
    for name in "abc":
        board.make_epic(name=name)
    assert names(board) == ["a", "b", "c"]


def test_an_epic_moves_before_and_after(board):
    a, b, c = (board.make_epic(name=name) for name in "abc")
    assert move(board, c, before_id=a["id"]).status_code == 200
    assert names(board) == ["c", "a", "b"]
    move(board, c, after_id=a["id"])
    assert names(board) == ["a", "c", "b"]
    move(board, a, after_id=b["id"])
    assert names(board) == ["c", "b", "a"]
    move(board, a, after_id=c["id"], before_id=b["id"])
    assert names(board) == ["c", "a", "b"]


def test_a_new_epic_has_the_place_it_asks_for(board):
    a = board.make_epic(name="a")
    board.make_epic(name="b")
    board.make_epic(name="before", before_id=a["id"])
    board.make_epic(name="after", after_id=a["id"])
    board.make_epic(name="last", before_id=None)
    assert names(board) == ["before", "a", "after", "b", "last"]
    answer = board.member.post(f"{board.path}/epics", {"name": "A", "after_id": a["id"]})
    assert answer.json()["general_problem"] == "The label 'a' is already used by another epic."


def test_neighbours_are_told(board):
    a, b, c = (board.make_epic(name=name) for name in "abc")
    read = board.member.get(f"{board.path}/epics?fields=before_id,after_id").json()
    assert read == [{"id": a["id"], "before_id": b["id"]},
                    {"id": b["id"], "before_id": c["id"], "after_id": a["id"]},
                    {"id": c["id"], "after_id": b["id"]}]


def test_a_position_that_is_no_more_is_a_conflict(board):
    a, b, c, d = (board.make_epic(name=name) for name in "abcd")
    for where in ({"after_id": a["id"], "before_id": c["id"]}, {"before_id": d["id"]},
                  {"before_id": 999999999}):
        answer = move(board, d, **where)
        assert answer.status_code == 400
        assert answer.json()["general_problem"] == (
            "This epic can no longer be moved to that position")
    assert names(board) == ["a", "b", "c", "d"]


def test_many_moves_to_one_place_find_room(board):
    first, *rest = (board.make_epic(name=f"e{i}") for i in range(4))
    for i in range(45):
        assert move(board, rest[i % 3], after_id=first["id"]).status_code == 200
    assert sorted(names(board)) == ["e0", "e1", "e2", "e3"]
    assert names(board)[:2] == ["e0", "e3"]


def test_a_move_is_one_version(board, sql):
    a, b = (board.make_epic(name=name) for name in "ab")
    before = board.member.get(f"{board.path}?fields=version").json()["version"]
    answer = move(board, b, before_id=a["id"])
    assert int(answer.headers["X-Tracker-Project-Version"]) == before + 1


def test_rollups_count_what_was_done_before_now(board, sql):
    epic = board.make_epic(name="Rolled up")
    board.owner.put(board.path, {"bugs_and_chores_are_estimatable": True})
    for points, accepted in ((2, "2026-01-05"), (0, "2026-01-06"), (3, None)):
        story = board.make_story(labels=["rolled up"], estimate=points, created_at="2026-01-01T00:00:00Z",
                                 current_state="accepted" if accepted else "started",
                                 **({"accepted_at": accepted + "T00:00:00Z"} if accepted else {}))
    fields = ("past_done_story_estimates,past_done_stories_count,"
              "past_done_stories_no_point_count,completed_at")
    read = board.member.get(f"{board.path}/epics/{epic['id']}?fields={fields}").json()
    assert read == {"id": epic["id"], "past_done_story_estimates": 2,
                    "past_done_stories_count": 2, "past_done_stories_no_point_count": 1}
    board.member.put(f"{board.path}/stories/{story['id']}", {
        "current_state": "accepted", "accepted_at": "2026-02-01T00:00:00Z"})
    read = board.member.get(f"{board.path}/epics/{epic['id']}?fields={fields}").json()
    assert read["completed_at"] == "2026-02-01T00:00:00Z"


@pytest.fixture
def dated(clocked, planner, make):
    """A project in its third week, three points a week, with epics named like their labels."""
    clocked.pin("2024-03-13T12:00:00Z")
    project = make(start_date="2024-02-26", initial_velocity=3, velocity_averaged_over=2)

    def story(label, state, **more):
        answer = planner.post(f"/projects/{project}/stories", {
            "name": label, "labels": [label], "estimate": 3, "current_state": state, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def epics(fields, *names):
        for name in names:
            assert planner.post(f"/projects/{project}/epics", {"name": name}).status_code == 200
        read = planner.get(f"/projects/{project}/epics?fields=name,{fields}").json()
        return {e.pop("name"): e for e in read}
    return project, story, epics


def test_projected_completion(planner, dated):
    project, story, epics = dated
    for label in ("first", "both", "first", "second", "both"):
        story(label, "unstarted")
    for state in ("accepted", "unscheduled"):
        story("both", state)
        story(state, state)
    read = epics("projected_completion", "first", "second", "both", "accepted", "unscheduled",
                 "nothing")
    assert {name: e.get("projected_completion") for name, e in read.items()} == {
        "first": "2024-04-08T00:00:00Z", "second": "2024-04-15T00:00:00Z",
        "both": "2024-04-22T00:00:00Z", "accepted": None, "unscheduled": None, "nothing": None}
    both = {k: read["both"][k] for k in ("id", "projected_completion")}
    for path in (f"/projects/{project}/epics/{both['id']}", f"/epics/{both['id']}"):
        assert planner.get(f"{path}?fields=projected_completion").json() == both
        assert "projected_completion" not in planner.get(path).json()
    nested = planner.get(f"/projects/{project}?fields=epics(projected_completion)").json()
    assert nested["epics"][2] == both
    comment = planner.post(f"/projects/{project}/epics/{both['id']}/comments"
                           "?fields=epic(projected_completion)", {"text": "When?"}).json()
    assert comment["epic"] == both
    found = planner.get(f"/projects/{project}/search?query=name:both"
                        "&fields=epics(epics(projected_completion))").json()
    assert found["epics"]["epics"] == [both]


def test_projected_completion_of_work_in_progress(dated):
    project, story, epics = dated
    story("started", "started")
    story("planned", "unstarted")
    assert [e["projected_completion"] for e in epics(
        "projected_completion", "started", "planned").values()] == [
            "2024-03-18T00:00:00Z", "2024-03-25T00:00:00Z"]


def test_epics_of_several_projects_have_each_its_own_plan(planner, dated, make):
    project, story, epics = dated
    other = make(start_date="2024-03-11", iteration_length=2)
    story("x", "unstarted")
    epics("id", "x")
    planner.post(f"/projects/{other}/stories", {"name": "x", "labels": ["x"],
                                                "current_state": "unstarted"})
    planner.post(f"/projects/{other}/epics", {"name": "x"})
    read = planner.get("/projects?fields=epics(projected_completion)").json()
    found = {p["id"]: [e.get("projected_completion") for e in p["epics"]] for p in read}
    assert found[project] == ["2024-03-18T00:00:00Z"]
    assert found[other] == ["2024-03-25T00:00:00Z"]


def test_rollups_follow_overridden_lengths(planner, dated):
    project, story, epics = dated
    for accepted in ("2024-02-27", "2024-03-05", "2024-03-12"):
        story("lengths", "accepted", accepted_at=f"{accepted}T00:00:00Z",
              created_at="2024-02-01T00:00:00Z")

    def done():
        return planner.get(f"/projects/{project}/epics?fields=past_done_stories_count,"
                           "past_done_story_estimates").json()[0]
    epic = epics("past_done_stories_count", "lengths")["lengths"]
    assert epic["past_done_stories_count"] == 2
    for weeks, stories in ((2, 2), (3, 0), (1, 2)):
        assert planner.put(f"/projects/{project}/iteration_overrides/1",
                           {"length": weeks}).status_code == 200
        assert done() == {"id": epic["id"], "past_done_stories_count": stories,
                          "past_done_story_estimates": 3 * stories}


def test_label_id_stands_beside_the_label(team):
    epic = team.make_epic()
    read = team.member.get(f"{team.path}/epics/{epic['id']}?fields=:default,label_id").json()
    assert read["label_id"] == read["label"]["id"]


def test_followers_are_people_of_the_project(team, person):
    follower = team.people["viewer"].id
    epic = team.make_epic(follower_ids=[follower])
    read = team.member.get(f"{team.path}/epics/{epic['id']}?fields=follower_ids,followers(name)").json()
    assert read["follower_ids"] == [follower]
    assert read["followers"][0]["name"] == "Viewer"
    answer = team.member.put(f"{team.path}/epics/{epic['id']}", {"follower_ids": [person().id]})
    assert answer.status_code == 400


def test_a_project_lists_its_epics(board):
    a, b = (board.make_epic(name=name) for name in "ab")
    read = board.member.get(f"{board.path}?fields=epics(name),epic_ids").json()
    assert [e["name"] for e in read["epics"]] == ["a", "b"]
    assert read["epic_ids"] == [a["id"], b["id"]]


def test_a_project_with_epics_can_be_deleted(board):
    board.make_epic(comments=[{"text": "x"}])
    assert board.owner.delete(board.path).status_code == 204


def version(board):
    return board.member.get(f"{board.path}?fields=version").json()["version"]


def test_a_change_that_changes_nothing_makes_no_version(board):
    a, b = (board.make_epic(name=name) for name in "ab")
    path = f"{board.path}/epics/{b['id']}"
    before = version(board)
    for body in ({"name": "b"}, {"label": {"name": " B "}}, {"label_id": b["label"]["id"]},
                 {"after_id": a["id"]}, {"before_id": None}, {"follower_ids": []},
                 {"description": None}, {"name": "b", "label": {}}):
        answer = board.member.put(path, body)
        assert (answer.status_code, answer.json()) == (200, b), body
        assert answer.headers["X-Service-Project-Version"] == str(before), body
    assert version(board) == before


def test_an_epic_with_all_that_belongs_to_it_is_one_version(board):
    follower = board.people["viewer"].id
    before = version(board)
    epic = board.make_epic(name="Whole", label={"name": "Of its own"}, follower_ids=[follower],
                           comments=[{"text": "one"}, {"text": "two"}])
    assert version(board) == before + 1
    told = board.member.get(f"{board.path}/activity?limit=1").json()[0]
    assert told["kind"] == "epic_create_activity"
    assert [c["kind"] for c in told["changes"]] == ["label", "epic", "comment", "comment"]
    new = told["changes"][1]["new_values"]
    assert (new["label_id"], new["follower_ids"]) == (
        epic["label"]["id"], [follower, board.people["member"].id])
    assert (new["before_id"], new["after_id"]) == (None, None)


def test_a_move_that_makes_room_tells_of_one_epic(board, sql):
    a, b, c = (board.make_epic(name=name) for name in "abc")
    sql("set search_path = planwright; update epic set rank = case id when %s then 1 else 2 end"
        " where id in (%s, %s)", a["id"], a["id"], b["id"])
    move(board, c, after_id=a["id"])
    assert names(board) == ["a", "c", "b"]
    told = board.member.get(f"{board.path}/activity?limit=1").json()[0]
    assert [(x["kind"], x["id"]) for x in told["changes"]] == [("epic", c["id"])]
    assert told["message"] == "Member moved this epic after 'a'"


def test_a_refused_label_is_not_made(board):
    epic = board.make_epic(name="a")
    for body in ({"label": {"name": "new one"}, "before_id": epic["id"]},
                 {"label": {"name": "new one"}, "follower_ids": [999999999]}):
        assert move(board, epic, **body).status_code == 400
    labels = [x["name"] for x in board.member.get(f"{board.path}/labels").json()]
    assert "new one" not in labels
