"""How changes are reported: the activity's kind and highlight, and notifications (contract 6)."""

import re

from .rules import Rules
from .things import ANY, Notification

VERBS = {"delivered": "delivery", "accepted": "acceptance", "rejected": "rejection"}
PARTS = {"tasks", "comments", "blockers", "reviews"}
PLACES = {"before_id", "after_id", "group"}


class Telling(Rules):
    def notify(self, by, project, people, kind, action, **about):
        """Notifies each person once, but not the one who acts, and nobody who may not see the project."""
        for person in dict.fromkeys(people):
            if person != by and person in project.members:
                self.notifications.append(Notification(person, by, project.id, kind, action, **about))

    def concerned(self, thing):
        """The owners, the requester and the followers of a story; the followers of an epic."""
        people = list(thing.followers)
        if hasattr(thing, "owners"):
            people += [*thing.owners, thing.requester]
        return people

    def about(self, project, thing):
        return {"story" if hasattr(thing, "owners") else "epic": thing.id}

    def tell_story(self, by, project, old, story):
        """Notifies about a story that was created or changed: `old` is None, or the story as it was."""
        had = old.owners if old else []
        self.tell_description(by, project, old, story, "story")
        self.notify(by, project, [p for p in story.owners if p not in had], "story", "ownership", story=story.id)
        if story.state in VERBS and old and old.state != story.state:
            self.notify(by, project, self.concerned(story), "story", VERBS[story.state], story=story.id)

    def tell_description(self, by, project, old, thing, kind):
        """Notifies those whom the description did not mention before."""
        before = self.mentioned(project, old.description) if old else []
        new = [person for person in self.mentioned(project, thing.description) if person not in before]
        self.notify(by, project, new, kind, "mention", **self.about(project, thing))

    def mentioned(self, project, text):
        names = {name.lower() for name in re.findall(r"(?<![\w@.+-])@(\w+)", text or "")}
        return [person for person in project.members if self.people[person].lower() in names]

    def tell_comment(self, by, project, on, comment):
        mentioned = self.mentioned(project, comment.text)
        about = {**self.about(project, on), "comment": comment.id}
        self.notify(by, project, mentioned, "comment_with_mention", "create", **about)
        others = [person for person in self.concerned(on) if person not in mentioned]
        self.notify(by, project, others, "comment", "create", **about)

    def tell_edited_comment(self, by, project, on, comment, old_text):
        """Notifies those who were not mentioned before."""
        new = [p for p in self.mentioned(project, comment.text) if p not in self.mentioned(project, old_text)]
        self.notify(by, project, new, "comment_with_mention", "mention", **self.about(project, on), comment=comment.id)

    def tell_blocker(self, by, project, story, blocker, action="create"):
        self.notify(by, project, self.concerned(story), "blocker", action, story=story.id)

    # --- activities ------------------------------------------------------------

    def name_change(self, told, old, story, body, moved):
        """Sets kind and highlight of a changed story's activity; parts that move along do not count."""
        changed = differing(old, story)
        if not changed or moved and changed <= PARTS or set(body) <= {"project_id", *PLACES}:
            told.kind, told.highlight = "story_move", "moved"
        elif story.state != old.state:
            told.highlight = story.state
        elif changed - PARTS == {"estimate"}:
            told.highlight = ANY if any(body.get(name) is not None for name in PLACES) else "estimated"


def differing(old, new):
    """The names of the attributes in which two stories differ."""
    return {name for name, value in vars(old).items() if getattr(new, name) != value}
