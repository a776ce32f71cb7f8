"""The rules of src/domain without a server: histories in many processes, each with the program of domain.c from a
build, which keeps everything in memory and calls the rules as the server does. Left out is what the database answers:
its own statements, repeated requests, time zones."""

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
# Of the projects that there are from the beginning: their members and review types.
ROLES = {1: {"Ann": "owner", "Bob": "member", "Cat": "viewer"}, 2: {"Ann": "owner", "Bob": "owner"}}
TYPES = {1: {1: "Test", 2: "Design"}, 2: {3: "Test", 4: "Design"}}
WRITERS = ("Ann", "Bob")
OWNERS = {1: "Ann", 2: "Bob"}  # of the accounts
NOT_SET = {"time_zone"}
TURN = 50_000  # commands that a process runs before it starts again with another seed
DRAWN = 4000  # different commands in such a turn
SECTIONS = ("accepted", "progress", "planned", "backlog", "icebox")

# What histories over HTTP leave out (they keep no accounts of their own, and nobody signs in for somebody new), and more
# of what succeeds there.
BY, ANYBODY, PROJECT, SETTINGS = histories.BY, histories.ANYBODY, histories.PROJECT, histories.SETTINGS
ADDRESS = st.sampled_from(["bob@example.test", "Cat@Example.test", "dan@example.test", "eva@example.test", "EVA@example.test",
                           "ann@elsewhere.test", "bob@elsewhere.test", "a.b+c@example.test"])
NEW = st.fixed_dictionaries({"email": ADDRESS, "name": st.sampled_from(["Eva", "Fay"])})
WRONG = st.fixed_dictionaries({"email": st.sampled_from(["gil@example.test", "a b@example.test", "fay", " "])}, optional={
    "name": st.sampled_from(["Gil", " "]), "initials": st.just("G"), "person_id": ANYBODY})
WHOM = histories.weighed((5, NEW), (4, st.fixed_dictionaries({"person_id": ANYBODY})), (1, WRONG))
IN_PROJECT = {"role": histories.ROLE, "project_color": st.sampled_from(["ff0000", "00FF00", "red"])}
IN_ACCOUNT = {"admin": st.booleans(), "project_creator": st.booleans()}
PEOPLE_ALONE = histories.weighed(
    (4, histories.command("membership_create", BY, project=PROJECT, body=histories.joined(
        WHOM, histories.some(IN_PROJECT, 0, 2)))),
    (3, histories.command("membership_change", BY, membership=histories.THING, body=histories.some(IN_PROJECT, 1, 2))),
    (1, histories.command("membership_change", ANYBODY, membership=histories.THING, body=histories.some(IN_PROJECT, 1, 2))),
    (2, histories.command("membership_delete", BY, membership=histories.THING)),
    (2, histories.command("account_membership_create", BY, account=PROJECT, body=histories.joined(
        WHOM, histories.some(IN_ACCOUNT, 0, 2)))),
    (2, histories.command("account_membership_change", BY, account=PROJECT, person=ANYBODY, body=histories.some(IN_ACCOUNT, 1, 2))),
    (2, histories.command("account_membership_delete", BY, account=PROJECT, person=ANYBODY)),
    (2, histories.command("project_create", ANYBODY, body=histories.joined(
        st.fixed_dictionaries({"name": SETTINGS["name"]}, optional={"account_id": PROJECT}), histories.some(SETTINGS, 0, 2)))))
COMMAND = histories.weighed((180, histories.PLANNING), (1, histories.RARE[0]), (70, histories.PART), (45, PEOPLE_ALONE),
                            (30, histories.PEOPLE_PART))


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

    def begin(self, model):
        """Starts the world that the model has."""
        self.told = []
        there = [("person", id, {"name": name, "username": name.lower(), "role": None}) for name, id in PEOPLE.items()]
        there += [("address", id, {"email": address}) for address, id in model.addresses.items()]
        for account in model.accounts.values():
            there += [("account", account.id, {})]
            there += [("account_membership", 10 * account.id + person, {
                "account_id": account.id, "person_id": person, "owner": person == account.owner, "admin": who.admin,
                "project_creator": who.creator}) for person, who in account.people.items()]
        for project in model.projects.values():
            there += [("project", project.id, {"account_id": project.account, **set_values(project.settings)})]
            there += [("membership", member.id, {"project_id": project.id, "person_id": person, "role": member.role,
                                                 "project_color": member.color}) for person, member in project.members.items()]
            there += [("review_type", id, {"project_id": project.id, "name": name})
                      for id, name in project.review_types.items()]
        self.tell(f"start {int(time.time() * 10 ** 6)}",
                  *(f"{kind} {id} {json.dumps(values)}" for kind, id, values in there), "ready")

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


def set_values(settings):
    return {name: value for name, value in dataclasses.asdict(settings).items() if value is not None and name not in NOT_SET}


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

    def request(self, command):
        """Most of what somebody may not do any more is done by an owner, so that a history is not refused from there on."""
        request = super().request(command)
        project = self.model.projects.get(request.path.get("project"))
        if project and command["by"] in WRITERS and self.model.rank(request.by, project) < 2 and len(str(command)) % 4:
            request.by = next(person for person, member in project.members.items() if member.role == "owner")
        return request

    def find(self, kind, number, project=None):
        if number is None or kind == "person":
            return super().find(kind, number, project)
        if kind in ("project", "account"):
            ids = list(self.model.projects if kind == "project" else self.model.accounts)
            return ids[number % len(ids)] if ids else NO_SUCH
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
            elif kind == "membership":
                yield from ((member.id, at) for member in project.members.values())
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
        model = self.model
        for id, owner in OWNERS.items():
            model.accounts[id] = Account(id, PEOPLE[owner], {PEOPLE[owner]: InAccount(True, True)})
        for id, roles in ROLES.items():
            project = Project(id, 1, Settings(("first", "second")[id - 1]))
            project.members = {PEOPLE[name]: Member(10 * id + PEOPLE[name], role) for name, role in roles.items()}
            project.review_types = dict(TYPES[id])
            model.projects[id] = project
            for person in project.members:
                model.accounts[1].people.setdefault(person, InAccount())
        program.begin(model)
        self.names = Near(program, model)

    def learn(self):
        """Takes what the server chose for a new project; everything else is found when it is needed, see Near."""
        told = self.model.told
        if isinstance(told, dict) and "review_types" in told and told["version"] == 1:
            project = self.model.projects[told["id"]]
            for one in told["members"]:
                project.members[one["person_id"]].id = one["id"]
            project.review_types = {one["id"]: one["name"] for one in told["review_types"]}

    def compare(self):
        """Compares everything that exists, and everything that was reported."""
        all, told = self.cast.ask("all"), self.cast.told
        self.compare_people(all)
        same("projects", sorted(found["id"] for found in all["projects"]), sorted(self.model.projects))
        for found in all["projects"]:
            project = self.model.projects[found["id"]]
            self.compare_settings(found, project)
            stories = [project.stories[id] for id in order.whole_order(project)]
            same("stories", [views.story_of_server(as_shown(s)) for s in found["stories"]],
                 [views.story_of_model(project, s) for s in stories])
            count = collections.Counter(order.section_of(story) for story in stories)
            same("counts", found["story_counts"], [count[section] for section in SECTIONS])
            same("labels", sorted((label["id"], label["name"], views.counts_of_server(label["counts"])) for label in found["labels"]),
                 sorted((label.id, label.name, views.counts_of_model(project, label)) for label in project.labels.values()))
            same("epics", [views.epic_of_server(epic) for epic in found["epics"]],
                 [views.epic_of_model(project, project.epics[id]) for id in project.epic_order])
            self.compare_told(project, [one for one in told if one.get("project") == project.id])
        same("notifications", *(sorted(rows, key=str) for rows in (self.notified(told), self.notified_by_model())))

    def compare_people(self, all):
        same("people", {one["id"]: one["username"] for one in all["people"]}, self.model.people)
        rows = {one["id"]: {} for one in all["accounts"]}
        for one in all["account_memberships"]:
            rows[one["account_id"]][one["person_id"]] = (one["owner"], one["admin"], one["project_creator"])
        same("accounts", rows, {account.id: {person: (person == account.owner, who.admin, who.creator)
                                             for person, who in account.people.items()}
                                for account in self.model.accounts.values()})

    def compare_settings(self, found, project):
        found["time_zone"] = {"olson_name": project.settings.time_zone}  # left out
        same("project", (found["account_id"], views.project_of_server(found)),
             (project.account, views.project_of_model(project, None, None)))
        same("memberships", {one["id"]: (one["person_id"], one["role"], one["project_color"]) for one in found["members"]},
             {member.id: (person, member.role, member.color) for person, member in project.members.items()})
        same("review types", {one["id"]: one["name"] for one in found["review_types"]}, project.review_types)
        same("overrides", {one["id"]: (one["length"], one["team_strength"]) for one in found["overrides"]},
             {number: (one.length, one.strength) for number, one in project.overrides.items()})

    def compare_told(self, project, told):
        same("activity", *views.activities([{"project_version": one["version"], "kind": one["kind"], "highlight": one["highlight"],
                                             "performed_by": {"id": one["by"]}} for one in told], project.activities))
        there = {id for other in self.model.projects.values() for id in other.stories}
        same("transitions", sorted((one["version"], story, state, one["by"]) for one in told
                                   for story, state in one["transitions"] if story in there), sorted(project.transitions))

    def notified(self, told):
        return [(person, one["by"], one.get("project"), n["type"], n["action"], n.get("story"), n.get("epic"), n.get("comment"))
                for one in told if one.get("project") in (None, *self.model.projects)
                for n in one["news"] for person in n["people"]]

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
    """The command in a form for the rules alone: sent once. None if there is none."""
    if command["do"] in ("project_create", "project_change") and NOT_SET & set(command["body"]):
        return None
    return {name: value for name, value in command.items() if name != "twice"}


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
