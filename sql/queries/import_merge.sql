-- What the files say, each object once, as it will be stored here: merged_… (import_part.sql).
--
-- A day without a time becomes noon in the project's zone (…_local), and objects of one day are put
-- a second apart, so that they keep their order.

-- Several records of one object with an id: the one from a table without times comes first, because
-- of its order, and what it does not say is taken from the next.
-- late: import_duplicates
select coalesce(max(x.c), 0) as most from (select count(*) as c from staged_{kind}
	where id is not null group by id) x

-- late: import_duplicate_table
create temp table fold_{kind} on commit drop as
select n, id, row_number() over (partition by id order by created_at is not null, n) as turn
from staged_{kind} where id in (select id from staged_{kind} group by id having count(*) > 1)

-- late: import_duplicate_merge
update staged_{kind} s set said = s.said | o.said{fold}
from fold_{kind} f join fold_{kind} g using (id) join staged_{kind} o on o.n = g.n
where f.turn = 1 and g.turn = $1::bigint and s.n = f.n

-- late: import_duplicate_delete
delete from staged_{kind} s using fold_{kind} f where f.n = s.n and f.turn > 1

-- late: import_merge_label
create temp table merged_label on commit drop as
with named as (
	select l.n, l.at_file, l.at_line, l.at_row, l.id, left(lower(btrim(l.name)), 255) as name,
		coalesce(l.created_at, l.created_at_local at time zone r.zone) as created_at,
		coalesce(l.updated_at, l.updated_at_local at time zone r.zone) as updated_at
	from staged_label l cross join import_run r
	union all
	select s.n, s.at_file, s.at_line, s.at_row, null, left(lower(btrim(l)), 255),
		coalesce(s.created_at, s.created_at_local at time zone r.zone), null
	from staged_story s cross join import_run r cross join unnest(s.labels) l
	union all
	select e.n, e.at_file, e.at_line, e.at_row, null, left(lower(coalesce(nullif(btrim(e.label), ''),
			nullif(btrim(e.name), ''), 'untitled')), 255),
		coalesce(e.created_at, e.created_at_local at time zone r.zone), null
	from staged_epic e cross join import_run r where e.label is not null or not exists (
		select from staged_label l where l.id = e.label_id and btrim(l.name) <> '')),
-- A name may have several ids if projects are merged: the first counts.
labels as (select d.name, min(d.n) as n, min(d.at_file) as at_file, min(d.at_line) as at_line,
		min(d.at_row) as at_row, (array_agg(d.id order by d.n) filter (where d.id is not null))[1] as source,
		coalesce(min(d.created_at) filter (where d.id is not null), min(d.created_at)) as created_at,
		max(d.updated_at) as updated_at
	from named d where d.name <> '' group by d.name)
select row_number() over (order by o.n, o.name) as n, o.at_file, o.at_line, o.at_row, o.source, md5(o.name)::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id, o.name, coalesce(o.created_at, r.now) as created_at,
	coalesce(o.updated_at, o.created_at, r.now) as updated_at
from labels o cross join import_run r order by 1

-- The ids that labels have in the files, matched by name to the labels here.
-- late: import_labels
create temp table import_label on commit drop as
select l.id as ref, m.id, m.name from staged_label l
join merged_label m on m.name = left(lower(btrim(l.name)), 255) and m.action <> 'gone'
where l.id is not null

-- A label has only one epic: a second one gets a label of its own, named with the epic's number.
-- late: import_merge_epic
create temp table merged_epic on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as ref,
	case when s.id > 0 then s.id end as source, md5(l.name)::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id as project_id, coalesce(nullif(btrim(s.name), ''), r.untitled) as name,
	nullif(s.description, '') as description, l.id as label_id, s.followers,
	'{}'::bigint[] as follower_ids,
	s.n as rank, t.created_at as created_at,
	greatest(coalesce(s.updated_at, s.updated_at_local at time zone r.zone), t.created_at) as updated_at{rest}
from staged_epic s cross join import_run r
cross join lateral (select least(coalesce(s.created_at, s.created_at_local at time zone r.zone, r.now),
	r.now) as created_at) t
left join import_label i on i.ref = s.label_id
join merged_label l on l.name = coalesce(i.name, left(lower(coalesce(nullif(btrim(s.label), ''),
		nullif(btrim(s.name), ''), 'untitled')), 255))
	and l.action <> 'gone'
order by s.n

-- late: import_epics_sharing_label
with numbered as (select n, row_number() over (partition by label_id order by n) as nth from merged_epic)
select m.n, m.at_file, m.at_line, m.at_row, m.ref as id, l.name
from numbered t join merged_epic m using (n) join merged_label l on l.id = m.label_id
where t.nth > 1 order by m.n limit 10000

-- late: import_epics_new_label
with numbered as (select n, row_number() over (partition by label_id order by n) as nth from merged_epic),
new_label as (insert into label (project_id, name, created_at, updated_at)
	select r.project_id, left(l.name, 230) || ' (' || m.n || ')', m.created_at, m.created_at
	from numbered t join merged_epic m using (n) join merged_label l on l.id = m.label_id
	cross join import_run r where t.nth > 1
	on conflict (project_id, name) do update set updated_at = label.updated_at
	returning id, name)
update merged_epic m set label_id = d.id, natural_key = md5(d.name)::uuid
from new_label d, merged_label l, numbered t
where t.n = m.n and t.nth > 1 and l.id = m.label_id and d.name = left(l.name, 230) || ' (' || m.n || ')'

-- late: import_epic_rank
update merged_epic m set rank = coalesce((select max(e.rank) from epic e
	where e.project_id = m.project_id), 0) + x.nth * $1::bigint
from (select n, row_number() over (order by n) as nth from merged_epic where action = 'create') x
where x.n = m.n

-- The people in a list, in its order, without those who are nobody here.
-- late: import_followers
update merged_{kind} m set follower_ids = x.ids
from (select p.n, array_agg(p.id order by p.first) as ids
	from (select w.n, k.person_id as id, min(u.place) as first from merged_{kind} w
		cross join unnest(w.followers) with ordinality u(key, place)
		join person_map k on k.key = u.key where k.person_id is not null group by 1, 2) p
	group by p.n) x
where x.n = m.n

-- The latest time that the files know for each story, from what belongs to it.
-- late: import_latest
create temp table import_latest on commit drop as
select x.ref, max(x.at) as at
from import_run r cross join lateral (
	select coalesce(story_id, number) as ref, coalesce(created_at, created_at_local at time zone r.zone) as at
		from staged_comment
	union all select story_id, coalesce(created_at, created_at_local at time zone r.zone) from staged_task
	union all select story_id, coalesce(created_at, created_at_local at time zone r.zone) from staged_blocker
	union all select story_id, coalesce(created_at, created_at_local at time zone r.zone) from staged_review
	union all select story_id, coalesce(occurred_at, occurred_at_local at time zone r.zone) from staged_story_transition
	union all select number, coalesce(occurred_at, occurred_at_local at time zone r.zone) from staged_activity
		where number is not null) x
where x.ref is not null and x.at is not null group by x.ref

-- Owners and labels of each story, in their order.
-- late: import_owners
create temp table import_owner on commit drop as
select p.n, array_agg(p.id order by p.first) as ids
from (select s.n, k.person_id as id, min(u.place) as first from staged_story s
	cross join unnest(s.owners) with ordinality u(key, place)
	join person_map k on k.key = u.key where k.person_id is not null group by 1, 2) p
group by p.n

-- late: import_story_labels
create temp table import_labels_of on commit drop as
select x.n, array_agg(x.id order by x.name collate "C") as ids
from (select s.n, l.id, l.name from staged_story s cross join unnest(s.labels) u(name)
		join merged_label l on l.name = left(lower(btrim(u.name)), 255) and l.action <> 'gone'
	union
	select s.n, i.id, i.name from staged_story s cross join unnest(s.label_ids) u(id)
		join import_label i on i.ref = u.id) x
group by x.n

-- late: import_merge_story
create temp table merged_story on commit drop as
with day as (select s.n, row_number() over w - 1 as nth, count(*) over (partition by s.created_at_local) as of
	from staged_story s where s.created_at is null and s.created_at_day
	window w as (partition by s.created_at_local order by s.id, s.n)),
accepted_day as (select s.n, row_number() over w - 1 as nth,
		count(*) over (partition by s.accepted_at_local) as of
	from staged_story s where s.accepted_at is null and s.accepted_at_day
	window w as (partition by s.accepted_at_local order by s.n)),
said as (select s.n, coalesce(s.created_at, (s.created_at_local at time zone r.zone)
			+ coalesce(d.nth * case when d.of <= 10000 then interval '1 s' else interval '1 ms' end,
				interval '0')) as created_at, coalesce(d.of - d.nth, 0) as created_left,
		coalesce(s.accepted_at, (s.accepted_at_local at time zone r.zone)
			+ coalesce(a.nth * case when a.of <= 10000 then interval '1 s' else interval '1 ms' end,
				interval '0')) as accepted_at, coalesce(a.of - a.nth, 0) as accepted_left
	from staged_story s cross join import_run r left join day d on d.n = s.n
	left join accepted_day a on a.n = s.n),
-- Nothing may be in the future, and today's noon may be yet to come.
timed as (select s.n, coalesce(s.current_state, 'unscheduled') as state,
		coalesce(s.story_type, 'feature') as type,
		case when x.created_at > r.now then r.now - x.created_left * interval '1 ms'
			else x.created_at end as created_at,
		case when x.accepted_at > r.now then r.now - x.accepted_left * interval '1 ms'
			else x.accepted_at end as accepted_at,
		x.created_at is null or x.created_at > r.now as is_created_guess,
		x.accepted_at is null or x.accepted_at > r.now as is_accepted_guess,
		coalesce(s.updated_at, s.updated_at_local at time zone r.zone) as updated_at,
		case when z.at > r.now then r.now else z.at end as latest
	from staged_story s cross join import_run r join said x on x.n = s.n
	left join import_latest z on z.ref = s.id)
select s.n, s.at_file, s.at_line, s.at_row, s.id as ref, s.said,
	case when s.id > 0 then s.id end as source,
	case when s.id < 0 then md5(s.name || '|' || row_number() over (partition by s.id < 0, s.name order by s.n))::uuid
		end as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id as project_id, coalesce(nullif(btrim(s.name), ''), r.untitled) as name,
	nullif(s.description, '') as description, t.type as story_type,
	case when t.state = 'planned' and r.automatic and not r.is_new then 'unstarted' else t.state end as current_state,
	t.state = 'planned' and r.automatic and not r.is_new as is_on_top,
	q.person_id as requested_by_id, coalesce(o.ids, '{}') as owner_ids, coalesce(l.ids, '{}') as label_ids,
	s.followers, '{}'::bigint[] as follower_ids,
	case when t.state = 'accepted' then coalesce(t.accepted_at, t.updated_at, t.latest, t.created_at, r.now) end
		as accepted_at,
	s.accepted_at is null and s.accepted_at_day as is_accepted_day,
	case when t.type = 'release' then coalesce(s.deadline, s.deadline_local at time zone 'UTC') end as deadline,
	coalesce(g.id, h.id) as integration_id,
	least(coalesce(t.created_at, t.accepted_at, r.now), t.accepted_at) as created_at,
	s.created_at is null and s.created_at_day as is_created_day, t.is_created_guess, t.is_accepted_guess,
	coalesce(t.updated_at, greatest(t.created_at, t.accepted_at, t.latest), r.now) as updated_at,
	0::bigint as rank{rest}
from staged_story s join timed t on t.n = s.n cross join import_run r
left join merged_integration g on g.source = s.integration_id and g.action <> 'gone'
left join integration h on g.id is null and h.id = s.integration_id and h.project_id = r.project_id
left join person_map q on q.key = s.requested_by left join import_owner o on o.n = s.n
left join import_labels_of l on l.n = s.n
order by s.n

-- What the files do not say about a story that is already here stays as it is. So does a time if
-- the file gives the same day without a time, or a date that is invalid or in the future.
-- late: import_story_keep_unset
update merged_story m set rank = t.rank,
	deadline = case when m.said & {said deadline} = 0 then t.deadline
		when (t.deadline at time zone 'UTC')::date = (m.deadline at time zone 'UTC')::date then t.deadline
		else m.deadline end,
	created_at = case when m.said & {said created_at} = 0 or m.is_created_guess or m.is_created_day
		and local_date(m.created_at, r.zone) = local_date(t.created_at, r.zone) then t.created_at
		else m.created_at end,
	accepted_at = case when m.current_state = 'accepted' and t.current_state = 'accepted'
		and (m.said & {said accepted_at} = 0 or m.is_accepted_guess or m.is_accepted_day
			and local_date(m.accepted_at, r.zone) = local_date(t.accepted_at, r.zone)) then t.accepted_at
		when m.said & {said current_state} = 0 then t.accepted_at else m.accepted_at end{unsaid}
from story t, import_run r where t.id = m.id and t.project_id = r.project_id

-- What only one type of story has.
-- late: import_story_clear_deadline
update merged_story set deadline = case when story_type = 'release' then deadline end
where deadline is not null and story_type <> 'release'

-- Places: new stories go below the existing ones, in the order of the files; those that were
-- planned but cannot be here go on top.
-- late: import_story_rank
with ends as (select s.section, min(s.rank) as low, max(s.rank) as high from story s, import_run r
	where s.project_id = r.project_id group by s.section),
placed as (select m.n, story_section(m.current_state) as section, m.is_on_top,
		row_number() over (partition by story_section(m.current_state), m.is_on_top order by m.n) as nth,
		count(*) over (partition by story_section(m.current_state), m.is_on_top) as of
	from merged_story m left join story t on t.id = m.id
	where m.action = 'create'
		or m.action = 'update' and t.section <> story_section(m.current_state))
update merged_story m set rank = case when p.is_on_top then coalesce(e.low, 0) - (p.of - p.nth + 1) * $1::bigint
	else coalesce(e.high, 0) + p.nth * $1::bigint end
from placed p left join ends e on e.section = p.section where p.n = m.n

-- late: import_story_rank_accepted
update merged_story set rank = micros(accepted_at) where current_state = 'accepted'

-- Which story here has which id in the files, with some of its times.
-- late: import_story_table
create temp table import_story on commit drop as
select m.ref, m.id, m.source, m.action, m.created_at, m.updated_at from merged_story m

-- Stories that the files only refer to: an earlier import brought them, or they have that id here.
-- late: import_story_referenced
insert into import_story (ref, id, source, action, created_at, updated_at)
select w.ref, s.id, w.ref, 'same', s.created_at, s.updated_at
from ({refs story_id}) w(ref)
cross join import_run r
left join import_item i on i.project_id = r.project_id and i.kind = 'story' and i.source = w.ref
join story s on s.id = coalesce(i.id, w.ref) and s.project_id = r.project_id
where w.ref > 0 and not exists (select from import_story x where x.ref = w.ref)

-- late: import_epic_table
create temp table import_epic on commit drop as
select m.ref, m.id, m.source, m.action, m.created_at, m.updated_at from merged_epic m

-- late: import_epic_referenced
insert into import_epic (ref, id, source, action, created_at, updated_at)
select w.ref, e.id, w.ref, 'same', e.created_at, e.updated_at
from ({refs epic_id}) w(ref)
cross join import_run r
left join import_item i on i.project_id = r.project_id and i.kind = 'epic' and i.source = w.ref
join epic e on e.id = coalesce(i.id, w.ref) and e.project_id = r.project_id
where w.ref > 0 and not exists (select from import_epic x where x.ref = w.ref)
