"""POST /aggregator: several GETs in one request, each answered as if it were requested alone."""

import pytest

from team import team  # noqa: F401

ROOT = "/services/v5"


def ask(client, *paths):
    answer = client.post("/aggregator", list(paths))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_parts_are_what_the_paths_answer(team):
    team.make_story(name="In parts", labels=["part"])
    paths = [f"{ROOT}{team.path}", f"{ROOT}{team.path}/stories?limit=2&fields=name,labels(name)",
             f"{ROOT}/me?fields=id", f"{ROOT}{team.path}/labels"]
    got = ask(team.viewer, *paths)
    assert list(got) == paths
    for path in paths:
        assert got[path] == team.viewer.get(path.removeprefix(ROOT)).json()


def test_a_part_can_be_asked_for_in_an_envelope(team):
    paths = [f"{ROOT}{team.path}/stories?envelope=true&limit=1&fields=name",
             f"{ROOT}/me?envelope=true", f"{ROOT}/projects/99999999999?envelope=true"]
    got = ask(team.viewer, *paths)
    assert got[paths[0]]["pagination"]["limit"] == 1
    for path in paths:
        assert got[path] == team.viewer.get(path.removeprefix(ROOT)).json()


def test_a_path_that_comes_twice_is_one_member(team):
    path = f"{ROOT}/me?fields=id"
    answer = team.viewer.post("/aggregator", [path, f"{ROOT}{team.path}?fields=id", path])
    assert answer.text.count(path) == 1 and answer.json()[path] == {"id": team.people["viewer"].id}


def test_each_part_is_authorised_alone(team, api, person):
    stranger = api(person("Stranger"))
    paths = [f"{ROOT}/projects", f"{ROOT}{team.path}/stories", f"{ROOT}{team.path}/stories/1/tasks"]
    got = ask(stranger, *paths)
    assert got[paths[0]] == []
    assert got[paths[1]]["code"] == got[paths[2]]["code"] == "unauthorized_operation"


def test_faults_of_a_part_stay_in_it(team):
    paths = [f"{ROOT}/no/such", f"{ROOT}{team.path}/stories?fields=x", f"{ROOT}{team.path}",
             "/elsewhere", f"{ROOT}/projects/99999999999"]
    got = ask(team.viewer, *paths)
    assert [got[p].get("code") for p in paths] == [
        "route_not_found", "invalid_parameter", None, "route_not_found", "unfound_resource"]


def test_writes_and_itself_are_no_parts(team):
    paths = [f"{ROOT}/aggregator", f"{ROOT}{team.path}?_method=DELETE"]
    got = ask(team.owner, *paths)
    assert got[paths[0]]["code"] == "method_not_allowed"
    assert got[paths[1]]["id"] == team.id
    assert team.owner.get(team.path).status_code == 200


@pytest.mark.parametrize("body", [[], {}, {"a": 1}, [1], [["/services/v5/me"]], ["x"] * 16])
def test_other_bodies_are_refused(team, body):
    answer = team.viewer.post("/aggregator", body)
    assert answer.status_code == 400 and answer.json()["code"] == "invalid_parameter"


def test_fifteen_parts(team):
    paths = [f"{ROOT}/me?fields=id&limit={n}" for n in range(15)]
    assert list(ask(team.viewer, *paths)) == paths


def test_a_bad_token_fails_the_whole(api):
    assert api("f" * 32).post("/aggregator", [f"{ROOT}/me"]).status_code == 403
