"""Thirty-two writers on one project: versions without gaps or repeats, one activity for each version, and a
consistent order, where two concurrent moves with computed positions would collide."""

import concurrent.futures
import contextlib
import random

import psycopg2
import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from world import Place, new_project, ok

WRITERS, ROUNDS = 32, 6


def version(answer):
    assert answer.status_code in (200, 204), answer.text
    return int(answer.headers["X-Service-Project-Version"])


class Writer:
    """Makes changes of every kind; remembers the versions in the answers."""

    def __init__(self, place, number, shared):
        self.client = Client(place.client.stack, place.client.token)
        self.path = f"/projects/{place.project}/stories"
        self.random, self.shared, self.versions = random.Random(number), shared, []

    def note(self, answer):
        self.versions.append(version(answer))
        return answer

    def run(self):
        for i in range(ROUNDS):
            a, b = self.random.sample(self.shared, 2)
            where = self.random.choice(["before_id", "after_id"])
            self.note(self.client.put(f"{self.path}/{a}", {where: b}))
            made = self.note(self.client.post(self.path, {"name": "w", "labels": ["same label"],
                                                          "tasks": [{"description": "t"}]})).json()
            self.note(self.client.put(f"/stories/{made['id']}", {"current_state": "unstarted",
                                                                 "before_id": None}))
            if i % 2:
                self.note(self.client.delete(f"{self.path}/{made['id']}"))
        return self.versions


@pytest.fixture(scope="module")
def place(world):
    place = Place(world.admin)
    place.shared = [place.story] + [
        ok(place.client.post(f"/projects/{place.project}/stories", {"name": str(i)}))["id"]
        for i in range(9)]
    return place


@pytest.fixture(scope="module")
def told(place):
    """The first version, and those that the writers got."""
    first = ok(place.client.get(f"/projects/{place.project}?fields=version"))["version"]
    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(Writer(place, n, place.shared).run) for n in range(WRITERS)]
        return first, [v for w in writers for v in w.result()]


def test_versions(place, told):
    first, versions = told
    assert len(versions) > WRITERS * ROUNDS * 3
    made = sorted(set(versions))  # a move to the place where a story already is creates none
    assert made == list(range(first + 1, first + 1 + len(made)))
    now = ok(place.client.get(f"/projects/{place.project}?fields=version"))["version"]
    assert now == max(versions)


def test_one_activity_for_each_version(place, told, sql):
    first, versions = told
    rows = sql("select version from activity where project_id = %s and version > %s order by 1",
               place.project, first)
    assert [v for v, in rows] == sorted(set(versions))


def test_the_order_is_one(place, told):
    listed = []
    for offset in range(0, 500, 50):
        listed += ok(place.client.get(f"/projects/{place.project}/stories?limit=50&offset={offset}"
                                      "&fields=before_id,after_id"))
    ids = [s["id"] for s in listed]
    assert len(ids) == len(set(ids)) == 10 + WRITERS * ROUNDS // 2
    assert [s.get("before_id") for s in listed] == ids[1:] + [None]
    assert [s.get("after_id") for s in listed] == [None] + ids[:-1]


def test_counts_and_labels(place, told, sql):
    listed = place.client.get(f"/projects/{place.project}/stories?limit=0")
    (count,), = sql("select count(*) from story where project_id = %s", place.project)
    assert listed.headers["X-Service-Pagination-Total"] == str(count)
    labels = ok(place.client.get(f"/projects/{place.project}/labels"))
    assert [label["name"] for label in labels] == ["same label"]


def test_positions_of_tasks_of_one_story(place, told):
    path = f"/projects/{place.project}/stories/{place.story}/tasks"
    ids = [ok(place.client.post(path, {"description": str(i)}))["id"] for i in range(8)]

    def move(number):
        client, chance = Client(place.client.stack, place.client.token), random.Random(number)
        for _ in range(8):
            ok(client.put(f"{path}/{chance.choice(ids)}", {"position": chance.randint(1, 8)}))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(move, range(8)))
    tasks = ok(place.client.get(path))
    assert [t["position"] for t in tasks] == list(range(1, 9))
    assert {t["id"] for t in tasks} == set(ids)


def test_the_same_name_at_once(place, told):
    """Of many requests, exactly one succeeds."""
    def add(_):
        client = Client(place.client.stack, place.client.token)
        return client.post(f"/projects/{place.project}/labels", {"name": "only one"}).status_code

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(add, range(8))) == [200] + [400] * 7


def test_people_of_several_projects_are_told_at_once(place, api, person):
    """Commands in different projects that notify the same people, in different order."""
    boss, people = place.client, [person("Told") for _ in range(2)]
    stories = []
    for n in range(2):
        project = new_project(boss)["id"]
        for somebody in people:
            ok(boss.post(f"/projects/{project}/memberships", {
                "person_id": somebody.id, "role": "member"}))
        stories += [ok(boss.post(f"/projects/{project}/stories", {
            "name": "told", "owner_ids": [people[n].id]})) for n in range(2)]

    def comment(n):
        one = stories[n % 4]
        other = next(p for p in people if p.id not in one["owner_ids"])
        path = f"/projects/{one['project_id']}/stories/{one['id']}/comments"
        return boss.post(path, {"text": f"@{other.username} {n}"})

    def commit(n):
        named = " ".join(f"[#{one['id']}]" for one in stories)
        return boss.post("/source_commits", {"source_commit": {
            "commit_id": f"c{n}", "message": f"{named} @{people[n % 2].username}"}})

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = pool.map(lambda n: (commit if n % 5 == 0 else comment)(n), range(120))
    assert {answer.status_code for answer in done} == {200}


def test_somebody_joins_several_projects_of_an_account_at_once(place, person):
    """By id, and by an address that nobody has yet, in two accounts; user names differ."""
    boss = place.client
    projects = [new_project(boss) for _ in range(2)]
    projects += [ok(boss.post("/projects", {
        "name": f"joined {n}", "account_id": projects[n % 2]["account_id"]})) for n in range(2)]
    for n in range(6):
        somebody = person("Joins").id
        for bodies in ([{"person_id": somebody}] * 4,
                       [{"name": "Joins", "email": f"new{n}@joins.example"}] * 4,
                       [{"name": "Joins", "email": f"user{n}@{host}.example"} for host in "abcd"]):
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                for answer in pool.map(lambda p, body: boss.post(
                        f"/projects/{p['id']}/memberships", {**body, "role": "member"}),
                        projects, bodies):
                    ok(answer)


def test_of_memberships_asked_for_at_once_one_is_made(place, person):
    """In an account and in a project of it: the later request is refused, and adds nobody."""
    boss = place.client
    project = new_project(boss)
    members = f"/accounts/{project['account_id']}/memberships"
    paths = [members] * 3 + [f"/projects/{project['id']}/memberships"] * 2
    for n in range(8):
        somebody = person("Joins").id
        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            answers = list(pool.map(lambda path: boss.post(path, {"person_id": somebody}), paths))
        told = [answer.json()["general_problem"] for answer in answers if answer.status_code == 400]
        assert len(told) in (3, 4) and set(told) <= {
            "Member already exists.", "Joins is already a project member"}
        assert [m["person"]["id"] for m in ok(boss.get(members))].count(somebody) == 1


def at_once(*calls):
    """The answers, in the order of the calls."""
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return [done.result() for done in [pool.submit(*call) for call in calls]]


def test_a_name_of_a_project_is_given_once(place):
    """To new projects of an account, and to renamed ones."""
    boss = place.client
    first = new_project(boss)
    body = {"account_id": first["account_id"]}
    others = [ok(boss.post("/projects", {**body, "name": f"named {n}"}))["id"] for n in range(3)]
    for n in range(8):
        name = {"name": f"Same {n}"}
        answers = at_once(*[(boss.post, "/projects", {**body, **name})] * 3,
                          *[(boss.put, f"/projects/{other}", name) for other in others])
        refused = [answer.json()["general_problem"] for answer in answers
                   if answer.status_code == 400]
        assert refused == ["The project name you entered is already taken."] * 5


def test_who_leaves_an_account_joins_no_project_of_it(place, person, sql):
    """Both at the same time: one is first, and everybody in a project of the account is in the account. Projects that
    are deleted meanwhile do not interfere."""
    boss = place.client
    first = new_project(boss)
    account = first["account_id"]
    for n in range(10):
        somebody = person("Leaves").id
        gone, stays = ([ok(boss.post("/projects", {
            "account_id": account, "name": f"{word} {n} {i}"}))["id"] for i in range(3)]
            for word in ("gone", "stays"))
        for project in gone:
            ok(boss.post(f"/projects/{project}/memberships", {"person_id": somebody}))
        left, *others = at_once(
            (boss.delete, f"/accounts/{account}/memberships/{somebody}"),
            *[(boss.delete, f"/projects/{project}") for project in gone],
            *[(boss.post, f"/projects/{project}/memberships", {"person_id": somebody})
              for project in stays])
        assert left.status_code == 204, left.text
        assert [answer.status_code for answer in others] == [204] * 3 + [200] * 3
        assert not sql("select 1 from project_membership m where project_id = any(%s) and not exists ("
                       "select from account_membership a where a.account_id = %s"
                       " and a.person_id = m.person_id)", stays, account)


def test_a_project_that_is_deleted_while_a_list_is_read(stack, api, person):
    """Between reading its row and its velocity."""
    boss = api(person("Reads"))
    first, gone = (new_project(boss)["id"] for _ in range(2))
    with contextlib.closing(psycopg2.connect(stack.env["STACK_ADMIN_DB"],
                                             options="-c search_path=planwright")) as deletion:
        deletion.cursor().execute("lock table iteration_override")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            listed = pool.submit(boss.get, "/projects?fields=id,current_velocity")
            assert wait_for(lambda: stack.sql(
                "select 1 from pg_stat_activity where wait_event_type = 'Lock'"))
            deletion.cursor().execute("delete from project where id = %s", (gone,))
            deletion.commit()
            assert ok(listed.result())[0] == {"id": first, "current_velocity": 10}


def two_projects_of(boss, *people):
    """Two projects with these members. Returns the path of one's stories, and of the comments on a story of the
    other."""
    projects = [new_project(boss)["id"] for _ in range(2)]
    for project in projects:
        for somebody in people:
            ok(boss.post(f"/projects/{project}/memberships", {"person_id": somebody.id}))
    here, there = (f"/projects/{project}/stories" for project in projects)
    return here, f"{there}/{ok(boss.post(there, {'name': 'told'}))['id']}/comments"


def test_the_author_of_a_commit_is_told_in_turn(place, person):
    """A person who begins to follow the story through the commit itself, while another project notifies the same
    people."""
    boss = place.client
    author, owner = person("Commit Author"), person("Owner")
    assert author.id < owner.id
    here, comments = two_projects_of(boss, author, owner)
    for n in range(12):
        stories = [ok(boss.post(here, {"name": "x", "owner_ids": [owner.id]}))["id"]
                   for _ in range(3)]
        body = {"source_commit": {"commit_id": f"told {n}", "author": author.name,
                                  "message": " ".join(f"[#{story}]" for story in stories)}}
        text = {"text": f"@{author.username} @{owner.username}"}
        for answer in at_once((boss.post, "/source_commits", body),
                              *[(boss.post, comments, text)] * 5):
            ok(answer)


def test_a_commit_that_unblocks_stories_tells_in_turn(place, person):
    """It accepts a chore, and people who waited for the chore are notified."""
    boss = place.client
    waits, owner = person("Waits"), person("Owner")
    assert waits.id < owner.id
    here, comments = two_projects_of(boss, waits, owner)
    for n in range(12):
        chores = [ok(boss.post(here, {"name": "x", "story_type": "chore", "owner_ids": [owner.id]}))
                  ["id"] for _ in range(3)]
        ok(boss.post(here, {"name": "blocked", "owner_ids": [waits.id], "blockers": [
            {"description": f"#{chore}"} for chore in chores]}))
        body = {"source_commit": {"commit_id": f"unblocks {n}", "message": " ".join(
            f"[Fixes #{chore}]" for chore in chores)}}
        text = {"text": f"@{waits.username} @{owner.username}"}
        for answer in at_once((boss.post, "/source_commits", body),
                              *[(boss.post, comments, text)] * 5):
            ok(answer)


@pytest.fixture
def crowd():
    """A server that handles twelve requests at the same time."""
    made = Stack(stack_folder("crowd"), workers=12)
    yield made
    made.close()


def test_news_of_the_same_people_from_many_projects(crowd):
    """Notifications to three people from six projects at once: no requests wait for each other in a cycle."""
    people = [Person(crowd, f"Hearer {i}") for i in range(3)]
    clients = [Client(crowd, person.token) for person in people]
    paths = []
    for _ in range(6):
        project = new_project(clients[0])["id"]
        for person in people[1:]:
            ok(clients[0].post(f"/projects/{project}/memberships",
                               {"person_id": person.id, "role": "member"}))
        story = ok(clients[0].post(f"/projects/{project}/stories", {
            "name": "s", "follower_ids": [person.id for person in people]}))["id"]
        paths.append(f"/projects/{project}/stories/{story}/comments")

    def comment(n):
        client = Client(crowd, people[n % len(people)].token)
        return [client.post(paths[(n + i) % len(paths)], {"text": "c"}).status_code
                for i in range(10)]

    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        told = [status for statuses in pool.map(comment, range(24)) for status in statuses]
    assert told == [200] * 240
    for client in clients:
        times = [n["created_at"] for n in ok(client.get("/my/notifications?limit=1000"
                                                        "&date_format=millis"))]
        assert len(times) == len(set(times)) >= 150
