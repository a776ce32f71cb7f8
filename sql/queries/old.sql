-- What requests of the retired versions v3 and v4 need in addition (src/api/old.c); late, so that a server with these
-- versions switched off keeps nothing for them.

-- People of a project by their names, for its members.
-- late: old_people
select p.name, m.person_id from api.caller($1::bytea, $2::bigint, null) c
join project_membership own on own.person_id = c.id and own.project_id = $3::bigint
join project_membership m on m.project_id = own.project_id
join person p on p.id = m.person_id
where p.name = any($4::text[])

-- What a story has, since a write of the same values changes nothing.
-- late: old_story
select s.owner_ids, s.requested_by_id, o.name as owned_by, q.name as requested_by, s.created_at,
	s.accepted_at, s.deadline
from story s left join person o on o.id = s.owner_ids[1] left join person q on q.id = s.requested_by_id
where s.project_id = $1::bigint and s.id = $2::bigint

-- People and labels by their ids, as activities name them.
-- late: old_names
select 'person' as kind, p.id, p.name, p.initials from person p where p.id = any($1::bigint[])
union all
select 'label', l.id, l.name, '' from label l where l.id = any($2::bigint[])
