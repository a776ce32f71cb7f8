"""Which indexes searches use with 20,000 stories: the test reads the plans that the server logs."""

import json

import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for

LOAD = """
set search_path = planwright;
set session_replication_role = replica;
insert into account (name) values ('Large');
insert into person (name, initials, username, email)
select 'Person ' || i, 'P' || i, 'p' || i, 'p' || i || '@example.test' from generate_series(1, 40) i;
insert into project (account_id, name) select max(a.id), 'Project ' || i
from account a, generate_series(1, 40) i group by i;
insert into project_membership (project_id, person_id)
select j.id, p.id from project j join person p on (p.id + j.id) %% 8 = 0 or p.id = %(owner)s;
insert into label (project_id, name) select j.id, 'label ' || i from project j, generate_series(1, 20) i;
insert into story (project_id, name, description, story_type, current_state, requested_by_id, owner_ids,
	label_ids, external_id, accepted_at, created_at, updated_at, rank)
select j.id, 'Story ' || md5(i::text), case when i %% 2 = 0 then 'About ' || md5((i * 7)::text) end,
	(array['feature', 'bug', 'chore'])[1 + i %% 3],
	(array['accepted', 'unstarted', 'unscheduled', 'started'])[1 + i %% 4], p.id, array[p.id],
	array[l.id], 'X-' || i, case when i %% 4 = 0 then t end, t, t, i
from generate_series(1, 500) i cross join project j
	join lateral (select min(id) + i %% 20 as id from label where project_id = j.id) l on true
	join lateral (select min(id) + i %% 40 as id from person) p on true,
	lateral (select now() - make_interval(hours => i) as t) t;
insert into task (story_id, description, position) select id, 'Do it', 1 from story where id %% 10 = 0;
insert into search_text (source, source_id, project_id, story_id, text)
select t.source, t.id, s.project_id, s.id, t.text
from story s, lateral (values ('name', s.id, s.name), ('description', s.id, s.description),
	('task', (select id from task where story_id = s.id), (select description from task where story_id = s.id)))
	t(source, id, text) where t.text <> '';
reset session_replication_role;
vacuum analyze;
"""


@pytest.fixture(scope="module")
def large():
    """A server with 20,000 stories in 40 projects, whose database logs its plans."""
    stack = Stack(stack_folder("plans"), workers=1)
    owner = Person(stack, "Owner")
    (index,), = stack.sql("select pg_get_indexdef('planwright.search_text_words'::regclass)")
    stack.sql("drop index planwright.search_text_words")
    for statement in (LOAD % {"owner": owner.id}).split(";\n"):
        if statement.strip():
            stack.sql(statement)
    stack.sql(index)
    stack.sql("vacuum analyze planwright.search_text")
    (name,), = stack.sql("select current_database()")
    stack.part("stop", "workers")
    for setting in ("session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0",
                    "auto_explain.log_format = 'json'", "log_min_messages = 'log'"):
        stack.sql(f'alter database "{name}" set {setting}')
    stack.part("start", "workers")
    stack.client = Client(stack, owner.token)
    assert wait_for(lambda: stack.client.get("/me").status_code == 200)
    (stack.project,), = stack.sql("select max(id) from planwright.project")
    yield stack
    stack.close()


def scans(plan):
    """(node, table) of every scan in a plan."""
    if "Relation Name" in plan:
        yield plan["Node Type"], plan["Relation Name"]
    for child in plan.get("Plans", []):
        yield from scans(child)


def plans(text):
    """The logged plans that read stories or their texts, without those at the beginning of a request."""
    decoder = json.JSONDecoder()
    for piece in text.split("plan:\n")[1:]:
        plan, _ = decoder.raw_decode(piece[piece.index("{"):])
        opens = any(word in plan["Query Text"] for word in ("lacks_thing", "first_accepted_day"))
        found = [] if opens else list(scans(plan["Plan"]))
        if any(table in ("story", "search_text") for _, table in found):
            yield found


QUERIES = [
    "abcdef", '"about abcdef"', "abc*", "*bcde*", "a?cdef", "/abc[de]f/", "/./", "...", "テスト",
    "name:abcdef", "name:abc*", "-abcdef", "abcdef OR fedcba", "abcdef fedcba 012 345 678 901 person",
    '"label 3"', '"person 7"', 'label:"label 3"', "label:label*", 'label:""', "owner:P7",
    'owner:"Person 7"', "owner:son", "mywork:P7", "requester:P7", "id:1,2,3", "state:started",
    "state:unstarted,accepted", "type:bug", "created:today", "created_since:-1w", "updated:yesterday",
    "updated_before:-2w", "accepted_since:-3d", "accepted:-3d..today", "external_id:X-7",
    "is:following", "is:blocked", "is:blocking", "has:attachment", "has:blockers", "has:epic",
    "epic:x", "reviewer:P7", "review:design", "review_status:pass", "integration:x", "estimate:-1",
    "includedone:true", "",
]


@pytest.mark.parametrize("query", QUERIES)
def test_no_query_scans_the_stories(large, query):
    start = len(large.log("postgres"))
    path = f"/projects/{large.project}"
    assert large.client.get(f"{path}/stories", params={"filter": query}).status_code == 200
    assert large.client.get(f"{path}/search", params={"query": query}).status_code == 200
    seen = wait_for(lambda: (lambda found: found if len(found) >= 3 else None)(
        list(plans(large.log("postgres")[start:]))))
    assert seen and len(seen) >= 3, "the page, its total and the result of the search"
    assert not [s for plan in seen for s in plan if s[0] == "Seq Scan" and s[1] in (
        "story", "search_text")]


def test_rare_text_reads_few_stories(large):
    """Text is looked up first; then stories are read by their ids."""
    start = len(large.log("postgres"))
    path = f"/projects/{large.project}"
    assert large.client.get(f"{path}/stories", params={"filter": "abcdef"}).status_code == 200
    seen = wait_for(lambda: list(plans(large.log("postgres")[start:])))
    nodes = [node for node, table in seen[0] if table == "search_text"]
    assert nodes == ["Bitmap Heap Scan"]
