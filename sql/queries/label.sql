-- name: label_by_ids
select * from api.label where id = any($1::bigint[])

-- name: labels_of_projects
select project_id as parent_id, * from api.label where project_id = any($1::bigint[]) order by name

-- name: label_list
select l.* from api.label l where l.project_id = $1::bigint {where} order by l.name

-- name: label_get
select * from api.label where id = $1::bigint and project_id = {project}

-- name: label_counts
select id as parent_id, tally as counts from label where id = any($1::bigint[])

-- name: label_epics
select i.id as parent_id, exists (select from epic e where e.label_id = i.id) as has_epic
from unnest($1::bigint[]) i(id)

-- name: labels_of_story
select l.* from api.label l
where l.id = any((select s.label_ids from story s where s.id = $1::bigint)::bigint[])

-- name: labels_of_stories
select l.* from api.label l
where l.id = any(array(select unnest(s.label_ids) from story s where s.id = any($1::bigint[])))

-- name: story_label_list
select l.* from api.label l
where l.id = any((select s.label_ids from story s where s.id = $1::bigint)::bigint[]) order by l.name
