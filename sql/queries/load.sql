-- What commands load before they decide: one wave, sent together (store/load.h).

-- A gate also names the connection after the request, for the database's log: that is cheaper than
-- a separate statement.

-- The caller, and their role in the project that the path names directly or through a story or an
-- epic. Locks it if the role is one of $6, or $7 is true and they administer its account: callers
-- without the right wait for nobody, and make nobody wait.
-- name: gate_write
select set_config('application_name', {request}, true) as named, c.id as person_id,
	c.met_at is null as is_new,
	c.name as me_name, c.initials as me_initials, c.username as me_username,
	c.time_zone as me_time_zone,
	c.token_id, c.reads_only, c.reach, c.is_stale,
	p.id as project_id, p.version, m.role, p.public,
	coalesce(a.owner or a.admin, false) as administers,
	case when (m.role = any($6::text[]) or ($7::boolean and (a.owner or a.admin)))
		and c.reads_only is not true
		then pg_advisory_xact_lock((1::bigint << 61) | p.id)::text end as locked
from (select coalesce($3::bigint, (select project_id from story where id = $4::bigint),
	(select project_id from epic where id = $5::bigint)) as project) r
cross join api.caller($1::bytea, $2::bigint, {session_reach}) c
left join project p on p.id = r.project
left join project_membership m on m.project_id = p.id and m.person_id = c.id
	and coalesce(m.project_id = any(c.reach), true)
left join account_membership a on a.account_id = p.account_id and a.person_id = c.id
	and coalesce(p.id = any(c.reach), true)

-- The same for what members do in a project ($2) named by the path, with a token that is
-- not a named one: most writes begin with it, so it reads only the tables it needs.
-- name: gate_member
select set_config('application_name', {request}, true) as named, c.id as person_id,
	c.met_at is null as is_new,
	c.name as me_name, c.initials as me_initials, c.username as me_username,
	c.time_zone as me_time_zone,
	p.id as project_id, p.version, m.role, p.public,
	case when m.role = any($3::text[])
		then pg_advisory_xact_lock((1::bigint << 61) | p.id)::text end as locked
from (values (1)) r left join person c on c.token_mac = $1::bytea
left join project p on p.id = $2::bigint
left join project_membership m on m.project_id = p.id and m.person_id = c.id

-- The same for an account ($3), which is locked for its owner if $4 is true, and for its
-- administrators if $5 is, too.
-- name: gate_account
select set_config('application_name', {request}, true) as named, c.id as person_id,
	c.met_at is null as is_new,
	c.name as me_name, c.initials as me_initials, c.username as me_username,
	c.time_zone as me_time_zone,
	c.token_id, c.reads_only, c.reach, c.is_stale,
	x.id as account_id, a.person_id is not null as belongs,
	coalesce(a.owner or a.admin, false) as administers, coalesce(a.owner, false) as owns,
	case when $4::boolean and (a.owner or (a.admin and $5::boolean)) and c.reads_only is not true
		then pg_advisory_xact_lock((1::bigint << 60) | x.id)::text end as locked
from api.caller($1::bytea, $2::bigint, {session_reach}) c
left join account x on x.id = $3::bigint
left join account_membership a on a.account_id = x.id and a.person_id = c.id
	and coalesce(-x.id = any(c.reach), true)

-- The caller of a read below a project ($2), with a token that is not a named one. As small as
-- possible, since most requests begin with it: each column, also a constant one, costs PostgreSQL
-- some two thousand instructions.
-- columns: viewer
--	set_config('application_name', {request}, true) as named, c.id as person_id,
--	c.met_at is null as is_new,
--	c.time_zone as person_zone, c.updated_at as person_updated_at, p.id as project_id,
--	p.version, p.story_counts, p.time_zone as project_zone, m.role,
--	m.person_id is not null and coalesce(m.last_viewed_at < now() - interval '1 minute', true)
--	as is_unseen, coalesce(p.public, false) as is_public
-- name: gate_project
select {viewer}
from (values (1)) r left join person c on c.token_mac = $1::bytea
left join project p on p.id = $2::bigint
left join project_membership m on m.project_id = p.id and m.person_id = c.id

-- The same for what belongs to its story $3.
-- name: gate_story
select {viewer}, s.id is null as lacks_thing
from (values (1)) r left join person c on c.token_mac = $1::bytea
left join project p on p.id = $2::bigint
left join project_membership m on m.project_id = p.id and m.person_id = c.id
left join story s on s.id = $3::bigint and s.project_id = p.id

-- The caller of a read of their own data.
-- name: gate_person
select set_config('application_name', {request}, true) as named, c.id as person_id,
	c.met_at is null as is_new,
	c.token_id, c.reads_only, c.reach, c.is_stale,
	c.time_zone as person_zone, null::bigint as project_id,
	null::bigint as account_id, null::bigint as version, null::integer[] as story_counts,
	null as project_zone, null as role, false as is_unseen, false as belongs, false as administers,
	false as is_public, false as lacks_thing
from api.caller($1::bytea, $2::bigint, {session_reach}) c

-- The caller of any other read: in a project that is named, or that of a story, an epic or a file
-- (a file belongs only to its sender until it is attached); in an account ($7); or of their own
-- data.
-- name: gate_read
select set_config('application_name', {request}, true) as named, c.id as person_id,
	c.met_at is null as is_new,
	c.token_id, c.reads_only, c.reach, c.is_stale,
	c.time_zone as person_zone, c.updated_at as person_updated_at, p.id as project_id,
	x.id as account_id,
	p.version, p.story_counts, p.time_zone as project_zone, m.role,
	m.person_id is not null and coalesce(m.last_viewed_at < now() - interval '1 minute', true)
		as is_unseen,
	a.person_id is not null as belongs, coalesce(a.owner or a.admin, false) as administers,
	x.id is not null and coalesce(a.owner, false) as owns, coalesce(p.public, false) as is_public,
	$4::bigint is not null and s.project_id is distinct from p.id
		or $5::bigint is not null and e.project_id is distinct from p.id as lacks_thing
from api.caller($1::bytea, $2::bigint, {session_reach}) c
left join story s on s.id = $4::bigint
left join epic e on e.id = $5::bigint
left join file_attachment f on f.id = $6::bigint
	and (f.comment_id is not null or f.uploader_id = c.id)
left join project p on p.id = coalesce($3::bigint, s.project_id, e.project_id, f.project_id)
left join account x on x.id = $7::bigint
left join project_membership m on m.project_id = p.id and m.person_id = c.id
	and coalesce(m.project_id = any(c.reach), true)
left join account_membership a on a.account_id = coalesce(x.id, p.account_id) and a.person_id = c.id
	and coalesce(coalesce(-x.id, p.id) = any(c.reach), true)

-- After the lock: the project as its last writer left it.
-- name: scene_project
select now() as now, p.*,
	exists (select from webhook w where w.project_id = p.id and w.enabled) as has_webhooks
from (select coalesce($1::bigint, (select project_id from story where id = $2::bigint),
		(select project_id from epic where id = $3::bigint)) as id) r
left join project p on p.id = r.id

-- The same columns for a path that names the project, as most do: without the look-ups of other tables, the
-- statement takes a sixth less of PostgreSQL's time.
-- name: scene_project_named
select now() as now, p.*,
	exists (select from webhook w where w.project_id = p.id and w.enabled) as has_webhooks
from project p where p.id = $1::bigint

-- What rules about a story and its parts look at, of a project named by the path: a quarter of its
-- columns (docs/performance.md).
-- name: scene_project_of_story
select now() as now, p.id, p.name, p.version, p.point_scale, p.bugs_and_chores_are_estimatable,
	p.automatic_planning, p.story_counts,
	exists (select from webhook w where w.project_id = p.id and w.enabled) as has_webhooks
from project p where p.id = $1::bigint

-- name: new_ids
select nextval($1::text::regclass) as id from generate_series(1, $2::integer)

-- name: load_story
select * from story where id = $1::bigint

-- A story that may move, and its neighbours in the project's order.
-- name: load_story_placed
select s.*, b.id as before_id, a.id as after_id from story s
left join lateral (select n.id from story n where n.project_id = s.project_id
	and (n.section, n.rank, n.id) > (s.section, s.rank, s.id)
	order by n.section, n.rank, n.id limit 1) b on true
left join lateral (select n.id from story n where n.project_id = s.project_id
	and (n.section, n.rank, n.id) < (s.section, s.rank, s.id)
	order by n.section desc, n.rank desc, n.id desc limit 1) a on true
where s.id = $1::bigint

-- Section ends in the order of a project ($1; otherwise that of the story $2), without the story
-- $2: 0 the first story at or below each section, 1 the last at or above each.
-- name: load_order
with p as (select coalesce($1::bigint, (select project_id from story where id = $2::bigint)) as id)
select 0 as which, x.section as at, n.* from p cross join generate_series(0::bigint, 4) x(section)
cross join lateral (select s.id, s.rank, s.section::bigint as section, s.name from story s
	where s.project_id = p.id and s.section >= x.section and s.id is distinct from $2::bigint
	order by s.section, s.rank, s.id limit 1) n
union all
select 1, x.section, n.* from p cross join generate_series(0::bigint, 4) x(section)
cross join lateral (select s.id, s.rank, s.section::bigint as section, s.name from story s
	where s.project_id = p.id and s.section <= x.section and s.id is distinct from $2::bigint
	order by s.section desc, s.rank desc, s.id desc limit 1) n

-- The same if the project $1 is known, and the one border that the story $2 (0: none) comes to: the
-- one in front of section $3. Each column of each plan node costs a catalogue lookup.
-- name: load_section_border
(select 0 as which, $3::bigint as at, s.id, s.rank, s.section, s.name from story s
	where s.project_id = $1::bigint and s.section >= $3::bigint and s.id <> $2::bigint
	order by s.section, s.rank, s.id limit 1)
union all
(select 1, $3::bigint - 1, s.id, s.rank, s.section, s.name from story s
	where s.project_id = $1::bigint and s.section < $3::bigint and s.id <> $2::bigint
	order by s.section desc, s.rank desc, s.id desc limit 1)

-- The neighbours of the story $2 of the project $1, which is in section $3 at rank $4.
-- name: load_adjacent
select (select s.id from story s where s.project_id = $1::bigint
		and (s.section, s.rank, s.id) > ($3::bigint, $4::bigint, $2::bigint)
		order by s.section, s.rank, s.id limit 1) as before_id,
	(select s.id from story s where s.project_id = $1::bigint
		and (s.section, s.rank, s.id) < ($3::bigint, $4::bigint, $2::bigint)
		order by s.section desc, s.rank desc, s.id desc limit 1) as after_id

-- As load_order, for accepted stories: 2 the last before the time $3, or now, 3 the first after it.
-- name: load_order_accepted
with p as (select coalesce($1::bigint, (select project_id from story where id = $2::bigint)) as id,
	(extract(epoch from coalesce($3::timestamptz, now())) * 1000000)::bigint as rank,
	coalesce($2::bigint, 9223372036854775807) as own)
select 2 as which, 0::bigint as at, n.* from p
cross join lateral (select s.id, s.rank, s.section::bigint as section, s.name from story s
	where s.project_id = p.id and s.section = 0
	and (s.rank, s.id) < (p.rank, p.own) and s.id <> p.own
	order by s.rank desc, s.id desc limit 1) n
union all
select 3, 0, n.* from p cross join lateral (select s.id, s.rank, s.section::bigint, s.name from story s
	where s.project_id = p.id and s.section = 0
	and (s.rank, s.id) > (p.rank, p.own) and s.id <> p.own
	order by s.rank, s.id limit 1) n

-- Stories of the project that a wish names as neighbours, and those around them, except the story
-- $2.
-- name: load_neighbours
select s.id, s.rank, s.section::bigint as section, s.name,
	coalesce(a.id, 0) as prev_id, a.rank as prev_rank, a.section::bigint as prev_section, a.name as prev_name,
	coalesce(b.id, 0) as next_id, b.rank as next_rank, b.section::bigint as next_section, b.name as next_name
from (select coalesce($1::bigint, (select project_id from story where id = $2::bigint)) as id) p
join story s on s.project_id = p.id and s.id = any($3::bigint[])
left join lateral (select n.id, n.rank, n.section, n.name from story n
	where n.project_id = s.project_id and n.id is distinct from $2::bigint
	and (n.section, n.rank, n.id) > (s.section, s.rank, s.id)
	order by n.section, n.rank, n.id limit 1) b on true
left join lateral (select n.id, n.rank, n.section, n.name from story n
	where n.project_id = s.project_id and n.id is distinct from $2::bigint
	and (n.section, n.rank, n.id) < (s.section, s.rank, s.id)
	order by n.section desc, n.rank desc, n.id desc limit 1) a on true

-- Labels of the project ($1, otherwise that of the story $2): by name in lower case (an unknown
-- name gives a row without an id), and by id.
-- name: load_labels_named
select l.id, coalesce(l.name, lower(btrim(w.text))) as name, p.id as project_id, l.created_at,
	l.updated_at, l.tally, w.text as wished
from (select coalesce($1::bigint, (select project_id from story where id = $2::bigint)) as id) p
cross join unnest($3::text[]) w(text)
left join label l on l.project_id = p.id and l.name = lower(btrim(w.text))

-- name: load_labels
select l.* from unnest($1::bigint[]) i(id) join label l on l.id = i.id

-- name: load_labels_of_story
select l.* from label l
where l.id = any((select s.label_ids from story s where s.id = $1::bigint)::bigint[])

-- People of the project ($1, otherwise that of the story $2 or the epic $3) named by id ($4) or
-- user name ($5), and those concerned by the stories $6 and, with $7, by $2 and $3 and the stories
-- that $2 blocks.
-- name: load_members
with named as (select unnest($4::bigint[]) as id
	union select p.id from unnest($5::text[]) u(name) join person p on lower(p.username) = lower(u.name)
	union select unnest(s.owner_ids || s.follower_ids || s.requested_by_id) from story s
		where s.id = any($6::bigint[] || case when $7::boolean then $2::bigint end)
	union select unnest(s.owner_ids || s.follower_ids || s.requested_by_id) from blocker b
		join story s on s.id = b.story_id
		where $7::boolean and b.blocking_story_ids @> array[$2::bigint] and not b.resolved
	union select unnest(e.follower_ids) from epic e where e.id = $3::bigint and $7::boolean)
select p.id, p.name, p.initials, p.username, m.role,
	p.receives_in_app_notifications and p.disabled_at is null as receives_in_app_notifications
from (select coalesce($1::bigint, (select project_id from story where id = $2::bigint),
		(select project_id from epic where id = $3::bigint)) as id) j
cross join named n
join project_membership m on m.project_id = j.id and m.person_id = n.id
join person p on p.id = n.id

-- The people concerned by the story $1, if they are in its project.
-- name: load_concerned
select p.id, p.name, p.initials, p.username, m.role,
	p.receives_in_app_notifications and p.disabled_at is null as receives_in_app_notifications
from story s cross join lateral (select distinct unnest(s.owner_ids || s.follower_ids
	|| s.requested_by_id)) n(id)
join project_membership m on m.project_id = s.project_id and m.person_id = n.id
join person p on p.id = n.id
where s.id = $1::bigint

-- The people of the project (given by $1, $2, $3 as above) with the user names $4.
-- name: load_mentions
select p.id as person_id, u.name
from (select coalesce($1::bigint, (select project_id from story where id = $2::bigint),
		(select project_id from epic where id = $3::bigint)) as id) j
cross join unnest($4::text[]) u(name)
join person p on lower(p.username) = lower(u.name)
join project_membership m on m.project_id = j.id and m.person_id = p.id

-- name: load_integration
select i.* from integration i where i.id = $3::bigint and i.project_id = coalesce($1::bigint,
	(select project_id from story where id = $2::bigint))

-- What waits for the story of the path: unresolved blockers that name it, whether they wait for
-- another one, too, and the stories that they belong to.
-- name: load_blockers_on
select b.*, exists (select from story s where s.id = any(b.blocking_story_ids)
	and s.id <> $1::bigint and s.section <> 0) as waits
from blocker b where b.blocking_story_ids @> array[$1::bigint] and not b.resolved order by b.id

-- name: load_stories_blocked
select s.* from story s where s.id in (select b.story_id from blocker b
	where b.blocking_story_ids @> array[$1::bigint] and not b.resolved)

-- name: load_epic_of_label
select e.* from epic e where e.label_id = $1::bigint

-- name: load_label
select * from label where id = $1::bigint and project_id = $2::bigint

-- name: load_tasks
select * from task where story_id = $1::bigint order by position, id

-- name: load_task
select * from task where id = $1::bigint and story_id = $2::bigint

-- A person or a label that is to be removed from a story, whether it is there or not.
-- name: load_id
select $1::bigint as id

-- name: load_label_of_story
select l.* from label l where l.id = $1::bigint

-- An epic and its neighbours.
-- name: load_epic
select e.*, (select n.id from epic n where n.project_id = e.project_id
		and (n.rank, n.id) > (e.rank, e.id) order by n.rank, n.id limit 1) as before_id,
	(select n.id from epic n where n.project_id = e.project_id
		and (n.rank, n.id) < (e.rank, e.id) order by n.rank desc, n.id desc limit 1) as after_id
from epic e where e.id = $1::bigint
