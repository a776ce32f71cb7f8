"""The retired versions v3 and v4 (contract part 8): paths, names and forms, with requests written by hand."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from client import Client
from retired import TIME, Old, add, member, member4, old_stack, old_team, texts  # noqa: F401
from world import ok


# --- switched on and off ----------------------------------------------------------


def test_one_version_alone(new_stack):
    stack = new_stack(workers=1, settings="old_versions = v4")
    assert Old(stack).get("/projects").status_code == 410
    assert Old(stack, version="v4").get("/projects").status_code == 401


def test_settings_name_the_versions(stack):
    done = stack.ctl("settings", check=False)
    assert "old_versions" in done.stdout


# --- credentials -----------------------------------------------------------------------


@pytest.mark.parametrize("version", ["v3", "v4"])
def test_tokens(old_stack, old_team, version):
    somebody = old_team.people["member"]
    nobody = Old(old_stack, version=version)
    form = f"username={somebody.username}&password={somebody.password}"
    for root in (nobody.xml("GET", "/tokens/active", auth=(somebody.username, somebody.password)),
                 nobody.xml("POST", "/tokens/active", form),
                 nobody.xml("POST", f"/tokens/active?{form}"),
                 nobody.xml("POST", "/tokens/active.xml", form)):
        assert (root.tag, root.findtext("guid")) == ("token", somebody.token)
        assert root.find("id").get("type") == "integer"


def test_me_is_of_v4(old_stack, old_team):
    somebody = old_team.people["member"]
    root = Old(old_stack, version="v4").xml("GET", "/me", auth=(somebody.email, somebody.password))
    assert (root.tag, root.findtext("name"), root.findtext("email")) == (
        "person", somebody.name, somebody.email)
    assert root.findtext("token/guid") == somebody.token
    assert old_team.old("member", "v4").xml("GET", "/me").findtext("initials") == somebody.initials
    old_team.old("member").errors("GET", "/me", status=404)


def test_wrong_credentials_are_401(old_stack, old_team):
    somebody, nobody = old_team.people["member"], Old(old_stack)
    answer = nobody.get("/tokens/active", auth=(somebody.username, "wrong"))
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, 'Basic realm="planwright"')
    nobody.errors("POST", "/tokens/active", f"username={somebody.username}&password=wrong", status=401)
    nobody.errors("POST", "/tokens/active", "", status=401)
    nobody.errors("GET", "/projects", status=401)
    Old(old_stack, "0" * 32).errors("GET", "/projects", status=401)


def test_a_password_is_good_for_the_token_alone(old_stack, old_team):
    somebody = old_team.people["member"]
    Old(old_stack).errors("GET", "/projects", status=401, auth=(somebody.username, somebody.password))


def test_the_token_is_a_header_or_a_parameter(old_stack, old_team):
    nobody, token = Old(old_stack), old_team.people["member"].token
    assert nobody.xml("GET", f"/projects?token={token}").tag == "projects"
    root = nobody.xml("POST", f"{old_team.path}/stories", f"token={token}&story[name]=By form")
    assert root.findtext("name") == "By form"


def test_a_second_factor_is_not_gone_around(old_stack, old_team):
    """Neither with the header nor with parameters: the password alone is not enough."""
    somebody = old_team.people["other"]
    old_stack.sql("insert into second_factor (person_id, sealed, confirmed_at) values (%s, '\\x00', now())",
                  somebody.id)
    try:
        nobody = Old(old_stack)
        for done in (nobody.get("/tokens/active", auth=(somebody.username, somebody.password)),
                     nobody.post("/tokens/active", data=f"username={somebody.username}"
                                                        f"&password={somebody.password}")):
            assert done.status_code == 403 and somebody.token not in done.text
    finally:
        old_stack.sql("delete from second_factor where person_id = %s", somebody.id)


# --- scopes ------------------------------------------------------------------------------


def test_named_tokens_hold(old_stack, old_team):
    owner = old_team.owner
    elsewhere = ok(owner.post("/projects", {"name": "Elsewhere", "account_id": ok(
        owner.get(old_team.path))["account_id"]}))["id"]

    def token(**more):
        return Old(old_stack, ok(owner.post("/my/tokens", {"name": "old", **more}))["token"])

    reads, some = token(scope="read"), token(scope="write", project_ids=[elsewhere])
    for x in (reads, some):
        old_stack.secrets.append(x.token)
    assert reads.xml("GET", old_team.path).findtext("id") == str(old_team.id)
    reads.errors("POST", f"{old_team.path}/stories", "story[name]=x", status=403)
    reads.errors("PUT", f"{old_team.path}/stories/deliver_all_finished", "", status=403)
    assert [p.findtext("id") for p in some.xml("GET", "/projects")] == [str(elsewhere)]
    some.errors("GET", old_team.path, status=403)
    some.errors("POST", f"{old_team.path}/stories", "story[name]=x", status=403)
    assert all(a.findtext("project_id") == str(elsewhere) for a in some.xml("GET", "/activities?limit=100"))


# --- projects and people -----------------------------------------------------------------


def test_projects(old_team, member):
    root = member.xml("GET", "/projects")
    assert (root.tag, root.get("type")) == ("projects", "array")
    project = next(p for p in root if p.findtext("id") == str(old_team.id))
    assert project.find("id").get("type") == "integer"
    assert texts(project) == texts(member.xml("GET", old_team.path))
    has = texts(project)
    assert has["velocity_scheme"] == "Average of 3 iterations"
    assert (has["week_start_day"], has["point_scale"]) == ("Monday", "0,1,2,3")
    assert (has["public"], has["allow_attachments"], has["use_https"]) == ("false", "true", "false")
    assert re.fullmatch(TIME, has["first_iteration_start_time"])
    assert {m.findtext("role") for m in project.find("memberships")} == {"Owner", "Member", "Viewer"}
    assert {m.findtext("person/name") for m in project.find("memberships")} == {
        p.name for p in old_team.people.values()}


def test_when_a_project_last_changed(old_team, member):
    root = member.xml("GET", old_team.path)
    last = root.find("last_activity_at")
    assert last.get("type") == "datetime" and re.fullmatch(TIME, last.text)
    assert [x.tag for x in root][[x.tag for x in root].index("labels") + 1] == "last_activity_at"
    add(old_team)
    (newest,) = ok(old_team.member.get(f"{old_team.path}/activity?limit=1"))
    told = ok(old_team.member.get(f"{old_team.path}?fields=last_activity_at"))["last_activity_at"]
    assert told == newest["occurred_at"]
    assert member.xml("GET", old_team.path).findtext("last_activity_at") == told.replace("-", "/").replace(
        "T", " ").replace("Z", " UTC")


def test_a_project_is_made(old_team):
    owner = old_team.old("owner")
    made = owner.xml("POST", "/projects", """<project><name>Made</name>
        <iteration_length type="integer">2</iteration_length><point_scale>0,1,2</point_scale>
        <no_owner type="boolean">false</no_owner></project>""")
    assert texts(made)["iteration_length"] == "2" and texts(made)["point_scale"] == "0,1,2"
    assert made.findtext("memberships/membership/role") == "Owner"
    without = owner.xml("POST", "/projects", "project[name]=Without&project[no_owner]=true")
    assert len(without.find("memberships")) == 0
    assert "taken" in owner.errors("POST", "/projects", "project[name]=Made")[0]


def test_memberships(old_team):
    owner = old_team.old("owner")
    made = owner.xml("POST", f"{old_team.path}/memberships", """<membership><role>Viewer</role><person>
        <email>new@example.test</email><name>New One</name><initials>NO</initials></person></membership>""")
    path = f"{old_team.path}/memberships/{made.findtext('id')}"
    one = owner.xml("GET", path)
    assert (one.findtext("role"), one.findtext("person/name"), one.findtext("person/initials")) == (
        "Viewer", "New One", "NO")
    assert one.findtext("project/id") == str(old_team.id)
    assert len(owner.xml("GET", f"{old_team.path}/memberships")) == 5
    old_team.old("member").errors("DELETE", path, status=403)
    assert owner.xml("DELETE", path).tag == "message"
    owner.errors("GET", path, status=404)


# --- stories -------------------------------------------------------------------------------


def test_a_story_in_v3(old_team, member):
    mate = old_team.people["other"].name
    made = member.xml("POST", f"{old_team.path}/stories", f"""<?xml version="1.0"?>
        <story><name>Fish &amp; "chips" &lt;ü&gt;</name><story_type>feature</story_type><estimate>2</estimate>
        <description>two&#10;lines</description><requested_by>{mate}</requested_by>
        <owned_by>{old_team.people['member'].name}</owned_by><labels>One, two</labels></story>""")
    assert {c.tag: c.get("type") for c in made} == {
        "id": "integer", "project_id": "integer", "story_type": None, "url": None, "estimate": "integer",
        "current_state": None, "description": None, "name": None, "requested_by": None, "owned_by": None,
        "created_at": "datetime", "updated_at": "datetime", "labels": None}
    has = texts(made)
    assert (has["name"], has["description"]) == ("Fish & \"chips\" <ü>", "two\nlines")
    assert (has["labels"], has["estimate"], has["current_state"]) == ("one,two", "2", "unscheduled")
    assert (has["requested_by"], has["owned_by"]) == (mate, old_team.people["member"].name)
    assert re.fullmatch(TIME, has["created_at"])
    v5 = ok(old_team.member.get(f"{old_team.path}/stories/{has['id']}"))
    assert v5["name"] == has["name"] and v5["owner_ids"] == [old_team.people["member"].id]


def test_a_story_in_v4(old_team, member4):
    story = add(old_team, f"""<story><name>x</name><estimate>1</estimate>
        <owned_by><person><id>{old_team.people['other'].id}</id></person></owned_by></story>""", version="v4")
    root = member4.xml("GET", f"{old_team.path}/stories/{story['id']}")
    assert (root.findtext("estimate"), root.find("estimate").get("type")) == ("1.0", "float")
    assert root.findtext("requested_by/person/name") == old_team.people["member"].name
    assert root.findtext("owned_by/person/id") == str(old_team.people["other"].id)
    assert root.findtext("owned_by/person/initials") == old_team.people["other"].initials


@pytest.mark.parametrize("kind", ["feature", "bug", "chore", "release"])
def test_without_estimate(old_team, kind):
    assert add(old_team, f"story[name]=x&story[story_type]={kind}")["estimate"] == "-1"


def test_parameters_in_brackets(old_team, member):
    """In the query, in a form, and in a query next to a body, which takes precedence."""
    stories = f"{old_team.path}/stories"
    assert member.xml("POST", f"{stories}?story[name]=Query&story[story_type]=bug").findtext("story_type") == "bug"
    assert member.xml("POST", stories, "story[name]=Form&story[labels]=a,b").findtext("labels") == "a,b"
    both = member.xml("POST", f"{stories}?story[name]=Query&story[story_type]=chore",
                      "<story><name>Body</name></story>")
    assert (both.findtext("name"), both.findtext("story_type")) == ("Body", "chore")


def test_a_story_changes(old_team, member):
    story = add(old_team, f"""<story><name>x</name><estimate>2</estimate><labels>a</labels><description>d</description>
        <owned_by>{old_team.people['other'].name}</owned_by></story>""")
    path = f"{old_team.path}/stories/{story['id']}"
    done = texts(member.xml("PUT", path, "<story><current_state>started</current_state></story>"))
    assert (done["current_state"], done["labels"], done["owned_by"]) == ("started", "a", story["owned_by"])
    done = texts(member.xml("PUT", path, """<story><owned_by/><labels></labels><description/><current_state/>
        <story_type></story_type><requested_by/></story>"""))
    assert "owned_by" not in done and "labels" not in done and not done["description"]
    assert (done["current_state"], done["story_type"]) == ("started", "feature")
    done = texts(member.xml("PUT", path, "<story><estimate>-1</estimate><current_state>unscheduled</current_state></story>"))
    assert done["estimate"] == "-1"


def test_what_says_the_same_changes_nothing(old_team, member):
    """A client sends back everything that it was shown: further owners stay, and so do fractions of seconds."""
    people = [old_team.people["other"].id, old_team.people["member"].id]
    story = ok(old_team.member.post(f"{old_team.path}/stories", {
        "name": "Many", "owner_ids": people, "estimate": 1, "current_state": "accepted"}))
    path = f"{old_team.path}/stories/{story['id']}"
    version = ok(old_team.member.get(f"{old_team.path}?fields=version"))["version"]
    shown = member.xml("GET", path)
    for name in ("notes", "tasks", "attachments"):
        assert shown.find(name) is None
    same = member.xml("PUT", path, ElementTree.tostring(shown).decode())
    assert ElementTree.tostring(same) == ElementTree.tostring(shown)
    assert ok(old_team.member.get(path))["owner_ids"] == people
    assert ok(old_team.member.get(f"{old_team.path}?fields=version"))["version"] == version
    member.xml("PUT", path, f"<story><owned_by>{old_team.people['member'].name}</owned_by></story>")
    assert ok(old_team.member.get(path))["owner_ids"] == people[1:]


@pytest.mark.parametrize("kind", ["feature", "bug"])
def test_what_v4_shows_can_be_sent_back(old_team, kind):
    """It names the first owner by id, and has -1.0 for no estimate."""
    people = [old_team.people["other"].id, old_team.people["member"].id]
    story = ok(old_team.member.post(f"{old_team.path}/stories", {
        "name": "Many", "owner_ids": people, "story_type": kind}))
    path = f"{old_team.path}/stories/{story['id']}"
    v4 = old_team.old("member", version="v4")
    before = ok(old_team.member.get(f"{path}?fields=:default,owner_ids"))
    shown = v4.xml("GET", path)
    assert shown.findtext("estimate") == "-1.0"
    v4.xml("PUT", path, ElementTree.tostring(shown).decode())
    assert ok(old_team.member.get(f"{path}?fields=:default,owner_ids")) == before
    other = f"<story><owned_by><person><id>{people[1]}</id></person></owned_by></story>"
    v4.xml("PUT", path, other)
    assert ok(old_team.member.get(path))["owner_ids"] == people[1:]


def test_an_early_error_is_xml_in_spite_of_an_envelope(member):
    assert member.errors("GET", "/projects?envelope=true&_method=X")


def test_people_are_those_of_the_project(old_stack, old_team, member):
    stranger = Client(old_stack, old_team.people["owner"].token)
    said = member.errors("POST", f"{old_team.path}/stories", "story[name]=x&story[owned_by]=Nobody")
    assert said == ["'owned_by' must be the name of a person of the project, unlike: Nobody"]
    for email in ("twin1@example.test", "twin2@example.test"):
        ok(stranger.post(f"{old_team.path}/memberships", {"email": email, "name": "Twin", "role": "member"}))
    said = member.errors("POST", f"{old_team.path}/stories", "story[name]=x&story[owned_by]=Twin")
    assert "only one person" in said[0]


def test_lists_of_stories(old_team):
    team = old_team.__class__(old_team.stack)
    member = team.old("member")
    for n in range(5):
        add(team, f"story[name]=Story {n}&story[story_type]={'bug' if n % 2 else 'feature'}&story[labels]=a b")
    stories = f"{team.path}/stories"
    root = member.xml("GET", stories)
    assert (root.get("type"), root.get("count"), root.get("limit"), root.get("total")) == ("array", "6", "3000", "6")
    page = member.xml("GET", f"{stories}?limit=2&offset=1")
    assert [s.findtext("id") for s in page] == [s.findtext("id") for s in root][1:3]
    assert member.xml("GET", f"{stories}?limit=5000").get("limit") == "3000"
    found = member.xml("GET", f'{stories}?filter=type:bug label:"a b"&limit=1')
    assert (found.get("count"), found.get("total"), found[0].findtext("story_type")) == ("1", "2", "bug")
    assert len(member.xml("GET", f"{stories}?filter=type:release")) == 0
    assert "limit" in member.errors("GET", f"{stories}?limit=many")[0]


def test_moves(old_team, member):
    first, second, third = (add(old_team, f"story[name]=M{n}&story[current_state]=unstarted")["id"] for n in range(3))
    path = f"{old_team.path}/stories/{first}/moves"

    def order():
        ids = [s.findtext("id") for s in member.xml("GET", f"{old_team.path}/stories?filter=state:unstarted")]
        return [i for i in ids if i in (first, second, third)]

    assert member.xml("POST", f"{path}?move[move]=after&move[target]={third}").findtext("id") == first
    assert order().index(first) == order().index(third) + 1
    member.xml("POST", path, f"move[move]=before&move[target]={second}")
    assert order().index(first) == order().index(second) - 1
    member.xml("POST", path, f"<move><move>after</move><target>{third}</target></move>")
    assert order().index(first) == order().index(third) + 1
    assert member.errors("POST", f"{path}?move[move]=beside&move[target]={second}") == [
        "'move[move]' must be before or after"]
    assert member.errors("POST", f"{path}?move[move]=before") == ["'move[target]' must be a story's id"]


def test_a_story_moves_to_another_project(old_team):
    owner = old_team.old("owner")
    other = owner.xml("POST", "/projects", "project[name]=Other").findtext("id")
    story = add(old_team, by="owner")["id"]
    moved = owner.xml("PUT", f"{old_team.path}/stories/{story}", f"<story><project_id>{other}</project_id></story>")
    assert (moved.findtext("id"), moved.findtext("project_id")) == (story, other)
    owner.errors("GET", f"{old_team.path}/stories/{story}", status=404)
    types = [a.findtext("event_type") for a in owner.xml("GET", f"/projects/{other}/activities")]
    assert types[0] == "story_move_into_project"
    types = [a.findtext("event_type") for a in owner.xml("GET", f"{old_team.path}/activities")]
    assert types[0] == "story_move_from_project"


def test_all_finished_are_delivered(old_team):
    team = old_team.__class__(old_team.stack)
    member, path = team.old("member"), f"{team.path}/stories/deliver_all_finished"
    assert len(member.xml("PUT", path, "")) == 0
    made = {str(team.make_story(current_state="finished", estimate=1)["id"]) for _ in range(103)}
    left = team.make_story(current_state="started", estimate=1)["id"]
    done = member.xml("PUT", path, "")
    assert (done.tag, {s.findtext("id") for s in done}) == ("stories", made)
    assert {s.findtext("current_state") for s in done} == {"delivered"}
    assert ok(team.member.get(f"{team.path}/stories/{left}"))["current_state"] == "started"
    team.old("viewer").errors("PUT", path, "", status=403)


def test_a_story_is_deleted(old_team, member):
    story = add(old_team)["id"]
    root = member.xml("DELETE", f"{old_team.path}/stories/{story}")
    assert (root.tag, root.text) == ("message", f"The story {story} was successfully deleted.")
    member.errors("GET", f"{old_team.path}/stories/{story}", status=404)


# --- parts of stories ------------------------------------------------------------------------


@pytest.mark.parametrize("version, word, when", [("v3", "note", "noted_at"), ("v4", "comment", "created_at")])
def test_notes_and_comments(old_team, version, word, when):
    client = old_team.old("member", version)
    story = f"{old_team.path}/stories/{add(old_team)['id']}"
    made = client.xml("POST", f"{story}/{word}s", f"<{word}><text>a &amp; b</text></{word}>")
    assert (made.tag, made.findtext("text"), made.find(when).get("type")) == (word, "a & b", "datetime")
    author = made.findtext("author") if version == "v3" else made.findtext("author/person/name")
    assert author == old_team.people["member"].name
    one = f"{story}/{word}s/{made.findtext('id')}"
    assert client.xml("GET", one).findtext("text") == "a & b"
    assert client.xml("PUT", one, f"{word}[text]=c").findtext("text") == "c"
    assert [x.findtext("text") for x in client.xml("GET", f"{story}/{word}s")] == ["c"]
    assert [x.findtext("text") for x in client.xml("GET", story).find(f"{word}s")] == ["c"]
    assert client.xml("DELETE", one).tag == "message"
    other = "comments" if word == "note" else "notes"
    client.errors("GET", f"{story}/{other}", status=404)


def test_tasks(old_team, member):
    story = f"{old_team.path}/stories/{add(old_team)['id']}"
    made = member.xml("POST", f"{story}/tasks", "<task><description>One</description></task>")
    assert {c.tag: c.get("type") for c in made} == {
        "id": "integer", "description": None, "position": "integer", "complete": "boolean", "created_at": "datetime"}
    one = f"{story}/tasks/{made.findtext('id')}"
    for value in ("true", "1"):
        assert member.xml("PUT", one, f"<task><complete>{value}</complete></task>").findtext("complete") == "true"
        member.xml("PUT", one, "task[complete]=false")
    member.xml("POST", f"{story}/tasks", "task[description]=Two&task[position]=1&task[complete]=true")
    assert [(t.findtext("description"), t.findtext("complete")) for t in member.xml("GET", story).find("tasks")] == [
        ("Two", "true"), ("One", "false")]
    assert member.xml("GET", one).findtext("position") == "2"
    assert member.xml("DELETE", one).tag == "message"
    assert "blank" in member.errors("POST", f"{story}/tasks", "task[description]=")[0]


def test_attachments(old_team, member):
    story = f"{old_team.path}/stories/{add(old_team)['id']}"
    sent = member.request("POST", f"{story}/attachments", files={"Filedata": ("ü.txt", b"hello")})
    root = ElementTree.fromstring(sent.content)
    assert (sent.status_code, root.tag, root.findtext("status")) == (200, "attachment", "Pending")
    shown = member.xml("GET", story)
    file = shown.find("attachments/attachment")
    assert (file.findtext("id"), file.findtext("filename")) == (root.findtext("id"), "ü.txt")
    assert file.findtext("uploaded_by") == old_team.people["member"].name
    assert shown.find("notes") is None
    assert member.get(file.findtext("url")).content == b"hello"
    in_v4 = old_team.old("member", "v4").xml("GET", story)
    assert in_v4.findtext("comments/comment/attachments/attachment/filename") == "ü.txt"
    answer = member.request("POST", f"{story}/attachments", files={"file": ("x", b"x")})
    assert (answer.status_code, "Filedata" in answer.text) == (422, True)
    answer = member.request("POST", f"{old_team.path}/stories/1/attachments", files={"Filedata": ("x", b"x")})
    assert answer.status_code == 404


def test_a_large_attachment_is_asked_for_first(old_team, member):
    story = f"{old_team.path}/stories/{add(old_team)['id']}"
    big = b"x" * (3 << 20)
    assert member.request("POST", f"{story}/attachments", files={"Filedata": ("x", big)}).status_code == 200
    viewer = old_team.old("viewer").request("POST", f"{story}/attachments", files={"Filedata": ("x", big)})
    assert viewer.status_code == 403


def test_linked_systems(old_team, member):
    jira = ok(old_team.owner.post(f"{old_team.path}/integrations", {
        "kind": "jira_integration", "name": "J", "base_url": "https://jira.example.test/browse/"}))["id"]
    other = ok(old_team.owner.post(f"{old_team.path}/integrations", {"kind": "other_integration", "name": "O"}))["id"]
    has = add(old_team, f"story[name]=x&story[integration_id]={jira}&story[jira_id]=A-1")
    assert (has["jira_id"], has["jira_url"], has["integration_id"]) == (
        "A-1", "https://jira.example.test/browse/A-1", str(jira))
    assert "other_id" not in has
    has = add(old_team, f"story[name]=x&story[integration_id]={other}&story[other_id]=77")
    assert (has["other_id"], "jira_id" in has) == ("77", False)


# --- as version 5 -------------------------------------------------------------------------------


def test_the_rest_is_version_5(old_team, member):
    """Versions, activities and notifications are created; an idempotency key is used once."""
    before = ok(old_team.member.get(f"{old_team.path}?fields=version"))["version"]
    headers = {"Idempotency-Key": "only once"}
    body = f"story[name]=Once&story[owned_by]={old_team.people['other'].name}"
    first = member.request("POST", f"{old_team.path}/stories", data=body, headers=headers)
    again = member.request("POST", f"{old_team.path}/stories", data=body, headers=headers)
    assert first.status_code == again.status_code == 200 and first.content == again.content
    assert first.headers["X-Tracker-Project-Version"] == str(before + 1)
    activity = ok(old_team.member.get(f"{old_team.path}/activity?limit=1"))[0]
    assert (activity["kind"], activity["project_version"]) == ("story_create_activity", before + 1)
    news = ok(old_team.other.get("/my/notifications"))
    assert any(n.get("story", {}).get("name") == "Once" for n in news)
    etag = member.get(old_team.path).headers["ETag"]
    assert member.get(old_team.path, headers={"If-None-Match": etag}).status_code == 304
    assert member.request("HEAD", old_team.path).status_code == 200
