"""Files of each kind in two sizes, for t/import/linear.py: a reader that walks a list for each row would take
four times as long for the larger one."""

import hashlib
import json
import sqlite3
import zipfile

STORIES = "Id,Title,Labels,Type,Estimate,Current State,Created at,Accepted at,Requested By,Description,Owned By,Comment"


def stories_csv(path, n):
    with open(path, "w", encoding="utf-8") as f:
        f.write(STORIES + "\n")
        for i in range(n):
            f.write(f'{i + 1},Title {i},"label {i}, l",feature,1,accepted,"Oct 2, 2023","Oct 3, 2023",'
                    f'Person {i},A text,Owner {i},"said (Author ({i}) - Oct 4, 2023)"\n')


def wide_csv(path, n):
    """A long header and short rows."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("Id,Title" + ",Comment" * n + ",Task,Task Status" * (n // 4) + "\n")
        f.writelines(f"{i + 1},A\n" for i in range(16 * n))


def labels_csv(path, n):
    """Stories with many short labels in one cell."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("Id,Title,Labels\n")
        f.writelines(f'{i + 1},T,"{",".join(f"{j:x}" for j in range(n))}"\n' for i in range(60))


def named_csv(path, n):
    """A column with a long name, and rows that are lost."""
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"Id,Title,{'x' * 10 * n}\n" + "1,A,B\n" * n)


def history_csv(path, n):
    with open(path, "w", encoding="utf-8") as f:
        f.write("ID,Type,Message,Performed By,Occurred At\n")
        f.writelines(f'{i + 1},story_update_activity,said {i},Person {i},2023-10-02T08:00:00Z\n'
                     for i in range(n))


def members_csv(path, n):
    with open(path, "w", encoding="utf-8") as f:
        f.write("Name,Email,Username,Person ID,Project ID,Project Name,Project Role\n")
        f.writelines(f"Person {i},p{i}@example.com,p{i},{i + 1},7,Shop,member\n" for i in range(n))


def said_csv(path, n):
    """Stories of people who all have the same name, with as many labels, owners and comments as a cell and
    a row may hold; also unsigned comments, and a story that is repeated again and again."""
    with open(path, "w", encoding="utf-8") as f:
        f.write(STORIES + ",Comment" * 20 + "\n")
        for i in range(n):
            labels = ", ".join(f"label {i} {j}" for j in range(20))
            f.write(f'{i % (n // 2) + 1},Title,"{labels}",bug,,unstarted,,,Same Name,,Same Name,'
                    + ",".join(f'"said {j} (Same Name - Oct 4, 2023)"' if j % 2 else f"said {j}"
                               for j in range(21)) + "\n")


# The tables of storyexporter, pivotal-tracker-dump and EastAgileTracker with stories and their parts,
# without any index.
STORYEXPORTER = {
    "project": "id integer, name text", "person": "id integer, name text",
    "label": "id integer, project_id integer, name text",
    "iteration": "id integer, number integer, start text, finish text",
    "story": "id integer, project_id integer, name text, story_type text, current_state text,"
             " iteration_id integer",
    "story_owner": "story_id integer, person_id integer",
    "story_label": "story_id integer, label_id integer",
    "comment": "id integer, story_id integer, text text, person_id integer",
    "file_attachment": "id integer, filename text, comment_id integer",
    "file_attachment_file": "file_attachment_id integer, blob blob"}
PIVOTAL_TRACKER_DUMP = {"story_comment" if table == "comment" else table: columns
                        for table, columns in STORYEXPORTER.items() if table != "iteration"}
PIVOTAL_TRACKER_DUMP["story"] = STORYEXPORTER["story"].rpartition(",")[0]
EAST_AGILE = {
    **{f"{table}s": columns for table, columns in STORYEXPORTER.items() if table != "story"
       and table != "file_attachment_file"},
    "stories": STORYEXPORTER["story"],
    "file_attachments": "id integer, filename text, comment_id integer, file_path varchar",
    "tasks": "id integer, story_id integer, description text", "blockers": "id integer,"
    " story_id integer, description text, person_id integer", "epics": "id integer, project_id integer,"
    " label_id integer, name text"}


def dump_of(tables):
    """A dump with n rows in each table, and all owners on one story; every name belongs to two people."""
    def make(path, n):
        values = {
            "person": lambda i: (i, f"P {i % (n // 2)}"), "label": lambda i: (i, 1, f"l {i}"),
            "iteration": lambda i: (i, i, "2023-10-02", "2023-10-09"),
            "story": lambda i: (i, 1, f"s {i}", "bug", "accepted", n + 1 - i),
            "story_owner": lambda i: (1, i), "story_label": lambda i: (i, i),
            "comment": lambda i: (i, i, "text", i), "story_comment": lambda i: (i, i, "text", i),
            "file_attachment": lambda i: (i, f"f{i}", i, f"f{i}"), "task": lambda i: (i, i, "t"),
            "file_attachment_file": lambda i: (i, b"x"), "blocker": lambda i: (i, i, "b", i),
            "epic": lambda i: (i, 1, i, f"e {i}")}
        db = sqlite3.connect(path)
        for table, columns in tables.items():
            width = columns.count(",") + 1
            one = table if table in values else "story" if table == "stories" else table[:-1]
            rows = [(1, "A")] + [(2, "B")] if table.startswith("project") else [
                values[one](i + 1)[:width] for i in range(n)]
            db.execute(f"create table {table} ({columns})")
            db.executemany(f"insert into {table} values ({','.join('?' * width)})", rows)
        db.commit()
        db.close()
    return make


def story(i, **more):
    return {"kind": "story", "id": i, "name": f"s {i}", "story_type": "bug", "project_id": 1,
            "current_state": "unstarted", "labels": [{"id": i, "name": f"l {i}"}],
            "owners": [{"id": i, "name": f"P {i}"}],
            "comments": [{"id": i, "text": "a", "person": {"id": i, "name": f"P {i}"}}], **more}


def stories_json(path, n):
    with open(path, "w", encoding="utf-8") as f:
        json.dump([story(i + 1) for i in range(n)], f)


def lines_json(path, n):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(story(i + 1)) + "\n" for i in range(n))


def deep_json(path, n):
    """One object with many members, alternately small and large."""
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"kind":"project","id":1,"name":"A"')
        for i in range(n):
            f.write(f',"a{i}":[' + "1," * 12000 + '1],"b%d":[' % i + "1," * 41000 + "1]")
        f.write("}")


def full_json(path, n):
    """Objects whose first member fills what one may hold, so that each of the empty ones behind it counts as large."""
    with open(path, "w", encoding="utf-8") as f:
        for _ in range(2):
            f.write('{"kind":"project","id":1,"name":"A","a":"' + "x" * ((8 << 20) - 100) + '"')
            f.writelines(f',"k{i}":[]' for i in range(n))
            f.write("}")


def head_json(path, n):
    """A large object: many members, and empty records behind them."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("{" + "".join(f'"x{i}":1,' for i in range(n)) + '"stories":[' + "{}," * 10 * n + "{}]}")


def fields_json(path, n):
    """A story with many fields that are not read."""
    with open(path, "w", encoding="utf-8") as f:
        f.write('[{"kind":"story"' + "".join(f',"x{i}":1' for i in range(n)) + "}]")


def unmixed(v):
    """The number that mix() of src/transfer/common/counts.c makes v of."""
    for shift, factor in (31, 0x94d049bb133111eb), (27, 0xbf58476d1ce4e5b9), (30, 1):
        one = v
        for _ in range(3):
            v = one ^ v >> shift
        v = v * pow(factor, -1, 1 << 64) % (1 << 64)
    return v


TASKS = 0xbd64a5d9adefe000  # what it makes of their kind


def alike_json(path, n):
    """Tasks of stories whose ids have one place in the table of positions, if no secret is mixed with them."""
    with open(path, "w", encoding="utf-8") as f:
        for i in range(2 * n):
            story_id = unmixed(i << 20 | 1) ^ TASKS
            if story_id < 1 << 63:
                f.write('{"kind":"task","story_id":%d}\n' % story_id)


def lists_json(path, n):
    """A story with long lists."""
    with open(path, "w", encoding="utf-8") as f:
        for i in range(20):
            json.dump(story(i + 1, owner_ids=list(range(1, n + 1)), followers=[], comments=[]), f)


def hung_json(path, n):
    """One story with all labels, followers, comments and tasks, whose people all have the same name; and one
    that is repeated again and again."""
    people = [{"id": i + 1, "name": "Same Name", "email": f"p{i}@example.com"} for i in range(n)]
    with open(path, "w", encoding="utf-8") as f:
        json.dump(story(1, labels=[{"id": i + 1, "name": f"l {i}"} for i in range(n)], followers=people,
                        comments=[{"id": i + 1, "text": "a", "person": people[i]} for i in range(n)],
                        tasks=[{"id": i + 1, "description": "t"} for i in range(n)],
                        blockers=[{"id": i + 1, "description": "b"} for i in range(n)]), f)
        for _ in range(n):
            json.dump(story(2), f)


def many_zip(path, n):
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("stories.csv", STORIES + "\n" + "".join(
            f"{i + 1},T,,bug,,unstarted,,,,,,\n" for i in range(n)))
        for i in range(n):
            z.writestr(f"{i + 1}/file {i}.txt", b"x")


def alike_zip(path, n):
    """Names that have one place in the library's table."""
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("stories.csv", STORIES + "\n1,T,,bug,,unstarted,,,,,,\n")
        for i in range(n):
            z.writestr("1/" + "".join("FY" if i >> bit & 1 else "Ez" for bit in range(17)), b"")


def long_zip(path, n):
    """Names that are as long as allowed or longer, in nested folders, for stories that exist or not, and
    archives in the archive."""
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("stories.csv", STORIES + "\n1,T,,bug,,unstarted,,,,,,\n")
        for i in range(n):
            z.writestr(f"{i % 2 + 1}/" + f"folder {i}/" * (8 if i % 4 < 2 else 40) + f"{i} " + "n" * 100, b"x")
            z.writestr(f"1/{i}.zip", b"PK\5\6" + bytes(18))


def folder_of_files(path, n):
    """A project's zip, unpacked."""
    path.mkdir()
    stories_csv(path / "stories.csv", n)
    for i in range(n):
        (path / str(i + 1)).mkdir()
        (path / str(i + 1) / f"file {i}.txt").write_bytes(b"x")
    (path / "1" / "deep").mkdir()
    for i in range(n):
        (path / "1" / "deep" / f"file {i}.txt").write_bytes(b"x")


def repeated_zip(path, n):
    """An export of this program that lists the same large file again and again."""
    kinds = ("project people memberships labels review_types integrations iteration_overrides epics"
             " stories activity saved_searches webhooks files").split()
    content = b"x" * 4000000
    files = {f"planwright/{kind}.jsonl": b"" for kind in kinds}
    listed = [{"path": name, "size": 0, "sha256": hashlib.sha256(b"").hexdigest()} for name in files]
    listed += [{"path": "1/a", "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}] * n
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("planwright/manifest.json",
                   json.dumps({"kind": "planwright_export", "format": 1, "files": listed}))
        for name, text in files.items():
            z.writestr(name, text)
        z.writestr("1/a", content)


# How each kind is made, and its size: reading the smaller file takes some tenths of a second.
KINDS = {
    "stories.csv": (stories_csv, 20000), "wide.csv": (wide_csv, 5000),
    "labels.csv": (labels_csv, 2000), "named.csv": (named_csv, 20000),
    "history.csv": (history_csv, 60000), "members.csv": (members_csv, 60000),
    "said.csv": (said_csv, 16000),
    "storyexporter.sqlite": (dump_of(STORYEXPORTER), 16000),
    "pivotal-tracker-dump.sqlite": (dump_of(PIVOTAL_TRACKER_DUMP), 16000),
    "eastagile.sqlite": (dump_of(EAST_AGILE), 12000), "stories.json": (stories_json, 12000),
    "lines.json": (lines_json, 12000), "deep.json": (deep_json, 30), "full.json": (full_json, 15000), "lists.json": (lists_json, 12000),
    "head.json": (head_json, 18000), "fields.json": (fields_json, 18000), "alike.json": (alike_json, 40000),
    "hung.json": (hung_json, 8000), "long.zip": (long_zip, 12000), "folder": (folder_of_files, 4000),
    "many.zip": (many_zip, 12000), "alike.zip": (alike_zip, 30000), "repeated.zip": (repeated_zip, 200),
}
