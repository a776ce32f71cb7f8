"""A token for some projects must reveal nothing about others (contract 1.17): each statement in sql/queries
that decides by the caller's memberships, or reads the caller's things in all projects, must use {reached …}
or {reach}. Prints those that do not."""

import pathlib
import re
import sys

OF_MEMBERS = re.compile(r"\b(?:project_membership|account_membership|membership_summary|acquaintance|"
                        r"notification|workspaces?|workspaces_within|account_seen_by)\b")
# Statements about a project to which the gate has already admitted the caller.
IN_ITS_PROJECT = {
    "webhook_list", "webhook_get",  # whether the role sees addresses
}
# About the route's account or the whole person: unreachable with a token for some projects (R_WHOLE, SCOPE_OWN).
WHOLE = {"load_projects_named", "second_factor_get"}


def statements():
    for path in sorted(pathlib.Path("sql/queries").glob("*.sql")):
        for block in re.split(r"^-- (?:name|late): ", path.read_text(), flags=re.M)[1:]:
            name, _, text = block.partition("\n")
            yield path, name.strip(), re.sub(r"--[^\n]*", "", text)


def main():
    names = set()
    faults = []
    for path, name, text in statements():
        names.add(name)
        asks = "{reach" in text
        if "{me}" in text and OF_MEMBERS.search(text) and not asks and name not in IN_ITS_PROJECT | WHOLE:
            faults.append(f"{path}: {name} goes by the caller's memberships without {{reached …}}")
    faults += [f"dev/checks/reach.py: there is no statement {name}" for name in (IN_ITS_PROJECT | WHOLE) - names]
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


sys.exit(main())
