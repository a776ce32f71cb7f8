-- name: epic_list
select * from api.epic where project_id = $1::bigint order by rank, id

-- name: epic_get
select * from api.epic where id = $1::bigint and project_id = coalesce({project}, project_id)

-- name: epics_of_projects
select project_id as parent_id, * from api.epic where project_id = any($1::bigint[])
order by project_id, rank, id

-- name: label_of_epic
select l.* from api.label l
where l.id = (select e.label_id from epic e where e.id = $1::bigint)

-- name: epic_neighbours
select e.id as parent_id, b.id as before_id, a.id as after_id
from unnest($1::bigint[]) i(id) join epic e on e.id = i.id
left join lateral (select n.id from epic n where n.project_id = e.project_id
	and (n.rank, n.id) > (e.rank, e.id) order by n.rank, n.id limit 1) b on true
left join lateral (select n.id from epic n where n.project_id = e.project_id
	and (n.rank, n.id) < (e.rank, e.id) order by n.rank desc, n.id desc limit 1) a on true

-- From these, plan_epic_rollups works out what of each epic was accepted before the current
-- iteration: the project, counts up to the earliest day on which that iteration can have begun
-- (judging by the longest one there is), and the stories accepted from then on.
-- name: epic_rollups
with c as materialized (select p.*, local_midnight(p.today - 7 * greatest(p.iteration_length,
		(select max(w) from unnest(p.override_weeks) w))::integer, p.time_zone_olson_name) as at
	from api.project_planning p where p.id in (select e.project_id from epic e where e.id = any($1::bigint[])))
select e.id as parent_id, c.*, coalesce(d.points, 0) as points, coalesce(d.stories, 0) as stories,
	coalesce(d.pointless, 0) as pointless, d.completed_at,
	coalesce(d.later_days, '{}') as later_days, coalesce(d.later_estimates, '{}') as later_estimates
from epic e join c on c.id = e.project_id
left join lateral (select sum(s.estimate) filter (where s.accepted_at < c.at) as points,
		count(*) filter (where s.accepted_at < c.at) as stories,
		count(*) filter (where s.accepted_at < c.at and coalesce(s.estimate, 0) = 0) as pointless,
		array_agg((local_date(s.accepted_at, c.time_zone_olson_name) - date '1970-01-01')::bigint
			order by s.id) filter (where s.accepted_at >= c.at) as later_days,
		array_agg(coalesce(s.estimate, 0) order by s.id)
			filter (where s.accepted_at >= c.at) as later_estimates,
		case when bool_and(s.section = 0) then max(s.accepted_at) end as completed_at
	from story s where s.label_ids @> array[e.label_id]) d on true
where e.id = any($1::bigint[])
