-- Named tokens (api/token.c). The secret is only in the row that was just made.

-- name: token_list
select *, null::bytea as token from api.token
where person_id = {me} and ($1::bigint is null or true) order by id limit $2::bigint offset $3::bigint

-- name: token_count
select count(*) from token t where t.person_id = {me} and ($1::bigint is null or true) {where}

-- The time, and of the projects $1 those that the caller is in.
-- name: token_scene
select now() as now, array(select m.project_id from project_membership m
	where m.person_id = {me} and {reached m.project_id}
		and m.project_id = any($1::bigint[])) as project_ids

-- Of somebody who was not disabled meanwhile.
-- name: token_make
insert into token (person_id, mac, sealed, name, scope, project_ids, expires_at)
select id, $2::bytea, $3::bytea, $4::text, $5::text, $6::bigint[], $7::timestamptz from person
where id = $1::bigint and disabled_at is null for key share returning id

-- name: token_made
select v.*, t.sealed as token from api.token v join token t on t.id = v.id where v.id = $1::bigint

-- name: token_end
delete from token where id = $1::bigint and person_id = $2::bigint returning id

-- name: token_used
update token set used_at = now()
where id = $1::bigint and coalesce(used_at < now() - interval '1 hour', true)
