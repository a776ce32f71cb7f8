#!/usr/bin/env python3
"""Compares what clients were told (clients.py) with what the database holds (facts.sql).

    compare.py --head                       the head of the table
    compare.py FAULT CLIENTS FACTS          its row; status 1 when something is not as promised
    compare.py --received RECEIVED FACTS    whether each version of each project was delivered
"""

import collections
import json
import sys

ROW = "{:<58} {:>9} {:>7} {:>7} {:>7} {:>6} {:>6}"


class Facts:
    def __init__(self, path):
        self.stories, self.comments, self.versions = collections.defaultdict(list), collections.defaultdict(list), {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                word, *rest = line.rstrip("\n").split("|")
                if word == "story":
                    project, story, state, name = rest
                    self.stories[name].append((int(project), int(story), state))
                elif word == "comment":
                    self.comments[rest[1]].append((int(rest[0]), rest[2]))
                elif word == "versions":
                    self.versions[int(rest[0])] = [int(x) for x in rest[1:]]


def lost(told, facts):
    """What was acknowledged and is not there as it was acknowledged, in words."""
    found = []
    for name, (project, story) in told["stories"].items():
        state = [s for p, i, s in facts.stories[name] if (p, i) == (project, story)]
        if not state:
            found.append(f"story {name}")
        elif told["states"].get(name, state[0]) != state[0]:
            found.append(f"state of {name}")
    found += [f"comment on {name}" for name, comment in told["comments"].items()
              if all(c[0] != comment for c in facts.comments[name])]
    return found


def twice(told, facts):
    return [f"story {name}" for name in told["stories"] if len(facts.stories[name]) > 1] + \
        [f"comment on {name}" for name in told["comments"] if len(facts.comments[name]) > 1]


def wrong_versions(facts):
    return [f"project {project}: version {version}, {count} activities, {distinct} versions of them, {first} to {last}"
            for project, (version, count, distinct, first, last) in facts.versions.items()
            if not (count == distinct == version - 1 and (count == 0 or (first, last) == (2, version)))]


def silence(answers):
    """The longest time between two writes that were answered 200."""
    times = sorted(at for at, status, _, write in answers if write and status == 200)
    return max((b - a for a, b in zip(times, times[1:])), default=0)


def row(what, clients, facts):
    with open(clients, encoding="utf-8") as file:
        said = json.load(file)
    facts, told = Facts(facts), said["acknowledged"]
    gone, doubled = lost(told, facts), twice(told, facts)
    wrong = wrong_versions(facts) + said["faults"]
    count = collections.Counter(status for _, status, _, _ in said["answers"])
    other = sum(n for status, n in count.items() if status not in (200, 503))
    print(ROW.format(what, f"{silence(said['answers']):.1f} s", count[200], count[503], other, len(gone), len(doubled)))
    for text in ([f"lost: {x}" for x in gone] + [f"twice: {x}" for x in doubled] + wrong)[:20]:
        print("   " + text)
    return bool(gone or doubled or wrong)


def received(path, facts):
    with open(path, encoding="utf-8") as lines:
        hooks = collections.Counter(tuple(line.split()[1:3]) for line in lines if line.startswith("hook "))
    missing, again = 0, sum(n - 1 for n in hooks.values())
    for project, (version, *_) in Facts(facts).versions.items():
        # The first ones came before there was a webhook, which has none of its own.
        seen = [v for p, v in hooks if int(p) == project]
        first = min(map(int, seen), default=version + 1)
        missing += sum((str(project), str(v)) not in hooks for v in range(first, version + 1))
        missing += not seen
    print(f"   webhooks: {sum(hooks.values())} received, {missing} missing, {again} came again")
    return missing > 0


def main():
    if sys.argv[1] == "--head":
        print(ROW.format("what happens", "no writes", "200", "503", "other", "lost", "twice"))
    elif sys.argv[1] == "--received":
        sys.exit(received(*sys.argv[2:4]))
    else:
        sys.exit(row(*sys.argv[1:4]))


main()
