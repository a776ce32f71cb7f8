-- name: delivery_take
select * from delivery_take($1::bigint, $2::bigint[])

-- name: delivery_activity
select a.* from api.activity a where a.project_id = $1::bigint and a.project_version = $2::bigint

-- name: delivery_done
select delivery_done($1::bigint, $2::bigint, $3::bigint::integer)

-- name: delivery_failed
select delivery_failed($1::bigint, $2::bigint, $3::bigint::integer, $4::text, $5::text)

-- name: delivery_drop
select delivery_drop($1::bigint, $2::bigint)

-- name: mail_take
select * from mail_take()

-- name: mail_done
select mail_done($1::bigint, $2::text)

-- name: outbox_sweep
select outbox_sweep()
