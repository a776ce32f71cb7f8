-- name: notification_list
select n.* from api.notification n
where n.person_id = {me} and {reached n.project_id} and ($1::bigint is null or true) {where}
order by n.created_at desc limit $2::bigint

-- name: notification_since
select n.* from api.notification n
where n.person_id = {me} and {reached n.project_id} and n.created_at > $1::timestamptz
	and (n.notification_type = any(array['story', 'epic', 'comment', 'comment_with_mention'])
		or $2::boolean)
order by n.created_at limit $3::bigint

-- name: notification_allowed
select $1::bigint = {me} as allowed

-- name: notification_exists_at
select from notification where person_id = {me} and {reached project_id}
	and created_at >= $1::timestamptz and created_at < $1::timestamptz + interval '1 second'
	and $1::timestamptz in (created_at, date_trunc('second', created_at)) limit 1

-- name: notification_newest
select (extract(epoch from max(created_at)) * 1000)::bigint from notification
where person_id = {me} and {reached project_id}

-- name: notification_get
select * from api.notification
where id = $1::bigint and person_id = {me} and {reached project_id}

-- name: notification_load
select * from notification where id = $1::bigint and {reached project_id}

-- name: notification_mark_read
update notification set read_at = $3::timestamptz,
	updated_at = date_trunc('milliseconds', $3::timestamptz)
where person_id = $1::bigint and id <= $2::bigint and read_at is null and {reached project_id}

-- name: notification_read_list
update notification set read_at = $3::timestamptz,
	updated_at = date_trunc('milliseconds', $3::timestamptz)
where person_id = $1::bigint and id = any($2::bigint[]) and read_at is null and {reached project_id}
