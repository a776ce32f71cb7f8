-- name: workspace_list
select w.* from (select {me} as id, {reach} as reach) c
cross join lateral api.workspaces_within(c.id, c.reach) w
where $1::bigint is null or true order by w.id

-- name: workspace_by_ids
select w.* from (select {me} as id, {reach} as reach) c
cross join lateral api.workspaces_within(c.id, c.reach) w
where w.id = any($1::bigint[]) order by w.id

-- name: workspace_get
select w.* from (select {me} as id, {reach} as reach) c
cross join lateral api.workspaces_within(c.id, c.reach) w
where w.id = $1::bigint

-- name: workspace_load
select * from workspace where id = $1::bigint

-- Those that the caller cannot see at the moment, and so cannot mean to take out.
-- name: workspace_unreached
select i from workspace w, unnest(w.project_ids) with ordinality x(i, n)
where w.id = $1::bigint and not {reached i} order by n

-- Those of a wish's projects that the caller is in.
-- name: workspace_projects
select m.project_id from project_membership m
where m.person_id = {me} and {reached m.project_id} and m.project_id = any($1::bigint[])
