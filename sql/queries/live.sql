-- Live updates: what a stream begins with (api/live.c), and what has changed for all open ones
-- (programs/live/live_poll.c).

-- The projects $1 in the order of their ids, with what the caller may hear about them.
-- name: live_open
select w.id, p.version, {reached w.id} and (p.public or m.person_id is not null) as is_seen,
	m.person_id is not null as is_member
from (select distinct i as id from unnest($1::bigint[]) i) w
left join project p on p.id = w.id
left join project_membership m on m.project_id = p.id and m.person_id = {me}
order by w.id

-- name: live_unread
select count(*) from notification
where person_id = {me} and read_at is null and {reached project_id}

-- Everything that changed for open streams, in rows that say `what` it is:
--	project      has another version than the known one ($1 ids, $2 versions)
--	caller       the nth of those who listen ($3 people, $4 sessions, $5 named tokens, $6 digests of
--	             tokens: each row has one of these three, and 0 for the others; $7 when their
--	             notifications last changed, in microseconds): may no longer listen, or their
--	             notifications have changed
--	pair         of the nth person and project ($8, $9; $10 the session and $11 the named token, or 0; $12
--	             1 for members who are told who is looking at stories, or 0): may no longer listen to the
--	             project, or not be told that
-- $13: a second factor is required of everybody.
-- late: live_poll
select 'project' as what, w.id, coalesce(p.version, 0) as value, 0::bigint as stamp, false as is_over
from unnest($1::bigint[], $2::bigint[]) w(id, version) left join project p on p.id = w.id
where p.version is distinct from w.version
union all
select 'caller', c.n, case when not x.is_over then (select count(*) from notification o
		where o.person_id = c.person and o.read_at is null
			and coalesce(o.project_id = any(h.reach), true)) end,
	x.stamp, x.is_over
from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
	with ordinality c(person, session, token, digest, stamp, n)
left join person p on p.id = c.person and p.disabled_at is null
left join session s on s.id = c.session and s.person_id = p.id
	and s.expires_at > now() and s.used_at > now() - interval '30 days'
left join token t on t.id = c.token and t.person_id = p.id and coalesce(t.expires_at > now(), true)
left join api.token_reach k on k.id = t.id
cross join lateral (select coalesce(k.reach, (select api.places_outside(p.id, array_agg(d.account_id))
	from api.factor_demand d where d.person_id = p.id and c.session <> 0 and s.provider is null having count(*) > 0)) as reach) h
cross join lateral (select coalesce((select extract(epoch from o.updated_at) * 1000000
		from notification o where o.person_id = c.person
		order by o.updated_at desc limit 1), 0)::bigint as stamp,
	case when c.session <> 0 then s.id is null or s.provider is null
			and ($13::boolean or exists (select from api.factor_demanded d where d.person_id = p.id))
			and not exists (select from second_factor f
				where f.person_id = p.id and f.confirmed_at is not null)
		when c.token <> 0 then t.id is null
		else p.token_mac is null
			or ('x' || encode(substr(p.token_mac, 1, 8), 'hex'))::bit(64)::bigint <> c.digest
	end as is_over) x
where x.is_over or x.stamp <> c.stamp
union all
select 'pair', c.n, 0, 0, true
from unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[])
	with ordinality c(person, project, session, token, member, n)
left join project p on p.id = c.project
left join project_membership m on m.project_id = p.id and m.person_id = c.person
where not coalesce(p.public or m.person_id is not null, false)
	or c.member <> 0 and m.person_id is null
	or c.token <> 0 and not exists (select from api.token_reach t where t.id = c.token
		and coalesce(c.project = any(t.reach), true))
	or c.session <> 0 and exists (select from api.factor_demand d join session s on s.id = c.session
		where d.person_id = c.person and d.account_id = p.account_id and s.provider is null)
