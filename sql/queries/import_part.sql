-- Steps of the import that are the same for all kinds of objects. Words in braces stand for what a
-- row of import_kinds (transfer/merge/import_kinds.c) says about the kind.
--
-- Columns of merged_{kind}: n (its number), at_file, at_line, at_row; source (its id in the file;
-- null: none), natural_key (what identifies it if it has no id); id (here); imported_digest (its
-- digest when an import last wrote it; null: none did), digest (now), action: create, update, same,
-- skip (it was changed here), gone (it was deleted here); and the columns of the table.

-- What an earlier import brought.
-- late: import_match_imported_id
update merged_{kind} m set id = i.id, imported_digest = i.digest from import_item i, import_run r
where i.project_id = r.project_id and i.kind = '{kind}' and i.source = m.source

-- late: import_match_imported_key
update merged_{kind} m set id = i.id, imported_digest = i.digest from import_item i, import_run r
where m.id is null and i.project_id = r.project_id and i.kind = '{kind}'
	and i.natural_key = m.natural_key and (i.source is null or m.source is null)
	and not exists (select from merged_{kind} x where x.id = i.id)

-- What is here with the same id or natural key, but was not imported.
-- late: import_match_existing_id
update merged_{kind} m set id = t.id from {table} t, import_run r
where m.id is null and t.id = m.source and {here}
	and not exists (select from merged_{kind} x where x.id = t.id)

-- late: import_match_existing_key
update merged_{kind} m set id = t.id
from (select x.id, {natural} as natural_key from {table} x cross join import_run r where {mine}) t
where m.id is null and t.natural_key = m.natural_key
	and not exists (select from import_item i, import_run r where i.project_id = r.project_id
		and i.kind = '{kind}' and i.id = t.id)
	and not exists (select from merged_{kind} x where x.id = t.id)

-- Ids that are taken by something else, or too large to be kept: those of all projects follow them.
-- late: import_ids_in_use
create temp table taken_{kind} on commit drop as
select m.n, m.source from merged_{kind} m left join {table} t on t.id = m.source
where m.id is null and m.source is not null and (t.id is not null
	or m.source > (select least(r.ids_max, greatest(r.ids_top, q.last_value))
		from import_run r, {sequence} q))

-- late: import_keep_ids
update merged_{kind} m set id = m.source where m.id is null and m.source is not null
	and m.n not in (select t.n from taken_{kind} t)

-- New ids come after all that are kept: the highest of them, if the sequence is behind it.
-- late: import_highest_id
select '{sequence}' as sequence, x.highest from (select max(m.id) as highest from merged_{kind} m) x
where x.highest > (select last_value from {sequence})

-- late: import_new_ids
update merged_{kind} m set id = x.id
from (select w.n, nextval('{sequence}') as id
	from (select n from merged_{kind} where id is null order by n) w) x
where x.n = m.n

-- late: import_digest
update merged_{kind} m set action = 'create', digest = md5(row({compared})::text)::uuid

-- The same, compared with what is here. What has moved to another project counts as gone, and is
-- left alone there.
-- late: import_compare
update merged_{kind} w set digest = c.digest, action = case
	when c.is_missing and (c.was is not null or c.imported_digest is not null and not c.overwrite) then 'gone'
	when c.is_missing then 'create'
	when c.was = c.digest then 'same'
	when c.was = c.imported_digest or c.overwrite then 'update'
	when c.digest = c.imported_digest then 'same'
	else 'skip' end
from (select m.n, m.imported_digest, r.overwrite, d.digest, t.id is null or not coalesce({here}, false) as is_missing,
		case when t.id is not null then h.digest end as was
	from merged_{kind} m cross join import_run r left join {table} t on t.id = m.id
	cross join lateral (select md5(row({compared})::text)::uuid as digest from (select m.*) x) d
	cross join lateral (select md5(row({compared})::text)::uuid as digest from (select t.*) x) h) c
where c.n = w.n

-- Stories and comments get a note that they were imported, which people see ({stamped}).
-- late: import_insert
insert into {table} (id, {columns}{stamped}) select id, {columns}{stamps} from merged_{kind}
where action = 'create' order by id

-- late: import_touch
update merged_{kind} m set updated_at = r.now from import_run r where m.action = 'update'

-- late: import_update
update {table} t set ({updated}) = (select {updated} from merged_{kind} m where m.id = t.id)
where t.id in (select m.id from merged_{kind} m where m.action = 'update')

-- An object that an earlier import remembers unchanged, and that has no id in the files, keeps its
-- row.
-- late: import_remember
insert into import_item (project_id, kind, id, source, natural_key, digest)
select r.project_id, '{kind}', m.id, m.source, m.natural_key, m.digest
from merged_{kind} m cross join import_run r where m.action in ('create', 'update')
	or m.action = 'same' and (m.imported_digest is distinct from m.digest or m.source is not null)
on conflict (project_id, kind, id) do update set source = coalesce(excluded.source, import_item.source),
	natural_key = coalesce(excluded.natural_key, import_item.natural_key), digest = excluded.digest
where (import_item.digest, import_item.source) is distinct from (excluded.digest, excluded.source)

-- late: import_counts
select action, count(*) as n from merged_{kind} group by action

-- late: import_remarks
select case when t.source < r.ids_from and not r.renumber then 'id_taken' else 'renumbered' end as sentence,
	m.at_file, m.at_line, m.at_row, t.source as id, '{kind}' as kind, t.source::text as was, m.id::text as gets
from taken_{kind} t join merged_{kind} m using (n) cross join import_run r
union all
select case m.action when 'skip' then 'changed_here' else 'deleted_here' end, m.at_file, m.at_line, m.at_row,
	m.id, '{kind}', null, null
from merged_{kind} m where m.action in ('skip', 'gone')
