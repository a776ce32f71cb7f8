#!/usr/bin/env python3
"""Compares what clients were told (clients.py) with what is in the database (facts.sql).

    compare.py --head                       prints the heading of the table
    compare.py FAULT CLIENTS FACTS [GAPS]   prints a fault's row; exits with 1 if a promise was broken. GAPS: the
                                            times without a leader (watch.py)
    compare.py --sent RECEIVED FACTS CLIENTS…  checks that everything was delivered, mailed and imported (receive.py)
"""

import collections
import json
import sys

ROW = "{:<58} {:>9} {:>9} {:>7} {:>7} {:>7} {:>6} {:>6}"
GRACE = 2  # seconds for which 503 is accepted after there is a leader again


class Facts:
    def __init__(self, path):
        self.stories, self.comments, self.versions = collections.defaultdict(list), collections.defaultdict(list), {}
        self.mails, self.imports, self.imported = {}, {}, set()
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
                elif word == "imported":
                    self.imported.add(tuple(rest))
                elif word in ("mail", "import"):
                    (self.mails if word == "mail" else self.imports)[int(rest[0])] = rest[1]


def lost(told, facts):
    """What was acknowledged and is missing or different, as text."""
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


def too_late(answers, gaps):
    """The 503 responses after there had been a leader for GRACE."""
    found = [(at, text) for at, text in answers if not any(begin <= at <= end + GRACE for begin, end in gaps)]
    last = max((end for _, end in gaps), default=None)
    when = f"up to {max(found)[0] - last:.1f} s after it was there" if found and last else "although there always was one"
    return [f"{len(found)} answers 503 with a leader, {when}", *sorted({text for _, text in found})] if found else []


def read_gaps(path):
    with open(path, encoding="utf-8") as lines:
        return [tuple(map(float, line.split())) for line in lines]


def row(what, clients, facts, gaps=None):
    with open(clients, encoding="utf-8") as file:
        said = json.load(file)
    facts, told, answers = Facts(facts), said["acknowledged"], said["answers"]
    gone, doubled = lost(told, facts), twice(told, facts)
    wrong = wrong_versions(facts) + said["faults"]
    nobody = 0
    if gaps:
        gaps = read_gaps(gaps)
        nobody = max((end - begin for begin, end in gaps), default=0)
        wrong += too_late(said["unavailable"], gaps)
    count = collections.Counter(status for _, status, _, _ in answers)
    other = sum(n for status, n in count.items() if status not in (200, 503))
    print(ROW.format(what, f"{nobody:.1f} s", f"{silence(answers):.1f} s", count[200], count[503], other, len(gone),
                     len(doubled)))
    for text in ([f"lost: {x}" for x in gone] + [f"twice: {x}" for x in doubled] + wrong)[:20]:
        print("   " + text)
    return bool(gone or doubled or wrong)


def hooks(lines, facts):
    """Every version of every project must have arrived, except those of imports."""
    came = collections.Counter(tuple(line.split()[1:3]) for line in lines if line.startswith("hook "))
    missing, again = 0, sum(n - 1 for n in came.values())
    for project, (version, *_) in facts.versions.items():
        # The first versions are older than the webhook, whose creation made none.
        seen = [v for p, v in came if int(p) == project]
        first = min(map(int, seen), default=version + 1)
        versions = {(str(project), str(v)) for v in range(first, version + 1)}
        missing += len(versions - facts.imported - came.keys())
        missing += not seen
    print(f"   webhooks: {sum(came.values())} received, {missing} missing, {again} came again")
    return missing


def mails(lines, facts, wanted):
    """Every story that got an owner has a mail; sending none was given up."""
    came = [line.rstrip("\n").split(" ", 2)[1:] for line in lines if line.startswith("mail ")]
    again = len(came) - len({message for message, _ in came})
    subjects = {subject.rsplit(": ", 1)[-1] for _, subject in came}
    missing = [name for name in wanted if name not in subjects]
    not_sent = sum(state != "sent" for state in facts.mails.values())
    print(f"   mails: {len(came)} received, {len(missing)} missing, {again} came again, {not_sent} not sent")
    return len(missing) + not_sent


def imports(facts, wanted):
    """Every accepted file was imported, with each story once. A project keeps only the results of its last twenty
    imports."""
    count = collections.Counter(name.rsplit(" ", 1)[0] for name, rows in facts.stories.items() for _ in rows)
    wrong = [f"import {number}: {facts.imports.get(int(number))}, {count[name]} of {size} stories"
             for number, (name, size) in wanted.items()
             if facts.imports.get(int(number), "done") != "done" or count[name] != size]
    print(f"   imports: {len(wanted)} asked for, {len(wrong)} not whole")
    for text in wrong[:20]:
        print("   " + text)
    return len(wrong)


def sent(received, facts, *clients):
    with open(received, encoding="utf-8") as file:
        lines = file.readlines()
    facts, names, files = Facts(facts), [], {}
    for path in clients:
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
        names += said["mails"]
        files.update(said["imports"])
    return hooks(lines, facts) + mails(lines, facts, names) + imports(facts, files) > 0


def main():
    if sys.argv[1] == "--head":
        print(ROW.format("what happens", "no leader", "no writes", "200", "503", "other", "lost", "twice"))
    elif sys.argv[1] == "--sent":
        sys.exit(sent(*sys.argv[2:]))
    else:
        sys.exit(row(*sys.argv[1:]))


main()
