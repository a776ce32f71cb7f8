-- Comments on stories and epics, and what is attached to them (service-api.md,
-- Comments, Attachments; CONTRACT 3).

-- An upload is attached once, by who sent it, in the project that it was sent to.
create or replace function check_uploads(p_ids bigint[]) returns void language plpgsql as $$
declare
	v bigint;
begin
	for v in select unnest(p_ids) loop
		perform from file_attachment where id = v and project_id = project() and uploader_id = me()
			and comment_id is null for update;
		if not found then
			perform refuse_field('file_attachments', format('File attachment with id=%s is no '
				'upload of yours in this project that waits to be attached.', v));
		end if;
	end loop;
end $$;

-- Ids in a list of numbers or of objects with an id.
create or replace function ids_in(p_items jsonb) returns bigint[] language sql immutable
return coalesce((select array_agg((case jsonb_typeof(i) when 'object' then i->>'id'
	else i#>>'{}' end)::bigint) from jsonb_array_elements(p_items) i), '{}');

-- Items without an id are new google attachments: makes ids for them.
create or replace function new_google_ids(p_items jsonb) returns bigint[] language sql
return coalesce((select array_agg(nextval('attachment_id')) from jsonb_array_elements(p_items) i
	where not i ? 'id'), '{}');

create or replace function google_attachments_create(p_comment bigint, p_ids bigint[], p_items jsonb)
returns void language sql
begin atomic
	insert into google_attachment (id, comment_id, person_id, google_kind, title, google_id,
		alternate_link, resource_id)
	select x.id, p_comment, me(), i.item->>'google_kind', i.item->>'title', i.item->>'google_id',
		i.item->>'alternate_link', i.item->>'resource_id'
	from unnest(p_ids) with ordinality x(id, n)
	join (select item, row_number() over (order by n) as n
		from jsonb_array_elements(p_items) with ordinality j(item, n) where not item ? 'id') i
		using (n);
end;

-- All items of a list of attachments that have an id: uploads.
create or replace function upload_ids(p_item jsonb) returns bigint[] language sql immutable
return distinct_ids(ids_in(coalesce(p_item->'file_attachment_ids', '[]'))
	|| ids_in(coalesce(p_item->'file_attachments', '[]'))
	|| coalesce((select array_agg((i->>'id')::bigint)
		from jsonb_array_elements(coalesce(p_item->'attachments', '[]')) i where i ? 'id'), '{}'));

-- A comment from the members of its JSON object; its id.
create or replace function comment_make(p_story bigint, p_epic bigint, p_item jsonb)
returns bigint language plpgsql as $$
declare
	v bigint;
	v_google jsonb := coalesce(p_item->'google_attachments', '[]')
		|| coalesce(p_item->'attachments', '[]');
	v_files bigint[] := upload_ids(p_item);
	v_google_ids bigint[] := new_google_ids(v_google);
begin
	perform check_uploads(v_files);
	-- One statement: the note of the comment, made at its end, holds what is attached.
	with made as (insert into comment (story_id, epic_id, text, person_id, commit_identifier,
			commit_type, external_source, external_author, external_link, file_attachment_ids,
			google_attachment_ids)
		values (p_story, p_epic, p_item->>'text', coalesce((p_item->>'person_id')::bigint, me()),
			p_item->>'commit_identifier', p_item->>'commit_type', p_item->>'external_source',
			p_item->>'external_author', p_item->>'external_link', v_files, v_google_ids)
		returning id),
	attached as (update file_attachment f set comment_id = m.id from made m
		where f.id = any(v_files))
	select m.id into v from made m, google_attachments_create(m.id, v_google_ids, v_google);
	return v;
end $$;

-- A comment says something or carries something; its author is one of the project.
create or replace function comment_rules() returns trigger language plpgsql as $$
begin
	if quiet() then return new; end if;
	if coalesce(btrim(new.text), '') = ''
		and cardinality(new.file_attachment_ids || new.google_attachment_ids) = 0 then
		perform refuse_field('text', 'A comment needs a text or an attachment.');
	end if;
	if tg_op = 'UPDATE' then
		new.updated_at := clock();
	elsif new.person_id is distinct from me() then
		perform refuse_problems(array_remove(array[story_people_problem('person_id',
			array[new.person_id], project())], null));
	end if;
	return new;
end $$;
drop trigger if exists rules on comment;
create trigger rules before insert or update of text, file_attachment_ids, google_attachment_ids
	on comment for each row execute function comment_rules();

-- What is attached to a new comment, as its activity tells it.
create or replace function comment_created(c comment) returns jsonb language plpgsql stable as $$
begin
	return jsonb_build_object('attachment_ids', c.file_attachment_ids || c.google_attachment_ids,
		'file_attachments', array(select jsonb_build_object('kind', 'file_attachment')
				|| to_jsonb(f) || jsonb_build_object('created_at', millis(f.created_at))
			from unnest(c.file_attachment_ids) with ordinality x(id, n)
			join api.file_attachment f on f.id = x.id order by x.n),
		'google_attachments', array(select jsonb_build_object('kind', 'google_attachment')
				|| to_jsonb(g) from unnest(c.google_attachment_ids) with ordinality x(id, n)
			join api.google_attachment g on g.id = x.id order by x.n));
end $$;

select make_note_trigger('comment', array['story_id', 'epic_id', 'text', 'person_id',
	'commit_identifier', 'commit_type', 'file_attachment_ids', 'google_attachment_ids',
	'created_at', 'updated_at'], '{}', null, 'comment_created');

-- A story or epic is newer than what was last said about it or hung on it, and
-- who comments on it follows it. After `note` by its name: the story stands behind
-- the part in the activity's changes, and once (CONTRACT 6.1).
create or replace function touch_above() returns trigger language plpgsql as $$
declare
	v jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
	v_story bigint := (v->>'story_id')::bigint;
	v_epic bigint := (v->>'epic_id')::bigint;
	v_fan bigint;
begin
	if quiet() then return null; end if;
	if tg_table_name = 'comment' and tg_op = 'INSERT' then
		v_fan := (v->>'person_id')::bigint;
	end if;
	if v_story is not null then
		update story set follower_ids = follower_ids || v_fan
		where id = v_story and v_fan is not null and v_fan <> all (follower_ids);
		if not found then update story set updated_at = clock() where id = v_story; end if;
	else
		update epic set follower_ids = follower_ids || v_fan
		where id = v_epic and v_fan is not null and v_fan <> all (follower_ids);
		if not found then update epic set updated_at = clock() where id = v_epic; end if;
	end if;
	return null;
end $$;
create or replace function make_touch_trigger(p_table text) returns void language plpgsql as $$
begin
	execute format('drop trigger if exists touch on %1$I;
		create trigger touch after insert or update or delete on %1$I for each row
		execute function touch_above()', p_table);
end $$;
select make_touch_trigger('comment');
