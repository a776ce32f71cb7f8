"""Comments on stories and epics (contract 1.4, 2.11, 3.8)."""

import pytest

from team import team  # noqa: F401 (a fixture)

UPDATE_SENTENCE = (
    "this endpoint requires at least one of the following parameters: attachment_ids_to_remove, "
    "attachments_to_add, file_attachment_ids_to_add, file_attachment_ids_to_remove, "
    "google_attachment_ids_to_remove, text")


@pytest.fixture(params=["story", "epic"])
def place(request, team):
    """Where a comment can be: on a story or on an epic."""
    return getattr(team, request.param)


def comment(client, place, text="Well", **more):
    answer = client.post(f"{place}/comments", {"text": text, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_comment_has_the_recorded_keys(team):
    made = comment(team.member, team.story)
    assert list(made) == ["kind", "id", "story_id", "text", "person_id", "created_at", "updated_at"]
    assert made["kind"] == "comment"
    assert made["person_id"] == team.people["member"].id


def test_a_comment_on_an_epic_names_the_epic(team):
    made = comment(team.member, team.epic)
    assert made["epic_id"] == int(team.epic.split("/")[-1])
    assert "story_id" not in made


def test_comments_are_listed_oldest_first(team, place):
    first, second = comment(team.member, place, "1"), comment(team.other, place, "2")
    ids = [c["id"] for c in team.viewer.get(f"{place}/comments").json()]
    assert ids[-2:] == [first["id"], second["id"]]


def test_one_comment_can_be_read(team, place):
    made = comment(team.member, place)
    assert team.viewer.get(f"{place}/comments/{made['id']}").json() == made


def test_a_comment_is_found_only_where_it_stands(team, place):
    made = comment(team.member, place)
    elsewhere = f"{team.path}/stories/{team.make_story()['id']}"
    assert team.member.get(f"{elsewhere}/comments/{made['id']}").status_code == 404
    assert team.member.delete(f"{elsewhere}/comments/{made['id']}").status_code == 404
    assert team.member.put(f"{elsewhere}/comments/{made['id']}", {"text": "x"}).status_code == 404


def test_an_empty_comment_is_refused(team, place):
    assert team.member.post(f"{place}/comments", {"text": " "}).status_code == 400
    answer = team.member.post(f"{place}/comments", {})
    assert answer.json()["general_problem"].endswith("google_attachments, text")


def test_text_is_bounded_in_characters(team, place):
    comment(team.member, place, "ä" * 20000)
    answer = team.member.post(f"{place}/comments", {"text": "ä" * 20001})
    assert answer.json()["requirement"] == "'text' parameter must be 20000 characters or less."


def test_a_viewer_may_not_comment(team, place):
    assert team.viewer.post(f"{place}/comments", {"text": "x"}).status_code == 403


def newest_activity(team):
    return team.member.get(f"{team.path}/activity?limit=1").json()[0]


def test_every_member_edits_and_the_activity_tells_who(team, place):
    made = comment(team.member, place)
    path = f"{place}/comments/{made['id']}"
    answer = team.other.put(path, {"text": "x"})
    assert (answer.status_code, answer.json()["text"]) == (200, "x")
    assert answer.json()["person_id"] == team.people["member"].id
    assert newest_activity(team)["performed_by"]["id"] == team.people["other"].id
    assert team.viewer.put(path, {"text": "y"}).status_code == 403


def test_every_member_deletes_and_the_activity_tells_who(team, place):
    made = comment(team.owner, place)
    path = f"{place}/comments/{made['id']}"
    assert team.viewer.delete(path).status_code == 403
    gone = team.other.delete(path)
    assert (gone.status_code, gone.text) == (204, "")
    assert newest_activity(team)["performed_by"]["id"] == team.people["other"].id
    assert team.owner.get(path).status_code == 404


def test_every_member_takes_off_what_another_attached(team, place):
    made = comment(team.owner, place, google_attachments=[{"title": "a"}, {"title": "b"}])
    path = f"{place}/comments/{made['id']}"
    first, second = team.member.get(f"{path}?fields=google_attachment_ids").json()[
        "google_attachment_ids"]
    assert team.viewer.delete(f"{path}/google_attachments/{first}").status_code == 403
    assert team.other.delete(f"{path}/google_attachments/{first}").status_code == 204
    answer = team.other.put(path, {"google_attachment_ids_to_remove": [second]})
    assert answer.status_code == 200, answer.text


def test_a_change_that_changes_nothing_makes_no_version(team, place):
    made = comment(team.member, place, "same")
    answer = team.other.put(f"{place}/comments/{made['id']}", {"text": "same"})
    before = newest_activity(team)
    assert (answer.status_code, answer.json()) == (200, made)
    assert answer.headers["X-Service-Project-Version"] == str(before["project_version"])
    assert before["kind"] == "comment_create_activity"


def test_null_clears_the_text_of_a_comment_with_an_attachment(team, place):
    assert "text" not in comment(team.owner, place, text=None, google_attachments=[{"title": "a"}])
    made = comment(team.owner, place, google_attachments=[{"title": "a"}])
    changed = team.owner.put(f"{place}/comments/{made['id']}", {"text": None})
    assert (changed.status_code, changed.json().get("text")) == (200, None), changed.text


@pytest.mark.parametrize("item", [{}, {"title": "Plan"}, {"id": None}, {"kind": "file_attachment"}])
def test_items_of_attachments_need_an_id(team, place, item):
    answer = team.member.post(f"{place}/comments", {"text": "x", "attachments": [item]})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")


@pytest.mark.parametrize("item", [{}, {"title": " "}, {"kind": "google_attachment"},
                                  {"title": "\u00a0", "resource_id": "\u200b"}])
def test_an_empty_google_attachment_is_refused(team, place, item):
    answer = team.member.post(f"{place}/comments", {"text": "x", "google_attachments": [item]})
    assert answer.status_code == 400
    assert answer.json()["validation_errors"][0]["field"] == "google_attachments"
    made = comment(team.member, place)
    answer = team.member.put(f"{place}/comments/{made['id']}", {"attachments_to_add": [item]})
    assert answer.status_code == 400


def test_an_upload_is_attached_by_its_id_among_the_attachments(team, place):
    sent = team.member.post(f"{team.path}/uploads",
                            files={"file": ("a.txt", b"text", "text/plain")}).json()
    answer = team.member.post(f"{place}/comments?fields=attachment_ids",
                              {"attachments": [{"id": sent["id"]}]})
    assert answer.json()["attachment_ids"] == [sent["id"]], answer.text


def test_an_update_of_nothing_names_what_could_be_updated(team, place):
    made = comment(team.member, place)
    answer = team.member.put(f"{place}/comments/{made['id']}", {})
    assert answer.status_code == 400
    assert answer.json()["general_problem"] == UPDATE_SENTENCE


def test_a_comment_touches_what_it_stands_on(team, place, sql):
    table = "story" if "stories" in place else "epic"
    number = int(place.split("/")[-1])
    sql(f"set search_path = planwright; update {table} set updated_at = '2020-01-01' where id = %s",
        number)
    comment(team.member, place)
    assert team.member.get(place).json()["updated_at"] > "2026"


def test_every_change_is_one_version_and_one_activity(team, place, sql):
    def version():
        return team.member.get(f"{team.path}?fields=version").json()["version"]

    def kinds(since):
        return [k for k, in sql("select kind from planwright.activity where project_id = %s"
                                " and version > %s order by version", team.id, since)]
    before = version()
    path = f"{place}/comments/{comment(team.member, place)['id']}"
    team.member.put(path, {"text": "other"})
    team.member.delete(path)
    assert version() == before + 3
    assert kinds(before) == ["comment_create_activity", "comment_update_activity",
                             "comment_delete_activity"]


def test_the_note_of_a_comment_also_names_the_story(team, sql):
    made = comment(team.member, team.story, "noted")
    (changes,), = sql("select changes::json from planwright.activity where project_id = %s"
                      " order by version desc limit 1", team.id)
    assert [(c["kind"], c["change_type"]) for c in changes] == [
        ("comment", "create"), ("story", "update")]
    assert changes[0]["id"] == made["id"]
    assert changes[0]["new_values"]["text"] == "noted"


def test_a_story_is_made_with_comments(team):
    story = team.make_story(comments=[{"text": "one"}, {"text": "two"}])
    read = team.member.get(f"{team.path}/stories/{story['id']}?fields=comments,comment_ids").json()
    assert [c["text"] for c in read["comments"]] == ["one", "two"]
    assert read["comment_ids"] == [c["id"] for c in read["comments"]]


def test_an_epic_is_made_with_comments(team):
    epic = team.make_epic(comments=[{"text": "one"}])
    read = team.member.get(f"{team.path}/epics/{epic['id']}?fields=comments(text),comment_ids").json()
    assert [c["text"] for c in read["comments"]] == ["one"]
    assert len(read["comment_ids"]) == 1


@pytest.mark.parametrize("kind", ["stories", "epics"])
def test_nested_comments_have_no_id(team, kind):
    answer = team.member.post(f"{team.path}/{kind}", {"name": "x", "comments": [{"id": 1, "text": "x"}]})
    assert answer.status_code == 400
    assert answer.json()["general_problem"] == "this endpoint cannot accept the parameter: id"


def test_a_nested_text_of_another_type_is_named(team):
    answer = team.member.post(f"{team.path}/stories", {"name": "x", "comments": [{"text": 123}]})
    assert answer.json()["general_problem"] == (
        "The 'text' parameter value was '123' but must be of type 'extended_string'")


def test_a_rejection_brings_its_comment(team):
    story = team.make_story(estimate=1, current_state="delivered")
    path = f"{team.path}/stories/{story['id']}"
    answer = team.member.put(path, {"current_state": "rejected", "comment": {"text": "Not yet"}})
    assert answer.json()["current_state"] == "rejected"
    assert [c["text"] for c in team.member.get(f"{path}/comments").json()] == ["Not yet"]


def test_a_change_may_be_a_comment_alone(team):
    path = f"{team.path}/stories/{team.make_story()['id']}"
    assert team.member.put(path, {"comment": {"text": "Only this"}}).status_code == 200
    assert len(team.member.get(f"{path}/comments").json()) == 1


def test_the_author_can_be_another_of_the_project(team, place):
    made = comment(team.member, place, person_id=team.people["other"].id)
    assert made["person_id"] == team.people["other"].id


def test_the_author_cannot_be_a_stranger(team, place, person):
    answer = team.member.post(f"{place}/comments", {"text": "x", "person_id": person().id})
    assert answer.json()["validation_errors"][0]["field"] == "person_id"


def test_a_commit_is_kept_with_its_comment(team, place):
    made = comment(team.member, place, commit_identifier="abc123", commit_type="github")
    assert (made["commit_identifier"], made["commit_type"]) == ("abc123", "github")
    origin = {"external_source": "jira", "external_author": "J", "external_link": "https://j.x/1"}
    assert origin.items() <= comment(team.member, place, **origin).items()


def test_google_attachments_come_and_go(team, place):
    made = comment(team.member, place, google_attachments=[
        {"google_kind": "document", "title": "Plan", "google_id": "g1"}, {"title": "Second"}])
    path = f"{place}/comments/{made['id']}"
    read = team.member.get(f"{path}?fields=google_attachments,attachment_ids").json()
    first, second = read["google_attachments"]
    assert (first["kind"], first["title"], first["comment_id"]) == (
        "google_attachment", "Plan", made["id"])
    assert read["attachment_ids"] == [first["id"], second["id"]]
    assert team.member.delete(f"{path}/google_attachments/{first['id']}").status_code == 204
    assert team.member.delete(f"{path}/google_attachments/{first['id']}").status_code == 404
    left = team.member.put(f"{path}?fields=google_attachment_ids", {
        "google_attachment_ids_to_remove": [second["id"]], "attachments_to_add": [{"title": "Third"}]})
    assert len(left.json()["google_attachment_ids"]) == 1
    third = left.json()["google_attachment_ids"][0]
    last = team.member.put(f"{path}?fields=attachment_ids", {"attachment_ids_to_remove": [{"id": third}]})
    assert last.json()["attachment_ids"] == []


def test_what_is_not_attached_cannot_be_removed(team, place):
    made = comment(team.member, place)
    answer = team.member.put(f"{place}/comments/{made['id']}", {"attachment_ids_to_remove": [{"id": 1}]})
    assert answer.status_code == 400


def test_a_deleted_story_takes_its_comments_along(team, sql):
    story = team.make_story(comments=[{"text": "one"}])
    team.member.delete(f"{team.path}/stories/{story['id']}")
    assert sql("select count(*) from planwright.comment where story_id = %s", story["id"]) == [(0,)]


def test_an_empty_comment_with_a_story_is_refused(team):
    version = team.viewer.get(team.path).json()["version"]
    answer = team.member.put(team.story, {"comment": {}})
    assert answer.status_code == 400 and answer.json()["code"] == "invalid_parameter"
    assert team.viewer.get(team.path).json()["version"] == version
