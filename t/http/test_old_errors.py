"""Errors for v3 and v4 that do not come from an endpoint: nginx's own, and the worker's before it knows the endpoint.
"""

import urllib.parse
import xml.etree.ElementTree as ElementTree

import pytest

from client import Client, raw
from conftest import Person, wait_for
from retired import Old, old_stack, old_team  # noqa: F401


def told(headers, body):
    """The errors in an answer, which must be XML."""
    assert headers["Content-Type"] == "application/xml; charset=utf-8", body
    root = ElementTree.fromstring(body)
    assert root.tag == "errors" and len(root)
    return [x.text for x in root.findall("error")]


@pytest.mark.parametrize("path", ["/services/v3/projects", "/services/v4/projects", "//services//v3/projects?x=1"])
@pytest.mark.parametrize("line, status, words", [
    (b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n", 413, "larger"),
    (b"GET %s HTTP/1.1\r\n\r\n", 400, "well-formed"),
    (b"TRACE %s HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method"),
    (b"GET %s HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 40000 + b"\r\n\r\n", 431, "headers"),
    (b"GET %s&" + b"x" * 40000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "longer"),
], ids=["body", "no host", "method", "headers", "address"])
def test_errors_of_nginx_are_xml(stack, path, line, status, words):
    """Also where the versions are switched off, since their clients read nothing else."""
    got, headers, body = raw(stack, line.replace(b"%s", path.encode()))
    assert got == status
    (text,) = told(headers, body)
    assert words in text


@pytest.mark.parametrize("path", ["/services/v33/projects", "/services/v5/v3/projects", "/nowhere?/services/v3/"])
def test_others_stay_json(stack, path):
    _, headers, _ = raw(stack, f"TRACE {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert headers["Content-Type"].startswith("application/json")


def test_without_workers(new_stack):
    stack = new_stack(workers=1, settings="old_versions = v3", expects_5xx=True)
    stack.part("stop", "workers")
    answer = Old(stack).get("/projects?token=" + "ab" * 16)
    assert answer.status_code == 502 and int(answer.headers["Retry-After"]) > 0
    told(answer.headers, answer.content)
    assert "Retry-After" in ElementTree.fromstring(answer.content).findtext("possible_fix")
    stack.part("start", "workers")
    assert wait_for(lambda: Old(stack).get("/projects").status_code == 401)


def test_passwords_tried_too_often(new_stack):
    stack = new_stack(workers=1, settings="old_versions = v3", sign_ins=1)
    # With an Origin, the workers refuse before they count.
    answers = [Old(stack).get("/tokens/active", auth=("x", "y"), headers={"Origin": "https://app.example"})
               for _ in range(25)]
    refused = next(a for a in answers if a.status_code == 429)
    assert told(refused.headers, refused.content) == ["A name and password were tried too often from this address."]


@pytest.mark.parametrize("token, status", [(None, 401), ("0" * 32, 401), ("stranger", 403)])
def test_a_large_file_is_refused_before_it_is_sent(old_stack, old_team, token, status):  # noqa: F811
    """nginx asks the workers, and passes on what they answer."""
    if token == "stranger":
        token = Person(old_stack, "Stranger").token
    path = f"{old_team.path}/stories/1/attachments"
    answer = Old(old_stack, token).request("POST", path, data=b"x" * 100_000, headers={
        "Content-Type": "multipart/form-data; boundary=b"})
    assert answer.status_code == status
    told(answer.headers, answer.content)
    if status == 401:
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_large_file_for_a_version_that_is_off(stack):
    answer = Client(stack, base="").request("POST", "/services/v3/projects/1/stories/1/attachments", data=b"x" * 100_000,
                                            headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert answer.status_code in (403, 410)
    assert answer.headers["Content-Type"] == "application/xml; charset=utf-8"
    assert ElementTree.fromstring(answer.content).findtext("code") == "gone"


@pytest.mark.parametrize("path", ["/projects/" + "1" * 3000, "/projects" + "/1" * 40, "/projects/%ff"],
                         ids=["long", "deep", "no text"])
def test_paths_that_are_none(old_stack, path):  # noqa: F811
    answer = Old(old_stack).get(path)
    assert answer.status_code in (404, 414)
    told(answer.headers, answer.content)


@pytest.mark.parametrize("path", ["", "/", "/?x=1", ".xml"])
def test_a_version_alone_is_no_path(old_stack, path):  # noqa: F811
    answer = Old(old_stack, version="v3").get(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("application/xml" if path != ".xml" else "application/json")


def test_two_tokens_in_a_form_and_a_header(old_stack, old_team):  # noqa: F811
    """Nobody should believe that the other one of the two was used."""
    member, owner = old_team.old("member"), old_team.people["owner"].token
    assert member.errors("POST", f"{old_team.path}/stories", f"token={owner}&story[name]=whose") == [
        "the request contains two different tokens: send only one"]
    member.xml("POST", f"{old_team.path}/stories", f"token={old_team.people['member'].token}&story[name]=mine")


def test_a_token_in_a_long_form(old_stack, old_team):  # noqa: F811
    """As long as what it says may be."""
    text = "\u00e9" * 20_000
    form = urllib.parse.urlencode({"note[text]": text, "token": old_team.people["member"].token})
    assert Old(old_stack).xml("POST", f"{old_team.story}/notes", form).findtext("text") == text
    assert Old(old_stack).errors("POST", f"{old_team.story}/notes", form[:-1] + "x", status=401)


def test_what_is_quoted_is_short(old_stack, old_team):  # noqa: F811
    """And one line; a name that people have is quoted whole."""
    member, name = old_team.old("member"), "A\n" + "\u00e9" * 5000
    for body in (f"<story><name>x</name><owned_by>{name}</owned_by></story>",
                 "story[name]=x&" + urllib.parse.urlencode({"story[owned_by]": name})):
        (said,) = member.errors("POST", f"{old_team.path}/stories", body)
        assert said == ("'owned_by' must be the name of a person of the project, unlike: A\ufffd" + "\u00e9" * 58 + "\u2026")
    (said,) = member.errors("POST", f"{old_team.path}/stories", "story[" + "\u00e9" * 5000 + "=x", status=400)
    assert said.startswith("the parameter story[\u00e9") and len(said) < 150


def test_lists_are_compressed(old_stack, old_team):  # noqa: F811
    answer = Client(old_stack, old_team.owner.token, base="/services/v3").get(
        old_team.path, headers={"Accept-Encoding": "gzip"})
    assert answer.headers.get("Content-Encoding") == "gzip"
