-- Signing in by OpenID Connect (api/oidc.c), and whom it signs in (api/oidc_person.c).

-- name: oidc_provider_find
select document, keys, asked_at < now() - interval '1 day' as is_old
from oidc_provider where issuer = $1::text

-- name: oidc_provider_keep
insert into oidc_provider as p (issuer, document, keys) values ($1::text, $2::text, $3::text)
on conflict (issuer) do update set document = excluded.document, keys = excluded.keys,
	asked_at = excluded.asked_at, keys_asked_at = excluded.keys_asked_at

-- Takes the turn to ask for newer keys; no row: that was done within the last minute.
-- name: oidc_provider_turn
update oidc_provider set keys_asked_at = now()
where issuer = $1::text and keys_asked_at <= now() - interval '1 minute' returning issuer

-- name: oidc_provider_renew
update oidc_provider set keys = $2::text where issuer = $1::text

-- Begins one. A network has at most 300 that are on their way: the oldest goes.
-- name: sign_in_flow_begin
with gone as (delete from sign_in_flow where state_mac in (select state_mac from sign_in_flow
	where network = $5::text order by created_at desc offset 299))
insert into sign_in_flow (state_mac, browser_mac, provider, target, network, session_id)
values ($1::bytea, $2::bytea, $3::text, $4::text, $5::text, $6::bigint)

-- Its only use: by the browser that began it, within ten minutes. `person_id`: of the session that
-- links an identity.
-- name: sign_in_flow_end
with f as (delete from sign_in_flow where state_mac = $1::bytea and browser_mac = $2::bytea returning *)
select f.provider, f.target, f.session_id is not null as links, s.person_id,
	extract(epoch from now())::bigint as now
from f left join session s on s.id = f.session_id
	and s.expires_at > now() and s.used_at > now() - interval '30 days'
where f.created_at > now() - interval '10 minutes' and (f.session_id is null or s.id is not null)

-- Who it may be: by issuer ($1) and subject ($2), by address ($3); $4 is the account of new people.
-- name: identity_find
select i.person_id as owner_id, o.disabled_at is not null as owner_disabled,
	p.id as address_id, p.disabled_at is not null or p.placeholder as address_closed,
	p.met_at is null and p.password_hash is null and p.token_mac is null
		and not exists (select from identity y where y.person_id = p.id)
		and exists (select from account_membership m where m.person_id = p.id
			and m.account_id = $4::bigint and not m.owner and not m.admin) as address_invited,
	exists (select from account a where a.id = $4::bigint) as has_account
from (values (1)) x
left join identity i on i.issuer = $1::text and i.subject = $2::text
left join person o on o.id = i.person_id
left join person p on lower(p.email) = lower($3::text)

-- No row: somebody else was quicker, or the person $1 is disabled by now.
-- name: identity_link
insert into identity (person_id, issuer, subject, provider, email)
select id, $2::text, $3::text, $4::text, $5::text from person
where id = $1::bigint and disabled_at is null for key share
on conflict do nothing returning person_id

-- A new member of the account $9 without projects: $5 name, $6 initials, $7 user name, to which a
-- number is added if it is taken, $8 address. No row: somebody else was quicker.
-- name: identity_new
with p as (insert into person (name, initials, username, email)
	select $5::text, left(upper($6::text), 10), $7::text || u.suffix, $8::text
	from (select coalesce(nullif(n, 1)::text, '') as suffix from generate_series(1, 999) n
		where not exists (select from person x where lower(x.username)
			= lower($7::text || coalesce(nullif(n, 1)::text, ''))) order by n limit 1) u
	where exists (select from account a where a.id = $9::bigint)
	on conflict do nothing returning id),
	m as (insert into account_membership (account_id, person_id) select $9::bigint, id from p)
insert into identity (person_id, issuer, subject, provider, email)
select id, $1::text, $2::text, $3::text, $4::text from p returning person_id

-- The person signs in. Null leaves as it is: $5 name, $6 initials, $7 address, which stays if another
-- one has it; $8 whether they administer the account $9, unless they own it.
-- name: identity_used
with i as (update identity set used_at = now(), provider = $3::text, email = $4::text
		where issuer = $1::text and subject = $2::text returning person_id),
	p as (update person p set name = coalesce($5::text, name), updated_at = now(),
		initials = coalesce(left(upper($6::text), 10), initials),
		email = case when $7::text is null or exists (select from person x
			where lower(x.email) = lower($7::text) and x.id <> p.id) then p.email else $7::text end
		from i where p.id = i.person_id and p.disabled_at is null
			and (p.name <> $5::text or (p.email <> $7::text and not exists (select from person x
				where lower(x.email) = lower($7::text) and x.id <> p.id)))),
	m as (update account_membership m set admin = $8::boolean, updated_at = now() from i
		where m.person_id = i.person_id and m.account_id = $9::bigint and not m.owner
			and m.admin <> $8::boolean)
select person_id from i

-- name: identity_list
select id, provider, issuer, email, created_at, used_at as last_used_at
from identity where person_id = {me} order by id

-- What the caller could still sign in with, without $1.
-- name: identity_rest
select exists (select from identity where person_id = {me} and id = $1::bigint) as is_there,
	exists (select from identity where person_id = {me} and id <> $1::bigint) as has_other,
	p.password_hash is not null and ($2::boolean or p.keeps_password) as has_password
from person p where p.id = {me}

-- With the sessions that its provider began, but for $3.
-- name: identity_end
with i as (delete from identity where id = $1::bigint and person_id = $2::bigint
		returning id, person_id, provider),
	s as (delete from session s using i where s.person_id = i.person_id and s.provider = i.provider
		and s.id <> $3::bigint)
select id, provider from i

-- The provider that began the session $1, and what providers say of themselves, which are few.
-- name: session_provider
select s.provider, p.issuer, p.document from session s join oidc_provider p on true
where s.id = $1::bigint and s.provider is not null
