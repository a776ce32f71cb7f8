-- People of an import (src/transfer/people/people.c): from staged_person to person_map, using the
-- map of people and the people who are here.

-- Names of people of the account $1, to find who wrote a comment.
-- late: people_names
select distinct p.name from person p where p.id in (select person_id from account_membership
	where account_id = $1::bigint
	union all select m.person_id from project_membership m
	join project j on j.id = m.project_id and j.account_id = $1::bigint)

-- Rows of the map; n counts from 1.
-- late: people_rows
create temp table person_row on commit drop as
select x.n, x.name, x.email, x.username, x.person_id, x.action
from (select null::bigint as n, null::text as name, null::text as email, null::text as username,
	null::bigint as person_id, null::text as action) x where false

-- late: people_rows_fill
insert into person_row (n, name, email, username, person_id, action)
select x.n, x.name, x.email, x.username, x.person_id, x.action
from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) with ordinality
	x(name, email, username, person_id, action, n)

-- One row of person_key for each key, with the key that stands for the same person: those with one
-- address are one person, and somebody known only by a name is the only person with that name, if
-- there is just one. Addresses that a program made up do not count.
-- late: people_keys
create temp table person_key on commit drop as
with staged as (
	select key, id, name, username, initials, role,
		case when lower(email) ~ '^[^@[:space:],]+@[^@[:space:],]+$'
			and lower(email) !~ '^unknown(-[0-9]+)?@example[.]com$'
			and lower(email) !~ '[.]invalid$' and char_length(email) between 3 and 255
			then email end as email
	from staged_person),
identified as (
	select *, case when email is null then key
		else min(key) over (partition by lower(email)) end as head
	from staged where id is not null or email is not null),
named as (select name, count(distinct head) as heads, min(head) as head from identified
	where name is not null group by name),
called as (select username, count(distinct head) as heads, min(head) as head from identified
	where username is not null group by username)
select key, head, id, name, email, username, initials, role, false as loose from identified
union all
select s.key, coalesce(case when n.heads = 1 then n.head end, case when c.heads = 1 then c.head end,
		s.key), null, s.name, null, s.username, s.initials, s.role, true
from staged s
left join named n on n.name = s.name
left join called c on s.name is null and c.username = s.username
where s.id is null and s.email is null

-- People without a name are called by what else is known of them, or by $1 and the id.
-- late: people_merged
create temp table person_merged on commit drop as
with heads as (
	select head, min(id) as id, (array_agg(name order by loose, key) filter (where name is not null))[1] as name,
		(array_agg(email order by key) filter (where email is not null))[1] as email,
		(array_agg(username order by loose, key) filter (where username is not null))[1] as username,
		(array_agg(initials order by loose, key) filter (where initials is not null))[1] as initials,
		(array_agg(role order by loose, key) filter (where role is not null))[1] as role,
		bool_and(loose) as loose
	from person_key group by head)
select h.head, h.id, n.name, h.email, h.username, h.initials, h.role, h.loose,
	count(*) filter (where not loose) over (partition by n.name) as namesakes
from heads h cross join lateral (select coalesce(h.name, h.username, h.email,
	$1::text || ' ' || h.id) as name) n

-- People whom the map has: matched by everything it says about them, or, if somebody added to that,
-- by a name that only one row and one person have.
-- late: people_mapped
create temp table person_mapped on commit drop as
with exact as (
	select w.head, min(r.n) as n from person_merged w
	join person_row r on coalesce(r.name, '') = coalesce(w.name, '')
		and lower(coalesce(r.email, '')) = lower(coalesce(w.email, ''))
		and coalesce(r.username, '') = coalesce(w.username, '')
	group by w.head),
rows as (select name, min(n) as n from person_row
	where name is not null and n not in (select n from exact)
	group by name having count(*) = 1),
people as (select name, min(head) as head from person_merged
	where name is not null and head not in (select head from exact)
	group by name having count(*) = 1)
select head, n from exact union all select p.head, r.n from rows r join people p using (name)

-- What is known of each, for the account $1 and the project $2 (null: a new one). Names find only
-- people whom $3 sees (null: all); whether the others may be named is up to people_standing.
-- late: people_candidates
with seen as (
	select $3::bigint as person_id union select k.other_id from api.acquaintance k
	where k.person_id = $3::bigint),
account as (
	select p.id, p.name, p.placeholder from person p where p.removed_at is null and p.id in (
		select person_id from account_membership where account_id = $1::bigint
		union all select m.person_id from project_membership m
		join project j on j.id = m.project_id and j.account_id = $1::bigint)
		and ($3::bigint is null or p.id in (select person_id from seen))),
named as (select name, count(*) as people, min(id) as id, bool_and(placeholder) as placeholder
	from account group by name),
before as (
	select distinct on (k.head) k.head, i.person_id, i.project_id = $2::bigint as settled
	from person_key k
	join person_merged w on w.head = k.head
	join imported_person i on i.key = k.key and i.name is not distinct from w.name
	join project j on j.id = i.project_id and j.account_id = $1::bigint
	where i.project_id = $2::bigint or i.key not like 'name:%' and i.person_id is not null
	order by k.head, i.project_id is distinct from $2::bigint, i.person_id)
select w.head, w.id, w.name, w.email, w.username, w.initials, w.loose, w.namesakes,
	b.head is not null as is_known, b.person_id as known_id,
	coalesce(b.settled, false) as settled, m.id as mail_id,
	coalesce(n.people, 0) as named, n.id as named_id,
	coalesce(n.placeholder, false) as named_is_placeholder,
	coalesce(r.n, 0) as row, byid.id as row_id_id, bymail.id as row_mail_id, byuser.id as row_user_id,
	coalesce(byid.placeholder and byid.name = w.name, false) as row_id_is_placeholder
from person_merged w
left join before b on b.head = w.head
left join person m on lower(m.email) = lower(w.email)
left join named n on n.name = w.name
left join person_mapped f on f.head = w.head
left join person_row r on r.n = f.n
left join person byid on byid.id = r.person_id and byid.removed_at is null
left join person bymail on lower(bymail.email) = lower(r.email)
left join person byuser on lower(byuser.username) = lower(r.username)
order by lower(w.name), w.loose, w.email, w.head

-- How the people $4 are related to the account $1, the project $2 and the person who imports ($3),
-- in the order of their ids.
-- late: people_standing
select p.id, exists (select from account_membership m
		where m.account_id = $1::bigint and m.person_id = p.id)
	or exists (select from project_membership m join project j on j.id = m.project_id
		where j.account_id = $1::bigint and m.person_id = p.id) as in_account,
	exists (select from project_membership m
		where m.project_id = $2::bigint and m.person_id = p.id) as in_project,
	coalesce(p.id = $3::bigint, false) or exists (select from api.acquaintance k
		where k.person_id = $3::bigint and k.other_id = p.id) as seen, p.email_claimed
from person p where p.id = any($4::bigint[]) order by p.id

-- People of the account $1 whom $2 (null: all) sees and who have one of the names $3, at most $4 of each.
-- late: people_namesakes
select x.name, x.id, x.email, x.username, x.initials
from (select p.name, p.id, case when not p.placeholder then p.email end as email,
		case when not p.placeholder then p.username end as username, p.initials,
		row_number() over (partition by p.name order by p.id) as n
	from person p where p.removed_at is null and p.name = any($3::text[]) and p.id in (
		select person_id from account_membership where account_id = $1::bigint
		union all select m.person_id from project_membership m
		join project j on j.id = m.project_id and j.account_id = $1::bigint)
	and ($2::bigint is null or p.id = $2::bigint or exists (select from api.acquaintance k
		where k.person_id = $2::bigint and k.other_id = p.id))) x
where x.n <= $4::bigint order by x.name, x.id

-- The last id, and the highest that is kept: $1, at most $2, unless the last one is above it.
-- late: people_last_id
select last_value as last, least($2::bigint, greatest($1::bigint, last_value)) as most from person_id_seq

-- Positions of those of the requested ids that are free; an id requested twice goes to the first.
-- late: people_free_ids
select min(x.n) as n from unnest($1::bigint[]) with ordinality x(id, n)
where x.id is not null and not exists (select from person p where p.id = x.id) group by x.id

-- New people, with their actions in the map ($5). User names are confirmed if an operator imports ($6). Until people_name,
-- their user names and addresses are nobody's: with others, whoever gives one of these to somebody, in any project, would
-- wait for the end of the import.
-- late: people_create
insert into person (id, name, initials, username, email, placeholder, receives_in_app_notifications,
	said_email, username_claimed)
select x.id, x.name, upper(left(x.initials, 10)), 'import-' || u.id, u.id || '@placeholder.invalid',
	x.action <> 'create', x.action = 'create', left(x.said_email, 255), not $6::boolean
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
	x(id, name, initials, said_email, action)
cross join lateral (select gen_random_uuid() as id where x.id is not null) u

-- What the new people $1 are called in the end. If somebody has the user name ($2) or address ($3), the other one is used
-- ($4, $5); only placeholders have another address.
-- late: people_name
with new as (
	select x.*, row_number() over (partition by lower(x.username) order by x.id) as nth
	from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
		x(id, username, email, other_username, other_email))
update person o set
	username = case when n.nth > 1 or exists (select from person p where lower(p.username) = lower(n.username))
		then n.other_username else n.username end,
	email = case when n.other_email is not null and exists (select from person p where lower(p.email) = lower(n.email))
		then n.other_email else n.email end
from new n where o.id = n.id

-- Records those of the people $1 who have the id of an entry ($2), for the account $3: by the person $4 (null: the
-- operator), by the means $5, under the request_id $6.
-- late: people_create_audit
insert into audit_entry (id, account_id, is_first, act, means, person_id, request_id, object_kind, object_id, object_name,
	new)
select x.entry, a.id, true, 'person_create', $5::text, $4::bigint, $6::text, 'person', p.id, p.name,
	json_build_object('email', p.email, 'username', p.username)
from unnest($1::bigint[], $2::bigint[]) x(person, entry) join person p on p.id = x.person
join account a on a.id = $3::bigint where x.entry is not null

-- late: people_map
create temp table person_map on commit drop as
select null::text as key, null::bigint as person_id, null::text as action, null::boolean as is_new
where false

-- late: people_map_fill
insert into person_map (key, person_id, action, is_new)
select k.key, x.person_id, x.action, coalesce(x.person_id = any($4::bigint[]), false)
from unnest($1::text[], $2::bigint[], $3::text[]) x(head, person_id, action)
join person_key k on k.head = x.head

-- late: people_map_key
create unique index on person_map (key)

-- The account's owners own its new project $1.
-- late: people_add_owners
insert into project_membership (project_id, person_id, role)
select j.id, m.person_id, 'owner' from project j
join account_membership m on m.account_id = j.account_id and m.owner
where j.id = $1::bigint on conflict (project_id, person_id) do nothing returning person_id

-- Who becomes a member, and with which role. An export of this program ($2) lists all members:
-- people who had left remain the authors of what they did, but do not become members.
-- late: people_new_members
create temp table new_member on commit drop as
select m.person_id, p.placeholder, bool_or(m.is_new) as is_new,
	coalesce((array['owner', 'member', 'viewer'])[
		min(array_position(array['owner', 'member', 'viewer'], w.role))], 'member') as role,
	coalesce(bool_or(m.is_new or not p.email_claimed and lower(p.email) in (lower(w.email), lower(r.email))), false) as by_address
from person_map m join person_key k on k.key = m.key
join person_merged w on w.head = k.head join person p on p.id = m.person_id
left join person_mapped f on f.head = w.head
left join person_row r on r.n = f.n
where not exists (select from project_membership o
	where o.project_id = $1::bigint and o.person_id = m.person_id)
group by m.person_id, p.placeholder
having bool_or(w.role is not null) or not $2::boolean and (bool_or(m.is_new) or p.placeholder
	or not exists (select from person_merged where role is not null))

-- Adds those of them who are placeholders, or, with $2, all.
-- late: people_add_members
insert into project_membership (project_id, person_id, role, wants_comment_notification_emails,
	will_receive_mention_notifications_or_emails)
select $1::bigint, person_id, role, not placeholder, not placeholder from new_member
where placeholder or $2::boolean
order by person_id on conflict (project_id, person_id) do nothing returning person_id

-- The others, and how they are related to the account $1 and the person who imports ($2); somebody
-- who left the account comes back by an invitation, not by a file.
-- late: people_new_members_standing
with j as (select p.id, p.name, p.email, j.role, j.is_new, j.by_address,
		p.receives_in_app_notifications and p.disabled_at is null as hears,
		exists (select from account_membership m
			where m.account_id = $1::bigint and m.person_id = p.id)
		or exists (select from project_membership m join project o on o.id = m.project_id
			where o.account_id = $1::bigint and m.person_id = p.id) as in_account,
		exists (select from api.acquaintance k
			where k.person_id = $2::bigint and k.other_id = p.id) as seen
	from new_member j join person p on p.id = j.person_id where not j.placeholder)
select * from j where in_account or is_new order by id

-- late: people_performer
select id as person_id, name as me_name, initials as me_initials, username as me_username,
	time_zone as me_time_zone
from person where id = $1::bigint

-- What was decided, for the next import.
-- late: people_remember
insert into imported_person (project_id, key, name, person_id)
select $1::bigint, m.key, w.name, m.person_id from person_map m
join person_key k on k.key = m.key join person_merged w on w.head = k.head
on conflict (project_id, key) do update set name = excluded.name, person_id = excluded.person_id
where (imported_person.name, imported_person.person_id)
	is distinct from (excluded.name, excluded.person_id)

-- Records in the audit log that the people $3 became members of the project $1 by an import of the person $2 (null: the
-- operator's), by the means $4, under the request_id $5.
-- late: people_audit
insert into audit_entry (account_id, is_first, act, means, person_id, request_id, project_id, object_kind, object_id, new)
select p.account_id, true, 'membership_create', $4::text, $2::bigint, $5::text, p.id, 'person', m.person_id,
	json_build_object('role', m.role)
from project_membership m join project p on p.id = m.project_id
where m.project_id = $1::bigint and m.person_id = any($3::bigint[]) order by m.person_id
