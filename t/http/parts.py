"""Kinds of story parts, such as blockers and branches, from the program's own tables: tests that loop over them cover
a new kind without a change."""

import json
import re

import tables

ON = "/projects/:project/stories/:story"
# Parts of stories that have rules, and tests, of their own.
OTHERS = ("owners", "followers", "labels", "tasks", "comments")


def body_of(route):
    """The body of the route's example."""
    return json.loads(re.search(r"-d '(\{.*?\})'", route.row["example"])[1])


class Part:
    def __init__(self, make):
        change = next(r for r in tables.ROUTES if r.key == ("PUT", f"{make.path}/:id"))
        self.list, self.kind = make.path.rsplit("/", 1)[1], make.resource.kind
        self.noun = make.row["doc"].removeprefix("Add a ").rstrip(".").capitalize()
        self.body, self.change = body_of(make), body_of(change)
        self.ids, self.resource = f"{self.kind}_ids", make.resource

    def can_be_null(self, name):
        return "null" in next(f for f in self.resource.fields if f.name == name).flags

    @property
    def in_bodies(self):
        """Whether bodies of stories may contain its list."""
        story = next(r.body for r in tables.ROUTES if r.key == ("PUT", ON))
        return any(f.name == self.list for f in story.writable("update"))


PARTS = {p.list: p for p in (
    Part(r) for r in tables.ROUTES if r.method == "POST" and r.path.startswith(f"{ON}/")
    and r.path.count("/") == ON.count("/") + 1 and r.path.rsplit("/", 1)[1] not in OTHERS)}
