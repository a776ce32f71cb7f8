"""Histories are lists of commands, which are plain JSON: {"by": "Ann", "do": "story_change", "story": 3,
"body": {…}}. Things are numbered in the order of their creation (3: the fourth story), people go by their names. This
module turns a command into a request."""

import collections
import datetime
import re
import uuid
from dataclasses import dataclass

PROJECT = "/projects/{project}"
STORY = PROJECT + "/stories/{story}"
EPIC = PROJECT + "/epics/{epic}"
WHOLE = ":default,before_id,after_id,follower_ids,label_ids,tasks,comments,blockers,reviews"

ROUTES = {
    "project_create": ("POST", "/projects"),
    "project_change": ("PUT", PROJECT),
    "project_delete": ("DELETE", PROJECT),
    "membership_create": ("POST", PROJECT + "/memberships"),
    "membership_change": ("PUT", PROJECT + "/memberships/{membership}"),
    "membership_delete": ("DELETE", PROJECT + "/memberships/{membership}"),
    "account_membership_create": ("POST", "/accounts/{account}/memberships"),
    "account_membership_change": ("PUT", "/accounts/{account}/memberships/{person}"),
    "account_membership_delete": ("DELETE", "/accounts/{account}/memberships/{person}"),
    "override_change": ("PUT", PROJECT + "/iteration_overrides/{number}"),
    "story_create": ("POST", PROJECT + "/stories"),
    "story_change": ("PUT", STORY),
    "story_delete": ("DELETE", STORY),
    "bulk_change": ("PUT", PROJECT + "/stories/bulk"),
    "story_label_add": ("POST", STORY + "/labels"),
    "story_label_remove": ("DELETE", STORY + "/labels/{label}"),
    "owner_add": ("POST", STORY + "/owners"),
    "owner_remove": ("DELETE", STORY + "/owners/{person}"),
    "follower_add": ("POST", STORY + "/followers"),
    "follower_remove": ("DELETE", STORY + "/followers/{person}"),
    "label_create": ("POST", PROJECT + "/labels"),
    "label_change": ("PUT", PROJECT + "/labels/{label}"),
    "label_delete": ("DELETE", PROJECT + "/labels/{label}"),
    "epic_create": ("POST", PROJECT + "/epics"),
    "epic_change": ("PUT", EPIC),
    "epic_delete": ("DELETE", EPIC),
    "epic_comment_create": ("POST", EPIC + "/comments"),
    "epic_comment_delete": ("DELETE", EPIC + "/comments/{epic_comment}"),
    **{f"{part}_{verb}": (method, f"{STORY}/{part}s{end}")
       for part in ("task", "comment", "blocker", "review")
       for verb, method, end in (("create", "POST", ""), ("change", "PUT", f"/{{{part}}}"),
                                 ("delete", "DELETE", f"/{{{part}}}"))},
}
STORIES = {"story_create", "story_change", "bulk_change"}

# What a number in a path or body refers to.
NAMES = {"account": "account", "project": "project", "story": "story", "epic": "epic", "label": "label",
         "membership": "membership",
         "task": "task", "comment": "comment", "blocker": "blocker", "review": "review", "person": "person",
         "project_id": "project", "before_id": "story", "after_id": "story", "label_id": "label", "label_ids": "label",
         "add_label_ids": "label", "remove_label_ids": "label", "ids": "story", "owner_ids": "person",
         "follower_ids": "person", "requested_by_id": "person", "owned_by_id": "person", "person_id": "person",
         "reviewer_id": "person", "review_type_id": "review_type", "epic_comment": "epic_comment", "account_id": "account"}
NO_SUCH = 1 << 45
ANYWHERE = 8


@dataclass
class Request:
    by: int
    do: str
    path: dict
    body: dict | None
    short: bool = False  # names the story without its project
    twice: str | None = None  # sent again, with this Idempotency-Key

    @property
    def told(self):
        """The project whose version the response has."""
        if self.short and self.body and "project_id" in self.body:
            return self.body["project_id"]
        return self.path.get("project")

    @property
    def method(self):
        return ROUTES[self.do][0]

    @property
    def address(self):
        address = ROUTES[self.do][1].format(**self.path)
        if self.short:
            address = f"/stories/{self.path['story']}"
        if self.do in STORIES:
            return f"{address}?fields={WHOLE}"
        if self.do in ("epic_create", "epic_change"):
            return f"{address}?fields=:default,before_id,after_id,follower_ids,comments"
        return address


def date(word):
    """"-3d" is noon three days ago, "day-3" its date, "week-1" last week's Monday: cases work on any day."""
    today = datetime.datetime.now(datetime.timezone.utc).date()
    if match := re.fullmatch(r"-(\d+)d", word):
        return f"{today - datetime.timedelta(int(match[1]))}T12:00:00Z"
    if match := re.fullmatch(r"(day|week)-(\d+)", word):
        monday = today - datetime.timedelta(today.weekday())
        return str(today - datetime.timedelta(int(match[2])) if match[1] == "day" else
                   monday - datetime.timedelta(weeks=int(match[2])))
    return word


class Cast:
    """The people of all histories, and how they sign in."""

    def __init__(self, server, names, add):
        self.people = {name: add(name) for name in names}  # (token, id, user name)
        self.tokens = {id: token for token, id, _ in self.people.values()}
        self.names = {id: name for name, (_, id, _) in self.people.items()}
        self.server = server
        self.seen = collections.Counter()  # (command, status): how often

    def number(self):
        """A value that was never used before."""
        return uuid.uuid4().hex[:12]

    def id(self, name):
        return self.people[name][1]

    def mention(self, text):
        """Replaces "@Bob" with the user name that Bob has here."""
        for name, (_, _, username) in self.people.items():
            text = text.replace(f"@{name}", f"@{username}")
        return text

    def send(self, by, method, address, body=None, key=None):
        """`by` is a person's id, or None for a request without a token."""
        return self.server.send(self.tokens.get(by), method, address, body, key)


class Names:
    """What was created so far, by kind, in order of creation."""

    def __init__(self, cast):
        self.cast = cast
        self.made, self.there = {}, {}
        self.home = {}  # (kind, id): ids of the path that leads there

    def forget(self):
        """The caller adds again what still exists."""
        self.there = {}

    def add(self, kind, id, **path):
        for ids in (self.made.setdefault(kind, []), self.there.setdefault(kind, [])):
            if id not in ids:
                ids.append(id)
        self.home[kind, id] = path

    def find(self, kind, number, project=None):
        """The id for a number. Small numbers refer to things that exist, in the project if it has any; larger ones to
        everything that was ever created anywhere."""
        if number is None:
            return None
        if kind == "person":
            return self.cast.id(number)
        ids = self.made.get(kind, [])
        if number < ANYWHERE and kind not in ("project", "account"):
            ids = self.there.get(kind, []) or ids
            ids = [id for id in ids if self.home[kind, id].get("project", project) == project] or ids
        return ids[number % len(ids)] if ids else NO_SUCH

    def value(self, kind, value, do, project):
        """A part of a body, with numbers replaced by ids."""
        if isinstance(value, dict):
            return {name: self.value(kind_of(name, kind, do), item, do, project) for name, item in value.items()}
        if isinstance(value, list):
            return [self.value(kind, item, do, project) for item in value]
        if kind and kind in NAMES.values() and not isinstance(value, bool):
            return self.find(kind, value, project) if kind == "person" or not isinstance(value, str) else value
        if not isinstance(value, str):
            return value
        named = re.sub(r"#(\d)", lambda match: f"#{self.find('story', int(match[1]), project)}", value)
        return self.cast.mention(date(named))

    def request(self, command):
        """The request of a command. The other ids in a path are those of its last thing, unless the command gives them."""
        at = self.find("project", command["project"]) if "project" in command else None
        path = {name: self.find(NAMES[name], value, at) if name in NAMES else value
                for name, value in command.items() if name not in ("by", "do", "body", "project", "short", "twice")}
        for name in list(path):
            path = {**self.home.get((name, path[name]), {}), **path}
        if at is not None:
            path["project"] = at
        for name in re.findall(r"{(\w+)}", ROUTES[command["do"]][1]):
            path.setdefault(name, NO_SUCH)
        project = path.get("project")
        body = self.value(None, command["body"], command["do"], project) if "body" in command else None
        return Request(self.cast.id(command["by"]), command["do"], path, body, command.get("short", False),
                       self.cast.number() if command.get("twice") else None)


LISTS = {"labels": "label", "add_labels": "label", "label": "label", "tasks": "task", "comments": "comment",
         "blockers": "blocker", "reviews": "review"}


def kind_of(name, above, do):
    """What a key in a body refers to; "id" refers to an item of the list that it is in."""
    if name == "id":
        return above if above else "label" if do == "story_label_add" else "person"
    if do.startswith("epic") and name in ("before_id", "after_id"):
        return "epic"
    return NAMES.get(name) if name.endswith(("_id", "_ids")) or name == "ids" else LISTS.get(name)
