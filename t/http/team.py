"""A project with people in every role, for tests of parts of stories and epics."""

import uuid

import pytest


class Team:
    """A project with people in every role, and a story and an epic in it."""

    def __init__(self, stack, api, person):
        self.people = {role: person(role.title()) for role in ("owner", "member", "other", "viewer")}
        stack.ctl("account", "add", f"Team {self.people['owner'].username}",
                  "--owner", self.people["owner"].username)
        self.owner, self.member, self.other, self.viewer = (
            api(self.people[role]) for role in ("owner", "member", "other", "viewer"))
        self.id = self.owner.post("/projects", {"name": f"Team {uuid.uuid4()}"}).json()["id"]
        self.path = f"/projects/{self.id}"
        for role in ("member", "other", "viewer"):
            done = self.owner.post(f"{self.path}/memberships", {
                "person_id": self.people[role].id, "role": "viewer" if role == "viewer" else "member"})
            assert done.status_code == 200, done.text
        self.story = f"{self.path}/stories/{self.make_story()['id']}"
        self.epic = f"{self.path}/epics/{self.make_epic()['id']}"

    def make_story(self, **more):
        answer = self.member.post(f"{self.path}/stories", {"name": "A story", **more})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def make_epic(self, **more):
        answer = self.member.post(f"{self.path}/epics", {"name": f"Epic {uuid.uuid4()}", **more})
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def team(stack, api, person):
    return Team(stack, api, person)
