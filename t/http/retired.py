"""Requests in the formats of the retired versions v3 and v4 to a server that supports them (old_versions), and a
project on it with people in every role."""

import uuid
import xml.etree.ElementTree as ElementTree

import pytest

from client import Client
from conftest import Person, Stack, stack_folder
from team import Team

XML = {"Content-Type": "application/xml"}
TIME = r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d UTC"


class Old(Client):
    """Like Client, but bodies are text and answers are XML."""

    def __init__(self, stack, who=None, version="v3"):
        super().__init__(stack, getattr(who, "token", who), base=f"/services/{version}")

    def xml(self, method, path, body=None, status=200, **kwargs):
        """Returns the root element of the answer. A body that begins with < is sent as XML, any other as a form."""
        headers = {**(XML if body and body.startswith("<") else {}), **kwargs.pop("headers", {})}
        answer = self.request(method, path, data=body, headers=headers, **kwargs)
        assert answer.status_code == status, f"{method} {answer.url}: {answer.status_code} {answer.text}"
        assert answer.headers["Content-Type"] == "application/xml; charset=utf-8"
        return ElementTree.fromstring(answer.content)

    def errors(self, method, path, body=None, status=422, **kwargs):
        root = self.xml(method, path, body, status, **kwargs)
        assert root.tag == "errors"
        return [error.text for error in root.findall("error")]


def texts(element):
    """{name: text} of the children that have no children themselves."""
    return {child.tag: child.text for child in element if len(child) == 0}


def add(team, body="<story><name>A story</name></story>", by="member", version="v3"):
    """Adds a story; returns its fields."""
    return texts(team.old(by, version).xml("POST", f"{team.path}/stories", body))


class OldTeam(Team):
    def __init__(self, stack):
        super().__init__(stack, lambda who: Client(stack, who.token), lambda name: Person(
            stack, f"{name} {uuid.uuid4().hex[:6]}"))
        self.stack = stack

    def old(self, role, version="v3"):
        return Old(self.stack, self.people[role], version)


@pytest.fixture(scope="session")
def old_stack():
    server = Stack(stack_folder("retired"), workers=2, settings="old_versions = v3 v4")
    yield server
    server.close()


@pytest.fixture(scope="module")
def old_team(old_stack):
    return OldTeam(old_stack)


@pytest.fixture(scope="module")
def member(old_team):
    return old_team.old("member")


@pytest.fixture(scope="module")
def member4(old_team):
    return old_team.old("member", "v4")
