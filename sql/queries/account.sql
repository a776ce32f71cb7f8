-- A token limited to some projects sees their accounts as outsiders do. The viewer comes from a column, so that the
-- planner inlines the query.

-- name: account_by_ids
select a.* from (select x.id, case when {reached -x.id} then {me} end as viewer
	from account x where x.id = any($1::bigint[])) m
cross join lateral api.account_seen_by(m.viewer) a where a.id = m.id

-- name: account_list
select a.* from (select x.account_id, x.owner, x.admin, x.project_creator,
		case when {reached -x.account_id} then x.person_id end as viewer
	from account_membership x where x.person_id = {me} and ({reached -x.account_id}
		or exists (select from project p where p.account_id = x.account_id and {reached p.id}))) m
cross join lateral api.account_seen_by(m.viewer) a
where a.id = m.account_id and ($1::bigint is null or true) order by a.id

-- name: account_summary_list
select a.* from (select x.account_id, x.owner, x.admin, x.project_creator,
		case when {reached -x.account_id} then x.person_id end as viewer
	from account_membership x where x.person_id = {me} and ({reached -x.account_id}
		or exists (select from project p where p.account_id = x.account_id and {reached p.id}))) m
cross join lateral api.account_seen_by(m.viewer) a
where a.id = m.account_id and ($1::bigint is null or true) {where} order by a.id

-- name: account_get
select a.* from (select x.id, case when {reached -x.id} then {me} end as viewer
	from account x where x.id = $1::bigint) m
cross join lateral api.account_seen_by(m.viewer) a where a.id = m.id

-- name: account_membership_list
select * from api.account_membership where account_id = $1::bigint order by person_id

-- name: account_membership_get
select * from api.account_membership
where account_id = $2::bigint and id = $1::bigint

-- name: account_membership_by_row
select v.* from account_membership m
join api.account_membership v on v.account_id = m.account_id and v.person_id = m.person_id
where m.id = $1::bigint
