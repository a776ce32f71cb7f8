"""Zips of projects: the original's, in its two forms and unpacked, and this program's own."""
import hashlib
import json
import os
import zipfile

CSV = """\
Id,Title,Labels,Iteration,Iteration Start,Iteration End,Type,Estimate,Priority,Current State,Created at,Accepted at,Deadline,Requested By,Description,URL
4100001,Sign-in,sign-in,,,,epic,,,,"Sep 4, 2023",,,,,https://www.pivotaltracker.com/epic/show/4100001
185000001,Reset password,"sign-in, backend",,,,feature,2,p1 - High,unstarted,"Oct 2, 2023",,,Ana,,https://www.pivotaltracker.com/story/show/185000001
""".encode()
HISTORY = b"""\
ID,Type,Message,Performed By,Occurred At
185000001,story,Ana edited this feature,Ana,2023-10-02T12:00:00Z
"""
MEMBERS = b"""\
Name,Email Address,Username,Initials,Person ID,Account Role,Project Id,Project Name,Project Role
Ana,ana@example.com,ana,AN,1,Member,99,Web,Owner
"""
ATTACHED = b"Id,Title\n1,An attached table is no table of the project\n"

ORIGINAL = {
    "web_20250324_145531.csv": CSV,
    "history.csv": HISTORY,
    "members.csv": MEMBERS,
    "185000001/Screenshot 1.png": b"png",
    "185000001/tabelle Größe.csv": ATTACHED,
    "185000001/deep/er.txt": b"er",
    "4100001/epic.txt": b"epic",
    "notes.txt": b"what is this",
    "other/stories.csv": CSV,
}


def archive(path, files, top=""):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in files.items():
            z.writestr(top + name, content)


def old_archive(path, files, top=""):
    """As old programs of Windows make them."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in files.items():
            info = zipfile.ZipInfo("x")
            info.filename = (top + name).replace("/", "\\")
            info.create_system = 0
            z.writestr(info, content)


def folder(path, files):
    for name, content in files.items():
        os.makedirs(os.path.dirname(f"{path}/{name}"), exist_ok=True)
        with open(f"{path}/{name}", "wb") as f:
            f.write(content)


def lines(*records):
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode()


def own(content=b"hello", **changes):
    """The files of format 1, as in EXPORT.md; changes: contents for files, None removes one."""
    stories = [{"kind": "story", "id": 11, "project_id": 99, "name": "A", "story_type": "feature",
        "current_state": "unstarted", "created_at": "2023-10-02T08:00:00.000001Z", "owner_ids": [2],
        "label_ids": [31], "follower_ids": [1], "requested_by_id": 1, "tasks": [], "comments": [
            {"kind": "comment", "id": 50, "story_id": 11, "person_id": 2, "text": "x",
                "external_source": "git", "file_attachments": [{"kind": "file_attachment",
                    "id": 71, "filename": "a.txt", "size": 5}, {"kind": "file_attachment",
                    "id": 72, "filename": "gone.txt", "size": 5}], "google_attachments": []}],
        "cicd_events": [{"kind": "cicd_event", "id": 3, "story_id": 11, "name": "build",
            "status": "ok"}]}]
    files = {
        "web_20250324_145531.csv": CSV,
        "planwright/project.jsonl": lines({"kind": "project", "id": 99, "name": "Web",
            "version": 812, "status": "s"}),
        "planwright/people.jsonl": lines({"kind": "person", "id": 1, "name": "Ana"},
            {"kind": "person", "id": 2, "name": "Bo", "email": "bo@example.com"}),
        "planwright/memberships.jsonl": lines({"kind": "project_membership", "id": 4,
            "project_id": 99, "person_id": 1, "role": "owner", "favorite": True}),
        "planwright/labels.jsonl": lines({"kind": "label", "id": 31, "name": "backend"}),
        "planwright/review_types.jsonl": b"",
        "planwright/integrations.jsonl": lines({"kind": "jira_integration", "id": 8,
            "name": "J", "base_url": "https://jira.example.com"}),
        "planwright/iteration_overrides.jsonl": lines({"kind": "iteration_override", "number": 3,
            "project_id": 99, "team_strength": 0}),
        "planwright/epics.jsonl": b"",
        "planwright/stories.jsonl": lines(*stories),
        "planwright/activity.jsonl": lines({"kind": "story_create_activity", "guid": "99_812",
            "project_version": 812, "message": "Ana added this", "changes": [], "story_ids": [11],
            "occurred_at": "2023-10-02T08:00:00Z"}),
        "planwright/saved_searches.jsonl": lines({"kind": "saved_search", "id": 6,
            "project_id": 99, "person_id": 1, "name": "Mine", "query": "owner:AN"}),
        "planwright/webhooks.jsonl": lines({"kind": "webhook", "id": 7, "project_id": 99,
            "webhook_url": "https://example.com/hook", "webhook_version": "v5", "enabled": True}),
        "11/a.txt": b"hello",
        "planwright/files.jsonl": lines({"kind": "file", "id": 71, "path": "11/a.txt", "size": 5,
            "sha256": hashlib.sha256(b"hello").hexdigest()}),
    }
    manifest = {"kind": "planwright_export", "format": changes.pop("format", 1), "version": "0.1",
        "exported_at": "2025-03-24T14:55:31Z", "project": {"id": 99, "name": "Web"},
        "files": [{"path": path, "size": len(data), "count": data.count(b"\n"),
            "sha256": hashlib.sha256(data).hexdigest()} for path, data in files.items()
            if path != "11/a.txt"]}
    files["11/a.txt"] = content
    for path, data in changes.get("files", {}).items():
        files[path] = data
        if data is None:
            del files[path]
    files["planwright/manifest.json"] = json.dumps(manifest).encode()
    return files


def make():
    top = "web_20250324_145531-export/"
    archive("top.zip", ORIGINAL, top)
    with zipfile.ZipFile("top.zip", "a") as z:
        z.writestr("__MACOSX/" + top + "._web.csv", b"\0\5\x16\7")
        z.writestr(top + "185000002/", b"")
    archive("flat.zip", ORIGINAL)
    old_archive("old.zip", {"": b"", **ORIGINAL}, top)
    archive("backslash.zip", {"7/a\\b.txt": b"a", "8/b.txt": b"b", "9\\c.txt": b"c"})
    folder("unpacked/" + top, ORIGINAL)
    folder("unpacked", {".DS_Store": b"\0"})
    archive("files_only.zip", {"7/a.txt": b"a", "8/b.txt": b"b"}, top)
    archive("own.zip", own(), top)
    archive("own_newer.zip", own(format=2), top)
    archive("own_no_format.zip", own(format="one"), top)
    archive("own_changed.zip", own(files={"planwright/labels.jsonl": b"{}\n"}), top)
    archive("own_changed_file.zip", own(content=b"hallo"), top)
    archive("own_short.zip", own(files={"planwright/stories.jsonl": None}), top)
    folder("own_unpacked", own())
    archive("replies.zip", {"epics.json": b'[{"kind":"epic","id":41,"name":"E"}]',
        "stories/1.json": b'{"kind":"story","id":11,"name":"A","story_type":"bug",'
            b'"current_state":"started"}'})
    archive("packed_dump.zip", {"x.db": b"SQLite format 3\0" + bytes(100)})
    archive("stranger.zip", {"readme.txt": b"hello", "src/a.c": b"int a;"})
    archive("sheet.xlsx", {"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"})
    archive("sheet.ods", {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
        "content.xml": b"<x/>"})
