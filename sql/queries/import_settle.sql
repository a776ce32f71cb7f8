-- The project of an import: a new one, with what its files say about its settings.

-- late: import_settings
select s.* from staged_project s order by s.n limit 1

-- late: import_staged_facts
select exists (select from staged_story where current_state = 'planned') as has_planned,
	exists (select from staged_story where story_type in ('bug', 'chore') and estimate is not null) as estimates_all,
	exists (select from staged_story where story_priority <> 'none') as has_priority,
	exists (select from staged_review_type where id is not null) as has_review_types,
	exists (select from staged_iteration_override) as has_overrides

-- late: import_estimates
select distinct estimate from staged_story where estimate is not null order by estimate limit 1000

-- Iterations of accepted stories: each number with the days that most rows give.
-- late: import_iteration_spans
select distinct on (x.number) x.number, x.first, x.last
from (select iteration_number as number, iteration_first as first, iteration_last as last, count(*) as c
	from staged_story where current_state = 'accepted' and iteration_number is not null
		and iteration_first is not null and iteration_last >= iteration_first
	group by 1, 2, 3) x
order by x.number, x.c desc, x.first limit 20000

-- late: import_project_named
select id from project where account_id = $1::bigint and lower(name) = lower($2::text)

-- The id of a new project: the one in the files ($1), if it is at most $2 and free.
-- late: import_project_id
select coalesce((select x.id from (values ($1::bigint)) x(id) where x.id between 1 and $2::bigint
	and not exists (select from project p where p.id = x.id)), nextval('project_id_seq')) as id

-- late: import_keep_version
update project set version = $2::bigint where id = $1::bigint

-- late: import_review_types
insert into review_type (project_id, name) select $1::bigint, t.name
from unnest($2::text[]) with ordinality t(name, n) order by t.n

-- late: import_new_overrides
insert into iteration_override (project_id, number, length)
select $1::bigint, o.number, o.length from unnest($2::bigint[], $3::bigint[]) o(number, length)

-- Accepted stories that end up in other iterations than in the files: how many, and the first of
-- them. $1: the days on which iterations 1, 2, … begin, up to the current one.
-- late: import_iterations_differ
with x as (select m.id, s.iteration_number as said, greatest(1, width_bucket(
		(local_date(m.accepted_at, p.time_zone) - date '1970-01-01')::bigint, $1::bigint[])) as made
	from staged_story s join merged_story m using (n) join import_run r on true
	join project p on p.id = r.project_id
	where m.current_state = 'accepted' and s.iteration_number is not null and m.action in ('create', 'update'))
select count(*) over () as stories, id as example, said::bigint as said, made::bigint as made from x
where made <> said order by id limit 1
