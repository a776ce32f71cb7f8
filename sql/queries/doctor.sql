-- What must always hold (planwrightctl doctor --deep; src/programs/ctl/ctl_deep.c has the rules in words). Each
-- statement finds what breaks one rule in the project, account or person $1, and describes it; no rows: all is well.
-- Of many faults the first twenty, each with their number n.
-- They read one snapshot, a project at a time, and lock nothing.

-- late: doctor_projects
select id from project where id > $1::bigint order by id limit 500

-- late: doctor_accounts
select id from account where id > $1::bigint order by id limit 500

-- late: doctor_people
select id from person where id > $1::bigint order by id limit 500

-- late: doctor_versions
select format('project %s is at version %s and has %s activities, the last of version %s', p.id, p.version, a.n, a.last)
from project p cross join lateral (select count(*) as n, coalesce(max(a.version), 1) as last from activity a
	where a.project_id = p.id) a
where p.id = $1::bigint and (a.n <> p.version - 1 or a.last <> p.version)

-- The bound that feeds by time rely on (sql/feed.sql).
-- late: doctor_feed_times
select format('project %s knows that its times are up to %s s late, and they are %s s', p.id, p.told_late_s, a.late_s)
from project p cross join lateral (select ceil(extract(epoch from max(x.until - x.occurred_at))) as late_s from (
	select occurred_at, max(occurred_at) over (order by version) as until from activity
	where project_id = p.id) x) a
where p.id = $1::bigint and p.told_late_s < a.late_s

-- late: doctor_story_counts
select format('project %s counts %s stories by section, and has %s', p.id, p.story_counts, c.there)
from project p cross join lateral (select array[count(*) filter (where s.section = 0),
		count(*) filter (where s.section = 1), count(*) filter (where s.section = 2),
		count(*) filter (where s.section = 3), count(*) filter (where s.section = 4)]::integer[] as there
	from story s where s.project_id = p.id) c
where p.id = $1::bigint and p.story_counts is distinct from c.there

-- Sums of fractional points may differ in their last digits.
-- late: doctor_label_counts
with state as (select * from unnest(array['accepted', 'started', 'finished', 'unstarted', 'planned', 'delivered',
		'unscheduled', 'rejected']) with ordinality x(name, n)),
	counted as (select u.label, x.n, count(*) as stories, count(*) filter (where coalesce(s.estimate, 0) = 0) as zero,
			sum(coalesce(s.estimate, 0)) as points
		from story s cross join unnest(s.label_ids) u(label) join state x on x.name = s.current_state
		where s.project_id = $1::bigint group by 1, 2),
	there as (select l.id, l.tally, array_agg(coalesce(c.stories, 0) order by x.n)::double precision[]
			|| array_agg(coalesce(c.zero, 0) order by x.n)::double precision[]
			|| array_agg(coalesce(c.points, 0) order by x.n) as numbers
		from label l cross join state x left join counted c on c.label = l.id and c.n = x.n
		where l.project_id = $1::bigint group by l.id, l.tally)
select format('label %s counts %s, and has %s', t.id, t.tally, t.numbers), count(*) over () as n from there t
where cardinality(t.tally) <> 24 or exists (select from unnest(t.tally, t.numbers) x(told, real)
	where abs(x.told - x.real) > 0.0001 or x.told is null) order by t.id limit 20

-- late: doctor_order
select format('story %s, accepted at %s, has the rank %s', s.id, s.accepted_at, s.rank), count(*) over () as n from story s
where s.project_id = $1::bigint and s.section = 0
	and s.rank is distinct from extract(epoch from s.accepted_at) * 1000000 limit 20

-- late: doctor_ranks
select format('stories %s of project %s have the same rank, %s', array_agg(s.id order by s.id), s.project_id, s.rank), count(*) over () as n
from story s where s.project_id = $1::bigint and s.section > 0
group by s.project_id, s.section, s.rank having count(*) > 1 limit 20

-- late: doctor_epic_ranks
select format('epics %s of project %s have the same rank, %s', array_agg(e.id order by e.id), e.project_id, e.rank), count(*) over () as n
from epic e where e.project_id = $1::bigint group by e.project_id, e.rank having count(*) > 1 limit 20

-- late: doctor_states
select format('story %s is %s and was accepted at %s', s.id, s.current_state, coalesce(s.accepted_at::text, 'no time')), count(*) over () as n
from story s where s.project_id = $1::bigint
	and (s.current_state = 'accepted') <> (s.accepted_at is not null) limit 20

-- late: doctor_story_labels
select format('story %s has the labels %s, of which the project has %s', s.id, s.label_ids, l.ids), count(*) over () as n
from story s cross join lateral (select array(select l.id from label l where l.id = any(s.label_ids)
		and l.project_id = $1::bigint order by l.name collate "C") as ids) l
where s.project_id = $1::bigint and s.label_ids <> l.ids limit 20

-- late: doctor_story_people
select format('story %s has the owners %s and the followers %s', s.id, s.owner_ids, s.follower_ids), count(*) over () as n
from story s where s.project_id = $1::bigint and (s.owner_ids <> '{}' or s.follower_ids <> '{}')
	and (cardinality(s.owner_ids) <> (select count(*) from person p where p.id = any(s.owner_ids))
		or cardinality(s.follower_ids) <> (select count(*) from person p where p.id = any(s.follower_ids))) limit 20

-- late: doctor_epics
select format('epic %s of project %s has a label of project %s', e.id, e.project_id, l.project_id), count(*) over () as n
from epic e join label l on l.id = e.label_id
where e.project_id = $1::bigint and l.project_id <> e.project_id limit 20

-- late: doctor_reviews
select format('review %s of project %s has a type of project %s', r.id, s.project_id, t.project_id), count(*) over () as n
from story s join review r on r.story_id = s.id join review_type t on t.id = r.review_type_id
where s.project_id = $1::bigint and t.project_id <> s.project_id limit 20

-- late: doctor_transitions
select format('story %s is %s, and came to %s last', s.id, s.current_state, t.state), count(*) over () as n
from story s join lateral (select t.state, t.project_id from story_transition t where t.story_id = s.id
	order by t.id desc limit 1) t on t.project_id = s.project_id
where s.project_id = $1::bigint and s.current_state <> t.state limit 20

-- late: doctor_transition_versions
select format('a transition of story %s is of version %s of project %s', t.story_id, t.project_version, t.project_id), count(*) over () as n
from story_transition t where t.project_id = $1::bigint and not exists (select from activity a
	where a.project_id = t.project_id and a.version = t.project_version) limit 20

-- late: doctor_attachments
select format('comment %s names the files %s and has %s', c.id, c.file_attachment_ids || c.google_attachment_ids, h.ids), count(*) over () as n
from (select c.* from story s join comment c on c.story_id = s.id where s.project_id = $1::bigint
	union all select c.* from epic e join comment c on c.epic_id = e.id where e.project_id = $1::bigint) c
cross join lateral (select array(select f.id from file_attachment f where f.comment_id = c.id
	union all select g.id from google_attachment g where g.comment_id = c.id order by 1) as ids) h
where array(select unnest(c.file_attachment_ids || c.google_attachment_ids) order by 1) <> h.ids limit 20

-- late: doctor_file_projects
select format('file %s of project %s belongs to comment %s of another', f.id, f.project_id, f.comment_id), count(*) over () as n
from file_attachment f join comment c on c.id = f.comment_id left join story s on s.id = c.story_id
left join epic e on e.id = c.epic_id
where f.project_id = $1::bigint and f.project_id is distinct from coalesce(s.project_id, e.project_id) limit 20

-- late: doctor_texts
with of_story as (select * from story s where s.project_id = $1::bigint),
	of_epic as (select * from epic e where e.project_id = $1::bigint),
	of_comment as (select c.id, c.story_id, c.epic_id, c.text from of_story s join comment c on c.story_id = s.id
		union all select c.id, c.story_id, c.epic_id, c.text from of_epic e join comment c on c.epic_id = e.id),
	wanted as (select 'name' as source, s.id, s.id as story_id, null::bigint as epic_id, s.name as text from of_story s
		union all select 'description', s.id, s.id, null, s.description from of_story s
		union all select 'epic', e.id, null, e.id, e.name from of_epic e
		union all select 'epic_description', e.id, null, e.id, e.description from of_epic e
		union all select 'task', t.id, s.id, null, t.description from of_story s join task t on t.story_id = s.id
		union all select 'comment', c.id, c.story_id, c.epic_id, c.text from of_comment c
		union all select 'attachment', f.id, c.story_id, c.epic_id, coalesce(nullif(f.filename, ''), ' ')
			from of_comment c join file_attachment f on f.comment_id = c.id
		union all select 'attachment', g.id, c.story_id, c.epic_id, coalesce(nullif(g.title, ''), ' ')
			from of_comment c join google_attachment g on g.comment_id = c.id)
select format('project %s: the %s of %s is %s', $1::bigint, coalesce(w.source, t.source), coalesce(w.id, t.source_id),
	case when w.id is null then 'gone, and is found' when t.source_id is null then 'not found'
		else 'found by another text' end), count(*) over () as n
from (select * from wanted w where w.text <> '') w
full join (select * from search_text t where t.project_id = $1::bigint and t.text <> '') t
	on t.source = w.source and t.source_id = w.id
where w.id is null or t.source_id is null or t.text <> w.text or t.story_id is distinct from w.story_id
	or t.epic_id is distinct from w.epic_id limit 20

-- late: doctor_deliveries
select format('delivery %s of webhook %s is of version %s', d.id, d.webhook_id, d.version), count(*) over () as n
from webhook w join delivery d on d.webhook_id = w.id
where w.project_id = $1::bigint and d.delivered_at is null and d.failed_at is null and (d.project_id <> w.project_id
	or not exists (select from activity a where a.project_id = d.project_id and a.version = d.version)) limit 20

-- late: doctor_members
select format('person %s is in project %s', m.person_id, m.project_id), count(*) over () as n
from project_membership m join project p on p.id = m.project_id
where m.project_id = $1::bigint and not exists (select from account_membership a
	where a.account_id = p.account_id and a.person_id = m.person_id) limit 20

-- late: doctor_owners
select format('account %s has none', a.id) from account a
where a.id = $1::bigint and not exists (select from account_membership m where m.account_id = a.id and m.owner)

-- Whether a notification is shown is decided on each read (the view api.notification).
-- late: doctor_notifications
select format('notification %s of person %s %s', n.id, n.person_id,
	case when n.performer_id = n.person_id then 'tells what they did themselves'
		when (n.project_id is null) = (n.account_id is null) then 'is of no project and no account, or of both'
		when n.created_at > p.notified_at then format('is of %s, after their last one', n.created_at)
		else format('is of %s, which is no whole millisecond', n.created_at) end), count(*) over () as n
from notification n join person p on p.id = n.person_id
where n.person_id = $1::bigint and (n.performer_id = n.person_id or (n.project_id is null) = (n.account_id is null)
	or n.created_at > p.notified_at or n.created_at <> date_trunc('milliseconds', n.created_at)) limit 20

-- Rows of files, a thousand at a time, for checking the files themselves.
-- late: doctor_files
select id, size, thumbnailable from file_attachment where id > $1::bigint order by id limit 1000

-- Which of the ids have a row now, after the snapshot.
-- late: doctor_files_kept
select f.id from file_attachment f where f.id = any($1::bigint[]) order by f.id
