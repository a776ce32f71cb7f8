-- name: export_stories
with j as materialized (select p, p.id, p.time_zone, (current_iteration(p)).number as current,
		first_day(p) as first_day
	from project p where p.id in (select project_id from story where id = any($1::bigint[]))
	and (p.public or exists (select from project_membership m
		where m.project_id = p.id and m.person_id = {me})))
select s.id, s.project_id, s.section, s.name, s.story_type, s.estimate::text as estimate,
	case s.story_priority when 'p0' then 'p0 - Critical' when 'p1' then 'p1 - High'
		when 'p2' then 'p2 - Medium' when 'p3' then 'p3 - Low' else s.story_priority end
		as priority,
	s.current_state, s.description, r.name as requester,
	array_to_string(array(select l.name from unnest(s.label_ids) with ordinality x(id, n)
		join label l on l.id = x.id order by x.n), ', ') as labels,
	i.number, i.first_day, i.last_day, local_date(s.created_at, j.time_zone) as created_day,
	local_date(s.accepted_at, j.time_zone) as accepted_day,
	local_date(s.deadline, j.time_zone) as deadline_day
from story s join j on j.id = s.project_id left join person r on r.id = s.requested_by_id
left join lateral accepted_iteration(j.p, j.first_day, j.current, s.accepted_at) i on true
where s.id = any($1::bigint[])
order by s.project_id, s.section, s.rank, s.id

-- What stands in the columns that repeat: part is the index of the group in
-- src/api/export.c.
-- name: export_parts
select * from (
	select s.id as story_id, 0 as part, o.n as place, p.name as text, null as status,
		null as author, null::date as day
	from story s cross join lateral unnest(s.owner_ids) with ordinality o(id, n)
	join person p on p.id = o.id where s.id = any($1::bigint[])
	union all
	select story_id, 1, id, description, case when resolved then 'resolved' else 'unresolved' end,
		null, null
	from blocker where story_id = any($1::bigint[])
	union all
	select c.story_id, 2, c.id, c.text, null, p.name, local_date(c.created_at, j.time_zone)
	from comment c join story s on s.id = c.story_id join project j on j.id = s.project_id
	left join person p on p.id = c.person_id where c.story_id = any($1::bigint[])
	union all
	select story_id, 3, position, description,
		case when complete then 'completed' else 'not completed' end, null, null
	from task where story_id = any($1::bigint[])
	union all
	select story_id, 4, id, coalesce(nullif(original_url, ''),
		format('%s/%s/%s/pull/%s', rtrim(host_url, '/'), owner, repo, number)), null, null, null
	from pull_request where story_id = any($1::bigint[])
	union all
	select story_id, 5, id, coalesce(nullif(original_url, ''),
		format('%s/%s/%s/tree/%s', rtrim(host_url, '/'), owner, repo, name)), null, null, null
	from branch where story_id = any($1::bigint[])) x
order by story_id, part, place
