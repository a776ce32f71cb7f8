-- Teams of five as they are after a year (docs/guides/ladder.md), each with a project of 500 stories, of which 400 are
-- accepted, 10 started, 30 unstarted and 60 in the icebox; half have tasks, all have comments and history, and those
-- with owners notifications. Run on an empty database in which one person of each of the first teams has been created;
-- psql -v teams=200 -v known=20. Keys are not checked.
set search_path = planwright;
set session_replication_role = replica;
begin;

insert into person (name, initials, username, email)
select 'Person ' || i, 'P' || i % 1000, 'person' || i, 'person' || i || '@example.test'
from generate_series(:known + 1, :teams * 5) i;

-- Team t has up to five people with consecutive numbers above :known; where person t can sign in,
-- they take the place of the first of these.
create temp table team as
select t, case when k = 0 and t <= :known then t else :known + (t - 1) * 5 + k + 1 end as person, k
from generate_series(1, :teams) t, generate_series(0, 4) k where :known + (t - 1) * 5 + k + 1 <= :teams * 5 or k = 0;

insert into account (name) select 'Team ' || t from generate_series(1, :teams) t;
insert into account_membership (account_id, person_id, owner, admin, project_creator)
select t, person, k = 0, k = 0, k = 0 from team;
insert into project (id, account_id, name, created_at, start_date)
select t, t, 'Project ' || t, now() - interval '1 year', (now() - interval '1 year')::date
from generate_series(1, :teams) t;
insert into project_membership (project_id, person_id, role)
select t, person, case when k = 0 then 'owner' else 'member' end from team;
insert into label (id, project_id, name)
select (t - 1) * 10 + l + 1, t, (array['design', 'backend', 'api', 'mobile', 'needs review', 'performance',
	'security', 'billing', 'search', 'release 2'])[l + 1]
from generate_series(1, :teams) t, generate_series(0, 9) l;
insert into epic (project_id, name, label_id, rank)
select t, 'Epic ' || l, (t - 1) * 10 + l, l * 1048576::bigint from generate_series(1, :teams) t, generate_series(1, 4) l;

insert into story (id, project_id, name, description, story_type, current_state, estimate, requested_by_id,
	owner_ids, label_ids, follower_ids, accepted_at, created_at, updated_at, rank)
select (t - 1) * 500 + n, t, 'Story ' || n || ': what somebody wants, and why they do',
	case when n % 5 > 0 then repeat('Given a thing, when it is done, then it shows. ', 3 + n % 5) end,
	case when n % 10 < 7 then 'feature' when n % 10 < 9 then 'bug' else 'chore' end, s,
	case when n % 10 < 7 then n % 4 end, who[1 + n % cardinality(who)],
	case when s = 'unscheduled' then '{}' else array[who[1 + n % cardinality(who)]] end,
	array[(t - 1) * 10 + 1 + n % 10], array[who[1 + n % cardinality(who)], who[1 + (n + 1) % cardinality(who)]], a, m, m,
	case when a is null then n * 1048576::bigint else extract(epoch from a) * 1000000 end
from (select t, array_agg(person order by k) as who from team group by t) x, generate_series(1, 500) n,
lateral (select case when n <= 400 then 'accepted' when n <= 410 then 'started' when n <= 440 then 'unstarted'
	else 'unscheduled' end as s, now() - interval '1 year' + n * interval '21 hours' as m) y,
lateral (select case when s = 'accepted' then m + interval '3 days' end as a) z;

insert into task (story_id, description, position)
select id, 'A step on the way, number ' || k, k from story, generate_series(1, 3) k where id % 2 = 0;
insert into comment (story_id, text, person_id, created_at)
select id, repeat('Seen and tried, works as described. ', 4), requested_by_id, created_at
from story, generate_series(1, 2);
insert into story_transition (story_id, project_id, project_version, state, occurred_at, performed_by_id)
select id, project_id, 1, x, created_at, requested_by_id
from story, unnest(array['started', 'finished', 'delivered', 'accepted']) x where section = 0;
insert into activity (project_id, version, kind, person_id, changes, highlight, message, primary_resources, story_ids,
	epic_ids, occurred_at)
select project_id, (id - 1) % 500 * 8 + k + 1, 'story_update_activity', requested_by_id,
	'[{"kind":"story","change_type":"update","id":1,"original_values":{"current_state":"started"},"new_values":{"current_state":"finished"},"name":"Story 123: what somebody wants","story_type":"feature"}]',
	'finished', 'Person 1 finished this feature', '[{"kind":"story","id":1,"name":"Story"}]', array[id], '{}', created_at
from story, generate_series(1, 8) k;
insert into notification (person_id, project_id, performer_id, message, context, notification_type, action, story_id,
	story_name, created_at, updated_at, read_at)
select owner_ids[1], project_id, follower_ids[2], 'Person 1 delivered this feature', '', 'story', 'delivered', id, name,
	created_at, created_at, created_at from story where owner_ids <> '{}';

insert into search_text (source, source_id, project_id, story_id, text)
select 'name', id, project_id, id, name from story
union all select 'description', id, project_id, id, description from story where description <> ''
union all select 'comment', c.id, s.project_id, s.id, c.text from comment c join story s on s.id = c.story_id
union all select 'task', t.id, s.project_id, s.id, t.description from task t join story s on s.id = t.story_id;

select labels_recount();
update project p set version = 4001, story_counts = c.counts
from (select project_id, array[count(*) filter (where section = 0), count(*) filter (where section = 1),
	count(*) filter (where section = 2), count(*) filter (where section = 3),
	count(*) filter (where section = 4)]::integer[] as counts from story group by 1) c
where c.project_id = p.id;
select setval('project_id_seq', :teams), setval('label_id_seq', :teams * 10), setval('story_id_seq', :teams * 500);
commit;
vacuum analyze;
