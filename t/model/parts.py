"""What belongs to stories: labels, owners, tasks, comments, blockers, reviews (contract 2.7 to 2.11)."""

import re

from .telling import Telling
from .things import Blocker, Comment, Review, Task, clone, invalid, missing

STATUSES = ("unstarted", "in_review", "pass", "revise")


def one(items, id):
    """The item with this id."""
    for item in items:
        if item.id == id:
            return item
    raise missing("no such part of the story")


def text_of(body, name, required=True):
    if name not in body:
        if required:
            raise invalid(f"requires {name}")
        return None
    if body[name] is None or not body[name].strip():
        raise invalid(f"{name} is blank")
    return body[name]


class Parts(Telling):
    def copy(self, thing):
        return clone(thing)

    def part(self, by, project, story):
        """(project, story) for a command on a part of a story."""
        project = self.may(by, project, "member")
        return project, self.story(project, story)

    def follow(self, story, person):
        if person not in story.followers:
            story.followers.append(person)

    def read_parts(self, by, project, story, body, new):
        """The nested lists in a story's body: an item with an id changes that part, one without is new."""
        for name, add, change in (("tasks", self.add_task, self.set_task),
                                  ("comments", self.add_comment, self.set_comment),
                                  ("blockers", self.add_blocker, self.set_blocker),
                                  ("reviews", self.add_review, self.set_review)):
            for item in body.get(name, []):
                if "id" not in item:
                    add(by, project, story, item, name)
                elif new:
                    raise invalid("something new with an id")
                else:
                    change(by, project, story, one(getattr(story, name), item["id"]), item)
        if body.get("comment"):
            self.add_comment(by, project, story, body["comment"], "comments")

    # --- labels and owners of a story ------------------------------------------

    def story_label_add(self, by, project, story, body):
        project, story = self.part(by, project, story)
        if not {"id", "name"} & set(body):
            raise invalid("requires id or name")
        with self.change(by, project, "story_update", "edited"):
            if "id" in body:
                if body["id"] not in project.labels:
                    raise invalid("not a label of the project")
                id = body["id"]
            else:
                id = self.label_named(project, body["name"], at=None).id
            story.labels = sorted({*story.labels, id})
        return project.labels[id]

    def story_label_remove(self, by, project, story, label):
        project, story = self.part(by, project, story)
        if label not in story.labels:
            raise missing("the story does not have it")
        with self.change(by, project, "story_update", "edited"):
            story.labels.remove(label)
        return project.labels[label]

    def owner_add(self, by, project, story, body):
        project, story = self.part(by, project, story)
        self.people_of(project, [body["id"]], story.owners)
        with self.change(by, project, "story_update", "edited"):
            old = self.copy(story)
            if body["id"] not in story.owners:
                story.owners.append(body["id"])
            self.tell_story(by, project, old, story)

    def owner_remove(self, by, project, story, person):
        project, story = self.part(by, project, story)
        if person not in story.owners:
            raise missing("not an owner")
        with self.change(by, project, "story_update", "edited"):
            story.owners.remove(person)

    # --- followers ---------------------------------------------------------------

    def follower_add(self, by, project, story, body):
        project, story = self.part(by, project, story)
        self.people_of(project, [body["id"]], story.followers)
        with self.change(by, project, "follower_create", "added"):
            self.follow(story, body["id"])

    def follower_remove(self, by, project, story, person):
        project, story = self.part(by, project, story)
        if person not in story.followers:
            raise missing("not a follower")
        with self.change(by, project, "follower_delete", "deleted"):
            story.followers.remove(person)

    # --- tasks -----------------------------------------------------------------

    def place_task(self, story, task, body, count):
        if "position" in body:
            if not 1 <= body["position"] <= count:
                raise invalid("position out of range")
            if task in story.tasks:
                story.tasks.remove(task)
            story.tasks.insert(body["position"] - 1, task)
        elif task not in story.tasks:
            story.tasks.append(task)

    def add_task(self, by, project, story, body, at=None):
        text = text_of(body, "description")
        known = {task.id for task in story.tasks}
        task = Task(self.new_id(*([at] if at else []), known=known,
                                matches=lambda item: item.get("description", text) == text),
                    text, body.get("complete", False))
        self.place_task(story, task, body, len(story.tasks) + 1)
        return task

    def set_task(self, by, project, story, task, body):
        task.description = text_of(body, "description", required=False) or task.description
        task.complete = body.get("complete", task.complete)
        self.place_task(story, task, body, len(story.tasks))

    def task_create(self, by, project, story, body):
        project, story = self.part(by, project, story)
        with self.change(by, project, "task_create", "added task:"):
            return self.add_task(by, project, story, body)

    def task_change(self, by, project, story, task, body):
        project, story = self.part(by, project, story)
        task = one(story.tasks, task)
        old, place = self.copy(task), story.tasks.index(task)
        with self.change(by, project, "task_update", "rewrote task:") as told:
            self.set_task(by, project, story, task, body)
            if task.description == old.description:
                told.highlight = "completed task:" if task.complete else "uncompleted task:"
                if task.complete == old.complete:
                    told.highlight = "moved task:" if story.tasks.index(task) != place else ""
        return task

    def task_delete(self, by, project, story, task):
        project, story = self.part(by, project, story)
        with self.change(by, project, "task_delete", "deleted"):
            story.tasks.remove(one(story.tasks, task))

    # --- comments --------------------------------------------------------------

    def add_comment(self, by, project, on, body, at=None):
        text, author = text_of(body, "text"), body.get("person_id", by)
        self.people_of(project, [author], [by])
        known = {comment.id for comment in on.comments}
        comment = Comment(self.new_id(*([at] if at else []), known=known,
                                      matches=lambda item: item.get("text", text) == text), text, author)
        on.comments.append(comment)
        self.follow(on, author)
        self.tell_comment(by, project, on, comment)
        return comment

    def set_comment(self, by, project, on, comment, body):
        old, comment.text = comment.text, text_of(body, "text")
        self.tell_edited_comment(by, project, on, comment, old)

    def comment_create(self, by, project, story, body):
        project, story = self.part(by, project, story)
        with self.change(by, project, "comment_create", "added comment:"):
            return self.add_comment(by, project, story, body)

    def comment_change(self, by, project, story, comment, body):
        project, story = self.part(by, project, story)
        comment = one(story.comments, comment)
        with self.change(by, project, "comment_update", "edited"):
            self.set_comment(by, project, story, comment, body)
        return comment

    def comment_delete(self, by, project, story, comment):
        project, story = self.part(by, project, story)
        with self.change(by, project, "comment_delete", "deleted"):
            story.comments.remove(one(story.comments, comment))

    # --- blockers --------------------------------------------------------------

    def add_blocker(self, by, project, story, body, at=None):
        text = text_of(body, "description")
        known = {blocker.id for blocker in story.blockers}
        blocker = Blocker(self.new_id(*([at] if at else []), known=known,
                                      matches=lambda item: item.get("description", text) == text),
                          text, by, body.get("resolved", False))
        blocker.waits_for = self.named(project, story, text)
        story.blockers.append(blocker)
        self.tell_blocker(by, project, story, blocker)
        return blocker

    def set_blocker(self, by, project, story, blocker, body):
        text = text_of(body, "description", required=False)
        if text is not None and text != blocker.description:
            blocker.description, blocker.waits_for = text, self.named(project, story, text)
        if body.get("resolved") and not blocker.resolved:
            self.tell_blocker(by, project, story, blocker, "resolve")
        blocker.resolved = body.get("resolved", blocker.resolved)

    def named(self, project, story, text):
        """The ids of the project's other stories that a text names, like #7."""
        ids = [int(digits) for digits in re.findall(r"#(\d+)(?!\w)", text)]
        return sorted({id for id in ids if id in project.stories and id != story.id})

    def unblock(self, by, project, accepted):
        """Resolves blockers that no longer wait for anything, now that a story is accepted."""
        for story in project.stories.values():
            for blocker in story.blockers:
                if accepted.id in blocker.waits_for and not blocker.resolved and all(
                        project.stories[id].state == "accepted" for id in blocker.waits_for):
                    blocker.resolved = True
                    self.tell_blocker(by, project, story, blocker, "resolve")

    def unname(self, project, gone):
        for story in project.stories.values():
            for blocker in story.blockers:
                if gone.id in blocker.waits_for:
                    blocker.waits_for.remove(gone.id)

    def blocker_create(self, by, project, story, body):
        project, story = self.part(by, project, story)
        with self.change(by, project, "blocker_create", "added"):
            return self.add_blocker(by, project, story, body)

    def blocker_change(self, by, project, story, blocker, body):
        project, story = self.part(by, project, story)
        blocker = one(story.blockers, blocker)
        with self.change(by, project, "blocker_update", "edited"):
            self.set_blocker(by, project, story, blocker, body)
        return blocker

    def blocker_delete(self, by, project, story, blocker):
        project, story = self.part(by, project, story)
        with self.change(by, project, "blocker_delete", "deleted"):
            story.blockers.remove(one(story.blockers, blocker))

    # --- reviews ---------------------------------------------------------------

    def add_review(self, by, project, story, body, at=None):
        if body.get("review_type_id") not in project.review_types:
            raise invalid("not a review type of the project")
        known = {review.id for review in story.reviews}
        review = Review(self.new_id(*([at] if at else []), known=known), body["review_type_id"])
        story.reviews.append(review)
        self.set_review(by, project, story, review, body)
        return review

    def set_review(self, by, project, story, review, body):
        if "reviewer_id" in body:
            self.people_of(project, [id for id in [body["reviewer_id"]] if id], [review.reviewer])
            review.reviewer = body["reviewer_id"]
        review.status = body.get("status", review.status)

    def same_type(self, project, type):
        """The review type of a project that has the same name as another project's."""
        name = next(p.review_types[type] for p in self.projects.values() if type in p.review_types)
        return next(id for id, other in project.review_types.items() if other.lower() == name.lower())

    def review_create(self, by, project, story, body):
        project, story = self.part(by, project, story)
        with self.change(by, project, "review_create", "added"):
            return self.add_review(by, project, story, body)

    def review_change(self, by, project, story, review, body):
        project, story = self.part(by, project, story)
        review = one(story.reviews, review)
        with self.change(by, project, "review_update", "edited"):
            self.set_review(by, project, story, review, body)
        return review

    def review_delete(self, by, project, story, review):
        project, story = self.part(by, project, story)
        with self.change(by, project, "review_delete", "deleted"):
            story.reviews.remove(one(story.reviews, review))
