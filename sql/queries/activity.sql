-- name: activity_list
select a.* from api.activity a where a.project_id = $1::bigint {where}
order by a.project_version desc limit $2::bigint offset $3::bigint

-- name: activity_ascending
select a.* from api.activity a where a.project_id = $1::bigint {where}
order by a.project_version limit $2::bigint offset $3::bigint

-- name: activity_count
select count(*) from (select *, version as project_version from activity) a where a.project_id = $1::bigint {where}

-- name: story_activity_list
select a.* from api.activity a where a.project_id = {project} and (cardinality(a.story_ids) = 1 and a.story_ids[1] = $1::bigint
	or cardinality(a.story_ids) > 1 and a.story_ids @> array[$1::bigint]) {where}
order by a.project_version desc limit $2::bigint offset $3::bigint

-- name: story_activity_ascending
select a.* from api.activity a where a.project_id = {project} and (cardinality(a.story_ids) = 1 and a.story_ids[1] = $1::bigint
	or cardinality(a.story_ids) > 1 and a.story_ids @> array[$1::bigint]) {where}
order by a.project_version limit $2::bigint offset $3::bigint

-- name: story_activity_count
select count(*) from (select *, version as project_version from activity) a
where a.project_id = {project} and (cardinality(a.story_ids) = 1 and a.story_ids[1] = $1::bigint
	or cardinality(a.story_ids) > 1 and a.story_ids @> array[$1::bigint]) {where}

-- name: epic_activity_list
select a.* from api.activity a where a.project_id = {project} and a.epic_ids <> '{}' and a.epic_ids @> array[$1::bigint] {where}
order by a.project_version desc limit $2::bigint offset $3::bigint

-- name: epic_activity_ascending
select a.* from api.activity a where a.project_id = {project} and a.epic_ids <> '{}' and a.epic_ids @> array[$1::bigint] {where}
order by a.project_version limit $2::bigint offset $3::bigint

-- name: epic_activity_count
select count(*) from (select *, version as project_version from activity) a
where a.project_id = {project} and a.epic_ids <> '{}' and a.epic_ids @> array[$1::bigint] {where}

-- A command that waited for the project's row has a later version than one that began after
-- it, and an earlier time: the versions of a project stay in order, for pages that fit together.
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
select count(*) from project_membership m join (select *, version as project_version from activity) a on a.project_id = m.project_id
where m.person_id = {me} and {reached m.project_id} and ($1::bigint is null or true) {where}

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
select count(*) from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = {me}
	and {reached m.project_id}
join (select *, version as project_version from activity) a on a.project_id = j.id
where w.id = $1::bigint and w.person_id = {me} {where}

-- name: workspace_activity_count_all
select coalesce(sum(p.version - 1), 0)::bigint from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = {me}
	and {reached m.project_id}
join project p on p.id = j.id
where w.id = $1::bigint and w.person_id = {me}

-- name: workspace_exists
select true as allowed from workspace
where id = $1::bigint and person_id = {me} and ({reached 0} or project_ids && {reach})
