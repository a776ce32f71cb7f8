-- name: workspace_list
select * from api.workspace where person_id = {me} and ($1::bigint is null or true) order by id

-- name: workspace_by_ids
select * from api.workspace where id = any($1::bigint[]) and person_id = {me} order by id

-- name: workspace_get
select * from api.workspace where id = $1::bigint and person_id = {me}

-- name: workspace_load
select * from workspace where id = $1::bigint

-- Of the projects of a wish, those that the caller is in.
-- name: workspace_projects
select m.project_id from project_membership m
where m.person_id = coalesce($2::bigint, (select id from person where token_mac = $1::bytea))
	and m.project_id = any($3::bigint[])
