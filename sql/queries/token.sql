-- Named tokens (api/token.c). The secret is only in the row that was just made.

-- name: token_list
select *, null::bytea as token from api.token
where person_id = {me} and ($1::bigint is null or true) order by id limit $2::bigint offset $3::bigint

-- name: token_count
select count(*) from token t where t.person_id = {me} and ($1::bigint is null or true) {where}

-- The time, and of the projects $1 those that the caller is in, with their accounts.
-- name: token_scene
select now() as now, array(select m.project_id from project_membership m
	where m.person_id = {me} and {reached m.project_id}
		and m.project_id = any($1::bigint[])) as project_ids,
	array(select distinct p.account_id from project p where p.id = any($1::bigint[])) as account_ids

-- Of somebody who was not disabled meanwhile. A project that is named twice is there once.
-- name: token_make
insert into token (person_id, mac, sealed, name, scope, project_ids, expires_at)
select id, $2::bytea, $3::bytea, $4::text, $5::text,
	(select array_agg(i order by n) from (select i, min(n) as n
		from unnest($6::bigint[]) with ordinality x(i, n) group by i) y), $7::timestamptz from person
where id = $1::bigint and disabled_at is null for key share returning id

-- name: token_made
select v.*, t.sealed as token from api.token v join token t on t.id = v.id where v.id = $1::bigint

-- The accounts: of the projects that it reached, unless it reached all.
-- name: token_end
delete from token t where t.id = $1::bigint and t.person_id = $2::bigint returning t.id, t.name, t.person_id,
	array(select distinct p.account_id from project p where p.id = any(t.project_ids)) as account_ids

-- What activities call a token: $1 is its digest.
-- name: token_name
select name from token where mac = $1::bytea

-- name: token_used
update token set used_at = now()
where id = $1::bigint and coalesce(used_at < now() - interval '1 hour', true)

-- For an account $1: tokens of its people that reach it, which is by one of its projects or, if they
-- reach all, by being in it.

-- name: account_token_list
select * from api.account_token where account_id = $1::bigint
order by person_id, id limit $2::bigint offset $3::bigint

-- name: account_token_count
select count(*) from api.account_token a where a.account_id = $1::bigint {where}

-- The token $2 reaches the account $1 no more: what is left are other projects of its person, as they
-- are now; without any, it ends.
-- name: account_token_end
with x as (select t.id, t.name, t.person_id, array(select m.project_id from project_membership m
		join project j on j.id = m.project_id
		where m.person_id = t.person_id and j.account_id <> $1::bigint
			and (t.project_ids is null or m.project_id = any(t.project_ids))
		order by m.project_id) as rest
	from token t join api.account_token a on a.id = t.id and a.account_id = $1::bigint
	where t.id = $2::bigint for update of t),
	gone as (delete from token t using x where t.id = x.id and x.rest = '{}' returning t.id, t.name, t.person_id),
	kept as (update token t set project_ids = x.rest from x
		where t.id = x.id and x.rest <> '{}' returning t.id, t.name, t.person_id)
select * from gone union all select * from kept
