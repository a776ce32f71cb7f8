-- The import (transfer/run/import.h): how its single transaction begins and ends. Late statements
-- use its temporary tables: staged_… has what the files say (transfer/settle/stage.h), merged_…
-- what will be stored here (import_merge.sql), and import_run what applies to all of it.

-- Only once all files are read, so that people who work in the project wait as briefly as possible.
-- name: import_lock
select pg_advisory_xact_lock((1::bigint << 61) | $1::bigint)::text as locked

-- name: import_project
select p.id, p.account_id, p.name, p.version, p.time_zone, p.automatic_planning from project p
where p.id = $1::bigint

-- An account and its owner, who is the one who imports unless somebody is named.
-- name: import_account
select a.id, m.person_id, p.name, p.time_zone from account a
left join account_membership m on m.account_id = a.id and m.owner
left join person p on p.id = m.person_id where a.id = $1::bigint

-- name: import_performer
select p.id, p.name from person p where p.id = $1::bigint

-- name: import_zone_exists
select zone_known($1::text) as known

-- name: import_today
select (now() at time zone 'UTC')::date as today, now() as now

-- Moves the sequence $1 to $2, unless it is beyond. Others may take ids between the reading of its position and the
-- writing: a short way is gone id by id, with them; on a long one, they do not get past $2 in that moment.
-- late: raise_ids
with x as materialized (select $1::text::regclass as sequence, s.last, $2::bigint - s.last as way
	from (select coalesce(pg_sequence_last_value($1::text::regclass), 0) as last) s)
select max(case when x.way > 10000 then setval(x.sequence, $2::bigint) else nextval(x.sequence) end) as last
from x cross join lateral generate_series(1, case when x.way > 10000 then 1 else x.way end)

-- late: import_run_table
create temp table import_run (project_id bigint, zone text, is_new boolean, overwrite boolean,
	renumber boolean, is_whole boolean, automatic boolean, version bigint, performer bigint,
	nobody bigint, now timestamptz, untitled text, ids_from bigint, ids_max bigint, ids_top bigint) on commit drop

-- $7: the key for an unknown person; $8: the name for what has none; $9 and $10: where this
-- server's own ids begin, and the highest id from a file that is kept; $11: the highest one, unless the last one here is
-- above it.
-- late: import_begin
insert into import_run
select p.id, p.time_zone, $2::boolean, $3::boolean, $4::boolean, $5::boolean,
	p.automatic_planning, p.version, $6::bigint,
	(select m.person_id from person_map m where m.key = $7::text), now(), $8::text, $9::bigint,
	$10::bigint, $11::bigint
from project p where p.id = $1::bigint

-- The project's counters, recounted from its stories.
-- late: import_count_stories
update project p set story_counts = array[c.n0, c.n1, c.n2, c.n3, c.n4]
from import_run r cross join lateral (select
	count(*) filter (where section = 0)::integer as n0, count(*) filter (where section = 1)::integer as n1,
	count(*) filter (where section = 2)::integer as n2, count(*) filter (where section = 3)::integer as n3,
	count(*) filter (where section = 4)::integer as n4 from story s where s.project_id = r.project_id) c
where p.id = r.project_id

-- The numbers of model/tally.h, in the order of its states. Labels get rows of zeros rather than a
-- join with the counts: the planner cannot know how many counts there will be, and would go through
-- all of them for each label.
-- late: import_count_labels
with state as (select * from unnest(array['accepted', 'started', 'finished', 'unstarted',
		'planned', 'delivered', 'unscheduled', 'rejected']) with ordinality x(name, n)),
one as (select l.id as label, x.name as state, 0 as stories, 0 as zero, 0::double precision as points
	from import_run r join label l on l.project_id = r.project_id cross join state x
	union all select u.label, s.current_state, 1, (coalesce(s.estimate, 0) = 0)::integer,
		coalesce(s.estimate, 0)
	from import_run r join story s on s.project_id = r.project_id
	cross join unnest(s.label_ids) u(label)),
counted as (select o.label, x.n, sum(o.stories) as stories, sum(o.zero) as zero, sum(o.points) as points
	from one o join state x on x.name = o.state group by 1, 2),
tally as (select c.label as id, array_agg(c.stories order by c.n)::double precision[]
		|| array_agg(c.zero order by c.n)::double precision[]
		|| array_agg(c.points order by c.n) as numbers
	from counted c group by 1)
update label l set tally = t.numbers from tally t where t.id = l.id and l.tally <> t.numbers

-- late: import_version
update project p set version = $1::bigint, updated_at = case when r.is_whole and r.is_new
	then p.updated_at else r.now end, told_until = greatest(told_until, r.now),
	told_late_s = case when told_until > r.now and told_late_s is not null
		then greatest(told_late_s, ceil(extract(epoch from told_until - r.now))::integer) else told_late_s end
from import_run r where p.id = r.project_id returning p.version

-- late: import_activity
insert into activity (project_id, version, kind, person_id, changes, highlight, message,
	primary_resources, secondary_resources, story_ids, epic_ids, occurred_at)
select r.project_id, $1::bigint, 'project_import_activity', r.performer, $2::text, 'imported',
	$3::text, $4::text, '[]', '{}', '{}', r.now from import_run r
