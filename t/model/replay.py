"""Executes a history on the server and in the model, and compares both after each command and at the end."""

import contextlib
import json

from . import views
from .commands import ROUTES, Names
from .many import Model
from .things import Epic, Label, Refused, Story

PRELUDE = [
    {"by": "Ann", "do": "project_create", "body": {"name": "first", "time_zone": "UTC"}},
    {"by": "Ann", "do": "membership_create", "project": 0, "body": {"person_id": "Bob", "role": "member"}},
    {"by": "Ann", "do": "membership_create", "project": 0, "body": {"person_id": "Cat", "role": "viewer"}},
    {"by": "Ann", "do": "project_create", "body": {"name": "second", "time_zone": "UTC", "account_id": 0}},
    {"by": "Ann", "do": "membership_create", "project": 1, "body": {"person_id": "Bob", "role": "owner"}},
]
CAST = ("Ann", "Bob", "Cat", "Dan")


REQUIRED = {"story_label_add": {"id", "name"}, "override_change": {"length", "team_strength"},
            "blocker_create": {"description"}, "task_create": {"description"}, "comment_create": {"text"},
            "review_create": {"review_type_id"}, "label_create": {"name"}, "epic_comment_create": {"text"},
            "comment_change": {"text"}, "owner_add": {"id"}, "follower_add": {"id"}}


def wrong_anyway(request):
    """Whether a body is wrong whatever it refers to: too little, too much, or a blank text."""
    body = request.body or {}
    needed = REQUIRED.get(request.do)
    return bool(needed and not needed & set(body)) or {"labels", "label_ids"} <= set(body) or blank(body)


def blank(value):
    if isinstance(value, (dict, list)):
        return any(map(blank, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and not value.strip()


class Difference(AssertionError):
    """The server did not do what the model did, after a command or at the end."""
    command = None


def same(what, server, model):
    if server != model:
        raise Difference(f"{what}\n  server: {server}\n  model:  {model}{where(server, model)}")


def where(server, model):
    """Where two values differ."""
    if isinstance(server, dict) and isinstance(model, dict):
        names = [n for n in sorted({*server, *model}, key=str) if server.get(n) != model.get(n)]
        return "".join(f"\n    {n}: server {server.get(n)!r}, model {model.get(n)!r}" for n in names)
    if isinstance(server, list) and isinstance(model, list):
        for n, (a, b) in enumerate(zip(server, model)):
            if a != b:
                return f"\n    at {n}: server {a!r}, model {b!r}{where(a, b)}"
    return ""


class Replay:
    """One history; `commands` counts the commands that were sent."""

    def __init__(self, cast, prelude=True):
        self.cast, self.server = cast, cast.server
        self.model, self.names = Model(), Names(cast)
        for _, id, username in cast.people.values():
            self.model.meet(id, username)
        self.commands, self.excused = 0, []
        for command in PRELUDE if prelude else []:
            self.step(command)

    # --- commands ------------------------------------------------------------

    def step(self, command):
        request = self.names.request(command)
        if request.do == "project_create" and "account_id" not in request.body:
            request.body["new_account_name"] = f"Account {self.cast.number()}"
        answer = self.cast.send(request.by, request.method, request.address, request.body, request.twice)
        self.commands += 1
        try:
            self.judge(command, request, answer)
        except Difference as difference:
            difference.command = command
            raise
        if request.twice and answer.status == 200:
            again = self.cast.send(request.by, request.method, request.address, request.body, request.twice)
            same(f"{json.dumps(command)} again", (again.status, again.body), (answer.status, answer.body))
        return answer

    def judge(self, command, request, answer, learn=True):
        """Lets the model do what the server did, and compares the responses."""
        self.cast.seen[request.do, answer.status] += 1
        status, code, made = self.run_model(request, answer.body, answer.status >= 400)
        what = f"{json.dumps(command)}\n  {request.method} {request.address} {json.dumps(request.body)}"
        if (status, answer.status) == (404, 400) and wrong_anyway(request):
            return answer  # both are wrong, and the texts do not say which comes first
        if (answer.status, answer.code) != (status, code):
            raise Difference(f"{what}\n  server: {answer.status} {answer.code} {answer.says}\n  model:  {status} {code}"
                             f" {made if code else ''}")
        if status == 200:
            self.compare_answer(what, request, answer.body, made)
        project = self.model.projects.get(request.told)
        if project and status < 300:
            same(f"{what}\n version", answer.version, project.version)
        if status < 300 and learn:
            self.learn()
        return answer

    def run_model(self, request, told, refused):
        """What the server `refused` is undone. If only the model refuses, the history ends there, and its state no longer
        matters."""
        model = self.model
        model.told = told
        model.turn += 1
        words = ROUTES[request.do][1]
        path = {name: id for name, id in request.path.items() if "{" + name + "}" in words}
        if request.body is not None:
            path["body"] = request.body
        try:
            if request.short:
                path["project"] = model.home_of(path["story"])
            with model.undone_if_refused() if refused else contextlib.nullcontext():
                made = getattr(model, request.do)(request.by, **path)
        except Refused as refused:
            return refused.status, refused.code, str(refused)
        return (204 if request.method == "DELETE" and request.do != "story_label_remove" else 200), None, made

    def compare_answer(self, what, request, body, made):
        if isinstance(made, Story):
            project = next(p for p in self.model.projects.values() if made.id in p.stories)
            same(what, views.story_of_server(body), views.story_of_model(project, made))
        elif isinstance(made, list):
            project = self.model.projects[request.path["project"]]
            same(what, [views.story_of_server(item) for item in body],
                 [views.story_of_model(project, story) for story in made])
        elif isinstance(made, Epic):
            if "name" in body:
                same(what, views.epic_of_server(body),
                     views.epic_of_model(self.model.projects[request.path["project"]], made))
        elif isinstance(made, Label):
            same(what, (body["id"], body["name"]), (made.id, made.name))

    def learn(self):
        """Records what exists."""
        self.names.forget()
        for project in self.model.projects.values():
            for person, member in project.members.items():
                if member.id is None:
                    listed = self.cast.send(person, "GET", f"/projects/{project.id}/memberships").body
                    member.id = next(m["id"] for m in listed if m["person"]["id"] == person)
                    kinds = self.cast.send(person, "GET", f"/projects/{project.id}/review_types").body
                    project.review_types = {kind["id"]: kind["name"] for kind in kinds}
                    for kind in project.review_types:
                        self.names.add("review_type", kind)
                self.names.add("membership", member.id, project=project.id)
            self.names.add("project", project.id)
            self.names.add("account", project.account)
            for label in project.labels:
                self.names.add("label", label, project=project.id)
            for epic in project.epics.values():
                self.names.add("epic", epic.id, project=project.id)
                for comment in epic.comments:
                    self.names.add("epic_comment", comment.id, project=project.id, epic=epic.id)
            for story in project.stories.values():
                self.names.add("story", story.id, project=project.id)
                for kind in ("task", "comment", "blocker", "review"):
                    for item in getattr(story, f"{kind}s"):
                        self.names.add(kind, item.id, project=project.id, story=story.id)

    def clean(self):
        """Deletes the projects, so that the next history finds short lists."""
        for project in self.model.projects.values():
            owner = next(person for person, member in project.members.items() if member.role == "owner")
            self.cast.send(owner, "DELETE", f"/projects/{project.id}")
