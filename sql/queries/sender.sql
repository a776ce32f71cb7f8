-- Whether anything waits at all, due or not: letters, mail, deliveries.
-- name: outbox_has_pending
select exists (select from letter where delivered_at is null and failed_at is null),
	exists (select from mail where delivered_at is null and failed_at is null),
	exists (select from delivery where delivered_at is null and failed_at is null)

-- name: delivery_take
select t.*, (select w.webhook_version from webhook w where w.id = t.webhook_id)
from delivery_take($1::bigint, $2::bigint, $3::text, $4::text::interval) t

-- name: delivery_activity
select a.* from api.activity a where a.project_id = $1::bigint and a.project_version = $2::bigint

-- name: delivery_done
select delivery_done($1::bigint, $2::bigint, $3::bigint::integer, $4::text::uuid)

-- name: delivery_failed
select delivery_failed($1::bigint, $2::bigint, $3::bigint::integer, $4::text, $5::text, $6::text,
	$7::text::uuid)

-- The people notified when a webhook is switched off: the project's owners.
-- name: webhook_owners
select w.project_id, w.webhook_url, now() as now, array(select m.person_id
	from project_membership m join person p on p.id = m.person_id
	where m.project_id = w.project_id and m.role = 'owner' and p.receives_in_app_notifications
		and p.disabled_at is null
	order by m.person_id) as people
from webhook w where w.id = $1::bigint

-- name: delivery_drop
select delivery_drop($1::bigint, $2::text, $3::text::uuid)

-- name: mail_take
select * from mail_take($1::bigint, $2::text, $3::text)

-- Records the result: $2 null, it was sent. Given up after a day.
-- name: mail_done
update mail set last_error = $2::text, delivered_at = case when $2::text is null then now() end,
	failed_at = case when $2::text is not null and created_at < now() - interval '1 day'
		then now() end
where id = $1::bigint
