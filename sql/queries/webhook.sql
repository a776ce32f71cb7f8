-- Viewers do not see the address.
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

-- name: webhook_exists
select true as allowed from webhook where project_id = $1::bigint and id = $2::bigint

-- name: webhook_deliveries
select d.id, d.version as project_version, case when d.delivered_at is not null then 'delivered'
		when d.failed_at is not null then 'failed' else 'waiting' end as state,
	d.attempts, d.last_status, d.last_error, d.created_at,
	case when d.delivered_at is null and d.failed_at is null then d.next_at end as next_at,
	coalesce(d.delivered_at, d.failed_at) as ended_at
from delivery d where d.webhook_id = $1::bigint and d.project_id = {project} {where}
order by d.id desc limit $2::bigint offset $3::bigint

-- name: webhook_delivery_count
select count(*) from delivery d where d.webhook_id = $1::bigint {where}

-- name: webhook_count
select count(*) from webhook where project_id = $1::bigint

-- If it is off, its waiting deliveries are given up; if it was switched on, or has a new address,
-- it starts afresh.
-- name: webhook_update_deliveries
update delivery d set failed_at = case when not w.enabled then $2::timestamptz end,
	last_error = case when w.enabled then d.last_error
		else coalesce(d.last_error, 'the webhook was switched off') end,
	next_at = least(d.next_at, $2::timestamptz)
from webhook w
where w.id = $1::bigint and d.webhook_id = w.id and d.delivered_at is null and d.failed_at is null
	and (not w.enabled or d.next_at > $2::timestamptz)
