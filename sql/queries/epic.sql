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

-- name: epic_projects
select e.project_id from epic e where e.id = any($1::bigint[]) order by e.project_id

-- Of projects $2 the current iterations began $3 days after 1970.
-- name: epic_rollups
with started (project_id, at) as materialized (select p.id, local_midnight(date '1970-01-01'
		+ d.day::integer, p.time_zone)
	from unnest($2::bigint[], $3::bigint[]) d(project_id, day) join project p on p.id = d.project_id)
select e.id as parent_id, coalesce(d.points, 0) as past_done_story_estimates,
	coalesce(d.stories, 0) as past_done_stories_count,
	coalesce(d.pointless, 0) as past_done_stories_no_point_count, d.completed_at
from epic e join started c on c.project_id = e.project_id
left join lateral (select sum(s.estimate) filter (where s.accepted_at < c.at) as points,
		count(*) filter (where s.accepted_at < c.at) as stories,
		count(*) filter (where s.accepted_at < c.at and coalesce(s.estimate, 0) = 0) as pointless,
		case when bool_and(s.section = 0) then max(s.accepted_at) end as completed_at
	from story s where s.label_ids @> array[e.label_id]) d on true
where e.id = any($1::bigint[])
