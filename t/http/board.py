"""A project in which a test orders stories."""

from world import new_project, ok


class Board:
    """`client` makes all requests; stories are identified by the names that the test gives them."""

    def __init__(self, client, **settings):
        self.client = client
        self.project = new_project(client, **settings)
        self.id = self.project["id"]
        self.path = f"/projects/{self.id}"
        self.ids = {}

    def add(self, name, state=None, /, **more):
        """Adds a story; a feature gets an estimate, so that it may be in any state."""
        body = {"name": name, **more}
        if state:
            body["current_state"] = state
        if body.get("story_type", "feature") == "feature":
            body.setdefault("estimate", 1)
        story = ok(self.client.post(f"{self.path}/stories", body))
        self.ids[name] = story["id"]
        return story

    def adds(self, names, state=None, **more):
        for name in names:
            self.add(name, state, **more)

    def at(self, name):
        return f"{self.path}/stories/{self.ids[name]}"

    def body(self, **body):
        """Resolves names: before="a" becomes before_id with the id of a."""
        for word in ("before", "after"):
            if word in body:
                body[f"{word}_id"] = self.ids[body.pop(word)]
        return body

    def put(self, name, /, **body):
        """Returns the answer to a change of a story."""
        return self.client.put(self.at(name), self.body(**body))

    def move(self, name, /, **body):
        return ok(self.put(name, **body))

    def state(self, name):
        return ok(self.client.get(self.at(name)))["current_state"]

    def stories(self, fields="name,current_state"):
        return ok(self.client.get(f"{self.path}/stories?limit=500&fields={fields}"))

    def order(self):
        """Returns the names in the project's order; joined to one string if they are single letters."""
        return "".join(s["name"] for s in self.stories())

    def version(self):
        return ok(self.client.get(f"{self.path}?fields=version"))["version"]

    def activities(self, sql):
        """Returns the kinds, oldest first."""
        return [kind for kind, in sql(
            "select kind from planwright.activity where project_id = %s order by version", self.id)]

    def join(self, person, role="member"):
        ok(self.client.post(f"{self.path}/memberships", {"person_id": person.id, "role": role}))


def problem(answer, field=None, status=400):
    """Returns the message of a refusal; it must be about the field, if one is given."""
    assert answer.status_code == status, answer.text
    error = answer.json()
    assert error["kind"] == "error"
    if field:
        assert [e["field"] for e in error["validation_errors"]] == [field], error
    return error.get("general_problem") or error.get("requirement")


def assert_permutation(stories):
    """before_id and after_id of all stories of a project agree with the order of its list."""
    for story, following in zip(stories, stories[1:]):
        assert story["before_id"] == following["id"]
        assert following["after_id"] == story["id"]
    assert "after_id" not in stories[0] and "before_id" not in stories[-1]
