"""The golden cases of t/domain, run against a server: the results must be the same as in t/unit/test_domain.c."""

import calendar
import json
import re
import time

import pytest

import domain
from conftest import Client, Person
from world import ok, unique

STATES = ("unscheduled", "unstarted", "planned", "started", "finished", "delivered", "accepted",
          "rejected")
COUNTS = ("number_of_stories_by_state", "number_of_zero_point_stories_by_state",
          "sum_of_story_estimates_by_state")
SECTIONS = ("done", "work", "planned", "backlog", "icebox")
ALL = domain.cases()
# Scenes that requests cannot create, or not alone.
CASES = [c for c in ALL if not c.is_table and not c.has("unreachable")
         and not any(c.has(kind) for kind in domain.UNMADE)]


@pytest.fixture(scope="module")
def crowd(clocked):
    clocked.pin(domain.NOW)
    return domain.Crowd(clocked, Person, Client)


def millis(text):
    return calendar.timegm(time.strptime(domain.NOW if text == "now" else text, "%Y-%m-%dT%H:%M:%SZ")) * 1000


def pattern(sentence):
    """Ids differ from those of the case."""
    return re.sub(r"\d+", r"\\d+", re.escape(sentence))


class Check:
    """Compares what a case expects, line by line, with an answer and with the state afterwards."""

    def __init__(self, scene):
        self.scene, self.client, self.sql = scene, scene.client, scene.sql
        self.before = {n: scene.state(n) for n in scene.ids["project"]}
        (self.news_before,), = self.sql("select coalesce(max(id), 0) from notification")
        self.kind, self.answer = scene.ask()
        self.error = self.answer.json() if self.answer.status_code >= 400 else {}
        self.problems = list(self.error.get("validation_errors", []))
        self.turn_to(1)
        if self.answer.status_code == 200 and self.answer.method == "POST":
            self.bind(self.kind, 101, self.answer.json()["id"])

    def turn_to(self, n):
        """The following lines are about that project."""
        self.project, self.path = n, f"/projects/{self.scene.ids['project'][n]}"
        self.cache = {}

    def version(self):
        """How many versions the request created."""
        return self.scene.state(self.project)[0] - self.before[self.project][0]

    def assert_told(self):
        for name in ("changes", "primary_resources", "news"):
            assert not self.cache.get(name), f"more {name}"

    def check_in(self, rest):
        self.assert_told()
        self.turn_to(int(rest))

    def run(self, lines):
        refusals = ("problem", "refused", "general_problem", "requirement", "possible_fix")
        if any(line.word in refusals for line in lines):
            assert self.version() == 0
        else:
            assert self.answer.status_code in (200, 204), self.answer.text
        for line in lines:
            getattr(self, f"check_{line.word}")(line.rest)
        assert not self.problems or not any(line.word == "problem" for line in lines)
        self.assert_told()

    # --- refusals ------------------------------------------------------------------

    def check_problem(self, rest):
        field, _, sentence = rest.partition(" ")
        assert self.answer.status_code == 400 and self.problems, self.answer.text
        problem = self.problems.pop(0)
        assert problem["field"] == field
        assert re.fullmatch(pattern(sentence), problem["problem"]), problem

    def check_member(self, name, sentence):
        assert self.answer.status_code == 400, self.answer.text
        assert re.fullmatch(pattern(sentence), self.error[name])

    def check_general_problem(self, rest):
        self.check_member("general_problem", rest)

    def check_requirement(self, rest):
        self.check_member("requirement", rest)

    def check_possible_fix(self, rest):
        self.check_member("possible_fix", rest)

    def check_refused(self, rest):
        assert self.error["code"] == rest

    # --- values -----------------------------------------------------------------------

    def bind(self, kind, n, got):
        """The first time that a case refers to a new object binds the case's id to it."""
        if n > 100 and n not in self.scene.ids[kind] and got not in self.scene.ids[kind].values():
            self.scene.ids[kind][n] = got
        return self.scene.real(kind, n)

    def same(self, kind, key, want, got):
        of = self.scene.refers(kind, key)
        if isinstance(want, list) and isinstance(got, list) and key != "counts":
            return len(want) == len(got) and all(self.same(kind, key, *x) for x in zip(want, got))
        if key == "counts":
            return self.same_counts(want, got)
        if of and isinstance(want, int) and isinstance(got, int):
            return self.bind(of, want, got) == got
        if isinstance(want, str) and isinstance(got, int):
            return millis(want) == got
        if isinstance(want, str):
            return self.scene.text(want) == got
        return want == got

    def same_counts(self, want, got):
        if isinstance(want, list):
            want = {}  # all are 0
        return all(got[COUNTS[i]][state] == want.get(state, (0, 0, 0))[i]
                   for state in STATES for i in range(3))

    def assert_values(self, kind, path, want):
        got = ok(self.client.get(f"{path}?date_format=millis&fields={','.join(want)}"))
        for key, value in want.items():
            assert self.same(kind, key, value, got.get(key)), (key, value, got)

    def place(self, kind, n, values=None):
        """Where to read an object of the case; a new one is found among the existing ones."""
        where = domain.COLLECTIONS[kind]
        if kind in domain.ON_STORIES:
            values = next((v for k, i, v in self.scene.objects if (k, i) == (kind, n)), values or {})
            where = f"stories/{values.get('story_id', 1)}/{where}"
        known = self.scene.ids[kind]
        if n > 100 and n not in known:
            new = sorted(x["id"] for x in ok(self.client.get(
                f"{self.scene.path(where, self.project)}?fields=id"))
                         if x["id"] not in known.values())
            known[n] = new[n - 101 - len([x for x in known if 100 < x < n])]
        return self.scene.path(f"{where}/{n}", self.project)

    def check_is(self, rest):
        if rest.startswith("{"):
            request = self.scene.case.lines[self.scene.case.request()]
            path = self.scene.path(request.rest.split(" ")[0]).split("/")
            if request.word == "POST":
                path.append(str(ok(self.answer)["id"]))
            if self.kind == "label":
                path = [*self.path.split("/"), "labels", path[-1]]
            want = {k: v for k, v in json.loads(rest).items() if k != "blocking_story_ids"}
            self.assert_values(self.kind, "/".join(path), want)
            return
        kind, n, values = rest.split(" ", 2)
        values = json.loads(values)
        self.assert_values(kind, self.place(kind, int(n), values), values)

    def check_gone(self, rest):
        kind, n = rest.split(" ")
        assert self.client.get(self.place(kind, int(n))).status_code == 404

    def check_order(self, rest, kind="story", what="stories?limit=500&fields=id"):
        got = [x["id"] for x in ok(self.client.get(f"{self.path}/{what}"))]
        want = [n for word in rest.split() for n in domain.numbers(word)]
        assert len(got) == len(want)
        assert [self.bind(kind, n, i) for n, i in zip(want, got)] == got

    def check_epics(self, rest):
        self.check_order(rest, "epic", "epics?fields=id")

    def check_tally(self, rest):
        n, want = rest.split(" ", 1)
        self.assert_values("label", self.place("label", int(n)), {"counts": json.loads(want)})

    def check_counts(self, rest):
        want = json.loads(rest)
        before, after = self.before[self.project][1], self.scene.state(self.project)[1]
        got = [b - a for a, b in zip(before, after)]
        assert got == [want.get(section, 0) for section in SECTIONS]

    def check_transition(self, rest):
        got = ok(self.client.get(f"{self.path}/story_transitions?limit=500"))
        got = [(t["story_id"], t["state"]) for t in got if t["project_version"] > self.before[self.project][0]]
        if rest == "none":
            assert got == []
        else:
            n, state = rest.split(" ")
            assert any(state == x and self.same("story", "id", int(n), i) for i, x in got), got

    def check_unchanged(self, rest):
        assert self.answer.status_code == 200 and self.version() == 0

    def check_room(self, rest):
        """No answer shows it."""

    # --- what is told -------------------------------------------------------------------

    def activity(self):
        if "activity" not in self.cache:
            assert self.version() == 1
            self.cache["activity"] = ok(self.client.get(
                f"{self.path}/activity?limit=1&date_format=millis"))[0]
        return self.cache["activity"]

    def check_kind(self, rest):
        assert self.activity()["kind"] == rest

    def check_highlight(self, rest):
        assert self.activity()["highlight"] == rest

    def check_message(self, rest):
        assert self.activity()["message"] == rest

    def check_secondary(self, rest):
        assert ("secondary_resources" in self.activity()) == (rest == "yes")

    def next_of(self, name):
        self.cache.setdefault(name, list(self.activity()[name]))
        assert self.cache[name], f"no more {name}"
        return self.cache[name].pop(0)

    def whole(self, want, got):
        """An object of an activity, as in the case."""
        assert set(want) == set(got), got
        for key, value in want.items():
            if key in ("new_values", "original_values"):
                assert set(value) == set(got[key]), got
                for name, x in value.items():
                    assert self.same(want["kind"], name, x, got[key][name]), (name, got)
            elif key == "url":
                assert re.search(pattern(value) + "$", got[key])
            elif (want["kind"], key) != ("project", "name"):
                assert self.same(want["kind"], key, value, got[key]), (key, got)

    def check_resource(self, rest):
        got = self.next_of("primary_resources")
        if rest.startswith("{"):
            self.whole(json.loads(rest), got)
            return
        kind, n = rest.split(" ")
        assert got["kind"] == kind and self.same(kind, "id", int(n), got["id"]), got

    def check_change(self, rest):
        got = self.next_of("changes")
        if rest.startswith("{"):
            self.whole(json.loads(rest), got)
            return
        is_open = rest.endswith("...")
        type_, kind, n, *values = rest.removesuffix("...").strip().split(" ", 3)
        assert (got["change_type"], got["kind"]) == (type_, kind), got
        assert self.same(kind, "id", int(n), got["id"]), got
        want = json.loads(values[0]) if values else {}
        new, old = got.get("new_values", {}), got.get("original_values", {})
        assert is_open or not values or set(want) == set(new) - {"id"}, got
        for key, value in want.items():
            if type_ == "update" and isinstance(value, list):
                assert self.same(kind, key, value[0], old[key]), (key, got)
                value = value[1]
            assert self.same(kind, key, value, new[key]), (key, got)

    def news(self):
        """The notifications and their recipients; people come in the order of their ids."""
        told = {}
        for person, *news in self.sql("""select person_id, notification_type, action, message, story_id,
                story_name, epic_id, epic_name, comment_id, context, new_attachment_count
                from notification where id > %s and project_id = %s""",
                                      self.news_before, self.scene.ids["project"][self.project]):
            told.setdefault(tuple(news), set()).add(person)
        return told

    def check_told(self, rest):
        if "news" not in self.cache:
            self.cache["news"] = self.news()
        if rest == "nobody":
            return
        people, *words = rest.split(" ", 3)
        people = {self.scene.ids["person"][n] for n in domain.numbers(people)}
        found = [news for news, who in self.cache["news"].items()
                 if news[:3] == tuple(words) and who == people]
        assert found, self.cache["news"]
        self.told = found[0]
        del self.cache["news"][found[0]]

    def check_with(self, rest):
        got = dict(zip(("story_id", "story_name", "epic_id", "epic_name", "comment_id", "context",
                        "attachments"), self.told[3:]))
        for key, value in json.loads(rest).items():
            assert self.same(None, key, value, got[key] or (0 if key == "attachments" else None)), got


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(crowd, case):
    scene = domain.Scene(crowd, case)
    scene.build()
    Check(scene).run(case.lines[case.request() + 1:])


def test_most_cases_are_asked():
    assert len(CASES) > 0.9 * len([c for c in ALL if not c.is_table])


# --- tables ---------------------------------------------------------------------------

def assert_cell(answer, cell, marks, **names):
    if cell == "+":
        ok(answer)
        return
    assert answer.status_code == 400, answer.text
    error = answer.json()
    wanted = [(word, text.format(**names)) for letter in cell for word, text in marks[letter]]
    problems = [text for word, text in wanted if word == "problem"]
    assert [f"{e['field']} {e['problem']}" for e in error.get("validation_errors", [])] == problems
    for word, text in wanted:
        assert word == "problem" or error[word] == text


@pytest.mark.parametrize("table", [c for c in ALL if c.is_table], ids=str)
def test_table(crowd, table):
    client, marks, rows = crowd.client(1), {}, []
    for line in table.lines:
        words = line.rest.split()
        if line.word == "project":
            settings = json.loads(line.rest.split(" ", 1)[1])
        elif line.word == "mark":
            letter, word, text = line.rest.split(" ", 2)
            marks.setdefault(letter, []).append((word, text))
        elif line.word == "columns":
            states = words
        elif line.word == "row":
            rows.append((words[0], {} if words[1] == "-" else {"estimate": int(words[1])}, words[2:]))
    project = ok(client.post("/projects", {"name": unique("Table"), "account_id": crowd.account,
                                           **settings}))["id"]
    stories = f"/projects/{project}/stories"
    for story_type, estimate, cells in rows:
        old = None
        for state, cell in zip(states, cells):
            names = {"state": state, "type": story_type}
            body = {"current_state": state, **estimate}
            assert_cell(client.post(stories, {"name": "s", "story_type": story_type, **body}), cell,
                        marks, **names)
            old = old or ok(client.post(stories, {"name": "s", "story_type": story_type}))["id"]
            assert_cell(client.put(f"{stories}/{old}", body), cell, marks, **names)
            old = None if cell == "+" else old
