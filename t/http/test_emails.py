"""Email addresses are shown only to people who share an account or a project with the person (contract 1.11),
wherever a person occurs in an answer."""

import pytest

import tables
from world import EPIC, STORY, fill, ok


def people_paths(resource, depth=2):
    """`fields` that reach the address of a person: "email", "person(email)", "owners(email)" …"""
    for field in resource.answered():
        if field.name == "email":
            yield "email"
        elif field.child and field.type != "many_ids" and depth:
            for path in people_paths(field.child, depth - 1):
                yield f"{field.name}({path})"


READS = [(r, path) for r in tables.ROUTES
         if r.method == "GET" and r.need == "viewer" and r.resource
         for path in people_paths(r.resource)]
read_ids = [f"{r.name} {path}" for r, path in READS]


@pytest.fixture(scope="module")
def public(world, sql):
    """The public project with a story and an epic that refer to people wherever possible."""
    boss = world.outsider.id
    ok(world.public.client.put(f"/projects/{world.public.project}/stories/{world.public.story}", {
        "owner_ids": [boss], "follower_ids": [boss], "requested_by_id": boss,
        "current_state": "unstarted"}))
    ok(world.public.client.post(f"/projects/{world.public.project}/stories", {
        "name": "Waits", "owner_ids": [boss], "follower_ids": [boss], "requested_by_id": boss,
        "blockers": [{"description": f"#{world.public.story}"}]}))
    ok(world.public.client.put(fill(EPIC, world.public.ids(EPIC)), {"follower_ids": [boss]}))
    reviews = f"{STORY}/reviews/:id"
    ok(world.public.client.put(fill(reviews, world.public.ids(reviews)), {"reviewer_id": boss}))
    for on in (STORY, EPIC):
        sql("""set search_path = planwright;
            with f as (insert into file_attachment (project_id, comment_id, uploader_id, filename,
                content_type, size) values (%s, %s, %s, 'x', 'text/plain', 1) returning *)
            update comment set file_attachment_ids = array[f.id] from f
            where comment.id = f.comment_id""",
            world.public.project, world.public.ids(f"{on}/comments/:id")[-1], boss)
        sql("""set search_path = planwright;
            with g as (insert into google_attachment (comment_id, person_id) values (%s, %s)
                returning *)
            update comment set google_attachment_ids = array[g.id] from g
            where comment.id = g.comment_id""", world.public.ids(f"{on}/comments/:id")[-1], boss)
    sql("update planwright.story set imported_at = now(), imported_by_id = %s where project_id = %s",
        boss, world.public.project)
    sql("""set search_path = planwright; update comment c set imported_at = now(), imported_by_id = %s
        where exists (select from story s where s.id = c.story_id and s.project_id = %s)
            or exists (select from epic e where e.id = c.epic_id and e.project_id = %s)""",
        boss, world.public.project, world.public.project)
    return world.public


def url(public, route, path):
    query = f"ids={public.story}&" if route.path.endswith("/bulk") else ""
    if route.path.endswith("/search"):
        query = "query=&"
    return f"{fill(route.path, public.ids(route.path))}?{query}fields={path}"


def leads_somewhere(route, path):
    """Whether the path exists: accounts hide addresses; stories and epics have different parts."""
    above = {"epic(": "/stories/:story/", "story(": "/epics/:epic/"}
    return "account" not in path and not any(
        path.startswith(start) and part in route.path for start, part in above.items())


SHOWN = [(r, p) for r, p in READS if leads_somewhere(r, p)]


def test_there_is_much_to_hide():
    assert len(READS) > 10


@pytest.mark.parametrize("route, path", READS, ids=read_ids)
def test_visitors_of_a_public_project_see_no_address(world, public, route, path):
    for role in ("nobody", "stranger", "owner"):
        answer = world.clients[role].get(url(public, route, path))
        assert answer.status_code == 200, answer.text
        assert "email" not in answer.text and "@" not in answer.text


@pytest.mark.parametrize("route, path", SHOWN, ids=[f"{r.name} {p}" for r, p in SHOWN])
def test_people_of_the_project_see_addresses(public, route, path):
    answer = public.client.get(url(public, route, path))
    assert "@" in answer.text, answer.text


@pytest.mark.parametrize("role", ["viewer", "member", "owner", "admin"])
def test_default_answers_hold_addresses_for_those_who_may(world, role):
    memberships = ok(world.clients["owner"].get(f"/projects/{world.own.project}/memberships"))
    known = {m["person"]["id"]: m["person"] for m in memberships}
    assert known[world.people["viewer"].id]["email"] == world.people["viewer"].email
    people = ok(world.clients[role].get(f"/accounts/{world.own.account}/memberships"))
    assert all("email" in p["person"] for p in people)


def test_owners_and_admins_of_an_account_never_have_one(world):
    for path in ("/accounts", "/account_summaries"):
        for account in ok(world.admin.get(f"{path}?fields=owner,admins")):
            assert account["owner"]["kind"] == "person"
            assert set(account["owner"]) == {"kind", "id", "name", "initials", "username"}
            assert all("email" not in person for person in account["admins"])
        asked = world.admin.get(f"{path}?fields=owner(email),admins(email)")
        assert asked.status_code == 200 and "@" not in asked.text


def test_known_people_are_found_by_address_only_by_those_who_know_it(world):
    """POST /my/people does not reveal whether somebody has an address."""
    body = {"emails": [world.outsider.email, world.people["viewer"].email.upper()]}
    found = ok(world.member.post(f"/my/people?project_id={world.own.project}", body))
    assert [p["person"]["id"] for p in found] == [world.people["viewer"].id]


@pytest.mark.parametrize("role", ["nobody", "stranger"])
def test_what_is_in_an_account_is_not_for_visitors_of_its_public_project(world, role):
    account = ok(world.clients[role].get(
        f"/projects/{world.public.project}?fields=account(:default,owner_id,admin_ids,"
        "number_of_projects,number_of_private_projects,permissions)"))["account"]
    assert set(account) == {"kind", "id", "name", "status", "plan", "admin_ids", "permissions"}
    assert account["admin_ids"] == [] and account["permissions"] == []
