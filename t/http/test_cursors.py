"""A read that names something missing is always refused the same way: on a new database and an
old one, on a worker's first request and its hundredth, whatever plan PostgreSQL chooses."""

import pytest

from conftest import Client, Person
from world import UNKNOWN, new_project, ok

ENOUGH = 14  # as many as custom plans before a generic one is considered, and some more


@pytest.fixture(scope="module")
def fresh():
    """A database in which nothing was ever created, behind one worker."""
    from conftest import Stack, stack_folder
    server = Stack(stack_folder("cursors"), workers=1)
    yield server
    server.close()


@pytest.fixture(scope="module")
def newcomer(fresh):
    return Person(fresh, "Newcomer")


def always(client, path, status, text=""):
    for _ in range(ENOUGH):
        answer = client.get(path)
        assert answer.status_code == status, f"{path}: {answer.status_code} {answer.text}"
        assert text in answer.text


@pytest.mark.parametrize("time", ["abc", "12345", "0", "-1", "2026-01-01T00:00:00Z",
                                  "1767225600000", "9223372036854775807", "99999999999999999999"])
def test_a_time_that_is_no_notifications_is_refused_to_who_has_none(fresh, newcomer, time):
    path = f"/people/{newcomer.id}/notifications/since/{time}"
    always(Client(fresh, newcomer.token), path, 400, "timestamp must be the time of one of your")


def test_anothers_notifications_are_refused_before_the_time(fresh, newcomer):
    path = f"/people/{newcomer.id + 1}/notifications/since/12345"
    always(Client(fresh, newcomer.token), path, 403)


@pytest.mark.parametrize("cursor", ["after_story_id", "before_story_id"])
@pytest.mark.parametrize("more", ["", "&with_state=started", "&limit=0", "&offset=5",
                                  "&with_label=x&created_after=0"])
def test_a_story_that_is_not_there_is_refused_in_an_empty_project(fresh, newcomer, cursor, more):
    client = Client(fresh, newcomer.token)
    path = f"/projects/{new_project(client)['id']}/stories?{cursor}=99999999{more}"
    always(client, path, 400, "Story with id=99999999 does not exist within this project")
    assert f'"field":"{cursor}"' in client.get(path).text


def test_a_story_of_another_project_is_no_place_in_this_one(fresh, newcomer):
    client = Client(fresh, newcomer.token)
    here, there = (f"/projects/{new_project(client)['id']}/stories" for _ in range(2))
    other = ok(client.post(there, {"name": "x"}))["id"]
    ok(client.post(here, {"name": "y"}))
    for path in f"{here}?after_story_id={other}", f"{here}?before_story_id={other}&limit=0":
        always(client, path, 400, f"Story with id={other} does not exist")
    mine = ok(client.post(here, {"name": "z"}))["id"]
    both = f"{here}?after_story_id={mine}&before_story_id={other}"
    always(client, both, 400, '"field":"before_story_id"')


def test_who_may_not_see_the_project_learns_nothing_of_its_stories(fresh, newcomer):
    client = Client(fresh, newcomer.token)
    path = f"/projects/{new_project(client)['id']}/stories"
    story = ok(client.post(path, {"name": "x"}))["id"]
    stranger = Client(fresh, Person(fresh, "Stranger").token)
    for cursor in story, 99999999:
        always(stranger, f"{path}?after_story_id={cursor}", 403)


@pytest.mark.parametrize("part", ["releases/{}/stories", "releases/{}/stories.csv",
                                  "integrations/{}/stories", "integrations/{}/stories?limit=0",
                                  "my/searches/{}"])
def test_what_the_path_names_is_looked_up_on_an_empty_database_too(fresh, newcomer, part):
    client = Client(fresh, newcomer.token)
    always(client, f"/projects/{new_project(client)['id']}/{part.format(UNKNOWN)}", 404)


def test_a_story_is_no_release(fresh, newcomer):
    client = Client(fresh, newcomer.token)
    project = new_project(client)["id"]
    story = ok(client.post(f"/projects/{project}/stories", {"name": "x"}))["id"]
    for end in "", ".csv":
        always(client, f"/projects/{project}/releases/{story}/stories{end}", 404)


def test_a_workspace_of_nobody(fresh, newcomer):
    always(Client(fresh, newcomer.token), f"/my/workspaces/{UNKNOWN}/activity", 404)


def test_a_shape_of_a_list_is_prepared_once_though_its_cursor_is_refused(fresh, newcomer):
    """The refusal ends the request before the answers of the prepare messages sent with it are read."""
    client = Client(fresh, newcomer.token)
    path = f"/projects/{new_project(client)['id']}/stories"
    story = ok(client.post(path, {"name": "x"}))["id"]
    for cursor, status in (1, 400), (2, 400), (story, 200), (3, 400), (story, 200):
        answer = client.get(f"{path}?before_story_id={cursor}&updated_after=0")
        assert answer.status_code == status, answer.text
