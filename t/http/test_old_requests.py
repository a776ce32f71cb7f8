"""Requests that programs of the time send to the retired versions: forms with _method, names with dashes, commits."""

import os
import subprocess
import urllib.parse
import xml.etree.ElementTree as ElementTree

import pytest

from retired import add, member, member4, old_stack, old_team, texts  # noqa: F401
from test_guides import blocks
from world import ok


def test_a_form_names_its_method(old_team, member):
    """As Rails puts it there, for browsers and programs that only send POST."""
    path = f"{old_team.path}/stories/{add(old_team)['id']}"
    assert member.xml("POST", path, "_method=put&story[name]=Put").findtext("name") == "Put"
    assert member.xml("POST", path, "story[name]=Patched&_method=PATCH").findtext("name") == "Patched"
    assert member.errors("POST", path, "_method=copy") == ["'_method' must be one of: GET, POST, PUT, PATCH, DELETE"]
    member.errors("PUT", path, "_method=delete")
    assert member.xml("GET", path).findtext("name") == "Patched"
    assert member.xml("POST", path, "_method=delete").tag == "message"
    member.errors("GET", path, status=404)
    made = member.xml("POST", f"{old_team.path}/stories", "_method=post&story[name]=Made").findtext("name")
    assert made == "Made"


def test_a_method_of_a_form_has_its_rights(old_team):
    path = f"{old_team.path}/stories/{add(old_team)['id']}"
    viewer = old_team.old("viewer")
    viewer.errors("POST", path, "_method=delete", status=403)
    viewer.errors("POST", path, "_method=put&story[name]=no", status=403)
    assert viewer.xml("POST", path, "_method=get").tag == "story"


def test_names_with_dashes(old_team, member, member4):
    """Rails's ActiveResource writes them, with types and a path that ends in .xml."""
    mate = old_team.people["other"]
    body = f"""<?xml version="1.0" encoding="UTF-8"?>
        <story><name>By Rails</name><story-type>bug</story-type><description nil="true"></description>
        <requested-by>{mate.name}</requested-by><current-state>unstarted</current-state>
        <created-at type="datetime">2010-07-29T19:13:04Z</created-at></story>"""
    made = member.xml("POST", f"{old_team.path}/stories.xml", body)
    has = texts(made)
    assert (has["story_type"], has["current_state"], has["requested_by"]) == ("bug", "unstarted", mate.name)
    assert has["created_at"] == "2010/07/29 19:13:04 UTC"
    one = f"{old_team.path}/stories/{has['id']}.xml"
    shown = ElementTree.tostring(member.xml("GET", one)).decode()
    dashed = shown
    for name in {c.tag for c in made if "_" in c.tag}:
        dashed = dashed.replace(f"<{name}", f"<{name.replace('_', '-')}").replace(f"</{name}", f"</{name.replace('_', '-')}")
    assert ElementTree.tostring(member.xml("PUT", one, dashed)).decode() == shown
    owned = f"<story><owned-by><person><id>{mate.id}</id></person></owned-by></story>"
    assert member4.xml("PUT", one, owned).findtext("owned_by/person/id") == str(mate.id)
    assert member.errors("PUT", one, "<story><current-status>started</current-status></story>") == [
        "this endpoint cannot accept the parameter: current-status"]
    assert len(member.errors("PUT", one, "<story><story-type>bug</story-type><story-type>bug</story-type></story>")) == 1


@pytest.mark.parametrize("space", ["\n", " \r\n\t"])
def test_space_before_the_declaration(old_team, member, space):
    """As scripts put it there that write a body over several lines."""
    body = f'{space}<?xml version="1.0" encoding="UTF-8"?>\n<story><name>Indented</name></story>\n'
    answer = member.request("POST", f"{old_team.path}/stories", data=body)
    assert answer.status_code == 200, answer.text
    wide = "<story><name>W\u00efde</name></story>\n"
    for encoded in (wide.encode("utf-16"), b"\xfe\xff" + wide.encode("utf-16-be")):
        answer = member.request("POST", f"{old_team.path}/stories", data=encoded)
        assert ElementTree.fromstring(answer.content).findtext("name") == "W\u00efde"


@pytest.mark.parametrize("path", ["/stories/deliver_all_finished", "/stories//deliver_all_finished"])
def test_ways_to_deliver(old_team, member, path):
    """Clients join paths with a slash too many."""
    story = old_team.make_story(current_state="finished", estimate=1)["id"]
    done = member.xml("PUT", f"{old_team.path}{path}", "")
    assert [s.findtext("id") for s in done] == [str(story)] and done.get("count") == "1"


@pytest.mark.parametrize("version, word", [("v3", "note"), ("v4", "comment")])
def test_commits(old_team, version, word):
    """What hooks of repositories send."""
    client, who = old_team.old("member", version), old_team.people["member"].name
    ids = [old_team.make_story(current_state="started", estimate=1)["id"] for _ in range(2)]
    body = f"""<source_commit><message>[Finishes #{ids[0]}] Fish &amp; chips, see [#{ids[1]}]</message>
        <author>{who}</author><commit_id>a54{version}</commit_id><url>http://git.example.test/a54</url></source_commit>"""
    told = client.xml("POST", "/source_commits", body)
    assert (told.tag, told.get("type")) == ("stories", "array")
    assert [s.findtext("id") for s in told] == [str(i) for i in ids]
    assert [s.findtext("current_state") for s in told] == ["finished", "started"]
    said = client.xml("GET", f"{old_team.path}/stories/{ids[0]}/{word}s")[0].findtext("text")
    assert "Fish & chips" in said and "http://git.example.test/a54" in said
    assert len(client.xml("POST", "/source_commits", body)) == 0  # it is known
    form = urllib.parse.urlencode({"source_commit[message]": f"[#{ids[1]}]", "source_commit[commit_id]": f"b{version}"})
    assert [s.findtext("id") for s in client.xml("POST", "/source_commits", form)] == [str(ids[1])]
    assert len(client.xml("POST", "/source_commits",
                          "<source_commit><message>No story</message><commit_id/><url/></source_commit>")) == 0
    assert "message" in client.errors("POST", "/source_commits", "<source_commit><commit_id>1</commit_id></source_commit>")[0]
    client.errors("POST", "/source_commits", "")
    client.errors("POST", "/source_commits", "<story/>")
    assert len(old_team.old("viewer", version).xml("POST", "/source_commits", body.replace("a54", "c"))) == 0


def test_more_are_delivered_than_a_list_has(old_team):
    """All, not as many as a list of stories shows."""
    team = old_team.__class__(old_team.stack)
    count, sql = 3150, team.stack.sql
    sql("""begin; set local search_path = planwright; set local session_replication_role = replica;
        insert into story (project_id, name, current_state, story_type, estimate, requested_by_id, rank)
        select %s, 'Finished ' || n, 'finished', 'feature', 1, %s, n * 1048576::bigint from generate_series(1, %s) n;
        update project set story_counts = '{0,%s,0,0,1}' where id = %s; commit; analyze planwright.story""",
        team.id, team.people["member"].id, count, count, team.id)
    done = team.old("member").xml("PUT", f"{team.path}/stories/deliver_all_finished", "")
    assert len(done) == count and {s.findtext("current_state") for s in done} == {"delivered"}
    assert (done.get("count"), done.get("total")) == (str(count), str(count))
    assert len(ok(team.member.get(f"{team.path}/stories?with_state=finished&fields=id"))) == 0


def test_the_guide_of_hooks(old_team, tmp_path):
    """The curl line of docs/guides/clients.md finishes a story."""
    story = old_team.make_story(current_state="started", estimate=1)["id"]
    (line,) = [text for kind, text in blocks("clients.md") if kind == "sh" and "source_commits" in text]
    done = subprocess.run(["bash", "-ec", line.replace("https://HOST", old_team.stack.url).replace("#555", f"#{story}")],
                          cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "TOKEN": old_team.people["member"].token})
    assert done.returncode == 0 and f"<id type=\"integer\">{story}</id>" in done.stdout, done.stderr
    assert ok(old_team.member.get(f"{old_team.path}/stories/{story}"))["current_state"] == "finished"
