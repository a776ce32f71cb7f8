-- Sessions of browsers (http/session.h).

-- The person of the cookie, if it is still valid; `seconds`: how long it may be kept from now on. `is_another`: the web
-- server, which began the session, now says that it is somebody else, $2 (see remote_user_find). `reach`: those of all the
-- person's `places` (api.places_outside) whose accounts do not require a second factor that they lack; null: all.
-- name: session_find
select set_config('application_name', {request}, true) as named, s.id, s.person_id,
	s.used_at < now() - interval '1 hour' as is_old,
	least(2592000, ceil(extract(epoch from s.expires_at - now())))::bigint as seconds,
	s.provider is not null or exists (select from second_factor f where f.person_id = s.person_id
		and f.confirmed_at is not null) as has_factor,
	d.accounts is not null and exists (select from api.factor_demanded x where x.person_id = s.person_id) as is_required,
	case when d.accounts is not null then api.places_outside(s.person_id, d.accounts) end as reach,
	case when d.accounts is not null then api.places_outside(s.person_id, '{}') end as places,
	$2::text is not null and s.provider = 'remote_user' and not coalesce(not p.email_claimed
		and lower(p.email collate "C") = lower($2::text collate "C"), false) and not coalesce(not p.username_claimed
		and lower(p.username collate "C") = lower($2::text collate "C"), false) as is_another
from session s join person p on p.id = s.person_id and p.disabled_at is null
cross join lateral (select array_agg(x.account_id) as accounts from api.factor_demand x
	where x.person_id = s.person_id and s.provider is null) d
where s.mac = $1::bytea and s.expires_at > now() and s.used_at > now() - interval '30 days'

-- name: session_touch
update session set used_at = now() where id = $1::bigint

-- A person has at most 50: deletes the least recently used one. $4: the OpenID provider, or null; $5: how many hours it
-- lasts at most.
-- name: session_begin
with gone as (delete from session where person_id = $2::bigint and id not in (
	select id from session where person_id = $2::bigint and expires_at > now()
	order by used_at desc, id desc limit 49))
insert into session (mac, person_id, agent, provider, expires_at)
select $1::bytea, id, $3::text, $4::text, now() + interval '1 hour' * $5::bigint
from person where id = $2::bigint and disabled_at is null returning id

-- name: session_end
delete from session where id = $1::bigint and person_id = $2::bigint returning id

-- name: session_list
select id, agent, id = $1::bigint as current, created_at, used_at,
	least(expires_at, used_at + interval '30 days') as expires_at
from session where person_id = {me} and expires_at > now()
	and used_at > now() - interval '30 days'
order by used_at desc, id desc

-- late: sessions_of_person_end
delete from session where person_id = $1::bigint

-- Networks from which the person signed in with a password that is no longer valid.
-- late: sign_in_places_delete
delete from sign_in_place where person_id = $1::bigint

-- Cookies are recognized by the secret, which has been replaced.
-- late: sessions_delete_all
delete from session
