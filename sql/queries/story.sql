-- Each column costs PostgreSQL two thousand instructions for a statement and some hundred for a row
-- (docs/performance.md), so what is read most names its own: those of the default answer, and all
-- that answers show. owned_by_id is the first of owner_ids.
-- columns: story_brief
--	v.id, v.created_at, v.updated_at, v.accepted_at, v.estimate, v.story_type, v.story_priority,
--	v.name, v.description, v.current_state, v.requested_by_id, v.project_id, v.owner_ids,
--	v.label_ids, v.deadline, v.integration_id, v.external_id
-- columns: story_shown
--	{story_brief}, v.follower_ids, v.imported_at, v.imported_by_id

-- name: story_by_ids
select * from api.story where id = any($1::bigint[])

-- name: stories_visible
-- Also those that have moved to other projects that the caller sees.
select s.* from api.story s where s.id = any($1::bigint[]) and (s.project_id = {project}
	or (select j.public from project j where j.id = s.project_id)
	or exists (select from project_membership m where m.project_id = s.project_id and m.person_id = {me}
		and {reached m.project_id}))

-- name: story_get
select {story_shown} from story v
where v.id = $1::bigint and v.project_id = coalesce({project}, v.project_id)

-- name: story_list
select {story_shown} from (select s.id, s.section, s.rank from story s
	where s.project_id = $1::bigint {where}
	order by s.section, s.rank, s.id limit $2::bigint offset $3::bigint) p
join story v on v.id = p.id order by p.section, p.rank, p.id

-- name: story_exists
select from (select project_id from story where id = $1::bigint offset 0) s
where s.project_id = $2::bigint

-- name: story_page
select {story_shown} from story v where v.project_id = $1::bigint
order by v.section, v.rank, v.id limit $2::bigint offset $3::bigint

-- name: story_page_brief
select {story_brief} from story v where v.project_id = $1::bigint
order by v.section, v.rank, v.id limit $2::bigint offset $3::bigint

-- name: story_count
select count(*) from story s where s.project_id = $1::bigint {where}

-- name: story_bulk
select * from api.story s where s.project_id = $1::bigint {where}
order by s.section, s.rank, s.id

-- name: stories_of_projects
select project_id as parent_id, * from api.story where project_id = any($1::bigint[])
order by project_id, section, rank, id

-- name: story_neighbours
select s.id as parent_id, b.id as before_id, a.id as after_id
from unnest($1::bigint[]) i(id) join story s on s.id = i.id
left join lateral (select n.id from story n where n.project_id = s.project_id
	and (n.section, n.rank, n.id) > (s.section, s.rank, s.id)
	order by n.section, n.rank, n.id limit 1) b on true
left join lateral (select n.id from story n where n.project_id = s.project_id
	and (n.section, n.rank, n.id) < (s.section, s.rank, s.id)
	order by n.section desc, n.rank desc, n.id desc limit 1) a on true

-- name: tasks_of_stories
select story_id as parent_id, * from api.task where story_id = any($1::bigint[])
order by story_id, position

-- name: task_list
select * from api.task where story_id = $1::bigint order by position

-- name: task_get
select * from api.task where id = $1::bigint and story_id = $2::bigint
