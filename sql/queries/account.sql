-- A token of some projects sees their accounts as people do who are not in them.

-- name: account_by_ids
select a.* from (select case when {reached 0} then {me} end as id) me cross join lateral api.account_seen_by(me.id) a
where a.id = any($1::bigint[])

-- name: account_list
select a.* from account_membership m cross join lateral api.account_seen_by(case when {reached 0} then m.person_id end) a
where a.id = m.account_id and m.person_id = {me} and ({reached 0} or exists (select from project p
		where p.account_id = a.id and {reached p.id})) and ($1::bigint is null or true) order by a.id

-- name: account_summary_list
select a.* from account_membership m cross join lateral api.account_seen_by(case when {reached 0} then m.person_id end) a
where a.id = m.account_id and m.person_id = {me} and ({reached 0} or exists (select from project p
		where p.account_id = a.id and {reached p.id})) and ($1::bigint is null or true) {where} order by a.id

-- name: account_get
select a.* from (select case when {reached 0} then {me} end as id) me cross join lateral api.account_seen_by(me.id) a
where a.id = $1::bigint

-- name: account_membership_list
select * from api.account_membership where account_id = $1::bigint order by person_id

-- name: account_membership_get
select * from api.account_membership
where account_id = $2::bigint and id = $1::bigint

-- name: account_membership_by_row
select v.* from account_membership m
join api.account_membership v on v.account_id = m.account_id and v.person_id = m.person_id
where m.id = $1::bigint
