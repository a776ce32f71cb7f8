"""API responses as scripts and programs store them."""
import json
import os

STORY = {"kind": "story", "id": 11, "project_id": 99, "name": "Reset password",
    "description": "It's \"there\"", "story_type": "feature", "current_state": "accepted",
    "estimate": 2, "created_at": "2023-10-02T08:00:00Z", "updated_at": "2023-10-12T15:30:00Z",
    "accepted_at": "2023-10-12T15:30:00Z", "requested_by_id": 1, "owner_ids": [1, 2],
    "owned_by_id": 1, "url": "https://www.pivotaltracker.com/story/show/11",
    "labels": [{"kind": "label", "id": 31, "project_id": 99, "name": "backend",
        "created_at": "2020-01-07T09:00:00Z", "updated_at": "2020-01-07T09:00:00Z"}]}

NESTED = dict(STORY,
    owners=[{"kind": "person", "id": 1, "name": "Ana", "email": "ana@example.com",
        "initials": "AN", "username": "ana"}, {"kind": "person", "id": 2, "name": "Bo"}],
    tasks=[{"kind": "task", "id": 61, "story_id": 11, "description": "Mail", "complete": True,
        "position": 1, "created_at": "2023-10-03T08:00:00Z", "updated_at": "2023-10-03T08:00:00Z"}],
    comments=[{"kind": "comment", "id": 50, "story_id": 11, "text": "Look", "person_id": 2,
        "created_at": "2023-10-03T08:00:00Z", "updated_at": "2023-10-03T08:00:00Z",
        "file_attachment_ids": [71], "google_attachment_ids": [72],
        "file_attachments": [{"kind": "file_attachment", "id": 71, "filename": "a.png",
            "created_at": "2023-10-03T08:00:00Z", "uploader_id": 2, "thumbnailable": True,
            "height": 1, "width": 1, "size": 5, "download_url": "/file_attachments/71/download",
            "content_type": "image/png", "uploaded": True, "big_url": "x", "thumbnail_url": "y"}],
        "google_attachments": [{"kind": "google_attachment", "id": 72, "comment_id": 50,
            "person_id": 2, "google_kind": "document", "title": "Plan", "google_id": "g",
            "alternate_link": "https://docs.example.com/g", "resource_id": "r"}]}],
    blockers=[{"kind": "blocker", "id": 81, "story_id": 11, "person_id": 1,
        "description": "#12", "resolved": False, "created_at": "2023-10-03T08:00:00Z",
        "updated_at": "2023-10-03T08:00:00Z"}],
    reviews=[{"kind": "review", "id": 91, "story_id": 11, "review_type_id": 5, "reviewer_id": 2,
        "status": "pass", "created_at": "2023-10-04T08:00:00Z",
        "updated_at": "2023-10-05T08:00:00Z",
        "review_type": {"kind": "review_type", "id": 5, "project_id": 99, "name": "Code",
            "hidden": False}}],
    transitions=[{"kind": "story_transition", "state": "accepted", "story_id": 11,
        "project_id": 99, "project_version": 7, "occurred_at": "2023-10-12T15:30:00Z",
        "performed_by_id": 1}],
    reactions=[{"emoji": ":+1:"}])

PROJECT = {"kind": "project", "id": 99, "name": "Web", "version": 812, "iteration_length": 1,
    "week_start_day": "Monday", "point_scale": "0,1,2,3", "public": False,
    "time_zone": {"kind": "time_zone", "olson_name": "Europe/Berlin", "offset": "+01:00"},
    "start_date": "2020-01-06", "account_id": 7, "created_at": "2020-01-02T10:00:00Z"}

ACTIVITY = {"kind": "story_update_activity", "guid": "99_812", "project_version": 812,
    "message": "Ana edited this feature", "highlight": "edited",
    "changes": [{"kind": "story", "change_type": "update", "id": 11,
        "original_values": {"name": "x"}, "new_values": {"name": "Reset password"}}],
    "primary_resources": [{"kind": "story", "id": 11, "name": "Reset password"}],
    "secondary_resources": [], "project": {"kind": "project", "id": 99, "name": "Web"},
    "performed_by": {"kind": "person", "id": 1, "name": "Ana", "initials": "AN"},
    "occurred_at": "2023-10-12T15:30:00Z"}


def bare(record):
    """Without its kind, which has to be recognized by the fields."""
    return {k: v for k, v in record.items() if k != "kind"}


def write(path, value, lines=False):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        if lines:
            f.writelines(json.dumps(v) + "\n" for v in value)
        else:
            json.dump(value, f, indent=1)


def make_cache():
    keys = {"project_id": "99"}
    ours = [
        ("/projects/{project_id}", keys, PROJECT),
        ("/projects/{project_id}/activity", keys, [ACTIVITY]),
        ("/projects/{project_id}/memberships", keys, [{"kind": "project_membership", "id": 4,
            "project_id": 99, "role": "owner", "person": NESTED["owners"][0]}]),
        ("/projects/{project_id}/releases", keys, [{"kind": "release", "id": 13,
            "project_id": 99, "name": "Version 1", "current_state": "unstarted",
            "deadline": "2024-01-31T12:00:00Z", "story_ids": [11], "labels": []}]),
        ("/projects/{project_id}/iterations", keys, [{"kind": "iteration", "number": 7,
            "project_id": 99, "length": 1, "team_strength": 0.5, "stories": [STORY],
            "start": "2023-10-08T22:00:00Z", "finish": "2023-10-15T22:00:00Z"}]),
        ("/projects/{project_id}/epics", keys, [{"kind": "epic", "id": 41, "project_id": 99,
            "name": "Sign-in", "label": {"kind": "label", "id": 32, "name": "sign-in",
                "project_id": 99}, "comments": [{"kind": "comment", "id": 51, "epic_id": 41,
                "text": "E", "person_id": 1, "created_at": "2023-10-03T08:00:00Z"}]}]),
        ("/projects/{project_id}/stories", keys, [NESTED]),
        ("/projects/{project_id}/stories/{story_id}/activity", dict(keys, story_id="11"), None),
    ]
    write("out/cache.json", [{"PathTemplate": t, "Keys": k, "Data": d} for t, k, d in ours])


def make():
    make_cache()
    write("one.json", NESTED)
    write("envelope.json", {"pagination": {"total": 1, "limit": 10, "offset": 0}, "data": [STORY]})
    write("lists.json", {"project": PROJECT, "stories": [bare(STORY)],
        "comments": [{"id": 50, "story_id": 11, "text": "x", "person_id": 2},
            {"id": 52, "story_id": 12, "text": "z", "person_id": 2},
            {"id": 51, "story_id": 11, "text": "y", "person_id": 2}]})
    write("bare.jsonl", [bare(STORY), {"id": 50, "story_id": 11, "text": "x", "person_id": 2},
        {"id": 61, "story_id": 11, "description": "t", "complete": False},
        {"what": "this is"}, {"kind": "error", "code": "unfound_resource"}], lines=True)
    millis = dict(bare(STORY), created_at=1696233600000, updated_at=1697124600123,
        accepted_at=1697124600000)
    write("tmp/stories_99_10_0.json", [millis])
    write("tmp/stories_99_10_10.json", [dict(millis, id=12)])
    write("singer.jsonl", [{"type": "SCHEMA", "stream": "stories", "schema": {}},
        {"type": "RECORD", "stream": "stories", "record": bare(STORY)},
        {"type": "RECORD", "record": {"stream": "project_memberships", "emitted_at": 1,
            "data": {"id": 4, "role": "member", "person": {"id": 1, "name": "Ana"}}}},
        {"type": "STATE", "value": {}}], lines=True)
    write("several/projects.json", [PROJECT, dict(PROJECT, id=100, name="Other")])
    write("several/web.json", [STORY])
    write("several/other.json", [dict(STORY, id=12, project_id=100)])
    with open("odd.json", "w", encoding="utf-8") as f:
        f.write('\ufeff[{"kind":"story","id":"15","name":"a\\u0000b \\ud83d\\ude00 \\ud800x",\n'
            '"story_type":"bug","current_state":"started","estimate":"two","labels":["New"],\n'
            '"owned_by":{"id":3,"name":"C"},"deadline":null,"created_at":"yesterday",\n'
            '"requested_by":"Dee","mystery":"?","nothing":null}]')
