"""Workspaces and integrations (contract 1.4, 2.3, 2.17, 3.13)."""

import pathlib

import pytest

from board import problem
from team import team  # noqa: F401 (a fixture)
from world import new_project, ok

SENTENCE = ("You cannot add project id {} to your workspace, either you are not a member or the "
            "project doesn't exist.")


def workspace(team, **body):
    answer = team.member.post("/my/workspaces", {"name": "Mine", **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_workspace_has_the_recorded_keys(team):
    made = workspace(team, project_ids=[team.id])
    assert made == {"id": made["id"], "kind": "workspace", "name": "Mine",
                    "person_id": team.people["member"].id, "project_ids": [team.id]}
    assert made in team.member.get("/my/workspaces").json()
    assert team.member.get(f"/my/workspaces/{made['id']}").json() == made
    assert made["id"] in team.member.get("/me?fields=workspace_ids").json()["workspace_ids"]


def test_its_projects_can_be_nested(team):
    made = workspace(team, project_ids=[team.id])
    name = team.member.get(team.path).json()["name"]
    nested = {"id": made["id"], "projects": [{"id": team.id, "name": name}]}
    assert team.member.get(f"/my/workspaces/{made['id']}?fields=projects(name)").json() == nested
    me = team.member.get("/me?fields=workspaces(projects(name))").json()
    assert nested in me["workspaces"]
    assert team.other.get("/me?fields=workspaces(projects(name))").json()["workspaces"] == []


def test_no_version_stands_on_a_workspace(team):
    answer = team.member.get("/my/workspaces")
    assert "X-Tracker-Project-Version" not in answer.headers


def test_a_name_or_projects_are_needed(team):
    answer = team.member.post("/my/workspaces", {})
    assert answer.json()["general_problem"] == (
        "this endpoint requires at least one of the following parameters: name, project_ids")
    assert team.member.post("/my/workspaces", {"project_ids": []}).json()["name"]


def test_a_name_has_25_characters(team):
    answer = team.member.post("/my/workspaces", {"name": "x" * 26})
    assert answer.json()["requirement"] == "'name' parameter must be 25 characters or less."


@pytest.mark.parametrize("name, sentence", [
    ("", "Name can't be blank"), (None, "Name can't be blank"),
    (3, "'name' must be an extended_string")])
def test_a_name_is_text(team, name, sentence):
    assert problem(team.member.post("/my/workspaces", {"name": name})) == sentence


def test_only_the_projects_change(team):
    made = workspace(team, project_ids=[team.id])
    path = f"/my/workspaces/{made['id']}"
    assert team.member.put(path, {"project_ids": []}).json()["project_ids"] == []
    answer = team.member.put(path, {"name": "Other"})
    assert answer.json()["general_problem"] == "this endpoint cannot accept the parameter: name"


@pytest.mark.parametrize("number", [0, 999999999])
def test_only_projects_of_ones_own(team, number):
    answer = team.member.post("/my/workspaces", {"project_ids": [number]})
    assert answer.status_code == 400
    assert answer.json()["general_problem"] == SENTENCE.format(number)


def test_a_project_that_was_left_is_left_out(team, person, api):
    guest = person()
    member = team.owner.post(f"{team.path}/memberships", {"person_id": guest.id}).json()
    made = api(guest).post("/my/workspaces", {"project_ids": [team.id]}).json()
    team.owner.delete(f"{team.path}/memberships/{member['id']}")
    assert api(guest).get(f"/my/workspaces/{made['id']}").json()["project_ids"] == []


@pytest.mark.parametrize("method", ["get", "put", "delete"])
def test_a_workspace_is_ones_own(team, api, method):
    path = f"/my/workspaces/{workspace(team)['id']}"
    body = {"json": {"project_ids": []}} if method == "put" else {}
    assert getattr(team.owner, method)(path, **body).status_code == 404
    assert getattr(api(), method)(path, **body).status_code == 403
    assert team.member.get(path).status_code == 200


def test_a_write_that_changes_nothing_makes_no_version(team):
    """And without a version, updated_at does not change either."""
    made = ok(team.owner.post(f"{team.path}/integrations", {"kind": "other_integration",
                                                            "name": "Same", "active": True}))
    before = team.owner.get(f"{team.path}?fields=version").json()["version"]
    for body in {"name": "Same"}, {"active": True, "comments_private": None}, {"api_password": "x"}:
        answer = team.owner.put(f"{team.path}/integrations/{made['id']}", body)
        assert ok(answer) == made
        assert answer.headers["X-Tracker-Project-Version"] == str(before)
    assert ok(team.owner.put(f"{team.path}/integrations/{made['id']}",
                             {"comments_private": False}))["comments_private"] is False
    assert team.owner.get(f"{team.path}?fields=version").json()["version"] == before + 1
    ok(team.owner.put(f"{team.path}/iteration_overrides/1", {"team_strength": 1, "length": None}))
    assert team.owner.get(f"{team.path}?fields=version").json()["version"] == before + 1


def test_a_deleted_workspace_is_gone(team):
    path = f"/my/workspaces/{workspace(team)['id']}"
    assert team.member.delete(path).status_code == 204
    assert team.member.get(path).status_code == 404


# Integrations

def integration(team, **body):
    answer = team.owner.post(f"{team.path}/integrations", {
        "kind": "other_integration", "name": "Tickets", **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_integration_is_kept(team):
    secrets = dict.fromkeys(("external_api_token", "api_password", "basic_auth_password",
                             "zendesk_user_password"), "x")
    made = integration(team, base_url="https://tickets.example/", **secrets)
    assert (made["kind"], made["is_other"], made["active"]) == ("other_integration", True, True)
    assert not set(secrets) & set(made)
    path = f"{team.path}/integrations/{made['id']}"
    assert team.viewer.get(path).json() == made
    assert team.owner.put(path, {"base_url": None, "active": False}).json()["active"] is False
    assert made["id"] in team.viewer.get(f"{team.path}?fields=integration_ids").json()["integration_ids"]


def test_linked_stories_are_listed(team):
    made = integration(team)
    story = team.make_story(integration_id=made["id"], external_id="T-1")
    path = f"{team.path}/integrations/{made['id']}"
    answer = team.member.get(f"{path}/stories")
    assert [(s["kind"], s["id"], s["external_id"]) for s in answer.json()] == [
        ("external_story", story["id"], "T-1")]
    assert answer.headers["X-Tracker-Pagination-Total"] == "1"
    assert team.member.get(f"{path}/stories?exclude_linked=true").json() == []
    assert team.owner.delete(path).status_code == 204
    read = team.member.get(f"{team.path}/stories/{story['id']}").json()
    assert "integration_id" not in read and read["external_id"] == "T-1"


def test_a_story_is_linked_to_an_integration_of_its_project(team, api, person):
    here, other = integration(team)["id"], new_project(team.owner)["id"]
    there = ok(team.owner.post(f"/projects/{other}/integrations", {
        "kind": "other_integration", "name": "Elsewhere"}))["id"]
    story = f"/stories/{team.make_story(integration_id=here)['id']}"
    for foreign in (there, 1 << 45, 0, -1):
        says = f"Integration with id={foreign} does not exist within this project"
        for answer in (team.owner.put(story, {"integration_id": foreign}),
                       team.owner.post(f"{team.path}/stories",
                                       {"name": "x", "integration_id": foreign})):
            assert problem(answer, "integration_id") == says
    assert ok(team.member.put(story, {"name": "kept"}))["integration_id"] == here
    assert "integration_id" not in ok(team.member.put(story, {"integration_id": None}))


def test_a_moved_story_is_linked_in_its_new_project_only(team):
    here, other = integration(team)["id"], new_project(team.owner)["id"]
    there = ok(team.owner.post(f"/projects/{other}/integrations", {
        "kind": "other_integration", "name": "Elsewhere"}))["id"]
    for named, expected in (({}, None), ({"integration_id": there}, there),
                            ({"integration_id": here}, None)):
        story = f"/stories/{team.make_story(integration_id=here, external_id='T')['id']}"
        moved = ok(team.owner.put(story, {"project_id": other, **named}))
        assert (moved.get("integration_id"), moved["external_id"]) == (expected, "T")
    mine = integration(team)["id"]
    story = f"/stories/{team.make_story(integration_id=here)['id']}"
    assert problem(team.owner.put(story, {"project_id": other, "integration_id": mine}),
                   "integration_id")


def test_deleting_an_integration_unlinks_its_stories(team, sql):
    """However many there are, in every state."""
    made, stays = integration(team)["id"], integration(team)["id"]
    sql("""set session_replication_role = replica;
        insert into planwright.story (project_id, name, current_state, rank, requested_by_id,
            accepted_at, integration_id, updated_at)
        select %s, 'S' || i, state, i, %s, case state when 'accepted' then now() end, %s,
            '2024-01-01T00:00Z'
        from (select i, (array['accepted', 'started', 'unstarted', 'unscheduled'])[i %% 4 + 1]
            as state from generate_series(1, 5000) i) s;
        update planwright.project set story_counts[1] = story_counts[1] + 1250,
            story_counts[2] = story_counts[2] + 1250, story_counts[4] = story_counts[4] + 1250,
            story_counts[5] = story_counts[5] + 1250 where id = %s;
        reset session_replication_role""", team.id, team.people["owner"].id, made, team.id)
    story = team.make_story(integration_id=made, external_id="T")["id"]
    other = team.make_story(integration_id=stays)["id"]
    ok(team.owner.delete(f"{team.path}/integrations/{made}"), 204)
    assert sql("select count(*) from planwright.story where integration_id = %s"
               " or updated_at = '2024-01-01T00:00Z'", made) == [(0,)]
    read = ok(team.member.get(f"/stories/{story}"))
    assert "integration_id" not in read and read["external_id"] == "T"
    assert ok(team.member.get(f"/stories/{other}"))["integration_id"] == stays
    latest = ok(team.owner.get(f"{team.path}/activity?limit=1"))[0]
    assert latest["kind"] == "integration_delete_activity"
    assert [(c["kind"], c["change_type"]) for c in latest["changes"]] == [("integration", "delete")]


def test_links_to_nothing_end_at_the_upgrade(team, sql):
    made = integration(team)["id"]
    story, stale = (team.make_story(integration_id=made)["id"] for _ in range(2))
    sql("set session_replication_role = replica; update planwright.story set integration_id = %s"
        " where id = %s; reset session_replication_role", 1 << 45, stale)
    migration = pathlib.Path(__file__).parents[2] / "sql/migrations/0010_story_integrations.sql"
    sql(migration.read_text())
    read = [ok(team.member.get(f"/stories/{id}")).get("integration_id") for id in (story, stale)]
    assert read == [made, None]


def test_visitors_see_no_integrations(team, api):
    integration(team)
    team.owner.put(team.path, {"public": True})
    assert api().get(f"{team.path}/integrations").status_code == 403
    read = api().get(f"{team.path}?fields=integrations,integration_ids").json()
    team.owner.put(team.path, {"public": False})
    assert read == {"id": team.id, "integrations": [], "integration_ids": []}


def test_activity_is_that_of_its_projects(team):
    workspace = team.member.post("/my/workspaces", {"name": "Feed", "project_ids": [team.id]}).json()
    path = f"/my/workspaces/{workspace['id']}/activity"
    story = team.make_story(name="Seen from the workspace")
    newest, = team.member.get(f"{path}?limit=1").json()
    assert newest["primary_resources"][0]["id"] == story["id"]
    assert team.viewer.get(path).status_code == 404
    empty = team.member.post("/my/workspaces", {"name": "Empty"}).json()
    assert team.member.get(f"/my/workspaces/{empty['id']}/activity").json() == []
