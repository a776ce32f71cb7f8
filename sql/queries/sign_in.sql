-- Signing in by password (http/sign_in.h), and using a mailed link (api/password.c).

-- By login ($1; its digest is $3) or by id ($4), from the network $2: the hash to compare with, and
-- the number of recent failures, and of tries that are still compared; `codes`: of wrong codes from anywhere, at most $5;
-- `reach` and `places` as in session_find.
-- name: sign_in_load
select p.id, p.password_hash, p.token_mac is not null as has_token, k.login, p.keeps_password,
	(select count(*) from sign_in_failure f where f.login = k.login and f.network = $2::text
		and not f.pending and f.created_at > now() - interval '10 minutes') as here,
	(select count(*) from sign_in_failure f where f.login = k.login and f.network = $2::text
		and f.pending and f.created_at > now() - interval '1 minute') as pending,
	(select count(distinct y.network) from (select f.network from sign_in_failure f
		where f.login = k.login and f.created_at > now() - interval '1 hour'
			and f.network <> $2::text and not f.pending
		order by f.created_at desc limit 1000) y) as others,
	case when f.confirmed_at is not null then (select count(*) from (select from sign_in_failure c
		where c.login = k.login and c.is_code and not c.pending and c.created_at > now() - interval '1 hour'
		limit $5::bigint) y) else 0 end as codes,
	exists (select from sign_in_place s where s.person_id = p.id and s.network = $2::text) as is_known,
	exists (select from api.factor_demanded d where d.person_id = p.id) as is_required,
	case when d.accounts is not null then api.places_outside(p.id, d.accounts) end as reach,
	case when d.accounts is not null then api.places_outside(p.id, '{}') end as places,
	f.sealed, f.confirmed_at is not null as is_confirmed, f.last_step,
	extract(epoch from now())::bigint as now
from (values (1)) x
left join lateral (select * from person
	where (id = $4::bigint or lower(email) = lower($1::text) or lower(username) = lower($1::text))
		and disabled_at is null
	order by lower(email) = lower($1::text) desc nulls last limit 1) p on true
left join second_factor f on f.person_id = p.id
cross join lateral (select array_agg(x.account_id) as accounts from api.factor_demand x where x.person_id = p.id) d
cross join lateral (select coalesce('person ' || p.id, 'nobody ' || encode($3::bytea, 'hex')) as login) k

-- A try of the login $1 from the network $2 that is about to be compared. One whose process dies counts for a minute.
-- name: sign_in_try
insert into sign_in_failure (login, network, pending) values ($1::text, $2::text, true) returning id

-- How many others there are by now, after that was committed: of any number that are sent at once, the one committed last
-- sees all the others.
-- name: sign_in_tries
select count(*) filter (where not pending) as here, count(*) filter (where pending) as pending
from sign_in_failure where login = $1::text and network = $2::text and id <> $3::bigint
	and created_at > now() - case when pending then interval '1 minute' else interval '10 minutes' end

-- The try $1 was wrong: its code, if $4. The person ($2) is told if $3, at most once a day.
-- name: sign_in_failed
with p as (update person set warned_at = now() where id = $2::bigint and $3::boolean
		and (warned_at is null or warned_at < now() - interval '1 day') returning id),
	l as (insert into letter (kind, person_id) select 'guesses', id from p)
update sign_in_failure set pending = false, is_code = $4::boolean where id = $1::bigint

-- The try $1 was not wrong. The person $2 (null: none) signed in from the network $3, which is known from now on.
-- name: sign_in_done
with s as (insert into sign_in_place (person_id, network) select $2::bigint, $3::text where $2::bigint is not null
	on conflict do nothing)
delete from sign_in_failure where id = $1::bigint

-- The person whom the web server calls $1: by address, or else by user name, ignoring the case of
-- ASCII letters. `is_claimed`: nobody has confirmed that this name is theirs.
-- name: remote_user_find
select p.id, p.disabled_at is not null as is_disabled, not (x.by_email or x.by_username) as is_claimed
from person p cross join lateral (select
	coalesce(not p.email_claimed and lower(p.email collate "C") = lower($1::text collate "C"), false) as by_email,
	coalesce(not p.username_claimed and lower(p.username collate "C") = lower($1::text collate "C"), false)
		as by_username) x
where (lower(p.email) = lower($1::text) and lower(p.email collate "C") = lower($1::text collate "C")
		or lower(p.username) = lower($1::text) and lower(p.username collate "C") = lower($1::text collate "C"))
	and not p.placeholder
order by x.by_email desc, x.by_username desc, p.id limit 1

-- A person whom the gate sees for the first time.
-- name: person_first_seen
update person set met_at = now() where id = $1::bigint and met_at is null

-- name: sign_in_place_create
insert into sign_in_place (person_id, network) values ($1::bigint, $2::text) on conflict do nothing

-- A new password or address ends unused links.
-- name: letters_expire
update letter set used_at = $2::timestamptz where person_id = $1::bigint and used_at is null

-- A new password ends links, sessions, known networks, and, unless $3, all tokens and passkeys.
-- name: password_put
with l as (update letter set used_at = now() where person_id = $1::bigint and used_at is null),
	s as (delete from session where person_id = $1::bigint),
	n as (delete from sign_in_place where person_id = $1::bigint),
	t as (delete from token where person_id = $1::bigint and not $3::boolean),
	k as (delete from passkey where person_id = $1::bigint and not $3::boolean)
update person set password_hash = $2::text, updated_at = now(),
	token_mac = case when $3::boolean then token_mac end,
	token_sealed = case when $3::boolean then token_sealed end
where id = $1::bigint and disabled_at is null returning id

-- name: token_put
update person set token_mac = $2::bytea, token_sealed = $3::bytea, updated_at = now()
where id = $1::bigint and disabled_at is null returning id

-- Somebody from the network $3 asks for a link: the same work for every address. Limits apply per
-- network, so that nobody uses up the links of people elsewhere: after ten in a day, there is one
-- per hour. So that nobody's mailbox is filled, after fifty from all networks in a day, there is
-- one every five minutes, except for a network from which the person has signed in before.
-- name: letter_request
insert into letter (kind, email, asked, network) select 'reset', $1::text, $2::bytea, $3::text
from (select count(*) as n, max(created_at) as last,
		count(*) filter (where network = $3::text) as n_here,
		max(created_at) filter (where network = $3::text) as last_here
	from letter where asked = $2::bytea and created_at > now() - interval '1 day') x,
	(select exists (select from sign_in_place s join person p on p.id = s.person_id
		where lower(p.email) = lower($1::text) and s.network = $3::text) as is_known) k
where (n_here = 0 or last_here <= now()
		- case when n_here < 10 then interval '2 minutes' else interval '1 hour' end)
	and (n < 50 or is_known or last <= now() - interval '5 minutes')

-- Invites a person who was added by address, on behalf of the person $2: only once, and nobody who
-- has ever signed in.
-- name: letter_invite
with p as (update person set invited_at = now() where id = $1::bigint and invited_at is null
	and met_at is null and email is not null and disabled_at is null and not placeholder
	returning id)
insert into letter (kind, person_id, performer_id) select 'invitation', p.id, $2::bigint from p

-- name: letter_find
select person_id from letter where code_hash = $1::bytea and used_at is null
	and expires_at > now() order by id limit 1

-- The link's only use, which also ends all the person's other links, as with password_put. It confirms the address to
-- which it was sent: if that was given by whoever used the person so far, their accounts at providers (`unlinked`) may not
-- be those of the owner of the address.
-- name: letter_use
with l as (select l.person_id, l.sent_to,
		p.email_claimed and lower(p.email collate "C") = lower(l.sent_to collate "C") as confirms
	from letter l join person p on p.id = l.person_id
	where l.code_hash = $1::bytea and l.used_at is null and l.expires_at > now()
		and p.disabled_at is null for update of l),
used as (update letter x set used_at = now() from l
	where x.person_id = l.person_id and x.used_at is null returning x.id),
s as (delete from session s using l where s.person_id = l.person_id),
n as (delete from sign_in_place n using l where n.person_id = l.person_id),
t as (delete from token t using l where t.person_id = l.person_id and not $3::boolean),
k as (delete from passkey k using l where k.person_id = l.person_id and not $3::boolean),
i as (delete from identity i using l where i.person_id = l.person_id and l.confirms returning i.provider)
update person p set password_hash = $2::text, met_at = coalesce(met_at, now()), updated_at = now(),
	token_mac = case when $3::boolean then token_mac end,
	token_sealed = case when $3::boolean then token_sealed end,
	confirmed_email = coalesce(l.sent_to, p.confirmed_email),
	email_claimed = p.email_claimed and lower(p.email collate "C") is distinct from lower(l.sent_to collate "C")
from l where p.id = l.person_id and exists (select from used)
returning p.id, (select string_agg(provider, ' ' order by provider) from i) as unlinked

-- Takes the letter that is due. The next attempt is scheduled before this one is made; a new code
-- invalidates the last one. If it exceeds what a person may cause in a day ($3), it is withheld
-- (see mail_take), and its recipient can be invited another day.
-- name: letter_take
with due as (select * from letter where next_at <= now() and delivered_at is null
		and failed_at is null order by next_at limit 1 for update skip locked),
found as (select d.id, p.id as person_id, p.email,
		d.attempts = 0 and d.performer_id is not null and $3::bigint <= (select count(*) from (
			select from mail x where x.performer_id = d.performer_id and not x.withheld
				and x.created_at >= d.created_at - interval '1 day' and x.created_at < d.created_at
			union all
			select from letter x where x.performer_id = d.performer_id and not x.withheld
				and x.created_at >= d.created_at - interval '1 day'
				and (x.created_at, x.id) < (d.created_at, d.id)
			limit $3::bigint) y) as is_above
	from due d left join person p on (p.id = d.person_id or (d.person_id is null
		and lower(p.email) = lower(d.email))) and p.disabled_at is null and not p.placeholder),
later as (update person p set invited_at = null from found f where p.id = f.person_id and f.is_above)
update letter l set attempts = l.attempts + 1,
	next_at = now() + interval '1 minute' * (l.attempts + 1), email = null,
	person_id = f.person_id, sent_to = case when not f.is_above and l.kind in ('reset', 'invitation') then f.email end,
	code_hash = case when f.person_id is not null and not f.is_above and l.kind in ('reset', 'invitation')
		then $1::bytea end,
	expires_at = now() + interval '30 minutes', withheld = f.is_above,
	failed_at = case when f.person_id is null or f.is_above then now() end,
	last_error = case when f.is_above then $4::text when f.person_id is null then $2::text end
from found f where l.id = f.id
returning l.id, l.kind, case when not f.is_above then f.email end as email, l.attempts

-- $2 null: it was sent. Given up after a day.
-- name: letter_done
update letter set last_error = $2::text, delivered_at = case when $2::text is null then now() end,
	failed_at = case when $2::text is not null and created_at < now() - interval '1 day'
		then now() end
where id = $1::bigint
