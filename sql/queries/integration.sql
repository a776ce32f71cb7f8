-- name: integration_list
select * from api.integration where project_id = $1::bigint order by id

-- name: integrations_of_projects
select project_id as parent_id, * from api.integration where project_id = any($1::bigint[])
	and project_id in (select m.project_id from project_membership m where m.person_id = {me}
		and {reached m.project_id})
order by project_id, id

-- name: integrations_visible
select * from api.integration where id = any($1::bigint[])
	and project_id in (select m.project_id from project_membership m where m.person_id = {me}
		and {reached m.project_id})

-- name: integration_get
select * from api.integration where id = $1::bigint and project_id = {project}

-- name: integration_exists
select true as allowed from integration where project_id = $1::bigint and id = $2::bigint

-- name: external_stories
select * from api.external_story s
where s.integration_id = $1::bigint and s.project_id = {project} {where}
order by s.id limit $2::bigint offset $3::bigint

-- name: external_story_count
select count(*) from story s where s.integration_id = $1::bigint and s.project_id = {project} {where}

-- name: integration_load
select * from integration where id = $1::bigint and project_id = $2::bigint

-- Stories keep their external id when the link is removed.
-- name: integration_unlink_stories
update story set integration_id = null, updated_at = $2::timestamptz where integration_id = $1::bigint
