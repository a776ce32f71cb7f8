"""planwrightctl import (planwright-import(7)): people and their map, the report, exit statuses."""

import csv
import io
import json
import os
import re
import uuid
import zipfile

import pytest

from conftest import Client
from test_ctl import IDS_FROM
from world import ok

HEADING = ["Id", "Title", "Labels", "Type", "Estimate", "Current State", "Created at", "Accepted at",
           "Requested By", "Owned By", "Owned By", "Comment", "Review Type", "Reviewer", "Review Status"]
MEMBERS = ["Name", "Email Address", "Username", "Initials", "Person ID", "Project Id", "Project Name",
           "Project Role"]
COLUMNS = ["name", "email", "username", "person_id", "action"]


def table(heading, *rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([heading, *rows])
    return out.getvalue()


def story(number, requester="", *owners, comment="", reviewer=""):
    one, two = (*owners, "", "")[:2]
    return [number, f"Story {number}", "", "feature", "", "unstarted", "Oct 2, 2023", "", requester, one,
            two, comment, "code" if reviewer else "", reviewer, "pass" if reviewer else ""]


class Place:
    """An account with an owner, a folder with files, and what imports of them report."""

    def __init__(self, stack, person, folder):
        self.stack, self.folder, self.name = stack, folder, f"Import {uuid.uuid4().hex[:8]}"
        self.owner = person("Olga Owner")
        self.client = Client(stack, self.owner.token)
        said = stack.ctl("account", "add", self.name, "--owner", self.owner.username).stdout
        self.account = said.split()[2].rstrip(",")

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def run(self, *args, status=0):
        new = [] if "--project" in args else ["--account", self.account, "--new-project", self.name]
        done = self.stack.ctl("import", *new, "--report", self.folder / "report", *args, check=False)
        assert done.returncode == status, (done.stdout, done.stderr)
        lines = (self.folder / "report").read_text().splitlines()
        self.report, self.summary, self.said = [json.loads(x) for x in lines], done.stdout, done.stderr
        return self

    def codes(self, severity=None):
        return {line["code"] for line in self.report if severity in (None, line["severity"])}

    @property
    def project(self):
        rows = self.stack.sql("select id from project where account_id = %s and name = %s",
                              self.account, self.name)
        return rows[0][0] if rows else None

    def map(self):
        with (self.folder / "people.csv").open(newline="") as file:
            heading, *rows = csv.reader(file)
        assert heading[:5] == COLUMNS and heading[5:] in ([], ["candidates"])
        self.candidates = {row[0]: row[5] for row in rows if row[5:] and row[5]}
        assert bool(heading[5:]) == bool(self.candidates)
        return {(name, email): (username, person, action)
                for name, email, username, person, action, *_ in rows}

    def edit(self, name, **changes):
        """Changes the row that has this name and no address."""
        with (self.folder / "people.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        row, = [r for r in rows if (r["name"], r["email"]) == (name, "")]
        row.update(changes)
        self.file("people.csv", table(COLUMNS, *([r[c] for c in COLUMNS] for r in rows)))


@pytest.fixture
def place(stack, person, tmp_path):
    return Place(stack, person, tmp_path)


@pytest.fixture
def ids():
    """Unused ids, smaller than those that tests specify."""
    start = int.from_bytes(os.urandom(3), "big") * 8
    return iter(range(start + 1, start + 8))


def people(place, *names):
    """The members with these names: [(id, placeholder, role)]."""
    return [place.stack.sql(
        "select p.id, p.placeholder, m.role from person p join project_membership m"
        " on m.person_id = p.id and m.project_id = %s where p.name = %s", place.project, name)
        for name in names]


# --- the map ------------------------------------------------------------------------

def test_a_dry_run_writes_the_map_and_nothing_else(place, ids):
    file = place.file("s.csv", table(HEADING, story(next(ids), "Ana Núñez (dry)", "=Bo, Li (dry)")))
    place.run("--dry-run", "--people", place.folder / "people.csv", file)
    assert place.map() == {("Ana Núñez (dry)", ""): ("", "", "placeholder"),
                           ("'=Bo, Li (dry)", ""): ("", "", "placeholder")}
    assert "this was a dry run" in place.summary and place.project is None
    assert not place.stack.sql("select 1 from person where name in ('Ana Núñez (dry)', '=Bo, Li (dry)')")
    before = (place.folder / "people.csv").read_bytes()
    place.run("--dry-run", "--people", place.folder / "people.csv", file)
    assert (place.folder / "people.csv").read_bytes() == before


def test_what_is_edited_is_kept_and_done(place, person, ids):
    wished, here = next(ids), person("Somebody Else")
    address = f"new-{wished}@example.test"
    file = place.file("s.csv", table(HEADING, story(next(ids), "Ana", "Bo", "Cy"), story(
        next(ids), "Di", comment="Text (Ed - Oct 3, 2023)")))
    args = ["--people", place.folder / "people.csv", file]
    place.run("--dry-run", *args)
    place.edit("Ana", person_id=here.id, action="match")
    place.edit("Bo", email=address, person_id=wished, action="create")
    place.edit("Cy", action="skip")
    place.edit("Di", person_id=wished + 1000, action="Placeholder")
    place.edit("Ed", email=here.email, action="match")
    place.run("--dry-run", *args)
    assert place.map() == {
        ("Ana", ""): ("", str(here.id), "match"), ("Bo", address): ("", str(wished), "create"),
        ("Cy", ""): ("", "", "skip"), ("Di", ""): ("", str(wished + 1000), "placeholder"),
        ("Ed", here.email): ("", str(here.id), "match")}
    place.run(*args)
    first, second = ok(place.client.get(f"/projects/{place.project}/stories?fields=:default,comments"))
    assert (first["requested_by_id"], first["owner_ids"]) == (here.id, [wished])
    assert second["requested_by_id"] == wished + 1000
    assert second["comments"][0]["person_id"] == here.id
    assert place.stack.sql("select email, placeholder, password_hash, token_mac, username_claimed from person where id = %s",
                           wished) == [(address, False, None, None, False)], "an operator says what they are called"
    assert place.codes() >= {"left_blank", "placeholder"}


@pytest.mark.parametrize("row, said", [
    ("Ana,,,,matched", "the action must be"), ("Ana,,,1x,match", "person_id is not an id"),
    ("Ana,,,999999999999,match", "nobody here has that person_id"),
    ("Ana,,,,create", "needs an email address"), ('"Ana,,,,', "quote")])
def test_a_map_that_is_wrong_refuses(place, ids, row, said):
    file = place.file("s.csv", table(HEADING, story(next(ids), "Ana")))
    place.file("people.csv", f"{','.join(COLUMNS)}\n{row}\n")
    for dry in ([], ["--dry-run"]):
        place.run(*dry, "--people", place.folder / "people.csv", file, status=4)
        assert said in place.said and "people.csv" in place.said and place.project is None
        assert place.said.count("\n") == 1 + len(re.findall("^read", place.said, re.M))


def test_a_map_that_cannot_be_written_refuses(place, ids):
    file = place.file("s.csv", table(HEADING, story(next(ids), "Ana")))
    place.run("--people", place.folder / "none" / "people.csv", file, status=4)
    assert "the map of people " in place.said and "cannot be written: No such file or directory" in place.said and place.project is None


# --- who is suggested -----------------------------------------------------------------

def test_members_are_found_by_their_address_anywhere(place, person, ids):
    known, ana, bo = person("Known Elsewhere"), next(ids), next(ids)
    members = place.file("m.csv", table(
        MEMBERS, ["Ana", known.email.upper(), "anna", "AN", ana, 1, "Shop", "Owner"],
        ["Bo", f"bo-{bo}@example.test", "bo", "BL", bo, 1, "Shop", "Viewer"]))
    file = place.file("s.csv", table(HEADING, story(next(ids), "Ana", "Bo", "Cy")))
    place.run("--people", place.folder / "people.csv", file, members)
    assert [row[2] for row in place.map().values()] == ["match", "placeholder", "placeholder"]
    made, = ok(place.client.get(f"/projects/{place.project}/stories"))
    assert made["requested_by_id"] == known.id and made["owner_ids"][0] == bo
    roles = dict(place.stack.sql("select person_id, role from project_membership where project_id = %s",
                                 place.project))
    assert roles == {known.id: "owner", bo: "viewer", made["owner_ids"][1]: "member",
                     place.owner.id: "owner"}


def test_names_are_found_in_the_account_alone(place, stack, person, tmp_path_factory, ids):
    stranger, mate = person("Shared Name"), person("Team Mate")
    other = ok(place.client.post("/projects", {"name": "Other", "account_id": int(place.account)}))
    ok(place.client.post(f"/projects/{other['id']}/memberships", {"person_id": mate.id}))
    file = place.file("s.csv", table(HEADING, story(next(ids), "Shared Name", "Team Mate")))
    place.run(file)
    (shared, is_placeholder, role), = people(place, "Shared Name")[0]
    assert (is_placeholder, role) == (True, "member") and shared != stranger.id
    assert people(place, "Team Mate") == [[(mate.id, False, "member")]]
    # A placeholder from an earlier import is found in the same account, but not in another one.
    place.name += " 2"
    place.run(place.file("t.csv", table(HEADING, story(next(ids), "Shared Name"))))
    assert people(place, "Shared Name") == [[(shared, True, "member")]]
    elsewhere = Place(stack, person, tmp_path_factory.mktemp("other"))
    elsewhere.run(elsewhere.file("u.csv", table(HEADING, story(next(ids), "Shared Name"))))
    assert people(elsewhere, "Shared Name")[0][0][0] not in (shared, stranger.id)


def test_namesakes_are_refused_until_the_map_says_who_is_who(place, ids):
    one, two = next(ids), next(ids)
    members = place.file("m.csv", table(
        MEMBERS, ["Sam", f"sam-{one}@example.test", "", "S", one, 1, "Shop", "Member"],
        ["Sam", f"sam-{two}@example.test", "", "S", two, 1, "Shop", "Member"]))
    file = place.file("s.csv", table(HEADING, story(next(ids), "Sam")))
    args = ["--people", place.folder / "people.csv", file, members]
    for dry in (["--dry-run"], []):
        place.run(*dry, *args, status=4)
        assert place.map()["Sam", ""] == ("", "", "ambiguous") and place.project is None
        assert place.codes("error") == {"ambiguous_person"} and "several people" in place.said
        them = (f"sam-{one}@example.test ({one} in the files); sam-{two}@example.test"
                f" ({two} in the files)")
        assert place.candidates == {"Sam": them} and f"; it may be {them}" in place.said
    place.edit("Sam", person_id=two, action="match")
    place.run(*args)
    made, = ok(place.client.get(f"/projects/{place.project}/stories"))
    assert made["requested_by_id"] == two
    # From now on it is known, also without the map.
    place.run("--project", place.project, file, members)
    assert "this was" not in place.summary and place.codes("error") == set()


def test_namesakes_here_are_told_apart(place, person, ids):
    """By what the importer may see of them, in the map and in the message."""
    two = [person("Kim Poe"), person("Kim Poe")]
    other = ok(place.client.post("/projects", {"name": "Other", "account_id": int(place.account)}))
    for who in two:
        ok(place.client.post(f"/projects/{other['id']}/memberships", {"email": who.email}))
    place.run("--people", place.folder / "people.csv",
              place.file("s.csv", table(HEADING, story(next(ids), "Kim Poe"))), status=4)
    assert place.map()["Kim Poe", ""] == ("", "", "ambiguous")
    them = "; ".join(f"person_id {p.id}: {p.email}" for p in two)
    assert place.candidates == {"Kim Poe": them}
    assert [x["message"] for x in place.report if x["code"] == "ambiguous_person"][0].endswith(
        f"; it may be {them}")


@pytest.mark.parametrize("placeholder", ["placeholder", "Placeholder"])
def test_made_up_addresses_are_nobodys(place, person, ids, placeholder):
    """The addresses that dumps invent for former members, and those of another server's placeholders."""
    one, two, three = next(ids), next(ids), next(ids)
    traps = [person("Trap", email=f"unknown-{one}@example.com"),
             person("Trap", email=f"{placeholder}-{three}@placeholder.invalid")]
    members = place.file("m.csv", table(
        MEMBERS, ["Former", traps[0].email, "", "F", one, 1, "Shop", "Member"],
        ["Placed", traps[1].email, "", "P", three, 1, "Shop", "Member"]))
    file = place.file("stories.json", json.dumps([{
        "kind": "story", "id": next(ids), "name": "A story", "story_type": "feature",
        "current_state": "unstarted", "created_at": "2023-10-02T12:00:00Z", "requested_by": {
            "kind": "person", "id": two, "name": "unknown", "username": f"unknown-{two}",
            "email": f"unknown-{two}@example.com", "initials": "??"}}]))
    place.run("--people", place.folder / "people.csv", file, members)
    assert place.map() == {
        ("Former", ""): ("", str(one), "placeholder"), ("Placed", ""): ("", str(three), "placeholder"),
        (f"Unknown {two}", ""): ("", str(two), "placeholder")}
    made, = ok(place.client.get(f"/projects/{place.project}/stories"))
    assert made["requested_by_id"] == two
    assert people(place, "Trap") == [[]]


# --- placeholders ------------------------------------------------------------------------

def test_nobody_is_a_placeholder(place, stack, ids):
    """No login, no token, no mail, no notification; and nothing is attributed to the importer."""
    file = place.file("s.csv", table(HEADING, story(next(ids), "", "Ghost", comment="Who? (no date)")))
    place.run(file)
    ghost = people(place, "Ghost")[0][0][0]
    assert ghost >= IDS_FROM
    row, = stack.sql("select username, email, password_hash, token_mac, receives_in_app_notifications"
                     " from person where id = %s", ghost)
    assert row == (f"placeholder-{ghost}", f"placeholder-{ghost}@placeholder.invalid", None, None, False)
    made, = ok(place.client.get(f"/projects/{place.project}/stories?fields=:default,comments"))
    assert made.get("requested_by_id") is None and made["owner_ids"] == [ghost]
    author = made["comments"][0].get("person_id")
    assert author != place.owner.id
    path = f"/projects/{place.project}/stories/{made['id']}"
    ok(place.client.post(f"{path}/comments", {"text": f"@placeholder-{ghost} are you there?"}))
    assert stack.sql("select 1 from notification where person_id = %s", ghost) == []
    assert stack.sql("select 1 from notification where project_id = %s", place.project) == []


def test_a_claim_is_no_change_for_the_next_import(place, stack, person, ids):
    rows = [story(next(ids), "Ghost", "Ghost", comment="Text (Ghost - Oct 3, 2023)", reviewer="Ghost")]
    file, heir = place.file("s.csv", table(HEADING, *rows)), person("Heir")
    place.run(file)
    stack.ctl("person", "claim", str(people(place, "Ghost")[0][0][0]), "--as", heir.email)
    version = ok(place.client.get(f"/projects/{place.project}"))["version"]
    place.run("--project", place.project, file)
    assert ok(place.client.get(f"/projects/{place.project}"))["version"] == version
    made, = ok(place.client.get(f"/projects/{place.project}/stories?fields=:default,comments,reviews"))
    assert (made["requested_by_id"], made["owner_ids"]) == (heir.id, [heir.id])
    assert [c["person_id"] for c in made["comments"]] == [heir.id]
    assert [r["reviewer_id"] for r in made["reviews"]] == [heir.id]


def test_an_id_that_is_taken_is_not_given_twice(place, ids, stack):
    number, taken = next(ids), place.owner.id
    members = place.file("m.csv", table(
        MEMBERS, ["Ana", f"ana-{number}@example.test", "", "A", taken, 1, "Shop", "Member"],
        ["Bo", f"bo-{number}@example.test", "", "B", 4_000_000_000, 1, "Shop", "Member"]))
    place.run(place.file("s.csv", table(HEADING, story(next(ids), "Ana", "Bo"))), members)
    made, = ok(place.client.get(f"/projects/{place.project}/stories"))
    both = {made["requested_by_id"], *made["owner_ids"]}
    assert len(both) == 2 and not both & {taken, 4_000_000_000} and min(both) > taken
    assert [x["severity"] for x in place.report if x["code"] == "person_id"] == ["changed"] * 2
    (last,), = stack.sql("select last_value from person_id_seq")
    assert last < IDS_FROM + 2_000_000


# --- the end ------------------------------------------------------------------------------

def test_all_is_in(place, ids):
    done = place.run(place.file("s.csv", table(HEADING, story(next(ids), "Ana"))))
    assert f"the project is {place.project}\n" in done.summary
    assert "created   updated      same   skipped      lost\n" in done.summary
    assert all(set(x) == {"file", "row", "line", "id", "column", "severity", "code", "message"}
               for x in done.report)
    assert done.codes("lost") == set() and "placeholder" in done.codes("note")
    assert re.match("(read\n)?read: [1-9]", done.said), "the first line may tell that nothing is read after a second"


def test_losses_are_told_by_row_and_column(place, ids):
    number = next(ids)
    rows = [story(number) + ["a", ""], story(next(ids)) + ["", "too", "much"]]
    place.run(place.file("s.csv", table([*HEADING, "Colour", "Mood"], *rows)), status=3)
    lost = {x["code"]: x for x in place.report if x["severity"] == "lost"}
    assert {x["column"] for x in place.report if x["code"] == "unread_column"} == {"Colour", "Mood"}
    assert (lost["row_too_long"]["row"], lost["row_too_long"]["file"]) == (3, str(place.folder / "s.csv"))
    assert "lost: 1 x row_too_long" in place.summary
    assert re.search(r"^story +1 +0 +0 +0 +1$", place.summary, re.M)
    assert [s["id"] for s in ok(place.client.get(f"/projects/{place.project}/stories"))] == [number]


@pytest.mark.parametrize("text, said", [("nothing known", "s.csv"), ('Id,Title\n1,"open', "quote")])
def test_what_is_refused_leaves_nothing(place, text, said):
    place.run("--people", place.folder / "people.csv", place.file("s.csv", text), status=4)
    assert place.said.splitlines()[-1].startswith("planwrightctl: import: ")
    assert said in place.said and str(place.folder / "s.csv") in place.said
    assert place.project is None and place.codes("error")


def test_a_project_that_is_not_there(place, ids):
    file = place.file("s.csv", table(HEADING, story(next(ids))))
    place.run("--project", "77", file, status=4)
    assert "77" in place.said and place.said.count("\n") == 1


def test_a_zip_becomes_a_project_by_one_command(place, ids):
    number = next(ids)
    name = "departments_and_policy__dev__20250324_145531-export"
    with zipfile.ZipFile(place.folder / f"{name}.zip", "w") as packed:
        packed.writestr(f"{name}/{name[:-7]}.csv", table(HEADING, story(number, "Ana")))
        packed.writestr(f"{name}/{number}/notes.txt", "Some notes\n")
    done = place.stack.ctl("import", "--account", place.account, place.folder / f"{name}.zip")
    place.name = "Departments and policy dev"
    assert f"the project is {place.project}\n" in done.stdout
    made = ok(place.client.get(f"/projects/{place.project}/stories/{number}"
                               "?fields=name,comments(file_attachments(filename))"))
    assert made["name"] == f"Story {number}"
    assert made["comments"][0]["file_attachments"][0]["filename"] == "notes.txt"
