"""The golden cases of t/domain (see README.md there) as Python values, and as projects on a server: requests create
the objects of a case's scene; only their age is set in the database."""

import collections
import json
import pathlib
import re

from parts import PARTS
from world import ok, unique

DOMAIN = pathlib.Path(__file__).resolve().parents[1] / "domain"
NOW, MADE = "2024-03-13T12:00:00Z", "2024-01-01T00:00:00Z"
METHODS = ("POST", "PUT", "DELETE")
PLURALS = {"stories": "story", "labels": "label", "tasks": "task", "epics": "epic",
           "comments": "comment", "review_types": "review_type", "owners": "person",
           "followers": "person", **{p.list: p.kind for p in PARTS.values()}}
COLLECTIONS = {kind: word for word, kind in PLURALS.items() if kind != "person"}
# Which kind the ids under a key belong to; for neighbours it is the object's own kind.
REFERS = {"project_id": "project", "story_id": "story", "blocking_story_ids": "story", "ids": "story",
          "epic_id": "epic", "comment_id": "comment", "label_id": "label", "label_ids": "label",
          "review_type_id": "review_type", "file_attachment_ids": "file_attachment",
          "google_attachment_ids": "google_attachment",
          **dict.fromkeys(("owner_ids", "follower_ids", "owned_by_id", "requested_by_id",
                           "person_id", "reviewer_id"), "person")}
# In the order in which they are created.
DEFAULTS = {"label": {"name": "label {}"}, "epic": {"name": "Epic {}"}, "story": {"name": "Story {}"},
            "review_type": {"name": "Type {}"}, "task": {"description": "Task {}"},
            "comment": {"text": "Comment {}"}, **{p.kind: p.body for p in PARTS.values()},
            "blocker": {"description": "Blocker {}"}, "review": {"review_type_id": 1},
            "pull_request": {"owner": "o", "repo": "r"}, "branch": {"owner": "o", "repo": "r"}}
NOT_SENT = ("rank", "project_id", "story_id", "blocking_story_ids", "hidden", "resolved")
AGING = tuple(DEFAULTS)
ARRIVALS = ("accepted", "planned", "unstarted", "unscheduled")
ON_STORIES = ("task", "comment", *(p.kind for p in PARTS.values()))
# Requests alone cannot create these, or not as a case has them.
UNMADE = ("file_attachment", "google_attachment", "integration", "membership", "account", "account_membership",
          "address", "iteration_override")

Line = collections.namedtuple("Line", "word rest number")


class Case:
    def __init__(self, path, line):
        self.file, self.is_table, self.name = path.name, line.word == "table", line.rest
        self.lines = []

    def __str__(self):
        return f"{self.file.removesuffix('.case')}:{self.name}"

    def request(self):
        """The index of the line with the request."""
        return next(i for i, line in enumerate(self.lines) if line.word in METHODS)

    def has(self, word):
        return any(line.word == word for line in self.lines)


def read(path):
    lines = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if text[:1] in (" ", "\t"):
            lines[-1] = lines[-1]._replace(rest=f"{lines[-1].rest} {text.strip()}")
        elif text and not text.startswith("#"):
            word, _, rest = text.partition(" ")
            lines.append(Line(word, rest.strip(), number))
    case = None
    for line in lines:
        if line.word in ("case", "table"):
            if case:
                yield case
            case = Case(path, line)
        else:
            case.lines.append(line)
    yield case


def cases():
    return [case for path in sorted(DOMAIN.glob("*.case")) for case in read(path)]


def numbers(word):
    """Parses 7, or 1,3-5."""
    for part in word.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class Scene:
    """A project like that of a case. Ids of the case are mapped to the server's."""

    def __init__(self, crowd, case):
        self.crowd, self.case, self.sql = crowd, case, crowd.stack.sql
        self.ids = collections.defaultdict(dict)
        self.objects, self.who = [], 1
        for line in case.lines[:case.request()]:
            if line.word == "as":
                self.who = int(line.rest)
            elif line.word not in ("about", "unreachable"):
                ids, _, values = line.rest.partition(" ")
                for n in numbers(ids):
                    self.objects.append((line.word, n, json.loads(values or "{}")))

    # --- ids -------------------------------------------------------------------

    def real(self, kind, n):
        """A number that no object has stays the same."""
        return self.ids[kind].get(n, (1 << 45) + n)

    def refers(self, kind, key):
        return kind if key in ("before_id", "after_id", "id") else REFERS.get(key)

    def mapped(self, kind, key, value):
        """A value of the case, with the server's ids."""
        of = self.refers(kind, key)
        kind = "label" if key == "label" else PLURALS.get(key, kind)
        if isinstance(value, dict):
            return {k: self.mapped(kind, k, v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.mapped(kind, key, v) for v in value]
        if isinstance(value, str):
            return self.text(value)
        if of and isinstance(value, int):
            return self.real(of, value)
        return value

    def text(self, text):
        """Replaces #7, which names a story."""
        return re.sub(r"#(\d+)", lambda m: f"#{self.ids['story'].get(int(m[1]), m[1])}", text)

    def path(self, path, project=1):
        """"stories/1/tasks/2" below a project."""
        words = path.split("/")
        for i in range(1, len(words)):
            if words[i - 1] in PLURALS and words[i].isdigit():
                words[i] = str(self.real(PLURALS[words[i - 1]], int(words[i])))
        return f"/projects/{self.ids['project'][project]}/{'/'.join(words)}"

    # --- building ----------------------------------------------------------------

    def build(self):
        people = {n: values for kind, n, values in self.objects if kind == "person"}
        for n, values in {1: {}, **people}.items():
            self.ids["person"][n] = self.crowd.person(n, values)
        self.client = self.crowd.client(1)
        self.projects = {n: values for kind, n, values in self.objects if kind == "project"}
        for n in {1: {}, **self.projects}:
            self.ids["project"][n] = self.new_project(n, people)
        for kind in DEFAULTS:
            for n, values in sorted(((n, v) for k, n, v in self.objects if k == kind),
                                    key=lambda x: x[0]):  # so that their ids have the same order
                self.add(kind, n, values)
        self.settle()

    def settings(self, n):
        return {"automatic_planning": True, "bugs_and_chores_are_estimatable": False,
                "point_scale": "0,1,2,3", **self.projects.get(n, {})}

    def needed(self, n):
        """The settings under which all stories can be created; those of the case follow later."""
        stories = [v for kind, _, v in self.objects
                   if kind == "story" and v.get("project_id", 1) == n]
        settings = self.settings(n)
        if any(v.get("current_state") == "planned" for v in stories):
            settings["automatic_planning"] = False
        if any("estimate" in v and v.get("story_type") in ("bug", "chore") for v in stories):
            settings["bugs_and_chores_are_estimatable"] = True
        scale = {float(p) for p in settings["point_scale"].split(",")}
        scale |= {v["estimate"] for v in stories if v.get("estimate")}
        return {**settings, "point_scale": ",".join(f"{p:g}" for p in sorted(scale))}

    def new_project(self, n, people):
        project = ok(self.client.post("/projects", {
            "name": unique("Golden"), "account_id": self.crowd.account, **self.needed(n)}))["id"]
        for person, values in people.items():
            if person != 1 and values.get("role", "member"):
                ok(self.client.post(f"/projects/{project}/memberships", {
                    "person_id": self.ids["person"][person],
                    "role": values.get("role", "member")}))
        return project

    def neighbour(self, n, values):
        """Where to create a story or an epic, relative to those that exist already."""
        def place(v):
            state = v.get("current_state", "unscheduled")
            return v.get("project_id", 1), state if state in ARRIVALS else "work"
        if place(values)[1] == "accepted":
            return {}
        row = [i for k, i, v in self.objects if k == "story" and place(v) == place(values)]
        above = [i for i in row[:row.index(n)] if i in self.ids["story"]]
        below = [i for i in row[row.index(n):] if i in self.ids["story"]]
        return {"after_id": above[-1]} if above else {"before_id": below[0]} if below else {}

    def body(self, kind, n, values):
        body = {k: v.format(n) if isinstance(v, str) else v for k, v in DEFAULTS[kind].items()}
        body |= {k: v for k, v in values.items() if k not in NOT_SENT}
        if kind == "story":
            body |= self.neighbour(n, values)
        elif kind == "epic":
            body["label"] = {"id": body.pop("label_id")}
        elif kind == "pull_request":
            body["number"] = n
        elif kind == "branch":
            body.setdefault("name", f"b{n}")
        return self.mapped(kind, None, body)

    def add(self, kind, n, values):
        where = COLLECTIONS[kind]
        if kind in ON_STORIES:
            where = f"stories/{values.get('story_id', 1)}/{where}"
        path = self.path(where, values.get("project_id", 1))
        self.ids[kind][n] = ok(self.client.post(path, self.body(kind, n, values)))["id"]

    def settle(self):
        """What is set afterwards: settings, flags such as hidden and resolved, the age of everything."""
        for n, project in self.ids["project"].items():
            if self.needed(n) != self.settings(n):
                ok(self.client.put(f"/projects/{project}", self.settings(n)))
        query, params = "set session_replication_role = replica;", []
        for kind, n, values in self.objects:
            for flag in {"hidden", "resolved"} & set(values):
                query += f"update {kind} set {flag} = true where id = %s;"
                params.append(self.ids[kind][n])
            if kind in ("story", "epic") and self.ids["comment"]:
                query += f"update {kind} set follower_ids = %s::bigint[] where id = %s;"
                params += [self.mapped(kind, "follower_ids", values.get("follower_ids", [])),
                           self.ids[kind][n]]
        for kind in AGING:
            if self.ids[kind]:
                query += f"""update {kind} set updated_at = %s, created_at = case
                    when created_at = %s then %s else created_at end where id = any(%s);"""
                params += [MADE, NOW, MADE, list(self.ids[kind].values())]
        self.sql(query + "reset session_replication_role", *params)

    # --- the request -----------------------------------------------------------------

    def state(self, n):
        """The version and the counts of a project."""
        (state,) = self.sql("select version, story_counts from project where id = %s",
                            self.ids["project"][n])
        return state

    def ask(self):
        line = self.case.lines[self.case.request()]
        path, _, body = line.rest.partition(" ")
        of = path.split("/")
        kind = PLURALS[of[-1] if of[-1] in PLURALS else of[-2]]
        body = self.mapped(kind, None, json.loads(body)) if body else None
        client = self.crowd.client(self.who)
        return kind, client.request(line.word, self.path(path), json=body)


class Crowd:
    """The people of all cases, and an account of person 1."""

    def __init__(self, stack, Person, Client):
        self.stack, self.Client = stack, Client
        self.people, self.tokens = {}, {}
        for n, name, username in ((1, "Ada", "ada"), (2, "Person 2", "person2")):
            somebody = Person(stack, name, username=username)
            self.people[username], self.tokens[n] = somebody.id, somebody.token
        self.account = ok(self.client(1).post("/projects", {
            "name": "first", "new_account_name": unique("Golden")}))["account_id"]

    def person(self, n, values):
        """Person N with that name; a person who makes the request can sign in, the others need not."""
        name, username = ("Ada", "ada") if n == 1 else (f"Person {n}", f"person{n}")
        name, username = values.get("name", name), values.get("username", username)
        if username not in self.people:
            self.people[username], = self.stack.sql("""insert into person (name, email, initials,
                username) values (%s, %s, 'P', %s) returning id""", name,
                f"{username}@golden.test", username)[0]
        self.stack.sql("update person set name = %s, receives_in_app_notifications = %s where id = %s",
                       name, values.get("receives_in_app_notifications", True), self.people[username])
        return self.people[username]

    def client(self, n):
        return self.Client(self.stack, self.tokens[n])
