-- name: webhook_list
select * from api.webhook where project_id = $1::bigint order by id

-- name: webhook_get
select * from api.webhook where id = $1::bigint and project_id = {project}

-- name: webhook_load
select * from webhook where id = $1::bigint and project_id = $2::bigint

-- name: webhook_count
select count(*) from webhook where project_id = $1::bigint

-- Of one that is off, what waits is given up; what was switched on, or has another address,
-- begins anew.
-- name: webhook_switched
update delivery d set failed_at = case when not w.enabled then $2::timestamptz end,
	last_error = case when w.enabled then d.last_error
		else coalesce(d.last_error, 'the webhook was switched off') end,
	next_at = least(d.next_at, $2::timestamptz)
from webhook w
where w.id = $1::bigint and d.webhook_id = w.id and d.delivered_at is null and d.failed_at is null
	and (not w.enabled or d.next_at > $2::timestamptz)
