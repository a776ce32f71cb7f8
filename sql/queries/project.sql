-- name: project_list
select p.* from project_membership m join api.project p on p.id = m.project_id
where m.person_id = {me} and {reached m.project_id} and ($1::bigint is null or true) {where}
order by p.id

-- name: project_by_ids
select * from api.project where id = any($1::bigint[])

-- name: projects_visible
select p.* from api.project p where p.id = any($1::bigint[]) and (p.id = {project}
	or (select j.public from project j where j.id = p.id)
	or exists (select from project_membership m where m.project_id = p.id and m.person_id = {me}
		and {reached m.project_id}))

-- name: project_get
select * from api.project where id = $1::bigint

-- name: memberships_of_projects
select project_id as parent_id, * from api.project_membership
where project_id = any($1::bigint[]) order by id

-- name: project_membership_list
select * from api.project_membership where project_id = $1::bigint order by id

-- name: project_membership_list_by_name
select m.* from api.project_membership m join person p on p.id = m.person_id
where m.project_id = $1::bigint order by lower(p.name), p.name, m.id

-- name: project_membership_get
select * from api.project_membership where id = $1::bigint and project_id = {project}

-- Records when a member last viewed a project, at most once a minute. Does not wait for concurrent
-- changes of the membership.
-- name: project_viewed
update project_membership set last_viewed_at = now()
where id = (select id from project_membership where project_id = $1::bigint
	and person_id = $2::bigint and coalesce(last_viewed_at < now() - interval '1 minute', true)
	for no key update skip locked)
