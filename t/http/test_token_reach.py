"""A token of some projects shows nothing of others: every route is requested for the other project's objects and for
its own, with every field. Whatever belongs to the other project is recognizable: its ids begin with 77000, and its
texts and people are called Zebra."""

import io
import re
import zipfile

import pytest

import tables
import world as things
from conftest import Client, Person, Stack, stack_folder, wait_for
from test_matrix import EXPECTED, each, names_project, row_of
from world import Place, fill, ok

ID = r"\b77000\d{5}\b"
ZEBRA = re.compile(f"zebra|{ID}", re.IGNORECASE)
AT = 7_700_000_000


def keeper(stack):
    """Ada, with the projects `own` and `other`, each in an account of its own."""
    ada = Person(stack, "Ada Keeps")
    ada.client = Client(stack, ada.token)
    ada.own = Place(ada.client)
    fill_up(ada.own)
    both = ok(ada.client.post("/my/workspaces", {"name": "Both"}))["id"]
    for (name,) in stack.sql("select sequencename from pg_sequences where schemaname = 'planwright'"):
        stack.sql("select setval(format('planwright.%%I', %s::text)::regclass, %s)", name, AT)
    zoe = Person(stack, "Zebra Zoe", username="zebrazoe", initials="ZZ")
    plain, things.unique = things.unique, lambda word: plain(f"Zebra {word}")
    ada.other = Place(ada.client)
    fill_up(ada.other)
    ok(ada.client.put(f"/my/workspaces/{both}", {"project_ids": [ada.other.project, ada.own.project]}))
    tell(ada, zoe)
    things.unique = plain
    ada.zoe = zoe
    return ada


@pytest.fixture(scope="module")
def zoo():
    """Ada also has a token of `own`."""
    stack = Stack(stack_folder("reach"), workers=2)
    ada = keeper(stack)
    made = ok(ada.client.post("/my/tokens", {"name": "x", "scope": "write", "project_ids": [ada.own.project]}))
    stack.secrets.append(made["token"])
    ada.limited = Client(stack, made["token"])
    yield ada
    stack.close()


# Those of the other project are requested, and those below it.
inside = [r for r in tables.ROUTES if names_project(r) or any("project" in p["flags"] for p in r.params)]


def fill_up(place):
    """Creates one of each kind of object that a route refers to."""
    for route in inside:
        place.ids(route.path)


def tell(ada, zoe):
    """Causes what reports other projects: notifications, activity, workspaces, searches."""
    project = f"/projects/{ada.other.project}"
    ok(ada.client.post(f"{project}/memberships", {"person_id": zoe.id, "role": "owner"}))
    theirs = Client(zoe.stack, zoe.token)
    ok(theirs.put(f"{project}/stories/{ada.other.story}", {"owner_ids": [ada.id]}))
    ok(theirs.post(f"{project}/stories/{ada.other.story}/comments", {"text": f"Zebra @{ada.username}"}))
    ok(ada.client.post("/my/workspaces", {"name": "Zebra", "project_ids": [ada.other.project]}))
    ada.news = ok(wait_for(lambda: (lambda a: a if ok(a) else None)(
        ada.client.get("/my/notifications?notification_types=:all"))))


def silent(answer):
    """The answer contains nothing of the other project, headers included."""
    text = answer.text
    if answer.content[:2] == b"PK":
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        text = "\n".join(archive.read(n).decode("utf-8", "replace") for n in archive.namelist())
    found = ZEBRA.search(text) or ZEBRA.search(str(answer.headers.items()))
    assert not found, f"{answer.method} {answer.url}: …{text[max(0, found.start() - 200):found.end() + 200]}"


def ask(zoo, client, route, place):
    row = row_of(route)
    query = row.query.replace(":project", str(place.project))
    path = fill(route.path, place.ids(route.path)) if route.ids else route.path
    return client.request(route.method, path + (f"?{query}" if query else ""),
                          json=row.body() if callable(row.body) else row.body, files=row.files)


def test_the_full_token_sees_it(zoo):
    for path in ("/me", "/projects", "/my/activity", "/my/notifications", "/my/workspaces", "/accounts"):
        assert ZEBRA.search(zoo.client.get(path).text), path


@each(inside)
def test_things_of_the_other_project(zoo, route):
    """Refused as for somebody who is not in it."""
    answer = ask(zoo, zoo.limited, route, zoo.other)
    assert answer.status_code in (403, 404), answer.text
    silent(answer)


def fields_of(resource, depth=2):
    """Every field, and every field of nested objects."""
    for field in resource.answered():
        if not field.child:
            yield field.name
        elif depth:
            inner = ",".join(f.name for f in field.child.answered() if not f.child)
            yield f"{field.name}({inner})" if inner else field.name
            for deeper in fields_of(field.child, depth - 1):
                if "(" in deeper:
                    yield f"{field.name}({deeper})"


@each(r for r in tables.ROUTES if r.method == "GET" and r.key in EXPECTED)
def test_every_field_of_what_it_reaches(zoo, route):
    row = row_of(route)
    ids = zoo.own.ids(route.path) if route in inside else [1 << 45] * len(route.ids)
    if "/my/workspaces/:workspace" in route.path:
        ids = [w["id"] for w in ok(zoo.limited.get("/my/workspaces"))]
    path, query = fill(route.path, ids), row.query.replace(":project", str(zoo.own.project))
    silent(zoo.limited.get(f"{path}?{query}"))
    silent(zoo.limited.get(f"{path}?{query}&envelope=true"))
    if route.resource and "media" not in route.row and "since" not in path:
        for field in sorted(set(fields_of(route.resource))):
            answer = zoo.limited.get(f"{path}?{query}&fields={field}")
            assert answer.status_code < 500
            silent(answer)


def test_lists_have_only_its_own(zoo):
    client, own = zoo.limited, zoo.own
    assert [p["id"] for p in ok(client.get("/projects"))] == [own.project]
    assert [p["project_id"] for p in ok(client.get("/me"))["projects"]] == [own.project]
    assert ok(client.get("/me?fields=project_ids"))["project_ids"] == [own.project]
    assert [a["id"] for a in ok(client.get("/accounts"))] == [own.account]
    assert [a["id"] for a in ok(client.get("/account_summaries"))] == [own.account]
    both, = ok(client.get("/my/workspaces"))
    assert both["name"] == "Both" and both["project_ids"] == [own.project]
    activity = client.get("/my/activity?limit=500")
    assert {a["project"]["id"] for a in ok(activity)} == {own.project}
    assert int(activity.headers["X-Service-Pagination-Total"]) == len(activity.json())
    assert {a["project"]["id"] for a in ok(client.get(f"/my/workspaces/{both['id']}/activity"))} == {own.project}


def test_notifications(zoo):
    client, news = zoo.limited, zoo.news
    answer = client.get("/my/notifications?notification_types=:all")
    assert ok(answer) == [] and answer.headers["X-Service-Last-Notification-Timestamp"] == "0"
    one = news[0]["id"]
    assert client.put(f"/my/notifications/{one}", {"read_at": "2026-01-01T00:00:00Z"}).status_code == 404
    ok(client.put("/my/notifications/mark_read", {"before": one}), 204)
    ok(client.put("/my/notifications/read_list", {"ids": [n["id"] for n in news]}), 204)
    silent(client.get(f"/people/{zoo.id}/notifications/since/0"))
    assert not any("read_at" in n for n in ok(zoo.client.get("/my/notifications?notification_types=:all")))


def test_what_bodies_name(zoo):
    own, other, client = zoo.own, zoo.other, zoo.limited
    story = f"/projects/{own.project}/stories/{own.story}"
    answers = [
        client.put(story, {"project_id": other.project}),
        client.put(story, {"owner_ids": [zoo.zoe.id]}),
        client.put(story, {"before_id": other.story, "group": "unscheduled"}),
        client.put(story, {"label_ids": [other.example("/projects/:p/labels/:id")]}),
        client.post(f"{story}/followers", {"id": zoo.zoe.id}),
        client.post(f"/projects/{own.project}/stories", {"name": "x", "requested_by_id": zoo.zoe.id}),
        client.put(f"/projects/{own.project}", {"account_id": other.account}),
        client.get(f"/projects/{own.project}/stories/bulk?ids={own.story},{other.story}"),
    ]
    assert [a.status_code for a in answers[:-1]] == [403] + [400] * 5 + [403], [a.text for a in answers]
    mine = {str(i) for i in (other.project, zoo.zoe.id, other.story, other.account)}
    for answer in answers:  # an error may repeat what was requested
        assert not [x for x in re.findall(ID, answer.text) if x not in mine and x not in str(answer.sent)]
        assert "zebra" not in answer.text.lower()
    assert [s["id"] for s in ok(answers[-1])] == [own.story]
    known = client.post(f"/my/people?project_id={own.project}", {"emails": [zoo.zoe.email]})
    assert ok(known) == []
    exported = client.post("/stories/export", {"ids": [own.story, other.story]})
    assert exported.status_code == 200 and exported.text.count("\n") == 2
    silent(exported)
    commit = {"source_commit": {"commit_id": "1", "message": f"[#{other.story}]"}}
    assert ok(client.post("/source_commits", commit)) == []


def test_many_in_one(zoo):
    paths = [f"/services/v5/projects/{zoo.other.project}", f"/services/v5/stories/{zoo.other.story}",
             "/services/v5/projects", "/services/v5/me"]
    answer = ok(zoo.limited.post("/aggregator", paths))
    assert [answer[p]["code"] for p in paths[:2]] == ["unauthorized_operation"] * 2
    assert not ZEBRA.search(str([answer[p] for p in paths[2:]]))


def test_addresses_of_people_whom_one_knows_from_elsewhere(zoo):
    """Zoe created a story in `own`, and left."""
    boss = zoo.client
    path = f"/projects/{zoo.own.project}"
    made = ok(boss.post(f"{path}/memberships?fields=id", {"person_id": zoo.zoe.id, "role": "member"}))
    ok(boss.put(f"{path}/stories/{zoo.own.story}", {"owner_ids": [zoo.zoe.id]}))
    ok(boss.delete(f"{path}/memberships/{made['id']}"), 204)
    answers = [client.get(f"{path}/stories/{zoo.own.story}?fields=owners(name,email)").json()["owners"]
               for client in (boss, zoo.limited)]
    if answers[0]:
        assert answers[0][0]["email"] == zoo.zoe.email and "email" not in answers[1][0]
    ok(boss.put(f"{path}/stories/{zoo.own.story}", {"owner_ids": []}))


def test_files_of_the_other_project(zoo):
    """Their paths are at the root, so they are not in the table of routes above. This test must be the last: new
    objects in `own` now have ids like the other project's."""
    for place, status in ((zoo.other, 403), (zoo.own, 200)):
        upload = ok(zoo.client.post(f"/projects/{place.project}/uploads", files={"file": ("x", b"x")}))
        path = f"/projects/{place.project}/stories/{place.story}/comments?fields=file_attachments(download_url)"
        ok(zoo.client.post(path, {"text": "x", "file_attachments": [upload]}))
        for kind in ("download", "thumbnail", "big"):
            answer = Client(zoo.stack, zoo.limited.token, base="").get(f"/file_attachments/{upload['id']}/{kind}")
            # A file that is not a picture has no thumbnails.
            assert answer.status_code == (status if kind == "download" or status == 403 else 404)
