"""Epics (contract 2.10, 3.9)."""

from .stories import Stories
from .parts import one
from .things import Epic, invalid, missing


class Epics(Stories):
    def epic(self, project, epic_id):
        if epic_id not in project.epics:
            raise missing("no such epic in the project")
        return project.epics[epic_id]

    def epic_label(self, project, epic, body):
        """The label in a body, else that of the epic, else the one with the epic's name."""
        if "label_id" in body:
            id, = self.labels_of(project, [{"id": body["label_id"]}])
        elif "label" in body:
            item = body["label"]
            id = self.label_named(project, item["name"], "label").id if "name" in item else \
                self.labels_of(project, [item])[0]
        elif epic.label:
            id = epic.label
        else:
            id = self.label_named(project, epic.name, "label").id
        if any(other.label == id for other in project.epics.values() if other.id != epic.id):
            raise invalid("another epic has the label")
        return id

    def epic_place(self, project, epic, body):
        """Puts the epic where the body says."""
        before, after = body.get("before_id"), body.get("after_id")
        rest = [id for id in project.epic_order if id != epic.id]
        for beside in (before, after):
            if beside is not None and beside not in rest:
                raise invalid("this epic can no longer be moved to that position")
        if before is not None and after is not None and rest.index(before) != rest.index(after) + 1:
            raise invalid("this epic can no longer be moved to that position")
        if before is not None:
            rest.insert(rest.index(before), epic.id)
        elif after is not None:
            rest.insert(rest.index(after) + 1, epic.id)
        elif epic.id not in project.epic_order:
            rest.append(epic.id)
        else:
            return
        project.epic_order = rest

    def read_epic(self, by, project, epic, body):
        epic.name = body.get("name", epic.name)
        if not epic.name or not epic.name.strip():
            raise invalid("an epic without a name")
        epic.description = body.get("description", epic.description)
        if "follower_ids" in body:
            epic.followers = self.people_of(project, body["follower_ids"], epic.followers)
        epic.label = self.epic_label(project, epic, body)
        self.epic_place(project, epic, body)

    def epic_create(self, by, project, body):
        project = self.may(by, project, "member")
        with self.change(by, project, "epic_create", "added"):
            epic = Epic(self.new_id(), body.get("name"), 0)
            self.read_epic(by, project, epic, body)
            project.epics[epic.id] = epic
            self.notify(by, project, epic.followers, "epic", "create", epic=epic.id)
            self.tell_description(by, project, None, epic, "epic")
            for item in body.get("comments", []):
                self.add_comment(by, project, epic, item, "comments")
        return epic

    def epic_change(self, by, project, epic, body):
        project = self.may(by, project, "member")
        epic = self.epic(project, epic)
        with self.change(by, project, "epic_update", "edited") as told:
            old = self.copy(epic)
            self.read_epic(by, project, epic, body)
            self.tell_description(by, project, old, epic, "epic")
            if epic == old:  # only its place has changed
                told.kind, told.highlight = "epic_move", "moved"
        return epic

    def epic_delete(self, by, project, epic):
        """The epic's stories keep the label."""
        project = self.may(by, project, "member")
        epic = self.epic(project, epic)
        with self.change(by, project, "epic_delete", "deleted"):
            del project.epics[epic.id]
            project.epic_order.remove(epic.id)

    def epic_comment_create(self, by, project, epic, body):
        project = self.may(by, project, "member")
        epic = self.epic(project, epic)
        with self.change(by, project, "comment_create", "added comment:"):
            return self.add_comment(by, project, epic, body)

    def epic_comment_delete(self, by, project, epic, epic_comment):
        project = self.may(by, project, "member")
        epic = self.epic(project, epic)
        with self.change(by, project, "comment_delete", "deleted"):
            epic.comments.remove(one(epic.comments, epic_comment))

    # --- a project's labels --------------------------------------------------------

    def label(self, project, label_id):
        if label_id not in project.labels:
            raise missing("no such label in the project")
        return project.labels[label_id]

    def free_name(self, project, body, label=None):
        if "name" not in body:
            raise invalid("requires name")
        name = body["name"].strip().lower()
        if not name:
            raise invalid("a label without a name")
        if any(other.name == name and other is not label for other in project.labels.values()):
            raise invalid("the label exists")
        return name

    def label_create(self, by, project, body):
        project = self.may(by, project, "member")
        name = self.free_name(project, body)
        with self.change(by, project, "label_create", "created"):
            return self.label_named(project, name, at=None)

    def label_change(self, by, project, label, body):
        project = self.may(by, project, "member")
        label = self.label(project, label)
        with self.change(by, project, "label_update", "edited"):
            label.name = self.free_name(project, body, label)
        return label

    def label_delete(self, by, project, label):
        project = self.may(by, project, "member")
        label = self.label(project, label)
        if any(epic.label == label.id for epic in project.epics.values()):
            raise invalid("the label of an epic")
        with self.change(by, project, "label_delete", "deleted"):
            del project.labels[label.id]
            for story in project.stories.values():
                if label.id in story.labels:
                    story.labels.remove(label.id)
