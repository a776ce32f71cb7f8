-- Second factors (http/sign_in.h, api/second_factor.c).

-- What the caller has, and the policy that applies to them: the strictest of the server's ($1) and those of their
-- accounts. The name is for their authenticator.
-- name: second_factor_get
select f.confirmed_at is not null as enabled, (select count(*) from recovery_code c
		where c.person_id = p.id) as recovery_codes_left,
	case when 'required' in ($1::text, d.required) then 'required'
		when 'optional' in ($1::text, d.optional) then 'optional' else 'off' end as policy,
	coalesce(p.email, p.username) as name
from person p left join second_factor f on f.person_id = p.id
cross join lateral (select max(a.second_factor) filter (where a.second_factor = 'required') as required,
		max(a.second_factor) filter (where a.second_factor = 'optional') as optional
	from account_membership m join account a on a.id = m.account_id where m.person_id = p.id) d
where p.id = {me}

-- Begins an enrolment, or begins it anew. No row: the person has a second factor, which stays, or the secret that
-- sealed this one, whose check value is $3, is no longer the database's.
-- name: second_factor_begin
insert into second_factor as f (person_id, sealed) select id, $2::bytea from person
where id = $1::bigint and disabled_at is null and (select value from secret_check) = $3::bytea
on conflict (person_id) do update set sealed = excluded.sealed, last_step = 0, created_at = excluded.created_at
where f.confirmed_at is null returning person_id

-- The code of the step $3 matched the secret $2, which may have been replaced by now; $4 has the digests of recovery
-- codes, 32 bytes each.
-- name: second_factor_confirm
with f as (update second_factor set confirmed_at = now(), last_step = $3::bigint
	where person_id = $1::bigint and sealed = $2::bytea and confirmed_at is null returning person_id)
insert into recovery_code (person_id, mac)
select person_id, substr($4::bytea, i, 32) from f, generate_series(1, octet_length($4::bytea), 32) i
returning person_id

-- A step is accepted once, and no earlier one after it: of two requests, one gets no row.
-- name: second_factor_use_step
update second_factor set last_step = $3::bigint
where person_id = $1::bigint and sealed = $2::bytea and last_step < $3::bigint returning person_id

-- name: second_factor_use_recovery
delete from recovery_code where person_id = $1::bigint and mac = $2::bytea returning person_id

-- name: second_factor_end
delete from second_factor where person_id = $1::bigint and confirmed_at is not null returning person_id

-- An operator removes it. The person is told if $2 is true and it was on.
-- late: second_factor_reset
with f as (delete from second_factor where person_id = $1::bigint returning person_id, confirmed_at),
	l as (insert into letter (kind, person_id) select 'factor_off', person_id from f
		where $2::boolean and confirmed_at is not null)
select confirmed_at is not null as was_on from f
