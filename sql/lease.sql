-- Leases: locks that are rows with an expiry time, so that no lasting connection is needed to hold one. The holder
-- renews its lease (lease_keep in sql/queries/lease.sql) and releases it; if the holder dies, the lease expires. A
-- statement that only the holder may run checks that itself: by lease_end, or by a number that grows each time the
-- lease is taken.

-- Returns the new holder; null: somebody else holds the lease.
create or replace function lease_take(p_what text, p_id bigint, p_length interval) returns uuid
language sql as $$
	insert into lease (what, id, holder, until) values (p_what, p_id, gen_random_uuid(), now() + p_length)
	on conflict (what, id) do update set holder = excluded.holder, until = excluded.until
		where lease.until <= now()
	returning holder;
$$;

-- Releases the lease. False: it was lost, and may be somebody else's by now.
create or replace function lease_end(p_holder uuid) returns boolean language plpgsql as $$
begin
	delete from lease where holder = p_holder;
	return found;
end $$;
