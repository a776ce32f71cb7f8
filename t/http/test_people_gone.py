"""People who are disabled, renamed or removed by planwrightctl(8)."""

import os
import pty
import subprocess

import pytest

from conftest import Client, Person
from test_ctl import fails
from test_people import bad_credentials, patiently
from world import new_project, ok


@pytest.fixture
def ada(person):
    return person("Ada Gone")


@pytest.fixture
def place(api, boss, ada):
    """A project of the boss in which Ada is a member."""
    client = api(boss)
    project = new_project(client)
    ok(client.post(f"/projects/{project['id']}/memberships",
                   {"person_id": ada.id, "role": "member"}))
    return client, project


def listed(stack, who):
    rows = (line.split("\t") for line in stack.ctl("person", "list").stdout.splitlines())
    return next(row for row in rows if row[0] == str(who.id))


def shown(stack, word, *command):
    text = stack.ctl(*(command or ("person", "show")), word).stdout
    return [line.split(None, 1) for line in text.splitlines()]


def test_lists_of_people_and_accounts(stack, place, ada, boss):
    client, project = place
    assert listed(stack, ada) == [str(ada.id), "active", ada.username, ada.email, "Ada Gone"]
    lines = shown(stack, ada.email)
    assert ["state", "active"] in lines and ["token", "yes"] in lines and ["password", "no"] in lines
    assert ["project", f"{project['id']}  {project['name']} (member)"] in lines
    assert ["invited", "no"] in lines and ["signed", "in   never"] in lines
    assert ["signed", "in   yes"] in shown(stack, boss.username)
    account = project["account_id"]
    rows = [line.split("\t") for line in stack.ctl("account", "list").stdout.splitlines()]
    assert [r[1] for r in rows if r[0] == str(account)] == [boss.username]
    lines = shown(stack, account, "account", "show")
    assert ["person", f"{ada.id}  {ada.username}  Ada Gone (member)"] in lines
    assert ["project", f"{project['id']}  {project['name']} (private)"] in lines
    assert "there is no account 7" in fails(stack, "account", "show", "7")
    assert "is not the number of an account" in fails(stack, "account", "show", "x", status=2)


def test_who_is_disabled_signs_in_by_no_means(stack, api, place, ada, sql):
    client, project = place
    path = f"/projects/{project['id']}"
    basic = (ada.username, ada.password)
    assert patiently(lambda: Client(stack).get("/me", auth=basic)).status_code == 200
    stack.ctl("person", "disable", ada.username)
    assert listed(stack, ada)[1] == "disabled"
    for answer in (api(ada).get("/me"), api(ada).get(path), api(ada).post(f"{path}/stories", {"name": "x"}),
                   Client(stack).get(f"/me?token={ada.token}")):
        assert (answer.status_code, answer.json()["code"]) == (403, "invalid_authentication")
    bad_credentials(patiently(lambda: Client(stack).get("/me", auth=basic)))
    assert ada.id in [m["person"]["id"] for m in ok(client.get(f"{path}/memberships"))]
    for command in ("show", "rotate"):
        assert "is disabled" in fails(stack, "token", command, ada.username)
    ok(client.post(f"{path}/stories", {"name": "Quiet", "owner_ids": [ada.id]}))
    story = ok(client.post(f"{path}/stories", {"name": "Named"}))
    ok(client.post(f"{path}/stories/{story['id']}/comments", {"text": f"@{ada.username} look"}))
    told = sql("select action from notification where person_id = %s", ada.id)
    assert ("ownership",) not in told and ("mention",) not in told
    before = len(told)
    stack.ctl("person", "disable", ada.username)
    stack.ctl("person", "enable", ada.username)
    assert ok(api(ada).get("/me"))["api_token"] == ada.token
    assert patiently(lambda: Client(stack).get("/me", auth=basic)).status_code == 200
    ok(client.post(f"{path}/stories", {"name": "Loud", "owner_ids": [ada.id]}))
    assert len(sql("select 1 from notification where person_id = %s", ada.id)) == before + 1


def test_a_token_that_is_revoked(stack, api, ada):
    stack.ctl("token", "revoke", ada.username)
    assert api(ada).get("/me").status_code == 403
    answer = ok(patiently(lambda: Client(stack).get("/me", auth=(ada.email, ada.password))))
    stack.secrets.append(answer["api_token"])
    assert answer["api_token"] != ada.token
    assert stack.ctl("token", "show", ada.username).stdout.strip() == answer["api_token"]


def test_another_name(stack, api, ada, boss):
    stack.ctl("person", "rename", ada.username, "--name", "Ada Else", "--initials", "AE",
              "--username", f"{ada.username}x")
    me = ok(api(ada).get("/me"))
    assert (me["name"], me["initials"], me["username"]) == ("Ada Else", "AE", f"{ada.username}x")
    for words, said in [(["--email", boss.email], "another person has this email address"),
                        (["--email", "x"], "is not a valid email address"),
                        (["--username", "a b"], "cannot contain spaces"), (["--username", "a:b"], "colon"),
                        (["--name", " "], "cannot be blank"), ([], "say what to change")]:
        assert said in fails(stack, "person", "rename", ada.email, *words,
                             status=1 if words[1:] == [boss.email] else 2)


def test_who_is_removed_leaves_the_work(stack, api, place, ada, boss, sql):
    client, project = place
    path = f"/projects/{project['id']}"
    mine = ok(api(ada).post(f"{path}/stories", {"name": "Of Ada", "owner_ids": [ada.id]}))
    ok(api(ada).post(f"{path}/stories/{mine['id']}/comments", {"text": "I was here"}))
    assert "use --yes" in fails(stack, "person", "remove", ada.username)
    stack.ctl("person", "remove", ada.username, "--yes")
    assert api(ada).get("/me").status_code == 403
    assert listed(stack, ada)[1:] == ["removed", "-", "-", "Former member"]
    story = ok(client.get(f"{path}/stories/{mine['id']}?fields=:default,owners,requested_by,comments(person,text)"))
    former = {"kind": "person", "id": ada.id, "name": "Former member", "initials": "FM"}
    assert story["owners"] == [former] and story["requested_by"] == former
    assert story["comments"][0]["text"] == "I was here" and story["comments"][0]["person"] == former
    activities = ok(client.get(f"{path}/activity"))
    assert [a["kind"] for a in activities][:3] == [
        "project_membership_delete_activity", "comment_create_activity", "story_create_activity"]
    assert activities[1]["performed_by"]["name"] == "Former member"
    assert ada.id not in [m["person"]["id"] for m in ok(client.get(f"{path}/memberships"))]
    assert ada.id not in [m["id"] for m in ok(client.get(
        f"/accounts/{project['account_id']}/memberships"))]
    again = client.post(f"{path}/memberships", {"person_id": ada.id})
    assert (again.status_code, again.json()["code"]) == (404, "unfound_resource")
    row, = sql("select to_jsonb(p)::text from person p where id = %s", ada.id)[0]
    assert ada.email not in row and ada.username not in row and "Gone" not in row
    assert "nobody has" in fails(stack, "person", "enable", ada.username)
    # The address can be used again.
    Person(stack, "Ada Again", email=ada.email, username=ada.username)


def test_who_is_not_removed(stack, api, place, ada, boss):
    client, project = place
    assert "owns the account" in fails(stack, "person", "remove", boss.username, "--yes")
    membership = next(m for m in ok(client.get(f"/projects/{project['id']}/memberships"))
                      if m["person"]["id"] == ada.id)
    ok(client.put(f"/projects/{project['id']}/memberships/{membership['id']}", {"role": "owner"}))
    mine = next(m for m in ok(client.get(f"/projects/{project['id']}/memberships"))
                if m["person"]["id"] == boss.id)
    assert client.delete(f"/projects/{project['id']}/memberships/{mine['id']}").status_code == 204
    said = fails(stack, "person", "remove", ada.username, "--yes")
    assert f"is the last owner of the project {project['name']} ({project['id']})" in said
    assert ok(api(ada).get("/me"))["id"] == ada.id


def on_a_terminal(stack, answer, *args):
    """What planwrightctl prints when somebody types an answer."""
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    done = subprocess.run([stack.env["STACK_CTL"], *args], stdin=theirs, capture_output=True, text=True,
                          env={**os.environ, "PLANWRIGHT_CONF": stack.env["STACK_CONF"]})
    os.close(ours)
    os.close(theirs)
    return done


def test_removal_asks_first(stack, api, ada):
    done = on_a_terminal(stack, "no\n", "person", "remove", ada.username)
    assert done.returncode == 1 and "nothing was changed" in done.stderr
    assert ok(api(ada).get("/me"))["id"] == ada.id
    done = on_a_terminal(stack, "yes\n", "person", "remove", ada.username)
    assert done.returncode == 0 and f"Remove {ada.username} (Ada Gone)?" in done.stdout
    assert api(ada).get("/me").status_code == 403
