-- Signing in by OpenID Connect (api/oidc.c), and whom it signs in (api/oidc_person.c).

-- name: oidc_provider_find
select document, keys, asked_at < now() - interval '1 day' as is_old,
	keys_asked_at > keys_at and keys_asked_at > now() - interval '10 seconds' as is_asking
from oidc_provider where issuer = $1::text

-- name: oidc_provider_store
insert into oidc_provider as p (issuer, document, keys) values ($1::text, $2::text, $3::text)
on conflict (issuer) do update set document = excluded.document, keys = excluded.keys,
	asked_at = excluded.asked_at, keys_asked_at = excluded.keys_asked_at, keys_at = excluded.keys_at

-- Takes the turn to fetch newer keys; no row: somebody did within the last minute.
-- name: oidc_provider_keys_lock
update oidc_provider set keys_asked_at = now()
where issuer = $1::text and keys_asked_at <= now() - interval '1 minute' returning issuer

-- name: oidc_provider_keys_store
update oidc_provider set keys = $2::text, keys_at = now() where issuer = $1::text

-- Begins a sign-in. A network can have at most 300 in progress: the oldest is dropped.
-- name: sign_in_flow_begin
with gone as (delete from sign_in_flow where state_mac in (select state_mac from sign_in_flow
	where network = $5::text order by created_at desc offset 299))
insert into sign_in_flow (state_mac, browser_mac, provider, target, network, session_id)
values ($1::bytea, $2::bytea, $3::text, $4::text, $5::text, $6::bigint)

-- Ends a sign-in, which works only once, for the browser that began it, within ten minutes.
-- `person_id`: that of the session `session_id`, which links an identity.
-- name: sign_in_flow_end
with f as (delete from sign_in_flow where state_mac = $1::bytea and browser_mac = $2::bytea returning *)
select f.provider, f.target, f.session_id, s.person_id,
	extract(epoch from now())::bigint as now
from f left join (session s join person p on p.id = s.person_id and p.disabled_at is null) on s.id = f.session_id
	and s.expires_at > now() and s.used_at > now() - interval '30 days'
where f.created_at > now() - interval '10 minutes' and (f.session_id is null or s.id is not null)

-- Who it may be: by issuer ($1) and subject ($2), or by address ($3); $4 is the account of new people. An address is
-- somebody's only if it differs from theirs in nothing but the case of ASCII letters: the lower-case forms of some
-- other letters are letters of another address. `address_claimed`: that person gave it to themselves. `session_ended`: that
-- of who links it, $5, has ended meanwhile.
-- name: identity_find
select i.person_id as owner_id, o.disabled_at is not null as owner_disabled,
	p.id as address_id, lower(p.email collate "C") = lower($3::text collate "C") as address_same,
	p.email_claimed as address_claimed, p.disabled_at is not null or p.placeholder as address_closed,
	p.met_at is null and p.password_hash is null and p.token_mac is null
		and not exists (select from identity y where y.person_id = p.id)
		and exists (select from account_membership m where m.person_id = p.id
			and m.account_id = $4::bigint and not m.owner and not m.admin) as address_invited,
	exists (select from account a where a.id = $4::bigint) as has_account,
	$5::bigint is not null and not exists (select from session s join person q on q.id = s.person_id
		and q.disabled_at is null where s.id = $5::bigint and s.expires_at > now()) as session_ended
from (values (1)) x
left join identity i on i.issuer = $1::text and i.subject = $2::text
left join person o on o.id = i.person_id
left join person p on lower(p.email) = lower($3::text)

-- No row: somebody else was quicker, or the person $1 has been disabled, or their session $6 (null: none) has ended.
-- name: identity_link
with s as (select from session where id = $6::bigint and person_id = $1::bigint for key share)
insert into identity (person_id, issuer, subject, provider, email)
select id, $2::text, $3::text, $4::text, $5::text from person
where id = $1::bigint and disabled_at is null and ($6::bigint is null or exists (select from s)) for key share
on conflict do nothing returning person_id

-- A new member of the account $9, without projects: $5 name, $6 initials, $7 user name, with a
-- number appended if it is taken, $8 address, which is confirmed if the provider is trusted ($10). No row: somebody else
-- was quicker.
-- name: identity_new
with p as (insert into person (name, initials, username, email, email_claimed)
	select $5::text, left(upper($6::text), 10), $7::text || u.suffix, $8::text, not $10::boolean
	from (select coalesce((select coalesce(nullif(n, 1)::text, '') from generate_series(1, 999) n
		where not exists (select from person x where lower(x.username)
			= lower($7::text || coalesce(nullif(n, 1)::text, ''))) order by n limit 1),
		'-' || substr(md5(random()::text), 1, 12)) as suffix) u
	where exists (select from account a where a.id = $9::bigint)
	on conflict do nothing returning id),
	m as (insert into account_membership (account_id, person_id) select $9::bigint, id from p)
insert into identity (person_id, issuer, subject, provider, email)
select id, $1::text, $2::text, $3::text, $4::text from p returning person_id

-- The person signs in, and what their provider says is saved; null: no change. $5 name, $6 its initials, $7 address,
-- unless somebody else has it; $8 whether they administer the account $9, unless they own it. Returns old and new
-- values, or no row: it has been unlinked, or the person disabled; `admin` is null if that does not change. A new address
-- ends unused links. A provider that is trusted ($10) confirms the address; of any other, a new one is unconfirmed.
-- name: identity_used
with i as (update identity set used_at = now(), provider = $3::text, email = $4::text
		where issuer = $1::text and subject = $2::text returning person_id),
	o as (select p.id, p.name, p.email, p.email_claimed, coalesce($5::text, p.name) as new_name,
			case when $7::text is null or exists (select from person x
				where lower(x.email) = lower($7::text) and x.id <> p.id) then p.email else $7::text end as new_email
		from i join person p on p.id = i.person_id and p.disabled_at is null for no key update of p),
	e as (select o.id, case when lower(o.new_email collate "C") is distinct from lower($7::text collate "C") then o.email_claimed
			else not $10::boolean and (o.email_claimed
				or lower(o.email collate "C") is distinct from lower(o.new_email collate "C")) end as claimed from o),
	p as (update person p set name = o.new_name, email = o.new_email, email_claimed = e.claimed, updated_at = now(),
		initials = case when o.new_name <> o.name then left(upper($6::text), 10) else p.initials end
		from o join e on e.id = o.id where p.id = o.id and (o.new_name <> o.name
			or o.new_email is distinct from o.email or e.claimed <> o.email_claimed)),
	l as (update letter x set used_at = now() from o
		where x.person_id = o.id and x.used_at is null and o.new_email is distinct from o.email),
	m as (update account_membership m set admin = $8::boolean, updated_at = now() from o
		where m.person_id = o.id and m.account_id = $9::bigint and not m.owner
			and m.admin <> $8::boolean returning m.admin)
select o.id as person_id, o.name, o.email, o.new_name, o.new_email, (select m.admin from m) as admin from o

-- name: identity_list
select id, provider, issuer, email, created_at, used_at as last_used_at
from identity where person_id = {me} order by id

-- So that of two requests, each sees what the other one has removed.
-- name: identity_lock
select id from person where id = $1::bigint for no key update

-- What the caller could still sign in with, if not with $1.
-- name: identity_alternatives
select exists (select from identity where person_id = {me} and id = $1::bigint) as is_there,
	exists (select from identity where person_id = {me} and id <> $1::bigint) as has_other,
	p.password_hash is not null and ($2::boolean or p.keeps_password) as has_password
from person p where p.id = {me}

-- Removes an identity, with the sessions that its provider began, except $3.
-- name: identity_end
with i as (delete from identity where id = $1::bigint and person_id = $2::bigint
		returning id, person_id, provider),
	s as (delete from session s using i where s.person_id = i.person_id and s.provider = i.provider
		and s.id <> $3::bigint)
select id, provider from i

-- What began the session $1: a provider or the web server; with the documents of all providers, which are few.
-- name: session_provider
select s.provider, p.issuer, p.document from session s left join oidc_provider p on p.issuer is not null
where s.id = $1::bigint and s.provider is not null
