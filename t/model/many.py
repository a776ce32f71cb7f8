"""Commands that touch several stories or projects: bulk changes, and moves between projects."""

import contextlib
import dataclasses

from . import order
from .projects import Projects
from .telling import PLACES
from .things import ANY, STATES, forbidden, invalid

WORDS = {*STATES, "feature", "bug", "chore", "release"}


class Many(Projects):
    def bulk_change(self, by, project, body):
        project = self.may(by, project, "member")
        ids = list(dict.fromkeys(body["ids"]))
        rest = {name for name in body if name != "ids"}
        if not rest or ("delete" in body and len(rest) > 1):
            raise invalid("nothing to do, or more than to delete")
        for name in ("before_id", "after_id"):
            if name in body and body[name] is None:
                raise invalid("beside nothing")
        for id in ids:
            if id not in project.stories:
                raise invalid("a story that is not in the project")
        stories = [project.stories[id] for id in ids]
        if not stories:
            return []
        if body.get("delete"):
            with self.change(by, project, "story_delete", "deleted"):
                for story in stories:
                    self.drop(project, story)
            return []
        with self.change(by, project, "story_update_multi", "edited") as told:
            old = self.change_all(by, project, stories, body)
            self.name_changes(told, old, stories, body)
        return stories

    def name_changes(self, told, old, stories, body):
        """A request with only a place is a move, as the manual says; anything else makes it an update."""
        states = {story.state for was, story in zip(old, stories) if was.state != story.state}
        named = {name for name, value in body.items() if value not in ([], {})}
        if named <= {"ids", *PLACES}:
            told.kind, told.highlight = "story_move_multi", "moved"
        elif states:
            moved = [story.state != was.state for was, story in zip(old, stories)]
            told.highlight = states.pop() if len(states) == 1 and all(moved) else ANY

    def change_all(self, by, project, stories, body):
        """Does to each story what a PUT of it would do; returns the stories as they were."""
        added = self.labels_of(project, [*({"id": id} for id in body.get("add_label_ids", [])),
                                         *body.get("add_labels", [])])
        removed = self.labels_of(project, [{"id": id} for id in body.get("remove_label_ids", [])])
        one = {**body.get("changes", {}), **{name: body[name] for name in PLACES if name in body}}
        places, found = order.Places(project, self.movers(project, stories, one)), []
        for story in stories:
            labels = one.get("label_ids", story.labels)
            self.labels_of(project, [{"id": id} for id in labels])
            labels = sorted({*labels, *added} - {*removed})
            found.append(self.change_one(by, project, story, {**one, "label_ids": labels}, places, unblocks=False))
        # People are told who have a story to do with as it is in the end (contract 6.4).
        for old, story in zip(found, stories):
            if story.state == "accepted" != old.state:
                self.unblock(by, project, story)
        return found

    def movers(self, project, stories, one):
        """The ids of the stories that leave their place: all, if the request names a neighbour; else those that come to
        another section, or to the top of the backlog. Those that are already there stay (planwright-api(7), Many at
        once)."""
        if any(one.get(name) is not None for name in ("before_id", "after_id")):
            return [story.id for story in stories]
        return [story.id for story in stories if self.leaves(project, story, one)]

    def leaves(self, project, story, one):
        changed = {name: one[key] for key, name in (("current_state", "state"), ("story_type", "type")) if one.get(key) in WORDS}
        new = dataclasses.replace(story, **changed)
        new.state = order.state_asked(project, new, None, one.get("group"), "current_state" in one)
        section = order.section_of(new)
        return section != order.section_of(story) or (one.get("group") == "current" and section == "backlog")

    # --- moves between projects ------------------------------------------------------

    def story_to_project(self, by, project, story, body):
        source = self.may(by, project, "member")
        story = self.story(source, story)
        target = self.projects.get(body["project_id"])
        if not target or self.rank(by, target) < 2:
            raise forbidden("no access to the destination project")
        self.shape(body)
        names = [] if {"labels", "label_ids"} & set(body) else [source.labels[id].name for id in story.labels]
        kind = "story_move_into_project"
        if any(body.get(name) is not None for name in PLACES):
            kind = ANY if set(body) - {"project_id", *PLACES} else kind + "_and_prioritize"
        with contextlib.ExitStack() as both:
            both.enter_context(self.change(by, source, "story_move_from_project", "moved"))
            both.enter_context(self.change(by, target, kind, "moved"))
            old = self.copy(story)
            self.leave(source, story)
            self.enter(by, target, story, names)
            was = self.copy(story)
            rest = {name: value for name, value in body.items() if name != "project_id"}
            # What is sent as it was read adapts to the new project as if it were not named.
            for name, key in (("current_state", "state"), ("owner_ids", "owners"), ("follower_ids", "followers"),
                              ("requested_by_id", "requester")):
                if name in rest and rest[name] == getattr(old, key):
                    rest[name] = getattr(story, key)
            if "labels" in rest:
                rest["labels"] = [self.along(source, target, old, item) for item in rest["labels"]]
            self.write(by, target, story, rest, was, order.Places(target), order.section_of(old))
            self.tell_story(by, target, old, story)
            self.read_parts(by, target, story, body, False)
            if story.state != old.state:
                self.transit(by, target, story)
                if story.state == "accepted":
                    self.unblock(by, target, story)
        return story

    def along(self, source, target, old, item):
        """An item of `labels`; one that the story had in the project that it leaves goes along by name."""
        id = item.get("id") if isinstance(item, dict) else None
        had = id in old.labels and id not in target.labels
        return {"name": source.labels[id].name} if had else item

    def leave(self, source, story):
        order.take_out(source, story)
        del source.stories[story.id]
        self.unname(source, story)

    def enter(self, by, target, story, names):
        """Labels and review types are matched by name; people who are not in the target are dropped."""
        target.stories[story.id] = story
        story.labels = sorted(self.label_named(target, name).id for name in names)
        story.owners = [id for id in story.owners if id in target.members]
        story.followers = [id for id in story.followers if id in target.members]
        if story.requester not in target.members:
            story.requester = by
        for review in story.reviews:
            review.type = self.same_type(target, review.type)
            if review.reviewer not in target.members:
                review.reviewer = None
        for blocker in story.blockers:
            blocker.waits_for = self.named(target, story, blocker.description)
        if story.state == "planned" and target.settings.automatic_planning:
            story.state = "unstarted"


class Model(Many):
    """All commands."""
