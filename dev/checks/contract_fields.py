"""Checks that docs/contract.md names everything that clients can write, and the activity about it:

- in part 3, each resource with stored fields that clients can write: as **kind**, or as the first cell of a
  row; and in that section or row, each of these fields;
- the last segment of each path that accepts POST, and in part 2, in the row of a POST, each field that its body
  accepts, unless the row refers to another section;
- in part 6, each kind of activity, or its prefix: story_.

	dev/checks/contract_fields.py TABLES     TABLES: the output of planwrightctl describe
"""

import json
import pathlib
import re
import sys

# Request bodies that share the kind of the resource they are about.
BODIES = {"attachment", "notification", "story_changes"}
ROW = re.compile(r"^\| (?:[A-Z]+, )*POST(?:, [A-Z]+)* ([^|;]*?)(?: †)? \|(.*)$", re.M)
ELSEWHERE = re.compile(r"\b[3-6]\.\d+\b")


def part(contract, number):
    return next(text for text in re.split(r"^# ", contract, flags=re.M) if text.startswith(f"{number} "))


def takes(field, *flags):
    return bool(set(flags) & set(field["flags"])) and "ignored" not in field["flags"]


def words(texts):
    return set(re.findall(r"\w+", " ".join(texts)))


def resource_faults(resource, text):
    kind = resource["kind"]
    stored = {f["name"] for f in resource["fields"] if takes(f, "create", "update")
              and ("stored" in f["flags"] and "hidden" not in f["flags"] or "parts" in f["flags"])}
    if kind in BODIES or not stored:
        return
    places = re.findall(rf"^\| {kind}(?: †)? \|.*$", text, re.M)
    places += [p for p in re.split(r"^## ", text, flags=re.M) if f"**{kind}**" in p]
    if not places:
        yield f"part 3 has no {kind}"
        return
    for name in sorted(stored - words(places)):
        yield f"part 3 does not name the field {name} of {kind}"


def bare(path):
    path = re.sub(r"^P(?=/|$)", "/projects/:", path)
    path = re.sub(r"^S(?=/|$)", "/projects/:/stories/:", path)
    return re.sub(r"\{\w+\}|:\w+", ":", path)


def row_faults(tables, text):
    routes = {bare(r["path"]): r for r in tables["routes"] if r["method"] == "POST"}
    for path, row in ROW.findall(text):
        route = routes.get(bare(path), {})
        body = route.get("body", route.get("resource"))
        if body is None or ELSEWHERE.search(row):
            continue
        fields = {f["name"] for f in tables["resources"][body]["fields"] if takes(f, "create")}
        for name in sorted(fields - words([row])):
            yield f"the row POST {path} does not say that it takes {name}"


def path_faults(tables, text):
    ends = {r["path"].rpartition("/")[2] for r in tables["routes"] if r["method"] == "POST"}
    for end in sorted(ends - {end for end in ends if end.startswith(":")}):
        if not re.search(rf"/{end}\b", text):
            yield f"no path ends in /{end}"


def activity_faults(tables, text):
    known = words([text])
    for kind in sorted({r["activity"] for r in tables["routes"] if r.get("activity")}):
        if kind not in known and not any(kind.startswith(word) for word in known if word.endswith("_")):
            yield f"part 6 has no activity {kind}"


def main():
    contract = pathlib.Path("docs/contract.md").read_text(encoding="utf-8")
    tables = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    faults = [f for r in tables["resources"] for f in resource_faults(r, part(contract, 3))]
    faults += path_faults(tables, contract)
    faults += row_faults(tables, part(contract, 2))
    faults += activity_faults(tables, part(contract, 6))
    print("\n".join(f"docs/contract.md: {fault}" for fault in dict.fromkeys(faults)))
    sys.exit(bool(faults))


main()
