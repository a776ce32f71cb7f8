-- Numbers for operators (http/status.h).

-- name: status_schema
select max(number)::bigint as schema_version from schema_migration

-- name: status_queues
select d.n as deliveries_waiting, coalesce(extract(epoch from now() - d.oldest), 0)::bigint as deliveries_oldest_seconds,
	m.n as mails_waiting, coalesce(extract(epoch from now() - m.oldest), 0)::bigint as mails_oldest_seconds,
	(select count(*) from mail where withheld) + (select count(*) from letter where withheld)
		as mails_withheld,
	w.n_off as webhooks_off, w.n_failing as webhooks_failing,
	i.n_queued as imports_queued, i.n_running as imports_running,
	(select max(number)::bigint from schema_migration) as schema_version,
	pg_database_size(current_database()) as database_bytes
from (select count(*) as n, min(created_at) as oldest from delivery
		where delivered_at is null and failed_at is null) d,
	(select count(*) as n, min(created_at) as oldest
		from (select created_at from mail where delivered_at is null and failed_at is null
			union all select created_at from letter
			where delivered_at is null and failed_at is null) x) m,
	(select count(*) filter (where not enabled) as n_off,
		count(*) filter (where enabled) as n_failing from webhook
		where not enabled or failing_since is not null) w,
	(select count(*) filter (where state = 'queued') as n_queued,
		count(*) filter (where state = 'running') as n_running from project_import
		where state in ('queued', 'running')) i
