-- name: history_iteration_days
select history_header() as header, iteration_days({project}, $1::bigint, $2::bigint[]) as data

-- name: history_project_days
select history_header() as header, project_days($1::bigint, $2::date, $3::date, $4::bigint) as data

-- name: history_project_window
select first, last from project_window($1::bigint, $2::date, $3::date, $4::bigint)

-- name: history_release_days
select history_header() as header, release_days({project}, $1::bigint, $2::date, $3::date, $4::bigint) as data

-- name: history_release_window
select first, last from release_window({project}, $1::bigint, $2::date, $3::date, $4::bigint)
where first is not null

-- name: history_snapshots
select * from project_snapshots($1::bigint, $2::date, $3::date, $4::bigint)

-- name: history_snapshots_window
select first, last from snapshots_window($1::bigint, $2::date, $3::date) where $4::bigint is not null

-- name: iteration_cycle_times
select * from cycle_times($2::bigint[]) where $1::bigint is not null

-- name: cycle_times_of_stories
select * from cycle_times($1::bigint[])

-- name: iteration_analytics
select $1::bigint as id, a.* from iteration_analytics({project}, $1::bigint) a where $2::bigint[] is not null

-- name: analytics_of_iterations
select i.id, a.* from unnest($1::bigint[]) i(id) cross join lateral iteration_analytics({project}, i.id) a

-- name: iterations_accepted
select i.id, array['date', 'points_accepted', 'counts_accepted'] as header,
	iteration_daily({project}, i.id, 'accepted') as data
from unnest($1::bigint[]) i(id)

-- name: iterations_created
select i.id, array['date', 'points_created', 'counts_created'] as header,
	iteration_daily({project}, i.id, 'created') as data
from unnest($1::bigint[]) i(id)
