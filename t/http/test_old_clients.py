"""Clients of version 3 that others wrote: npm's package `pivotal` 0.2.0 as it was published (t/old), and the requests
of the gem `pivotal-tracker` and of scripts of its time."""

import json
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import TOP
from retired import Old, old_stack, old_team  # noqa: F401

# Other tests run this server code with sanitizers, too; npm and node take most of the time.
pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("old")
    for name in ("package.json", "package-lock.json", "drive.cjs"):
        shutil.copy(f"{TOP}/t/old/{name}", folder)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
                   cwd=folder, check=True, capture_output=True, text=True, timeout=300)
    return folder


@pytest.fixture
def pivotal(package, old_stack, old_team):
    """pivotal([name, arguments…], …): the result of each call."""
    def run(*calls, who=old_team.people["owner"]):
        made = subprocess.run(["node", "drive.cjs", str(old_stack.port), who.token], cwd=package, check=True,
                              capture_output=True, text=True, timeout=60, input=json.dumps(calls))
        return json.loads(made.stdout)
    return run


def data(results):
    """Checks that all of them worked."""
    assert [r for r in results if "error" in r] == []
    return [r.get("data") for r in results]


def test_npm_signs_in(pivotal, old_team):
    owner = old_team.people["owner"]
    right, wrong = pivotal(["getToken", owner.username, owner.password], ["getToken", owner.username, "wrong"])
    assert right["data"]["guid"] == owner.token
    assert wrong["error"]["code"] == 401


def test_npm_reads(pivotal, old_team):
    project = old_team.id
    projects, one, members, member, done, current, backlog, both, all_, stories, none = data(pivotal(
        ["getProjects"], ["getProject", project], ["getMemberships", project],
        ["getMembership", project, old_team.owner.get(f"{old_team.path}/memberships").json()[0]["id"]],
        ["getDoneIterations", project, {"limit": 3}], ["getCurrentIteration", project],
        ["getBacklogIterations", project, {"limit": 3}], ["getCurrentBacklogIterations", project],
        ["getIterations", project, {"limit": 5}], ["getStories", project, {"limit": 5}],
        ["getStories", project, {"filter": "type:release"}]))
    assert projects["project"]["id"] == one["id"] == str(project)
    assert len(members["membership"]) == 4 and member["person"]["name"] == old_team.people["owner"].name
    assert not done and not backlog
    assert current["iteration"]["number"] == both["iteration"]["number"] == all_["iteration"]["number"] == "1"
    assert [s["name"] for s in stories["story"]] == ["A story"] and none["story"] == []


def test_npm_writes(pivotal, old_team, tmp_path):
    project, owner = old_team.id, old_team.people["owner"].name
    made, other = data(pivotal(
        ["addStory", project, {"name": 'Fish & "chips" <b>', "story_type": "feature", "estimate": 1, "labels": "a,b",
                               "requested_by": owner}],
        ["addStory", project, {"name": "Zweite für später", "story_type": "bug"}]))
    assert other["name"] == "Zweite für später"
    assert (made["name"], made["labels"], made["requested_by"]) == ('Fish & "chips" <b>', "a,b", owner)
    story = made["id"]
    file = tmp_path / "file.txt"
    file.write_text("sent by the package")
    changed, note, task, attachment, finished, moved = data(pivotal(
        ["updateStory", project, story, {"current_state": "finished", "owned_by": owner}],
        ["addStoryComment", project, story, "a note"], ["addTask", project, story, {"description": "do it"}],
        ["addStoryAttachment", project, story, {"name": "file.txt", "data": "sent by the package"}],
        ["deliverAllFinishedStories", project],
        ["moveStory", project, other["id"], {"move": "after", "target": made["id"]}]))
    assert (changed["current_state"], changed["owned_by"]) == ("finished", owner)
    assert (note["text"], note["author"], task["complete"]) == ("a note", owner, "false")
    assert attachment["status"] == "Pending" and finished["story"]["id"] == story and moved["id"] == other["id"]
    tasks, done, one = data(pivotal(
        ["getTasks", project, story], ["updateTask", project, story, task["id"], {"complete": True}],
        ["getStory", project, story]))
    assert (tasks["task"]["description"], done["complete"]) == ("do it", "true")
    assert (one["notes"]["note"]["text"], one["current_state"]) == ("a note", "delivered")
    assert one["attachments"]["attachment"]["filename"] == "file.txt"
    data(pivotal(["getTask", project, story, task["id"]], ["removeTask", project, story, task["id"]],
                 ["removeStory", project, story]))
    assert pivotal(["getStory", project, story])[0]["error"]["code"] == 404


def test_npm_makes_projects_and_memberships(pivotal, old_team):
    made, = data(pivotal(["addProject", {"name": "By npm", "no_owner": False}]))
    added, = data(pivotal(["addMembership", made["id"], {"role": "Member", "person": {
        "name": "Nina Npm", "initials": "NN", "email": "npm@example.test"}}]))
    assert (added["role"], added["person"]["initials"]) == ("Member", "NN")
    data(pivotal(["removeMembership", made["id"], added["id"]]))


def test_npm_reads_activities(pivotal, old_team):
    all_, of_project = data(pivotal(["getActivities", None], ["getProjectActivities", old_team.id, {"limit": 2}]))
    assert len(all_["activity"]) == 10 and len(of_project["activity"]) == 2
    assert of_project["activity"][0]["project_id"] == str(old_team.id)


def test_npm_is_refused(pivotal, old_team):
    viewer = old_team.people["viewer"]
    refused, unknown = pivotal(["addStory", old_team.id, {"name": "x"}], ["getProject", 1], who=viewer)
    assert (refused["error"]["code"], unknown["error"]["code"]) == (403, 404)


# --- the gem: every field of its own in each body ----------------------------------------------------


def test_the_gem(old_stack, old_team):
    """Its Project.all, Story.create, update, move, move_to_project, upload, notes, tasks, and Activity.all."""
    owner, who = old_team.old("owner"), old_team.people["owner"]
    stories = f"{old_team.path}/stories"
    form = {"username": who.username, "password": who.password}
    token = Old(old_stack).request("POST", "/tokens/active", data=form)
    assert ElementTree.fromstring(token.content).findtext("guid") == who.token

    def body(**more):
        names = ("name", "description", "story_type", "estimate", "current_state", "requested_by", "owned_by", "labels")
        fields = "".join(f"<{n}>{more.pop(n, '')}</{n}>" for n in names)
        rest = "".join(f"<{n}>{text}</{n}>" for n, text in more.items())
        return f'<?xml version="1.0"?>\n<story>{fields}<project_id>{old_team.id}</project_id>{rest}</story>\n'

    made = owner.xml("POST", stories, body(name="By the gem"))
    assert (made.findtext("name"), made.findtext("story_type"), made.findtext("estimate")) == (
        "By the gem", "feature", "-1")
    one = f"{stories}/{made.findtext('id')}"
    again = owner.xml("PUT", one, body(
        name="By the gem", estimate="1", current_state="started", requested_by=who.name, owned_by=who.name, labels="x",
        created_at=made.findtext("created_at").replace("/", "-").replace(" UTC", "+00:00").replace(" ", "T")))
    assert (again.findtext("current_state"), again.findtext("owned_by"), again.findtext("labels")) == (
        "started", who.name, "x")
    assert again.findtext("created_at") == made.findtext("created_at")
    target = old_team.make_story(current_state="started", estimate=1)["id"]
    owner.xml("POST", f"{one}/moves?move\\[move\\]=after&move\\[target\\]={target}".replace("\\", ""), "")
    note = owner.xml("POST", f"{one}/notes", "<?xml version=\"1.0\"?>\n<note><text>Test note</text></note>")
    assert note.findtext("author") == who.name
    task = owner.xml("POST", f"{one}/tasks", "<task><description>Test</description><complete/></task>")
    assert task.findtext("complete") == "false"
    sent = owner.request("POST", f"{one}/attachments", files={"Filedata": ("LICENSE", b"text", "text/plain")})
    assert ElementTree.fromstring(sent.content).find("id") is not None
    when = "2010-07-29 19:13:04 UTC"
    assert len(owner.xml("GET", f"{old_team.path}/activities?limit=3&newer_than_version=1&occurred_since_date={when}")) == 3
    other = owner.xml("POST", "/projects", "<project><name>Of the gem</name></project>").findtext("id")
    moved = owner.xml("PUT", one, f"<story><project_id>{other}</project_id></story>")
    assert moved.findtext("project_id") == other
    said = owner.errors("POST", stories, body(name=""))
    assert said == ["Name can't be blank"]


def test_a_command_line_of_its_time(old_stack, old_team):
    """Signs in, lists its work, takes a story through its states."""
    member, who = old_team.old("member"), old_team.people["member"]
    story = old_team.make_story(current_state="unstarted", estimate=2, owner_ids=[who.id])["id"]
    mine = member.xml("GET", f"{old_team.path}/stories?filter=owner:{who.initials} state:unstarted,started,rejected")
    assert str(story) in [s.findtext("id") for s in mine]
    for state in ("started", "finished", "delivered", "accepted"):
        done = member.xml("PUT", f"{old_team.path}/stories/{story}?story[current_state]={state}", "")
        assert done.findtext("current_state") == state
    assert done.find("accepted_at").get("type") == "datetime"
