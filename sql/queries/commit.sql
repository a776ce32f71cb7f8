-- A commit that names stories ($3) of several projects.

-- The caller, and the projects of those stories in which the caller's role is one of $4. These are
-- locked, in the order of their ids, and no others.
-- name: gate_commit
with c as materialized (select * from api.caller($1::bytea, $2::bigint, {session_reach})),
named as (select distinct s.project_id as id from c
	join story s on s.id = any($3::bigint[]) and c.reads_only is not true
	join project_membership m on m.project_id = s.project_id and m.role = any($4::text[])
		and m.person_id = c.id and coalesce(m.project_id = any(c.reach), true))
select set_config('application_name', {request}, true) as named, c.id as person_id,
	c.met_at is null as is_new,
	c.name as me_name, c.initials as me_initials, c.username as me_username,
	c.time_zone as me_time_zone, c.token_id, c.reads_only, c.reach, c.is_stale,
	array(select n.id from named n order by 1) as projects,
	array(select pg_advisory_xact_lock((1::bigint << 61) | o.id)::text
		from (select n.id from named n order by 1) o) as locked
from c

-- After the locks: the stories ($1) that the caller may change ($2), by project.
-- name: commit_stories
select s.id, s.project_id, m.role from story s
join project_membership m on m.project_id = s.project_id and m.role = any($2::text[])
	and m.person_id = {me} and {reached m.project_id}
where s.id = any($1::bigint[]) order by s.project_id, s.id

-- Whether the story $1 already has a comment about the commit $2.
-- name: load_commit_comments
select * from comment where story_id = $1::bigint and commit_identifier = $2::text limit 1

-- The person named $2 in the project $1; nobody if there are two.
-- name: load_commit_author
select p.id, p.name, p.initials, p.username, m.role,
	p.receives_in_app_notifications and p.disabled_at is null as receives_in_app_notifications
from (select min(p.id) as id from project_membership m join person p on p.id = m.person_id
	where m.project_id = $1::bigint and lower(p.name) = lower(btrim($2::text)) having count(*) = 1) o
join person p on p.id = o.id
join project_membership m on m.project_id = $1::bigint and m.person_id = p.id

-- name: source_commit_stories
select * from api.story where id = any($1::bigint[]) order by id
