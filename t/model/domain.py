"""The rules of src/domain without a server: histories in many processes, each with the program of domain.c from a
build, which keeps stories in memory and calls the rules as the server does. Left out is what needs the database's gate
or is not a rule of src/domain: rights, members and accounts, new projects, overrides, repeated requests."""

import collections
import dataclasses
import json
import multiprocessing
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import traceback

import hypothesis
from hypothesis import strategies as st

from . import histories, order, shrink, views
from .commands import ANYWHERE, NO_SUCH, Names
from .many import Model
from .replay import Difference, Replay, same
from .server import Answer
from .things import Account, InAccount, Member, Project, Settings

PEOPLE = {"Ann": 1, "Bob": 2, "Cat": 3, "Dan": 4}
WRITERS = ("Ann", "Bob")
ROLES = {"Ann": "owner", "Bob": "owner", "Cat": "viewer"}
TYPES = {1: {1: "Test", 2: "Design"}, 2: {3: "Test", 4: "Design"}}  # review types of the projects
LEFT_OUT = {"membership_create", "membership_change", "membership_delete", "account_membership_create",
            "account_membership_change", "account_membership_delete", "project_create", "project_delete", "override_change"}
NOT_SET = {"name", "public", "time_zone", "start_date"}
COMMAND = histories.weighed((36, histories.PLANNING), (14, histories.PART), (7, histories.PEOPLE_PART))
TURN = 50_000  # commands that a process runs before it starts again with another seed
DRAWN = 4000  # different commands in such a turn
SECTIONS = ("accepted", "progress", "planned", "backlog", "icebox")


# --- the program -------------------------------------------------------------------------------


class Program:
    """The running program; it stands in for a history's server, and for the people who send requests to it."""

    def __init__(self, build):
        self.process = subprocess.Popen([pathlib.Path(build, "t", "model", "domain")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.people = {name: (None, id, name.lower()) for name, id in PEOPLE.items()}
        self.seen = collections.Counter()
        self.server, self.told = self, []

    def id(self, name):
        return PEOPLE[name]

    def number(self):
        return "0"

    def mention(self, text):
        return text

    def tell(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def ask(self, line):
        self.tell(line)
        self.process.stdin.flush()
        text = self.process.stdout.readline()
        if not text:
            raise Difference(f"the program ends with {self.process.wait()} at: {line}")
        return json.loads(text)

    def begin(self, settings):
        """Starts a new world: two projects with these settings, and four people, one of whom is in no project."""
        self.told = []
        values = {name: value for name, value in dataclasses.asdict(settings).items()
                  if value is not None and name not in NOT_SET}
        self.tell(f"start {int(time.time() * 10 ** 6)}",
                  *(f"project {id} {json.dumps({**values, 'name': f'project {id}'})}" for id in TYPES),
                  *(f"person {id} {json.dumps({'name': name, 'username': name.lower(), 'role': ROLES.get(name)})}"
                    for name, id in PEOPLE.items()),
                  *(f"review_type {type} {json.dumps({'name': name, 'project_id': id})}"
                    for id, types in TYPES.items() for type, name in types.items()), "ready")

    def send(self, by, method, address, body=None, _key=None):
        words = [method, address.split("?")[0], str(by)] + ([json.dumps(body)] if body is not None else [])
        line = " ".join(words)
        found = self.ask(line)
        if "fault" in found or "broken" in found:
            raise Difference(f"{line}\n  {found.get('fault') or found['broken']}")
        if found["status"] >= 400:
            return Answer(found["status"], None, {"code": found["code"], "error": found["says"]})
        self.told += [{**one, "by": by} for one in found["told"]]
        return Answer(found["status"], found["version"], as_shown(found["body"]))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def as_shown(body):
    """With times as text, and with the first owner, as in the server's responses."""
    if isinstance(body, list):
        return [as_shown(item) for item in body]
    if body and "owner_ids" in body:
        for name in ("accepted_at", "deadline"):
            if body[name] is not None:
                body[name] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(body[name] // 1000))
        body["owned_by_id"] = next(iter(body["owner_ids"]), None)
    return body


# --- a history ---------------------------------------------------------------------------------


class Near(Names):
    """Looks up what the model has when it is needed, instead of recording everything after each command."""

    def __init__(self, cast, model):
        super().__init__(cast)
        self.model = model

    def find(self, kind, number, project=None):
        if number is None or kind == "person":
            return super().find(kind, number, project)
        if kind == "project":
            return list(self.model.projects)[number % len(self.model.projects)]
        if number > ANYWHERE:
            return NO_SUCH
        ids = [id for id, path in self.all_of(kind) if number == ANYWHERE or path.get("project", project) == project] or \
            [id for id, _ in self.all_of(kind)]
        return ids[number % len(ids)] if ids else NO_SUCH

    def all_of(self, kind):
        """(id, ids of the path to it), also recorded in `home`."""
        found = list(self.look(kind))
        self.home.update(((kind, id), path) for id, path in found if path)
        return found

    def look(self, kind):
        for project in self.model.projects.values():
            at = {"project": project.id}
            if kind == "review_type":
                yield from ((id, {}) for id in project.review_types)
            elif kind in ("story", "label", "epic"):
                things = {"story": project.stories, "label": project.labels, "epic": project.epics}[kind]
                yield from ((id, at) for id in things)
            elif kind == "epic_comment":
                yield from ((c.id, {**at, "epic": e.id}) for e in project.epics.values() for c in e.comments)
            else:
                yield from ((item.id, {**at, "story": s.id}) for s in project.stories.values()
                            for item in getattr(s, f"{kind}s"))


class Alone(Replay):
    """A history that the program executes."""

    def __init__(self, program):
        super().__init__(program, prelude=False)
        program.begin(Settings("", velocity_averaged_over=3))
        self.model = model = Model()
        model.people = {id: name.lower() for name, id in PEOPLE.items()}
        model.accounts[1] = Account(1, 1, {1: InAccount(True, True)})
        for id, types in TYPES.items():
            project = Project(id, 1, Settings(f"project {id}"))
            project.members = {PEOPLE[name]: Member(PEOPLE[name], role) for name, role in ROLES.items()}
            project.review_types = dict(types)
            model.projects[id] = project
        self.names = Near(program, model)

    def learn(self):
        """Does nothing: see Near."""

    def compare(self):
        """Compares everything that exists, and everything that was reported."""
        told = self.cast.told
        for found in sorted(self.cast.ask("all"), key=lambda project: project["id"]):
            project = self.model.projects[found["id"]]
            same("version", found["version"], project.version)
            stories = [project.stories[id] for id in order.whole_order(project)]
            same("stories", [views.story_of_server(as_shown(s)) for s in found["stories"]],
                 [views.story_of_model(project, s) for s in stories])
            count = collections.Counter(order.section_of(story) for story in stories)
            same("counts", found["story_counts"], [count[section] for section in SECTIONS])
            same("labels", sorted((label["id"], label["name"], views.counts_of_server(label["counts"])) for label in found["labels"]),
                 sorted((label.id, label.name, views.counts_of_model(project, label)) for label in project.labels.values()))
            same("epics", [views.epic_of_server(epic) for epic in found["epics"]],
                 [views.epic_of_model(project, project.epics[id]) for id in project.epic_order])
            self.compare_told(project, [one for one in told if one["project"] == project.id])
        same("notifications", *(sorted(rows, key=str) for rows in (self.notified(told), self.notified_by_model())))

    def compare_told(self, project, told):
        same("activity", *views.activities([{"project_version": one["version"], "kind": one["kind"], "highlight": one["highlight"],
                                             "performed_by": {"id": one["by"]}} for one in told], project.activities))
        there = {id for other in self.model.projects.values() for id in other.stories}
        same("transitions", sorted((one["version"], story, state, one["by"]) for one in told
                                   for story, state in one["transitions"] if story in there), sorted(project.transitions))

    def notified(self, told):
        return [(person, one["by"], one["project"], n["type"], n["action"], n.get("story"), n.get("epic"), n.get("comment"))
                for one in told for n in one["news"] for person in n["people"]]

    def notified_by_model(self):
        return [(n.person, n.by, n.project, n.kind, n.action, n.story, n.epic, n.comment) for n in self.model.notifications]


# --- random histories --------------------------------------------------------------------------


def drawn(seed, strategy, most):
    """As many examples of a strategy."""
    found = []

    @hypothesis.seed(seed)
    @hypothesis.settings(max_examples=most, deadline=None, database=None, phases=[hypothesis.Phase.generate],
                         suppress_health_check=hypothesis.HealthCheck.all())
    @hypothesis.given(strategy)
    def note(example):
        found.append(example)

    note()
    return found


def tame(command):
    """The command in a form for the rules alone: by somebody who may write, and sent once. None if there is none."""
    body = command.get("body", {})
    if command["do"] in LEFT_OUT or (command["do"] == "project_change" and NOT_SET & set(body)):
        return None
    command = {name: value for name, value in command.items() if name != "twice"}
    return command if command["by"] in WRITERS else {**command, "by": WRITERS[len(body) % 2]}


def all_tame(commands):
    return [tame(command) for command in commands if tame(command)]


class Histories:
    """Random histories of commands that were all drawn beforehand, because Hypothesis is slow."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.commands = all_tame(c for some in drawn(seed, st.lists(COMMAND, min_size=10, max_size=10), DRAWN // 10) for c in some)
        self.scenes = [all_tame(scene) for scene in drawn(seed, histories.SCENE, 60)]
        self.plans = [body for body in drawn(seed, histories.PLANS, 40) if not NOT_SET & set(body)]

    def next(self):
        some = self.random
        plan = [{"by": "Ann", "do": "project_change", "project": some.randrange(2), "body": some.choice(self.plans)}]
        return (plan if some.random() < 0.5 else []) + (some.choice(self.scenes) if some.random() < 0.8 else []) + \
            some.choices(self.commands, k=some.randint(10, 60))


class Turn:
    """Runs a number of commands; `found` is the difference, shrunk: (history, text)."""

    def __init__(self, build):
        self.build, self.program = build, Program(build)
        self.histories = self.commands = 0

    def replay(self, history):
        replay = None
        try:
            replay = Alone(self.program)
            for command in history:
                replay.step(command)
            replay.compare()
            return None
        except Difference as difference:
            return difference
        except (LookupError, TypeError, ValueError, AttributeError, StopIteration):
            return Difference(f"the model breaks: {traceback.format_exc()}")
        finally:
            self.histories += 1
            self.commands += replay.commands if replay else 0
            if self.program.process.poll() is not None:
                self.program = Program(self.build)

    def run(self, seed, most):
        some = Histories(seed)
        while self.commands < most:
            history = some.next()
            if self.replay(history):
                return shrink.shortest(history, self.replay)
        return None


class Stopped(BaseException):
    """Stopped by SIGTERM: what was done until then is reported."""


def turn(build, seed, most):
    """Runs a seed; returns (histories, commands, difference or None, answers by command and status)."""
    running = Turn(build)
    try:
        found = running.run(seed, most)
        return running.histories, running.commands, found, dict(running.program.seen)
    finally:
        running.program.close()


def main(build, most, seed, processes):
    """Exits with 1 after a difference."""
    os.nice(10)
    began = time.monotonic()
    turns = [(build, seed + n, min(TURN, most - n * TURN)) for n in range(-(-most // TURN))]
    total, commands, different, seen = 0, 0, 0, collections.Counter()
    stopped = ""
    with multiprocessing.Pool(processes) as pool:
        signal.signal(signal.SIGTERM, stop)
        try:
            for count, done, found, answers in pool.imap_unordered(run_turn, turns):
                total, commands, different = total + count, commands + done, different + bool(found)
                seen.update(answers)
                print(f"{commands} commands, {different} differences, {time.monotonic() - began:.0f} s", file=sys.stderr)
                if found:
                    print(f"--- a difference, after {len(found[0])} commands:\n{found[1]}")
                    print("".join(f"    {json.dumps(command)}\n" for command in found[0]))
                sys.stdout.flush()
        except Stopped:
            stopped = f" (stopped, of {most}; turns that were under way do not count)"
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
    seconds = time.monotonic() - began
    refused = sum(n for (_, status), n in seen.items() if status >= 400)
    print(f"seed {seed}: {total} histories of {commands} commands to domain, {refused} of them refused, "
          f"{commands / seconds:.0f} a second; {different} differences{stopped}")
    return 1 if different else 0


def stop(*_):
    raise Stopped


def run_turn(arguments):
    return turn(*arguments)
