"""Stories: creating, changing, moving, deleting (contract 2.8, 3.6, 5.1)."""

import calendar
import time

from . import order
from .parts import Parts
from .things import NOW, Label, Story, invalid, missing

OF_TYPE = {
    "feature": {"unscheduled", "unstarted", "planned", "started", "finished", "delivered", "accepted", "rejected"},
    "bug": {"unscheduled", "unstarted", "planned", "started", "finished", "delivered", "accepted", "rejected"},
    "chore": {"unscheduled", "unstarted", "started", "accepted"},
    "release": {"unscheduled", "unstarted", "accepted"},
}
WITHOUT_ESTIMATE = {"unscheduled", "unstarted", "planned"}
SCALARS = {"name": "name", "description": "description", "story_priority": "priority"}
OLDEST = calendar.timegm((2005, 1, 1, 0, 0, 0))


def seconds(text):
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


class Stories(Parts):
    # --- helpers -------------------------------------------------------------

    def story(self, project, story_id):
        if story_id not in project.stories:
            raise missing("no such story in the project")
        return project.stories[story_id]

    def shape(self, body):
        """Refuses a body that is wrong whatever it refers to."""
        if {"labels", "label_ids"} <= set(body):
            raise invalid("labels twice")
        if "name" in body and not body["name"].strip():
            raise invalid("a story without a name")

    def people_of(self, project, ids, there=()):
        """The people in a list, each once; those who are already `there` may have left the project, and so may the
        caller, a moment ago (contract 1.11)."""
        for id in ids:
            if id not in project.members and id not in there and not self.borrowed.get((id, project.id)):
                raise invalid("not a member of the project")
        return list(dict.fromkeys(ids))

    def label_named(self, project, name, at="labels"):
        """The label with this name, created if there is none."""
        name = name.strip().lower()
        if not name:
            raise invalid("a label without a name")
        for label in project.labels.values():
            if label.name == name:
                return label
        id = self.new_id(*([at] if at else []), known=project.labels, matches=lambda item: item.get("name") == name)
        project.labels[id] = Label(id, name)
        return project.labels[id]

    def labels_of(self, project, items):
        """Label ids, sorted: the order of a story's labels means nothing."""
        found = []
        for item in items:
            name = item.get("name") if isinstance(item, dict) else item
            if isinstance(item, dict) and "id" in item:
                if item["id"] not in project.labels:
                    raise invalid("not a label of the project")
                found.append(item["id"])
            else:
                found.append(self.label_named(project, name).id)
        return sorted(set(found))

    def estimable(self, project, type):
        return type == "feature" or (type != "release" and project.settings.bugs_and_chores_are_estimatable)

    def read_type(self, project, story, body, was):
        """Reads type, state, estimate and deadline. Values that the request does not change are not checked."""
        story.type = body.get("story_type", story.type)
        story.state = body.get("current_state", story.state)
        another_type = was is None or story.type != was.type
        estimable = self.estimable(project, story.type)
        estimate = body.get("estimate", story.estimate)
        if estimate != story.estimate and estimate is not None:
            scale = [float(x) for x in project.settings.point_scale.split(",")]
            if not estimable or estimate not in scale:
                raise invalid("not an estimate that it can have")
        elif another_type and not estimable:
            estimate = None
        story.estimate = estimate
        deadline = body.get("deadline", story.deadline)
        if deadline != story.deadline and deadline is not None and story.type != "release":
            raise invalid("only releases have a deadline")
        story.deadline = deadline if story.type == "release" else None

    def judge(self, project, story, was):
        """Checks type, state and estimate together, after a place may have changed the state."""
        another_type = was is None or story.type != was.type
        another_state = was is None or story.state != was.state
        if (another_type or another_state) and story.state not in OF_TYPE[story.type]:
            raise invalid("not a state of the type")
        if another_state and story.state == "planned" and project.settings.automatic_planning:
            raise invalid("planned while planning is automatic")
        anew = another_type or another_state or story.estimate != was.estimate
        if anew and self.estimable(project, story.type) and story.estimate is None and \
                story.state not in WITHOUT_ESTIMATE:
            raise invalid("needs an estimate")

    def read_accepted_at(self, story, body, was):
        """Must follow the state. `was` is the story as it was, None for a new one."""
        given = seconds(body["accepted_at"]) if body.get("accepted_at") is not None else None
        before = was.accepted_at if was else None
        if story.state != "accepted":
            if given is not None and given != before:
                raise invalid("accepted_at of a story that is not")
            story.accepted_at, story.accepted_turn = None, 0
        elif given is not None:
            if given > time.time() or given < OLDEST:
                raise invalid("in the future, or too far in the past")
            if given != before:
                story.accepted_at, story.accepted_turn = given, 0
        elif before is None or "accepted_at" in body:
            story.accepted_at, story.accepted_turn = NOW, self.turn

    def read(self, by, project, story, body, was):
        """Reads the fields of a body, except place and parts; `was` is the story as it was, None if it is new here."""
        for name, attribute in SCALARS.items():
            if name in body:
                setattr(story, attribute, body[name])
        if not story.name or not story.name.strip():
            raise invalid("a story without a name")
        self.read_type(project, story, body, was)
        self.read_people(project, story, body)
        self.read_labels(project, story, body)

    def read_people(self, project, story, body):
        if body.get("requested_by_id", story.requester) != story.requester:
            story.requester, = self.people_of(project, [body["requested_by_id"]])
        if "owner_ids" in body:
            story.owners = self.people_of(project, body["owner_ids"], story.owners)
        elif "owned_by_id" in body:
            story.owners = self.people_of(project, [id for id in [body["owned_by_id"]] if id], story.owners)
        if "follower_ids" in body:
            story.followers = self.people_of(project, body["follower_ids"], story.followers)

    def read_labels(self, project, story, body):
        if "labels" in body:
            story.labels = self.labels_of(project, body["labels"])
        elif "label_ids" in body:
            story.labels = self.labels_of(project, [{"id": id} for id in body["label_ids"]])

    def write(self, by, project, story, body, was, places, section):
        """Applies a whole body to a story in the project. `section`: where it was, None if it is new there."""
        self.read(by, project, story, body, was)
        beside = order.beside_of(project, story, body, places.movers)
        story.state = order.state_asked(project, story, beside, body.get("group"), "current_state" in body)
        self.judge(project, story, was)
        self.read_accepted_at(story, body, was)
        places.place(story, beside, body.get("group"), section)

    # --- commands ------------------------------------------------------------

    def story_create(self, by, project, body):
        project = self.may(by, project, "member")
        self.shape(body)
        with self.change(by, project, "story_create", "added"):
            story = Story(self.new_id(), body.get("name"), by)
            project.stories[story.id] = story
            self.write(by, project, story, body, None, order.Places(project), None)
            self.tell_story(by, project, None, story)
            self.read_parts(by, project, story, body, True)
            if story.state != "unscheduled":
                self.transit(by, project, story)
        return story

    def story_change(self, by, project, story, body):
        if "project_id" in body and body["project_id"] != project:
            return self.story_to_project(by, project, story, body)
        project = self.may(by, project, "member")
        story = self.story(project, story)
        self.shape(body)
        with self.change(by, project, "story_update", "edited") as told:
            before = order.whole_order(project)
            old = self.change_one(by, project, story, body, order.Places(project))
            self.name_change(told, old, story, body, order.whole_order(project) != before)
        return story

    def change_one(self, by, project, story, body, places, unblocks=True):
        """Does what a PUT does; returns the story as it was. Without `unblocks`, the caller resolves the blockers that
        waited for it."""
        old = self.copy(story)
        self.write(by, project, story, body, old, places, order.section_of(old))
        self.tell_story(by, project, old, story)
        self.read_parts(by, project, story, body, False)
        if story.state != old.state:
            self.transit(by, project, story)
            if story.state == "accepted" and unblocks:
                self.unblock(by, project, story)
        return old

    def transit(self, by, project, story):
        project.transitions.append((project.version + 1, story.id, story.state, by))

    def story_delete(self, by, project, story):
        project = self.may(by, project, "member")
        story = self.story(project, story)
        with self.change(by, project, "story_delete", "deleted"):
            self.drop(project, story)

    def drop(self, project, story):
        order.take_out(project, story)
        del project.stories[story.id]
        for other in self.projects.values():
            other.transitions = [t for t in other.transitions if t[1] != story.id]
        self.unname(project, story)
