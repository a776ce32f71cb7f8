"""Several clients at once. Their commands must have happened in some order, which the projects' versions reveal: the
model executes them in that order and must end up in the same state. Each refusal and each look must also fit somewhere
in that order."""

import copy
import threading
import time
import traceback
from dataclasses import dataclass

from hypothesis import strategies as st

from . import histories, known, order, views
from .replay import Difference, Replay
from .things import clone
from .whole import Whole

LOOKS = 5
LOOK = "id,current_state,name,estimate,owner_ids,label_ids"
SETTINGS = {name: value for name, value in histories.SETTINGS.items() if name not in ("name", "public")}
COMMAND = histories.weighed((12, histories.PLANNING), (6, histories.PART), (2, histories.PEOPLE_PART))
LEFT_OUT = {"project_create", "project_delete", "account_membership_create", "account_membership_change",
            "account_membership_delete"}


def crowds(clients):
    """What is done beforehand, and what each client does."""
    return st.tuples(histories.histories(6, COMMAND),
                     st.lists(st.lists(COMMAND, min_size=3, max_size=7), min_size=clients, max_size=clients))


@dataclass
class Deed:
    """What a client did: a command, or a look at a project (`request` is None)."""
    command: dict
    request: object
    project: int
    start: float = 0
    end: float = 0
    answer: object = None
    place: int = 0  # how many deeds were done before it

    @property
    def projects(self):
        """The projects that it touches; a move touches two."""
        body = self.request and self.request.body or {}
        return {self.project, body.get("project_id", self.project)}

    def __str__(self):
        status = self.answer and (self.answer.status, self.answer.version, self.answer.says)
        asked = self.request and (self.request.method, self.request.address.split("?")[0], self.request.body)
        return f"{self.start:.4f} {self.end:.4f} {self.command.get('by')} {self.command.get('do', 'look')} {asked} {status}"


class Crowd:
    def __init__(self, run, prefix, lists):
        self.replay = Replay(run.cast)
        self.prefix, self.lists = prefix, lists
        self.done, self.states = [], []
        self.activities = {}  # (project, version): what the feed says about it
        self.late = 0  # deeds that were done after their person had lost the right to them

    def run(self):
        for command in self.prefix:
            self.replay.step(command)
        deeds = [[deed for command in commands if (deed := self.deed(command))] for commands in self.lists]
        project = next(iter(self.replay.model.projects), None)
        if project:
            deeds.append([Deed({"by": "Bob"}, None, project) for _ in range(LOOKS)])
        self.send_all(deeds)
        everything = sorted((deed for one in deeds for deed in one), key=lambda deed: deed.end)
        self.replay.commands += len(everything)
        try:
            self.learn_activities()
            self.explain(everything)
            self.replay.learn()
            Whole(self.replay).compare()
        except Difference as difference:
            raise Difference(f"{difference}\n" + "\n".join(f"  {deed.place} {deed}" for deed in everything)) from None

    def deed(self, command):
        body = command.get("body", {})
        if command["do"] in LEFT_OUT or "name" in body and command["do"] == "project_change":
            return None
        request = self.replay.names.request(command)
        request.twice = None
        request.short = request.short and "project_id" in (request.body or {})
        return Deed(command, request, request.path.get("project"))

    def send_all(self, lists):
        begin = threading.Barrier(len(lists))

        def client(deeds):
            begin.wait()
            for deed in deeds:
                deed.start = time.monotonic()
                deed.answer = self.send(deed)
                deed.end = time.monotonic()

        threads = [threading.Thread(target=client, args=(deeds,)) for deeds in lists]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def send(self, deed):
        if deed.request is None:
            return self.replay.cast.send(self.replay.cast.id(deed.command["by"]), "GET",
                                         f"/projects/{deed.project}/stories?limit=500&fields={LOOK}")
        request = deed.request
        return self.replay.cast.send(request.by, request.method, request.address, request.body)

    def learn_activities(self):
        """Who made which version, and how: if two sent the same, one made it, and the other changed nothing. People who
        lost their rights do not matter here, because a project always has an owner."""
        for project in self.replay.model.projects.values():
            for person in self.replay.cast.names:
                answer = self.replay.cast.send(person, "GET", f"/projects/{project.id}/activity?limit=500")
                if answer.status == 200:
                    self.activities.update({(project.id, one["project_version"]): [one] for one in answer.body})
                    break

    # --- an order that explains everything ---------------------------------------------

    def explain(self, deeds):
        """First the deeds that made versions, in their order; then the others, each between two of those."""
        waiting = [deed for deed in deeds if deed.request and deed.answer.status < 300]
        self.states.append(clone(self.replay.model))
        while (deed := self.next_deed(waiting)):
            waiting.remove(deed)
            self.done.append(deed)
            deed.place = len(self.done)
            self.states.append(clone(self.replay.model))
        self.compare_times()
        for deed in deeds:
            if deed not in self.done:
                self.fit(deed)

    def next_deed(self, waiting):
        """A deed that makes the next version of its project, also in the model, with the same activity. The response to
        a move between projects has only one of the two versions; nobody else made the other one, so moves come last. Of
        equal deeds, the one that began first comes first: the others, which changed nothing, still fit after it."""
        for deed in sorted(waiting, key=lambda deed: (len(deed.projects), deed.start)):
            project = self.replay.model.projects.get(deed.request.told)
            if not project or deed.answer.version != project.version + 1:
                continue
            for rights in ({}, *self.rights_before(deed)):
                if not self.differs_with(deed, self.replay.model, rights, makes=True):
                    self.replay.model.borrowed = rights
                    self.try_deed(deed, self.replay.model)
                    self.replay.model.borrowed = {}
                    self.late += bool(rights)
                    return deed
        return None

    def rights_before(self, deed, most=None):
        """The rights that the person had at any time during the deed: rights are checked before locks are awaited
        (contract 1.11), so they may be gone by the time it is done."""
        by, least = deed.request.by, max((d.place for d in self.done if d.end < deed.start), default=0)
        for model in self.states[least:most]:
            yield {(by, id): model.rank(by, project) for id, project in model.projects.items() if id in deed.projects}

    def differs(self, deed, model, makes):
        """How the outcome of a deed differs in this state of the model, or None; `makes`: whether it makes a version."""
        tried = clone(model)
        try:
            self.try_deed(deed, tried)
        except Difference as difference:
            return difference
        made = [project for id, project in tried.projects.items() if project.version != model.projects[id].version]
        if makes != bool(made):
            return Difference(f"it makes {'no' if makes else 'a'} version there")
        for project in made:
            told = self.activities.get((project.id, project.version), [])
            seen, here = views.activities(told, project.activities[-1:])
            if told and seen != here:
                return Difference(f"its activity would be {here}")
        return None

    def differs_with(self, deed, model, rights, makes):
        """The same with rights that the person had a moment before."""
        model.borrowed = rights
        try:
            return self.differs(deed, model, makes)
        finally:
            model.borrowed = {}

    def try_deed(self, deed, model):
        replay = copy.copy(self.replay)
        replay.model = model
        if deed.request is None:
            return self.look(deed, model)
        replay.judge(deed.command, deed.request, deed.answer, learn=False)
        return None

    def look(self, deed, model):
        """What is seen is the state of one moment, and no older than the version in the same response."""
        project = model.projects[deed.project]
        if deed.answer.status != 200:
            if model.rank(self.replay.cast.id(deed.command["by"]), project):
                raise Difference(f"a look was refused: {deed.answer.status}")
            return
        stories = [project.stories[id] for id in order.whole_order(project)]
        seen = [(s["id"], s["current_state"], s["name"], s.get("estimate"), s["owner_ids"], sorted(s["label_ids"]))
                for s in deed.answer.body]
        there = [(s.id, s.state, s.name, s.estimate, s.owners, sorted(s.labels)) for s in stories]
        if deed.answer.version > project.version or seen != there:
            raise Difference(f"seen with version {deed.answer.version}: {seen}\n  not {project.version}: {there}")

    def compare_times(self):
        """A deed that ended before another one in the project began also comes before it in the order."""
        for n, deed in enumerate(self.done):
            for later in self.done[n + 1:]:
                if later.projects & deed.projects and later.end < deed.start:
                    raise Difference(f"{later}\n had ended before this began, which has the older version:\n{deed}")

    def fit(self, deed):
        """A refusal, a look, or a deed that changed nothing must fit somewhere within the time that it took, among the
        deeds that touch the same project."""
        near = [d for d in self.done if deed.projects & d.projects]
        least = max((d.place for d in near if d.end < deed.start), default=0)
        most = min((d.place for d in near if d.start > deed.end), default=len(self.done) + 1)
        found = []
        for place in [least, *(d.place for d in near if least < d.place < most)]:
            differences = [self.differs_with(deed, self.states[place], rights, makes=False)
                           for rights in ({}, *(self.rights_before(deed, place) if deed.request else ()))]
            if not all(differences):
                deed.place = place
                self.late += bool(differences[0])
                return
            found.append(f"after {place}: {str(differences[0])[:600]}")
        raise Difference(f"fits nowhere:\n{deed}\n" + "\n".join(found[:6]))


def once(run, prefix, lists):
    """The difference that a crowd shows, or None."""
    crowd = Crowd(run, prefix, lists)
    run.crowds += 1
    try:
        crowd.run()
        return None
    except Difference as difference:
        return None if known.excuse(difference) else difference
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration):
        return Difference(f"the model breaks: {traceback.format_exc()}")
    finally:
        run.commands += crowd.replay.commands
        run.late += crowd.late
        crowd.replay.clean()
