"""A project to search in, for the tests of searches, filters and saved searches."""

import uuid

import pytest


class Board:
    """A project with its owner; story() creates stories, found() and filtered() find them."""

    def __init__(self, api, owner, **settings):
        self.owner = owner
        self.client = api(owner)
        self.project = self.ok(self.client.post("/projects", json={
            "name": "Board", "new_account_name": f"account {uuid.uuid4()}", "point_scale": "0,1,2,3,5,8",
            **settings}))
        self.path = f"/projects/{self.project['id']}"

    @staticmethod
    def ok(answer):
        assert answer.status_code == 200, answer.text
        return answer.json()

    def join(self, who, role="member"):
        return self.ok(self.client.post(f"{self.path}/memberships",
                                        json={"person_id": who.id, "role": role}))

    def story(self, name="Untitled", **fields):
        return self.ok(self.client.post(f"{self.path}/stories", json={"name": name, **fields}))["id"]

    def task(self, story, description):
        return self.ok(self.client.post(f"{self.path}/stories/{story}/tasks",
                                        json={"description": description}))["id"]

    def result(self, query, client=None, **params):
        return self.ok((client or self.client).get(f"{self.path}/search",
                                                   params={"query": query, **params}))

    def found(self, query, client=None):
        """The ids of the stories that a search finds, as a set."""
        return {s["id"] for s in self.result(query, client)["stories"]["stories"]}

    def filter(self, query, client=None, **params):
        return (client or self.client).get(f"{self.path}/stories",
                                           params={"filter": query, **params})

    def filtered(self, query, client=None, **params):
        """The ids that the story list returns, in its order."""
        return [s["id"] for s in self.ok(self.filter(query, client, **params))]

    def refused(self, query):
        """The message of a 400."""
        answer = self.client.get(f"{self.path}/search", params={"query": query})
        assert answer.status_code == 400, answer.text
        assert answer.json()["code"] == "invalid_parameter"
        return answer.json()["general_problem"]


@pytest.fixture(scope="module")
def owner(person):
    """Owns all boards of a module, since adding people takes time."""
    return person("Olga Ownerson", initials="OO")


@pytest.fixture(scope="module")
def board(api, owner):
    return Board(api, owner)


@pytest.fixture
def empty_board(api, owner):
    return Board(api, owner)
