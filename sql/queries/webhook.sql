-- What viewers see has no address.
-- name: webhook_list
select w.id, w.project_id, case when m.role is distinct from 'viewer' then w.webhook_url end as webhook_url,
	w.webhook_version, w.enabled, w.secret, w.last_error_code, w.last_response_body, w.created_at, w.updated_at
from api.webhook w left join project_membership m on m.project_id = w.project_id and m.person_id = {me}
where w.project_id = $1::bigint order by w.id

-- name: webhook_get
select w.id, w.project_id, case when m.role is distinct from 'viewer' then w.webhook_url end as webhook_url,
	w.webhook_version, w.enabled, w.secret, w.last_error_code, w.last_response_body, w.created_at, w.updated_at
from api.webhook w left join project_membership m on m.project_id = w.project_id and m.person_id = {me}
where w.id = $1::bigint and w.project_id = {project}

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
