"""planwrightctl person claim: a person takes over what a placeholder of an import has."""

import json
import re

import pytest

from conftest import Client
from team import Team
from test_ctl import fails
from world import ok


@pytest.fixture(scope="module")
def server_team(stack, api, person):
    """A team whose member `other` did a lot, and is then turned into a placeholder."""
    t = Team(stack, api, person)
    t.ghost, t.heir = t.people["other"], person("Heir of all")
    path, ghost, kind = t.story, t.ghost.id, ok(t.member.get(f"{t.path}/review_types"))[0]["id"]
    ok(t.other.post(f"{t.path}/stories", {"name": "Its own", "owner_ids": [ghost]}))
    ok(t.member.put(path, {"owner_ids": [ghost, t.people["member"].id], "follower_ids": [
        ghost, t.people["member"].id]}))
    ok(t.other.put(path, {"requested_by_id": ghost, "current_state": "started", "estimate": 1}))
    ok(t.other.post(f"{path}/comments", {"text": "Said before"}))
    ok(t.other.post(f"{t.epic}/comments", {"text": "Of the epic"}))
    ok(t.other.post(f"{t.epic}/comments", {"text": "A file", "file_attachments": [
        ok(t.other.post(f"{t.path}/uploads", files={"file": ("a.txt", b"a")}))]}))
    ok(t.other.post(f"{path}/blockers", {"description": "Waits"}))
    ok(t.member.post(f"{path}/reviews", {"review_type_id": kind, "reviewer_id": ghost}))
    ok(t.other.post(f"{t.path}/my/searches", {"name": "Mine", "query": "mywork:x"}))
    ok(t.other.post("/my/workspaces", {"name": "Mine", "project_ids": [t.id]}))
    ok(t.member.post(f"{path}/comments", {"text": f"@{t.ghost.username} look"}))
    stack.sql("update person set placeholder = true, name = 'Ghost of all', password_hash = null,"
              " token_mac = null, token_sealed = null where id = %s", ghost)
    stack.sql("insert into imported_person values (%s, 'name:Ghost of all', 'Ghost of all', %s)", t.id, ghost)
    t.ok_before = ok(t.owner.get(f"{t.path}?fields=version"))["version"]
    return t


def columns(sql):
    """Each column of the schema that refers to people: by a foreign key, by its name, or as a list."""
    keys = sql("select c.conrelid::regclass::text, a.attname::text from pg_constraint c"
               " join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]"
               " where c.confrelid = 'planwright.person'::regclass")
    named = sql("select table_name::text, column_name::text from information_schema.columns"
                " where table_schema = 'planwright' and data_type in ('bigint', 'ARRAY')"
                " and column_name ~ '(person|performer|uploader|reviewer|owner|follower|by|member)_ids?$'"
                " and table_name in (select relname from pg_class where relkind = 'r' and not relispartition"
                " and relnamespace = 'planwright'::regnamespace)")
    return {(t.removeprefix("planwright."), c) for t, c in keys + named}


def uses(sql, person):
    """How often the person occurs, by column."""
    found = {}
    for table, column in columns(sql):
        (n,), = sql(f"select count(*) from {table} where '{person}' = any("
                    f"string_to_array(trim(both '{{}}' from {column}::text), ','))")
        if n:
            found[f"{table}.{column}"] = n
    return found


def test_all_that_is_theirs_is_the_heirs(stack, sql, server_team):
    t = server_team
    before = uses(sql, t.ghost.id)
    never = {"google_attachment.person_id", "project_import.person_id", "letter.person_id",
             "sign_in_place.person_id", "session.person_id", "token.person_id", "once.person_id",
             "mail.performer_id", "letter.performer_id",
             "second_factor.person_id", "recovery_code.person_id", "passkey.person_id",
             # Who requests imports, and who signs in with a provider; placeholders do neither.
             "import_turn.person_id", "identity.person_id",
             "story.imported_by_id", "comment.imported_by_id"}
    assert before.keys() == {f"{table}.{c}" for table, c in columns(sql)} - never
    roles = sql("select role from project_membership where person_id = %s", t.ghost.id)
    said = stack.ctl("person", "claim", "Ghost of all", "--as", t.heir.username).stdout
    assert re.fullmatch(r"Heir of all now has what was Ghost of all's: 2 stories and 3 comments in 1 projects;"
                        r" the placeholder is gone\n", said)
    assert uses(sql, t.ghost.id) == {}
    assert uses(sql, t.heir.id).keys() >= before.keys() - {"notification.performer_id"}
    assert sql("select role from project_membership where person_id = %s", t.heir.id) == roles
    assert sql("select count(*) from person where id = %s", t.ghost.id) == [(0,)]


def people_in(value, key=""):
    """Ids of people anywhere in the value; other objects may have the same numbers."""
    if isinstance(value, dict):
        own = {value["id"]} if value.get("kind") == "person" else set()
        return own.union(*(people_in(v, k) for k, v in value.items()))
    if isinstance(value, list):
        return set().union(*(people_in(v, key) for v in value))
    named = re.search(r"(person|by|reviewer|uploader|performer|owner|follower)_ids?$", key)
    return {value} if named else set()


def test_what_clients_see_then(server_team, stack):
    t, heir = server_team, Client(stack, server_team.heir.token)
    story = ok(heir.get(f"{t.story}?fields=:default,requested_by,comments(text,person),reviews,follower_ids"))
    assert story["owner_ids"] == [t.heir.id, t.people["member"].id]
    assert story["requested_by"]["id"] == t.heir.id and t.heir.id in story["follower_ids"]
    assert story["reviews"][0]["reviewer_id"] == t.heir.id
    assert {c["person"]["id"] for c in story["comments"] if c["text"] == "Said before"} == {t.heir.id}
    assert [s["name"] for s in ok(heir.get(f"{t.path}/my/searches"))] == ["Mine"]
    newest, *rest = ok(heir.get(f"{t.path}/activity?limit=100"))
    assert newest["kind"] == "project_import_activity"
    assert newest["message"] == "Heir of all claimed what was imported of Ghost of all"
    assert newest["project_version"] == t.ok_before + 1 == ok(heir.get(t.path))["version"]
    assert t.heir.id in people_in(rest) and t.ghost.id not in people_in(rest)
    assert [t.heir.id, t.people["member"].id] in [
        c["new_values"].get("owner_ids") for a in rest for c in a["changes"] if "new_values" in c]


def placeholder(sql, name, *projects):
    (person,), = sql("select coalesce(max(id), 0) + 1 from person")
    sql("insert into person (id, name, initials, username, email, placeholder) values"
        " (%s, %s, 'X', %s, %s, true)", person, name, f"placeholder-{person}",
        f"placeholder-{person}@placeholder.invalid")
    sql("select setval('person_id_seq', %s)", person)
    for project, role in projects:
        sql("insert into project_membership (project_id, person_id, role) values (%s, %s, %s)",
            project, person, role)
    return person


def test_a_member_keeps_the_stronger_role_and_is_named_once(stack, sql, team_of_two):
    t = team_of_two
    ghost, member = placeholder(sql, "Twice", (t.id, "owner")), t.people["member"].id
    sql("update story set owner_ids = %s, follower_ids = %s where project_id = %s",
        [member, ghost], [ghost, member], t.id)
    sql("update activity set changes = %s where project_id = %s and version = 2", json.dumps(
        [{"new_values": {"owner_ids": [member, 7, ghost], "follower_ids": [ghost], "person_id": ghost,
                         "estimate": ghost, "description": f'"person_id":{ghost}'}}]), t.id)
    stack.ctl("person", "claim", str(ghost), "--as", t.people["member"].email)
    assert sql("select distinct owner_ids, follower_ids from story where project_id = %s", t.id) == [
        ([member], [member])]
    assert sql("select role from project_membership where project_id = %s and person_id = %s",
               t.id, member) == [("owner",)]
    (changes,), = sql("select changes from activity where project_id = %s and version = 2", t.id)
    assert json.loads(changes)[0]["new_values"] == {
        "owner_ids": [member, 7], "follower_ids": [member], "person_id": member,
        "estimate": ghost, "description": f'"person_id":{ghost}'}


@pytest.fixture
def team_of_two(stack, api, person):
    return Team(stack, api, person)


def test_who_cannot_be_claimed(stack, sql, person):
    one, two, who = placeholder(sql, "Same Name"), placeholder(sql, "Same Name"), person("Who")
    assert "2 placeholders are named Same Name: give one by its id" in fails(
        stack, "person", "claim", "Same Name", "--as", who.username)
    assert f"{who.email} is not a placeholder" in fails(
        stack, "person", "claim", who.email, "--as", who.username)
    assert "is a placeholder, too" in fails(stack, "person", "claim", str(one), "--as", str(two))
    gone = person("Gone")
    sql("update person set removed_at = now(), disabled_at = now(), email = null, username = null,"
        " token_mac = null where id = %s", gone.id)
    assert f"nobody has the id, email address or user name {gone.id}" in fails(
        stack, "person", "claim", str(one), "--as", str(gone.id))
    for args in (("nobody", "--as", who.username), (str(one), "--as", "nobody")):
        assert "nobody has the id, email address or user name nobody" in fails(
            stack, "person", "claim", *args)
    assert "0 stories and 0 comments in 0 projects" in stack.ctl(
        "person", "claim", str(one), "--as", who.username).stdout


# --- over HTTP ---------------------------------------------------------------------------

def held(sql, t, name="Ghost of HTTP", email=None):
    """A placeholder who requested the team's story and is in its project and account."""
    ghost = placeholder(sql, name, (t.id, "member"))
    sql("insert into account_membership (account_id, person_id)"
        " select account_id, %s from project where id = %s", ghost, t.id)
    sql("update person set said_email = %s where id = %s", email, ghost)
    sql("update story set requested_by_id = %s where id = %s", ghost, int(t.story.rsplit("/", 1)[1]))
    return ghost


def test_the_account_says_who_a_placeholder_was(sql, team_of_two, person):
    t = team_of_two
    ghost, mate = held(sql, t), t.people["viewer"]
    account = ok(t.owner.get(f"{t.path}?fields=account_id"))["account_id"]
    path = f"/accounts/{account}/placeholders/{ghost}/claim"
    for client in (t.member, t.viewer):
        assert client.post(path, {"person_id": mate.id}).status_code == 403
    for nobody in (person("Stranger").id, ghost, 999999999):
        answer = t.owner.post(path, {"person_id": nobody})
        assert answer.status_code == 400 and "Nobody in the account has this id" in answer.text
    before = ok(t.owner.get(t.path))["version"]
    assert t.owner.post(path, {}).status_code == 400
    assert t.owner.post(f"/accounts/{account}/placeholders/{mate.id}/claim",
                        {"person_id": mate.id}).status_code == 404
    ok(t.owner.post(path, {"person_id": mate.id}), 204)
    assert ok(t.owner.get(t.story))["requested_by_id"] == mate.id
    assert ok(t.owner.get(t.path))["version"] == before + 1
    roles = {m["person"]["id"]: m["role"] for m in ok(t.owner.get(f"{t.path}/memberships"))}
    assert ghost not in roles and roles[mate.id] == "member"
    assert t.owner.post(path, {"person_id": mate.id}).status_code == 404
    newest, *_ = ok(t.owner.get(f"{t.path}/activity"))
    assert newest["message"] == "Viewer claimed what was imported of Ghost of HTTP"


def test_who_was_imported_as_no_member_is_claimed_too(sql, team_of_two):
    """An export of this program contains people who had left."""
    t = team_of_two
    ghost, mate = held(sql, t, "Ghost who left"), t.people["viewer"]
    account = ok(t.owner.get(f"{t.path}?fields=account_id"))["account_id"]
    path = f"/accounts/{account}/placeholders/{ghost}/claim"
    for table in ("project_membership", "account_membership"):
        sql(f"delete from {table} where person_id = %s", ghost)
    assert t.owner.post(path, {"person_id": mate.id}).status_code == 404
    sql("insert into imported_person values (%s, 'name:left', 'Ghost who left', %s)", t.id, ghost)
    ok(t.owner.post(path, {"person_id": mate.id}), 204)
    assert ok(t.owner.get(t.story))["requested_by_id"] == mate.id


def test_what_lies_in_two_accounts_is_the_operators(sql, team_of_two, server_team):
    t, ghost = team_of_two, held(sql, team_of_two)
    sql("insert into project_membership (project_id, person_id, role) values (%s, %s, 'member')",
        server_team.id, ghost)
    account = ok(t.owner.get(f"{t.path}?fields=account_id"))["account_id"]
    answer = t.owner.post(f"/accounts/{account}/placeholders/{ghost}/claim",
                          {"person_id": t.people["member"].id})
    assert answer.status_code == 400 and "another account" in answer.text


def test_nobody_brings_a_placeholder_into_another_account(sql, team_of_two, server_team):
    """Otherwise anybody could keep an account from saying who its placeholders were."""
    t, ghost = team_of_two, held(sql, team_of_two)
    accounts = [ok(team.owner.get(f"{team.path}?fields=account_id"))["account_id"] for team in (t, server_team)]
    for path in (f"{server_team.path}/memberships", f"/accounts/{accounts[1]}/memberships"):
        answer = server_team.owner.post(path, {"person_id": ghost})
        assert answer.status_code == 404 and "Couldn't find Person" in answer.text, answer.text
    another = ok(t.owner.post("/projects", {"name": "Another", "account_id": accounts[0]}))["id"]
    ok(t.owner.post(f"/projects/{another}/memberships", {"person_id": ghost}))
    ok(t.owner.post(f"/accounts/{accounts[0]}/placeholders/{ghost}/claim", {"person_id": t.people["member"].id}), 204)


def test_one_claims_what_has_ones_confirmed_address(sql, team_of_two, person, api):
    t, heir = team_of_two, person("Far Heir")
    client, ghost = api(heir), held(sql, team_of_two, email=heir.email.upper())
    path = f"/my/placeholders/{ghost}/claim"
    # An unconfirmed address proves nothing.
    assert ok(client.get("/my/placeholders")) == []
    assert client.post(path, {}).status_code == 404
    sql("update person set confirmed_email = %s where id = %s", "other@example.test", heir.id)
    assert client.post(path, {}).status_code == 404
    sql("update person set confirmed_email = email where id = %s", heir.id)
    assert ok(client.get("/my/placeholders")) == [
        {"kind": "placeholder", "id": ghost, "name": "Ghost of HTTP", "initials": "X"}]
    assert t.member.post(path, {}).status_code == 404
    assert client.post(path, {"person_id": ghost}).status_code == 400
    ok(client.post(path, {}), 204)
    assert ok(t.owner.get(t.story))["requested_by_id"] == heir.id
    # What the placeholder did is now the heir's own; the project is not.
    assert client.get(t.path).status_code == 403
    assert ghost not in {m["person"]["id"] for m in ok(t.owner.get(f"{t.path}/memberships"))}
    assert ok(client.get("/my/placeholders")) == []


def test_a_link_confirms_the_address_it_was_sent_to(sql, person, api):
    who, code = person("Linked"), "0123456789abcdef" * 2
    sql("insert into letter (kind, person_id, code_hash, expires_at, delivered_at, sent_to) values"
        " ('reset', %s, sha256(%s), now() + interval '1 hour', now(), %s)", who.id, code.encode(),
        who.email)
    ok(api().post(f"/password_resets/{code}", {"password": "correct horses"}), 204)
    assert sql("select confirmed_email from person where id = %s", who.id) == [(who.email,)]
