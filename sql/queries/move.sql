-- A story that moves to another project.

-- gate_write for moving a story to the project $5: also whether the caller's role there is one of
-- $6 (enters). Locks both projects, in the order of their ids, if both roles are sufficient.
-- name: gate_move
select set_config('application_name', {request}, true) as named, c.id as person_id,
	c.met_at is null as is_new,
	c.name as me_name, c.initials as me_initials, c.username as me_username,
	c.time_zone as me_time_zone,
	c.token_id, c.reads_only, c.reach, c.is_stale,
	p.id as project_id, p.version, m.role, t.role as role_there, p.public,
	false as administers, coalesce(t.role = any($6::text[]), false) as enters,
	case when m.role = any($6::text[]) and t.role = any($6::text[]) and c.reads_only is not true
		then array(select pg_advisory_xact_lock((1::bigint << 61) | o.id)::text
			from (select distinct unnest(array[p.id, t.project_id]) as id order by 1) o)
		end as locked
from (select coalesce($3::bigint, (select project_id from story where id = $4::bigint)) as project) r
cross join api.caller($1::bytea, $2::bigint, {session_reach}) c
left join project p on p.id = r.project
left join project_membership m on m.project_id = p.id and m.person_id = c.id
	and coalesce(m.project_id = any(c.reach), true)
left join project_membership t on t.project_id = $5::bigint and t.person_id = c.id
	and coalesce(t.project_id = any(c.reach), true)

-- The project that the story leaves, after the locks.
-- name: scene_source
select p.*, exists (select from webhook w where w.project_id = p.id and w.enabled) as has_webhooks
from project p where p.id = coalesce($1::bigint,
	(select project_id from story where id = $2::bigint))

-- Labels of the project $1 that have the names of those of the story $2; a name that no label
-- has gives a row without an id.
-- name: load_moved_labels
select l.id, o.name, $1::bigint as project_id, l.created_at, l.updated_at, l.tally, o.name as wished
from story s cross join unnest(s.label_ids) i(id) join label o on o.id = i.id
left join label l on l.project_id = $1::bigint and l.name = o.name
where s.id = $2::bigint

-- Ids for those that are missing there, which may all have to be created.
-- name: new_moved_label_ids
select nextval('label_id_seq') as id
from story s cross join unnest(s.label_ids) i(id) join label o on o.id = i.id
where s.id = $2::bigint and not exists (select from label l
	where l.project_id = $1::bigint and l.name = o.name)

-- name: load_moved_reviews
select * from review where story_id = $1::bigint order by id

-- The types of the story's reviews ($2), with those of the same names in the project $1.
-- name: load_moved_review_types
select t.id, x.id as to, t.name, t.hidden from review_type t
left join review_type x on x.project_id = $1::bigint and lower(x.name) = lower(t.name)
where t.id in (select r.review_type_id from review r where r.story_id = $2::bigint) order by t.id

-- name: new_moved_review_type_ids
select nextval('review_type_id_seq') as id from review_type t
where t.id in (select r.review_type_id from review r where r.story_id = $2::bigint)
	and not exists (select from review_type x where x.project_id = $1::bigint
		and lower(x.name) = lower(t.name))

-- Reviewers of the story $2 who are people of the project $1.
-- name: load_moved_reviewers
select p.id, p.name, p.initials, p.username, m.role,
	p.receives_in_app_notifications and p.disabled_at is null as receives_in_app_notifications
from project_membership m join person p on p.id = m.person_id
where m.project_id = $1::bigint
	and m.person_id in (select r.reviewer_id from review r where r.story_id = $2::bigint)

-- Blockers of the story, and those that name it.
-- name: load_moved_blockers
select * from blocker where story_id = $1::bigint or blocking_story_ids @> array[$1::bigint]
order by id

-- Stories of the project $1 that the blockers of the story $2 may name.
-- name: load_moved_blocking_stories
select s.id from story s where s.project_id = $1::bigint and s.id in (select x[1]::bigint
	from blocker b cross join lateral regexp_matches(b.description, '#([0-9]{1,18})', 'g') x
	where b.story_id = $2::bigint) order by s.id

-- Files attached to its comments now belong to the new project, and its texts are found there.
-- name: save_story_moved
with t as (update search_text t set project_id = s.project_id from story s
	where s.id = $1::bigint and t.story_id = s.id)
update file_attachment f set project_id = s.project_id
from comment c join story s on s.id = c.story_id where s.id = $1::bigint and f.comment_id = c.id
