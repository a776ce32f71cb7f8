"""Searches and lists with parameters (contract 2.8, 4): what they must find, according to the model."""

import time
from urllib.parse import quote

from . import order, planning
from .things import NOW


def blocked(story):
    return any(not blocker.resolved for blocker in story.blockers)


def blocking(project, story, unresolved):
    return any(story.id in blocker.waits_for for other in project.stories.values() for blocker in other.blockers
               if not (unresolved and blocker.resolved))


def with_epic(project, story):
    return any(epic.label in story.labels for epic in project.epics.values())


def named(project, story):
    return [project.labels[id].name for id in story.labels]


def accepted_since(story, days):
    """Since the beginning of the day so many days ago; everybody's time zone is UTC here."""
    if story.state != "accepted":
        return False
    return story.accepted_at == NOW or story.accepted_at >= (time.time() // 86400 - days) * 86400


def words(project, story):
    """The words in all texts of a story, except people's names."""
    texts = [story.name, story.description or "", *named(project, story), *(c.text for c in story.comments),
             *(t.description for t in story.tasks)]
    return {word.lower() for text in texts for word in text.split()}


# Filters, each with whether it finds a story; {me} and {name} are those of the person who asks.
FILTERS = {
    "state:started,finished": lambda p, s, me: s.state in ("started", "finished"),
    "state:unscheduled": lambda p, s, me: s.state == "unscheduled",
    "-state:unstarted": lambda p, s, me: s.state != "unstarted",
    "type:bug,chore": lambda p, s, me: s.type in ("bug", "chore"),
    "estimate:-1": lambda p, s, me: s.estimate is None,
    "estimate:2": lambda p, s, me: s.estimate == 2,
    "label:a": lambda p, s, me: "a" in named(p, s),
    'label:"d e"': lambda p, s, me: "d e" in named(p, s),
    'label:""': lambda p, s, me: not s.labels,
    "has:label": lambda p, s, me: bool(s.labels),
    "no:label state:accepted": lambda p, s, me: not s.labels and s.state == "accepted",
    'owner:""': lambda p, s, me: not s.owners,
    "no:owner": lambda p, s, me: not s.owners,
    "owner:{me}": lambda p, s, me: me in s.owners,
    "owner:{name}": lambda p, s, me: me in s.owners,
    "requester:{me}": lambda p, s, me: me == s.requester,
    "mywork:{me}": lambda p, s, me: me in s.owners and s.in_progress,
    "reviewer:{me}": lambda p, s, me: any(r.reviewer == me for r in s.reviews),
    "review_status:pass": lambda p, s, me: any(r.status == "pass" for r in s.reviews),
    "is:blocked": lambda p, s, me: blocked(s),
    "has:blocker": lambda p, s, me: bool(s.blockers),
    "no:blocker": lambda p, s, me: not s.blockers,
    "is:blocking": lambda p, s, me: blocking(p, s, True),
    "has:blocking": lambda p, s, me: blocking(p, s, False),
    "is:following": lambda p, s, me: me in s.followers,
    "has:epic": lambda p, s, me: with_epic(p, s),
    "no:epic": lambda p, s, me: not with_epic(p, s),
    "epic:epic": lambda p, s, me: any(e.label in s.labels and e.name == "epic" for e in p.epics.values()),
    "state:unstarted OR type:release": lambda p, s, me: s.state == "unstarted" or s.type == "release",
    "type:feature (label:a OR -state:unscheduled)":
        lambda p, s, me: s.type == "feature" and ("a" in named(p, s) or s.state != "unscheduled"),
    "type:feature OR label:a state:unscheduled":
        lambda p, s, me: (s.type == "feature" or "a" in named(p, s)) and s.state == "unscheduled",
    "name:a": lambda p, s, me: s.name == "a",
    "d": lambda p, s, me: "d" in words(p, s),
    '"d e"': lambda p, s, me: "d e" in named(p, s) or any(t.description == "d e" for t in s.tasks),
    "hi -text": lambda p, s, me: "hi" in words(p, s) and "text" not in words(p, s),
    "accepted_since:-7d": lambda p, s, me: accepted_since(s, 7),
    "accepted_since:-14d state:accepted": lambda p, s, me: accepted_since(s, 14),
    "includedone:true": lambda p, s, me: True,
    "includedone:true state:accepted": lambda p, s, me: s.state == "accepted",
}


def hidden(project):
    """The stories of done iterations, which only some searches find."""
    _, found = planning.iterations(project)
    done = found[:planning.current_number(project) - 1]
    return {id for iteration in done for id in iteration.stories}


def searches(project, person, name, some):
    """(address below the project, ids that it lists) for some searches."""
    done, ids = hidden(project), order.whole_order(project)
    for text in some:
        wanted = FILTERS[text]
        everything = "includedone" in text or "accepted_since" in text
        found = [id for id in ids if wanted(project, project.stories[id], person) and (everything or id not in done)]
        yield f"/stories?limit=500&filter={quote(text.format(me=person, name=name))}", found


def lists(project, turn):
    """The same for lists with parameters."""
    ids, stories = order.whole_order(project), project.stories
    yield "/stories?with_label=a", [id for id in ids if "a" in named(project, stories[id])]
    yield "/stories?with_state=accepted,started", [id for id in ids if stories[id].state in ("accepted", "started")]
    yield "/stories?with_story_type=bug", [id for id in ids if stories[id].type == "bug"]
    if ids:
        one = ids[turn % len(ids)]
        yield f"/stories?after_story_id={one}", ids[ids.index(one) + 1:]
        yield f"/stories?before_story_id={one}", ids[:ids.index(one)]
        yield f"/stories/bulk?ids={one},1", [one]
    epics = {epic.label for epic in project.epics.values()}
    active = {id for story in stories.values() if story.state != "accepted" for id in story.labels}
    by_name = sorted(project.labels)
    yield "/labels?with_type=epic", [id for id in by_name if id in epics]
    yield "/labels?with_type=standard", [id for id in by_name if id not in epics]
    yield "/labels?with_status=active", [id for id in by_name if id in active]
