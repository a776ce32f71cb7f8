-- What a command changed, and the version that it made. Row triggers note each
-- change in a setting that lives as long as the transaction; leave() bumps the
-- version and writes the one activity of the command from the notes. A setting
-- costs less than a journal table.

-- Instants inside activities are integer milliseconds.
create or replace function millis(t timestamptz) returns bigint language sql immutable
return floor(extract(epoch from t at time zone 'UTC') * 1000)::bigint;

create or replace function note_text(item text) returns text language sql
return set_config('planwright.notes',
	coalesce(nullif(current_setting('planwright.notes', true), '') || ',', '') || item, true);

create or replace function note(item jsonb) returns void language plpgsql as $$
declare
	v_set text;
begin
	v_set := note_text(item::text);
end $$;

-- The changes noted so far, as an array.
create or replace function noted() returns jsonb language sql stable
return ('[' || coalesce(current_setting('planwright.notes', true), '') || ']')::jsonb;

-- When others make room for what moves, its old place is no longer to be found
-- by its old rank: whoever spreads them keeps the neighbours first.
create or replace function keep_beside(p_neighbours jsonb) returns void language plpgsql as $$
begin
	perform set_config('planwright.beside', p_neighbours::text, true);
end $$;

create or replace function take_beside() returns jsonb language plpgsql as $$
declare
	v text := nullif(current_setting('planwright.beside', true), '');
begin
	if v is not null then perform set_config('planwright.beside', '', true); end if;
	return v::jsonb;
end $$;

-- How many stories more or less the project of the request has, by section:
-- noted like the changes, so that leave() writes the project's row once.
create or replace function noted_counts() returns integer[] language sql stable
return nullif(current_setting('planwright.counts', true), '')::integer[];

create or replace function sum_counts(a integer[], b integer[]) returns integer[]
language plpgsql immutable as $$
begin
	if b is null then return a; end if;
	for i in 1 .. 5 loop
		a[i] := a[i] + b[i];
	end loop;
	return a;
end $$;

-- Makes the note trigger of a table: its function compares exactly the listed
-- columns, which is cheaper than joining the keys of two jsonb rows.
--   p_columns  noted when they change, in this order
--   p_always   columns that name the object in every note of it
--   p_moved    condition on old and new under which the story's or epic's
--              neighbours are noted, by function neighbours(new); without it
--              the trigger sleeps when a command sets none of the columns
--   p_created  function of a new row that gives what else its note holds
create or replace function make_note_trigger(p_table text, p_columns text[], p_always text[],
	p_moved text default null, p_created text default null) returns void language plpgsql as $make$
declare
	v_values text;
	v_compare text := '';
	v_always text := '';
	c text;
begin
	select string_agg(format('%L, %s', x, note_value(p_table, x, 'new')), ', ') into v_values
		from unnest(p_columns) x;
	foreach c in array p_columns loop
		v_compare := v_compare || format($f$
		if new.%1$I is distinct from old.%1$I then
			o := o || jsonb_build_object(%1$L, %2$s);
			n := n || jsonb_build_object(%1$L, %3$s);
		end if;$f$, c, note_value(p_table, c, 'old'), note_value(p_table, c, 'new'));
	end loop;
	foreach c in array p_always loop
		v_always := v_always || format(', %1$L, %2$s.%1$I', c, '%s');
	end loop;
	if p_moved is not null then
		v_compare := v_compare || format($f$
		if %1$s then
			beside_old := coalesce(take_beside(), neighbours(old));
			beside_new := neighbours(new);
			if beside_old <> beside_new then
				o := o || beside_old;
				n := n || beside_new;
			end if;
		end if;$f$, p_moved);
	end if;
	execute format($f$
create or replace function %1$I() returns trigger language plpgsql as $body$
declare
	o jsonb := '{}';
	n jsonb := '{}';
	beside_old jsonb;
	beside_new jsonb;
begin
	if quiet() then
		return null;
	elsif tg_op = 'INSERT' then
		perform note(jsonb_build_object('kind', %2$L, 'change_type', 'create', 'id', new.id,
			'new_values', jsonb_strip_nulls(jsonb_build_object('id', new.id, %3$s)%8$s)%5$s));
	elsif tg_op = 'UPDATE' then
		%4$s
		if n <> '{}' then
			perform note(jsonb_build_object('kind', %2$L, 'change_type', 'update', 'id', new.id,
				'original_values', o, 'new_values', n%5$s));
		end if;
	else
		perform note(jsonb_build_object('kind', %2$L, 'change_type', 'delete', 'id', old.id%6$s));
	end if;
	return null;
end $body$;
drop trigger if exists note on %7$I;
create trigger note after insert or delete or update%9$s on %7$I for each row
	execute function %1$I();
$f$, p_table || '_note', p_table, v_values, v_compare, format(v_always, 'new', 'new', 'new'),
		format(v_always, 'old', 'old', 'old'), p_table,
		' || ' || p_created || '(new)',
		case when p_moved is null then ' of ' || array_to_string(p_columns, ', ') end);
end $make$;

-- How a column stands in a note: instants as milliseconds, the rest as it is.
create or replace function note_value(p_table text, p_column text, p_row text) returns text
language sql stable
return (select case when a.atttypid = 'timestamptz'::regtype
		then format('millis(%s.%I)', p_row, p_column) else format('%s.%I', p_row, p_column) end
	from pg_attribute a where a.attrelid = p_table::regclass and a.attname = p_column);

-- The stories beside that place in the project's order, as a change tells them.
create or replace function neighbours(s story) returns jsonb language plpgsql stable as $$
begin
	return jsonb_build_object(
	'before_id', (select n.id from story n where n.project_id = s.project_id and n.id <> s.id
		and (n.section, n.rank, n.id) > (s.section, s.rank, s.id)
		order by n.section, n.rank, n.id limit 1),
	'after_id', (select n.id from story n where n.project_id = s.project_id and n.id <> s.id
		and (n.section, n.rank, n.id) < (s.section, s.rank, s.id)
		order by n.section desc, n.rank desc, n.id desc limit 1));
end $$;

-- Names, where its own change has ids.
create or replace function story_created(s story) returns jsonb language plpgsql stable as $$
begin
	return neighbours(s) || jsonb_build_object('labels', case when s.label_ids = '{}' then '[]'
		else to_jsonb(array(select l.name from label l where l.id = any(s.label_ids)
			order by array_position(s.label_ids, l.id))) end);
end $$;

-- A new label counts no story yet; the story that it is made for comes later.
create or replace function label_created(l label) returns jsonb language plpgsql stable as $$
begin
	return jsonb_build_object('counts', tally_text(l.tally)::jsonb);
end $$;

do $$
begin
perform make_note_trigger('story', array['project_id', 'name', 'description', 'story_type',
	'current_state', 'estimate', 'story_priority', 'requested_by_id', 'owner_ids', 'label_ids',
	'follower_ids', 'accepted_at', 'deadline', 'integration_id', 'external_id', 'created_at',
	'updated_at'], array['name', 'story_type', 'story_priority'],
	'(new.project_id, new.section, new.rank) is distinct from (old.project_id, old.section, old.rank)',
	'story_created');
perform make_note_trigger('task', array['story_id', 'description', 'complete', 'position',
	'created_at', 'updated_at'], '{}');
perform make_note_trigger('label', array['project_id', 'name', 'created_at', 'updated_at'],
	array['name'], null, 'label_created');
perform make_note_trigger('project', array['name', 'description', 'profile_content', 'status',
	'iteration_length', 'week_start_day', 'point_scale', 'bugs_and_chores_are_estimatable',
	'automatic_planning', 'enable_tasks', 'enable_following', 'enable_incoming_emails',
	'time_zone', 'velocity_averaged_over', 'number_of_done_iterations_to_show',
	'initial_velocity', 'public', 'project_type', 'atom_enabled', 'show_story_priority',
	'show_priority_icon', 'show_priority_icon_in_all_panels', 'start_date', 'account_id'],
	array['name']);
perform make_note_trigger('project_membership', array['project_id', 'person_id', 'role',
	'project_color', 'favorite', 'created_at', 'updated_at'], '{}');
end $$;
