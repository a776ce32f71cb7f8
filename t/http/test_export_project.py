"""GET /projects/{id}/stories.csv: byte for byte as in the original's last exports; who may download it; and long
exports delay nobody."""

import http.client
import threading
import time
from datetime import datetime, timedelta

import pytest

from board import Board, problem
from client import Client
from conftest import Person, wait_for
from test_export import rows_of
from within import within
from world import UNKNOWN, ok


@pytest.fixture(scope="module")
def boss(person):
    return person("Ana Núñez")


@pytest.fixture
def client(api, boss):
    return api(boss)


@pytest.fixture
def board(client):
    return Board(client, start_date="2024-01-01")


def get(client, board, query=""):
    answer = client.get(f"{board.path}/stories.csv{query}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="stories.csv"'
    assert answer.headers["X-Tracker-Project-Version"] == str(board.version())
    return answer


def titles(answer):
    return [row[1] for row in rows_of(answer.content)[1:]]


def many(stack, board, boss, n, text=""):
    """Inserts stories directly into the database."""
    stack.sql("""
        insert into planwright.story (project_id, name, description, current_state, rank,
            requested_by_id)
        select %s, 'S' || i, %s, 'unscheduled', i, %s from generate_series(1, %s) i""",
              board.id, text, boss.id, n)
    stack.sql("update planwright.project set story_counts[5] = story_counts[5] + %s where id = %s",
              n, board.id)


# --- what is in it -----------------------------------------------------------------------

def fill(board, client, stack, person):
    mate = person("Bo Li-Hart")
    board.join(mate)
    at = {"created_at": "2024-01-02T07:00:00Z"}
    epic = ok(client.post(f"{board.path}/epics", {
        "name": "Sign-in", "description": "All of it", "label": {"name": "sign-in"},
        "branches": [{"owner": "o", "repo": "r", "name": "sign-in"}]}))
    bare = ok(client.post(f"{board.path}/epics", {"name": "Later, perhaps"}))
    ok(client.post(f"{board.path}/epics/{epic['id']}/comments", {"text": "Soon"}))
    board.add("ice", story_type="chore", estimate=None, **at)
    board.add("done", "accepted", estimate=2, story_priority="p1", labels=["sign-in", "backend"],
              owner_ids=[mate.id], description="Two\nlines, \"quoted\"",
              tasks=[{"description": "- Mail", "complete": True}, {"description": "-Text"}],
              blockers=[{"description": "@later"}], comments=[{"text": "So\n"}],
              pull_requests=[{"owner": "o", "repo": "r", "number": 7}],
              accepted_at="2024-01-03T07:59:59Z", **at)
    board.add("rel", "unstarted", story_type="release", deadline="2030-06-01T12:00:00Z", **at)
    for table in ("epic", "comment"):
        stack.sql(f"update planwright.{table} set created_at = '2024-02-03T12:00:00Z'")
    return epic, bare


def iteration_of(client, board, id):
    """The number and days of its iteration, in the file's format."""
    def word(text, back=0):
        day = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ") - timedelta(days=back)
        return f'"{day:%b} {day.day}, {day.year}"'
    it, = (i for i in ok(client.get(f"{board.path}/iterations?fields=number,start,finish,story_ids"
                                    "&scope=current_backlog")) if id in i["story_ids"])
    return f"{it['number']},{word(it['start'])},{word(it['finish'], 1)}"


def test_bytes(board, client, stack, person):
    epic, bare = fill(board, client, stack, person)
    url, ids = stack.url, board.ids
    place = iteration_of(client, board, ids["rel"])
    assert get(client, board).content.decode() == (
        "Id,Title,Labels,Iteration,Iteration Start,Iteration End,Type,Estimate,Priority,"
        "Current State,Created at,Accepted at,Deadline,Requested By,Description,URL,Owned By,"
        "Blocker,Blocker Status,Comment,Task,Task Status,Task,Task Status,Pull Request,"
        "Git Branch\n"
        f"{epic['id']},Sign-in,sign-in,,,,epic,,,,\"Feb 3, 2024\",,,,All of it,"
        f"{url}/epic/show/{epic['id']},,,,\"Soon (Ana Núñez - Feb 3, 2024)\",,,,,,sign-in\n"
        f"{bare['id']},\"Later, perhaps\",\"later, perhaps\",,,,epic,,,,\"Feb 3, 2024\",,,,,"
        f"{url}/epic/show/{bare['id']},,,,,,,,,,\n"
        f"{ids['done']},done,\"backend, sign-in\",1,\"Jan 1, 2024\",\"Jan 7, 2024\",feature,2,"
        "p1 - High,accepted,\"Jan 2, 2024\",\"Jan 3, 2024\",,Ana Núñez,"
        "\"Two\nlines, \"\"quoted\"\"\","
        f"{url}/story/show/{ids['done']},Bo Li-Hart,'@later,unresolved,"
        "\"So\n(Ana Núñez - Feb 3, 2024)\",- Mail,completed,'-Text,not completed,"
        "https://github.com/o/r/pull/7\n"
        f"{ids['rel']},rel,\"\",{place},release,,none,unstarted,\"Jan 2, 2024\",,"
        f"\"Jun 1, 2030\",Ana Núñez,,{url}/story/show/{ids['rel']}\n"
        f"{ids['ice']},ice,\"\",,,,chore,,none,unscheduled,\"Jan 2, 2024\",,,Ana Núñez,,"
        f"{url}/story/show/{ids['ice']}\n")


def test_an_empty_project_is_a_header(board, client):
    assert get(client, board).content == (
        b"Id,Title,Labels,Iteration,Iteration Start,Iteration End,Type,Estimate,Priority,"
        b"Current State,Created at,Accepted at,Deadline,Requested By,Description,URL\n")


def test_epics_and_sections_are_in_their_order(board, client):
    for name in "ab":
        ok(client.post(f"{board.path}/epics", {"name": name}))
    second, first = (e["id"] for e in ok(client.get(f"{board.path}/epics"))[::-1])
    ok(client.put(f"{board.path}/epics/{first}", {"after_id": second}))
    board.add("ice 1")
    board.add("ice 2")
    board.add("next", "unstarted")
    board.add("now", "started")
    board.add("done", "accepted")
    board.move("ice 2", before="ice 1")
    assert titles(get(client, board)) == ["b", "a", "done", "now", "next", "ice 2", "ice 1"]


# --- filter ------------------------------------------------------------------------------

def test_a_filter_chooses_stories(board, client):
    ok(client.post(f"{board.path}/epics", {"name": "red"}))
    for name, labels in (("a", ["red"]), ("b", []), ("c", ["red"])):
        board.add(name, labels=labels)
    assert titles(get(client, board, "?filter=label:red")) == ["c", "a"]
    assert titles(get(client, board, "?filter=label:green")) == []
    assert titles(get(client, board)) == ["red", "c", "b", "a"]


@pytest.mark.parametrize("query,sentence", [
    ("?filter=state:", "at character "), ("?filter=a&fields=name", "'filter' can be combined only"),
    ("?limit=x&with_label=a", "cannot accept the parameter: with_label"),
    ("?filter=/(/", "is not a valid regular expression")])
def test_a_filter_that_is_none(board, client, query, sentence):
    assert sentence in problem(client.get(f"{board.path}/stories.csv{query}"))


# --- rights ------------------------------------------------------------------------------

def test_who_may_read_it(board, api, person):
    board.add("a")
    viewer = person("Viewer")
    board.join(viewer, "viewer")
    assert titles(get(api(viewer), board)) == ["a"]
    for who, code in ((api(person()), "unauthorized_operation"), (api(), "unauthorized_operation"),
                      (api("0" * 32), "invalid_authentication")):
        answer = who.get(f"{board.path}/stories.csv")
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert api(viewer).get(f"/projects/{UNKNOWN}/stories.csv").status_code == 404


def test_a_public_project_is_everybodys(client, api, person):
    board = Board(client, public=True)
    board.add("a")
    for who in (api(), api(person())):
        assert titles(get(who, board)) == ["a"]
    answer = api().get(f"{board.path}/stories.csv?filter=/a/")
    assert "require an API token" in problem(answer)


# --- what is long --------------------------------------------------------------------------

def test_a_long_one_is_like_a_short_one(board, client, stack, boss):
    many(stack, board, boss, 1200, "text\n" * 20)
    ok(client.post(f"{board.path}/epics", {"name": "Epic"}))
    board.add("first", tasks=[{"description": "t"}])
    answer = get(client, board)
    assert "Content-Length" not in answer.headers and "ETag" not in answer.headers
    rows = rows_of(answer.content)
    ids = [int(row[0]) for row in rows[2:]]
    assert len(ids) == 1201 and ids == sum(([s["id"] for s in ok(client.get(
        f"{board.path}/stories?limit=500&offset={offset}&fields=id"))]
        for offset in (0, 500, 1000)), [])
    short = rows_of(client.post("/stories/export", {"ids": ids[:100]}).content)[1:]
    assert [row[:16] for row in rows[2:102]] == [row[:16] for row in short]


@pytest.mark.plain
def test_texts_are_never_in_memory_together(board, client, stack, boss):
    """More than an answer may contain, in few stories: that is not a reason to refuse it."""
    many(stack, board, boss, 150, "x" * 20000)
    stack.sql("""insert into planwright.comment (story_id, person_id, text)
        select s.id, %s, repeat('y', 20000) from planwright.story s, generate_series(1, 100) i
        where s.project_id = %s""", boss.id, board.id)
    rows = rows_of(get(client, board).content)
    assert len(rows) == 151 and all(len(row) == 116 for row in rows)


class Held:
    """A table that nobody can read until the end of the block."""

    def __init__(self, stack, table):
        import psycopg2
        self.connection = psycopg2.connect(stack.env["STACK_ADMIN_DB"])
        self.table = table

    def __enter__(self):
        self.connection.cursor().execute(
            f"lock table planwright.{self.table} in access exclusive mode")

    def __exit__(self, *_):
        self.connection.rollback()
        self.connection.close()


def waiting(stack):
    return stack.sql("""select pid from pg_stat_activity where application_name ~ '^planwright( [0-9a-f]+)?$'
        and wait_event_type = 'Lock'""")


@pytest.mark.timed
def test_nobody_waits_for_a_long_one(new_stack):
    """One worker; an export that cannot continue; everybody else is served, and the same person, too."""
    stack = new_stack(workers=1)
    boss = Person(stack, "Boss")
    client = Client(stack, boss.token)
    board = Board(client)
    many(stack, board, boss, 300)
    found = []
    thread = threading.Thread(target=lambda: found.append(get(client, board)))
    with Held(stack, "label"):
        thread.start()
        wait_for(lambda: waiting(stack))
        began = time.monotonic()
        for _ in range(20):
            ok(client.get("/me"))
        assert time.monotonic() - began < within(2)
        again = client.get(f"{board.path}/stories.csv")
        assert (again.status_code, again.headers["Retry-After"]) == (429, "5")
        assert "one export at a time" in again.json()["general_problem"]
        assert not found
    thread.join()
    assert len(titles(found[0])) == 300
    assert len(titles(get(client, board))) == 300


def test_one_that_breaks_is_seen_to_be_cut(new_stack):
    stack = new_stack(workers=1)
    boss = Person(stack, "Boss")
    client = Client(stack, boss.token)
    board = Board(client)
    many(stack, board, boss, 20000)
    connection = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=30)
    connection.request("GET", f"/services/v5{board.path}/stories.csv",
                       headers={"X-TrackerToken": boss.token})
    answer = connection.getresponse()
    assert answer.status == 200
    stack.sql("""select pg_terminate_backend(pid) from pg_stat_activity
        where application_name ~ '^planwright( [0-9a-f]+)?$' and xact_start is not null""")
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        answer.read()
    wait_for(lambda: "was cut" in stack.log("workers"))
    assert "was cut off: GET /projects/:project/stories.csv" in stack.log("workers")
    assert len(titles(get(client, board))) == 20000
