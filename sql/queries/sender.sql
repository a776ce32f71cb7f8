-- name: delivery_take
select * from delivery_take($1::bigint, $2::bigint[])

-- name: delivery_activity
select a.* from api.activity a where a.project_id = $1::bigint and a.project_version = $2::bigint

-- name: delivery_done
select delivery_done($1::bigint, $2::bigint, $3::bigint::integer)

-- name: delivery_failed
select delivery_failed($1::bigint, $2::bigint, $3::bigint::integer, $4::text, $5::text)

-- Who hears of it when a webhook is switched off: the project's owners.
-- name: webhook_owners
select w.project_id, w.webhook_url, clock() as now, array(select m.person_id
	from project_membership m join person p on p.id = m.person_id
	where m.project_id = w.project_id and m.role = 'owner' and p.receives_in_app_notifications
	order by m.person_id) as people
from webhook w where w.id = $1::bigint

-- name: delivery_drop
select delivery_drop($1::bigint, $2::bigint)

-- name: mail_take
select * from mail_take()

-- name: mail_done
select mail_done($1::bigint, $2::text)

-- name: outbox_sweep
select outbox_sweep()
