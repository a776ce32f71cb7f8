-- What commands on parts of stories load besides the parts (part.sql): what these refer to.

-- name: load_comments
select * from comment where id = any($1::bigint[]) and story_id = $2::bigint

-- name: load_review_type
select * from review_type where id = $1::bigint and project_id = $2::bigint

-- name: load_review_type_named
select * from review_type where project_id = $1::bigint and lower(name) = lower($2::text)

-- Review types of the project ($1, otherwise that of the story $2).
-- name: load_review_types
select t.* from review_type t where t.id = any($3::bigint[]) and t.project_id = coalesce($1::bigint,
	(select project_id from story where id = $2::bigint))

-- Those of the ids $3 that are stories of the project ($1, otherwise that of the story $2).
-- name: load_stories_named
select s.id from story s where s.id = any($3::bigint[]) and s.project_id = coalesce($1::bigint,
	(select project_id from story where id = $2::bigint)) order by s.id
