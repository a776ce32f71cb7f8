-- planwrightctl person claim, and claims over HTTP: everything that belongs to a placeholder ($1)
-- becomes a person's ($2), in the projects $3. Each column that refers to people has its line here;
-- t/http/test_claim.py finds these columns in the schema.

-- late: claim_find_person
select p.id, p.name, p.placeholder, coalesce(p.email_claimed and lower(p.email) = lower($1::text), false) as claims
from person p
where p.removed_at is null and (p.id::text = $1::text or lower(p.email) = lower($1::text)
	or lower(p.username) = lower($1::text) or p.placeholder and p.name = $1::text)
order by p.id::text = $1::text desc, lower(p.email) = lower($1::text) desc,
	lower(p.username) = lower($1::text) desc, p.id

-- Locked as commands lock them, in the order of their ids.
-- late: claim_projects
select x.id, pg_advisory_xact_lock((1::bigint << 61) | x.id)::text as locked from (
select j.id from project j where j.id in (
	select project_id from project_membership where person_id = $1::bigint
	union all select project_id from imported_person where person_id = $1::bigint
	union all select project_id from story where requested_by_id = $1::bigint
		or owner_ids @> array[$1::bigint] or follower_ids @> array[$1::bigint]
	union all select project_id from epic where follower_ids @> array[$1::bigint]
	union all select s.project_id from story s join blocker b on b.story_id = s.id
		where b.person_id = $1::bigint
	union all select s.project_id from story s join review r on r.story_id = s.id
		where r.reviewer_id = $1::bigint
	union all select coalesce(s.project_id, e.project_id) from comment c
		left join story s on s.id = c.story_id left join epic e on e.id = c.epic_id
		left join google_attachment g on g.comment_id = c.id
		where c.person_id = $1::bigint or g.person_id = $1::bigint
	union all select project_id from file_attachment where uploader_id = $1::bigint
	union all select project_id from story_transition where performed_by_id = $1::bigint
	union all select project_id from activity where person_id = $1::bigint
	union all select project_id from saved_search where person_id = $1::bigint)
order by j.id offset 0) x

-- late: claim_stories
update story s set requested_by_id = case when s.requested_by_id = $1::bigint then $2::bigint
		else s.requested_by_id end,
	owner_ids = array(select x.id from unnest(array_replace(s.owner_ids, $1::bigint, $2::bigint))
		with ordinality x(id, n) group by x.id order by min(x.n)),
	follower_ids = array(select x.id from unnest(array_replace(s.follower_ids, $1::bigint, $2::bigint))
		with ordinality x(id, n) group by x.id order by min(x.n))
where s.project_id = any($3::bigint[]) and (s.requested_by_id = $1::bigint
	or s.owner_ids @> array[$1::bigint] or s.follower_ids @> array[$1::bigint])
returning s.id

-- late: claim_epics
update epic e set follower_ids = array(
	select x.id from unnest(array_replace(e.follower_ids, $1::bigint, $2::bigint))
	with ordinality x(id, n) group by x.id order by min(x.n))
where e.project_id = any($3::bigint[]) and e.follower_ids @> array[$1::bigint]

-- late: claim_comments
update comment set person_id = $2::bigint where person_id = $1::bigint returning id

-- late: claim_blockers
update blocker set person_id = $2::bigint where person_id = $1::bigint

-- The keys by which an import recognizes reviews and saved searches contain the person
-- (import_merge_parts.sql), so they are changed for the next import to find them.
-- late: claim_import_items
update import_item i set natural_key = md5(format('%s|%s|%s|%s', v.story_id, v.review_type_id,
	$2::bigint, n))::uuid
from review v cross join generate_series(1, 20) n
where v.reviewer_id = $1::bigint and i.project_id = any($3::bigint[]) and i.kind = 'review'
	and i.id = v.id and i.natural_key = md5(format('%s|%s|%s|%s', v.story_id, v.review_type_id,
		$1::bigint, n))::uuid

-- late: claim_import_items_of_searches
update import_item i set natural_key = md5(format('%s|%s', $2::bigint, s.name))::uuid
from saved_search s where s.person_id = $1::bigint and i.project_id = any($3::bigint[])
	and i.kind = 'saved_search' and i.id = s.id

-- late: claim_reviews
update review set reviewer_id = $2::bigint where reviewer_id = $1::bigint

-- late: claim_files
update file_attachment set uploader_id = $2::bigint where uploader_id = $1::bigint

-- late: claim_google_attachments
update google_attachment set person_id = $2::bigint where person_id = $1::bigint

-- late: claim_transitions
update story_transition set performed_by_id = $2::bigint
where performed_by_id = $1::bigint and project_id = any($3::bigint[])

-- late: claim_searches
update saved_search set person_id = $2::bigint where person_id = $1::bigint

-- late: claim_workspaces
update workspace set person_id = $2::bigint where person_id = $1::bigint

-- late: claim_imported_people
update imported_person set person_id = $2::bigint where person_id = $1::bigint

-- late: claim_notification_performers
update notification set performer_id = $2::bigint where performer_id = $1::bigint

-- If both have a notification of the same time, the person's own stays: the times of a person's
-- notifications are unique.
-- late: claim_notifications
update notification n set person_id = $2::bigint where n.person_id = $1::bigint
	and not exists (select from notification o
		where o.person_id = $2::bigint and o.created_at = n.created_at)

-- late: claim_notified_at
update person p set notified_at = greatest(p.notified_at, o.notified_at), updated_at = now()
from person o where p.id = $2::bigint and o.id = $1::bigint

-- If both are members of a project, the stronger role remains.
-- late: claim_roles
update project_membership m set role = o.role, updated_at = now() from project_membership o
where m.person_id = $2::bigint and o.person_id = $1::bigint and o.project_id = m.project_id
	and array_position(array['owner', 'member', 'viewer'], o.role)
		< array_position(array['owner', 'member', 'viewer'], m.role)

-- late: claim_memberships
update project_membership m set person_id = $2::bigint, wants_comment_notification_emails = true,
	will_receive_mention_notifications_or_emails = true, updated_at = now()
where m.person_id = $1::bigint and not exists (select from project_membership o
	where o.project_id = m.project_id and o.person_id = $2::bigint)

-- late: claim_accounts
update account_membership m set person_id = $2::bigint, updated_at = now()
where m.person_id = $1::bigint and not exists (select from account_membership o
	where o.account_id = m.account_id and o.person_id = $2::bigint)

-- Activities name people under these keys; a list names nobody twice. A quote in a text is preceded
-- by a backslash, so no text looks like a key.
-- late: claim_activities
update activity a set
	person_id = case when a.person_id = $1::bigint then $2::bigint else a.person_id end,
	changes = regexp_replace(regexp_replace(regexp_replace(a.changes,
		'("(?:person_id|owned_by_id|requested_by_id|reviewer_id|uploader_id|performed_by_id)": ?)'
			|| $1::bigint || '(?=[], }])', '\1' || $2::bigint, 'g'),
		'("(?:owner_ids|follower_ids)": ?\[(?:[0-9]+, ?)*)' || $1::bigint || '(?=[], ])',
			'\1' || $2::bigint, 'g'),
		'("(?:owner_ids|follower_ids)": ?\[(?:[0-9]+, ?)*' || $2::bigint || '(?:, ?[0-9]+)*), ?'
			|| $2::bigint || '(?=[], ])', '\1', 'g')
where a.project_id = any($3::bigint[])
	and (a.person_id = $1::bigint or a.changes ~ ('[:, \[]' || $1::bigint || '[], }]'))

-- late: claim_delete_placeholder
delete from person where id = $1::bigint and placeholder

-- What others notice: each project gets a new version, so that clients reload it.
-- late: claim_activity
with j as (update project set version = version + 1, updated_at = now(), told_until = greatest(told_until, now()),
		told_late_s = case when told_until > now() and told_late_s is not null
			then greatest(told_late_s, ceil(extract(epoch from told_until - now()))::integer) else told_late_s end
	where id = any($2::bigint[]) returning id, name, version)
insert into activity (project_id, version, kind, person_id, changes, highlight, message,
	primary_resources, secondary_resources)
select j.id, j.version, 'project_import_activity', $1::bigint, '[]', 'claimed', $3::text,
	json_build_array(json_build_object('kind', 'project', 'id', j.id, 'name', j.name))::text, '[]'
from j

-- The placeholders whose address the caller has confirmed, and all of whose projects the caller reaches.
-- name: placeholder_list
select p.id, p.name, p.initials from person c
join person p on lower(p.said_email) = lower(c.email) and p.placeholder and p.removed_at is null
where c.id = {me} and c.confirmed_email = c.email and not c.email_claimed
	and not exists (select from project_membership m where m.person_id = p.id and not {reached m.project_id})
	and not exists (select from imported_person i where i.person_id = p.id and not {reached i.project_id})
order by p.id

-- The same with the id $1, for the person $2.
-- name: placeholder_of_mine
select p.id, p.name, c.id as to_id, c.name as to_name, false as is_shared from person c
join person p on lower(p.said_email) = lower(c.email) and p.placeholder and p.removed_at is null
where c.id = $2::bigint and c.confirmed_email = c.email and not c.email_claimed and p.id = $1::bigint
	and not exists (select from project_membership m where m.person_id = p.id and not {reached m.project_id})
	and not exists (select from imported_person i where i.person_id = p.id and not {reached i.project_id})

-- A placeholder $1 of the account $2, if $3 administers it, and the person $4 of the account.
-- name: placeholder_of_account
select p.id, p.name, o.id as to_id, o.name as to_name, exists (select from project_membership m
	join project j on j.id = m.project_id
	where m.person_id = p.id and j.account_id <> $2::bigint)
	or exists (select from imported_person i join project j on j.id = i.project_id
		where i.person_id = p.id and j.account_id <> $2::bigint) as is_shared
from person p
left join person o on o.id = $4::bigint and not o.placeholder and o.removed_at is null
	and exists (select from account_membership m
		where m.account_id = $2::bigint and m.person_id = o.id)
where p.id = $1::bigint and p.placeholder and p.removed_at is null
	and exists (select from account_membership m
		where m.account_id = $2::bigint and m.person_id = $3::bigint and (m.owner or m.admin))
	and (exists (select from account_membership m
			where m.account_id = $2::bigint and m.person_id = p.id)
		or exists (select from imported_person i join project j on j.id = i.project_id
			where i.person_id = p.id and j.account_id = $2::bigint))
