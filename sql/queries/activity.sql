-- name: activity_list
select a.* from api.activity a where a.project_id = $1::bigint {where}
order by a.project_version desc limit $2::bigint offset $3::bigint

-- name: activity_ascending
select a.* from api.activity a where a.project_id = $1::bigint {where}
order by a.project_version limit $2::bigint offset $3::bigint

-- Activities of the project $1, before $2, after $3, above version $4. Without times, there is one
-- for each version.
-- name: activity_count
select case when $2::timestamptz is null and $3::timestamptz is null and p.told_late_s is not null
	then greatest(0, p.version - greatest($4::bigint, 1))
	else feed_total(p.id, $2::timestamptz, $3::timestamptz, $4::bigint) end
from project p where p.id = $1::bigint

-- What happened to one object. `is true` keeps the planner from reading the project's whole index besides the object's:
-- it takes the object to be more frequent than it is.
-- name: story_activity_list
select a.* from api.activity a where (a.project_id = {project}) is true and (cardinality(a.story_ids) = 1 and a.story_ids[1] = $1::bigint
	or cardinality(a.story_ids) > 1 and a.story_ids @> array[$1::bigint]) {where}
order by a.project_version desc limit $2::bigint offset $3::bigint

-- name: story_activity_ascending
select a.* from api.activity a where (a.project_id = {project}) is true and (cardinality(a.story_ids) = 1 and a.story_ids[1] = $1::bigint
	or cardinality(a.story_ids) > 1 and a.story_ids @> array[$1::bigint]) {where}
order by a.project_version limit $2::bigint offset $3::bigint

-- name: story_activity_count
select count(*) from (select *, version as project_version from activity) a
where (a.project_id = {project}) is true and (cardinality(a.story_ids) = 1 and a.story_ids[1] = $1::bigint
	or cardinality(a.story_ids) > 1 and a.story_ids @> array[$1::bigint]) {where}

-- name: epic_activity_list
select a.* from api.activity a where (a.project_id = {project}) is true and a.epic_ids <> '{}' and a.epic_ids @> array[$1::bigint] {where}
order by a.project_version desc limit $2::bigint offset $3::bigint

-- name: epic_activity_ascending
select a.* from api.activity a where (a.project_id = {project}) is true and a.epic_ids <> '{}' and a.epic_ids @> array[$1::bigint] {where}
order by a.project_version limit $2::bigint offset $3::bigint

-- name: epic_activity_count
select count(*) from (select *, version as project_version from activity) a
where (a.project_id = {project}) is true and a.epic_ids <> '{}' and a.epic_ids @> array[$1::bigint] {where}

-- A command that had to wait for the project's row has a later version but an earlier time than one
-- that began after it. A project's versions stay in order, so that pages fit together.
-- name: my_activity_list
select v.* from project_membership m
cross join lateral (select a.* from api.activity a
	where a.project_id = m.project_id and ($1::bigint is null or true) {where}
	order by a.project_version desc limit $2::bigint + $3::bigint) v
where m.person_id = {me} and {reached m.project_id}
order by min(v.occurred_at) over (partition by v.project_id order by v.project_version desc) desc,
	v.project_id, v.project_version desc limit $2::bigint offset $3::bigint

-- name: my_activity_ascending
select v.* from project_membership m
cross join lateral (select a.* from api.activity a
	where a.project_id = m.project_id and ($1::bigint is null or true) {where}
	order by a.project_version limit $2::bigint + $3::bigint) v
where m.person_id = {me} and {reached m.project_id}
order by max(v.occurred_at) over (partition by v.project_id order by v.project_version),
	v.project_id, v.project_version limit $2::bigint offset $3::bigint

-- name: my_activity_count
select coalesce(sum(feed_total(m.project_id, $2::timestamptz, $3::timestamptz, $4::bigint)), 0)::bigint
from project_membership m where m.person_id = {me} and {reached m.project_id} and ($1::bigint is null or true)

-- One for each version after the first.
-- name: my_activity_count_all
select coalesce(sum(p.version - 1), 0)::bigint from project_membership m join project p on p.id = m.project_id
where m.person_id = {me} and {reached m.project_id} and ($1::bigint is null or true)

-- name: workspace_activity_list
select v.* from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = {me}
	and {reached m.project_id}
cross join lateral (select a.* from api.activity a where a.project_id = j.id {where}
	order by a.project_version desc limit $2::bigint + $3::bigint) v
where w.id = $1::bigint and w.person_id = {me}
order by min(v.occurred_at) over (partition by v.project_id order by v.project_version desc) desc,
	v.project_id, v.project_version desc limit $2::bigint offset $3::bigint

-- name: workspace_activity_ascending
select v.* from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = {me}
	and {reached m.project_id}
cross join lateral (select a.* from api.activity a where a.project_id = j.id {where}
	order by a.project_version limit $2::bigint + $3::bigint) v
where w.id = $1::bigint and w.person_id = {me}
order by max(v.occurred_at) over (partition by v.project_id order by v.project_version),
	v.project_id, v.project_version limit $2::bigint offset $3::bigint

-- name: workspace_activity_count
select coalesce(sum(feed_total(m.project_id, $2::timestamptz, $3::timestamptz, $4::bigint)), 0)::bigint
from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = {me}
	and {reached m.project_id}
where w.id = $1::bigint and w.person_id = {me}

-- name: workspace_activity_count_all
select coalesce(sum(p.version - 1), 0)::bigint from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = {me}
	and {reached m.project_id}
join project p on p.id = j.id
where w.id = $1::bigint and w.person_id = {me}

-- name: workspace_exists
select true as allowed from workspace
where id = $1::bigint and person_id = {me} and ({reached 0} or project_ids && {reach})
