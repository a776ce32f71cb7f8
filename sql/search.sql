-- Searches (contract 4): functions for the conditions of src/search/search_sql.c, for words and for
-- people by any of their names. src/store/save_search.c maintains search_text.

-- Words in this order, whatever punctuation is between them; `@@` can use the index.
create or replace function search_query(p_text text) returns tsquery language sql immutable
return phraseto_tsquery('pg_catalog.simple', search_plain(p_text));

-- The same, but the last word may be just the beginning of one.
create or replace function search_prefix(p_text text) returns tsquery language sql immutable
return (select case when numnode(q) = 0 then q else (q::text || ':*')::tsquery end
	from search_query(p_text) q);

-- People by full name, initials, user name, id or a part of a name (contract 4.1). If it matches
-- people of the project exactly, those whose name merely contains it are left out: initials are
-- part of many names.
create or replace function search_people(p_project bigint, p_text text) returns bigint[]
language plpgsql stable as $$
declare
	v_part text := '%' || regexp_replace(p_text, '([\\%_])', '\\\1', 'g') || '%';
	v_id bigint := case when p_text ~ '^\d{1,18}$' then p_text::bigint end;
	v bigint[];
begin
	select array_agg(p.id) into v
	from project_membership m join person p on p.id = m.person_id
	where m.project_id = p_project and (p.id = v_id or lower(p_text)
		in (lower(p.name), lower(p.initials), lower(p.username)));
	if v is not null then return v; end if;
	return array(select p.id from person p where p.name ilike v_part or p.initials ilike v_part
			or p.username ilike v_part
		union select v_id where v_id is not null);
end $$;

-- Whether it is a valid regular expression: the failure is caught, so that it is not logged.
create or replace function search_regex_can(p_regex text) returns boolean
language plpgsql immutable as $$
begin
	perform '' ~* p_regex;
	return true;
exception when invalid_regular_expression then
	return false;
end $$;

create view api.saved_search as
select id, project_id, person_id, name, query, created_at, updated_at from saved_search;
