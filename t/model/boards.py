"""The board's own model of a project (web/src/model and the Board of web/src/board), without a page, compared with a
server: two people work on their boards while a third one does other things, on a network that loses, delays,
duplicates and reorders responses. When everything has settled, both boards must have what the server has."""

import calendar
import functools
import json
import pathlib
import random
import shutil
import subprocess
import time

from hypothesis import strategies as st

from . import histories, shrink
from .commands import Cast, Names
from .domain import Near, drawn
from .replay import CAST, Difference, same
from .server import TOP, Stack

ACTS = 25  # of each person in a round
BOARDS = ("Ann", "Bob")
DOES = {"story_create", "story_change", "story_delete", "bulk_change"}
PLACES = {"before_id", "after_id", "group"}
FIELDS_OF_BOARD = {"name", "story_type", "current_state", "estimate", "story_priority", "owner_ids", "label_ids",
                   "requested_by_id", "deadline", "description", "labels", "ids", "delete", "changes", "add_label_ids",
                   "remove_label_ids"}
SECTIONS = {"accepted": "done", "planned": "planned", "unstarted": "backlog", "unscheduled": "icebox"}
FIELDS = ("id,name,story_type,current_state,estimate,story_priority,requested_by_id,owner_ids,label_ids,comment_ids,"
          "deadline,accepted_at,blockers(id,description,resolved),reviews(id,review_type_id,reviewer_id,status)")
NULLS = ("estimate", "requested_by_id", "deadline", "accepted_at")


def bundle(build):
    """Builds the program of t/model/boards in the folder where the board was built."""
    work = pathlib.Path(build, "web", "work")
    if not (work / "node_modules").exists():
        raise SystemExit("the build has no board: configure with web")
    shutil.rmtree(work / "boards.run", ignore_errors=True)
    shutil.copytree(TOP / "t" / "model" / "boards", work / "boards.run")
    subprocess.run(["node_modules/.bin/esbuild", "boards.run/main.ts", "--bundle", "--format=esm", "--platform=node",
                    "--log-level=warning", "--jsx=automatic", "--jsx-import-source=preact", "--define:TEXT_FILES={}",
                    "--outfile=boards.run/main.mjs"], cwd=work, check=True)
    return work / "boards.run" / "main.mjs"


class Browser:
    """A process that has a board."""

    def __init__(self, program):
        self.process = subprocess.Popen(["node", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)

    def say(self, **line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise Difference(f"a board ends: {self.process.stderr.read()[-2000:]}")
        return json.loads(line)

    def ask(self, **line):
        self.say(**line)
        return self.hear()

    def close(self):
        self.process.kill()
        self.process.wait()


class Others:
    """Does what a board cannot do itself, or only with an open story."""

    def __init__(self, send, project, elsewhere, chance):
        self.send, self.chance, self.elsewhere = send, chance, elsewhere
        self.at = f"/projects/{project}"

    def ids(self, path):
        return [item["id"] for item in self.send("GET", f"{self.at}{path}").body]

    def one(self, path):
        return self.chance.choice(self.ids(path) or [1 << 40])

    def act(self):
        story = f"{self.at}/stories/{self.one('/stories?fields=id&limit=200')}"
        word = self.chance.choice("abcdefgh")
        self.chance.choice([
            lambda: self.send("POST", f"{self.at}/labels", {"name": word}),
            lambda: self.send("PUT", f"{self.at}/labels/{self.one('/labels?fields=id')}", {"name": word}),
            lambda: self.send("DELETE", f"{self.at}/labels/{self.one('/labels?fields=id')}"),
            lambda: self.send("POST", f"{self.at}/epics", {"name": word}),
            lambda: self.send("PUT", f"{self.at}/epics/{self.one('/epics?fields=id')}", {"name": word + "e"}),
            lambda: self.send("PUT", f"{self.at}/epics/{self.one('/epics?fields=id')}",
                              {"before_id": self.one("/epics?fields=id")}),
            lambda: self.send("DELETE", f"{self.at}/epics/{self.one('/epics?fields=id')}"),
            lambda: self.send("PUT", self.at, {"automatic_planning": self.chance.random() < 0.5}),
            lambda: self.send("PUT", self.at, {"point_scale": self.chance.choice(["0,1,2,3", "0,1,2,4,8"])}),
            lambda: self.send("PUT", f"{self.at}/stories/bulk", {
                "ids": self.chance.sample(ids := self.ids("/stories?fields=id&limit=200") or [1], min(3, len(ids))),
                "group": self.chance.choice(["scheduled", "unscheduled", "current"])}),
            lambda: self.send("PUT", story, {"project_id": self.elsewhere}),
            lambda: self.send("DELETE", story),
            lambda: self.send("PUT", story, {"current_state": "accepted", "estimate": 1,
                                             "accepted_at": self.chance.choice([None, time.strftime("%Y-%m-%dT00:00:00Z")])}),
            lambda: self.send("POST", f"{story}/comments", {"text": word}),
            lambda: self.send("POST", f"{story}/blockers", {"description": f"#{self.one('/stories?fields=id')}"}),
            lambda: self.send("POST", f"{story}/labels", {"name": word}),
            lambda: self.send("PUT", story, {"labels": [word], "owner_ids": []}),
            lambda: self.send("POST", f"{story}/reviews", {"review_type_id": self.one("/review_types")}),
            lambda: self.send("PUT", f"{self.at}/iteration_overrides/1", {"team_strength": self.chance.choice([0.5, 1])}),
        ])()


class Listed(Near):
    """Knows what the server has in the two projects, except the memberships of those who have boards."""

    def __init__(self, cast, projects, account, get):
        Names.__init__(self, cast)
        self.projects, self.account, self.get = projects, account, get

    def find(self, kind, number, project=None):
        if kind in ("project", "account") and number is not None:
            return self.projects[number % 2] if kind == "project" else self.account
        return super().find(kind, number, project)

    def look(self, kind):
        kept = [self.cast.id(name) for name in BOARDS]
        for project in self.projects:
            at = {"project": project}
            if kind == "membership":
                yield from ((m["id"], at) for m in self.get(project, "memberships") if m["person"]["id"] not in kept)
            elif kind in ("story", "label", "epic", "review_type"):
                path = {"story": "stories?limit=500&fields=id"}.get(kind, f"{kind}s")
                yield from ((item["id"], at) for item in self.get(project, path))
            else:
                above, part = ("epic", "comment") if kind == "epic_comment" else ("story", kind)
                path = {"epic": "epics", "story": "stories"}[above]
                for whole in self.get(project, f"{path}?fields=id,{part}s(id)" + "&limit=500" * (above == "story")):
                    yield from ((item["id"], {**at, above: whole["id"]}) for item in whole[f"{part}s"])


def of_board(command):
    """Whether somebody at a board can give this command; all others are sent directly to the server."""
    body = dict(command.get("body", {}))
    if command["by"] not in BOARDS or command["do"] not in DOES or command.get("project") == 1 or {"short", "twice"} & set(command):
        return False
    if any(not isinstance(label, str) for label in body.get("labels", [])):
        return False
    if PLACES & set(body):
        return len(body.keys() - {"ids"}) == 1 and None not in body.values()
    return set(body) | set(body.get("changes", {})) <= FIELDS_OF_BOARD


class Round:
    """One project, two boards."""

    def __init__(self, stack, program, cast, seed, history=None):
        """Without a history, `person.ts` and Others act at random."""
        self.stack, self.cast, self.seed, self.history = stack, cast, seed, history
        people = self.people = [cast.people[name] for name in BOARDS]
        self.chance = random.Random(seed)
        self.ann = lambda *request: stack.send(people[0][0], *request)
        self.projects = self.project, self.elsewhere = self.make("board"), self.make("elsewhere")
        self.boards = [Browser(program) for _ in people[:2]]

    def make(self, name):
        project = self.ann("POST", "/projects", {"name": f"{name} {self.seed} {time.time()}", "new_account_name": f"{self.seed} {time.time()}",
                                                 "initial_velocity": 3}).body["id"]
        self.ann("POST", f"/projects/{project}/memberships", {"person_id": self.people[1][1], "role": "member"})
        for n in range(10 if name == "board" else 0):
            self.ann("POST", f"/projects/{project}/stories", {
                "name": f"first {n}", "estimate": 1, "labels": [self.chance.choice("abc")],
                "current_state": self.chance.choice(["unscheduled", "unstarted", "started", "accepted"])})
        return project

    def run(self, acts):
        """Yields what happened to the boards' requests, and how often."""
        try:
            for n, board in enumerate(self.boards):
                token, id, _ = self.people[n]
                if not board.ask(base=f"http://127.0.0.1:{self.stack.port}", token=token, project=self.project, person=id,
                                 people={name: cast[1] for name, cast in self.cast.people.items()}, seed=self.seed * 2 + n)["open"]:
                    raise Difference("a board does not open")
            self.act(acts) if self.history is None else self.give(self.history)
            for board in self.boards:
                board.ask(rest=True)
            states = [board.ask(rest=True) for board in self.boards]
            expected = self.expected(states[0]["start"])
            for name, found in zip(("Ann", "Bob"), states):
                same(f"the board of {name}, seed {self.seed}", expected, self.shown(found))
            return [found["seen"] for found in states]
        finally:
            for board in self.boards:
                board.close()

    def act(self, acts):
        others = Others(self.ann, self.project, self.elsewhere, self.chance)
        for board in self.boards:
            board.say(act=acts)
        for _ in range(acts // 2):
            others.act()
            time.sleep(self.chance.random() * 0.03)
        for board in self.boards:
            board.hear()

    def give(self, history):
        """The boards give their commands of the history; the others are sent meanwhile."""
        for board, name in zip(self.boards, BOARDS):
            board.say(wishes=[command for command in history if command["by"] == name and of_board(command)])
        account = self.ann("GET", f"/projects/{self.project}").body["account_id"]
        names = Listed(self.cast, self.projects, account, self.listed)
        for command in history:
            if of_board(command) or not self.is_harmless(command):
                continue
            request = names.request(command)
            self.cast.send(request.by, request.method, request.address, request.body, request.twice)
            time.sleep(self.chance.random() * 0.02)
        for board in self.boards:
            board.hear()

    def is_harmless(self, command):
        """Whether everybody keeps their board."""
        return command["do"] != "project_delete" and not (
            command["do"] == "account_membership_delete" and command["person"] in BOARDS)

    def listed(self, project, path):
        found = self.ann("GET", f"/projects/{project}/{path}")
        return found.body if found.status == 200 else []

    def shown(self, found):
        return {name: found[name] for name in ("version", "pending", "automatic", "order", "labels", "epics")} | {
            "stories": {story["id"]: {key: value for key, value in story.items() if key != "is_new"} for story in found["stories"]}}

    def expected(self, start):
        """The same from the server's lists. Of the accepted stories, a board has those of the current iteration."""
        project = self.ann("GET", f"/projects/{self.project}").body
        order = {section: [] for section in ("done", "work", "planned", "backlog", "icebox")}
        stories = {}
        for story in self.ann("GET", f"/projects/{self.project}/stories?limit=500&fields={FIELDS}").body:
            at = story.get("accepted_at")
            if at and calendar.timegm(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ")) * 1000 < start:
                continue
            order[SECTIONS.get(story["current_state"], "work")].append(story["id"])
            stories[story["id"]] = self.card(story)
        return {"version": project["version"], "pending": 0, "automatic": project["automatic_planning"], "order": order,
                "labels": [{"id": label["id"], "name": label["name"]} for label in self.labels()],
                "epics": [{"id": epic["id"], "name": epic["name"], "label_id": epic["label_id"]} for epic in
                          self.ann("GET", f"/projects/{self.project}/epics?fields=id,name,label_id").body],
                "stories": stories}

    def labels(self):
        return self.ann("GET", f"/projects/{self.project}?fields=labels(id,name)").body["labels"]

    def card(self, story):
        """As in web/src/model/types.ts, where empty fields are present."""
        card = {name: value for name, value in story.items() if name not in ("kind", "url")}
        for name in NULLS:
            card.setdefault(name, None)
        card["blockers"] = [{name: item[name] for name in ("id", "description", "resolved")} for item in story["blockers"]]
        card["reviews"] = [{"id": item["id"], "review_type_id": item["review_type_id"], "reviewer_id": item.get("reviewer_id"),
                            "status": item["status"]} for item in story["reviews"]]
        return card


@functools.cache
def pool():
    """Commands and scenes from t/model/histories.py, the same in each run: Hypothesis is slow, and draws simple ones
    first."""
    commands = [command for some in drawn(0, st.lists(histories.ANY, min_size=10, max_size=10), 200)[20:] for command in some]
    return commands, drawn(0, histories.SCENE, 40)[10:]


def history_of(seed):
    commands, scenes = pool()
    some = random.Random(seed)
    return list(some.choice(scenes)) + some.choices(commands, k=4 * ACTS)


def one_round(stack, program, cast, seed, seen):
    """(what differs or None, history): every second round follows a history, which is shrunk if it differs."""
    history = history_of(seed) if seed % 2 else None

    def differs(history):
        try:
            for counts in Round(stack, program, cast, seed, history).run(ACTS):
                for what, count in counts.items():
                    seen[what] = seen.get(what, 0) + count
            return None
        except Difference as difference:
            return difference

    found = differs(history)
    if found and history:
        history, again = shrink.shortest(history, differs)
        found = f"{found}\nshortest: {again}"
    return found, history


def main(build, rounds, seed):
    """Exits with 1 after a difference."""
    program = bundle(build)
    stack = Stack(build)
    different, seen = 0, {}
    try:
        cast = Cast(stack, CAST, stack.add_person)
        for n in range(rounds):
            text, history = one_round(stack, program, cast, seed + n, seen)
            if text:
                different += 1
                print(f"\n--- a difference: {text}", flush=True)
                print("".join(f"    {json.dumps(command)}\n" for command in history or []), end="", flush=True)
        for line in stack.complaints():
            different += 1
            print(f"wrong: {line}")
    finally:
        stack.close()
    print(f"seed {seed}: {rounds} rounds of two boards, {ACTS} steps each; {different} differences")
    print("".join(f"  {count:6} requests {what}\n" for what, count in sorted(seen.items())), end="")
    return 1 if different else 0
