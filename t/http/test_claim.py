"""planwrightctl person claim: what a placeholder of an import has becomes somebody's."""

import json
import re

import pytest

from conftest import Client
from team import Team
from test_ctl import fails
from world import ok


@pytest.fixture(scope="module")
def server_team(stack, api, person):
    """A team whose member `other` did a lot, and is a placeholder then."""
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
    stack.sql("update person set placeholder = true, name = 'Ghost', password_hash = null,"
              " token_mac = null, token_sealed = null where id = %s", ghost)
    stack.sql("insert into imported_person values (%s, 'name:Ghost', 'Ghost', %s)", t.id, ghost)
    t.ok_before = ok(t.owner.get(f"{t.path}?fields=version"))["version"]
    return t


def columns(sql):
    """Each column of the schema that names people: by a key, by its name, or as a list."""
    keys = sql("select c.conrelid::regclass::text, a.attname::text from pg_constraint c"
               " join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]"
               " where c.confrelid = 'planwright.person'::regclass")
    named = sql("select table_name::text, column_name::text from information_schema.columns"
                " where table_schema = 'planwright' and data_type in ('bigint', 'ARRAY')"
                " and column_name ~ '(person|performer|uploader|reviewer|owner|follower|by|member)_ids?$'"
                " and table_name in (select tablename from pg_tables where schemaname = 'planwright')")
    return {(t.removeprefix("planwright."), c) for t, c in keys + named}


def uses(sql, person):
    """Where that person is named, in which column how often."""
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
             "sign_in_place.person_id", "session.person_id", "once.person_id",
             "mail.performer_id", "letter.performer_id",
             # Who asked for an import; nobody signs in as a placeholder.
             "story.imported_by_id", "comment.imported_by_id"}
    assert before.keys() == {f"{table}.{c}" for table, c in columns(sql)} - never
    roles = sql("select role from project_membership where person_id = %s", t.ghost.id)
    said = stack.ctl("person", "claim", "Ghost", "--as", t.heir.username).stdout
    assert re.fullmatch(r"Heir of all has what was Ghost's: 2 stories and 3 comments in 1 projects;"
                        r" the placeholder is gone\n", said)
    assert uses(sql, t.ghost.id) == {}
    assert uses(sql, t.heir.id).keys() >= before.keys() - {"notification.performer_id"}
    assert sql("select role from project_membership where person_id = %s", t.heir.id) == roles
    assert sql("select count(*) from person where id = %s", t.ghost.id) == [(0,)]


def people_in(value, key=""):
    """Ids of people anywhere in that; other things may have the same numbers."""
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
    assert newest["message"] == "Heir of all claimed what was imported of Ghost"
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
    assert "2 placeholders are called Same Name: name one by its id" in fails(
        stack, "person", "claim", "Same Name", "--as", who.username)
    assert f"{who.email} is no placeholder" in fails(
        stack, "person", "claim", who.email, "--as", who.username)
    assert "is a placeholder, too" in fails(stack, "person", "claim", str(one), "--as", str(two))
    gone = person("Gone")
    sql("update person set removed_at = now(), disabled_at = now(), email = null, username = null,"
        " token_mac = null where id = %s", gone.id)
    assert f"nobody has the id, e-mail address or user name {gone.id}" in fails(
        stack, "person", "claim", str(one), "--as", str(gone.id))
    for args in (("nobody", "--as", who.username), (str(one), "--as", "nobody")):
        assert "nobody has the id, e-mail address or user name nobody" in fails(
            stack, "person", "claim", *args)
    assert "0 stories and 0 comments in 0 projects" in stack.ctl(
        "person", "claim", str(one), "--as", who.username).stdout
