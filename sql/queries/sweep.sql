-- What is deleted once it has been kept long enough (store/sweep.h). $1: how many rows at most, null: all; $2: whether
-- they are deleted, or only counted; $3: how many days they are kept, if that is a setting. Each returns how many rows
-- there are. Only one transaction deletes at a time, as two might wait for each other's rows; another one finds none.

-- Deliveries and mails that were sent, or given up.
-- each: delivery deliveries, mail mails
-- late: {one}_sweep
with old as materialized (select id from {one} where created_at < now() - $3::bigint * interval '1 day'
		and coalesce(delivered_at, failed_at) < now() - $3::bigint * interval '1 day'
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	order by created_at limit $1::bigint),
gone as (delete from {one} where id in (select id from old) and $2::boolean)
select count(*) as n from old

-- each:
-- Links in them are valid for much less than a day.
-- late: letter_sweep
with old as materialized (select id from letter where created_at < now() - $3::bigint * interval '1 day'
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	order by created_at limit $1::bigint),
gone as (delete from letter where id in (select id from old) and $2::boolean)
select count(*) as n from old

-- Each person's newest one stays: clients ask for what came after it.
-- late: notification_sweep
with old as materialized (select n.id from notification n where n.read_at < now() - $3::bigint * interval '1 day'
		and n.created_at < (select p.notified_at from person p where p.id = n.person_id)
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	order by n.read_at limit $1::bigint),
gone as (delete from notification where id in (select id from old) and $2::boolean)
select count(*) as n from old

-- late: session_sweep
with old as materialized (select id from session where (used_at < now() - interval '30 days' or expires_at < now())
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	limit $1::bigint),
gone as (delete from session where id in (select id from old) and $2::boolean)
select count(*) as n from old

-- late: once_sweep
with old as materialized (select person_id, key from once where created_at < now() - interval '1 day'
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	order by created_at limit $1::bigint),
gone as (delete from once where (person_id, key) in (select person_id, key from old) and $2::boolean)
select count(*) as n from old

-- late: sign_in_failure_sweep
with old as materialized (select id from sign_in_failure where created_at < now() - interval '1 hour'
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	order by created_at limit $1::bigint),
gone as (delete from sign_in_failure where id in (select id from old) and $2::boolean)
select count(*) as n from old

-- late: sign_in_flow_sweep
with old as materialized (select state_mac from sign_in_flow where created_at < now() - interval '10 minutes'
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	order by created_at limit $1::bigint),
gone as (delete from sign_in_flow where state_mac in (select state_mac from old) and $2::boolean)
select count(*) as n from old

-- Leases of programs that died.
-- late: lease_sweep
with old as materialized (select what, id from lease where until < now() - interval '1 day'
		and (select not $2::boolean or pg_try_advisory_xact_lock(1::bigint << 57))
	limit $1::bigint),
gone as (delete from lease where (what, id) in (select what, id from old) and $2::boolean)
select count(*) as n from old
