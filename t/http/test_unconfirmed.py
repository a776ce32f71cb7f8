"""What is meant for the owner of an address goes to nobody who merely says that it is theirs: memberships, what files
attribute to it, and what operators give (contract 1.11)."""

import uuid

import pytest

from conftest import Client, Person
from importing import asked, over
from test_ctl import fails
from test_import_people import COLUMNS, HEADING, MEMBERS, story, table
from test_self_named import address, named, takes, use_letter
from world import new_project, ok


class Place:
    """Boss owns an account with a project."""

    def __init__(self, stack):
        self.server, self.boss = stack, Person(stack, "Boss")
        self.client = Client(stack, self.boss.token)
        project = new_project(self.client)
        self.project, self.account = project["id"], project["account_id"]
        self.path = f"/projects/{self.project}"

    def people(self):
        return {m["person"]["id"] for m in ok(self.client.get(f"{self.path}/memberships"))}


@pytest.fixture
def place(stack):
    return Place(stack)


def test_nobody_is_added_by_an_address_that_they_took(place):
    email = address("ceo")
    mallory = takes(place, email)
    for path in (f"{place.path}/memberships", f"/accounts/{place.account}/memberships"):
        for body in ({"email": email}, {"email": email.upper(), "name": "The Ceo", "initials": "TC"}):
            answer = place.client.post(path, body)
            assert answer.status_code == 400, answer.text
            problem, = answer.json()["validation_errors"]
            assert problem["field"] == "email" and "nobody has confirmed it" in problem["problem"]
            assert "/choose_password" in answer.json()["possible_fix"]
            assert mallory.name not in answer.text and str(mallory.id) not in answer.text
    assert mallory.id not in place.people()
    use_letter(place, mallory, email)
    assert ok(place.client.post(f"{place.path}/memberships", {"email": email}))["person"]["id"] == mallory.id


def test_who_is_known_is_added_by_id(place):
    mallory = takes(place, address())
    ok(place.client.post(f"/accounts/{place.account}/memberships", {"person_id": mallory.id}))
    ok(place.client.post(f"{place.path}/memberships", {"person_id": mallory.id}))
    assert mallory.id in place.people()


def test_members_only_change_their_own_address(place):
    """A colleague who takes the address of somebody else gets no more than they have."""
    email = address("ceo")
    mallory = takes(place, email)
    ok(place.client.post(f"/accounts/{place.account}/memberships", {"person_id": mallory.id}))
    assert place.client.post(f"{place.path}/memberships", {"email": email}).status_code == 400


def files(email, number):
    """Ceo, a member by the file of members, who requested a story."""
    return (table(MEMBERS, ["The Ceo", email, "", "TC", 51, 1, "S", "Member"]), table(HEADING, story(number, "The Ceo")))


def test_a_file_means_the_owner(place):
    email = address("ceo")
    mallory = takes(place, email)
    ok(place.client.post(f"/accounts/{place.account}/memberships", {"person_id": mallory.id}))
    members, stories = files(email, 8806001)
    done = over(place.client, asked(place.client, place.path, ("file", "members.csv", members.encode()),
                                    ("file", "stories.csv", stories.encode())))
    assert done["state"] == "done", done
    requester = ok(place.client.get("/stories/8806001"))["requested_by_id"]
    assert mallory.id not in place.people() | {requester}
    assert place.server.sql("select placeholder, said_email from person where id = %s", requester) == [(True, email)]


def test_the_map_of_an_import_means_the_owner(place):
    email = address("ceo")
    mallory = takes(place, email)
    ok(place.client.post(f"/accounts/{place.account}/memberships", {"person_id": mallory.id}))
    _, stories = files(email, 8806002)
    for action, state in (("match", "refused"), ("create", "done")):
        rows = table(COLUMNS, ["The Ceo", email, "", "", action])
        done = over(place.client, asked(place.client, place.path, ("file", "stories.csv", stories.encode()),
                                        ("people", "people.csv", rows.encode())))
        assert done["state"] == state, done
    assert mallory.id not in place.people() | {ok(place.client.get("/stories/8806002"))["requested_by_id"]}
    # By anything else, the map can still mean Mallory, who is in the account.
    rows = table(COLUMNS, ["The Boss", email, "", str(mallory.id), "match"])
    file = table(HEADING, story(8806003, "The Boss"))
    done = over(place.client, asked(place.client, place.path, ("file", "s.csv", file.encode()), ("people", "people.csv", rows.encode())))
    assert done["state"] == "done", done
    assert ok(place.client.get("/stories/8806003"))["requested_by_id"] == mallory.id


def test_a_file_of_the_operator_means_the_owner(place, tmp_path):
    email = address("ceo")
    mallory = takes(place, email)
    for name, text in zip(("members.csv", "stories.csv"), files(email, 8806010)):
        (tmp_path / name).write_text(text)
    place.server.ctl("import", "--project", str(place.project), "--people", tmp_path / "people.csv",
                     tmp_path / "members.csv", tmp_path / "stories.csv")
    assert mallory.id not in place.people() | {ok(place.client.get("/stories/8806010"))["requested_by_id"]}


def test_operators_give_nothing_to_an_address_that_somebody_took(place):
    email, going = address("ceo"), Person(place.server, "Going")
    mallory = takes(place, email)
    ghost = Person(place.server, "Ghost").id
    place.server.sql("update person set placeholder = true where id = %s", ghost)
    for args in (("account", "add", f"A {uuid.uuid4()}", "--owner", email), ("account", "give", str(place.account), "--owner", email),
                 ("person", "remove", going.username, "--heir", email, "--yes"), ("person", "claim", str(ghost), "--as", email)):
        said = fails(place.server, *args)
        assert "nobody has confirmed it" in said and email in said, said
    assert place.server.sql("select 1 from account_membership where person_id = %s", mallory.id) == []
    place.server.ctl("person", "claim", str(ghost), "--as", mallory.username)
    place.server.ctl("person", "rename", email, "--email", email)
    place.server.ctl("account", "give", str(place.account), "--owner", email)
    place.server.ctl("account", "give", str(place.account), "--owner", place.boss.username)


def test_an_address_that_was_confirmed_once_claims_nothing(place):
    """Somebody else had it meanwhile."""
    who, ghost = Person(place.server, "Was Here"), Person(place.server, "Ghost").id
    client, email = Client(place.server, who.token), who.email
    place.server.sql("update person set confirmed_email = email where id = %s", who.id)
    place.server.sql("update person set placeholder = true, said_email = %s where id = %s", email, ghost)
    assert [p["id"] for p in ok(client.get("/my/placeholders"))] == [ghost]
    for other in (address(), email):
        ok(client.put("/me", {"email": other, "password": who.password}))
    assert ok(client.get("/my/placeholders")) == []
    assert client.post(f"/my/placeholders/{ghost}/claim", {}).status_code == 404


@pytest.mark.parametrize("letter, alike", [("k", "\u212a"), ("i", "\u0130")])
def test_an_address_that_only_looks_alike_is_none(place, letter, alike):
    """In lower case, two letters become ASCII ones: whoever had such an address would stand in the way of the one whom
    it resembles, and no letter could settle whose it is."""
    email = address(f"{letter}m")
    twin = alike + email[1:]
    mallory = Person(place.server, "Mallory")
    client = Client(place.server, mallory.token)
    refused = client.put("/me", {"email": twin, "password": mallory.password})
    assert refused.status_code == 400 and "is not a valid email address" in refused.text, refused.text
    new_person = {"email": twin, "name": "Twin", "initials": "T"}
    refused = client.post(f"/projects/{new_project(client)['id']}/memberships", new_person)
    assert refused.status_code == 400 and "is not a valid email address" in refused.text, refused.text
    rows = table(COLUMNS, ["The Ceo", twin, "", "", "create"])
    done = over(place.client, asked(place.client, place.path, ("file", "s.csv", table(HEADING, story(8806004, "The Ceo")).encode()),
                                    ("people", "people.csv", rows.encode())))
    assert done["state"] == "refused", done
    made = ok(place.client.post(f"{place.path}/memberships", {**new_person, "email": email}))
    assert made["person"]["email"] == email


@pytest.mark.parametrize("letter, alike", [("k", "\u212a"), ("i", "\u0130")])
def test_a_user_name_that_looks_alike_stands_in_nobodys_way(place, letter, alike):
    email = address(f"{letter}m")
    name = email.partition("@")[0]
    named(place, alike + name[1:])
    made = ok(place.client.post(f"{place.path}/memberships", {"email": email, "name": "Kim", "initials": "K"}))
    assert made["person"]["username"] == f"{name}2"


def test_a_file_names_people_as_they_may_name_themselves(place):
    name = uuid.uuid4().hex
    rows = table(COLUMNS, ["The Ceo", f"{name}@company.test", f"ceo:{name}", "", "create"])
    done = over(place.client, asked(place.client, place.path, ("file", "s.csv", table(HEADING, story(8806005, "The Ceo")).encode()),
                                    ("people", "people.csv", rows.encode())))
    assert done["state"] == "done", done
    assert ok(place.client.get("/stories/8806005?fields=requested_by"))["requested_by"]["username"] == name
