-- name: story_transition_list
select * from api.story_transition where story_id = $1::bigint
order by id limit $2::bigint offset $3::bigint

-- name: story_transition_count
select count(*) from story_transition t where t.story_id = $1::bigint {where}

-- name: project_transition_list
select t.* from api.story_transition t where t.project_id = $1::bigint {where}
order by t.occurred_at, t.id limit $2::bigint offset $3::bigint

-- name: project_transition_count
select count(*) from story_transition t where t.project_id = $1::bigint {where}

-- name: transitions_of_stories
select story_id as parent_id, * from api.story_transition where story_id = any($1::bigint[])
order by story_id, id
