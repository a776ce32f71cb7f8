-- Leases: locks that are rows with an end, so that they need no connection that lasts. The holder
-- renews its lease (lease_keep in sql/queries/lease.sql) and gives it back; if it dies, the lease ends
-- by itself. Who writes what only the holder may write says so in that statement: by lease_end, or
-- by a number that rises with each taking.

-- The new holder; null: somebody holds it.
create or replace function lease_take(p_what text, p_id bigint, p_length interval) returns uuid
language sql as $$
	insert into lease (what, id, holder, until) values (p_what, p_id, gen_random_uuid(), now() + p_length)
	on conflict (what, id) do update set holder = excluded.holder, until = excluded.until
		where lease.until <= now()
	returning holder;
$$;

-- Gives it back. False: it was lost, and may be somebody else's.
create or replace function lease_end(p_holder uuid) returns boolean language plpgsql as $$
begin
	delete from lease where holder = p_holder;
	return found;
end $$;
