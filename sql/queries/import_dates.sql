-- Dates that cannot be kept as the files have them: what was read, and what is used instead.

-- A kind's dates in the future, field by field ({field}), except the two of a story that depend on
-- each other (import_report_dates).
-- late: import_report_future
select 'future' as sentence, s.at_file, s.at_line, s.at_row, nullif(greatest(coalesce(
		(to_jsonb(s) ->> 'story_id')::bigint, (to_jsonb(s) ->> 'epic_id')::bigint,
		(to_jsonb(s) ->> 'number')::bigint, (to_jsonb(s) ->> 'id')::bigint), 0), 0) as id,
	'{field}' as field, '{kind}' as kind, read_time(s.{field}, s.{field}_local, s.{field}_day) as was,
	local_date(r.now, r.zone)::text as gets
from staged_{kind} s cross join import_run r
where s.{field} > (select now from import_run) or s.{field}_local > (select now at time zone zone from import_run)
	and not (s.{field}_day and s.{field}_local::date = local_date(r.now, r.zone))
order by s.n

-- late: import_clamp_future
update staged_{kind} s set {field} = r.now, {field}_local = null, {field}_day = false from import_run r
where s.{field} > (select now from import_run) or s.{field}_local > (select now at time zone zone from import_run)

-- What was updated before it was created gets the time of its creation.
-- late: import_report_update_before_creation
select 'before_created' as sentence, s.at_file, s.at_line, s.at_row, nullif(greatest(coalesce(
		(to_jsonb(s) ->> 'story_id')::bigint, (to_jsonb(s) ->> 'epic_id')::bigint,
		(to_jsonb(s) ->> 'id')::bigint), 0), 0) as id,
	'{kind}' as kind, read_time(s.updated_at, s.updated_at_local, s.updated_at_day) as was,
	read_time(s.created_at, s.created_at_local, s.created_at_day) as gets
from staged_{kind} s where s.updated_at < s.created_at or s.updated_at_local < s.created_at_local
order by s.n

-- For stories, as they were written, and for epics: dates that are missing or in the future, and
-- stories created after they were accepted.
-- late: import_report_dates
with d as (select m.*, m.current_state = 'accepted' as is_accepted,
		local_date(m.created_at, r.zone) as created, local_date(m.accepted_at, r.zone) as accepted,
		x.created as said_created, x.accepted as said_accepted,
		local_date(r.now, r.zone) as today, r.now,
		read_time(s.created_at, s.created_at_local, s.created_at_day) as read_created,
		read_time(s.accepted_at, s.accepted_at_local, s.accepted_at_day) as read_accepted, r.zone
	from merged_story m join staged_story s using (n) cross join import_run r
	cross join lateral (select coalesce(s.created_at, s.created_at_local at time zone r.zone) as created,
		coalesce(s.accepted_at, s.accepted_at_local at time zone r.zone) as accepted) x
	-- Nearly all stories are fine, and cost no more than this.
	where m.action in ('create', 'update') and (x.created is null or x.created > r.now
		or m.current_state = 'accepted' and (x.accepted is null or x.accepted > r.now or x.created > m.accepted_at)))
select v.sentence, d.at_file, d.at_line, d.at_row, d.id, v.was, v.gets
from d cross join lateral (values
	(1, 'accepted_in_future', d.read_accepted, d.accepted::text, d.is_accepted and d.said_accepted > d.now
		and not (d.is_accepted_day and local_date(d.said_accepted, d.zone) = d.today)),
	(2, 'no_acceptance', null, d.accepted::text, d.is_accepted and d.said_accepted is null),
	(3, 'created_in_future', d.read_created, d.created::text, d.said_created > d.now
		and not (d.is_created_day and local_date(d.said_created, d.zone) = d.today)),
	(4, 'no_creation', null, d.created::text, d.said_created is null and d.said & $1::bigint <> 0),
	(5, 'created_later', d.read_created, read_time(d.created_at, null, false), d.is_accepted
		and d.said_created <= d.now and d.said_created > d.accepted_at
		and (local_date(d.said_created, d.zone) > d.accepted or not (d.is_created_day or d.is_accepted_day))))
	v(place, sentence, was, gets, holds)
where v.holds
union all
select 'epic_no_creation', m.at_file, m.at_line, m.at_row, m.id, null, local_date(m.created_at, r.zone)::text
from merged_epic m join staged_epic s using (n) cross join import_run r
where m.action = 'create' and s.created_at is null and s.created_at_local is null and s.said & $2::bigint <> 0
order by 2, 3, 4

-- Files without a column for the creation date, or records without that member: reported only once.
-- late: import_report_undated
select 'undated' as sentence, min(m.at_file) as at_file, null::bigint as at_line, null::bigint as at_row,
	min(m.id) as id, count(*)::text as many
from (select m.at_file, m.id from merged_story m join staged_story s using (n) where m.action = 'create'
		and s.created_at is null and s.created_at_local is null and s.said & $1::bigint = 0
	union all
	select m.at_file, m.id from merged_epic m join staged_epic s using (n) where m.action = 'create'
		and s.created_at is null and s.created_at_local is null and s.said & $2::bigint = 0) m
having count(*) > 0
