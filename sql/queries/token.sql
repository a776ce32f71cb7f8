-- Named tokens (api/token.c). The secret is only in a row that was just created.

-- name: token_list
select *, null::bytea as token from api.token
where person_id = {me} and ($1::bigint is null or true) order by id limit $2::bigint offset $3::bigint

-- name: token_count
select count(*) from token t where t.person_id = {me} and ($1::bigint is null or true) {where}

-- The time, those of the projects $1 that the caller is in, and the accounts of $1.
-- name: token_scene
select now() as now, array(select m.project_id from project_membership m
	where m.person_id = {me} and {reached m.project_id}
		and m.project_id = any($1::bigint[])) as project_ids,
	array(select distinct p.account_id from project p where p.id = any($1::bigint[])) as account_ids

-- No row: the person has been disabled. A project that is named twice is kept once; $8: the accounts that a token for
-- all projects does not reach.
-- name: token_create
insert into token (person_id, mac, sealed, name, scope, project_ids, expires_at, not_account_ids)
select id, $2::bytea, $3::bytea, $4::text, $5::text,
	(select array_agg(i order by n) from (select i, min(n) as n
		from unnest($6::bigint[]) with ordinality x(i, n) group by i) y), $7::timestamptz,
	nullif($8::bigint[], '{}') from person
where id = $1::bigint and disabled_at is null for key share returning id

-- name: token_created
select v.*, t.sealed as token from api.token v join token t on t.id = v.id where v.id = $1::bigint

-- The accounts are those of the projects that it reached, unless it reached all.
-- name: token_end
delete from token t where t.id = $1::bigint and t.person_id = $2::bigint returning t.id, t.name, t.person_id,
	array(select distinct p.account_id from project p where p.id = any(t.project_ids)) as account_ids

-- What activities call a token: $1 is its digest.
-- late: token_name
select name from token where mac = $1::bytea

-- name: token_used
update token set used_at = now()
where id = $1::bigint and coalesce(used_at < now() - interval '1 hour', true)

-- For an account $1: tokens of its people that reach it, through one of its projects or, if they
-- reach everything, because the person is in it.

-- name: account_token_list
select * from api.account_token where account_id = $1::bigint
order by person_id, id limit $2::bigint offset $3::bigint

-- name: account_token_count
select count(*) from api.account_token a where a.account_id = $1::bigint {where}

-- Ends the reach of the token $2 into the account $1: one for all projects still reaches whatever is not the account's,
-- now and later; one for some projects keeps the others, and is deleted if there are none.
-- name: account_token_end
with x as (select t.id, array(select j.id from project j
		where j.id = any(t.project_ids) and j.account_id <> $1::bigint
		order by j.id) as rest
	from token t join api.account_token a on a.id = t.id and a.account_id = $1::bigint
	where t.id = $2::bigint for update of t),
	gone as (delete from token t using x
		where t.id = x.id and t.project_ids is not null and x.rest = '{}' returning t.id, t.name, t.person_id),
	kept as (update token t set project_ids = case when t.project_ids is not null then x.rest end,
			not_account_ids = case when t.project_ids is null then t.not_account_ids || $1::bigint end
		from x where t.id = x.id and (t.project_ids is null or x.rest <> '{}') returning t.id, t.name, t.person_id)
select * from gone union all select * from kept
