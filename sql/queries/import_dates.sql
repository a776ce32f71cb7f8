-- Dates that cannot stay as files have them: what was read, and what was taken.

-- What the future holds of a kind, {field} by {field}, but the two of a story that follow from
-- each other (import_say_dates). Severity lost: it is not here.
-- late: import_say_future
select 'lost' as severity, s.at_file, s.at_line, s.at_row, nullif(greatest(coalesce(
		(to_jsonb(s) ->> 'story_id')::bigint, (to_jsonb(s) ->> 'epic_id')::bigint,
		(to_jsonb(s) ->> 'number')::bigint, (to_jsonb(s) ->> 'id')::bigint), 0), 0) as id,
	'{field}' as column, 'in_future' as code, format('%s of the {kind} is in the future, %s: it is %s, the day of the import',
		'{field}', read_time(s.{field}, s.{field}_local, s.{field}_day), local_date(r.now, r.zone)) as message
from staged_{kind} s cross join import_run r
where s.{field} > (select now from import_run) or s.{field}_local > (select now at time zone zone from import_run)
	and not (s.{field}_day and s.{field}_local::date = local_date(r.now, r.zone))
order by s.n

-- late: import_take_future
update staged_{kind} s set {field} = r.now, {field}_local = null, {field}_day = false from import_run r
where s.{field} > (select now from import_run) or s.{field}_local > (select now at time zone zone from import_run)

-- What was changed before it was made was changed when it was made.
-- late: import_say_before
select 'changed' as severity, s.at_file, s.at_line, s.at_row, nullif(greatest(coalesce(
		(to_jsonb(s) ->> 'story_id')::bigint, (to_jsonb(s) ->> 'epic_id')::bigint,
		(to_jsonb(s) ->> 'id')::bigint), 0), 0) as id,
	'updated_at' as column, 'before_created' as code,
	format('updated_at of the {kind} is before created_at, %s: it is %s',
		read_time(s.updated_at, s.updated_at_local, s.updated_at_day),
		read_time(s.created_at, s.created_at_local, s.created_at_day)) as message
from staged_{kind} s where s.updated_at < s.created_at or s.updated_at_local < s.created_at_local
order by s.n

-- Of stories as they were written, and of epics: without a day, of the future, made after they
-- were accepted.
-- late: import_say_dates
with d as (select m.*, m.current_state = 'accepted' as is_accepted,
		local_date(m.created_at, r.zone) as created, local_date(m.accepted_at, r.zone) as accepted,
		coalesce(s.created_at, s.created_at_local at time zone r.zone) as said_created,
		coalesce(s.accepted_at, s.accepted_at_local at time zone r.zone) as said_accepted,
		local_date(r.now, r.zone) as today, r.now,
		read_time(s.created_at, s.created_at_local, s.created_at_day) as read_created,
		read_time(s.accepted_at, s.accepted_at_local, s.accepted_at_day) as read_accepted, r.zone
	from merged_story m join staged_story s using (n) cross join import_run r
	where m.action in ('create', 'update'))
select v.severity, d.at_file, d.at_line, d.at_row, d.id, v.name as column, v.code, v.message
from d cross join lateral (values
	(1, 'lost', 'accepted_at', 'in_future', case when d.is_accepted and d.said_accepted > d.now
			and not (d.is_accepted_day and local_date(d.said_accepted, d.zone) = d.today)
		then format('accepted in the future, %s: accepted_at is %s', d.read_accepted, d.accepted) end),
	(2, 'changed', 'accepted_at', 'no_acceptance', case when d.is_accepted and d.said_accepted is null
		then format('accepted without a day: accepted_at is %s, when it was last known', d.accepted) end),
	(3, 'lost', 'created_at', 'in_future', case when d.said_created > d.now
			and not (d.is_created_day and local_date(d.said_created, d.zone) = d.today)
		then format('created in the future, %s: created_at is %s', d.read_created, d.created) end),
	(4, 'changed', 'created_at', 'no_creation', case when d.said_created is null and d.said & $1::bigint <> 0
		then format('created without a day: created_at is %s', d.created) end),
	(5, 'lost', 'created_at', 'created_later', case when d.is_accepted and d.said_created <= d.now
			and d.said_created > d.accepted_at
			and (local_date(d.said_created, d.zone) > d.accepted or not (d.is_created_day or d.is_accepted_day))
		then format('created after it was accepted, %s: created_at is %s', d.read_created,
			read_time(d.created_at, null, false)) end)) v(place, severity, name, code, message)
where v.message is not null
union all
select 'changed', m.at_file, m.at_line, m.at_row, m.id, 'created_at', 'no_creation',
	format('the epic is without a day of creation: created_at is %s', local_date(m.created_at, r.zone))
from merged_epic m join staged_epic s using (n) cross join import_run r
where m.action = 'create' and s.created_at is null and s.created_at_local is null and s.said & $2::bigint <> 0
order by 2, 3, 4

-- Files without such a column, or records without such a member, say it once.
-- late: import_say_undated
select 'changed' as severity, min(m.at_file) as at_file, null::bigint as at_line, null::bigint as at_row,
	min(m.id) as id, 'created_at' as column, 'no_creation' as code,
	format('%s stories and epics are without a day of creation: it is that of acceptance, or of the import',
		count(*)) as message
from (select m.at_file, m.id from merged_story m join staged_story s using (n) where m.action = 'create'
		and s.created_at is null and s.created_at_local is null and s.said & $1::bigint = 0
	union all
	select m.at_file, m.id from merged_epic m join staged_epic s using (n) where m.action = 'create'
		and s.created_at is null and s.created_at_local is null and s.said & $2::bigint = 0) m
having count(*) > 0

-- What the original's import refuses, and this one keeps.
-- late: import_say_rules
with p as materialized (select r.is_whole, p.point_scale, p.bugs_and_chores_are_estimatable as estimates_all,
		string_to_array(p.point_scale, ',')::double precision[] as scale
	from import_run r join project p on p.id = r.project_id)
select 'note' as severity, m.at_file, m.at_line, m.at_row, m.id, v.name as column, v.code, v.message
from merged_story m cross join p cross join lateral (values
	('estimate', 'off_scale', case when m.estimate is not null and not m.estimate = any(p.scale)
		then format('the estimate %s is not on the point scale %s, and is kept', m.estimate, p.point_scale) end),
	('estimate', 'no_estimate', case when m.estimate is null and m.story_type = 'feature'
			and m.current_state = 'accepted'
		then 'an accepted feature without an estimate' end),
	('estimate', 'estimate_of_type', case when m.estimate is not null and (m.story_type = 'release'
			or m.story_type in ('bug', 'chore') and not p.estimates_all)
		then format('a %s has no estimate in this project: %s is kept', m.story_type, m.estimate) end),
	('current_state', 'state_of_type', case when m.story_type = 'chore'
			and m.current_state in ('finished', 'delivered', 'rejected')
			or m.story_type = 'release' and m.current_state in ('started', 'finished', 'delivered', 'rejected')
		then format('a %s is never %s in the original: it is kept', m.story_type, m.current_state) end),
	('owner_ids', 'many_owners', case when cardinality(m.owner_ids) > 3
		then format('%s owners, where the original takes three: they are kept', cardinality(m.owner_ids)) end))
	v(name, code, message)
where not p.is_whole and v.message is not null and m.action in ('create', 'update')
order by m.n
