"""planwrightctl doctor --deep: what must always hold; the tests break each rule in the database."""

import contextlib
import json
import uuid

import psycopg2
import pytest

from conftest import Client, Person, Stack, stack_folder
from team import Team
from test_uploads import attach, png, upload
from world import ok

FILES = "each row of a file has its file"


@pytest.fixture(scope="module")
def own():
    """A server that the tests break and repair."""
    server = Stack(stack_folder("deep"), workers=1)
    yield server
    server.close()


@pytest.fixture(scope="module")
def place(own):
    """A project with one of each kind of object that rules are about."""
    team = Team(own, lambda p: Client(own, p.token), lambda name: Person(own, name))
    owner, path = team.owner, team.path
    team.label = ok(owner.post(f"{path}/labels", {"name": "a label"}))["id"]
    team.first, team.second = (team.make_story(
        estimate=1, current_state="unstarted", label_ids=[team.label], description="words",
        owner_ids=[team.people["owner"].id])["id"] for _ in range(2))
    for state in ("started", "finished", "delivered", "accepted"):
        ok(owner.put(f"{path}/stories/{team.first}", {"current_state": state}))
    team.make_epic()
    ok(owner.post(f"{path}/webhooks", {"webhook_url": "https://hook.test/", "webhook_version": "v5"}))
    team.comment = attach(team.member, team, upload(team.member, team), upload(team.member, team, png(), "grey.png"))
    team.files = team.comment["file_attachment_ids"]
    ok(owner.post(f"{team.story}/reviews", {"review_type_id": own.sql(
        "select id from review_type where project_id = %s limit 1", team.id)[0][0], "reviewer_id": team.people["owner"].id}))
    ok(owner.post(f"{team.story}/tasks", {"description": "a task"}))
    team.elsewhere = ok(owner.post("/projects", {"name": "Elsewhere", "account_id": own.sql(
        "select account_id from project where id = %s", team.id)[0][0]}))["id"]
    ok(owner.post(f"/projects/{team.elsewhere}/labels", {"name": "another"}))
    return team


def wrong(server, *args):
    """{rule: line} for each rule that is broken."""
    done = server.ctl("doctor", "--deep", *args, check=False)
    lines = [line.split(None, 1) for line in done.stdout.splitlines()]
    found = {line.split(":")[0]: line for verdict, line in lines if verdict != "ok"}
    assert done.returncode == (1 if found else 0), done.stdout + done.stderr
    return found


@contextlib.contextmanager
def broken(server, table, sql, values):
    """Within the block, a table is as the statement leaves it."""
    with contextlib.closing(psycopg2.connect(server.env["STACK_ADMIN_DB"],
                                             options="-c search_path=planwright -c session_replication_role=replica")) as db:
        db.autocommit = True
        ask = db.cursor()
        ask.execute(f"create table public.kept as select * from {table}")
        try:
            ask.execute(sql, values)
            assert ask.rowcount > 0, "the statement breaks something"
            yield
        finally:
            ask.execute("""select string_agg(attname, ', ') from pg_attribute where attrelid = %s::regclass
                and attnum > 0 and not attisdropped and attgenerated = ''""", [table])
            columns = ask.fetchone()[0]
            ask.execute(f"delete from {table}; insert into {table} ({columns}) overriding system value "
                        f"select {columns} from public.kept; drop table public.kept")


# A rule, the table, and how the rule is broken.
BROKEN = [
    ("each version of a project has one activity", "activity",
     "delete from activity where project_id = %(id)s and version = 3"),
    ("each version of a project has one activity", "project", "update project set version = version + 1 where id = %(id)s"),
    ("a project knows how late its activities are", "activity",
     "update activity set occurred_at = occurred_at - interval '1 hour' where project_id = %(id)s and version = 3"),
    ("projects count their stories", "project", "update project set story_counts[4] = 17 where id = %(id)s"),
    ("labels count their stories", "label", "update label set tally[1] = tally[1] + 1 where id = %(label)s"),
    ("labels count their stories", "label", "update label set tally[20] = tally[20] + 0.5 where id = %(label)s"),
    ("accepted stories are ordered by time of acceptance", "story", "update story set rank = rank + 1 where id = %(first)s"),
    ("no two stories share a place", "story", """update story set rank = (select rank from story where id = %(second)s),
        current_state = 'unstarted' where project_id = %(id)s and id <> %(first)s"""),
    ("no two epics share a place", "epic", "update epic set rank = 5 where project_id = %(id)s"),
    ("accepted stories, and no others, have a time of acceptance", "story",
     "update story set accepted_at = now() where id = %(second)s"),
    ("accepted stories, and no others, have a time of acceptance", "story",
     "update story set accepted_at = null where id = %(first)s"),
    ("stories have labels of their project, each once, by name", "story",
     "update story set label_ids = label_ids || label_ids where id = %(second)s"),
    ("stories have labels of their project, each once, by name", "label",
     "update label set project_id = %(elsewhere)s where id = %(label)s"),
    ("stories have owners and followers who exist, each once", "story",
     "update story set owner_ids = array[1, 2]::bigint[] where id = %(second)s"),
    ("stories have owners and followers who exist, each once", "story",
     "update story set follower_ids = owner_ids || owner_ids where id = %(second)s"),
    ("an epic has a label of its project", "epic", "update epic set label_id = (select id from label where project_id = "
     "%(elsewhere)s limit 1) where id = (select min(id) from epic where project_id = %(id)s)"),
    ("a review's type belongs to its project", "review", """update review set review_type_id =
        (select id from review_type where project_id = %(elsewhere)s limit 1)"""),
    ("stories are in the state of their last transition", "story_transition",
     "update story_transition set state = 'rejected' where story_id = %(second)s"),
    ("a transition belongs to a version of its project", "story_transition",
     "update story_transition set project_version = 999 where story_id = %(second)s"),
    ("comments list their files", "comment",
     "update comment set file_attachment_ids = file_attachment_ids[:1] where id = %(comment)s"),
    ("a file belongs to the project of its comment", "file_attachment",
     "update file_attachment set project_id = %(elsewhere)s where comment_id = %(comment)s"),
    ("searches find each text, and none that no longer exists", "search_text",
     "delete from search_text where source = 'task' and project_id = %(id)s"),
    ("searches find each text, and none that no longer exists", "search_text",
     "update search_text set text = 'other words' where source = 'description' and source_id = %(second)s"),
    ("searches find each text, and none that no longer exists", "search_text",
     "insert into search_text (source, source_id, project_id, story_id, text) values ('task', 7, %(id)s, %(first)s, 'x')"),
    ("what waits for a webhook belongs to its project", "delivery", """insert into delivery (webhook_id, project_id,
        version) select id, project_id, 999 from webhook where project_id = %(id)s"""),
    ("people of a project are people of its account", "account_membership",
     "delete from account_membership where person_id = %(viewer)s"),
    ("an account has an owner", "account_membership", "update account_membership set owner = false where owner"),
    ("notifications are about what others did, in order of their times", "notification",
     "update notification set performer_id = person_id"),
    ("notifications are about what others did, in order of their times", "notification",
     "update notification set created_at = created_at + interval '1 year'"),
    ("notifications are about what others did, in order of their times", "notification",
     "update notification set created_at = created_at - interval '1 microsecond'"),
    (FILES, "file_attachment", "update file_attachment set size = size + 1 where comment_id = %(comment)s"),
    (FILES, "file_attachment", """insert into file_attachment (id, project_id, filename, content_type, size)
        values (77777777, %(id)s, 'x', 'text/plain', 4)"""),
]


def values(place):
    return {"id": place.id, "label": place.label, "first": place.first, "second": place.second,
            "elsewhere": place.elsewhere, "comment": place.comment["id"], "viewer": place.people["viewer"].id}


def test_a_server_in_use_keeps_all_rules(own, place):
    assert wrong(own) == {}
    told = json.loads(own.ctl("doctor", "--deep", "--json").stdout)
    assert {rule for rule, _, _ in BROKEN} <= {one["finding"] for one in told if one["ok"]}
    assert not [line for line in own.ctl("doctor").stdout.splitlines() if FILES in line]


@pytest.mark.parametrize("rule, table, sql", BROKEN, ids=[f"{n}-{row[0]}" for n, row in enumerate(BROKEN)])
def test_what_breaks_a_rule_is_named(own, place, rule, table, sql):
    with broken(own, table, sql, values(place)):
        found = wrong(own)
    assert rule in found, found
    assert found[rule].count(":") >= 2, "it says what to do"
    assert wrong(own) == {}


def paths(server, id):
    folder = server.directory / "files" / f"{id & 255:02x}"
    return folder, folder / str(id)


def test_a_row_without_its_file_is_named(own, place):
    _, path = paths(own, place.files[0])
    with moved(path):
        assert f"file {place.files[0]} is missing" in wrong(own)[FILES]
    _, path = paths(own, place.files[1])
    with moved(path.with_suffix(".small")):
        assert f"a thumbnail of file {place.files[1]} is missing" in wrong(own)[FILES]
    assert wrong(own) == {}


@contextlib.contextmanager
def moved(path):
    away = own_name(path)
    path.rename(away)
    try:
        yield
    finally:
        away.rename(path)


def own_name(path):
    return path.parent.parent / "tmp" / f"away-{uuid.uuid4().hex}"


def test_a_young_file_may_get_its_row_yet(own, place):
    """Older ones, which the sweep deletes, are counted in test_store.py, since files in a folder cannot be made
    older."""
    folder, path = paths(own, 1 << 40)
    folder.mkdir(exist_ok=True)
    path.write_text("nobody's")
    try:
        assert "ok    each file has its row\n" in own.ctl("doctor", "--deep").stdout
    finally:
        path.unlink()


def test_many_faults_are_counted(own, place):
    """Twenty faults of a rule get lines of their own."""
    for _ in range(5):
        team = Team(own, lambda p: Client(own, p.token), lambda name: Person(own, name))
        for _ in range(6):
            team.make_story()
    with broken(own, "search_text", "delete from search_text where source = 'name'", {}):
        done = own.ctl("doctor", "--deep", check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("wrong searches find each text")]
    assert len(lines) == 21 and " more like these: " in lines[-1]


def test_the_faults_of_one_project_are_all_counted(own):
    team = Team(own, lambda p: Client(own, p.token), lambda name: Person(own, name))
    for _ in range(30):
        team.make_story()
    with broken(own, "search_text", "delete from search_text where source = 'name' and project_id = %s", [team.id]):
        done = own.ctl("doctor", "--deep", check=False)
        there = own.sql("select count(*) from story where project_id = %s", team.id)[0][0]
    lines = [line for line in done.stdout.splitlines() if line.startswith("wrong searches find each text")]
    assert len(lines) == 21 and f": {there - 20} more like these: " in lines[-1]


def test_stories_that_were_planned_elsewhere_keep_the_rules(own, tmp_path):
    """Here the iterations are filled on their own: what was planned by hand is unstarted, also in its history."""
    team = Team(own, lambda p: Client(own, p.token), lambda name: Person(own, name))
    story = {"kind": "story", "id": 71, "name": "Planned", "story_type": "bug", "current_state": "planned",
             "created_at": "2023-10-01T08:00:00Z", "updated_at": "2023-10-05T08:00:00Z"}
    past = [{"kind": "story_transition", "story_id": 71, "state": state, "occurred_at": f"2023-10-0{day}T08:00:00Z"}
            for day, state in ((2, "unstarted"), (3, "planned"))]
    file = tmp_path / "planned.json"
    file.write_text("\n".join(json.dumps(record) for record in [story, *past]))
    own.ctl("import", "--project", str(team.id), str(file))
    assert own.sql("select s.current_state, array_agg(array[t.state, (t.occurred_at at time zone 'UTC')::date::text] order by t.id)"
                   " from story s join story_transition t on t.story_id = s.id"
                   " where s.project_id = %s and s.name = 'Planned' group by s.id", team.id) == [
        ("unstarted", [["unstarted", "2023-10-02"], ["planned", "2023-10-03"], ["unstarted", "2023-10-03"]])]
    assert wrong(own) == {}


def test_it_is_in_nobodys_way(own, place):
    """While it reads for a long time, it holds no lock that a request or the beginning of a migration would wait for.
    """
    with contextlib.closing(psycopg2.connect(own.env["STACK_ADMIN_DB"])) as other:
        other.cursor().execute("lock table planwright.story in row exclusive mode")
        other.cursor().execute("update planwright.story set name = 'changed meanwhile' where id = %s", [place.second])
        assert wrong(own) == {}
        other.rollback()
