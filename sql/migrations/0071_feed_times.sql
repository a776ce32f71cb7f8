-- A feed's versions are nearly in the order of their times: a command that waited for the project has a later version than
-- one that began after it, and imports bring old times. told_until is the latest time of the project's activities so far,
-- told_late_s by how many seconds at most one is earlier than another with a lower version; null: that is no use, as there
-- are versions without an activity, or times a century apart. Feeds by time start from it (sql/feed.sql). It begins with more
-- than a command waits: workers from before this migration, which still write for a moment, do not keep it.
alter table project add told_until timestamptz not null default '-infinity',
	add told_late_s integer default 60;
update project p set told_until = x.until, told_late_s = x.late_s
from (select project_id, max(occurred_at) as until,
		case when count(*) = max(version) - 1 and max(until - occurred_at) < interval '36500 days'
			then greatest(60, ceil(extract(epoch from max(until - occurred_at)))::integer) end as late_s
	from (select project_id, version, occurred_at,
			max(occurred_at) over (partition by project_id order by version) as until from activity) a
	group by 1) x
where x.project_id = p.id;
