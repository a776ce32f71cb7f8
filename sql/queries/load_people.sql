-- What commands on projects, accounts and their people load (api/project.c, api/account.c,
-- api/membership.c).

-- name: load_account
select * from account where id = $1::bigint

-- The caller's accounts, or only $1 among them: takes a shared lock on the row, so that they are
-- not removed from the account while they create a project there.
-- name: load_own_accounts
select m.* from account_membership m
where m.person_id = {me} and {writes} and {reached -m.account_id}
	and ($1::bigint is null or m.account_id = $1::bigint)
order by m.account_id for key share

-- Projects that have the name $2 (null: that of $1), in the caller's accounts and in that of
-- project $1.
-- name: load_projects_named
select p.id, p.account_id from project p
where lower(p.name) = lower(coalesce($2::text, (select name from project where id = $1::bigint)))
	and p.account_id in (select account_id from account_membership where person_id = {me}
		union all select account_id from project where id = $1::bigint)

-- name: zone_exists
select zone_known($1::text) as known

-- name: statement_timeout_off
select set_config('statement_timeout', '0', true)

-- A person by id ($1) or address ($2), and their relation to the caller, the project $3 and the
-- account $4. A placeholder is known only in an account that has it: with work in others, too, nobody could say there
-- any more who it was.
-- name: load_person
select p.id, p.name, p.initials, p.username, p.email,
	p.receives_in_app_notifications and p.disabled_at is null as receives_in_app_notifications, p.email_claimed,
	m.id is not null as in_project, a.id is not null as in_account,
	p.id = c.id
	or exists (select from api.acquaintance k
		where k.person_id = c.id and k.other_id = p.id and {reached k.place}) as seen
from (select {me} as id) c
join person p on p.id = coalesce($1::bigint,
	(select id from person where lower(email) = lower($2::text))) and p.removed_at is null
left join project_membership m on m.project_id = $3::bigint and m.person_id = p.id
left join account_membership a on a.account_id = $4::bigint and a.person_id = p.id
where not p.placeholder or exists (select from account_membership h where h.person_id = p.id
	and h.account_id = coalesce($4::bigint, (select j.account_id from project j where j.id = $3::bigint)))

-- Initials in capitals, and those of the user names $1, with or without a number appended, that are
-- taken, in lower case: two letters outside of ASCII become an "i" and a "k"; no names for a known
-- address (`known`). Initials are always returned: load_person, in an earlier snapshot, may not have
-- seen that somebody has the address.
-- name: load_usernames
select lower(p.username) as username, i.initials, i.known
from (select upper($2::text) as initials,
	exists (select from person where lower(email) = lower($3::text)) as known) i
left join person p on not i.known and lower(p.username) = any(array(select $1::text
		|| case when n > 1 then n::text else '' end from generate_series(1, 999) n))

-- name: load_membership
select * from project_membership where id = $1::bigint and project_id = $2::bigint

-- name: load_owners
select * from project_membership where project_id = $1::bigint and role = 'owner'

-- name: load_account_membership
select * from account_membership where person_id = $1::bigint and account_id = $2::bigint

-- Locks the projects of account $1 that person $2 is in, if the caller may remove them: an
-- administrator, or that person.
-- name: lock_projects_of
select x.id, pg_advisory_xact_lock((1::bigint << 61) | x.id)::text as locked
from (select p.id from project_membership m join project p on p.id = m.project_id
	where p.account_id = $1::bigint and m.person_id = $2::bigint
		and exists (select from account_membership a where a.account_id = $1::bigint
			and a.person_id = {me} and {writes} and {reached -a.account_id}
			and (a.owner or a.admin or a.person_id = $2::bigint))
	order by p.id offset 0) x

-- The same for the person's membership of the account: adding that person to a project there takes
-- a shared lock on it.
-- name: lock_account_membership
select m.* from account_membership m where m.account_id = $1::bigint and m.person_id = $2::bigint
	and exists (select from account_membership a where a.account_id = $1::bigint
		and a.person_id = {me} and {writes} and {reached -a.account_id}
		and (a.owner or a.admin or a.person_id = $2::bigint))
for update of m

-- name: load_projects_of
select p.*, exists (select from webhook w where w.project_id = p.id and w.enabled) as has_webhooks
from project_membership m join project p on p.id = m.project_id
where p.account_id = $1::bigint and m.person_id = $2::bigint order by p.id

-- The person's memberships there, and the other owners.
-- name: load_memberships_of
select m.* from project_membership m join project p on p.id = m.project_id
where p.account_id = $1::bigint and (m.person_id = $2::bigint or (m.role = 'owner' and m.project_id in
	(select project_id from project_membership where person_id = $2::bigint)))
order by m.project_id

-- Whether somebody other than the caller has the user name $1 or the address $2.
-- name: load_names_taken
select exists (select from person p where lower(p.username) = lower($1::text) and p.id <> c.id) as username_taken,
	exists (select from person p where lower(p.email) = lower($2::text) and p.id <> c.id) as email_taken
from (select {me} as id) c
