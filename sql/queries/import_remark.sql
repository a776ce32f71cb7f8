-- What the report remarks on (transfer/settle/import_sentences.h): `sentence` names the sentence; next to it are the
-- place, the id and the values that the sentence contains.

-- late: import_report_stories
select 'story_days' as sentence, min(at_file) as at_file, null::bigint as at_line, null::bigint as at_row,
	null::bigint as id, count(*)::text as many
from merged_story where is_created_day or is_accepted_day having count(*) > 0
union all
select 'epic_no_name', m.at_file, m.at_line, m.at_row, m.id, null
from merged_epic m join staged_epic s using (n) where btrim(coalesce(s.name, '')) = ''
	and m.action in ('create', 'update')

-- Stories as they were written, and what the files said about them, for the remarks of
-- domain/arrival.h.
-- late: import_written_stories
select m.at_file, m.at_line, m.at_row, m.id, m.story_type, m.current_state, m.estimate, m.owner_ids, m.is_on_top,
	btrim(coalesce(s.name, '')) <> '' as has_name,
	coalesce(s.accepted_at::text, s.accepted_at_local::date::text) as accepted,
	coalesce(s.deadline::text, s.deadline_local::date::text) as deadline
from merged_story m join staged_story s using (n) where m.action in ('create', 'update') order by m.n

-- late: import_written_project
select p.id, p.point_scale, p.bugs_and_chores_are_estimatable from project p, import_run r
where p.id = r.project_id

-- late: import_report_comments
select 'comment_days' as sentence, min(m.at_file) as at_file, null::bigint as at_line, null::bigint as at_row,
	null::bigint as id, count(*)::text as many, null as was
from merged_comment m join staged_comment s using (n) where s.created_at_day and s.created_at is null
having count(*) > 0
union all
select 'no_author', m.at_file, m.at_line, m.at_row, coalesce(m.story_id, m.epic_id), null,
	regexp_replace(left(m.text, 60), '\s+', ' ', 'g')
from merged_comment m join staged_comment s using (n) cross join import_run r
where s.person is null and not r.is_whole and m.action in ('create', 'update')
union all
select 'no_date', m.at_file, m.at_line, m.at_row, coalesce(m.story_id, m.epic_id), null,
	regexp_replace(left(m.text, 60), '\s+', ' ', 'g')
from merged_comment m join staged_comment s using (n)
where s.created_at is null and s.created_at_local is null and m.action in ('create', 'update')
union all
select 'comment_for_files', m.at_file, m.at_line, m.at_row, coalesce(m.story_id, m.epic_id), null, null
from merged_comment m where m.is_for_files and m.action = 'create'

-- late: import_report_files
select case when s.body is null then 'file_no_content' else 'file_no_place' end as sentence, s.at_file, s.at_line,
	s.at_row, coalesce(s.story_id, s.epic_id, s.number) as id, s.filename as was
from staged_file_attachment s
where s.body is null and s.told is not true or s.body is not null and s.n not in (select m.n from merged_file_attachment m)
	and s.n not in (select f.n from import_file f)

-- What belongs to a story or an epic that cannot be found.
-- late: import_report_orphans
select 'no_place' as sentence, s.at_file, s.at_line, s.at_row, s.story_id as id, '{kind}' as kind, ({alike}) as was
from staged_{kind} s where s.n not in (select m.n from merged_{kind} m)
	and not exists (select from import_story p where p.ref = s.story_id and p.action = 'gone')
	and not exists (select from import_epic p where p.ref = (to_jsonb(s) ->> 'epic_id')::bigint
		and p.action = 'gone')
order by s.n

-- late: import_report_history
select 'no_time' as sentence, s.at_file, s.at_line, s.at_row, s.number as id, s.message as was
from staged_activity s where s.occurred_at is null and s.occurred_at_local is null
union all
select 'no_story', s.at_file, s.at_line, s.at_row, s.number, s.message
from merged_activity p join staged_activity s using (n)
where s.number is not null and p.story_id is null and p.epic_id is null
