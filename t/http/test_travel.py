"""Everything in the tables of a project leaves in an export and comes back in an import, or is listed here as
staying: found by the database's columns, so that nothing is forgotten in both directions."""

import pytest

import tables
from test_export_zip import LINES
from test_round_trip import empty, import_all, left  # noqa: F401 (fixtures)

# Tables that are not exported, and why.
STAYING = {
    "notification": "what people here were told", "mail": "what was sent to them",
    "delivery": "what was sent to webhooks", "search_text": "made again of what it finds",
    "import_item": "what imports remember", "imported_person": "what imports remember",
    "project_import": "imports that wait or are done", "project_import_line": "their reports",
}
# Columns without a field, and why; and ids that each server assigns itself.
COLUMNS = {
    "story.section": "follows from the state", "story.updated_week": "follows from updated_at",
    "project.told_until": "follows from the activities", "project.told_late_s": "follows from the activities",
    "project.enable_following": "always true", "project.account_id": "of the server",
    "story_transition.id": "nobody sees it", "project_membership.id": "of the server",
    "file_attachment.project_id": "the comment's", "activity.project_id": "the project's",
    "story_transition.project_id": "where it stood then",
    "activity.changes": "shown alike, and kept as it is shown: test_nothing_is_lost compares it",
}
# The nesting expresses it.
NESTED = {"file_attachment.comment_id"}
BELONGS = {"project_id", "story_id", "epic_id", "comment_id", "import_id", "webhook_id",
           "notification_id"}
# What identifies rows without a permanent id of their own.
KEYS = {"activity": ["version"], "iteration_override": ["number"], "project_membership": ["person_id"],
        "story_transition": ["story_id", "occurred_at", "state"]}


def columns_of(sql):
    """The columns of each table that contains a project's data."""
    found = {}
    for table, column in sql("select c.relname, a.attname from pg_class c join pg_attribute a"
                             " on a.attrelid = c.oid where c.relkind = 'r' and not c.relispartition and a.attnum > 0"
                             " and not a.attisdropped and c.relnamespace = 'planwright'::regnamespace"
                             " order by 1, a.attnum"):
        found.setdefault(table, []).append(column)
    return {t: c for t, c in found.items()
            if t not in STAYING and (t == "project" or BELONGS & set(c))}


def resource_of(table):
    """The resource with the most transferable fields: not a body, nor a mere name with an id."""
    found = [r for r in tables.RESOURCES if r.kind == table]
    assert found, f"{table} is in no export, and not said to stay"
    return max(found, key=lambda r: sum(f.travels for f in r.fields))


def fields_of(table, column):
    return [f for f in resource_of(table).fields if (f.column or f.name) == column]


def comes_back(table, column):
    return f"{table}.{column}" not in COLUMNS and any(
        f.travels or "key" in f.flags for f in fields_of(table, column))


def test_each_column_leaves_or_says_why_not(sql):
    lost = [f"{table}.{column}" for table, columns in columns_of(sql).items() for column in columns
            if f"{table}.{column}" not in COLUMNS and not comes_back(table, column)
            and not any(f.stays for f in fields_of(table, column))]
    assert not lost, "neither in exports nor said to stay: " + ", ".join(lost)


def test_each_reason_is_of_something(sql):
    columns = columns_of(sql)
    assert all(name.split(".")[1] in columns[name.split(".")[0]] for name in COLUMNS)
    assert [f"{t}.{f.name}: {f.stays}" for t in columns for f in resource_of(t).fields if f.stays]


def parts(resource):
    return [f for f in resource.fields if resource.depth and not f.stays
            and f.type in ("some", "many") and f.child.depth > resource.depth]


def lines_of(export):
    """The lines of each kind, also those that are nested in others."""
    found = {"activity": export.lines("activity"), "integration": export.lines("integrations")}

    def take(line):
        found.setdefault(line["kind"], []).append(line)
        for value in line.values():
            for item in value if isinstance(value, list) else ():
                if isinstance(item, dict):
                    take(item)

    for name in LINES:
        for line in export.lines(name) if name not in ("activity", "integrations") else ():
            take(line)
    return found


def test_each_field_and_part_is_in_an_export(left, sql):  # noqa: F811
    """Whoever adds a field gives it a value in `more` of test_round_trip.py."""
    lines, lost = lines_of(left), []
    for table in columns_of(sql):
        resource = resource_of(table)
        found = lines.get(table, ())
        lost += [f"{table}.{f.name}" for f in resource.fields
                 if f.travels and f"{table}.{f.column or f.name}" not in {*COLUMNS, *NESTED}
                 and not any(f.name in line for line in found)]
        lost += [f"{table}.{f.name}" for f in parts(resource) if not any(line[f.name] for line in found)]
    assert not lost, "in no line of the export: " + ", ".join(lost)


def of_project(table, columns, project):
    things = "select id from {} where project_id = " + str(project)
    if table == "project":
        return f"id = {project}"
    if "story_id" in columns:
        return (f"(story_id in ({things.format('story')})" +
                (f" or epic_id in ({things.format('epic')}))" if "epic_id" in columns else ")"))
    return f"project_id = {project}" if "project_id" in columns else (
        f"comment_id in (select id from comment where {of_project('comment', ['story_id', 'epic_id'], project)})")


def rows(sql, table, columns, project):
    """The rows by what identifies them."""
    found = {}
    names = [c for c in columns if comes_back(table, c)]
    for row in sql(f"select {', '.join(f'to_jsonb({c})' for c in names)} from planwright.{table}"
                   f" where {of_project(table, columns, project)}"):
        row = dict(zip(names, row))
        found[tuple(row[k] for k in KEYS.get(table, ["id"]))] = row
    return found


def test_each_column_comes_back(left, empty, sql, tmp_path):  # noqa: F811
    project = left.manifest()["project"]
    ada, _ = import_all(empty, tmp_path / "one.zip", tmp_path, project["name"])
    lost = []
    for table, columns in columns_of(sql).items():
        before = rows(sql, table, columns, project["id"])
        after = rows(empty.stack.sql, table, columns, project["id"])
        after = {key: row for key, row in after.items() if row.get("person_id") != ada.id}
        lost += [f"{table} {key} is only on one side" for key in set(before) ^ set(after)]
        lost += [f"{table}.{name}: {row[name]!r} became {after[key][name]!r}"
                 for key, row in before.items() if key in after
                 for name in row if row[name] != after[key][name]]
    assert not lost, "\n".join(lost[:30])
