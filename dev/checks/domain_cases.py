"""Checks that the cases in t/domain show what the rules make of each field of a story and of its parts that
requests write and activities report: a case contains "field" and the name of the part. And that part 6 of
docs/contract.md has each highlight that a case expects.

	dev/checks/domain_cases.py TABLES     TABLES: the output of planwrightctl describe
"""

import json
import pathlib
import re
import sys

STORIES = "/projects/:project/stories"


def shown():
    """Of each case: the keys of its objects, and all of its words."""
    for file in sorted(pathlib.Path("t/domain").glob("*.case")):
        for case in re.split(r"^(?=case )", file.read_text(encoding="utf-8"), flags=re.M):
            yield set(re.findall(r'"(\w+)":', case)), set(re.findall(r"\w+", case))


def written(tables):
    """The resources that POST writes at a story or below it, with the last word of the path."""
    for route in tables["routes"]:
        path = route["path"]
        if route["method"] == "POST" and path.startswith(STORIES) and path.count("/") in (3, 5):
            yield tables["resources"][route["resource"]], path.rpartition("/")[2]


def highlights(contract):
    reported = contract[contract.index("\n# 6 "):].split("\n# ")[1]
    for file in sorted(pathlib.Path("t/domain").glob("*.case")):
        for word in sorted(set(re.findall(r"^highlight (.*)$", file.read_text(encoding="utf-8"), re.M))):
            if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", reported):
                yield f"docs/contract.md: part 6 has no highlight {word}, which {file} expects"


def main():
    tables = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    cases, faults, checked = list(shown()), [], 0
    for resource, where in written(tables):
        for field in resource["fields"]:
            if "stored" not in field["flags"] or not {"told", "told_new"} & set(field["flags"]) \
                    or not {"create", "update"} & set(field["flags"]):
                continue
            checked += 1
            if not any(field["name"] in keys and {where, resource["kind"]} & words for keys, words in cases):
                faults.append(f"t/domain: no case has the field {field['name']} of {resource['kind']}")
    faults += highlights(pathlib.Path("docs/contract.md").read_text(encoding="utf-8"))
    if not checked:
        faults.append("nothing was found to look at")
    print("\n".join(dict.fromkeys(faults)))
    sys.exit(bool(faults))


main()
