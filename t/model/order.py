"""The order of stories (contract 5.5, planwright-api(7) under STORIES)."""

from .things import NOW, invalid

SECTIONS = ("progress", "planned", "backlog", "icebox")
ALL = ("accepted", *SECTIONS)
PROGRESS = {"started", "finished", "delivered", "rejected"}
OF_GROUP = {"scheduled": {"unstarted", "planned", *PROGRESS}, "unscheduled": {"unscheduled"}}
PLANNABLE = ("feature", "bug")


def section_of(story):
    if story.in_progress:
        return "progress"
    return {"accepted": "accepted", "planned": "planned", "unstarted": "backlog", "unscheduled": "icebox"}[story.state]


def accepted_in_order(project):
    """Accepted stories by accepted_at; those of the same time by when they were accepted, then by id."""
    accepted = [s for s in project.stories.values() if s.state == "accepted"]
    far = float("inf")
    return sorted(accepted, key=lambda s: (far if s.accepted_at in (NOW, None) else s.accepted_at, s.accepted_turn, s.id))


def whole_order(project):
    """The ids of all stories, first to last."""
    ids = [s.id for s in accepted_in_order(project)]
    return ids + [id for section in SECTIONS for id in project.order[section]]


def take_out(project, story):
    for ids in project.order.values():
        if story.id in ids:
            ids.remove(story.id)


def beside_of(project, story, body, movers=()):
    """(neighbour, whether the place is before it, section of the place), or None: what before_id and after_id ask for, as
    if `movers` were not there. Between two stories of different sections, the story stays in its own section, or comes as
    near to it as they allow."""
    before, after = body.get("before_id"), body.get("after_id")
    for id in (before, after):
        if id is not None and (id == story.id or id not in project.stories):
            raise invalid("beside itself, or a story that is not in the project")
    if before is None and after is None:
        return None
    if before is None or after is None:
        other = project.stories[after if before is None else before]
        return other, before is not None, section_of(other)
    rest = [id for id in whole_order(project) if id != story.id and (id not in movers or id in (before, after))]
    if rest.index(before) != rest.index(after) + 1:
        raise invalid("those two are not next to each other")
    low, high = (ALL.index(section_of(project.stories[id])) for id in (after, before))
    section = ALL[min(max(ALL.index(section_of(story)), low), high)]
    return (project.stories[before], True, section) if ALL[high] == section else (project.stories[after], False, section)


def state_asked(project, story, beside, group, named):
    """The state that results from a place and a group; `named`: the request names a state, which the story has by now."""
    automatic = project.settings.automatic_planning
    current = {"unstarted" if automatic else "planned", *PROGRESS}
    if group and named:
        if story.state not in OF_GROUP.get(group, current):
            raise invalid(f"no stories of that state are in the group {group}")
    if named or not (group or beside) or story.state == "accepted":
        return story.state
    if not group and beside[2] == section_of(story):
        return story.state
    if group == "unscheduled" or (not group and beside[2] == "icebox"):
        return "unscheduled"
    if story.in_progress:
        return story.state
    if group == "current":
        if not automatic and story.type not in PLANNABLE:
            raise invalid("it cannot be planned")
        return "unstarted" if automatic else "planned"
    if group == "scheduled":
        return "unstarted"  # the state of the backlog, also for a story that was planned
    plan = not automatic and story.type in PLANNABLE and beside[2] != "backlog"
    return "planned" if plan else "unstarted"


class Places:
    """Puts the stories of one request in their places, each as if the others that move (`movers`, their ids) were not
    there: those that come between the same two stories keep the order of the request."""

    def __init__(self, project, movers=()):
        self.project, self.movers = project, set(movers)
        self.last = {}  # (section, how many unmoved stories are above): the last story that was put there

    def put(self, story, section, index):
        """Puts it at this index, which does not count the story itself; after one that was put there before."""
        take_out(self.project, story)
        ids = self.project.order[section]
        above = [id for id in ids[:index] if id not in self.movers]
        spot = section, len(above)
        behind = self.last.get(spot, above[-1] if above else None)
        ids.insert(0 if behind is None else ids.index(behind) + 1, story.id)
        self.last[spot] = story.id

    def place(self, story, beside, group, was):
        """`was`: the section in which it was before, perhaps in another project; None for a new story."""
        section = section_of(story)
        if section == "accepted":
            if beside or group:
                raise invalid("accepted stories cannot be moved")
            take_out(self.project, story)
        elif beside:
            self.put_beside(story, section, *beside[:2])
        elif section != was or story.id not in self.project.order[section] or (group == "current" and section == "backlog"):
            self.arrive(story, section, was, group)

    def put_beside(self, story, section, other, before):
        there = section_of(other)
        if there == "accepted" and before:
            raise invalid("nothing stands before accepted stories")
        take_out(self.project, story)
        ids = self.project.order[section]
        if there == section:
            self.put(story, section, ids.index(other.id) + (not before))
        elif there == "accepted" or SECTIONS.index(there) < SECTIONS.index(section):
            self.put(story, section, 0)
        else:
            self.put(story, section, len(ids))

    def arrive(self, story, section, was, group):
        take_out(self.project, story)
        above = was in ("accepted", "progress", "planned")
        top = section == "icebox" or (section == "backlog" and (above or group == "current"))
        self.put(story, section, 0 if top else len(self.project.order[section]))
