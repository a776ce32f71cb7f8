-- What belongs to stories and epics, merged like those themselves in import_merge.sql.

-- One object in two files: a record without an id is the same as one with an id if it has the same
-- text and parent, the first as the first, and so on. So are such records without ids in two files.
-- late: import_ids_given
select count(distinct at_file) > 1 as has_files, bool_or(id is null) as has_none, bool_or(id is not null) as has_ids
from staged_{kind}

-- late: import_match_across_files
with w as (select s.n, s.id, s.at_file, x.parent, x.alike, row_number() over (partition by s.id is null,
		case when s.id is null then s.at_file end, x.parent, x.alike
		order by s.id, s.position, s.n) as nth
	from staged_{kind} s cross join lateral (select {parent} as parent,
		md5(regexp_replace(btrim({alike}), '[[:space:]]+', ' ', 'g')) as alike) x)
delete from staged_{kind} s using w a join w b using (parent, alike, nth)
where a.n = s.n and a.id is null and (b.id is not null or b.at_file < a.at_file)

-- Comments whose texts differ slightly: matched with one of the same day, in the order within the
-- day.
-- late: import_match_comments_by_day
with c as (select s.n, s.id, format('%s|%s', coalesce(s.story_id, s.number), s.epic_id) as parent,
		local_date(coalesce(s.created_at, s.created_at_local at time zone r.zone), r.zone) as day,
		md5(regexp_replace(btrim(coalesce(s.text, '')), '[[:space:]]+', ' ', 'g')) as alike, s.position
	from staged_comment s cross join import_run r),
left_over as (select c.*, row_number() over (partition by c.id is null, c.parent, c.day
		order by c.id, c.position, c.n) as nth
	from c where c.id is null or not exists (select from c o where o.id is null
		and o.parent = c.parent and o.alike = c.alike))
delete from staged_comment s using left_over a join left_over b using (parent, day, nth)
where a.n = s.n and a.id is null and b.id is not null

-- late: import_merge_task
create temp table merged_task on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s', p.id, md5(coalesce(s.description, '')), row_number() over (
		partition by p.id, md5(coalesce(s.description, '')) order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	p.id as story_id, coalesce(s.description, '') as description,
	row_number() over (partition by p.id order by s.position, s.n)::integer as position, t.created_at as created_at,
	greatest(t.created_at, coalesce(s.updated_at, s.updated_at_local at time zone r.zone)) as updated_at{rest}
from staged_task s cross join import_run r join import_story p on p.ref = s.story_id and p.action <> 'gone'
cross join lateral (select least(r.now, coalesce(s.created_at, s.created_at_local at time zone r.zone,
	p.created_at)) as created_at) t
order by s.n

-- A comment without a date gets that of the comment before it, or its story's or epic's; one
-- without an author gets the unknown person.
-- late: import_merge_comment
create temp table merged_comment on commit drop as
with at as (select s.n, p.id as story_id, e.id as epic_id,
		coalesce(p.created_at, e.created_at) as since, coalesce(s.position, s.n) as place,
		s.created_at is null and s.created_at_day is not false as is_day,
		coalesce(s.created_at, s.created_at_local at time zone r.zone) as said_at
	from staged_comment s cross join import_run r
	left join import_story p on p.ref = coalesce(s.story_id, s.number)
	left join import_epic e on p.ref is null and e.ref = coalesce(s.epic_id, s.number)
	where coalesce(p.action, e.action) <> 'gone'),
runs as (select at.*, count(said_at) over w as run, row_number() over w - 1 as nth
	from at window w as (partition by story_id, epic_id order by place, n)),
timed as (select x.*, coalesce(first_value(said_at) over (partition by story_id, epic_id, run
		order by place, n), since) + case when is_day then nth * interval '1 s' else interval '0' end as at
	from runs x)
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s|%s', t.story_id, t.epic_id, md5(coalesce(s.text, '')), row_number() over (
		partition by t.story_id, t.epic_id, md5(coalesce(s.text, '')) order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	t.story_id as story_id, t.epic_id as epic_id, nullif(s.text, '') as text, case when s.person is null and not r.is_whole then r.nobody
		else k.person_id end as person_id,
	least(t.at, r.now) as created_at,
	greatest(least(t.at, r.now), coalesce(s.updated_at, s.updated_at_local at time zone r.zone)) as updated_at,
	false as is_for_files{rest}
from staged_comment s join timed t using (n) cross join import_run r
left join person_map k on k.key = s.person
order by t.said_at is null, s.n

-- A bare number also blocks if it is a story's id. Which stories the text names is added later
-- (blocking_story_ids).
-- late: import_merge_blocker
create temp table merged_blocker on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s', p.id, md5(x.text), row_number() over (
		partition by p.id, md5(x.text) order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	p.id as story_id, x.text as description,
	'{}'::bigint[] as blocking_story_ids, k.person_id as person_id, t.created_at as created_at,
	greatest(t.created_at, coalesce(s.updated_at, s.updated_at_local at time zone r.zone)) as updated_at{rest}
from staged_blocker s cross join import_run r join import_story p on p.ref = s.story_id and p.action <> 'gone'
left join person_map k on k.key = s.person
cross join lateral (select case when btrim(s.description) ~ '^[0-9]{4,18}$' and exists (select
	from import_story b where b.ref = btrim(s.description)::bigint) then '#' || btrim(s.description)
	else coalesce(s.description, '') end as text) x
cross join lateral (select least(r.now, coalesce(s.created_at, s.created_at_local at time zone r.zone,
	p.created_at)) as created_at) t
order by s.n

-- late: import_merge_review_type
create temp table merged_review_type on commit drop as
with named as (select n, at_file, at_line, at_row, id, btrim(name) as name, hidden,
		created_at, updated_at from staged_review_type where btrim(name) <> ''
	union all select n, at_file, at_line, at_row, null, btrim(type), null, null, null
		from staged_review where btrim(type) <> ''),
by_name as (select lower(name) as low, min(n) as n, (array_agg(n order by id is null, n))[1] as best,
		(array_agg(id order by n) filter (where id is not null))[1] as source from named group by 1)
select o.n, w.at_file, w.at_line, w.at_row, o.source, md5(o.low)::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id, w.name, coalesce(w.hidden, false) as hidden, coalesce(w.created_at, r.now) as created_at,
	coalesce(w.updated_at, w.created_at, r.now) as updated_at
from by_name o join named w on w.n = o.best and lower(w.name) = o.low cross join import_run r
order by o.n

-- late: import_merge_review
create temp table merged_review on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s|%s', p.id, y.id, k.person_id, row_number() over (
		partition by p.id, y.id, k.person_id order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	p.id as story_id, y.id as review_type_id, k.person_id as reviewer_id,
	t.created_at as created_at,
	greatest(t.created_at, coalesce(s.updated_at, s.updated_at_local at time zone r.zone)) as updated_at{rest}
from staged_review s cross join import_run r join import_story p on p.ref = s.story_id and p.action <> 'gone'
left join staged_review_type i on i.id = s.review_type_id
join merged_review_type y on lower(y.name) = lower(btrim(coalesce(s.type, i.name)))
left join person_map k on k.key = s.reviewer
cross join lateral (select least(r.now, coalesce(s.created_at, s.created_at_local at time zone r.zone,
	p.created_at)) as created_at) t
order by s.n

-- A link of a story or an epic to a repository.
-- late: import_merge_code_link
create temp table merged_{kind} on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s|%s', p.id, e.id, md5(w.what), row_number() over (
		partition by p.id, e.id, md5(w.what) order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	p.id as story_id, e.id as epic_id, t.created_at as created_at,
	greatest(t.created_at, coalesce(s.updated_at, s.updated_at_local at time zone r.zone)) as updated_at{rest}
from staged_{kind} s cross join import_run r
left join import_story p on p.ref = s.story_id
left join import_epic e on p.ref is null and e.ref = s.epic_id
cross join lateral (select {which} as what) w
cross join lateral (select least(r.now, coalesce(s.created_at, s.created_at_local at time zone r.zone,
	p.created_at, e.created_at)) as created_at) t
where coalesce(p.action, e.action) <> 'gone'
order by s.n

-- A part of a story that is identified by a text.
-- late: import_merge_part
create temp table merged_{kind} on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s', p.id, md5({alike}), row_number() over (
		partition by p.id, {alike} order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	p.id as story_id, t.created_at as created_at,
	greatest(t.created_at, coalesce(s.updated_at, s.updated_at_local at time zone r.zone)) as updated_at{rest}
from staged_{kind} s cross join import_run r join import_story p on p.ref = s.story_id and p.action <> 'gone'
cross join lateral (select least(r.now, coalesce(s.created_at, s.created_at_local at time zone r.zone,
	p.created_at)) as created_at) t
order by s.n

-- late: import_merge_saved_search
create temp table merged_saved_search on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s', k.person_id, s.name, row_number() over (partition by k.person_id, s.name
		order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id as project_id, k.person_id as person_id,
	coalesce(s.created_at, r.now) as created_at, coalesce(s.updated_at, s.created_at, r.now) as updated_at{rest}
from staged_saved_search s cross join import_run r
join person_map k on k.key = s.person and k.person_id is not null order by s.n

-- late: import_merge_webhook
create temp table merged_webhook on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s', s.webhook_url, row_number() over (partition by s.webhook_url
		order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id as project_id,
	coalesce(s.created_at, r.now) as created_at, coalesce(s.updated_at, s.created_at, r.now) as updated_at{rest}
from staged_webhook s cross join import_run r where s.webhook_url is not null order by s.n

-- Drops new webhooks that would give the project more than $1.
-- late: import_webhooks_limit
with gone as (delete from merged_webhook m using (
		select x.n, row_number() over (order by x.n) as nth from merged_webhook x
		where x.action = 'create') x cross join import_run r
	where m.n = x.n and x.nth > $1::bigint - (select count(*) from webhook w where w.project_id = r.project_id)
	returning 1)
select count(*) as n from gone

-- late: import_merge_integration
create temp table merged_integration on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s', s.kind, s.name, row_number() over (partition by s.kind, s.name
		order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id as project_id,
	coalesce(s.created_at, r.now) as created_at, coalesce(s.updated_at, s.created_at, r.now) as updated_at{rest}
from staged_integration s cross join import_run r where s.kind is not null order by s.n

-- Files -----------------------------------------------------------------------------------

-- Files that name no comment go to the story's only comment without text, or else to a new one. In these joins, one
-- number stands for a story or an epic; otherwise each row would be compared with all others.
-- late: import_merge_files_comment
create temp table import_file on commit drop as
with f as (select s.n, p.id as story_id, e.id as epic_id, coalesce(p.action, e.action) as parent_action,
		coalesce(p.updated_at, e.updated_at) as at, c.n as comment_n
	from staged_file_attachment s
	left join merged_comment c on c.source = s.comment_id
	left join import_story p on c.n is null and p.ref = coalesce(s.story_id, s.number)
	left join import_epic e on c.n is null and p.ref is null and e.ref = coalesce(s.epic_id, s.number)
	where s.body is not null),
bare as (select m.story_id, m.epic_id, min(m.n) as n from merged_comment m
	where coalesce(m.text, '') = '' and m.source is null group by 1, 2 having count(*) = 1)
select f.n, f.story_id, f.epic_id, f.at, coalesce(f.comment_n, b.n) as comment_n
from f left join bare b on coalesce(b.story_id, -b.epic_id) = coalesce(f.story_id, -f.epic_id)
	and f.comment_n is null
where f.comment_n is not null or f.parent_action <> 'gone'

-- The new comment has its files' time, if they have one, or else follows the last comment and
-- whatever else is known of the story. Ids give the order, and follow n.
-- late: import_file_comments
insert into merged_comment (n, at_file, at_line, at_row, natural_key, story_id, epic_id, person_id,
	created_at, updated_at, is_for_files)
select x.n + c.last, x.at_file, x.at_line, x.at_row, md5(format('%s|%s|files', x.story_id, x.epic_id))::uuid,
	x.story_id, x.epic_id, x.person_id, t.at, t.at, true
from (select f.story_id, f.epic_id, min(f.n) as n, min(s.at_file) as at_file, min(s.at_line) as at_line,
		min(s.at_row) as at_row, coalesce(min(k.person_id), min(r.nobody)) as person_id, max(f.at) as at,
		max(coalesce(s.created_at, s.created_at_local at time zone r.zone)) as said_at, max(r.now) as now
	from import_file f join staged_file_attachment s using (n) cross join import_run r
	left join person_map k on k.key = s.uploader
	where f.comment_n is null group by f.story_id, f.epic_id) x
cross join (select coalesce(max(n), 0) as last from merged_comment) c
left join (select story_id, epic_id, max(created_at) as at from merged_comment group by 1, 2) o
	on coalesce(o.story_id, -o.epic_id) = coalesce(x.story_id, -x.epic_id)
cross join lateral (select least(coalesce(x.said_at, greatest(x.at, o.at)), x.now) as at) t

-- late: import_file_comments_named
update import_file f set comment_n = m.n from merged_comment m
where f.comment_n is null and m.is_for_files
	and coalesce(m.story_id, -m.epic_id) = coalesce(f.story_id, -f.epic_id)

-- late: import_merge_file_attachment
create temp table merged_file_attachment on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s|%s', c.id, s.filename, s.body, row_number() over (
		partition by c.id, s.filename, s.body order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	r.project_id as project_id, c.id as comment_id, coalesce(k.person_id, c.person_id) as uploader_id,
	coalesce(nullif(s.filename, ''), 'file') as filename,
	coalesce(s.content_type, 'application/octet-stream') as content_type, coalesce(s.size, 0) as size,
	null::integer as width, null::integer as height, false as thumbnailable, s.body,
	least(r.now, coalesce(s.created_at, s.created_at_local at time zone r.zone, c.created_at)) as created_at
from staged_file_attachment s join import_file f using (n)
join merged_comment c on c.n = f.comment_n and c.action <> 'gone' cross join import_run r
left join person_map k on k.key = s.uploader
where s.body is not null order by s.n

-- late: import_merge_google_attachment
create temp table merged_google_attachment on commit drop as
select s.n, s.at_file, s.at_line, s.at_row, s.id as source,
	md5(format('%s|%s|%s|%s', c.id, s.google_id, s.title, row_number() over (
		partition by c.id, s.google_id, s.title order by s.id, s.n)))::uuid as natural_key,
	null::bigint as id, null::uuid as imported_digest, null::uuid as digest, null::text as action,
	c.id as comment_id, k.person_id as person_id{rest}
from staged_google_attachment s join merged_comment c on c.source = s.comment_id and c.action <> 'gone'
left join person_map k on k.key = s.person
where not exists (select from staged_google_attachment o where o.id = s.id and o.n < s.n) order by s.n

-- Stories and epics that were already here and have got more: clients that ask for changes get
-- them.
-- late: import_touch_stories
update story s set updated_at = r.now from import_run r where s.updated_at < r.now and s.id in (
	select p.id from import_story p where p.action in ('same', 'skip') and p.id in (
		{made story_id}))

-- late: import_touch_epics
update epic e set updated_at = r.now from import_run r where e.updated_at < r.now and e.id in (
	select p.id from import_epic p where p.action in ('same', 'skip') and p.id in (
		select epic_id from merged_comment where action = 'create'))

-- Comments list their attachments, in the order of the ids.
-- late: import_attach
update comment c set file_attachment_ids = array(select f.id from file_attachment f
		where f.comment_id = c.id order by f.id),
	google_attachment_ids = array(select g.id from google_attachment g where g.comment_id = c.id order by g.id)
where c.id in (select comment_id from merged_file_attachment where action = 'create'
	union select comment_id from merged_google_attachment where action = 'create')

-- late: import_files_to_place
select n, id, body from merged_file_attachment where action = 'create' and n > $1::bigint
order by n limit 100

-- Bytes of the account's files, and of those that are the project's.
-- late: import_storage_used
select coalesce(sum(f.size), 0)::bigint as used,
	coalesce(sum(f.size) filter (where q.id = $2::bigint), 0)::bigint as here
from project q join file_attachment f on f.project_id = q.id where q.account_id = $1::bigint

-- Bytes of the account's files, and of those that the import adds.
-- late: import_storage_needed
select (select coalesce(sum(f.size), 0) from project q join file_attachment f on f.project_id = q.id
		where q.account_id = p.account_id)::bigint as used,
	(select coalesce(sum(m.size), 0) from merged_file_attachment m where m.action = 'create')::bigint as more
from import_run r join project p on p.id = r.project_id

-- A file's type as detected, if it was, or else as given.
-- late: import_file_detected
update merged_file_attachment set content_type = case when $2::text = 'application/octet-stream'
		then content_type else $2::text end, width = $3::bigint::integer, height = $4::bigint::integer,
	thumbnailable = $5::boolean, size = $6::bigint where n = $1::bigint
