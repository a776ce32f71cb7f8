"""What holds after every history, whatever the model says: the statements of planwrightctl doctor --deep must find
nothing."""

import re

from .server import TOP

TOLD = """select person_id, performer_id, notification_type, action, story_id, epic_id, comment_id
    from notification where project_id = any(%(mine)s)"""
PAGES = {"projects", "accounts", "people", "files", "files_kept"}  # these find no faults
OF_OTHERS = {"owners": "account", "notifications": "person"}  # these are not about a project


def statements():
    """{name: statement}, each about one thing, whose id is %(id)s."""
    text = re.sub(r"(?m)^--(?! late: ).*\n", "", (TOP / "sql" / "queries" / "doctor.sql").read_text("utf-8"))
    found = dict(re.findall(r"(?ms)^-- late: doctor_(\w+)\n(.*?)(?=^-- |\Z)", text))
    assert PAGES | set(OF_OTHERS) < set(found)
    return {name: sql.replace("%", "%%").replace("$1", "%(id)s") for name, sql in found.items() if name not in PAGES}


STATEMENTS = statements()


def broken(server, projects):
    """The rules that do not hold, each with the rows that show it."""
    found = {}
    others = {table: [id for id, in server.sql(f"select id from {table}", {})] for table in OF_OTHERS.values()}
    for name, statement in STATEMENTS.items():
        for id in others.get(OF_OTHERS.get(name), projects):
            found.setdefault(name, []).extend(server.sql(statement, {"id": id}))
    return {name: rows for name, rows in found.items() if rows}


def told(server, projects):
    """All notifications, including those that their person does not see."""
    return server.sql(TOLD, {"mine": projects})
