-- name: saved_search_list
select * from api.saved_search where project_id = $1::bigint and person_id = {me} order by id

-- name: saved_search_get
select * from api.saved_search where id = $1::bigint and project_id = {project}
	and person_id = {me}

-- name: saved_search_exists
select person_id = {me} as allowed from saved_search where project_id = $1::bigint and id = $2::bigint

-- name: saved_search_load
select * from saved_search where id = $1::bigint and project_id = $2::bigint
