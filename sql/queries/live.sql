-- Live updates: what a stream begins with (api/live.c), and what becomes of all that are open
-- (programs/live/live_look.c).

-- The projects $1 in the order of their ids, with what the caller may hear of them.
-- name: live_open
select w.id, p.version, {reached w.id} and (p.public or m.person_id is not null) as is_seen
from (select distinct i as id from unnest($1::bigint[]) i) w
left join project p on p.id = w.id
left join project_membership m on m.project_id = p.id and m.person_id = {me}
order by w.id

-- name: live_unread
select count(*) from notification
where person_id = {me} and read_at is null and {reached project_id}

-- All that changed of what is open, in rows that say `what` it is:
--	project      another version than the known one ($1 ids, $2 versions)
--	caller       the nth of those who listen ($3 people, $4 sessions, $5 named tokens, $6 digests of
--	             tokens, in each row one of the three, else 0; $7 when anything became of their
--	             notifications, in microseconds): may listen no more, or has other notifications
--	pair         of the nth person and project ($8, $9; $10 the named token, or 0): may hear no more
-- $11: a second factor is required of everybody.
-- late: live_look
select 'project' as what, w.id, coalesce(p.version, 0) as value, 0::bigint as stamp, false as is_over
from unnest($1::bigint[], $2::bigint[]) w(id, version) left join project p on p.id = w.id
where p.version is distinct from w.version
union all
select 'caller', c.n, case when not x.is_over then (select count(*) from notification o
		where o.person_id = c.person and o.read_at is null
			and (t.project_ids is null or o.project_id = any(t.project_ids))) end,
	x.stamp, x.is_over
from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
	with ordinality c(person, session, token, digest, stamp, n)
left join person p on p.id = c.person and p.disabled_at is null
left join session s on s.id = c.session and s.person_id = p.id
	and s.expires_at > now() and s.used_at > now() - interval '30 days'
left join token t on t.id = c.token and t.person_id = p.id and coalesce(t.expires_at > now(), true)
cross join lateral (select coalesce((select extract(epoch from o.updated_at) * 1000000
		from notification o where o.person_id = c.person
		order by o.updated_at desc limit 1), 0)::bigint as stamp,
	case when c.session <> 0 then s.id is null or s.provider is null
			and ($11::boolean or exists (select from api.factor_demand d where d.person_id = p.id))
			and not exists (select from second_factor f
				where f.person_id = p.id and f.confirmed_at is not null)
		when c.token <> 0 then t.id is null
		else p.token_mac is null
			or ('x' || encode(substr(p.token_mac, 1, 8), 'hex'))::bit(64)::bigint <> c.digest
	end as is_over) x
where x.is_over or x.stamp <> c.stamp
union all
select 'pair', c.n, 0, 0, true
from unnest($8::bigint[], $9::bigint[], $10::bigint[]) with ordinality c(person, project, token, n)
left join project p on p.id = c.project
left join project_membership m on m.project_id = p.id and m.person_id = c.person
where not coalesce(p.public or m.person_id is not null, false)
	or c.token <> 0 and not exists (select from token t where t.id = c.token
		and (t.project_ids is null or c.project = any(t.project_ids)))
