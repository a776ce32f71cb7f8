"""The things in the model: plain values, without rules."""

import dataclasses
import pickle
from dataclasses import dataclass, field

STATES = ("accepted", "delivered", "finished", "started", "rejected", "planned", "unstarted", "unscheduled")
NOW = "now"  # a time that the server read from its clock during the history
ANY = "*"  # what the texts leave open


def clone(value):
    """A deep copy; copy.deepcopy takes ten times as long."""
    return pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


class Refused(Exception):
    """A refused command: the response's status and error code."""

    def __init__(self, status, code, why=""):
        super().__init__(f"{status} {code} {why}")
        self.status, self.code = status, code


def invalid(why):
    return Refused(400, "invalid_parameter", why)


def missing(why=""):
    return Refused(404, "unfound_resource", why)


def forbidden(why=""):
    return Refused(403, "unauthorized_operation", why)


@dataclass
class Label:
    id: int
    name: str


@dataclass
class Task:
    id: int
    description: str
    complete: bool = False


@dataclass
class Comment:
    id: int
    text: str
    person: int


@dataclass
class Blocker:
    id: int
    description: str
    person: int
    resolved: bool = False
    waits_for: list = field(default_factory=list)  # stories that its description names


@dataclass
class Review:
    id: int
    type: int
    reviewer: int | None = None
    status: str = "unstarted"


@dataclass
class Story:
    id: int
    name: str
    requester: int
    type: str = "feature"
    state: str = "unscheduled"
    priority: str = "none"
    estimate: float | None = None
    description: str | None = None
    deadline: str | None = None
    accepted_at: object = None  # None, NOW or seconds since 1970
    accepted_turn: int = 0  # orders stories that were accepted at the same time
    owners: list = field(default_factory=list)
    followers: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    tasks: list = field(default_factory=list)
    comments: list = field(default_factory=list)
    blockers: list = field(default_factory=list)
    reviews: list = field(default_factory=list)

    @property
    def in_progress(self):
        return self.state in ("started", "finished", "delivered", "rejected")


@dataclass
class Epic:
    id: int
    name: str
    label: int
    description: str | None = None
    followers: list = field(default_factory=list)
    comments: list = field(default_factory=list)


@dataclass
class Activity:
    version: int
    kind: str
    highlight: str
    by: int


@dataclass
class Settings:
    name: str
    point_scale: str = "0,1,2,3"
    bugs_and_chores_are_estimatable: bool = False
    automatic_planning: bool = True
    iteration_length: int = 1
    week_start_day: str = "Monday"
    initial_velocity: int = 10
    velocity_averaged_over: int = 3
    number_of_done_iterations_to_show: int = 4
    time_zone: str = "Etc/UTC"  # also that of the people here
    start_date: str | None = None
    public: bool = False


@dataclass
class Override:
    length: int | None = None
    strength: float | None = None


@dataclass
class Member:
    id: int  # of the membership
    role: str
    color: str = "555555"


@dataclass
class Project:
    """`order` has the stories by section, except accepted ones, which are ordered by when they were accepted."""
    id: int
    account: int
    settings: Settings
    version: int = 1
    members: dict = field(default_factory=dict)  # person: Member
    labels: dict = field(default_factory=dict)
    stories: dict = field(default_factory=dict)
    epics: dict = field(default_factory=dict)
    epic_order: list = field(default_factory=list)
    order: dict = field(default_factory=lambda: {"progress": [], "planned": [], "backlog": [], "icebox": []})
    overrides: dict = field(default_factory=dict)
    review_types: dict = field(default_factory=dict)  # id: name
    transitions: list = field(default_factory=list)  # (version, story, state, by)
    activities: list = field(default_factory=list)

    def content(self):
        """Everything whose change makes a new version."""
        return dataclasses.replace(self, version=0, activities=[], transitions=[])


@dataclass
class InAccount:
    admin: bool = False
    creator: bool = False


@dataclass
class Account:
    id: int
    owner: int
    people: dict = field(default_factory=dict)  # person: InAccount


@dataclass
class Notification:
    person: int
    by: int
    project: int | None  # None: about an account
    kind: str
    action: str
    story: int | None = None
    epic: int | None = None
    comment: int | None = None
