-- Parts of stories. Commands load them from the tables ($1 the id of a part, or the ids in a list; $2
-- the story's), answers show them from the views.

-- each: blocker blockers, review reviews, pull_request pull_requests, branch branches, cicd_event cicd_events

-- name: {list}_of_stories
select story_id as parent_id, * from api.{one} where story_id = any($1::bigint[])
order by story_id, id

-- name: {one}_list
select * from api.{one} where story_id = $1::bigint order by id

-- name: {one}_get
select * from api.{one} where id = $1::bigint and story_id = $2::bigint

-- name: load_{one}
select * from {one} where id = $1::bigint and story_id = $2::bigint

-- name: load_{list}
select * from {one} where id = any($1::bigint[]) and story_id = $2::bigint

-- Epics have these, too.
-- each: pull_request pull_requests, branch branches

-- name: {list}_of_epics
select epic_id as parent_id, * from api.{one} where epic_id = any($1::bigint[])
order by epic_id, id

-- each:

-- name: blocked_stories
select o.parent_id, s.* from (select distinct i.id as parent_id, b.story_id
	from unnest($1::bigint[]) i(id)
	join blocker b on b.blocking_story_ids @> array[i.id] and not b.resolved) o
join api.story s on s.id = o.story_id order by o.parent_id, s.id

-- name: review_type_by_ids
select * from api.review_type where id = any($1::bigint[])

-- name: review_types_of_projects
select project_id as parent_id, * from api.review_type where project_id = any($1::bigint[])
order by project_id, id

-- name: review_type_list
select * from api.review_type where project_id = $1::bigint order by id

-- name: review_type_get
select * from api.review_type where id = $1::bigint and project_id = {project}

-- each: follower follower_ids, story_owner owner_ids

-- Who may see an address is written here once for both.
-- name: {one}_list
select p.id, p.name, case when p.id = {me} or exists (select from api.acquaintance k
		where k.person_id = {me} and k.other_id = p.id and {reached k.place}) then p.email end as email,
	p.initials, p.username
from story s cross join lateral unnest(s.{list}) with ordinality x(id, n)
join person p on p.id = x.id where s.id = $1::bigint order by x.n

-- name: {one}_get
select p.id, p.name, case when p.id = {me} or exists (select from api.acquaintance k
		where k.person_id = {me} and k.other_id = p.id and {reached k.place}) then p.email end as email,
	p.initials, p.username
from person p where p.id = $1::bigint
