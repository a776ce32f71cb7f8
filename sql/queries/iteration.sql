-- What iterations are computed from (src/store/plan_load.h); days are local dates of the project.
-- name: planning_projects
select * from api.project_planning where id = any($1::bigint[]) order by id

-- name: planning_midnights
select array(select micros(local_midnight(d.day::date, $3::text))
	from generate_series($1::date::timestamp, $2::date::timestamp, interval '7 days') d(day))

-- The midnights of days since 1970, each in a zone of its own.
-- name: planning_instants
select local_midnight(date '1970-01-01' + d.day::integer, d.zone)
from unnest($1::bigint[], $2::text[]) with ordinality d(day, zone, place) order by d.place

-- Stories accepted from one day up to another, or to the end, in order of acceptance. `shown`: it
-- has the label, if one is given.
-- name: planning_accepted
select s.id, s.section, s.rank, s.estimate, $4::text is null or s.label_ids @> array[
	(select l.id from label l where l.project_id = $1::bigint and l.name = lower($4::text))] as shown
from story s where s.project_id = $1::bigint and s.section = 0
	and s.rank >= (select micros(local_midnight($2::date, p.time_zone)) from project p
		where p.id = $1::bigint)
	and s.rank < (select coalesce(micros(local_midnight($3::date, p.time_zone)), 9223372036854775807)
		from project p where p.id = $1::bigint)
order by s.section, s.rank, s.id

-- Stories that are not accepted and not in the icebox, after a place, in the project's order.
-- name: planning_unaccepted
select s.id, s.section, s.rank, s.estimate, $6::text is null or s.label_ids @> array[
	(select l.id from label l where l.project_id = $1::bigint and l.name = lower($6::text))] as shown
from story s where s.project_id = $1::bigint and s.section < 4
	and (s.section, s.rank, s.id) > ($2::bigint, $3::bigint, $4::bigint)
order by s.section, s.rank, s.id limit $5::bigint

-- name: iteration_override_get
select $1::bigint as number, p.id as project_id, coalesce(o.length, p.iteration_length) as length,
	coalesce(o.team_strength, 1) as team_strength
from project p left join iteration_override o on o.project_id = p.id and o.number = $1::bigint
where p.id = $3::bigint and ($2::bigint is null or true)

-- What is overridden for iteration $1 of the project $2, if anything.
-- name: iteration_override_load
select $1::bigint as number, p.id as project_id, o.length, o.team_strength
from project p left join iteration_override o on o.project_id = p.id and o.number = $1::bigint
where p.id = $2::bigint

-- name: iteration_override_put
with gone as (delete from iteration_override where project_id = $2::bigint and number = $1::bigint
	and $3::integer is null and $4::double precision is null)
insert into iteration_override (project_id, number, length, team_strength)
select $2::bigint, $1::bigint, $3::integer, $4::double precision
where $3::integer is not null or $4::double precision is not null
on conflict (project_id, number) do update
set length = excluded.length, team_strength = excluded.team_strength

-- name: release_places
select s.id, s.project_id, case when s.section = 0
	then local_date(s.accepted_at, p.time_zone) end as accepted_day, s.id as story_id
from story s join project p on p.id = s.project_id
where s.id = any($1::bigint[]) and s.story_type = 'release' and s.section < 4
order by s.project_id

-- name: epic_places
-- The plan keeps the project's order, so the last story in it is the last to be done.
select e.id, e.project_id, null::date as accepted_day,
	(max(array[s.section, s.rank, s.id]))[3] as story_id
from epic e join story s on s.project_id = e.project_id and s.section in (1, 2, 3)
	and s.label_ids @> array[e.label_id]
where e.id = any($1::bigint[]) group by e.id order by e.project_id
