"""An attribute X_id has a nested alternative X (service-api.md, General encoding rules 5)."""

from team import team  # noqa: F401


def test_the_project_of_a_story(team):
    got = team.viewer.get(f"{team.story}?fields=project(name),name").json()
    assert set(got) == {"id", "project", "name"}
    assert got["project"] == {"id": team.id, "name": team.viewer.get(team.path).json()["name"]}


def test_it_replaces_the_id_of_the_default(team):
    got = team.viewer.get(f"{team.story}?fields=:default,project").json()
    assert "project_id" not in got and got["project"]["kind"] == "project"
    both = team.viewer.get(f"{team.story}?fields=project_id,project(name)").json()
    assert both["project_id"] == both["project"]["id"] == team.id


def test_the_story_of_a_task(team):
    task = team.member.post(f"{team.story}/tasks", {"description": "x"}).json()
    got = team.viewer.get(
        f"{team.story}/tasks/{task['id']}?fields=story(name,project(name),owners)").json()
    assert got["story"]["id"] == task["story_id"] and got["story"]["project"]["id"] == team.id


def test_lists_grow_by_one_statement(team):
    got = team.viewer.get(f"{team.path}/stories?fields=project(name)&limit=500").json()
    assert got and all(s["project"]["id"] == team.id for s in got)


def test_what_stands_above_has_no_lists(team):
    answer = team.viewer.get(f"{team.story}?fields=project(stories(project(stories)))")
    assert answer.status_code == 400
