-- The audit log (store/audit.h): rows are added and read, never changed.

-- One entry: a row for each of the accounts $1 (if there are none, for that of the project $9) and of the accounts of
-- the person $2; without any account, one row that no account can read. A token ($5) is named instead of $4.
-- name: audit_write
insert into audit_entry (account_id, is_first, act, means, person_id, address, request_id, project_id, object_kind,
	object_id, object_name, old, new)
select a.id, coalesce(a.nth, 1) = 1, $3::text,
	coalesce('token:' || (select t.name from token t where t.id = $5::bigint), $4::text), $6::bigint, $7::text,
	$8::text, $9::bigint, $10::text, $11::bigint, $12::text, $13::json, $14::json
from (values (1)) one left join (select x.id, row_number() over (order by x.id) as nth
	from (select unnest($1::bigint[]) as id union select m.account_id from account_membership m
		where m.person_id = $2::bigint
		union select p.account_id from project p where p.id = $9::bigint and $1::bigint[] = '{}') x) a on true

-- A refused sign-in: of the person $1, whose accounts can read it, or of a name that is nobody's. Many attempts add few
-- rows per minute: ten for each person; for names that are nobody's, ten from one address and sixty in all; for such
-- attempts through a provider, which cost the caller more, a hundred and two hundred; and three hundred altogether.
-- name: audit_refused
insert into audit_entry (account_id, is_first, act, means, person_id, address, request_id, object_kind, object_name, new)
select a.account_id, coalesce(a.nth, 1) = 1, 'sign_in_refused', $2::text, $1::bigint, $3::text, $4::text,
	case when $5::text is not null then 'login' end, $5::text, $6::json
from (select count(e.by_provider) as n, count(*) filter (where e.person_id = $1::bigint) as of_person,
		count(*) filter (where e.person_id is null and e.by_provider = k.by_provider) as of_nobody,
		count(*) filter (where e.person_id is null and e.by_provider = k.by_provider and e.address = $3::text) as from_here,
		case when bool_or(k.by_provider) then 200 else 60 end as nobodies,
		case when bool_or(k.by_provider) then 100 else 10 end as here
	from (select $2::text like 'provider:%' as by_provider) k
	left join (select x.person_id, x.address, x.means like 'provider:%' as by_provider from audit_entry x
		where x.occurred_at > now() - interval '1 minute' and x.act = 'sign_in_refused' and x.is_first
		limit 300) e on true) seen
left join (select m.account_id, row_number() over (order by m.account_id) as nth from account_membership m
	where m.person_id = $1::bigint) a on true
where seen.n < 300 and seen.of_person < 10
	and ($1::bigint is not null or seen.of_nobody < seen.nobodies and seen.from_here < seen.here)

-- An account's entries, newest first.
-- name: audit_list
select a.* from api.audit_entry a where a.account_id = $1::bigint {where}
order by a.occurred_at desc, a.id desc limit $2::bigint offset $3::bigint

-- Counts up to ten thousand, so that an account with millions of entries costs no more.
-- name: audit_count
select count(*) from (select from api.audit_entry a where a.account_id = $1::bigint {where} limit 10000) x

-- One batch of all of them, for CSV.
-- name: audit_csv
select a.* from api.audit_entry a where a.account_id = $1::bigint {where}
order by a.occurred_at desc, a.id desc limit 1000

-- What the request $1 recorded within the last $2 seconds, as lines for the log.
-- name: audit_of_request
select l.line, l.brief from api.audit_line l where l.request_id = $1::text and l.is_first
	and l.occurred_at > now() - $2::bigint * interval '1 second' order by l.id

-- For planwrightctl: entries of the account $1 or of all, by the person $2, of the act $3, about the project $4,
-- between $5 and $6, from the transaction $7 up to $8 (a snapshot's xmin: no transaction below it still writes), the
-- last $9 of them.
-- late: audit_lines
select * from (select l.id, l.occurred_at, l.line from api.audit_line l
	where case when $1::bigint is null then l.is_first else l.account_id = $1::bigint end
		and ($2::bigint is null or l.person_id = $2::bigint) and ($3::text is null or l.act = $3::text)
		and ($4::bigint is null or l.project_id = $4::bigint)
		and l.occurred_at > coalesce($5::timestamptz, '-infinity') and l.occurred_at < coalesce($6::timestamptz, 'infinity')
		and ($7::text is null or l.made_in >= $7::text::xid8) and ($8::text is null or l.made_in < $8::text::xid8)
	order by l.occurred_at desc, l.id desc limit $9::bigint) x order by x.occurred_at, x.id

-- late: audit_snapshot
select pg_snapshot_xmin(pg_current_snapshot())::text as xmin

-- late: audit_keep
select audit_keep($1::bigint, $2::boolean) as dropped

-- Whether next month's partition exists, and how many entries are in no month's partition.
-- late: audit_partitions
select to_regclass('planwright.audit_entry_' || to_char((now() at time zone 'UTC') + interval '1 month', 'YYYY_MM'))
	is not null as has_next, (select count(*) from audit_entry_rest) as without
