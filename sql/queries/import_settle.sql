-- The project of an import: a new one, with what its files tell of its settings.

-- late: import_settings
select s.name, s.time_zone, s.iteration_length, s.week_start_day, s.point_scale, s.start_date,
	s.version, coalesce(s.whole, false) as whole, s.id, s.automatic_planning,
	s.bugs_and_chores_are_estimatable
from staged_project s order by s.n limit 1

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

-- What is said by the command ($4 to $8), by the files, and what follows from them ($9 to $13).
-- late: import_new_project
insert into project (id, account_id, name, description, profile_content, status, join_as,
	iteration_length, week_start_day, point_scale, bugs_and_chores_are_estimatable,
	automatic_planning, enable_tasks, enable_incoming_emails, time_zone, velocity_averaged_over,
	number_of_done_iterations_to_show, initial_velocity, public, project_type, atom_enabled,
	show_story_priority, show_priority_icon, show_priority_icon_in_all_panels, start_date, version,
	created_at, updated_at)
select coalesce((select s.id where s.id between 1 and 2147483647
		and not exists (select from project p where p.id = s.id)), nextval('project_id_seq')),
	$1::bigint, $2::text, s.description, s.profile_content, s.status, s.join_as,
	coalesce($4::bigint::integer, case when s.iteration_length between 1 and 4 then s.iteration_length::integer end,
		$9::bigint::integer), x.day, coalesce($6::text, s.point_scale, $11::text),
	coalesce(s.bugs_and_chores_are_estimatable, $12::boolean), coalesce(s.automatic_planning, true) and not $13::boolean,
	coalesce(s.enable_tasks, true), coalesce(s.enable_incoming_emails, true), $3::text,
	case when s.velocity_averaged_over between 1 and 4 then s.velocity_averaged_over else 3 end,
	case when s.number_of_done_iterations_to_show between 1 and 1000
		then s.number_of_done_iterations_to_show else 4 end,
	case when s.initial_velocity between 1 and 999 then s.initial_velocity else 10 end,
	coalesce(s.public, false), case when s.public then 'public' else 'private' end,
	coalesce(s.atom_enabled, false), coalesce(s.show_story_priority, $14::boolean),
	coalesce(s.show_priority_icon, false), coalesce(s.show_priority_icon_in_all_panels, true),
	week_start(coalesce($7::date, s.start_date, $8::date), x.day),
	case when s.whole and s.version > 0 then s.version else 1 end, least(coalesce(s.created_at, now()), now()),
	least(coalesce(s.updated_at, s.created_at, now()), now())
from (values (1)) one left join (select * from staged_project order by n limit 1) s on true
cross join lateral (select coalesce($5::text, s.week_start_day, $10::text, 'Monday') as day) x
returning id, week_start_day, iteration_length, point_scale, time_zone, start_date, automatic_planning

-- late: import_raise_project
select setval('project_id_seq', $1::bigint)::text as raised
where $1::bigint > (select last_value from project_id_seq)

-- late: import_review_types
insert into review_type (project_id, name) select $1::bigint, t.name
from unnest(array['Test (QA)', 'Design', 'Code', 'Security']) with ordinality t(name, n) order by t.n

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
