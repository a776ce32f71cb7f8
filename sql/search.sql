-- Searches (CONTRACT 4): keeps search_text, and what the conditions of
-- src/search/search_sql.c ask: dates in the searcher's zone, people by any name.

-- The text of a row, or none.
create or replace function search_put(p_source text, p_source_id bigint, p_project bigint,
	p_story bigint, p_epic bigint, p_text text) returns void language plpgsql as $$
begin
	if p_text is null or p_text = '' then
		delete from search_text where source = p_source and source_id = p_source_id;
	else
		insert into search_text (source, source_id, project_id, story_id, epic_id, text)
		values (p_source, p_source_id, p_project, p_story, p_epic, p_text)
		on conflict (source, source_id) do update
			set text = excluded.text, project_id = excluded.project_id
			where search_text.text <> excluded.text
				or search_text.project_id <> excluded.project_id;
	end if;
end $$;

create or replace function search_keep_story() returns trigger language plpgsql as $$
begin
	if tg_op = 'INSERT' then
		insert into search_text (source, source_id, project_id, story_id, text)
		select v.source, new.id, new.project_id, new.id, v.text
		from (values ('name', new.name), ('description', new.description)) v(source, text)
		where v.text <> '';
		return null;
	end if;
	if new.name <> old.name then
		perform search_put('name', new.id, new.project_id, new.id, null, new.name);
	end if;
	if new.description is distinct from old.description then
		perform search_put('description', new.id, new.project_id, new.id, null, new.description);
	end if;
	if new.project_id <> old.project_id then
		update search_text set project_id = new.project_id where story_id = new.id;
	end if;
	return null;
end $$;
drop trigger if exists search_insert on story;
drop trigger if exists search_keep on story;
create trigger search_keep after insert or update of name, description, project_id on story
	for each row execute function search_keep_story();

create or replace function search_keep_task() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' then
		delete from search_text where source = 'task' and source_id = old.id;
	else
		perform search_put('task', new.id, s.project_id, s.id, null, new.description)
		from story s where s.id = new.story_id;
	end if;
	return null;
end $$;
drop trigger if exists search_keep on task;
create trigger search_keep after insert or delete or update of description on task for each row
	execute function search_keep_task();

create or replace function search_keep_epic() returns trigger language plpgsql as $$
begin
	perform search_put('epic', new.id, new.project_id, null, new.id, new.name);
	perform search_put('epic_description', new.id, new.project_id, null, new.id, new.description);
	return null;
end $$;
drop trigger if exists search_keep on epic;
create trigger search_keep after insert or update of name, description on epic for each row
	execute function search_keep_epic();

create or replace function search_keep_comment() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' then
		delete from search_text where source = 'comment' and source_id = old.id;
	else
		perform search_put('comment', new.id, coalesce(
			(select project_id from story where id = new.story_id),
			(select project_id from epic where id = new.epic_id)), new.story_id, new.epic_id, new.text);
	end if;
	return null;
end $$;
drop trigger if exists search_keep on comment;
create trigger search_keep after insert or delete or update of text on comment for each row
	execute function search_keep_comment();

-- The name of what is attached; has:attachment finds those without a name, too.
create or replace function search_put_attachment(p_id bigint, p_comment bigint, p_name text)
returns void language sql
return (select search_put('attachment', p_id, coalesce(s.project_id, e.project_id), c.story_id,
		c.epic_id, coalesce(nullif(p_name, ''), ' '))
	from comment c left join story s on s.id = c.story_id left join epic e on e.id = c.epic_id
	where c.id = p_comment);

create or replace function search_keep_file() returns trigger language plpgsql as $$
begin
	if tg_op <> 'DELETE' then
		perform search_put_attachment(new.id, new.comment_id, new.filename);
	else
		delete from search_text where source = 'attachment' and source_id = old.id;
	end if;
	return null;
end $$;
drop trigger if exists search_keep on file_attachment;
create trigger search_keep after insert or delete or update of comment_id on file_attachment
	for each row execute function search_keep_file();

create or replace function search_keep_google() returns trigger language plpgsql as $$
begin
	if tg_op <> 'DELETE' then
		perform search_put_attachment(new.id, new.comment_id, new.title);
	else
		delete from search_text where source = 'attachment' and source_id = old.id;
	end if;
	return null;
end $$;
drop trigger if exists search_keep on google_attachment;
create trigger search_keep after insert or delete on google_attachment
	for each row execute function search_keep_google();

-- Words in this order, whatever stands between them; `@@` knows the index.
create or replace function search_query(p_text text) returns tsquery language sql immutable
return phraseto_tsquery('pg_catalog.simple', search_plain(p_text));

-- The same, of which the last is the beginning of a word.
create or replace function search_prefix(p_text text) returns tsquery language sql immutable
return (select case when numnode(q) = 0 then q else (q::text || ':*')::tsquery end
	from search_query(p_text) q);

-- Dates are those of the searcher's zone; a visitor's are the project's.
create or replace function search_zone() returns text language sql stable
return coalesce((select time_zone from person where id = me()),
	(select time_zone from project where id = project()), 'Etc/UTC');

create or replace function search_today() returns date language sql stable
return (clock() at time zone search_zone())::date;

-- Its midnight.
create or replace function search_day(p_day date) returns timestamptz language sql stable
return p_day::timestamp at time zone search_zone();

-- People by full name, initials, user name, id or a part of a name (CONTRACT
-- 4.1). People of the project whom all of it names hide those whom it is only a
-- part of: initials are parts of many names.
create or replace function search_people(p_text text) returns bigint[]
language plpgsql stable as $$
declare
	v_part text := '%' || regexp_replace(p_text, '([\\%_])', '\\\1', 'g') || '%';
	v_id bigint := case when p_text ~ '^\d{1,18}$' then p_text::bigint end;
	v bigint[];
begin
	select array_agg(p.id) into v
	from project_membership m join person p on p.id = m.person_id
	where m.project_id = project() and (p.id = v_id or lower(p_text)
		in (lower(p.name), lower(p.initials), lower(p.username)));
	if v is not null then return v; end if;
	return array(select p.id from person p where p.name ilike v_part or p.initials ilike v_part
			or p.username ilike v_part
		union select v_id where v_id is not null);
end $$;

create view api.saved_search as
select id, project_id, person_id, name, query, created_at, updated_at from saved_search;
