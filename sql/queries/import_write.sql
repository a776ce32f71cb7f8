-- What follows from what the import wrote: search texts, transitions, activities.

-- Texts that are about to be written again; an empty text has no row.
-- late: import_texts_gone
delete from search_text t using (
	select 'name' as source, id from merged_story where action = 'update'
	union all select 'description', id from merged_story where action = 'update'
	union all select 'epic', id from merged_epic where action = 'update'
	union all select 'epic_description', id from merged_epic where action = 'update'
	union all select 'task', id from merged_task where action = 'update'
	union all select 'comment', id from merged_comment where action = 'update') g
where t.source = g.source and t.source_id = g.id

-- late: import_texts
insert into search_text (source, source_id, project_id, story_id, epic_id, text)
select x.source, x.id, r.project_id, x.story_id, x.epic_id, x.text
from import_run r cross join (
	select 'name' as source, id, id as story_id, null::bigint as epic_id, name as text from merged_story
		where action in ('create', 'update')
	union all select 'description', id, id, null, description from merged_story
		where action in ('create', 'update') and description <> ''
	union all select 'epic', id, null, id, name from merged_epic where action in ('create', 'update')
	union all select 'epic_description', id, null, id, description from merged_epic
		where action in ('create', 'update') and description <> ''
	union all select 'task', id, story_id, null, description from merged_task
		where action in ('create', 'update') and description <> ''
	union all select 'comment', id, story_id, epic_id, text from merged_comment
		where action in ('create', 'update') and text <> ''
	union all select 'attachment', f.id, c.story_id, c.epic_id, f.filename
		from merged_file_attachment f join comment c on c.id = f.comment_id where f.action = 'create'
	union all select 'attachment', g.id, c.story_id, c.epic_id, coalesce(nullif(g.title, ''), ' ')
		from merged_google_attachment g join comment c on c.id = g.comment_id where g.action = 'create') x

-- $1: the import's version.
-- late: import_transitions
insert into story_transition (story_id, project_id, project_version, state, occurred_at, performed_by_id)
select p.id, r.project_id, case when r.is_whole and r.is_new then coalesce(t.project_version, $1::bigint)
		else $1::bigint end, t.state, x.at, k.person_id
from staged_story_transition t cross join import_run r join import_story p on p.ref = t.story_id and p.action <> 'gone'
cross join lateral (select coalesce(t.occurred_at, t.occurred_at_local at time zone r.zone, p.created_at) as at) x
left join person_map k on k.key = t.performed_by
where t.state is not null and (p.action = 'create' or not exists (select from story_transition o
	where o.story_id = p.id and o.state = t.state and o.occurred_at = x.at))
order by x.at, t.n

-- For stories whose past is in no file, or ends in another state than theirs: when they got it. Stories
-- whose state the import changes get it at the time of the import; nobody gets one before their last.
-- late: import_transitions_guessed
insert into story_transition (story_id, project_id, project_version, state, occurred_at)
select m.id, r.project_id, $1::bigint, m.current_state, greatest(l.occurred_at,
	case when m.current_state = 'accepted' then m.accepted_at when m.action = 'update' then r.now
	when m.current_state in ('unstarted', 'planned') then m.created_at else m.updated_at end)
from merged_story m cross join import_run r
left join lateral (select t.state, t.occurred_at from story_transition t where t.story_id = m.id
	order by t.id desc limit 1) l on true
where m.action in ('create', 'update') and coalesce(l.state, 'unscheduled') <> m.current_state
order by m.n

-- Activities of the files, in the order of their times.
-- late: import_merge_activity
create temp table merged_activity on commit drop as
with imported_before as (select i.natural_key from import_item i, import_run r
	where i.project_id = r.project_id and i.kind = 'activity'),
x as (select s.n, s.at_file, s.at_line, s.at_row, s.project_version, s.kind, s.type, s.number, s.message,
		s.highlight, s.changes, s.primary_resources, s.secondary_resources,
		coalesce(s.occurred_at, s.occurred_at_local at time zone r.zone) as at, k.person_id,
		p.id as story_id, e.id as epic_id, coalesce(s.story_ids, s.about_stories) as about_stories,
		coalesce(s.epic_ids, s.about_epics) as about_epics
	from staged_activity s cross join import_run r
	left join person_map k on k.key = s.performed_by
	left join import_story p on p.ref = s.number
	left join import_epic e on p.ref is null and e.ref = s.number),
y as (select x.*, md5(format('%s|%s|%s|%s|%s', x.number, x.kind, x.at, md5(coalesce(x.message, '')),
		md5(coalesce(x.changes, ''))))::uuid as alike from x where x.at is not null),
z as (select y.*, md5(y.alike::text || '|' || row_number() over (partition by y.alike order by y.project_version, y.n))::uuid
	as natural_key from y)
select z.*, row_number() over (order by z.at, z.project_version, case when d.falls then -z.n else z.n end) as nth
from z cross join (select (select at from y order by n limit 1) > (select at from y order by n desc limit 1)
	as falls) d where z.natural_key not in (select natural_key from imported_before where natural_key is not null)

-- late: import_activity_versions
select count(*) as n, count(distinct project_version) as versions, min(project_version) as first,
	max(project_version) as last from merged_activity

-- The feed times of a project that got old activities, computed as in
-- sql/migrations/0071_feed_times.sql.
-- late: import_feed_times
update project p set told_until = x.until, told_late_s = x.late_s
from (select max(occurred_at) as until, case when count(*) = max(version) - 1
			and max(until - occurred_at) < interval '36500 days'
		then greatest(60, ceil(extract(epoch from max(until - occurred_at)))::integer) end as late_s
	from (select a.version, a.occurred_at, max(a.occurred_at) over (order by a.version) as until
		from activity a, import_run r where a.project_id = r.project_id) a) x, import_run r
where p.id = r.project_id and x.until is not null

-- $1: the last version in use; $2: whether the files' versions are kept; $3: a pattern for the
-- address of a story or an epic, of which only the part after the server's name is kept.
-- late: import_insert_activity
with inserted as (insert into activity (project_id, version, kind, person_id, occurred_at, changes, message,
		highlight, primary_resources, secondary_resources, story_ids, epic_ids)
	select r.project_id, case when $2::boolean then x.project_version else $1::bigint + x.nth end,
		coalesce(x.kind, case when x.type ~ '^[a-z_]{1,80}_activity$' then x.type
			when x.epic_id is not null then 'epic_update_activity' else 'story_update_activity' end),
		x.person_id, x.at, coalesce(x.changes, '[]'), coalesce(x.message, ''), coalesce(x.highlight, ''),
		coalesce(regexp_replace(x.primary_resources, $3, '\1\2', 'g'), case
			when s.id is not null then jsonb_build_array(jsonb_build_object('kind', 'story', 'id', s.id,
				'name', s.name, 'story_type', s.story_type, 'url', '/story/show/' || s.id))::text
			when e.id is not null then jsonb_build_array(jsonb_build_object('kind', 'epic', 'id', e.id,
				'name', e.name, 'url', '/epic/show/' || e.id))::text else '[]' end),
		case when x.changes is null then '[]'
			else regexp_replace(x.secondary_resources, $3, '\1\2', 'g') end,
		case when s.id is not null then array[s.id] else coalesce(array(select distinct coalesce(i.id, u.id)
			from unnest(x.about_stories) u(id) left join import_story i on i.ref = u.id), '{}') end,
		case when e.id is not null then array[e.id] else coalesce(array(select distinct coalesce(i.id, u.id)
			from unnest(x.about_epics) u(id) left join import_epic i on i.ref = u.id), '{}') end
	from merged_activity x cross join import_run r left join story s on s.id = x.story_id
	left join epic e on e.id = x.epic_id order by x.nth
	returning version)
select count(*) as n from inserted

-- late: import_remember_activity
insert into import_item (project_id, kind, id, source, natural_key)
select r.project_id, 'activity', case when $2::boolean then x.project_version else $1::bigint + x.nth end,
	x.project_version, x.natural_key
from merged_activity x cross join import_run r
on conflict (project_id, kind, id) do nothing

-- late: import_overrides_staged
select distinct on (s.number) s.at_file, s.at_line, s.at_row, s.number, s.length, s.team_strength::float8 as team_strength,
	p.iteration_length::bigint as own_length
from staged_iteration_override s cross join import_run r join project p on p.id = r.project_id
order by s.number, s.n

-- $1: numbers, each once; $2: lengths, 0 for none; $3: strengths, NaN for none.
-- late: import_overrides
insert into iteration_override (project_id, number, length, team_strength)
select r.project_id, x.number, nullif(x.length, 0), nullif(x.team_strength, 'NaN')
from import_run r cross join unnest($1::bigint[], $2::bigint[], $3::double precision[])
	x(number, length, team_strength)
on conflict (project_id, number) do update set length = excluded.length, team_strength = excluded.team_strength
where (select overwrite from import_run)
	and (iteration_override.length, iteration_override.team_strength)
		is distinct from (excluded.length, excluded.team_strength)

-- Settings that a membership has besides its role.
-- late: import_memberships
update project_membership m set project_color = case when s.project_color ~* '^[0-9a-f]{6}$' then lower(s.project_color)
		else m.project_color end,
	favorite = coalesce(s.favorite, m.favorite),
	wants_comment_notification_emails = coalesce(s.wants_comment_notification_emails,
		m.wants_comment_notification_emails),
	will_receive_mention_notifications_or_emails = coalesce(s.will_receive_mention_notifications_or_emails,
		m.will_receive_mention_notifications_or_emails),
	last_viewed_at = coalesce(s.last_viewed_at, m.last_viewed_at),
	created_at = coalesce(s.created_at, m.created_at), updated_at = coalesce(s.updated_at, m.updated_at)
from staged_membership s join person_map k on k.key = s.person cross join import_run r
where r.is_new and m.project_id = r.project_id and m.person_id = k.person_id
