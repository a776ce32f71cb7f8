"""Projects with people in every role, and an example for every path.

The roles of the private project `own`: `viewer`, `member`, `owner`; `admin` owns its account without being in the
project; `stranger` is in neither. `foreign` is a private project and `public` a public one, in an account to which
none of them belongs.

`Place.path` fills in a route's path; the segment before `:id` says what it is. New collections get a row in `MAKE`: a
function that is given a place and the client of its boss, creates an object and returns its id (always a new one).
"""

import itertools

from parts import PARTS

counter = itertools.count(1)
UNKNOWN = 1 << 45


def unique(word):
    return f"{word} {next(counter)}"


def ok(answer, status=200):
    assert answer.status_code == status, f"{answer.method} {answer.url}: {answer.text}"
    return answer.json() if answer.content else None


def new_project(client, **settings):
    """A project in an account of its own; the caller owns both."""
    return ok(client.post("/projects", {
        "name": unique("Project"), "new_account_name": unique("Account"), **settings}))


def new_story(place, client):
    return ok(client.post(f"/projects/{place.project}/stories", {"name": unique("Story")}))["id"]


def new_label(place, client):
    return ok(client.post(f"/projects/{place.project}/labels", {"name": unique("label")}))["id"]


def new_task(place, client, story=None):
    return ok(client.post(f"/projects/{place.project}/stories/{story or place.story}/tasks",
                          {"description": unique("Task")}))["id"]


def new_membership(place, client):
    name = f"new-{next(counter)}"
    return ok(client.post(f"/projects/{place.project}/memberships",
                          {"email": f"{name}@example.test", "name": name}))["id"]


def new_account_member(place, client):
    name = f"new-{next(counter)}"
    return ok(client.post(f"/accounts/{place.account}/memberships",
                          {"email": f"{name}@example.test", "name": name}))["id"]


def new_story_owner(place, client):
    membership = ok(client.get(f"/projects/{place.project}/memberships/"
                               f"{new_membership(place, client)}?fields=person_id"))
    person = membership["person_id"]
    ok(client.post(f"/projects/{place.project}/stories/{place.story}/owners", {"id": person}))
    return person


def new_story_label(place, client):
    return ok(client.post(f"/projects/{place.project}/stories/{place.story}/labels",
                          {"name": unique("label")}))["id"]


def new_release(place, client):
    """A release with one story in it."""
    return ok(client.post(f"/projects/{place.project}/stories", {
        "name": unique("Release"), "story_type": "release",
        "after_id": new_story(place, client)}))["id"]


def new_epic(place, client):
    return ok(client.post(f"/projects/{place.project}/epics", {"name": unique("Epic")}))["id"]


def new_comment(on):
    def make(place, client):
        above = fill(on, place.ids(on))
        return ok(client.post(f"{above}/comments", {"text": unique("Comment")}))["id"]
    return make


def new_google_attachment(on):
    path = f"{on}/comments/:id"

    def make(place, client):
        answer = client.put(fill(path, place.ids(path)) + "?fields=google_attachment_ids",
                            {"attachments_to_add": [{"title": "A document"}]})
        return ok(answer)["google_attachment_ids"][-1]
    return make


def new_file(on):
    path = f"{on}/comments/:id"

    def make(place, client):
        upload = ok(client.post(f"/projects/{place.project}/uploads", files={"file": ("x", b"x")}))
        answer = client.put(fill(path, place.ids(path)) + "?fields=file_attachment_ids",
                            {"file_attachment_ids_to_add": [upload["id"]]})
        return ok(answer)["file_attachment_ids"][-1]
    return make


def new_import(place, client):
    return ok(client.post(f"/projects/{place.project}/imports", files={"file": ("x", b"x")}))["id"]


def new_webhook(place, client):
    return ok(client.post(f"/projects/{place.project}/webhooks", {
        "webhook_url": "https://hooks.example.test/matrix", "webhook_version": "v5"}))["id"]


def new_part(part, **body):
    """A new item of a story's list."""
    def make(place, client):
        return ok(client.post(f"/projects/{place.project}/stories/{place.story}/{part}", body))["id"]
    return make


def new_review(place, client):
    kinds = ok(client.get(f"/projects/{place.project}/review_types"))
    return new_part("reviews", review_type_id=kinds[0]["id"])(place, client)


def new_follower(place, client):
    membership = ok(client.get(f"/projects/{place.project}/memberships/"
                               f"{new_membership(place, client)}?fields=person_id"))
    return new_part("followers", id=membership["person_id"])(place, client)


def new_in_project(part, word, **body):
    def make(place, client):
        return ok(client.post(f"/projects/{place.project}/{part}",
                              {"name": unique(word), **body}))["id"]
    return make


def new_saved_search(place, client):
    return ok(client.post(f"/projects/{place.project}/my/searches",
                          {"name": unique("Search"), "query": "x"}))["id"]


def new_account_token(place, client):
    """A token that reaches the account, of the person who administers it."""
    made = ok(getattr(client, "admin", client).post("/my/tokens", {"name": unique("Token"), "scope": "read"}))
    getattr(client, "admin", client).stack.secrets.append(made["token"])
    return made["id"]


def new_placeholder(place, client):
    """A person whom an import into the account knows only by name."""
    sql = getattr(client, "admin", client).stack.sql
    (made,), = sql(
        "insert into person (name, initials, username, email, placeholder) select 'Ghost', 'G', x, x || '@x.invalid',"
        " true from concat('ghost-', gen_random_uuid()) x returning id")
    sql("insert into account_membership (account_id, person_id) values (%s, %s)", place.account, made)
    return made


STORY, EPIC = "/projects/:project/stories/:story", "/projects/:project/epics/:epic"

# By the literal segments of the path before the last placeholder.
MAKE = {
    "/projects": lambda place, client: new_project(client)["id"],
    "/accounts": lambda place, client: new_project(client)["account_id"],
    "/stories": new_story,
    "/projects/stories": new_story,
    "/projects/labels": new_label,
    "/projects/memberships": new_membership,
    "/projects/stories/tasks": new_task,
    "/projects/stories/labels": new_story_label,
    "/projects/stories/owners": new_story_owner,
    "/projects/webhooks": new_webhook,
    "/projects/my/searches": new_saved_search,
    "/accounts/memberships": new_account_member,
    "/accounts/placeholders": new_placeholder,
    "/accounts/tokens": new_account_token,
    "/projects/releases": new_release,
    "/epics": new_epic,
    **{f"/projects/stories/{p.list}": new_part(p.list, **p.body) for p in PARTS.values()},
    "/projects/stories/reviews": new_review,
    "/projects/stories/followers": new_follower,
    "/projects/review_types": new_in_project("review_types", "Type"),
    "/projects/integrations": new_in_project("integrations", "System", kind="other_integration"),
    "/projects/epics": new_epic,
    "/projects/stories/comments": new_comment(STORY),
    "/projects/epics/comments": new_comment(EPIC),
    "/projects/stories/comments/file_attachments": new_file(STORY),
    "/projects/epics/comments/file_attachments": new_file(EPIC),
    "/projects/stories/comments/google_attachments": new_google_attachment(STORY),
    "/projects/epics/comments/google_attachments": new_google_attachment(EPIC),
    "/projects/imports": new_import,
    "/projects/iterations": lambda place, client: 1,  # every project has it
    "/projects/iteration_overrides": lambda place, client: 1,
    "/projects/history/iterations": lambda place, client: 1,
    "/projects/history/releases": lambda place, client: place.example("/projects/:p/releases/:id"),
}


def collection(path):
    """/projects/:project/stories/:story -> /projects/stories"""
    parts = path.strip("/").split("/")
    while parts and not parts[-1].startswith(":"):
        parts.pop()
    return "/" + "/".join(p for p in parts if not p.startswith(":"))


class Place:
    """A project with its account; creates objects in it as its boss."""

    def __init__(self, client, **settings):
        self.client = client
        project = new_project(client, **settings)
        self.project, self.account, self.name = project["id"], project["account_id"], project["name"]
        self.story = new_story(self, client)
        self.made = {}

    def new(self, path):
        """A new object of the kind that the path's last id refers to."""
        return MAKE[collection(path)](self, self.client)

    def example(self, path):
        """An object that is always the same."""
        where = collection(path)
        if path.endswith("/:version"):
            return 1
        if where == "/projects" or path.endswith("/:project"):
            return self.project
        if where == "/accounts":
            return self.account
        if where in ("/stories", "/projects/stories"):
            return self.story
        where = where if where != "/epics" else "/projects/epics"
        if where not in self.made:
            self.made[where] = MAKE[where](self, self.client)
        return self.made[where]

    def ids(self, path, last=None):
        """Ids for the placeholders of a path, in order; `last` replaces the last one."""
        parts, ids = path.split("/"), []
        for i, part in enumerate(parts):
            if part.startswith(":"):
                ids.append(self.example("/".join(parts[:i + 1])))
        if last is not None:
            ids[-1] = last
        return ids


def fill(path, ids):
    """The path with the placeholders replaced by ids, in order."""
    ids = iter(ids)
    return "/".join(str(next(ids)) if p.startswith(":") else p for p in path.split("/"))


class World:
    """See above; `people` by role, `clients` by role ("nobody" and "bad" are not people)."""

    ROLES = ["nobody", "bad", "stranger", "viewer", "member", "owner", "admin"]

    def __init__(self, api, person):
        self.people = {role: person(f"{role.title()} Person") for role in self.ROLES[2:]}
        self.outsider = person("Outsider Person")
        self.clients = {role: api(p) for role, p in self.people.items()}
        self.clients["nobody"], self.clients["bad"] = api(), api("0" * 32)
        self.own = Place(self.clients["admin"])
        self.foreign = Place(api(self.outsider))
        self.public = Place(api(self.outsider), public=True)
        self.roles_into(self.own)
        members = ok(self.clients["admin"].get(f"/projects/{self.own.project}/memberships"))
        mine = next(m for m in members if m["person"]["id"] == self.people["admin"].id)
        ok(self.clients["admin"].delete(
            f"/projects/{self.own.project}/memberships/{mine['id']}"), 204)
        self.own.client = Both(self.clients["owner"], self.clients["admin"])

    def roles_into(self, place):
        for role in ("owner", "member", "viewer"):
            ok(place.client.post(f"/projects/{place.project}/memberships",
                                 {"person_id": self.people[role].id, "role": role}))

    def __getattr__(self, role):
        """world.owner is the client of the owner, and so on."""
        try:
            return self.__dict__["clients"][role]
        except KeyError:
            raise AttributeError(role) from None


class Both:
    """The boss of `own`: the owner for the project, the admin for the account."""

    def __init__(self, owner, admin):
        self.owner, self.admin = owner, admin

    def __getattr__(self, verb):
        def call(path, *args, **kwargs):
            client = self.owner if path.startswith("/projects/") else self.admin
            return getattr(client, verb)(path, *args, **kwargs)
        return call
