-- name: history_iteration_days
select history_header() as header, iteration_days({project}, d.first, d.last, $2::bigint[]) as data
from iteration_span($1::bigint) d

-- name: history_project_days
select history_header() as header, history_days(p, null, $2::date, $3::date) as data
from project p where p.id = $1::bigint

-- name: history_release_days
select history_header() as header, release_days({project}, $1::bigint, $2::date, $3::date) as data

-- name: history_release
select local_date(s.created_at, p.time_zone) as created_day,
	local_date(s.accepted_at, p.time_zone) as accepted_day
from story s join project p on p.id = s.project_id
where s.id = $1::bigint and s.project_id = {project} and s.story_type = 'release'

-- name: history_snapshots
select * from project_snapshots($1::bigint, $2::date, $3::date, $4::bigint[])

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
