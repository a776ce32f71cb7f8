"""Joining and leaving accounts and projects (contract 2.4)."""

import concurrent.futures
import time

import psycopg2
import pytest

from conftest import Client, Person
from test_bodies import refused
from within import within
from world import new_project, ok, unique


def members(project):
    return f"/projects/{project['id']}/memberships"


def people(project):
    return f"/accounts/{project['account_id']}/memberships"


def version(client, project):
    return ok(client.get(f"/projects/{project['id']}?fields=version"))["version"]


def told(client, types=":all"):
    return ok(client.get(f"/my/notifications?notification_types={types}"))


# --- accounts of new projects --------------------------------------------------

def creator_in(boss, somebody, **rights):
    """The account of a new project, in which somebody has these rights."""
    project = new_project(boss)
    ok(boss.post(people(project), {"person_id": somebody.id, **rights}))
    return project["account_id"]


def test_a_project_goes_to_an_account_of_one_s_own(api, person):
    boss, maker = api(person("Boss")), person("Maker")
    creator_in(boss, maker, project_creator=True)
    own = new_project(api(maker))["account_id"]
    creator_in(boss, maker, project_creator=True)
    new_project(api(maker))
    assert ok(api(maker).post("/projects", {"name": "Mine"}))["account_id"] == own


def test_of_several_accounts_of_others_none_is_taken(api, person):
    boss, maker = api(person("Boss")), person("Maker")
    client = api(maker)
    only = creator_in(boss, maker, project_creator=True)
    assert ok(client.post("/projects", {"name": "One"}))["account_id"] == only
    other = creator_in(boss, maker, project_creator=True)
    refused(client.post("/projects", {"name": "Two"}),
            "this endpoint requires the parameter: account_id")
    assert ok(client.post("/projects", {"name": "Two", "account_id": other}))["account_id"] == other


def test_admin_does_not_stand_in_for_project_creator(api, person):
    boss, maker = api(person("Boss")), person("Maker")
    account = creator_in(boss, maker, admin=True)
    client = api(maker)
    assert client.post("/projects", {"name": "P", "account_id": account}).status_code == 403
    assert client.post("/projects", {"name": "P"}).status_code == 403
    own = new_project(client)
    assert client.put(f"/projects/{own['id']}", {"account_id": account}).status_code == 403
    fields = f"/account_summaries?fields=permissions&with_permission={{}}"
    assert account not in [a["id"] for a in ok(client.get(fields.format("project_creation")))]
    got = {a["id"]: a["permissions"] for a in ok(client.get(fields.format("administration")))}
    assert got[account] == ["administration"]
    assert got[own["account_id"]] == ["administration", "project_creation"]
    ok(boss.put(f"/accounts/{account}/memberships/{maker.id}", {"project_creator": True}))
    assert ok(client.post("/projects", {"name": "P", "account_id": account}))


def test_the_owner_keeps_what_an_owner_may(api, person):
    owner = person("Owner")
    boss, admin = api(owner), person("Admin")
    project = new_project(boss)
    ok(boss.post(people(project), {"person_id": admin.id, "admin": True}))
    for right in ("admin", "project_creator"):
        refused(api(admin).put(f"{people(project)}/{owner.id}", {right: False}))
    assert ok(boss.put(f"{people(project)}/{owner.id}", {"admin": True}))["project_creator"]


@pytest.mark.parametrize("value", [True, False, None, "yes", "", 1, [], {}])
def test_no_owner_counts_whatever_its_value(api, person, value):
    boss = api(person("Boss"))
    project = ok(boss.post("/projects", {"name": "P", "new_account_name": unique("A"),
                                         "no_owner": value}))
    assert boss.get(f"/projects/{project['id']}").status_code == 403
    assert ok(boss.get(f"/accounts/{project['account_id']}?fields=number_of_projects"))[
        "number_of_projects"] == 1


# --- who is told ------------------------------------------------------------------

def test_who_is_added_to_a_project_is_told(api, person):
    boss, guest = api(person("Boss")), person("Guest")
    project = new_project(boss)
    ok(boss.post(members(project), {"person_id": guest.id, "role": "viewer"}))
    news, = told(api(guest))
    assert (news["notification_type"], news["action"]) == ("project", "membership")
    assert news["message"] == "Boss has added you to this project"
    assert news["project"] == {"kind": "project", "id": project["id"], "name": project["name"]}
    assert news["performer"]["name"] == "Boss"
    assert told(api(guest), ":default") == []
    ok(api(guest).put(f"/my/notifications/{news['id']}", {"read_at": "2026-01-01T00:00:00Z"}))


def test_who_is_added_to_an_account_is_told(api, person, sql):
    boss, guest = api(person("Boss")), person("Guest")
    project = new_project(boss)
    ok(boss.post(people(project), {"person_id": guest.id}))
    (name,), = sql("select name from account where id = %s", project["account_id"])
    news, = told(api(guest))
    assert (news["notification_type"], news["action"]) == ("account", "membership")
    assert news["message"] == f"Boss has added you to the account {name}"
    assert "project" not in news and "story" not in news and told(api(guest), ":default") == []
    since = ok(api(guest).get(f"/people/{guest.id}/notifications/since/"
                              f"{sql_millis(sql, news['id']) }?notification_types=:all"))
    assert since["data"] == []
    ok(boss.delete(f"{people(project)}/{guest.id}"), 204)
    assert told(api(guest)) == [], "nothing of an account that the person left"


def sql_millis(sql, notification):
    (at,), = sql("select (extract(epoch from created_at) * 1000)::bigint from notification"
                 " where id = %s", notification)
    return at


def test_who_wants_no_notifications_gets_none(api, person, sql):
    boss, guest = api(person("Boss")), person("Guest")
    sql("update person set receives_in_app_notifications = false where id = %s", guest.id)
    project = new_project(boss)
    ok(boss.post(people(project), {"person_id": guest.id}))
    ok(boss.post(members(project), {"person_id": guest.id}))
    assert told(api(guest)) == [] == told(boss)


# --- leaving ----------------------------------------------------------------------

def test_a_person_leaves_an_account(api, person):
    boss, guest, other = api(person("Boss")), person("Guest"), person("Other")
    project = new_project(boss)
    second = ok(boss.post("/projects", {"name": "Second", "account_id": project["account_id"]}))
    for one in (project, second):
        for somebody in (guest, other):
            ok(boss.post(members(one), {"person_id": somebody.id}))
    before = [version(boss, one) for one in (project, second)]
    path = f"{people(project)}/{guest.id}"
    assert api(other).delete(path).status_code == 403
    ok(api(guest).delete(path), 204)
    assert [version(boss, one) for one in (project, second)] == [n + 1 for n in before]
    newest = ok(boss.get(f"/projects/{second['id']}/activity?limit=1"))[0]
    assert newest["kind"] == "project_membership_delete_activity"
    assert newest["performed_by"]["id"] == guest.id
    assert newest["changes"] == [{"kind": "project_membership", "change_type": "delete",
                                  "id": newest["changes"][0]["id"]}]
    assert boss.get(path).status_code == 404
    # Can sign in, and sees nothing of the account.
    me = ok(api(guest).get("/me"))
    assert me["projects"] == [] == me["accounts"]
    for there in (f"/projects/{project['id']}", members(project), people(project)):
        assert api(guest).get(there).status_code == 403
    assert ok(api(guest).get("/projects")) == [] == told(api(guest))
    assert api(guest).delete(path).status_code == 403


def test_who_owns_an_account_or_a_project_alone_stays(api, person):
    owner, guest = person("Owner"), person("Guest")
    boss = api(owner)
    project = new_project(boss)
    refused(boss.delete(f"{people(project)}/{owner.id}"),
            "The owner of an account cannot be removed from it.")
    mine = ok(boss.get(members(project)))[0]["id"]
    theirs = ok(boss.post(members(project), {"person_id": guest.id, "role": "owner"}))["id"]
    ok(boss.delete(f"{members(project)}/{mine}"), 204)
    refused(api(guest).delete(f"{members(project)}/{theirs}"),
            "A project must have at least one owner.")
    refused(api(guest).delete(f"{people(project)}/{guest.id}"),
            "A project must have at least one owner.")
    assert ok(api(guest).get(f"/projects/{project['id']}"))


# --- what makes a version -----------------------------------------------------------

def test_one_s_own_wishes_make_no_version(api, person):
    boss, guest = api(person("Boss")), person("Guest")
    project = new_project(boss)
    path = f"{members(project)}/" + str(ok(boss.post(members(project), {
        "person_id": guest.id, "role": "viewer"}))["id"])
    before = version(boss, project)
    for body in ({"project_color": "00ff00"}, {"favorite": True},
                 {"wants_comment_notification_emails": False},
                 {"will_receive_mention_notifications_or_emails": False}):
        answer = api(guest).put(path, body)
        assert ok(answer)[next(iter(body))] == next(iter(body.values()))
        assert answer.headers["X-Service-Project-Version"] == str(before)
    assert version(boss, project) == before
    assert len(ok(boss.get(f"/projects/{project['id']}/activity"))) == before - 1
    # An owner's change to another person, or to a role, is reported.
    assert ok(boss.put(path, {"favorite": False}))["favorite"] is False
    assert ok(boss.put(path, {"role": "member", "project_color": "0000FF"}))["role"] == "member"
    assert version(boss, project) == before + 2
    change = ok(boss.get(f"/projects/{project['id']}/activity?limit=1"))[0]["changes"][0]
    assert change["original_values"].keys() == {"role", "project_color", "updated_at"}
    assert (change["new_values"]["role"], change["new_values"]["project_color"]) == (
        "member", "0000ff")


def test_what_changes_nothing_makes_no_version(api, person, sql):
    boss, guest = api(person("Boss")), person("Guest")
    project = new_project(boss, description="d")
    path = f"/projects/{project['id']}"
    added = ok(boss.post(members(project), {"person_id": guest.id}))
    before = ok(boss.get(path))
    same = {k: before[k] for k in ("name", "description", "iteration_length", "week_start_day",
                                   "point_scale", "public", "project_type", "account_id",
                                   "enable_tasks", "time_zone")}
    for body in (same, {"week_start_day": "MONDAY"}, {"point_scale": " 0,1, 2,3"},
                 {"time_zone": {"olson_name": before["time_zone"]["olson_name"]}}):
        answer = boss.put(path, body)
        assert ok(answer) == before
        assert answer.headers["X-Service-Project-Version"] == str(before["version"])
    there = f"{members(project)}/{added['id']}"
    assert ok(boss.put(there, {"role": "member", "favorite": False})) == added
    assert ok(boss.get(path)) == before
    mine = ok(boss.get(f"{people(project)}/{guest.id}"))
    assert ok(boss.put(f"{people(project)}/{guest.id}", {"admin": False})) == mine


def test_a_changed_project_tells_what_changed(api, person):
    boss = api(person("Boss"))
    project = new_project(boss)
    path = f"/projects/{project['id']}"
    ok(boss.put(path, {"name": "Now", "join_as": "viewer", "week_start_day": "sunday",
                       "start_date": "2024-01-07", "public": True}))
    told_of = ok(boss.get(f"{path}/activity?limit=1"))[0]
    change, = told_of["changes"]
    assert told_of["message"] == "Boss edited this project"
    assert change["name"] == "Now"
    assert change["new_values"] == {
        "name": "Now", "join_as": "viewer", "week_start_day": "Sunday",
        "start_date": "2024-01-07", "public": True, "project_type": "public"}
    assert change["original_values"]["week_start_day"] == "Monday"
    assert told_of["primary_resources"] == [{"kind": "project", "id": project["id"], "name": "Now"}]


# --- ids ----------------------------------------------------------------------------

@pytest.mark.parametrize("number", ["18446744073709551616", "9223372036854775808",
                                    "9223372036854775807",
                                    "-9223372036854775808", "123456789012345678901234567890"])
def test_people_beyond_64_bits(api, person, number):
    boss = api(person("Boss"))
    project = new_project(boss)
    for path in (members(project), people(project)):
        refused(boss.post(path, data=f'{{"person_id":{number}}}',
                          headers={"Content-Type": "application/json"}),
                "Couldn't find Person with an out of range value for 'id'")


# --- settings -----------------------------------------------------------------------

def test_people_are_added_by_id_who_are_seen(new_stack):
    stack = new_stack(workers=2, settings="add_people_by_id = seen")
    boss_of, guest, other = (Person(stack, name) for name in ("Boss", "Guest", "Other"))
    boss = Client(stack, boss_of.token)
    project, second = new_project(boss), new_project(boss)
    for path in (members(project), people(project)):
        unknown = boss.post(path, {"person_id": 999999})
        answer = boss.post(path, {"person_id": guest.id})
        assert (answer.status_code, answer.json()["code"]) == (404, "unfound_resource")
        assert answer.text == unknown.text.replace("999999", str(guest.id))
    ok(boss.post(members(project), {"email": guest.email}))
    # Visible by now: in the account, and in the project.
    ok(boss.post(members(second), {"person_id": guest.id}))
    ok(boss.post(people(project), {"email": other.email}))
    ok(boss.post(members(project), {"person_id": other.id}))
    # People see themselves.
    mine = ok(boss.get(members(project)))[0]["id"]
    ok(boss.post(members(project), {"email": "heir@example.test", "name": "Heir", "role": "owner"}))
    ok(boss.delete(f"{members(project)}/{mine}"), 204)
    ok(boss.post(members(project), {"person_id": boss_of.id}))


def test_no_new_accounts(new_stack):
    stack = new_stack(workers=1, settings="new_accounts = off")
    boss_of = Person(stack, "Boss")
    boss = Client(stack, boss_of.token)
    answer = boss.post("/projects", {"name": "P", "new_account_name": "A"})
    assert answer.status_code == 403
    assert "account_id" in answer.json()["general_problem"]
    assert boss.post("/projects", {"name": "P"}).status_code == 403
    stack.ctl("account", "add", "Company", "--owner", boss_of.username)
    assert ok(boss.post("/projects", {"name": "P"}))["account_id"]


# --- waiting ------------------------------------------------------------------------

@pytest.mark.timed
def test_strangers_make_nobody_wait(stack, api, person):
    """While the project, its account and its people are locked, a person without rights is refused without waiting."""
    boss, guest, stranger = api(person("Boss")), person("Guest"), api(person("Stranger"))
    project = new_project(boss)
    mine = ok(boss.post(members(project), {"person_id": guest.id}))["id"]
    holder = psycopg2.connect(stack.env["STACK_ADMIN_DB"], options="-c search_path=planwright")
    with holder.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock((1::bigint << 61) | %s),"
                       " pg_advisory_xact_lock((1::bigint << 60) | %s)",
                       (project["id"], project["account_id"]))
        cursor.execute("select from account_membership where account_id = %s for update",
                       (project["account_id"],))
        begun = time.monotonic()
        for client in (stranger, api()):
            for send, path, body in (
                    (client.put, f"/projects/{project['id']}", {"name": "x"}),
                    (client.post, members(project), {"person_id": guest.id}),
                    (client.put, f"{members(project)}/{mine}", {"favorite": True}),
                    (client.post, people(project), {"person_id": guest.id}),
                    (client.put, f"{people(project)}/{guest.id}", {"admin": True}),
                    (client.post, "/projects", {"name": "x", "account_id": project["account_id"]})):
                assert send(path, body).status_code == 403
            for path in (f"/projects/{project['id']}", f"{members(project)}/{mine}",
                         f"{people(project)}/{guest.id}"):
                assert client.delete(path).status_code == 403
        assert time.monotonic() - begun < within(2)
    holder.rollback()
    holder.close()


def test_who_leaves_while_projects_are_made_is_in_none(api, person, sql):
    """A person who may create projects is removed from the account meanwhile: everybody in its projects is in the
    account."""
    boss, maker = api(person("Boss")), person("Maker")
    account = new_project(boss)["account_id"]
    path = f"/accounts/{account}/memberships"
    for n in range(8):
        ok(boss.post(path, {"person_id": maker.id, "project_creator": True}))
        heirs = [ok(api(maker).post("/projects", {"name": f"old {n} {i}", "account_id": account}))
                 for i in range(2)]
        for heir in heirs:
            ok(api(maker).post(members(heir), {"person_id": ok(boss.get("/me"))["id"],
                                               "role": "owner"}))
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            makes = [pool.submit(api(maker).post, "/projects", {
                "name": f"new {n} {i}", "account_id": account, "no_owner": True}) for i in range(2)]
            leaves = pool.submit(boss.delete, f"{path}/{maker.id}")
        assert leaves.result().status_code == 204
        assert {m.result().status_code for m in makes} <= {200, 403}
        assert not sql("""select 1 from project_membership m join project p on p.id = m.project_id
            where p.account_id = %s and not exists (select from account_membership a
                where a.account_id = p.account_id and a.person_id = m.person_id)""", account)
