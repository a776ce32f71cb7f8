-- Texts of an import that refer to stories and epics by their ids (transfer/merge/text_refs.h).

-- late: import_renamed_stories
select ref, id from merged_story where ref > 0 and ref <> id order by ref limit 1000000

-- late: import_renamed_epics
select ref, id from merged_epic where ref > 0 and ref <> id order by ref limit 1000000

-- late: import_refs_story_name
select n, name as text from merged_story where name ~ '#[0-9]' and n > $1::bigint order by n limit 500

-- late: import_set_story_name
update merged_story m set name = left(u.text, 5000) from unnest($1::bigint[], $2::text[]) u(n, text) where m.n = u.n

-- late: import_refs_story
select n, description as text from merged_story where description ~ '#[0-9]' and n > $1::bigint order by n limit 500

-- late: import_set_story
update merged_story m set description = u.text from unnest($1::bigint[], $2::text[]) u(n, text) where m.n = u.n

-- late: import_refs_epic
select n, description as text from merged_epic where description ~ '#[0-9]' and n > $1::bigint order by n limit 500

-- late: import_set_epic
update merged_epic m set description = u.text from unnest($1::bigint[], $2::text[]) u(n, text) where m.n = u.n

-- late: import_refs_comment
select n, text from staged_comment where text ~ '#[0-9]' and n > $1::bigint order by n limit 500

-- late: import_set_comment
update staged_comment m set text = u.text from unnest($1::bigint[], $2::text[]) u(n, text) where m.n = u.n

-- late: import_refs_task
select n, description as text from staged_task where description ~ '#[0-9]' and n > $1::bigint order by n limit 500

-- late: import_set_task
update staged_task m set description = u.text from unnest($1::bigint[], $2::text[]) u(n, text) where m.n = u.n

-- late: import_refs_blocker
select n, description as text from staged_blocker where description ~ '#[0-9]' and n > $1::bigint order by n limit 500

-- late: import_set_blocker
update staged_blocker m set description = u.text from unnest($1::bigint[], $2::text[]) u(n, text) where m.n = u.n

-- late: import_refs_blocking
select n, description as text from merged_blocker where description ~ '#[0-9]' and n > $1::bigint order by n limit 500

-- late: import_blocking
update merged_blocker m set blocking_story_ids = x.ids
from (select b.n, array_agg(distinct s.id order by s.id) as ids from import_blocking b
	join merged_blocker k on k.n = b.n join story s on s.id = b.id and s.id <> k.story_id
	join import_run r on r.project_id = s.project_id group by b.n) x
where x.n = m.n
