"""Files of each kind in two sizes, for t/import/linear.py: what a list that is walked for each row
would make four times as long."""

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
    """A long heading over short rows."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("Id,Title" + ",Comment" * n + ",Task,Task Status" * (n // 4) + "\n")
        f.writelines(f"{i + 1},A\n" for i in range(16 * n))


def history_csv(path, n):
    with open(path, "w", encoding="utf-8") as f:
        f.write("ID,Type,Message,Performed By,Occurred At\n")
        f.writelines(f'{i + 1},story_update_activity,said {i},Person {i},2023-10-02T08:00:00Z\n'
                     for i in range(n))


def members_csv(path, n):
    with open(path, "w", encoding="utf-8") as f:
        f.write("Name,Email,Username,Person ID,Project ID,Project Name,Project Role\n")
        f.writelines(f"Person {i},p{i}@example.com,p{i},{i + 1},7,Shop,member\n" for i in range(n))


def dump_sqlite(path, n):
    """Iterations, owners, labels and files without an index, and all owners at one story, too."""
    db = sqlite3.connect(path)
    db.executescript("""
        create table project (id integer, name text);
        create table person (id integer, name text);
        create table label (id integer, project_id integer, name text);
        create table iteration (id integer, number integer, start text, finish text);
        create table story (id integer, project_id integer, name text, story_type text,
            current_state text, iteration_id integer);
        create table story_owner (story_id integer, person_id integer);
        create table story_label (story_id integer, label_id integer);
        create table comment (id integer, story_id integer, text text, person_id integer);
        create table file_attachment (id integer, filename text, comment_id integer);
        create table file_attachment_file (file_attachment_id integer, blob blob);
        insert into project values (1, 'A'), (2, 'B');""")
    for table, row in (
            ("person", lambda i: (i, f"P {i}")), ("label", lambda i: (i, 1, f"l {i}")),
            ("iteration", lambda i: (i, i, "2023-10-02", "2023-10-09")),
            ("story", lambda i: (i, 1, f"s {i}", "bug", "accepted", n + 1 - i)),
            ("story_owner", lambda i: (1, i)), ("story_label", lambda i: (i, i)),
            ("comment", lambda i: (i, i, "text", i)), ("file_attachment", lambda i: (i, f"f{i}", i)),
            ("file_attachment_file", lambda i: (i, b"x"))):
        rows = [row(i + 1) for i in range(n)]
        db.executemany(f"insert into {table} values ({','.join('?' * len(rows[0]))})", rows)
    db.commit()
    db.close()


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
    """One object with many members, small ones between large ones."""
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"kind":"project","id":1,"name":"A"')
        for i in range(n):
            f.write(f',"a{i}":[' + "1," * 12000 + '1],"b%d":[' % i + "1," * 41000 + "1]")
        f.write("}")


def lists_json(path, n):
    """A story with long lists."""
    with open(path, "w", encoding="utf-8") as f:
        for i in range(20):
            json.dump(story(i + 1, owner_ids=list(range(1, n + 1)), followers=[], comments=[]), f)


def many_zip(path, n):
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("stories.csv", STORIES + "\n" + "".join(
            f"{i + 1},T,,bug,,unstarted,,,,,,\n" for i in range(n)))
        for i in range(n):
            z.writestr(f"{i + 1}/file {i}.txt", b"x")


def repeated_zip(path, n):
    """An export of this program whose list names one large file again and again."""
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


# What is made, and how many of it: reading the smaller one takes some tenths of a second.
KINDS = {
    "stories.csv": (stories_csv, 20000), "wide.csv": (wide_csv, 5000),
    "history.csv": (history_csv, 60000), "members.csv": (members_csv, 60000),
    "dump.sqlite": (dump_sqlite, 10000), "stories.json": (stories_json, 12000),
    "lines.json": (lines_json, 12000), "deep.json": (deep_json, 30), "lists.json": (lists_json, 12000),
    "many.zip": (many_zip, 12000), "repeated.zip": (repeated_zip, 200),
}
