-- name: blockers_of_stories
select story_id as parent_id, * from api.blocker where story_id = any($1::bigint[])
order by story_id, id

-- name: blocker_list
select * from api.blocker where story_id = $1::bigint order by id

-- name: blocker_get
select * from api.blocker where id = $1::bigint and story_id = $2::bigint

-- name: blocked_stories
select o.parent_id, s.* from (select distinct i.id as parent_id, b.story_id
	from unnest($1::bigint[]) i(id)
	join blocker b on b.blocking_story_ids @> array[i.id] and not b.resolved) o
join api.story s on s.id = o.story_id order by o.parent_id, s.id

-- name: reviews_of_stories
select story_id as parent_id, * from api.review where story_id = any($1::bigint[])
order by story_id, id

-- name: review_list
select * from api.review where story_id = $1::bigint order by id

-- name: review_get
select * from api.review where id = $1::bigint and story_id = $2::bigint

-- name: review_type_by_ids
select * from api.review_type where id = any($1::bigint[])

-- name: review_types_of_projects
select project_id as parent_id, * from api.review_type where project_id = any($1::bigint[])
order by project_id, id

-- name: review_type_list
select * from api.review_type where project_id = $1::bigint order by id

-- name: review_type_get
select * from api.review_type where id = $1::bigint and project_id = {project}

-- name: pull_requests_of_stories
select story_id as parent_id, * from api.pull_request where story_id = any($1::bigint[])
order by story_id, id

-- name: pull_request_list
select * from api.pull_request where story_id = $1::bigint order by id

-- name: pull_request_get
select * from api.pull_request where id = $1::bigint and story_id = $2::bigint

-- name: pull_requests_of_epics
select epic_id as parent_id, * from api.pull_request where epic_id = any($1::bigint[])
order by epic_id, id

-- name: branches_of_stories
select story_id as parent_id, * from api.branch where story_id = any($1::bigint[])
order by story_id, id

-- name: branch_list
select * from api.branch where story_id = $1::bigint order by id

-- name: branch_get
select * from api.branch where id = $1::bigint and story_id = $2::bigint

-- name: branches_of_epics
select epic_id as parent_id, * from api.branch where epic_id = any($1::bigint[])
order by epic_id, id

-- name: cicd_events_of_stories
select story_id as parent_id, * from api.cicd_event where story_id = any($1::bigint[])
order by story_id, id

-- name: cicd_event_list
select * from api.cicd_event where story_id = $1::bigint order by id

-- name: cicd_event_get
select * from api.cicd_event where id = $1::bigint and story_id = $2::bigint

-- name: follower_list
select p.id, p.name, case when p.id = {me} or exists (select from api.acquaintance k
		where k.person_id = {me} and k.other_id = p.id) then p.email end as email,
	p.initials, p.username
from story s cross join lateral unnest(s.follower_ids) with ordinality x(id, n)
join person p on p.id = x.id where s.id = $1::bigint order by x.n

-- name: follower_get
select p.id, p.name, case when p.id = {me} or exists (select from api.acquaintance k
		where k.person_id = {me} and k.other_id = p.id) then p.email end as email,
	p.initials, p.username
from person p where p.id = $1::bigint
