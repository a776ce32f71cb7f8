-- What commands on parts of stories load: the part of a path ($1 its id, $2 the story's), those
-- named in a list ($2 the story's id, $1 theirs), and what they name.

-- name: load_blocker
select * from blocker where id = $1::bigint and story_id = $2::bigint

-- name: load_review
select * from review where id = $1::bigint and story_id = $2::bigint

-- name: load_pull_request
select * from pull_request where id = $1::bigint and story_id = $2::bigint

-- name: load_branch
select * from branch where id = $1::bigint and story_id = $2::bigint

-- name: load_cicd_event
select * from cicd_event where id = $1::bigint and story_id = $2::bigint

-- name: load_blockers
select * from blocker where id = any($1::bigint[]) and story_id = $2::bigint

-- name: load_reviews
select * from review where id = any($1::bigint[]) and story_id = $2::bigint

-- name: load_pull_requests
select * from pull_request where id = any($1::bigint[]) and story_id = $2::bigint

-- name: load_branches
select * from branch where id = any($1::bigint[]) and story_id = $2::bigint

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
