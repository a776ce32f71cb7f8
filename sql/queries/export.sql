-- Stories as CSV (src/transfer/out/export_csv.c), and a project as a zip (export_lines.c).

-- Those of the stories $1 that the caller sees, in the order of the file.
-- name: export_visible
select s.id, s.project_id from story s join project p on p.id = s.project_id
where s.id = any($1::bigint[]) and (p.public or exists (select from project_membership m
	where m.project_id = p.id and m.person_id = {me}
		and {reached m.project_id}))
order by s.project_id, s.section, s.rank, s.id

-- name: export_story_ids
select s.id from story s where s.project_id = $1::bigint {where}
order by s.section, s.rank, s.id

-- name: export_epic_ids
select id from epic where project_id = $1::bigint order by rank, id

-- Roughly how many bytes each of them takes in the file with all that hangs on it, in the order of the ids.
-- name: export_sizes
select (500 + coalesce(octet_length(s::text), 0)
	+ (select coalesce(sum(300 + octet_length(c.text)), 0) from comment c where c.story_id = s.id)
	+ (select coalesce(sum(200 + octet_length(t.description)), 0) from task t where t.story_id = s.id)
	+ (select coalesce(sum(200 + octet_length(b.description)), 0) from blocker b where b.story_id = s.id)
	+ (select coalesce(sum(200 + octet_length(r::text)), 0) from pull_request r where r.story_id = s.id)
	+ (select coalesce(sum(200 + octet_length(r::text)), 0) from branch r where r.story_id = s.id)
	+ (select coalesce(sum(200 + octet_length(r::text)), 0) from cicd_event r where r.story_id = s.id)
	+ (select 300 * count(*) from review r where r.story_id = s.id)
	+ (select 300 * count(*) from story_transition t where t.story_id = s.id))::bigint as bytes
from unnest($1::bigint[]) with ordinality x(id, n) left join story s on s.id = x.id
order by x.n

-- name: export_epic_sizes
select (500 + coalesce(octet_length(e::text), 0)
	+ (select coalesce(sum(300 + octet_length(c.text)), 0) from comment c where c.epic_id = e.id)
	+ (select coalesce(sum(200 + octet_length(r::text)), 0) from pull_request r where r.epic_id = e.id)
	+ (select coalesce(sum(200 + octet_length(r::text)), 0) from branch r where r.epic_id = e.id))
	::bigint as bytes
from unnest($1::bigint[]) with ordinality x(id, n) left join epic e on e.id = x.id
order by x.n

-- How often the stories $1 and the epics $2 need each repeated column at most; part is the index of
-- the column in export_csv.c.
-- name: export_widths
select part, max(n)::bigint as most from (
	select 0 as part, cardinality(owner_ids)::bigint as n from story where id = any($1::bigint[])
	union all
	select 1, count(*) from blocker where story_id = any($1::bigint[]) group by story_id
	union all
	select 2, count(*) from comment where story_id = any($1::bigint[]) group by story_id
	union all
	select 2, count(*) from comment where epic_id = any($2::bigint[]) group by epic_id
	union all
	select 3, count(*) from task where story_id = any($1::bigint[]) group by story_id
	union all
	select 4, count(*) from review where story_id = any($1::bigint[]) group by story_id
	union all
	select 5, count(*) from pull_request where story_id = any($1::bigint[]) group by story_id
	union all
	select 5, count(*) from pull_request where epic_id = any($2::bigint[]) group by epic_id
	union all
	select 6, count(*) from branch where story_id = any($1::bigint[]) group by story_id
	union all
	select 6, count(*) from branch where epic_id = any($2::bigint[]) group by epic_id) x
group by part

-- name: export_stories
select s.id, s.project_id, s.section, s.name, s.story_type, s.estimate::text as estimate,
	case s.story_priority when 'p0' then 'p0 - Critical' when 'p1' then 'p1 - High'
		when 'p2' then 'p2 - Medium' when 'p3' then 'p3 - Low' else s.story_priority end
		as priority,
	s.current_state, s.description, r.name as requester,
	array_to_string(array(select l.name from unnest(s.label_ids) with ordinality x(id, n)
		join label l on l.id = x.id order by x.n), ', ') as labels,
	local_date(s.created_at, j.time_zone) as created_day,
	local_date(s.accepted_at, j.time_zone) as accepted_day,
	local_date(s.deadline, j.time_zone) as deadline_day
from story s join project j on j.id = s.project_id left join person r on r.id = s.requested_by_id
where s.id = any($1::bigint[])
order by s.project_id, s.section, s.rank, s.id

-- The contents of the repeated columns.
-- name: export_story_parts
select * from (
	select s.id as owner_id, 0 as part, o.n as place, p.name as text, null as status,
		null as person, null::date as day
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
	select r.story_id, 4, r.id,
		case when t.name in ('Code', 'Security') then lower(t.name) else t.name end, r.status,
		p.name, null
	from review r join review_type t on t.id = r.review_type_id
	left join person p on p.id = r.reviewer_id where r.story_id = any($1::bigint[])
	union all
	select story_id, 5, id, coalesce(nullif(original_url, ''),
		format('%s/%s/%s/pull/%s', rtrim(host_url, '/'), owner, repo, number)), null, null, null
	from pull_request where story_id = any($1::bigint[])
	union all
	select story_id, 6, id, name, null, null, null
	from branch where story_id = any($1::bigint[])) x
order by owner_id, part, place

-- name: export_epics
select e.id, e.name, l.name as label, local_date(e.created_at, p.time_zone) as created_day,
	e.description
from unnest($1::bigint[]) with ordinality x(id, n) join epic e on e.id = x.id
join project p on p.id = e.project_id join label l on l.id = e.label_id
order by x.n

-- name: export_epic_parts
select * from (
	select c.epic_id as owner_id, 2 as part, c.id as place, c.text, null as status,
		p.name as person, local_date(c.created_at, j.time_zone) as day
	from comment c join epic e on e.id = c.epic_id join project j on j.id = e.project_id
	left join person p on p.id = c.person_id where c.epic_id = any($1::bigint[])
	union all
	select epic_id, 5, id, coalesce(nullif(original_url, ''),
		format('%s/%s/%s/pull/%s', rtrim(host_url, '/'), owner, repo, number)), null, null, null
	from pull_request where epic_id = any($1::bigint[])
	union all
	select epic_id, 6, id, name, null, null, null
	from branch where epic_id = any($1::bigint[])) x
order by owner_id, part, place

-- Lines of a project $1: for each kind, those after the key $2, at most $3; none after the last.

-- name: export_project
select * from api.project where id = $1::bigint and id > $2::bigint limit $3::bigint

-- The people whom the lines refer to. An address is only for callers who may see it
-- (contract 1.11); without a caller, it is an operator who exports. A placeholder's address and
-- user name were made up by this server. Each piece looks through the whole project, so they are few.
-- name: export_people
with s as materialized (select id, requested_by_id, owner_ids, follower_ids from story
	where project_id = $1::bigint),
e as materialized (select id, follower_ids from epic where project_id = $1::bigint),
c as materialized (select id, person_id from comment where story_id in (select id from s)
	union all select id, person_id from comment where epic_id in (select id from e)),
named (id) as (select person_id from project_membership where project_id = $1::bigint
	union select requested_by_id from s union select unnest(owner_ids) from s
	union select unnest(follower_ids) from s union select unnest(follower_ids) from e
	union select person_id from c
	union select uploader_id from file_attachment where comment_id in (select id from c)
	union select person_id from google_attachment where comment_id in (select id from c)
	union select person_id from blocker where story_id in (select id from s)
	union select reviewer_id from review where story_id in (select id from s)
	union select performed_by_id from story_transition where story_id in (select id from s)
	union select person_id from activity where project_id = $1::bigint
	union select person_id from saved_search
		where project_id = $1::bigint and ({me} is null or person_id = {me}))
select p.id, p.name, case when p.placeholder then null when {me} is null or p.id = {me} or exists (select from api.acquaintance k
		where k.person_id = {me} and k.other_id = p.id and {reached k.place}) then p.email end as email,
	p.initials, case when not p.placeholder then p.username end as username
from person p where p.id > $2::bigint and p.id in (select id from named)
order by p.id limit 50 * $3::bigint

-- name: export_memberships
select * from api.project_membership where project_id = $1::bigint and id > $2::bigint
order by id limit $3::bigint

-- name: export_labels
select * from api.label where project_id = $1::bigint and id > $2::bigint
order by id limit $3::bigint

-- name: export_review_types
select * from api.review_type where project_id = $1::bigint and id > $2::bigint
order by id limit $3::bigint

-- name: export_integrations
select * from api.integration where project_id = $1::bigint and id > $2::bigint
order by id limit $3::bigint

-- name: export_overrides
select number, project_id, length, team_strength from iteration_override
where project_id = $1::bigint and number > $2::bigint order by number limit $3::bigint

-- One may be of a hundred stories: only as many as are stored in 64 KiB, compressed, and one in any case.
-- name: export_activity
select a.* from (select v.version, sum(v.bytes) over (order by v.version) - v.bytes as before
	from (select version, pg_column_size(changes) as bytes from activity
		where project_id = $1::bigint and version > $2::bigint order by version limit $3::bigint) v) x
join api.activity a on a.project_id = $1::bigint and a.project_version = x.version
where x.before < 65536 order by a.project_version

-- A search belongs to its person (contract 1.11): only they, or the operator, can export it.
-- name: export_saved_searches
select * from saved_search where project_id = $1::bigint and id > $2::bigint
	and ({me} is null or person_id = {me})
order by id limit $3::bigint

-- name: export_webhooks
select * from api.webhook where project_id = $1::bigint and id > $2::bigint
order by id limit $3::bigint

-- name: export_epic_lines
select e.* from unnest($1::bigint[]) with ordinality x(id, n) join api.epic e on e.id = x.id
order by x.n

-- name: export_story_lines
select s.* from unnest($1::bigint[]) with ordinality x(id, n) join api.story s on s.id = x.id
order by x.n

-- Files of the project $1 after the file $3 of the folder $2, at most $4.
-- name: export_files
select * from (select coalesce(c.story_id, c.epic_id) as folder, f.id, f.filename, f.content_type,
		floor(extract(epoch from f.created_at))::bigint as made_s
	from file_attachment f join comment c on c.id = f.comment_id
	where f.project_id = $1::bigint) x
where (x.folder, x.id) > ($2::bigint, $3::bigint) order by x.folder, x.id limit $4::bigint

-- name: export_head
select name, version, now() as now from project where id = $1::bigint
