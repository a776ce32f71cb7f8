"""An attribute X_id has a nested alternative X (contract 3.1)."""

from conftest import Client, Person
from tables import ROUTES
from team import team  # noqa: F401
from world import new_project


def test_the_project_of_a_story(team):
    got = team.viewer.get(f"{team.story}?fields=project(name),name").json()
    assert set(got) == {"id", "project", "name"}
    assert got["project"] == {"id": team.id, "name": team.viewer.get(team.path).json()["name"]}


def test_it_replaces_the_id_of_the_default(team):
    got = team.viewer.get(f"{team.story}?fields=:default,project").json()
    assert "project_id" not in got and got["project"]["kind"] == "project"
    both = team.viewer.get(f"{team.story}?fields=project_id,project(name)").json()
    assert both["project_id"] == both["project"]["id"] == team.id


def test_the_story_of_a_task(team):
    task = team.member.post(f"{team.story}/tasks", {"description": "x"}).json()
    got = team.viewer.get(
        f"{team.story}/tasks/{task['id']}?fields=story(name,project(name),owners)").json()
    assert got["story"]["id"] == task["story_id"] and got["story"]["project"]["id"] == team.id


def test_lists_grow_by_one_statement(team):
    got = team.viewer.get(f"{team.path}/stories?fields=project(name)&limit=500").json()
    assert got and all(s["project"]["id"] == team.id for s in got)


def test_what_stands_above_has_its_lists_too(team):
    """Nesting is possible for every kind (contract 1.7)."""
    task = team.member.post(f"{team.story}/tasks", {"description": "x"}).json()
    comment = team.member.post(f"{team.story}/comments", {"text": "y"}).json()
    got, = (c for c in team.viewer.get(
        f"{team.story}/comments?fields=story(tasks(description),comments(story(task_ids)))").json()
        if c["id"] == comment["id"])
    assert {"id": task["id"], "description": "x"} in got["story"]["tasks"]
    inner, = (c for c in got["story"]["comments"] if c["id"] == comment["id"])
    assert inner["story"]["task_ids"] == [t["id"] for t in got["story"]["tasks"]]
    got = team.viewer.get(f"{team.story}?fields=project(stories(project(epics(name))))").json()
    mine, = (s for s in got["project"]["stories"] if s["id"] == got["id"])
    assert mine["project"]["epics"] == team.viewer.get(f"{team.path}/epics?fields=name").json()
    made = team.member.post(f"{team.story}/comments?fields=story(comment_ids)", {"text": "z"}).json()
    assert made["id"] in made["story"]["comment_ids"]


def chain(depth, end):
    """comments(story(comments(… end …)))"""
    for level in range(depth, 0, -1):
        end = f"{'comments' if level % 2 else 'story'}({end})"
    return end


def test_what_may_be_asked_for_at_once_has_a_bound(team):
    story = f"{team.path}/stories/{team.make_story(comments=[{'text': 'y'}])['id']}"
    got = team.viewer.get(f"{story}?fields={chain(31, 'text')}")
    assert got.status_code == 200 and got.text.count('"comments"') == 16
    assert team.viewer.get(f"{story}?fields={chain(33, 'text')}").status_code == 400
    lists = "tasks,comments,blockers,reviews,transitions,owners,followers,pull_requests,branches"
    wide = f"project(stories({lists},project(stories({lists}))))"
    assert team.viewer.get(f"{story}?fields={wide}").status_code == 200
    for _ in range(3):
        wide = f"{lists},project(stories({wide})),comments(story({wide}))"
    answer = team.viewer.get(f"{story}?fields={wide}")
    assert answer.status_code == 400 and "more than 100 nested lists and objects" in answer.json()["general_problem"]


def test_a_write_whose_answer_is_too_large_tells_what_was_made(team, sql):
    """The write is committed: a refusal would be a lie."""
    client = team.owner
    path = f"/projects/{new_project(client)['id']}"
    for n in range(3):
        client.post(f"{path}/stories", {"name": f"s{n}", "description": "x" * 20000})
    inside = "description"
    for _ in range(8):
        inside = f"{inside},project(stories({inside}))"
    before = client.get(f"{path}?fields=version").json()["version"]
    made = client.post(f"{path}/stories?fields=name,{inside}", {"name": "one more"})
    assert made.status_code == 200 and list(made.json()) == ["id"]
    assert client.get(f"/stories/{made.json()['id']}").json()["name"] == "one more"
    assert client.get(f"{path}?fields=version").json()["version"] == before + 1
    answer = client.get(f"/stories/{made.json()['id']}?fields={inside}")
    assert answer.status_code == 400 and "larger than 128 MB" in answer.json()["general_problem"]


def test_projects_and_accounts_above_all_else(team):
    name = {"id": team.id, "name": team.viewer.get(team.path).json()["name"]}
    team.make_story(current_state="unstarted")
    for path in "/review_types", "/iterations", "/story_transitions", "/my/searches":
        team.viewer.post(f"{team.path}/my/searches", {"name": "x", "query": "x"})
        got = team.viewer.get(f"{team.path}{path}?fields=project(name)").json()
        assert got and all(x["project"] == name for x in got), path
    account = team.owner.get(f"{team.path}?fields=account").json()["account"]
    people = team.owner.get(f"/accounts/{account['id']}/memberships?fields=account").json()
    assert all(p["account"] == account for p in people)


def test_a_transition_names_only_what_the_caller_sees(team):
    story = team.make_story(current_state="unstarted")["id"]
    assert team.owner.put(f"/stories/{story}", {
        "project_id": new_project(team.owner)["id"]}).status_code == 200
    path = f"{team.path}/story_transitions?fields=story_id,story(name),project(name)"
    for client, seen in (team.owner, True), (team.viewer, False):
        mine, = (t for t in client.get(path).json() if t["story_id"] == story)
        assert ("story" in mine, "project" in mine) == (seen, True)


def test_stories_stand_above_and_below(new_stack):
    """One worker answers all of them: what it knows about a statement serves both places of stories."""
    server = new_stack(workers=1)
    client = Client(server, Person(server, "Nora").token)
    project = new_project(client)["id"]
    story = client.post(f"/projects/{project}/stories", {
        "name": "Under", "current_state": "unstarted", "tasks": [{"description": "x"}]}).json()
    path = f"/projects/{project}/iterations/1?fields=stories"
    for fields in "(name)", "(name,tasks(story(name)))", "(name,tasks(story(name)))":
        got, = client.get(path + fields).json()["stories"]
        assert got["name"] == "Under"
        if "tasks" in fields:
            assert got["tasks"][0]["story"] == {"id": story["id"], "name": "Under"}


def test_the_integration_of_a_story_is_for_people_of_the_project(team, api):
    project = new_project(team.owner, public=True)["id"]
    made = team.owner.post(f"/projects/{project}/integrations", {
        "kind": "other_integration", "name": "Desk", "api_username": "bot"}).json()
    story = team.owner.post(f"/projects/{project}/stories", {
        "name": "Linked", "integration_id": made["id"], "external_id": "7"}).json()
    for path in (f"/stories/{story['id']}", f"/projects/{project}/stories"):
        for fields, keys in (("integration", {"id", "integration"}),
                             ("integration_id,integration(name)",
                              {"id", "integration_id", "integration"})):
            got = team.owner.get(f"{path}?fields={fields}").json()
            got = got[0] if isinstance(got, list) else got
            assert set(got) == keys
            assert got["integration"] == (made if fields == "integration" else
                                          {"id": made["id"], "name": "Desk"})
        visitor = api().get(f"{path}?fields=integration")
        assert visitor.status_code == 200 and "bot" not in visitor.text
    visitor = api().get(f"/projects/{project}/activity")
    assert "integration_create_activity" in visitor.text and "Desk" not in visitor.text
    assert "other_integration" not in visitor.text
    path = f"/projects/{project}/integrations/{made['id']}/stories?fields=integration(name)"
    linked, = team.owner.get(path).json()
    assert linked["integration"] == {"id": made["id"], "name": "Desk"}


def test_an_answer_has_a_largest_size(team, sql):
    """Nested lists multiply: 100 tasks contain their story's description 100 times."""
    ids = [team.make_story(description="x" * 20000)["id"] for _ in range(70)]
    sql("""set session_replication_role = replica;
        insert into planwright.task (story_id, description, position)
        select s, 'Task ' || n, n from unnest(%s::bigint[]) s, generate_series(1, 100) n;
        reset session_replication_role""", ids)
    path = f"{team.path}/stories/bulk?fields=tasks(story(description))&ids="
    answer = team.viewer.get(path + ",".join(map(str, ids)))
    assert answer.status_code == 400 and "larger than 128 MB" in answer.json()["general_problem"]
    part, = team.viewer.post("/aggregator", [f"/services/v5{path}{ids[0]}"]).json().values()
    assert len(part[0]["tasks"]) == 100
    answer = team.viewer.post("/aggregator", [
        f"/services/v5{path}{','.join(map(str, ids[:40]))}&date_format={form}"
        for form in ("iso8601", "millis")])
    assert answer.status_code == 400


def plural(name):
    ends = {"y": ("y", "ies"), "h": ("h", "hes")}.get(name[-1], (name[-1], name[-1] + "s"))
    return name[:-1] + ends[1]


def answered():
    """All resources that occur in answers."""
    found, left = [], [r.resource for r in ROUTES if r.resource]
    while left:
        resource = left.pop()
        if resource not in found:
            found.append(resource)
            left += [f.child for f in resource.answered() if f.child]
    return found


def test_every_id_has_a_nested_alternative():
    """Except ids of other systems, which are text, the numeric ids of neighbours, and the project of an entry in the
    audit log, which outlives the project."""
    missing, seen = [], 0
    for resource in answered():
        nested = {f.name for f in resource.answered() if f.child and f.type != "many_ids"}
        for field in resource.answered():
            name, _, end = field.name.rpartition("_")
            if (resource.kind, field.name) == ("audit_entry", "project_id"):
                continue
            if end not in ("id", "ids") or field.type == "string" or name in ("", "before", "after"):
                continue
            seen += 1
            alternative = name if end == "id" else plural(name)
            if alternative not in nested and alternative != "story_templates":
                missing.append((resource.kind, field.name))
    assert missing == [] and seen > 60


def test_the_attachments_of_a_comment_are_of_both_kinds(team):
    sent = team.member.post(f"{team.path}/uploads", files={"file": ("a.txt", b"a")}).json()
    made = team.member.post(f"{team.story}/comments?fields=attachment_ids", {
        "file_attachments": [sent], "google_attachments": [{"title": "Plan"}]}).json()
    path = f"{team.story}/comments/{made['id']}?fields="
    file, google = team.viewer.get(f"{path}attachments").json()["attachments"]
    apart = team.viewer.get(f"{path}file_attachments,google_attachments").json()
    assert [file, google] == apart["file_attachments"] + apart["google_attachments"]
    assert [file["id"], google["id"]] == made["attachment_ids"]
    file, google = team.viewer.get(
        f"{path}attachments(title,uploader(name),person(name))").json()["attachments"]
    assert file["uploader"]["name"] == google["person"]["name"] == team.people["member"].name
    assert set(google) == {"id", "title", "person"}


def test_the_stories_that_a_story_blocks(team):
    story = int(team.story.rsplit("/", 1)[1])
    waiting = team.make_story(blockers=[{"description": f"wants #{story}"}])
    got = team.viewer.get(f"{team.story}?fields=blocked_story_ids,blocked_stories(name)").json()
    assert got == {"id": story, "blocked_story_ids": [waiting["id"]],
                   "blocked_stories": [{"id": waiting["id"], "name": waiting["name"]}]}


def test_what_is_attached_nests_its_comment(team):
    comment = team.member.post(f"{team.story}/comments", {
        "text": "x", "google_attachments": [{"title": "Plan"}]}).json()
    path = f"{team.story}/comments/{comment['id']}?fields=google_attachments"
    above, = team.viewer.get(path + "(comment(text,story(name)))").json()["google_attachments"]
    assert above["comment"] == {"id": comment["id"], "text": "x", "story": {
        "id": comment["story_id"], "name": "A story"}}
    above, = team.viewer.get(path + "(comment(google_attachment_ids))").json()["google_attachments"]
    assert above["comment"]["google_attachment_ids"] == [above["id"]]
