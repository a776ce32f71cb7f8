-- Leases (sql/lease.sql).

-- Renews these leases; the rows are those that were not lost.
-- name: lease_keep
update lease set until = now() + $2::text::interval where holder = any($1::text[]::uuid[])
returning holder::text

-- name: lease_end
select lease_end($1::text::uuid)
