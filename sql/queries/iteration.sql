-- name: planning_project
select * from planning_project($1::bigint, $2::text, $3::bigint::integer, $4::bigint::integer)

-- name: planning_overrides
select number, coalesce(length, 0) as weeks, coalesce(team_strength, -1) as strength
from iteration_override where project_id = $1::bigint order by number

-- name: planning_done
select * from planning_done($1::bigint, $2::text, $3::bigint::integer, $4::bigint::integer,
	$5::boolean, $6::boolean, $7::text)

-- name: planning_open
select * from planning_open($1::bigint, $2::text, $3::bigint::integer, $4::bigint::integer,
	$5::boolean, $6::text)

-- name: iteration_override_get
select $1::bigint as number, p.id as project_id, coalesce(o.length, p.iteration_length) as length,
	coalesce(o.team_strength, 1) as team_strength
from project p left join iteration_override o on o.project_id = p.id and o.number = $1::bigint
where p.id = $3::bigint and ($2::bigint is null or true)

-- What iteration $1 of the project $2 has of its own, if anything.
-- name: iteration_override_load
select $1::bigint as number, p.id as project_id, o.length, o.team_strength, c.number as current
from project p cross join lateral current_iteration(p) c
left join iteration_override o on o.project_id = p.id and o.number = $1::bigint
where p.id = $2::bigint

-- name: iteration_override_put
with gone as (delete from iteration_override where project_id = $2::bigint and number = $1::bigint
	and $3::integer is null and $4::double precision is null)
insert into iteration_override (project_id, number, length, team_strength)
select $2::bigint, $1::bigint, $3::integer, $4::double precision
where $3::integer is not null or $4::double precision is not null
on conflict (project_id, number) do update
set length = excluded.length, team_strength = excluded.team_strength

-- name: project_iterations
select p.id as parent_id, shown_iterations_start(p) as shown_iterations_start_time,
	array(select o.number::bigint from iteration_override o where o.project_id = p.id
		order by o.number) as iteration_override_numbers
from project p where p.id = any($1::bigint[])

-- name: release_places
select s.id, s.project_id, case when s.section = 0
	then accepted_iteration_finish(p, s.accepted_at) end as finish, s.id as story_id
from story s join project p on p.id = s.project_id
where s.id = any($1::bigint[]) and s.story_type = 'release' and s.section < 4
order by s.project_id

-- name: epic_places
-- The plan keeps the project's order, so the last story in it is the last to be done.
select e.id, e.project_id, null::timestamptz as finish,
	(max(array[s.section, s.rank, s.id]))[3] as story_id
from epic e join story s on s.project_id = e.project_id and s.section in (1, 2, 3)
	and s.label_ids @> array[e.label_id]
where e.id = any($1::bigint[]) group by e.id order by e.project_id
