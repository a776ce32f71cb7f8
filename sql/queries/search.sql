-- name: search
with hit as materialized (
	select s.id, s.section, s.rank, coalesce(s.estimate, 0) as points,
		s.section = 0 and s.accepted_at < (select local_midnight($4::date, p.time_zone)
			from project p where p.id = $1::bigint) as done
	from story s where s.project_id = $1::bigint {where}),
found as materialized (select * from hit where $2::boolean or not done),
epics_found as materialized (select e.id, e.rank from epic e
	where e.project_id = $1::bigint {where})
select array(select f.id from found f
		order by case when f.done then 5 else f.section end,
			case when f.section = 0 then -f.rank else f.rank end, f.id
		limit 500) as stories_story_ids,
	(select coalesce(sum(f.points), 0) from found f) as stories_total_points,
	(select coalesce(sum(f.points) filter (where f.section = 0), 0) from found f)
		as stories_total_points_completed,
	(select count(*) from found f) as stories_total_hits,
	(select count(*) from hit h) as stories_total_hits_with_done,
	array(select e.id from epics_found e order by e.rank, e.id limit 500) as epics_epic_ids,
	(select count(*) from epics_found e) as epics_total_hits,
	(select count(*) from epics_found e) as epics_total_hits_with_done,
	$3::text as query

-- name: epic_filter
select v.* from epic e join api.epic v on v.id = e.id where e.project_id = $1::bigint {where}
order by e.rank, e.id

-- name: epic_by_ids
select * from api.epic where id = any($1::bigint[])

-- name: search_regex
select search_regex_can($1::text)
