"""The program's own tables (planwrightctl describe), from which tests are generated."""

import json
import os
import subprocess

import pytest


class Field:
    """A row of a resource's table; `child` is a Resource or None."""

    def __init__(self, row):
        self.name, self.type, self.flags = row["name"], row["type"], set(row["flags"])
        self.key, self.words, self.doc = row.get("key"), row.get("words"), row.get("doc")
        self.min, self.max = row.get("min", 0), row.get("max", 0)
        self.fetch, self.fetch_root = row.get("fetch"), row.get("fetch_root")
        self.child_index, self.child = row.get("child"), None
        self.column, self.stays = row.get("column"), row.get("stays")

    @property
    def is_answered(self):
        return "hidden" not in self.flags and self.type not in ("zone", "labels", "list", "object")

    @property
    def travels(self):
        """Whether exports contain the column and imports restore it."""
        return bool(self.flags & {"stored", "carried"}) and not self.stays


class Resource:
    def __init__(self, row):
        self.kind, self.by_ids, self.depth = row["kind"], row.get("by_ids"), row.get("depth", 0)
        self.fields = [Field(f) for f in row["fields"]]

    def answered(self):
        return [f for f in self.fields if f.is_answered]

    def field(self, name):
        return next(f for f in self.answered() if f.name == name)

    def key(self):
        return [f.name for f in self.fields if "key" in f.flags]

    def default(self):
        return [f.name for f in self.answered() if "default" in f.flags]

    def writable(self, flag):
        return [f for f in self.fields if flag in f.flags]

    def texts(self, flag):
        """A value for each text of limited length that bodies may contain."""
        return {f.name: f"{f.name} ✓" for f in self.writable(flag)
                if f.type in ("string", "text") and f.max}


class Route:
    def __init__(self, row, resources):
        self.row = row
        self.method, self.path, self.need = row["method"], row["path"], row["need"]
        self.resource = resources[row["resource"]] if "resource" in row else None
        self.body = resources[row["body"]] if "body" in row else self.resource
        self.flags, self.params = set(row["flags"]), row["params"]
        self.key = (self.method, self.path)
        self.name = f"{self.method} {self.path}"

    @property
    def ids(self):
        """The placeholders of the path, each with the segment before it: [("projects", ":project")]."""
        parts = self.path.split("/")
        return [(parts[i - 1], part) for i, part in enumerate(parts) if part.startswith(":")]

    @property
    def is_write(self):
        return self.method != "GET"

    @property
    def flag(self):
        """The flag that marks fields a body may contain."""
        return {"POST": "create", "PUT": "update"}.get(self.method)


def load():
    build = os.environ.get("STACK_BUILD")
    if not build:
        pytest.exit("set STACK_BUILD to a folder with planwright.fcgi and planwrightctl", 2)
    out = subprocess.run([os.path.join(build, "planwrightctl"), "describe"], check=True,
                         capture_output=True).stdout
    data = json.loads(out)
    resources = [Resource(r) for r in data["resources"]]
    for resource in resources:
        for field in resource.fields:
            if field.child_index is not None:
                field.child = resources[field.child_index]
    # Paths at the host's root are files: test_uploads.py. Routes without credentials have rights that are not roles:
    # test_passwords.py.
    routes = [Route(r, resources) for r in data["routes"]
              if "root" not in r["flags"] and r["need"] != "anybody"]
    return routes, resources, data["statements"], data["sentences"], data["old_paths"]


ROUTES, RESOURCES, STATEMENTS, SENTENCES, OLD_PATHS = load()


def names(routes):
    return [r.name for r in routes]
