-- name: project_list
select p.* from project_membership m join api.project p on p.id = m.project_id
where m.person_id = me() and ($1::bigint is null or true) {where} order by p.id

-- name: project_by_ids
select * from api.project where id = any($1::bigint[])

-- name: projects_seen
select * from api.project where id = any($1::bigint[]) and sees_project(id)

-- name: project_get
select * from api.project where id = coalesce($1::bigint, made())

-- name: project_new_account
select set_config('planwright.account_name', $1::text, true)

-- name: project_no_owner
select set_config('planwright.no_owner', $1::boolean::text, true)

-- name: project_sample
select refuse_field('create_sample', 'This service has no sample project.') where $1::boolean

-- name: project_may_take_long
select set_config('statement_timeout', '0', true) where $1::bigint is not null

-- name: project_delete
select project_delete($1::bigint)

-- name: memberships_of_projects
select project_id as parent_id, * from api.project_membership
where project_id = any($1::bigint[]) order by id

-- name: project_membership_list
select * from api.project_membership where project_id = $1::bigint order by id

-- name: project_membership_list_by_name
select m.* from api.project_membership m join person p on p.id = m.person_id
where m.project_id = $1::bigint order by p.name, m.id

-- name: project_membership_get
select * from api.project_membership where project_id = project() and id = coalesce($1::bigint, made())

-- name: project_membership_insert
with i as (insert into project_membership (project_id, person_id, role, project_color, created_at)
	values ($1::bigint, person_for_membership($2::bigint, $3::text, $4::text, $5::text),
		coalesce($6::text, 'member'), coalesce(color_of($7::text), '555555'),
		coalesce($8::timestamptz, clock()))
	returning id)
select made(id) from i

-- name: project_membership_may_update
select membership_writable($2::bigint, $3::text) where $1::bigint is not null

-- name: project_membership_may_delete
select membership_removable($2::bigint) where $1::bigint is not null
