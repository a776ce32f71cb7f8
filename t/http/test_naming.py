"""Who may refer to whom (contract 1.11): the API and imports follow the same rule, in each setting."""

import csv
import itertools
import uuid

import pytest

from conftest import Client, Person, Stack, stack_folder
from importing import asked, over
from test_import_people import COLUMNS, HEADING, MEMBERS, table
from world import ok

SETTINGS = ("any", "seen")
TARGETS = ("stranger", "elsewhere", "mate", "member")
WAYS = ("person_id", "email", "username")


class Place:
    """Two accounts. Boss owns both; lead owns a project in the first without administering it; mate is in that
    account; elsewhere is only in the other one."""

    def __init__(self, stack):
        self.stack = stack
        self.people = {name: Person(stack, name.title()) for name in ("boss", "lead", *TARGETS)}
        self.clients = {name: Client(stack, p.token) for name, p in self.people.items()}
        boss = self.clients["boss"]
        self.account, other = (stack.ctl("account", "add", f"{name} {uuid.uuid4()}", "--owner",
                                         self.people["boss"].username).stdout.split()[2].rstrip(",")
                               for name in ("Here", "There"))
        self.second = self.project("Second", mate="member")
        away = ok(boss.post("/projects", {"name": f"Away {uuid.uuid4()}", "account_id": int(other)}))
        ok(boss.post(f"/projects/{away['id']}/memberships", {"email": self.people["elsewhere"].email}))

    def project(self, name="Named", **people):
        """A project in the first account, in which these people have these roles."""
        boss = self.clients["boss"]
        made = ok(boss.post("/projects", {"name": f"{name} {uuid.uuid4()}"[:50],
                                          "account_id": int(self.account)}))
        path = f"/projects/{made['id']}"
        for who, role in people.items():
            ok(boss.post(f"{path}/memberships", {"email": self.people[who].email, "role": role}))
        return path

    def named(self, path):
        """The ids of the people in the project."""
        return {m["person"]["id"] for m in ok(self.clients["boss"].get(f"{path}/memberships"))}

    def ends(self, client, path, *imports):
        """What each import reported at its end."""
        urls = [asked(client, path, *parts) for parts in imports]
        return [over(client, url) for url in urls]


@pytest.fixture(scope="module", params=SETTINGS)
def place(request, stack):
    if request.param == "any":
        yield Place(stack)
        return
    own = Stack(stack_folder("naming"), workers=2, settings="add_people_by_id = seen")
    yield Place(own)
    own.close()


@pytest.fixture
def only_seen(place):
    return "seen" in (place.stack.directory / "planwright.conf").read_text()


def people_csv(*rows):
    return ("people", "people.csv", table(COLUMNS, *rows).encode())


def stories(name, *numbers, comment="", owner=""):
    rows = [[n, f"Story {n}", "", "feature", "", "unstarted", "Oct 2, 2023", "", name, owner, "",
             comment, "", "", ""] for n in numbers]
    return ("file", "stories.csv", table(HEADING, *rows).encode())


NOBODY = {"person_id": "999999999", "email": "no@example.test", "username": "nobody-at-all"}


def told(place, path, client):
    """For an import whose map names each target in each way: the messages of those that are refused."""
    rows, numbers = [], itertools.count(8801000)
    for target, way in itertools.product((*TARGETS, "nobody"), WAYS):
        who = place.people.get(target)
        value = {"person_id": who.id, "email": who.email, "username": who.username}[way] if who else NOBODY[way]
        row = {"name": f"{target} {way}", "action": "match", way: value}
        rows.append([row.get(c, "") for c in COLUMNS])
    file = table(HEADING, *([next(numbers), "S", "", "feature", "", "unstarted", "Oct 2, 2023", "", row[0]]
                            + [""] * 6 for row in rows))
    url = asked(client, path, ("dry_run", b"true"), ("file", "s.csv", file.encode()), people_csv(*rows))
    over(client, url)
    said = {}
    for line in ok(client.get(f"{url}/report?severity=error&limit=1000")):
        for row in rows:
            if f"{row[0]}" in line["message"]:
                said[tuple(row[0].split())] = line["message"].replace(row[0], "").replace(row[1], "")
    return said


@pytest.mark.parametrize("actor", ["boss", "lead"])
def test_imports_name_whom_they_may(place, actor):
    path = place.project(lead="owner", member="member")
    said = told(place, path, place.clients[actor])
    assert said.keys() == {(t, w) for t in ("stranger", "elsewhere", "nobody") for w in WAYS}
    # Nothing reveals whether such a person exists.
    assert all(said[t, w] == said["nobody", w] for t, w in said)
    assert place.named(path) == {place.people[p].id for p in ("boss", "lead", "member")}


@pytest.mark.parametrize("actor", ["boss", "lead"])
def test_the_interface_names_whom_it_may(place, actor, only_seen):
    client = place.clients[actor]
    for target, way in itertools.product(("stranger", "elsewhere", "mate"), ("person_id", "email")):
        path = place.project(lead="owner")
        who = place.people[target]
        value = {"person_id": who.id, "email": who.email}[way]
        story = ok(client.post(f"{path}/stories", {"name": "S"}))["id"]
        for send, where, body in (
                (client.post, f"{path}/stories", {"name": "S", "owner_ids": [who.id]}),
                (client.post, f"{path}/stories", {"name": "S", "requested_by_id": who.id}),
                (client.put, f"{path}/stories/{story}", {"follower_ids": [who.id]}),
                (client.post, f"{path}/stories/{story}/comments", {"text": "x", "person_id": who.id}),
                (client.post, f"{path}/stories/{story}/blockers", {"description": "x", "person_id": who.id}),
                (client.post, f"{path}/stories/{story}/owners", {"id": who.id})):
            assert send(where, body).status_code == 400, (target, where)
        ok(client.post(f"{path}/stories/{story}/comments", {"text": f"@{who.username} look"}))
        assert not place.stack.sql("select 1 from notification where person_id = %s and story_id = %s",
                                   who.id, story)
        seen = target == "mate" or (target == "elsewhere" and actor == "boss")
        may = way == "email" or seen or not only_seen
        answer = client.post(f"{path}/memberships", {way: value})
        assert answer.status_code == (200 if may else 404), (target, way)
        if may:
            ok(client.put(f"{path}/stories/{story}", {"owner_ids": [who.id]}))
        if may and target != "mate":
            ok(place.clients["boss"].delete(f"/accounts/{place.account}/memberships/{who.id}"), 204)


def test_only_owners_add_people_and_import(place):
    path = place.project(member="member", mate="viewer")
    for who in ("member", "mate", "stranger"):
        client = place.clients[who]
        assert client.post(f"{path}/memberships", {"email": "x@example.test", "name": "X"}).status_code == 403
        with pytest.raises(AssertionError):
            asked(client, path, stories("Ana", 7))


def test_a_stranger_credits_nobody(place):
    """A name, an address or a map that means somebody in another account becomes a placeholder, or is refused: no
    member, no author, no address in an answer."""
    stranger, boss, mate = (place.people[x] for x in ("stranger", "boss", "mate"))
    client = place.clients["stranger"]
    project = ok(client.post("/projects", {"name": f"Mine {uuid.uuid4()}"[:50], "new_account_name": str(uuid.uuid4())}))
    path = f"/projects/{project['id']}"
    members = ("file", "members.csv", table(MEMBERS, ["Boss", boss.email, "boss", "B", 31, 1, "S", "Owner"],
                                            ["Mate", "", mate.username, "M", 32, 1, "S", "Member"]).encode())
    refused, = place.ends(client, path, (
        stories("The Boss", 8804100), people_csv(["The Boss", "", boss.username, "", "match"])))
    assert refused["state"] == "refused"
    done, = place.ends(client, path, (members, stories(
        "Boss", 8804101, owner="Mate", comment=f"Pay it @{boss.username} (Boss - Jan 3, 2024)"),
        people_csv(["Cy", boss.email, "", "", "create"])))
    assert done["state"] == "done", done
    found = client.get(f"{path}/stories?fields=:default,requested_by,owners,comments(person,imported_at,imported_by)")
    story, = ok(found)
    people = [story["requested_by"], *story["owners"], story["comments"][0]["person"]]
    assert not {p["id"] for p in people} & {boss.id, mate.id} and boss.email not in found.text
    members = ok(client.get(f"{path}/memberships?fields=person,role"))
    assert not {m["person"]["id"] for m in members} & {boss.id, mate.id}
    assert boss.email not in client.get(f"{path}/memberships").text
    assert not place.stack.sql("select 1 from notification where project_id = %s", project["id"])
    # Who imported it, and when.
    comment, = story["comments"]
    assert comment["imported_by"]["id"] == stranger.id and comment["imported_at"]
    told = ok(client.get(f"{path}/stories/{story['id']}?fields=imported_at,imported_by_id"))
    assert told["imported_by_id"] == stranger.id and told["imported_at"] == comment["imported_at"]
    assert "imported_at" not in ok(client.get(f"{path}/stories/{story['id']}"))
    own = ok(client.post(f"{path}/stories", {"name": "By hand"}))["id"]
    assert set(ok(client.get(f"{path}/stories/{own}?fields=imported_at,imported_by"))) == {"id"}


def test_who_joins_by_an_import_hears_of_it(place):
    """As with POST …/memberships: a version, an activity, a notification."""
    path, mate = place.project(lead="owner"), place.people["mate"]
    client = place.clients["lead"]
    before = ok(client.get(path))["version"]
    fresh = f"{uuid.uuid4().hex}@example.test"
    done, = place.ends(client, path, (
        ("file", "members.csv", table(MEMBERS, ["Mate", mate.email, "", "M", 41, 1, "S", "Viewer"]).encode()),
        stories("Mate", 8804200, owner="New"), people_csv(["New", fresh, "", "", "create"])))
    assert done["state"] == "done", done
    roles = {m["person"]["id"]: m["role"] for m in ok(client.get(f"{path}/memberships"))}
    (new,), = place.stack.sql("select id from person where email = %s", fresh)
    assert roles[mate.id] == "viewer" and roles[new] == "member"
    project = int(path.rsplit("/", 1)[1])
    assert place.stack.sql("select person_id, action, message from notification where project_id = %s"
                           " and action = 'membership' order by person_id = %s", project, new)[-2:] == [
        (mate.id, "membership", "Lead has added you to this project"),
        (new, "membership", "Lead has added you to this project")]
    kinds = [a["kind"] for a in ok(client.get(f"{path}/activity"))]
    assert kinds[0] == "project_import_activity"
    assert kinds[1:3] == ["project_membership_create_activity"] * 2
    assert ok(client.get(path))["version"] == before + 3


def test_the_operator_names_anybody(place, tmp_path):
    stranger = place.people["stranger"]
    path = place.project()
    (tmp_path / "s.csv").write_bytes(stories("Ana", 8804300 + place.people["boss"].id)[2])
    (tmp_path / "people.csv").write_text(table(COLUMNS, ["Ana", "", stranger.username, "", "match"]))
    place.stack.ctl("import", "--project", path.rsplit("/", 1)[1], "--people", tmp_path / "people.csv",
                    tmp_path / "s.csv")
    assert stranger.id in place.named(path)
    with (tmp_path / "people.csv").open(newline="") as file:
        assert [r["person_id"] for r in csv.DictReader(file)] == [str(stranger.id)]
    # A person who is removed may have an heir whom the account's owner never saw.
    going = Person(place.stack, "Going")
    ok(place.clients["boss"].post(f"{path}/memberships", {"email": going.email, "role": "owner"}))
    left, = (m["id"] for m in ok(place.clients["boss"].get(f"{path}/memberships")) if m["person"]["id"] == place.people["boss"].id)
    ok(Client(place.stack, going.token).delete(f"{path}/memberships/{left}"), 204)
    heir = Person(place.stack, "Heir")
    place.stack.ctl("person", "remove", going.username, "--heir", heir.username, "--yes")
    assert heir.id in {m["person"]["id"] for m in ok(Client(place.stack, heir.token).get(f"{path}/memberships"))}
