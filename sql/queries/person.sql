-- For the database's log: names the connection after the request (db_name_request).
-- name: request_name
select set_config('application_name', $1::text, true)

-- name: plan_mode
select set_config('plan_cache_mode', $1::text, true)

-- name: person_by_ids
select p.id, p.name, case when p.id = {me} or exists (select from api.acquaintance k
		where k.person_id = {me} and k.other_id = p.id and {reached k.place}) then p.email end as email,
	p.initials, p.username
from person p where p.id = any($1::bigint[])

-- name: account_person_by_ids
select * from api.account_person where id = any($1::bigint[])

-- name: person_by_token
select id as person_id, token_id, reads_only, reach, is_stale from api.caller($1::bytea, null, null)

-- name: person_give_token
update person set token_mac = $2::bytea, token_sealed = $3::bytea
where id = $1::bigint and token_mac is null and disabled_at is null

-- name: me_get
select v.id, v.name, v.initials, v.username, v.email, v.api_token, v.has_google_identity,
	v.receives_in_app_notifications, v.time_zone_olson_name, v.time_zone_offset,
	v.twofactor_auth_enabled, v.created_at, v.updated_at, v.personal_settings,
	array(select i from unnest(v.project_ids) i where {reached i} order by i) as project_ids,
	array(select w.id from (select {reach} as reach) c
		cross join lateral api.workspaces_within(v.id, c.reach) w order by w.id) as workspace_ids
from api.me v where v.id = {me}

-- Locks the row: whether the address and the user name are confirmed depends on what they were.
-- name: settings_load
select * from person where id = {me} for no key update

-- name: accounts_of_people
select m.person_id as parent_id, a.*
from (select x.person_id, x.account_id, case when {reached -x.account_id} then {me} end as viewer
	from account_membership x where x.person_id = any($1::bigint[]) and ({reached -x.account_id}
		or exists (select from project p where p.account_id = x.account_id and {reached p.id}))) m
cross join lateral api.account_seen_by(m.viewer) a
where a.id = m.account_id order by a.id

-- name: accounts_of_me
select m.person_id as parent_id, a.*
from (select x.person_id, x.account_id, case when {reached -x.account_id} then x.person_id end as viewer
	from account_membership x where x.person_id = {me} and ({reached -x.account_id}
		or exists (select from project p where p.account_id = x.account_id and {reached p.id}))) m
cross join lateral api.account_seen_by(m.viewer) a
where a.id = m.account_id and ($1::bigint is null or true) order by a.id

-- name: memberships_of_people
select * from api.membership_summary where parent_id = any($1::bigint[]) and {reached project_id} order by project_id

-- name: memberships_of_me
select * from api.membership_summary where parent_id = {me} and {reached project_id} and ($1::bigint is null or true)
order by project_id

-- name: acquaintances
select p.id, p.id as person_id, (select count(*) from project_membership a
	join project_membership b using (project_id)
	where a.person_id = {me} and {reached a.project_id}
		and b.person_id = p.id) as collaboration_factor
from person p join project_membership m on m.person_id = p.id and m.project_id = {project}
where p.id <> {me} and ($1::bigint is null or true) {where}
order by lower(p.name), p.name, p.id limit $2::bigint offset $3::bigint

-- name: acquaintances_by_emails
select p.id, p.id as person_id, (select count(*) from project_membership a
	join project_membership b using (project_id)
	where a.person_id = {me} and {reached a.project_id}
		and b.person_id = p.id) as collaboration_factor
from person p
where lower(p.email) in (select lower(e) from jsonb_array_elements_text($1::jsonb) e)
	and p.id <> {me} and exists (select from api.acquaintance k
		where k.person_id = {me} and k.other_id = p.id and {reached k.place})
order by lower(p.name), p.name, p.id limit $2::bigint offset $3::bigint
