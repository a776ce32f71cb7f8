-- What the report says of things as they were written (transfer/common/report.h): severity, place, id,
-- column, code, message.

-- late: import_say_stories
select 'note' as severity, min(at_file) as at_file, null::bigint as at_line, null::bigint as at_row,
	null::bigint as id, 'created_at' as column, 'day_only' as code,
	format('%s stories have days without times: they stand at noon', count(*)) as message
from merged_story where is_created_day or is_accepted_day having count(*) > 0
union all
select 'changed', at_file, at_line, at_row, id, 'current_state', 'planned_by_hand',
	'planned goes with planning by hand: the story is unstarted, on top of the backlog'
from merged_story where is_on_top and action in ('create', 'update')
union all
select 'lost', m.at_file, m.at_line, m.at_row, m.id, 'accepted_at', 'not_accepted',
	format('a story that is %s has no day of acceptance: %s', m.current_state,
		coalesce(s.accepted_at::text, s.accepted_at_local::date::text))
from merged_story m join staged_story s using (n) where m.current_state <> 'accepted'
	and m.action in ('create', 'update') and coalesce(s.accepted_at::text, s.accepted_at_local::text) is not null
union all
select 'lost', m.at_file, m.at_line, m.at_row, m.id, 'deadline', 'no_release',
	format('a %s has no deadline: %s', m.story_type, coalesce(s.deadline::text, s.deadline_local::date::text))
from merged_story m join staged_story s using (n) where m.story_type <> 'release'
	and m.action in ('create', 'update') and coalesce(s.deadline::text, s.deadline_local::text) is not null
union all
select 'changed', m.at_file, m.at_line, m.at_row, m.id, 'name', 'no_name', 'without a title: it is called Untitled'
from merged_story m join staged_story s using (n) where btrim(coalesce(s.name, '')) = ''
	and m.action in ('create', 'update')
union all
select 'changed', m.at_file, m.at_line, m.at_row, m.id, 'name', 'no_name', 'an epic without a title: it is called Untitled'
from merged_epic m join staged_epic s using (n) where btrim(coalesce(s.name, '')) = ''
	and m.action in ('create', 'update')

-- late: import_say_comments
select 'note' as severity, min(m.at_file) as at_file, null::bigint as at_line, null::bigint as at_row,
	null::bigint as id, 'comment' as column, 'day_only' as code,
	format('%s comments have days without times: they stand at noon', count(*)) as message
from merged_comment m join staged_comment s using (n) where s.created_at_day and s.created_at is null
having count(*) > 0
union all
select 'changed', m.at_file, m.at_line, m.at_row, coalesce(m.story_id, m.epic_id), 'comment', 'no_author',
	'a comment without an author: it is by Unknown'
from merged_comment m join staged_comment s using (n) cross join import_run r
where s.person is null and not r.is_whole and m.action in ('create', 'update')
union all
select 'changed', m.at_file, m.at_line, m.at_row, coalesce(m.story_id, m.epic_id), 'comment', 'no_date',
	'a comment without a date: it has that of the one before it, or of the story'
from merged_comment m join staged_comment s using (n)
where s.created_at is null and s.created_at_local is null and m.action in ('create', 'update')
union all
select 'changed', m.at_file, m.at_line, m.at_row, coalesce(m.story_id, m.epic_id), 'file', 'comment_for_files',
	'files hang on comments: one was made for those of this story'
from merged_comment m where m.is_for_files and m.action = 'create'

-- late: import_say_files
select 'lost' as severity, s.at_file, s.at_line, s.at_row, coalesce(s.story_id, s.epic_id, s.number) as id,
	'file' as column, case when s.body is null then 'no_content' else 'no_place' end as code,
	format(case when s.body is null then 'the content of the file %s is not there'
		else 'the file %s belongs to nothing that is here' end, s.filename) as message
from staged_file_attachment s
where s.body is null and s.told is not true or s.body is not null and s.n not in (select m.n from merged_file_attachment m)
	and s.n not in (select f.n from import_file f)

-- What belongs to a story or an epic that is nowhere.
-- late: import_say_orphans
select 'lost' as severity, s.at_file, s.at_line, s.at_row, s.story_id as id, '{kind}' as column,
	'no_place' as code, format('the %s belongs to a story or an epic that is not here: %s', '{kind}',
		({alike})) as message
from staged_{kind} s where s.n not in (select m.n from merged_{kind} m)
	and not exists (select from import_story p where p.ref = s.story_id and p.action = 'gone')
	and not exists (select from import_epic p where p.ref = (to_jsonb(s) ->> 'epic_id')::bigint
		and p.action = 'gone')
order by s.n

-- late: import_say_history
select 'lost' as severity, s.at_file, s.at_line, s.at_row, s.number as id, 'Occurred At' as column,
	'no_time' as code, format('an activity without a time: %s', s.message) as message
from staged_activity s where s.occurred_at is null and s.occurred_at_local is null
union all
select 'changed', s.at_file, s.at_line, s.at_row, s.number, 'ID', 'no_story',
	format('what happened to a story that is not here is told of the project alone: %s', s.message)
from import_past p join staged_activity s using (n)
where s.number is not null and p.story_id is null and p.epic_id is null
