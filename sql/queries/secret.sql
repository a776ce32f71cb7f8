-- The check value of the secret (store/secret.h), and somebody's token with it.

-- late: secret_load
select (select value from secret_check) as value, p.id, p.token_sealed
from (values (1)) x left join lateral (select id, token_sealed from person
	where token_sealed is not null order by id limit 1) p on true

-- late: secret_store
insert into secret_check (value) values ($1::bytea) on conflict do nothing

-- late: secret_replace
update secret_check set value = $1::bytea

-- Makes programs that have the old secret reconnect, and check the value.
-- late: secret_terminate_others
select count(pg_terminate_backend(pid)) from pg_stat_activity
where application_name ~ '^planwright( |$)' and datname = current_database() and usename = current_user
	and pid <> pg_backend_pid()

-- late: secret_successor
select sealed from secret_handover where value = $1::bytea and until > now()

-- For programs that ask with one statement (live): the value in force, and the successor of the secret whose value is
-- $1.
-- late: secret_state
select (select value from secret_check) as value,
	(select sealed from secret_handover where value = $1::bytea and until > now()) as sealed

-- late: secret_handover_create
insert into secret_handover (value, sealed, until) values ($1::bytea, $2::bytea, now() + interval '1 hour')

-- late: secret_handover_delete
delete from secret_handover where until <= now() or $1::boolean
