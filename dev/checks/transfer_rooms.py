#!/usr/bin/env python3
"""The folders of src/transfer are rooms: a file may include headers from its own room and from the rooms
that the table lists for it, all of which come before it there. So rooms cannot form a cycle.

    dev/checks/transfer_rooms.py

Prints violations, and two numbers: the pairs of rooms of which one includes the other, and the includes
from a file in one room of a file in another.
"""

import collections
import pathlib
import re
import sys

MAY = {
    "common": [],
    "read": ["common"],
    "form": ["common", "read"],
    "people": ["common", "read"],
    "settle": ["common", "people"],
    "merge": ["settle"],
    "run": ["common", "form", "settle", "merge"],
    "out": [],
}
PAIRS_MAX, INCLUDES_MAX = 25, 90
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"transfer/([^"]+)"', re.M)
ROOT = pathlib.Path(__file__).resolve().parents[2] / "src/transfer"


def room(path):
    return path.partition("/")[0] if "/" in path else ""


def table_faults():
    rooms = list(MAY)
    for name, others in MAY.items():
        for other in others:
            if other not in rooms[:rooms.index(name)]:
                yield f"the table lets {name} include {other}, which does not stand above it"


def main():
    faults, arrows = list(table_faults()), collections.Counter()
    files = [str(f.relative_to(ROOT)) for f in sorted(ROOT.rglob("*.[ch]"))]
    for file in files:
        own = room(file)
        if own not in MAY:
            faults.append(f"{file}: its folder is not in the table of rooms")
            continue
        for target in INCLUDE.findall((ROOT / file).read_text()):
            other = room(target)
            if other == own:
                continue
            arrows[own, other] += 1
            if other not in MAY[own]:
                faults.append(f"{file} includes {target}: {own} may not include {other or 'it'}")
    pairs, includes = len(arrows), sum(arrows.values())
    if not files:
        faults.append("nothing was found to look at")
    if pairs > PAIRS_MAX or includes > INCLUDES_MAX:
        faults.append(f"at most {PAIRS_MAX} pairs and {INCLUDES_MAX} includes")
    print(*faults, f"{len(MAY)} rooms, {pairs} pairs, {includes} includes", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
