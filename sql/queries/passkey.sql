-- Passkeys (api/passkey.c).

-- name: passkey_list
select k.id, k.name, k.created_at, k.last_used_at from passkey k where k.person_id = {me} order by k.id

-- The person, with a row for each passkey, or one row if there are none: an authenticator that has
-- one makes no second.
-- name: passkey_credentials
select k.credential, p.name, coalesce(p.email, p.username) as login from person p
left join passkey k on k.person_id = p.id where p.id = $1::bigint order by k.id

-- The challenge by which the person $1 adds a passkey, made at $2: no row if it or a later one did so before, or if the
-- person is disabled. Locks the person, so that passkey_create, in the same transaction, counts all that there are.
-- name: passkey_challenge_use
update person set passkey_challenge_at = $2::bigint
where id = $1::bigint and disabled_at is null and passkey_challenge_at < $2::bigint returning id

-- No row: the person already has as many as allowed ($6), or the passkey is known.
-- name: passkey_create
insert into passkey (person_id, credential, public_key, alg, count, name, challenge_at)
select p.id, $2::bytea, $3::bytea, $4::bigint, $5::bigint, $7::text, $8::bigint from person p
where p.id = $1::bigint and (select count(*) from passkey k where k.person_id = p.id) < $6::bigint
on conflict (credential) do nothing returning id

-- name: passkey_created
select k.id, k.name, k.created_at, k.last_used_at from passkey k where k.id = $1::bigint

-- name: passkey_end
delete from passkey where id = $1::bigint and person_id = $2::bigint returning name

-- name: passkey_find
select k.id, k.person_id, k.public_key, k.alg, k.count, p.keeps_password from passkey k
join person p on p.id = k.person_id and p.disabled_at is null where k.credential = $1::bytea

-- A challenge is valid only once, and so is a count: of two requests, one gets no row.
-- name: passkey_use
update passkey set count = $2::bigint, challenge_at = $3::bigint, last_used_at = now()
where id = $1::bigint and challenge_at < $3::bigint and (count < $2::bigint or count = 0 and $2::bigint = 0)
returning id
