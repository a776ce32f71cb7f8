"""Converts things of the model and of the server to the same form. Times from the server's clock become the word
"now", because the model cannot know them; updated_at is left out."""

import calendar
import datetime
import time

from . import order
from .things import ANY, NOW, STATES

RECENT = 3600  # the most seconds that a history takes: older times come from requests


def moment(text):
    if text is None:
        return None
    found = calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))
    return NOW if abs(found - time.time()) < RECENT else found


def full(values):
    return {name: value for name, value in values.items() if value is not None}


def part(item, *names):
    return tuple(item.get(name) for name in names)


def story_of_model(project, story):
    ids = order.whole_order(project)
    place = ids.index(story.id) if story.id in ids else 0
    return full({
        "id": story.id, "project_id": project.id, "name": story.name, "description": story.description,
        "story_type": story.type, "current_state": story.state, "estimate": story.estimate,
        "story_priority": story.priority, "requested_by_id": story.requester, "deadline": story.deadline,
        "accepted_at": story.accepted_at, "owner_ids": story.owners, "owned_by_id": next(iter(story.owners), None),
        "follower_ids": story.followers, "label_ids": sorted(story.labels),
        "labels": sorted(project.labels[id].name for id in story.labels),
        "after_id": ids[place - 1] if place else None,
        "before_id": ids[place + 1] if place + 1 < len(ids) else None,
        "tasks": [(t.id, t.description, t.complete, n) for n, t in enumerate(story.tasks, 1)],
        "comments": [(c.id, c.text, c.person) for c in story.comments],
        "blockers": [(b.id, b.description, b.person, b.resolved) for b in story.blockers],
        "reviews": [(r.id, r.type, r.reviewer, r.status) for r in story.reviews]})


def story_of_server(body):
    names = ("id", "project_id", "name", "description", "story_type", "current_state", "estimate", "story_priority",
             "requested_by_id", "deadline", "owner_ids", "owned_by_id", "follower_ids", "after_id", "before_id")
    return full({
        **{name: body.get(name) for name in names}, "accepted_at": moment(body.get("accepted_at")),
        "label_ids": sorted(body["label_ids"]), "labels": sorted(label["name"] for label in body["labels"]),
        "tasks": [part(t, "id", "description", "complete", "position") for t in body["tasks"]],
        "comments": [part(c, "id", "text", "person_id") for c in body["comments"]],
        "blockers": [part(b, "id", "description", "person_id", "resolved") for b in body["blockers"]],
        "reviews": [part(r, "id", "review_type_id", "reviewer_id", "status") for r in body["reviews"]]})


def epic_of_model(project, epic):
    ids = project.epic_order
    place = ids.index(epic.id) if epic.id in ids else 0
    return full({
        "id": epic.id, "name": epic.name, "description": epic.description, "label": epic.label,
        "after_id": ids[place - 1] if place else None,
        "before_id": ids[place + 1] if place + 1 < len(ids) else None,
        "follower_ids": epic.followers, "comments": [(c.id, c.text, c.person) for c in epic.comments]})


def epic_of_server(body):
    return full({
        **{name: body.get(name) for name in ("id", "name", "description", "after_id", "before_id", "follower_ids")},
        "label": body["label"]["id"], "comments": [part(c, "id", "text", "person_id") for c in body["comments"]]})


def counts_of_model(project, label):
    """(stories, sum of estimates, stories with zero points) by state."""
    stories = [s for s in project.stories.values() if label.id in s.labels]
    found = {}
    for state in STATES:
        mine = [s for s in stories if s.state == state]
        if mine:
            found[state] = (len(mine), sum(s.estimate or 0 for s in mine), sum(not s.estimate for s in mine))
    return found


def counts_of_server(counts):
    found = {}
    for state in STATES:
        row = tuple(counts[name][state] for name in ("number_of_stories_by_state", "sum_of_story_estimates_by_state",
                                                     "number_of_zero_point_stories_by_state"))
        if any(row):
            found[state] = row
    return found


def label_of_model(project, label):
    return {"id": label.id, "name": label.name, "counts": counts_of_model(project, label),
            "has_epic": any(epic.label == label.id for epic in project.epics.values())}


def label_of_server(body):
    return {**{name: body[name] for name in ("id", "name", "has_epic")}, "counts": counts_of_server(body["counts"])}


def project_of_model(project, velocity, number):
    settings = vars(project.settings)
    return full({**settings, "version": project.version, "current_velocity": velocity,
                 "current_iteration_number": number})


def project_of_server(body):
    names = ("name", "point_scale", "bugs_and_chores_are_estimatable", "automatic_planning", "iteration_length",
             "week_start_day", "initial_velocity", "velocity_averaged_over", "number_of_done_iterations_to_show",
             "start_date", "public", "version", "current_velocity", "current_iteration_number")
    return full({**{name: body.get(name) for name in names}, "time_zone": body["time_zone"]["olson_name"]})


def iteration_of_model(plan, iteration):
    def utc(day):
        return datetime.datetime.fromtimestamp(plan.midnight(day), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"number": iteration.number, "length": iteration.length, "team_strength": iteration.strength,
            "start": utc(iteration.start), "finish": utc(plan.finish(iteration)),
            "points": iteration.points, "accepted_points": iteration.accepted, "velocity": iteration.velocity,
            "effective_points": round(iteration.points / iteration.strength, 3) if iteration.strength else 0,
            "stories": iteration.stories}


def iteration_of_server(body):
    names = ("number", "length", "team_strength", "start", "finish", "points", "accepted_points", "velocity")
    return {**{name: body[name] for name in names}, "effective_points": round(body["effective_points"], 3),
            "stories": body["story_ids"]}


def activity_of_model(activity):
    return activity.version, activity.kind + "_activity", activity.highlight, activity.by


def activity_of_server(body):
    return body["project_version"], body["kind"], body["highlight"], body["performed_by"]["id"]


def activities(server, model):
    """Both, with the model's set to the server's wherever the texts leave something open."""
    seen = [activity_of_server(body) for body in server]
    known = [activity_of_model(activity) for activity in model]
    for n, (there, here) in enumerate(zip(seen, known)):
        known[n] = tuple(a if ANY in str(b) else b for a, b in zip(there, here))
    return seen, known


def notification_of_model(note):
    return (note.project, note.by, note.kind, note.action, note.story, note.epic, note.comment)


def notification_of_server(body):
    return (body.get("project", {}).get("id"), body["performer"]["id"], body["notification_type"], body["action"],
            body.get("story", {}).get("id"), body.get("epic", {}).get("id"), body.get("comment_id"))
