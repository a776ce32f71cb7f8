"""Bodies and answers of the retired versions: what is refused and how, and arbitrary text in XML."""

import xml.etree.ElementTree as ElementTree

import pytest

from retired import add, old_stack, old_team  # noqa: F401
from world import ok


@pytest.fixture(scope="module")
def member(old_team):
    return old_team.old("member")


def test_errors(old_team, member):
    stories = f"{old_team.path}/stories"
    assert member.errors("POST", stories, "") == ["this endpoint requires the parameter: name"]
    assert member.errors("POST", stories, "<story><name> </name></story>") == ["Name can't be blank"]
    assert member.errors("POST", stories, "<story><nam>x</nam></story>") == [
        "this endpoint cannot accept the parameter: nam"]
    assert "valid estimate" in member.errors("POST", stories, "story[name]=x&story[estimate]=99")[0]
    assert "'estimate' must be" in member.errors("POST", stories, "story[name]=x&story[estimate]=two")[0]
    assert "too long" in member.errors("POST", stories, f"story[name]={'x' * 5001}")[0]
    member.errors("GET", f"{old_team.path}/stories/x", status=404)
    member.errors("GET", "/projects/1/stories", status=404)
    member.errors("GET", "/nothing", status=404)
    answer = member.request("DELETE", stories)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, POST, OPTIONS")
    old_team.old("viewer").errors("POST", stories, "story[name]=x", status=403)


def test_names_of_characters(old_team, member):
    """Clients that know HTML write them; npm's client encodes everything outside ASCII so."""
    made = member.xml("POST", f"{old_team.path}/stories",
                      "<story><name>&Uuml;ber &euro;&nbsp;5 &lt;&amp;#38;&gt; &hearts;</name></story>")
    assert made.findtext("name") == "\u00dcber \u20ac\u00a05 <&#38;> \u2665"


HOSTILE = {
    "not closed": "<story><name>x</name>",
    "crossed": "<story><name>x</story></name>",
    "document type": '<!DOCTYPE story><story><name>x</name></story>',
    "entity": '<!DOCTYPE s [<!ENTITY a "b">]><story><name>&a;</name></story>',
    "laughs": '<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><story><name>&b;</name></story>',
    "file": '<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]><story><name>&a;</name></story>',
    "unknown entity": "<story><name>&unheard;</name></story>",
    "two roots": "<story><name>x</name></story><story/>",
    "deep": "<story>" * 20 + "</story>" * 20,
    "many": "<story>" + "<name>x</name>" * 3000 + "</story>",
    "mixed": "<story>text<name>x</name></story>",
    "null character": "<story><name>&#0;</name></story>",
    "unknown encoding": '<?xml version="1.0" encoding="x-nothing"?><story><name>x</name></story>',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies(old_team, member, name):
    said = member.errors("POST", f"{old_team.path}/stories", HOSTILE[name], status=400)
    assert len(said) == 1 and "passwd" not in said[0] and "root:" not in said[0]


@pytest.mark.parametrize("body", [
    "<note><text>x</text></note>", "<story>text</story>", "<story><name>a</name><name>b</name></story>",
    "<story><name><first>x</first></name></story>", "story[name]=x&story[name]=y", "story[name][x]=1",
    "story[name]=x&story=y", "story[=x", "story[name]=x&story[a][b][c][d][e]=1"])
def test_bodies_that_do_not_fit(old_team, member, body):
    answer = member.request("POST", f"{old_team.path}/stories", data=body, headers={"Content-Type": "application/xml"})
    assert answer.status_code in (400, 422) and b"<error>" in answer.content


@pytest.mark.parametrize("estimate", ["nan", "NaN", "-nan", "inf", "-2", "-1x", "0x1", "1e400"])
def test_estimates_that_are_none(old_team, member, estimate):
    """They change nothing; -1 takes the estimate away."""
    story = add(old_team, "story[name]=Estimated&story[estimate]=2")["id"]
    for body in (f"story[estimate]={estimate}", f"<story><estimate type='integer'>{estimate}</estimate></story>"):
        assert len(member.errors("PUT", f"{old_team.path}/stories/{story}", body)) == 1
    assert member.xml("GET", f"{old_team.path}/stories/{story}").findtext("estimate") == "2"
    assert member.xml("PUT", f"{old_team.path}/stories/{story}", "story[estimate]=-1.0").findtext("estimate") == "-1"


def test_space_around_values(old_team, member):
    """As programs put it that indent what they write."""
    one, two = (add(old_team, f"<story>\n <name>{n}</name>\n <estimate>\n 1\n</estimate></story>")["id"] for n in "ab")
    body = f"<move>\n  <move>\n after\n </move>\n  <target type='integer'>\n {one}\n </target>\n</move>"
    member.xml("POST", f"{old_team.path}/stories/{two}/moves", body)
    listed = [x.findtext("id") for x in member.xml("GET", f"{old_team.path}/stories")]
    assert listed.index(two) == listed.index(one) + 1
    assert member.xml("POST", f"{old_team.path}/stories/{two}/moves?move[move]=%20before&move[target]=%20{one}").findtext("id") == two


def test_the_shortest_xml(old_team, member):
    for body in (b"<", b" <\n", b"\xef\xbb\xbf", b"\xff\xfe"):
        answer = member.request("POST", f"{old_team.path}/stories", data=body)
        assert answer.status_code == 400 and b"<error>" in answer.content


def test_bytes_that_are_no_text(old_team, member):
    for body in (b"<story><name>\xff</name></story>", b"story[name]=%ff", b"\x00\x01", b"<\x00>"):
        answer = member.request("POST", f"{old_team.path}/stories", data=body)
        assert answer.status_code == 400, (body, answer.text)
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?><story><name>Grün</name></story>'.encode("latin-1")
    answer = member.request("POST", f"{old_team.path}/stories", data=latin)
    assert ElementTree.fromstring(answer.content).findtext("name") == "Grün"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-16-le"])
def test_encodings_that_xml_knows(old_team, member, encoding):
    """With the byte order mark, where an encoder writes one."""
    body = "<story><name>Gr\u00fcn \U0001F41F</name></story>".encode(encoding)
    if encoding == "utf-16-be":
        body = b"\xfe\xff" + body
    answer = member.request("POST", f"{old_team.path}/stories", data=body)
    assert answer.status_code == 200, answer.text
    assert ElementTree.fromstring(answer.content).findtext("name") == "Gr\u00fcn \U0001F41F"


def test_nothing_to_change(old_team, member):
    """The message uses the names of this version, not those of version 5."""
    (said,) = member.errors("PUT", old_team.story, "<story/>")
    assert "current_state" in said and "labels" in said and "label_ids" not in said and "owner_ids" not in said
    (said,) = member.errors("POST", f"{old_team.story}/notes", "<note><id>5</id></note>")
    assert said == "this endpoint requires at least one of the following parameters: text"
    assert member.errors("PUT", old_team.story, "<story><owned_by><id>x</id></owned_by></story>") == [
        "'owned_by' must be a person's name or id"]


def test_a_negative_offset(old_team, member):
    iterations = f"{old_team.path}/iterations"
    assert member.errors("GET", f"{iterations}?group=backlog&offset=-1") == ["'offset' may only be negative with group=done"]
    assert member.xml("GET", f"{iterations}?group=done&offset=-1").tag == "iterations"


def test_dates_of_a_project(old_team):
    owner = old_team.old("owner")
    made = owner.xml("POST", "/projects", "<project><name>In slashes</name><start_date>2012/1/2</start_date></project>")
    assert made.findtext("start_date") == "2012-01-02"
    assert "start_date" in owner.errors("POST", "/projects", "project[name]=Bad&project[start_date]=2012/13/1")[0]


def test_json_is_not_taken_for_an_empty_form(old_team, member):
    """Otherwise a change would be answered 200 without being made."""
    said = member.errors("PUT", old_team.story, '{"story":{"name":"x"}}', status=400)
    assert said == ["it is neither XML nor a form"]


def test_any_text_is_well_formed(old_team, member):
    """Characters that no XML document may contain do not break one."""
    name = "a\x01b\x0bc￾d]]>\U0001F41F &amp;"
    story = ok(old_team.member.post(f"{old_team.path}/stories", {"name": name, "description": "one\r\ntwo\ttabs"}))
    root = member.xml("GET", f"{old_team.path}/stories/{story['id']}")
    assert root.findtext("name") == "a�b�c�d]]>\U0001F41F &amp;"
    assert root.findtext("description") == "one\r\ntwo\ttabs"


def test_a_body_is_bounded(old_team, member):
    big = f"<story><name>x</name><description>{'x' * (2 << 20)}</description></story>"
    assert member.request("POST", f"{old_team.path}/stories", data=big).status_code == 413


def test_a_key_is_for_one_body(old_team, member):
    """Also if the body is in the query."""
    key = {"Idempotency-Key": "once-in-a-query"}
    stories = f"{old_team.path}/stories"
    made = [member.xml("POST", f"{stories}?story[name]=one", headers=key).findtext("id") for _ in range(2)]
    assert made[0] == made[1]
    assert "another request" in member.errors("POST", f"{stories}?story[name]=two", headers=key)[0]


def test_an_answer_is_bounded(old_team, member):
    """Including what XML's escapes add."""
    story = old_team.make_story(name="large")["id"]
    old_team.stack.sql("insert into comment (story_id, text) select %s, repeat('&', 20000) from generate_series(1, 1400)",
                       story)
    for path in (f"/stories/{story}", f"/stories/{story}/notes"):
        (said,) = member.errors("GET", old_team.path + path)
        assert said == "the answer would be larger than 128 MB: request a smaller page"
    old_team.stack.sql("delete from comment where story_id = %s", story)
    member.xml("GET", f"{old_team.path}/stories/{story}")
