-- Requests with an idempotency key (api/idempotency_key.h).

-- name: idempotency_key_find
select person_id, request, status, version, answer from once where person_id = {me} and key = $1::text

-- Keeps the last 1000 of a person.
-- name: idempotency_key_keep
with gone as (delete from once where person_id = $1::bigint and key in (select key from once
	where person_id = $1::bigint order by created_at desc offset 999))
insert into once (person_id, key, request, status, version, answer)
values ($1::bigint, $2::text, $3::bytea, $4::bigint, $5::bigint, $6::text)
