"""What an import tells of its people: the order in the audit log, and roles that it does not know."""

import uuid

import pytest

from conftest import Client
from importing import asked, over
from test_import_people import COLUMNS, HEADING, MEMBERS, Place, story, table
from world import ok


@pytest.fixture
def place(stack, person, tmp_path):
    return Place(stack, person, tmp_path)


@pytest.mark.parametrize("way", ["http", "ctl"])
def test_a_person_is_made_before_a_member_is(place, way):
    word, number = uuid.uuid4().hex[:8], int(uuid.uuid4().hex[:6], 16) + 100
    names = [f"New {word} {i}" for i in range(3)]
    stories = table(HEADING, story(number, names[0], *names[1:]), story(number + 1, f"Placeholder {word}"))
    people = table(COLUMNS, *([name, f"{word}{i}@example.test", "", "", "create"] for i, name in enumerate(names)))
    if way == "ctl":
        place.run("--people", place.file("people.csv", people), place.file("s.csv", stories))
        project = place.project
    else:
        project = ok(place.client.post("/projects", {"name": "Here", "account_id": int(place.account)}))["id"]
        url = asked(place.client, f"/projects/{project}", ("file", "s.csv", stories.encode()),
                    ("people", "people.csv", people.encode()))
        assert over(place.client, url)["state"] == "done"
    told = place.stack.sql(
        "select act, object_id, coalesce(object_name, (select name from person p where p.id = object_id)), new ->> 'email'"
        " from audit_entry where account_id = %s and object_kind = 'person' order by occurred_at, id", int(place.account))
    told = [line for line in told if word in line[2]]
    made = [line[1:] for line in told if line[0] == "person_create"]
    assert sorted(line[1:] for line in made) == [(name, f"{word}{i}@example.test") for i, name in enumerate(names)]
    for person, *_ in made:
        assert [line[0] for line in told if line[1] == person] == ["person_create", "membership_create"]


def test_an_unknown_role_is_that_of_a_member(place, person):
    old = Client(place.stack, person("Olaf Old").token)
    me = ok(old.get("/me"))
    place.stack.ctl("account", "member", "add", place.account, me["username"], check=False)
    rows = [["Olaf Old", me["email"], me["username"], "OO", "", "7", place.name, "Admin"],
            ["Olga Owner", "", place.owner.username, "OL", "", "7", place.name, "Owner"]]
    place.run(place.file("members.csv", table(MEMBERS, *rows)),
              place.file("s.csv", table(HEADING, story(int(uuid.uuid4().hex[:6], 16) + 100, "Olaf Old"))), status=3)
    said, = [line for line in place.report if line["code"] == "unknown_word"]
    assert (said["column"], said["severity"]) == ("Project Role", "lost")
    assert said["message"].endswith('an unknown role, which counts as member: "Admin"')
    assert place.stack.sql("select role from project_membership where project_id = %s and person_id = %s",
                           place.project, me["id"]) == [("member",)]


def test_remarks_show_which_comment_they_mean(place):
    number = int(uuid.uuid4().hex[:6], 16) + 100
    place.run(place.file("s.csv", table(HEADING, story(number, comment="Seen on\nMonday (Ana, 2023-10-03)"))))
    said = {line["code"]: line["message"] for line in place.report if line["severity"] == "changed"}
    assert said["no_author"] == "a comment without an author, which is by Unknown: Seen on Monday (Ana, 2023-10-03)"
    assert said["no_date"].endswith("or of the story: Seen on Monday (Ana, 2023-10-03)")


def test_a_review_without_a_type_is_kept(place):
    number = int(uuid.uuid4().hex[:6], 16) + 100
    line = story(number, reviewer="Ana")
    line[HEADING.index("Review Type")] = ""
    place.run(place.file("s.csv", table(HEADING, line)))
    assert {"no_type"} <= place.codes("changed") and "no_place" not in place.codes()
    assert place.stack.sql("select t.name, r.status from review r join review_type t on t.id = r.review_type_id"
                           " where r.story_id = %s", number) == [("Review", "pass")]
