-- What the database holds, for t/hosts/compare.py: one line of words for each object.
set search_path = planwright;
select 'story', s.project_id, s.id, s.current_state, s.name from story s;
select 'comment', c.id, s.name, c.text from comment c join story s on s.id = c.story_id;
-- Each version but the first has one activity.
select 'versions', p.id, p.version, count(a), count(distinct a.version), coalesce(min(a.version), 0),
	coalesce(max(a.version), 0)
from project p left join activity a on a.project_id = p.id group by p.id;
-- What was to be sent, and whether it was.
select 'mail', m.id, case when m.delivered_at is not null then 'sent' when m.failed_at is not null then m.last_error
	else 'waits' end
from mail m;
select 'import', i.id, i.state from project_import i;
-- These go to no webhook.
select 'imported', a.project_id, a.version from activity a where a.kind = 'project_import_activity';
