"""The golden cases of t/planning (see README.md there) as Python values, and as projects on a server."""

import collections
import pathlib
import re

PLANNING = pathlib.Path(__file__).resolve().parents[1] / "planning"
SECTIONS = {"accepted": 0, "planned": 2, "unstarted": 3, "unscheduled": 4}

Story = collections.namedtuple("Story", "ids type state estimate accepted_at")
Iteration = collections.namedtuple("Iteration", "number scope start finish values ids")


class Case:
    def __init__(self, name):
        self.name = name
        self.settings, self.overrides, self.stories = {}, [], []
        self.expect, self.completions, self.iterations = {}, {}, []


def numbers(word):
    first, _, last = word.partition("-")
    return list(range(int(first), int(last or first) + 1))


def read_iteration(words):
    colon = words.index(":")
    values = dict(word.split("=") for word in words[4:colon])
    ids = [i for word in words[colon + 1:] for i in numbers(word)]
    return Iteration(int(words[0]), words[1], words[2], words[3], values, ids)


def read(path):
    case = None
    for line in path.read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith("#") or words[0] == "about":
            continue
        word, *rest = words
        if word == "case":
            if case:
                yield case
            case = Case(rest[0])
        elif word == "story":
            case.stories.append(Story(numbers(rest[0]), rest[1], rest[2],
                                      None if rest[3] == "-" else float(rest[3]),
                                      rest[4] if len(rest) > 4 else None))
        elif word == "override":
            case.overrides.append((int(rest[0]), dict(w.split("=") for w in rest[1:])))
        elif word == "iteration":
            case.iterations.append(read_iteration(rest))
        elif word == "expect" and rest[0] == "completion":
            case.completions[int(rest[1])] = rest[2]
        elif word == "expect":
            case.expect[rest[0]] = rest[1]
        else:
            case.settings[word] = " ".join(rest)
    yield case


def cases():
    return [case for path in sorted(PLANNING.glob("*.case")) for case in read(path)]


def load_settings(sql, project, case):
    s = case.settings
    sql("set search_path = planwright")
    sql("set session_replication_role = replica")
    sql("""update project set time_zone = %s, week_start_day = %s, start_date = %s,
        iteration_length = %s, initial_velocity = %s, velocity_averaged_over = %s,
        automatic_planning = %s, created_at = %s where id = %s""",
        re.sub("^UTC$", "Etc/UTC", s.get("time_zone", "UTC")), s.get("week_start_day", "Monday"),
        s.get("start_date"), int(s.get("iteration_length", 1)), int(s.get("initial_velocity", 10)),
        int(s.get("velocity_averaged_over", 3)), s.get("automatic_planning", "yes") == "yes",
        s.get("created_at", s["now"]), project)
    for number, values in case.overrides:
        sql("""insert into iteration_override (project_id, number, length, team_strength)
            values (%s, %s, %s, %s)""", project, number, values.get("length"),
            values.get("team_strength"))


def load_stories(sql, project, case):
    """Inserts the stories directly, since cases break some rules on purpose; returns their ids."""
    ids, rows = {}, []
    for story in case.stories:
        for number in story.ids:
            rows.append((number, story))
    for rank, (number, story) in enumerate(rows):
        (ids[number],), = sql("""insert into story (project_id, name, story_type, current_state, estimate,
            accepted_at, rank) select %s, %s, %s, %s, %s, %s, coalesce(
            (extract(epoch from %s::timestamptz) * 1000000)::bigint, %s) returning id""",
            project, f"story {number}", story.type, story.state, story.estimate,
            story.accepted_at, story.accepted_at, rank)
    sql("reset session_replication_role")
    return ids
