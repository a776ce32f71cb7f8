-- The data of t/proof/growth. Each of the first projects, k, has :sizes[k] stories and belongs to person k, who exists
-- already; :projects others have 100 stories each and four of the :people people. The 1,000 newest stories of the first
-- projects are alike (200 in the icebox, 200 unstarted, 10 in progress, the rest accepted, 17 a week); older ones were
-- accepted in the 300 weeks before. Person k has :own notifications. Keys are not checked.
set search_path = planwright;
set session_replication_role = replica;
set synchronous_commit = off;
set maintenance_work_mem = '512MB';

-- Indexes are created after the rows, which is several times quicker; their definitions are kept
-- until then.
create table pg_temp.later as select indexname, indexdef from pg_indexes where schemaname = 'planwright'
	and tablename in ('activity', 'notification', 'search_text', 'story', 'comment')
	and indexdef !~ '^CREATE UNIQUE';
select format('drop index planwright.%I', indexname) from later \gexec

begin;
create table pg_temp.made as
select k as id, size as stories, sum(size) over (order by k) - size as first, k <= cardinality(:sizes) as is_known,
	case when size > 1000 then interval '359 weeks' else interval '59 weeks' end as age
from (select k, coalesce((:sizes)[k], 100) as size from generate_series(1, cardinality(:sizes) + :projects) k) x;

insert into person (name, initials, username, email)
select 'Person ' || i, 'P' || i % 1000, 'person' || i, 'person' || i || '@example.test'
from generate_series(cardinality(:sizes) + 1, :people) i;
insert into account (name) select 'Account ' || a from generate_series(1, 1 + :projects / 10) a;
insert into project (id, account_id, name, created_at, start_date)
select id, 1 + id / 10, 'Project ' || id, now() - age, (now() - age)::date from made;

-- Each person k is in their own project and in four others.
insert into project_membership (project_id, person_id, role)
select id, id, 'owner' from made where is_known
union all select cardinality(:sizes) + n, k, 'member' from generate_series(1, 4) n, generate_series(1, cardinality(:sizes)) k
union all select id, cardinality(:sizes) + 1 + (id * 4 + n) % (:people - cardinality(:sizes)), 'member'
from made, generate_series(0, 3) n;
insert into account_membership (account_id, person_id, owner, admin, project_creator)
select distinct 1 + project_id / 10, person_id, false, false, false from project_membership;
insert into label (id, project_id, name)
select (id - 1) * 10 + l + 1, id, (array['design', 'backend', 'api', 'mobile', 'needs review', 'performance',
	'security', 'billing', 'search', 'release 2'])[l + 1] from made, generate_series(0, 9) l;
insert into epic (project_id, name, label_id, rank)
select id, 'Epic ' || l, (id - 1) * 10 + l, l * 1048576::bigint from made, generate_series(1, 4) l;

insert into story (id, project_id, name, description, story_type, current_state, estimate, requested_by_id, owner_ids,
	label_ids, follower_ids, accepted_at, created_at, updated_at, rank)
select first + n, id, case when n % greatest(1, stories / 5) = 7 then 'Needle ' else 'Story ' end || n || ': what somebody wants',
	case when n % 5 > 0 then repeat('Given a thing, when it is done, then it shows. ', 3 + n % 5) end,
	case when n % 10 < 7 then 'feature' when n % 10 < 9 then 'bug' else 'chore' end, s, case when n % 10 < 7 then n % 4 end,
	who, case when s = 'unscheduled' then '{}' else array[who] end, array[(id - 1) * 10 + 1 + n % 10], array[who], a, m, m,
	case when a is null then n * 1048576::bigint else extract(epoch from a) * 1000000 end
from made, generate_series(1, stories) n, lateral (select stories - n as back, least(200, stories / 4) as few,
	case when is_known then id else cardinality(:sizes) + 1 + (id * 4) % (:people - cardinality(:sizes)) end as who) x,
lateral (select case when back < few then 'unscheduled' when back < 2 * few then 'unstarted'
	when back < 2 * few + 10 then 'started' else 'accepted' end as s,
	now() - case when back < 1000 then interval '59 weeks' * back / 1000
		else interval '59 weeks' + interval '300 weeks' * (back - 1000) / (stories - 999) end - interval '1 day' as m) y,
lateral (select case when s = 'accepted' then m end as a) z;

insert into comment (story_id, text, person_id, created_at)
select id, repeat('Seen and tried, works as described. ', 4), requested_by_id, created_at from story;
insert into story_transition (story_id, project_id, project_version, state, occurred_at, performed_by_id)
select id, project_id, 1, t, created_at, requested_by_id
from story, unnest(array['started', 'finished', 'delivered', 'accepted']) t where section = 0;

-- Eight for each story in the first projects; the others share the rest.
create table pg_temp.told as select *, case when is_known then stories * 8
	else greatest(800, (:activities - (select sum(stories) * 8 from made where is_known)) / :projects)::integer end as versions
from made;
insert into activity (project_id, version, kind, person_id, changes, highlight, message, primary_resources, story_ids,
	epic_ids, occurred_at)
select id, v + 1, 'story_update_activity', id,
	'[{"kind":"story","change_type":"update","id":1,"original_values":{"current_state":"started"},"new_values":{"current_state":"finished"},"name":"Story 123: what somebody wants","story_type":"feature"}]',
	'finished', 'Person 1 finished this feature', '[{"kind":"story","id":1,"name":"Story"}]',
	case when v % 20 = 0 then array[s, s + 1] else array[s] end, '{}',
	now() - age * (1 - v::double precision / versions) - interval '1 hour'
from told, generate_series(1, versions) v, lateral (select first + 1 + ((v - 1)::bigint * stories / versions) as s) x;

insert into notification (person_id, project_id, performer_id, message, context, notification_type, action, story_id,
	story_name, created_at, updated_at, read_at)
select k, k, k, 'Person 1 delivered this feature', '', 'story', 'delivered', first + n % stories + 1, 'Story', t, t,
	case when n > 20 then t end
from made, lateral (select id as k) x, generate_series(1, :own) n, lateral (select now() - n * interval '1 hour' as t) y
where is_known;
insert into notification (person_id, project_id, performer_id, message, context, notification_type, action, story_id,
	story_name, created_at, updated_at, read_at)
select cardinality(:sizes) + 1 + n % (:people - cardinality(:sizes)), cardinality(:sizes) + 1 + n % :projects, 1,
	'Person 1 delivered this feature', '', 'story', 'delivered', 1, 'Story', t, t, t
from generate_series(1, greatest(1, :activities - :own * cardinality(:sizes))) n,
	lateral (select now() - n * interval '1 second' as t) x;

insert into search_text (source, source_id, project_id, story_id, text)
select 'name', id, project_id, id, name from story
union all select 'description', id, project_id, id, description from story where description <> ''
union all select 'comment', c.id, s.project_id, s.id, c.text from comment c join story s on s.id = c.story_id;
commit;
select indexdef from later \gexec

update project p set version = t.versions + 1, told_until = now() - interval '1 hour', story_counts = c.counts
from told t, (select project_id, array[count(*) filter (where section = 0), count(*) filter (where section = 1),
	count(*) filter (where section = 2), count(*) filter (where section = 3),
	count(*) filter (where section = 4)]::integer[] as counts from story group by 1) c
where t.id = p.id and c.project_id = p.id;
select labels_recount();
select setval('project_id_seq', (select max(id) from project)), setval('label_id_seq', (select max(id) from label)),
	setval('story_id_seq', (select max(id) from story));
vacuum analyze;
checkpoint;
