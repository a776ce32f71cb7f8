-- 200 projects with 200,000 stories: project 1 has 20,000, project 2 has 1,000, and the others
-- share the rest in turn. Project 203 is like project 1, but with 200,000. Projects 201 and 202
-- have 300 and 15 iterations, and 204 is like 201, with 180,000 more stories accepted in its first
-- week. Run as a superuser, on an empty database in which the people who hold tokens have been
-- created; keys are not checked.
set search_path = planwright;
set session_replication_role = replica;
begin;

insert into person (name, initials, username, email)
select 'Person ' || i, 'P' || i, 'person' || i, 'person' || i || '@example.test'
from generate_series(5, 40) i;

insert into account (name) values ('Bench');
insert into account_membership (account_id, person_id, owner, admin, project_creator)
select 1, id, id = 1, id = 1, id = 1 from person;

insert into project (id, account_id, name, created_at)
select i, 1, 'Project ' || i, now() - case when i in (201, 204) then interval '300 weeks'
	when i = 202 then interval '15 weeks' else interval '1 year' end from generate_series(1, 204) i;
insert into project_membership (project_id, person_id, role)
select p.id, m, case when m = 1 then 'owner' else 'member' end
from project p, lateral (select generate_series(1, 4) m
	union select 5 + (p.id + k * 7) % 36 from generate_series(0, 3) k) x;

insert into label (id, project_id, name)
select (p - 1) * 10 + l + 1, p, (array['design', 'backend', 'api', 'mobile', 'needs review',
	'performance', 'security', 'billing', 'search', 'release 2'])[l + 1]
from generate_series(1, 204) p, generate_series(0, 9) l;

-- Of every hundred, ten are accepted, ten started and ten unstarted; the rest are unscheduled.
insert into story (id, project_id, name, description, story_type, current_state, estimate,
	requested_by_id, owner_ids, label_ids, accepted_at, created_at, updated_at, rank)
select i, p, 'Story ' || i || ': ' || repeat('what somebody wants ', 2 + i % 3),
	case when i % 5 > 0 then repeat('Given a thing, when it is done, then it shows. ', 3 + i % 5) end,
	case when i % 10 < 7 then 'feature' when i % 10 < 9 then 'bug' else 'chore' end,
	s, case when i % 10 < 7 then i % 4 end, 1 + i % 4,
	case i % 3 when 0 then '{}' when 1 then array[1 + i % 4] else array[1 + i % 4, 1 + (i + 1) % 4] end,
	(select coalesce(array_agg((p - 1) * 10 + 1 + (i / 7 + k * 3) % 10), '{}')
		from generate_series(1, i % 4) k),
	a, t, t, case when a is null then i * 1048576::bigint else extract(epoch from a) * 1000000 end
from (select i, case when i <= 20000 then 1 when i <= 21000 then 2 when i > 250000 then 203
			else 3 + (i - 21001) % 198 end as p,
		(array['accepted', 'started', 'unstarted'])[i / 10 % 10 + 1] as given,
		now() - interval '1 year' + i * interval '2 minutes' as t
	from generate_series(1, 450000) i where i not between 200001 and 250000) x,
lateral (select coalesce(given, 'unscheduled') as s,
	case when given = 'accepted' then t + interval '3 days' end as a) y
order by case when i <= 21000 then random() * 21000 else i end;

-- 19,000 of 20,000 are accepted over 300 weeks, and 950 of 1,000 over 15: the same number per week.
insert into story (id, project_id, name, current_state, estimate, requested_by_id, label_ids,
	accepted_at, created_at, updated_at, rank)
select p.first + i, p.id, 'Story ' || i, s, i % 4, 1,
	array[(p.id - 1) * 10 + 1 + i % 10], a, t, t,
	case when a is null then i * 1048576::bigint else extract(epoch from a) * 1000000 end
from (values (201, 200000, 0, 20000, 300), (202, 220000, 0, 1000, 15),
		(204, 700000, -180000, 20000, 300)) p(id, first, begin, stories, weeks),
	lateral generate_series(p.begin + 1, p.stories) i,
lateral (select least(now(), now() - interval '1 week' * p.weeks * (1 - greatest(i, 0)
	/ (0.95 * p.stories)) + interval '1 millisecond' * least(i + 180000, 180000)) as t) x,
lateral (select case when i <= 0.95 * p.stories then t - interval '1 minute' end as a,
	case when i <= 0.95 * p.stories then 'accepted' else 'unstarted' end as s) y;

insert into task (story_id, description, position)
select i, 'Task ' || k, k from generate_series(1, 200000, 4) i, generate_series(1, 3) k;

insert into search_text (source, source_id, project_id, story_id, text)
select 'name', id, project_id, id, name from story where id <= 240000
union all
select 'description', id, project_id, id, description from story where description <> '' and id <= 240000
union all
select 'task', t.id, s.project_id, s.id, t.description from task t join story s on s.id = t.story_id;

select labels_recount();
update project p set story_counts = c.counts
from (select project_id, array[count(*) filter (where section = 0), count(*) filter (where section = 1),
	count(*) filter (where section = 2), count(*) filter (where section = 3),
	count(*) filter (where section = 4)]::integer[] as counts from story group by 1) c
where c.project_id = p.id;

select setval('project_id_seq', 204), setval('label_id_seq', 2040), setval('story_id_seq', 800000);
commit;
vacuum analyze;
