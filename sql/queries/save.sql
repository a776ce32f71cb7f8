-- What commands save in addition to the rows of their objects (store/save.h).

-- name: save_version
update project set version = $2::bigint, story_counts = $3::integer[],
	told_until = greatest(told_until, $4::timestamptz),
	told_late_s = case when told_until > $4::timestamptz and told_late_s is not null
		then greatest(told_late_s, ceil(extract(epoch from told_until - $4::timestamptz))::integer)
		else told_late_s end
where id = $1::bigint

-- name: save_activity
insert into activity (project_id, version, kind, person_id, changes, highlight, message,
	primary_resources, secondary_resources, story_ids, epic_ids, occurred_at)
values ($1::bigint, $2::bigint, $3::text, $4::bigint, $5::text, $6::text, $7::text, $8::text,
	case when $9::boolean then '[]' end, $10::bigint[], $11::bigint[], $12::timestamptz)

-- The counts of labels ($1) of the project $3: 24 numbers for each, one label after the other. A
-- join with the numbered ids would cost a third more (docs/performance.md).
-- name: save_label_counts
update label set tally = ($2::double precision[])
	[array_position($1::bigint[], id) * 24 - 23 : array_position($1::bigint[], id) * 24]
where id = any($1::bigint[]) and project_id = $3::bigint

-- name: save_transition
insert into story_transition (story_id, project_id, project_version, state, performed_by_id,
	occurred_at)
values ($4::bigint, $1::bigint, $2::bigint, $5::text, $3::bigint, $6::timestamptz)

-- name: save_transitions
insert into story_transition (story_id, project_id, project_version, state, performed_by_id,
	occurred_at)
select t.id, $1::bigint, $2::bigint, t.state, $3::bigint, $6::timestamptz
from unnest($4::bigint[], $5::text[]) t(id, state)

-- name: save_deliveries
insert into delivery (webhook_id, project_id, version)
select w.id, w.project_id, $2::bigint from webhook w where w.project_id = $1::bigint and w.enabled

-- Notifications of a command, each in a project or an account, one row per person notified. Times
-- are unique for a person and increase in the order of commits. So the people's rows are locked
-- first, all at once and in the order of their ids; otherwise commands of two projects could wait
-- for each other. The lock is a separate statement: an update in the same one would look for the
-- row as of the start of the statement, and queue there behind those who wait for this very lock.
-- name: save_lock_recipients
select id from person where id = any($1::bigint[]) order by id for no key update

-- One mail for everything that a person is notified of.
-- name: save_news
with news as (select n.*, row_number() over (partition by n.person order by n.place) as nth,
		count(*) over (partition by n.person) as of
	from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
		$9::text[], $10::bigint[], $11::text[], $12::bigint[], $13::bigint[], $1::bigint[],
		$16::bigint[]) with ordinality
		n(person, type, action, message, context, story_id, story_name, epic_id, epic_name,
			comment_id, attachments, project_id, account_id, place)),
raised as (update person p set notified_at = greatest(date_trunc('milliseconds', $14::timestamptz),
		p.notified_at + interval '1 millisecond') + (h.of - 1) * interval '1 millisecond'
	from (select distinct n.person, n.of from news n) h
	where p.id = h.person returning p.id, p.notified_at),
made as (insert into notification (person_id, project_id, performer_id, message, context,
		notification_type, action, new_attachment_count, story_id, story_name, epic_id, epic_name,
		comment_id, created_at, updated_at, account_id)
	select n.person, n.project_id, $2::bigint, n.message, n.context, n.type, n.action,
		n.attachments::integer, n.story_id, n.story_name, n.epic_id, n.epic_name, n.comment_id,
		r.notified_at - (n.of - n.nth) * interval '1 millisecond',
		r.notified_at - (n.of - n.nth) * interval '1 millisecond', n.account_id
	from news n join raised r on r.id = n.person order by n.person, n.nth
	returning id, person_id, notification_type, action),
mailed as (select array_agg(m.id order by m.id) as ids from made m
	where $15::boolean and (m.action = 'ownership' or m.notification_type = 'comment_with_mention')
	group by m.person_id)
insert into mail (notification_id, more_ids, performer_id) select ids[1], ids[2:], $2::bigint from mailed

-- Removes a deleted label from its stories.
-- name: save_label_gone
update story set label_ids = array_remove(label_ids, $1::bigint), updated_at = $2::timestamptz
where label_ids @> array[$1::bigint]

-- Stories keep their labels in the order of the names.
-- name: save_label_renamed
update story s set label_ids = array(select l.id from label l where l.id = any(s.label_ids)
	order by l.name collate "C")
where s.label_ids @> array[$1::bigint]

-- name: save_spread_ranks
select story_make_room($1::bigint, $2::bigint::smallint, $3::bigint, $4::bigint, $5::bigint,
	$6::bigint)

-- Overrides are numbered from the start that has just changed, so they no longer fit.
-- name: save_overrides_gone
delete from iteration_override where project_id = $1::bigint and $2::timestamptz is not null

-- Deletes a project with everything in it; its longest tables first, which is quicker.
-- name: save_project_gone
with a as (delete from activity where project_id = $1::bigint),
	t as (delete from story_transition where project_id = $1::bigint),
	i as (delete from import_item where project_id = $1::bigint)
delete from project where id = $1::bigint

-- A project's people must be people of its account. Takes shared locks on existing rows, so that
-- nobody leaves the account at the same time.
-- name: save_account_membership
with m as (select m.person_id, p.account_id from project_membership m
		join project p on p.id = m.project_id where m.id = $1::bigint and $2::timestamptz is not null),
	kept as (select a.person_id from account_membership a join m using (account_id, person_id)
		for key share of a)
insert into account_membership (account_id, person_id)
select m.account_id, m.person_id from m where m.person_id not in (select person_id from kept)
on conflict do nothing

-- The same for all people of a project that moved to another account.
-- name: save_people_follow
with m as (select m.person_id, p.account_id from project_membership m
		join project p on p.id = m.project_id where p.id = $1::bigint and $2::timestamptz is not null),
	kept as (select a.person_id from account_membership a join m using (account_id, person_id)
		for key share of a)
insert into account_membership (account_id, person_id)
select m.account_id, m.person_id from m where m.person_id not in (select person_id from kept)
on conflict do nothing

-- Texts for searches, with the story or epic that each of them finds.
-- name: save_texts
insert into search_text (source, source_id, project_id, story_id, epic_id, text)
select t.source, t.id, coalesce(s.project_id, e.project_id), s.id, e.id, t.text
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
	t(source, id, story_id, epic_id, comment_id, text)
left join comment c on c.id = t.comment_id
left join story s on s.id = coalesce(t.story_id, c.story_id)
left join epic e on e.id = coalesce(t.epic_id, c.epic_id)
on conflict (source, source_id) do update set text = excluded.text

-- name: save_texts_gone
delete from search_text t using unnest($1::text[], $2::bigint[]) g(source, id)
where t.source = g.source and t.source_id = g.id
