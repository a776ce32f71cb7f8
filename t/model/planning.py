"""Iterations: the calendar, velocity and filling (contract 5.2 to 5.4), implemented a second time from the
text and from t/planning/README.md."""

import datetime
import math
import time
import zoneinfo
from dataclasses import dataclass, field

from . import order
from .things import NOW

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass
class Iteration:
    number: int
    start: datetime.date
    length: int
    strength: float
    stories: list = field(default_factory=list)
    points: float = 0
    accepted: float = 0
    velocity: float = 0

    def take(self, story):
        self.stories.append(story.id)
        self.points += weight(story)

    def take_what_fits(self, waiting, room):
        """Moves stories here, in order, until one does not fit; returns the remaining room. Strength 0 takes none."""
        while waiting and self.strength > 0 and self.points + weight(waiting[0]) <= room:
            self.take(waiting.pop(0))
        return max(0, room - self.points)


class Calendar:
    """When a project's iterations are."""

    def __init__(self, project):
        self.project, self.settings = project, project.settings
        self.zone = zoneinfo.ZoneInfo(project.settings.time_zone)
        self.now = time.time()

    def day(self, moment):
        moment = self.now if moment == NOW else moment
        return datetime.datetime.fromtimestamp(moment, self.zone).date()

    def midnight(self, day):
        return datetime.datetime(day.year, day.month, day.day, tzinfo=self.zone).timestamp()

    def first_day(self):
        """The week start on or before start_date (today, without one), or the first acceptance."""
        days = [self.day(s.accepted_at) for s in self.project.stories.values() if s.state == "accepted"]
        given = self.settings.start_date
        days.append(datetime.date.fromisoformat(given) if given else self.day(NOW))
        first = min(days)
        return first - datetime.timedelta((first.weekday() - DAYS.index(self.settings.week_start_day)) % 7)

    def iteration(self, number, start):
        override = self.project.overrides.get(number)
        length = override and override.length or self.settings.iteration_length
        strength = 1 if override is None or override.strength is None else override.strength
        return Iteration(number, start, length, strength)

    def finish(self, iteration):
        return iteration.start + datetime.timedelta(weeks=iteration.length)

    def past_and_present(self):
        """All iterations that have begun."""
        found = [self.iteration(1, self.first_day())]
        while self.midnight(self.finish(found[-1])) <= self.now:
            found.append(self.iteration(found[-1].number + 1, self.finish(found[-1])))
        return found


def weight(story):
    return story.estimate or 0


def current_number(project):
    return len(Calendar(project).past_and_present())


def down(number):
    """Rounds down, with a tolerance of one millionth."""
    return math.floor(number + 1e-6)


def velocity_of(settings, done):
    """The velocity from the accepted points of the last done iterations."""
    counted = [i for i in done if i.strength > 0][-settings.velocity_averaged_over:]
    if not counted or (len(counted) == settings.velocity_averaged_over and not any(i.accepted for i in counted)):
        return settings.initial_velocity
    weekly = sum(i.accepted / i.strength for i in counted) / sum(i.length for i in counted)
    return down(weekly * settings.iteration_length)


def capacity(settings, velocity, iteration):
    return down(velocity * iteration.strength * iteration.length / settings.iteration_length)


def iterations(project):
    """(velocity, iterations: done, current and backlog)."""
    plan = Calendar(project)
    found = plan.past_and_present()
    for story in order.accepted_in_order(project):
        moment = plan.now if story.accepted_at == NOW else story.accepted_at
        home = max((i for i in found if plan.midnight(i.start) <= moment), key=lambda i: i.number)
        home.take(story)
        home.accepted += weight(story)
    for n, iteration in enumerate(found):
        iteration.velocity = velocity_of(project.settings, found[:n])
    velocity = found[-1].velocity
    fill(project, plan, found)
    return velocity, found


def fill(project, plan, found):
    """Adds the stories that are not accepted: in progress, planned, and those of the backlog as they fit."""
    stories, settings, current = project.stories, project.settings, found[-1]
    velocity = current.velocity
    started = [stories[id] for id in project.order["progress"]]
    planned = [stories[id] for id in project.order["planned"]]
    waiting = [stories[id] for id in project.order["backlog"]]
    for story in started + ([] if settings.automatic_planning else planned):
        current.take(story)
    carry = 0
    if settings.automatic_planning:
        waiting = planned + waiting
        carry = current.take_what_fits(waiting, capacity(settings, velocity, current))
    last = current
    while waiting:
        last = plan.iteration(last.number + 1, plan.finish(last))
        last.velocity = velocity
        found.append(last)
        carry = last.take_what_fits(waiting, capacity(settings, max(velocity, 1), last) + carry)
