"""The checker of crowds (t/model/crowds.py), with answers that no server gave: of equal commands by two people, the
activity says whose made the version."""

import collections
import pathlib
import sys
import types

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from model.commands import Request  # noqa: E402
from model.crowds import Crowd, Deed  # noqa: E402
from model.many import Model  # noqa: E402
from model.replay import Replay  # noqa: E402
from model.server import Answer  # noqa: E402
from model.things import Account, InAccount, Member, Project, Settings  # noqa: E402

ANN, BOB, PROJECT = 1, 2, 10
NAMES = {ANN: "Ann", BOB: "Bob"}


class NoServer:
    """Knows the activity, and nothing else."""
    names = NAMES
    people = {name: (None, id, name.lower()) for id, name in NAMES.items()}
    server = None

    def __init__(self, performer):
        self.performer = performer
        self.seen = collections.Counter()

    def send(self, _by, _method, address):
        assert address.startswith(f"/projects/{PROJECT}/activity")
        return Answer(200, None, [{"project_version": 2, "kind": "project_update_activity", "highlight": "edited",
                                   "performed_by": {"id": self.performer}}])


def crowd(performer):
    """With one project, at version 1."""
    cast = NoServer(performer)
    replay = Replay(cast, prelude=False)
    replay.model = Model()
    project = Project(PROJECT, 1, Settings("one"))
    project.members = {id: Member(id, "owner") for id in NAMES}
    replay.model.projects[PROJECT] = project
    replay.model.accounts[1] = Account(1, ANN, {id: InAccount(True, True) for id in NAMES})
    made = Crowd(types.SimpleNamespace(cast=cast), [], [])
    made.replay = replay
    return made


def deed(by, start, end):
    """Sets the velocity; the answer has version 2, as it does for who made that version and for who changed nothing."""
    request = Request(by, "project_change", {"project": PROJECT}, {"initial_velocity": 3})
    return Deed({"by": NAMES[by], "do": "project_change"}, request, PROJECT, start, end, Answer(200, 2, {"id": PROJECT}))


@pytest.fixture(autouse=True)
def no_prelude(monkeypatch):
    monkeypatch.setattr("model.replay.PRELUDE", [])


def explained(performer, *deeds):
    made = crowd(performer)
    made.learn_activities()
    made.explain(sorted(deeds, key=lambda deed: deed.end))
    return made.replay.model.projects[PROJECT].activities


@pytest.mark.parametrize("performer", [ANN, BOB])
def test_of_equal_commands_the_performers_made_the_version(performer):
    found = explained(performer, deed(ANN, 0, 2), deed(BOB, 1, 3))
    assert [(one.version, one.by) for one in found] == [(2, performer)]
    found = explained(performer, deed(BOB, 0, 2), deed(ANN, 1, 3))
    assert [(one.version, one.by) for one in found] == [(2, performer)]


def test_of_ones_own_equal_commands_the_one_that_began_first_made_the_version():
    """Bob's changed nothing and had ended before Ann's second one began."""
    found = explained(ANN, deed(ANN, 0, 10), deed(BOB, 2, 3), deed(ANN, 5, 6))
    assert [(one.version, one.by) for one in found] == [(2, ANN)]
