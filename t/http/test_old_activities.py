"""Iterations and activities in the formats of the retired versions."""

import time
import urllib.parse

from retired import add, old_stack, old_team  # noqa: F401


def test_iterations(old_team):
    team = old_team.__class__(old_team.stack)
    member = team.old("member")
    started = team.make_story(current_state="started", estimate=1)["id"]
    later = team.make_story(current_state="unstarted", estimate=3)["id"]
    for _ in range(5):
        team.make_story(current_state="unstarted", estimate=3)
    iterations = f"{team.path}/iterations"
    for path in (f"{iterations}/current", f"{iterations}?group=current"):
        root = member.xml("GET", path)
        assert (root.tag, root.get("type"), len(root)) == ("iterations", "array", 1)
        assert {c.tag: c.get("type") for c in root[0]} == {
            "id": "integer", "number": "integer", "start": "datetime", "finish": "datetime",
            "team_strength": "float", "stories": "array"}
        assert [s.findtext("id") for s in root[0].find("stories")][:2] == [str(started), str(later)]
    assert len(member.xml("GET", f"{iterations}/done")) == 0
    backlog = [i.findtext("number") for i in member.xml("GET", f"{iterations}/backlog")]
    both = [i.findtext("number") for i in member.xml("GET", f"{iterations}/current_backlog")]
    assert both == ["1", *backlog] and len(backlog) >= 1
    assert [i.findtext("number") for i in member.xml("GET", iterations)] == both
    assert [i.findtext("number") for i in member.xml("GET", f"{iterations}?limit=1&offset=1")] == both[1:2]
    assert member.errors("GET", f"{iterations}?group=next") == [
        "'group' must be one of: done, current, backlog, current_backlog"]


def test_activities(old_team):
    team = old_team.__class__(old_team.stack)
    v3, v4 = team.old("member"), team.old("member", "v4")
    story = add(team, "story[name]=Told&story[estimate]=1")["id"]
    path = f"{team.path}/stories/{story}"
    v3.xml("PUT", path, "story[current_state]=started")
    v3.xml("PUT", path, "story[labels]=a")
    v3.xml("PUT", path, "story[labels]=")
    v3.xml("PUT", path, f"story[owned_by]={team.people['other'].name}")
    note = v3.xml("POST", f"{path}/notes", "note[text]=Well said").findtext("id")
    v3.xml("DELETE", f"{path}/notes/{note}")
    task = v3.xml("POST", f"{path}/tasks", "task[description]=Do").findtext("id")
    v3.xml("PUT", f"{path}/tasks/{task}", "task[complete]=true")
    v3.xml("DELETE", f"{path}/tasks/{task}")
    team.member.post(f"{team.path}/epics", {"name": "These versions know of none"})
    v3.xml("DELETE", path)
    want = ["story_delete", "task_delete", "task_edit", "task_create", "{}_delete", "{}_create", "story_update",
            "story_label_remove", "story_label_add", "story_update"]
    for client, word in ((v3, "note"), (v4, "comment")):
        root = client.xml("GET", f"{team.path}/activities")
        assert [a.findtext("event_type") for a in root] == [w.format(word) for w in want]
    activity = v3.xml("GET", f"{team.path}/activities?limit=100")
    by_type = {a.findtext("event_type"): a for a in activity}
    made = next(a for a in activity if a.findtext("stories/story/name") == "Told")
    assert {c.tag: c.get("type") for c in made} == {
        "id": "integer", "version": "integer", "event_type": None, "occurred_at": "datetime", "author": None,
        "project_id": "integer", "description": None, "stories": "array"}
    assert made.findtext("description") == f'{team.people["member"].name} added "Told"'
    assert by_type["story_label_add"].findtext("stories/story/labels") == "a"
    assert by_type["note_create"].findtext("stories/story/notes/note/text") == "Well said"
    assert by_type["task_create"].findtext("stories/story/tasks/task/description") == "Do"
    assert [a.findtext("stories/story/owned_by") for a in activity if a.findtext("stories/story/owned_by")] == [
        team.people["other"].name]
    assert by_type["story_update"].findtext("stories/story/url").endswith(f"/services/v3{path}")
    in_v4 = v4.xml("GET", f"{team.path}/activities?limit=1")[0]
    assert in_v4.findtext("author/person/initials") == team.people["member"].initials


def test_many_stories_are_deleted_at_once(old_team):
    """Version 5 reports one and many as the same kind; these versions have a type for each."""
    team = old_team.__class__(old_team.stack)
    ids = [team.make_story()["id"] for _ in range(3)]
    for some in ids[:1], ids[1:]:
        assert team.member.put(f"{team.path}/stories/bulk", {"ids": some, "delete": True}).status_code == 200
    for client in team.old("member"), team.old("member", "v4"):
        many, one = client.xml("GET", f"{team.path}/activities?limit=2")
        assert [a.findtext("event_type") for a in (many, one)] == ["story_delete_multi", "story_delete"]
        assert [s.findtext("id") for s in many.find("stories")] == [str(id) for id in ids[1:]]


def test_an_activity_of_the_highest_project(old_team):
    """Its id is shown with more digits than fit into 64 bits."""
    stack = old_team.stack
    (last,), = stack.sql("select last_value from planwright.project_id_seq")
    stack.sql("select setval('planwright.project_id_seq', %s)", 2 ** 53 - 2)
    team = old_team.__class__(stack)
    stack.sql("select setval('planwright.project_id_seq', %s)", last)
    assert team.id == 2 ** 53 - 1
    team.make_story()
    activity = team.old("member").xml("GET", f"{team.path}/activities?limit=1")[0]
    assert activity.findtext("id") == f"{team.id}{int(activity.findtext('version')):07d}"
    assert activity.find("id").get("type") == "integer"


def test_which_activities(old_team):
    team = old_team.__class__(old_team.stack)
    member = team.old("member")
    for n in range(12):
        add(team, f"story[name]=Story {n}")
    feed = f"{team.path}/activities"
    root = member.xml("GET", feed)
    assert len(root) == 10
    assert len(member.xml("GET", f"{feed}?limit=500")) == 13
    version = root[3].findtext("version")
    assert [a.findtext("version") for a in member.xml("GET", f"{feed}?newer_than_version={version}")] == [
        a.findtext("version") for a in root[:3]]
    when = root[0].findtext("occurred_at")
    for text in (when, when.replace("/", "-"), when[:10].replace("/0", "/")):
        assert member.xml("GET", f"{feed}?occurred_since_date={text}")[0].findtext("id") == root[0].findtext("id")
    assert len(member.xml("GET", f"{feed}?occurred_since_date=2099/01/01 00:00:00 PST")) == 0
    assert member.xml("GET", "/activities?limit=1")[0].findtext("id") == root[0].findtext("id")
    assert "occurred_since_date" in member.errors("GET", f"{feed}?occurred_since_date=soon")[0]
    assert "newer_than_version" in member.errors("GET", f"{feed}?newer_than_version=x")[0]


def test_times_that_clients_send(old_team):
    """As Ruby writes them, with and without what people leave out; and milliseconds, as in version 5."""
    member = old_team.old("member")
    add(old_team)
    feed = f"{old_team.path}/activities?limit=1&occurred_since_date="
    now = int(time.time())
    for text in ("2010/03/01", "2010/3/1", "2010-03-01", "2010/03/01 12:30 UTC", "2010/03/01 12:30:05 UTC", "2010/03/01 9:30 PST",
                 "2010-03-01 12:30:05 UTC", "2010-03-01 12:30:05 +0100", "2010-03-01 12:30:05 -05:00", "2010/03/01 12:30:05+0100",
                 "2010-03-01T12:30:05+00:00", "2010-03-01T12:30:05.123Z", "2010/03/01 12:30", "0001/01/01", "-62135596800000", "0", "-1", "1267446600000", f"{now - 3600}000"):
        assert len(member.xml("GET", feed + urllib.parse.quote(text))) == 1, text
    for text in (f"{now + 3600}000", "2099-03-01 12:30:05 +0100", "2099/03/01 12:30 UTC"):
        assert len(member.xml("GET", feed + urllib.parse.quote(text))) == 0, text
    for text in ("2010/03/01 12", "2010/03/01 12:", "2010/03/01 12:3", "2010/03/01 12:30:", "2010/03/01 12:30:5", "2010/03/01 T",
                 "2010/03/01T", "2010/03-01", "10/3/1", "2010/03/01 12:60", "2010/03/01 24:30", "2010/03/01 12:30 +1", "2010/03/01 12:30 +9900",
                 "2010/03/01 12:30 CET", "2010/02/30", "2010/", "2010/03", "99999999999999999999", "9223372036854775807",
                 "-99999999999999999", "1e12", "0x10", "2010/03/01 12:30:05.", "2010/03/01 12:30 UTC UTC"):
        assert member.errors("GET", feed + urllib.parse.quote(text)) == [
            "'occurred_since_date' must be a time, such as 2013/05/07 12:00:00 UTC"], text


def test_an_offset_counts(old_team):
    """What happened this second is later than an hour ago in any zone."""
    member = old_team.old("member")
    add(old_team)
    feed = f"{old_team.path}/activities?limit=1&occurred_since_date="
    for zone, is_told in (("+0100", 1), ("+0000", 0), ("-0100", 0)):
        text = time.strftime("%Y-%m-%d %H:%M:%S ", time.gmtime(time.time() + 1800)) + zone
        assert len(member.xml("GET", feed + urllib.parse.quote(text))) == is_told, text
