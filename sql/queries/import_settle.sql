-- The project of an import: a new one, with what its files tell of its settings.

-- late: import_settings
select s.* from staged_project s order by s.n limit 1

-- late: import_facts
select exists (select from staged_story where current_state = 'planned') as has_planned,
	exists (select from staged_story where story_type in ('bug', 'chore') and estimate is not null) as estimates_all,
	exists (select from staged_story where story_priority <> 'none') as has_priority,
	exists (select from staged_review_type where id is not null) as has_review_types,
	exists (select from staged_iteration_override) as has_overrides

-- late: import_estimates
select distinct estimate from staged_story where estimate is not null order by estimate limit 1000

-- Iterations of accepted stories: each number with the days that most rows say.
-- late: import_spans
select distinct on (x.number) x.number, x.first, x.last
from (select iteration_number as number, iteration_first as first, iteration_last as last, count(*) as c
	from staged_story where current_state = 'accepted' and iteration_number is not null
		and iteration_first is not null and iteration_last >= iteration_first
	group by 1, 2, 3) x
order by x.number, x.c desc, x.first limit 20000

-- late: import_project_named
select id from project where account_id = $1::bigint and lower(name) = lower($2::text)

-- The id of a new project: that of the files ($1) up to $2, if it is free.
-- late: import_project_id
select coalesce((select x.id from (values ($1::bigint)) x(id) where x.id between 1 and $2::bigint
	and not exists (select from project p where p.id = x.id)), nextval('project_id_seq')) as id

-- late: import_keep_version
update project set version = $2::bigint where id = $1::bigint

-- late: import_raise_project
select setval('project_id_seq', $1::bigint)::text as raised
where $1::bigint > (select last_value from project_id_seq)

-- late: import_review_types
insert into review_type (project_id, name) select $1::bigint, t.name
from unnest($2::text[]) with ordinality t(name, n) order by t.n

-- late: import_new_overrides
insert into iteration_override (project_id, number, length)
select $1::bigint, o.number, o.length from unnest($2::bigint[], $3::bigint[]) o(number, length)

-- Accepted stories that come out in other iterations than the files have them: how many, the
-- first of them, and the calendar of the project.
-- late: import_iterations_differ
with j as materialized (select p, p.time_zone, p.iteration_length, p.week_start_day,
		(current_iteration(p)).number as current, first_day(p) as first_day
	from project p join import_run r on r.project_id = p.id),
x as (select s.iteration_number as said, local_date(m.accepted_at, j.time_zone) as day,
		min(m.accepted_at) as at, count(*) as stories, min(m.id) as example
	from j cross join staged_story s join merged_story m using (n)
	where m.current_state = 'accepted' and s.iteration_number is not null and m.action in ('create', 'update')
	group by 1, 2),
y as (select x.*, i.number as is from j cross join x
	left join lateral accepted_iteration(j.p, j.first_day, j.current, x.at) i on true
	where i.number is distinct from x.said)
select sum(y.stories)::bigint as stories, (array_agg(y.example order by y.example))[1] as example,
	(array_agg(y.said order by y.example))[1] as said,
	(array_agg(y.is order by y.example))[1]::bigint as is, j.iteration_length::bigint as length,
	j.week_start_day, j.first_day
from y cross join j group by j.iteration_length, j.week_start_day, j.first_day
