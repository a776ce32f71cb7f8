"""Runs histories, shrinks those that differ, and saves them as cases."""

import hashlib
import json
import pathlib
import time
import traceback

import hypothesis

from . import crowds, known, shrink
from .replay import Difference, Replay
from .whole import Whole

CASES = pathlib.Path(__file__).parent / "cases"


class Over(BaseException):
    """The time is up, or a difference was found; Hypothesis must not examine it."""


class Run:
    """Counts what ran; `found` are the differences, shrunk: (history, text)."""

    def __init__(self, cast, most):
        self.cast, self.most = cast, most
        self.histories = self.crowds = self.commands = self.late = 0
        self.found, self.excused = [], {}

    def replay(self, history):
        """The difference that a history shows, or None."""
        replay = Replay(self.cast)
        self.histories += 1
        try:
            for command in history:
                replay.step(command)
            Whole(replay).compare()
            return None
        except Difference as difference:
            row = known.excuse(difference)
            if row:
                self.excused[row["name"]] = self.excused.get(row["name"], 0) + 1
                return None
            return difference
        except (LookupError, TypeError, ValueError, AttributeError, StopIteration):
            return Difference(f"the model breaks: {traceback.format_exc()}")
        finally:
            self.commands += replay.commands
            replay.clean()

    def cases(self):
        """Replays the saved cases."""
        for path in sorted(CASES.glob("*.json")):
            case = json.loads(path.read_text())
            difference = self.replay(case["history"])
            if difference:
                self.found.append((case["history"], f"{path.name}: {difference}"))

    def random(self, seconds, seed, strategy):
        """Runs random histories for some seconds; ends at the first difference, which is shrunk."""
        history = self.first(seconds, seed, strategy, self.replay)
        if history:
            self.found.append(shrink.shortest(history[0], self.replay))
        return self.found[-1] if history else None

    def random_crowds(self, seconds, seed, clients):
        """The same for crowds, whose differences cannot be reproduced to shrink them."""
        found = self.first(seconds, seed, crowds.crowds(clients), lambda crowd: crowds.once(self, *crowd))
        if found:
            self.found.append((None, str(found[1])))
        return self.found[-1] if found else None

    def first(self, seconds, seed, strategy, differs):
        """The first random example that differs, and how."""
        end = time.monotonic() + seconds
        found = []

        @hypothesis.seed(seed)
        @hypothesis.settings(max_examples=10 ** 6, deadline=None, database=None, phases=[hypothesis.Phase.generate],
                             suppress_health_check=hypothesis.HealthCheck.all())
        @hypothesis.given(strategy)
        def all_alike(example):
            if time.monotonic() > end or self.histories >= self.most:
                raise Over
            difference = differs(example)
            if difference:
                found[:] = [example, difference]
                raise Over

        try:
            all_alike()
        except Over:
            pass
        return found


def write_case(history, text):
    name = hashlib.sha256(json.dumps(history).encode()).hexdigest()[:8]
    CASES.mkdir(exist_ok=True)
    path = CASES / f"found-{name}.json"
    lines = ",\n    ".join(json.dumps(command) for command in history)
    path.write_text(f'{{"about": {json.dumps(text.splitlines()[-1].strip())},\n "history": [\n    {lines}\n]}}\n')
    return path
