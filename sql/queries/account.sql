-- name: account_by_ids
select * from api.account where id = any($1::bigint[])

-- name: account_list
select a.* from account_membership m join api.account a on a.id = m.account_id
where m.person_id = me() and ($1::bigint is null or true) order by a.id

-- name: account_summary_list
select a.* from account_membership m join api.account a on a.id = m.account_id
where m.person_id = me() and ($1::bigint is null or true) {where} order by a.id

-- name: account_get
select * from api.account where id = $1::bigint

-- name: account_membership_list
select * from api.account_membership where account_id = $1::bigint order by person_id

-- name: account_membership_get
select * from api.account_membership
where account_id = $2::bigint and id = coalesce($1::bigint, made())

-- name: account_membership_insert
with i as (insert into account_membership (account_id, person_id, admin, project_creator, created_at)
	values ($1::bigint, person_for_membership($2::bigint, $3::text, $4::text, $5::text),
		coalesce($6::boolean, false), coalesce($7::boolean, false), coalesce($8::timestamptz, clock()))
	returning person_id)
select made(person_id) from i

-- name: account_membership_update
with u as (update account_membership set admin = coalesce($3::boolean, admin),
		project_creator = coalesce($4::boolean, project_creator)
	where account_id = $1::bigint and person_id = $2::bigint returning 1)
select must(count(*)) from u

-- name: account_membership_delete
with d as (delete from account_membership
	where account_id = $1::bigint and person_id = $2::bigint returning 1)
select must(count(*)) from d
