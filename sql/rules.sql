-- What may stand in a row, beyond types and limits: the rules that need the
-- database. Texts: CONTRACT 1.4.

-- A whole number that fits an integer column; what was outside stays outside of every rule.
create or replace function clamp(v bigint) returns integer language sql immutable
return greatest(-2147483647, least(2147483647, v))::integer;

-- Ids in the order given, each once.
create or replace function distinct_ids(ids bigint[]) returns bigint[] language sql immutable
return array(select i from unnest(ids) with ordinality x(i, n) group by i order by min(n));

create or replace function problem(field text, text text) returns jsonb language sql immutable
return jsonb_build_object('field', field, 'problem', text);

-- Refuses with all problems of a change at once; none: nothing happens.
create or replace function refuse_problems(problems jsonb[]) returns void language plpgsql as $$
begin
	if problems is null or cardinality(problems) = 0 then return; end if;
	perform refuse('PW400', json_build_object(
		'general_problem', (select string_agg(p->>'problem', ', ') from unnest(problems) p),
		'validation_errors', to_json(problems)));
end $$;

-- Time zones and weeks -------------------------------------------------------

-- "+05:30" now, in that zone.
create or replace function zone_offset(p_zone text) returns text language sql stable
return (select case when s < 0 then '-' else '+' end
		|| to_char(make_interval(secs => abs(s)), 'HH24:MI')
	from (select extract(epoch from (clock() at time zone p_zone) - (clock() at time zone 'UTC'))
		::double precision as s) t);

-- Whether the database knows a zone of that name.
create or replace function zone_known(p_zone text) returns boolean language plpgsql stable as $$
begin
	perform now() at time zone p_zone;
	return true;
exception when invalid_parameter_value then
	return false;
end $$;

-- The last day of that name (Monday …) on or before p_day.
create or replace function week_start(p_day date, p_week_start_day text) returns date
language sql immutable
return p_day - mod(extract(isodow from p_day)::integer + 7 - array_position(array['monday',
	'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], lower(p_week_start_day)), 7);

-- Projects -------------------------------------------------------------------

create or replace function scale_problem(p_scale text) returns text language plpgsql immutable as $$
declare
	v double precision[];
begin
	if btrim(p_scale) = '' then
		return 'Projects require a point scale., This is not a valid custom point scale.';
	elsif p_scale !~ '^\s*-?\d{1,9}(\.\d{1,9})?\s*(,\s*-?\d{1,9}(\.\d{1,9})?\s*)*$' then
		return 'This is not a valid custom point scale.';
	end if;
	v := string_to_array(p_scale, ',')::double precision[];
	if exists (select from unnest(v) x where x < 0) then
		return 'You can''t use negative values for points.';
	elsif cardinality(v) > 12 then
		return 'There are too many values in this point scale. Please use 12 or fewer values.';
	elsif exists (select from unnest(v) x where x > 999) then
		return 'You can''t have point values above 999';
	elsif (select count(distinct x) from unnest(v) x) < cardinality(v) then
		return 'You can''t have duplicate point values.';
	elsif v <> array(select x from unnest(v) x order by x) then
		return 'Point values must be provided in ascending order.';
	end if;
	return null;
end $$;

create or replace function project_problems(p project) returns jsonb[] language sql stable
return array(select problem(f, t) from (values
	('point_scale', scale_problem(p.point_scale)),
	('iteration_length', case when p.iteration_length not between 1 and 4 then
		'iteration_length can only be between 1 and 4.' end),
	('initial_velocity', case when p.initial_velocity < 1 then
		'You must specify a value of 1 or greater.' when p.initial_velocity > 999 then
		'Initial velocity can''t exceed 999.' end),
	('velocity_averaged_over', case when p.velocity_averaged_over not between 1 and 4 then
		format('Average of %s iterations is not a valid velocity scheme', p.velocity_averaged_over) end),
	('number_of_done_iterations_to_show', case
		when p.number_of_done_iterations_to_show < least(p.velocity_averaged_over, 4) then
		'Your project must load enough done iterations to calculate your velocity according to '
		'your settings.' end),
	('start_date', case when week_start(p.start_date, p.week_start_day) <> p.start_date then
		format('%s is a %s and Iterations in this project start on %ss.',
		to_char(p.start_date, 'FMMM/FMDD/YYYY'), to_char(p.start_date, 'FMDay'), p.week_start_day) end),
	('project_type', case when p.project_type = 'shared' then
		'Cannot make a project''s type shared on non-enterprise accounts' end),
	('name', case when exists (select from project o where o.account_id = p.account_id
		and o.id <> p.id and lower(o.name) = lower(p.name)) then
		'The project name you entered is already taken.' end)) as v(f, t)
	where t is not null);

-- A new project lives in the zone of who makes it, unless it is given another.
create or replace function my_time_zone() returns text language sql stable
return coalesce((select time_zone from person where id = me()), 'Etc/UTC');
alter table project alter column time_zone set default my_time_zone();

create or replace function project_rules() returns trigger language plpgsql as $$
begin
	if quiet() then return new; end if;
	new.week_start_day := initcap(new.week_start_day);
	new.point_scale := regexp_replace(btrim(new.point_scale), '\s*,\s*', ',', 'g');
	if tg_op = 'UPDATE' and new.week_start_day <> old.week_start_day
		and new.start_date is not distinct from old.start_date then
		new.start_date := week_start(new.start_date, new.week_start_day);
	end if;
	-- public and project_type say the same thing: the one that was given wins.
	if new.public and (tg_op = 'INSERT' or not old.public) then
		new.project_type := 'public';
	elsif new.project_type = 'public' and (tg_op = 'INSERT' or old.project_type <> 'public') then
		new.public := true;
	elsif new.project_type = 'public' and not new.public then
		new.project_type := 'private';
	elsif new.project_type <> 'public' and new.public then
		new.public := false;
	end if;
	if tg_op = 'INSERT' or (new.account_id, new.name) is distinct from (old.account_id, old.name) then
		perform from account where id = new.account_id for no key update; -- a name is given once
	end if;
	perform refuse_problems(project_problems(new));
	if tg_op = 'UPDATE' then new.updated_at := clock(); end if;
	return new;
end $$;
drop trigger if exists rules on project;
create trigger rules before insert or update of name, account_id, week_start_day, point_scale,
	velocity_averaged_over, number_of_done_iterations_to_show, public, project_type, start_date,
	time_zone, iteration_length, initial_velocity, description, profile_content, automatic_planning,
	bugs_and_chores_are_estimatable, enable_tasks, enable_incoming_emails, atom_enabled, status,
	show_story_priority, show_priority_icon, show_priority_icon_in_all_panels
	on project for each row execute function project_rules();

-- Who makes a project owns it, unless asked otherwise.
create or replace function project_owner() returns trigger language plpgsql as $$
begin
	if quiet() then return null; end if;
	insert into project_membership (project_id, person_id, role) values (new.id, me(), 'owner');
	return null;
end $$;
drop trigger if exists owner on project;
create trigger owner after insert on project for each row
	when (nullif(current_setting('planwright.person', true), '') is not null)
	execute function project_owner();

create or replace function account_create(p_name text, p_owner bigint) returns bigint
language plpgsql as $$
declare
	v bigint;
begin
	if btrim(p_name) = '' then perform refuse_field('new_account_name', 'Name can''t be blank'); end if;
	insert into account (name) values (p_name) returning id into v;
	insert into account_membership (account_id, person_id, owner, admin, project_creator)
	values (v, p_owner, true, true, true);
	return v;
end $$;

-- Labels ---------------------------------------------------------------------

create or replace function label_rules() returns trigger language plpgsql as $$
begin
	if quiet() then return new; end if;
	new.name := lower(btrim(new.name));
	if new.name = '' then
		perform refuse_field('name', 'Please enter a name for the label.');
	end if;
	if exists (select from label where project_id = new.project_id and name = new.name
		and id <> new.id) then
		perform refuse_field('name', format('The label ''%s'' already exists in this project.',
			new.name));
	end if;
	if tg_op = 'UPDATE' then new.updated_at := clock(); end if;
	return new;
end $$;
drop trigger if exists rules on label;
create trigger rules before insert or update of project_id, name on label
	for each row execute function label_rules();

-- A deleted label leaves its stories; its activity names the label alone, as the
-- recorded one does: there may be thousands of stories.
create or replace function label_leave() returns trigger language plpgsql as $$
begin
	perform set_config('planwright.quiet', 'on', true);
	update story set label_ids = array_remove(label_ids, old.id), updated_at = clock()
	where label_ids @> array[old.id];
	perform set_config('planwright.quiet', '', true);
	return null;
end $$;
drop trigger if exists leave_stories on label;
create trigger leave_stories after delete on label
	for each row when (current_setting('planwright.quiet', true) is distinct from 'on')
	execute function label_leave();

-- Stories keep their labels in the order of the names.
create or replace function label_reorder() returns trigger language plpgsql as $$
begin
	if quiet() then return null; end if;
	perform set_config('planwright.quiet', 'on', true);
	update story set label_ids = label_order(label_ids) where label_ids @> array[new.id];
	perform set_config('planwright.quiet', '', true);
	return null;
end $$;

drop trigger if exists reorder on label;
create trigger reorder after update of name on label for each row
	when (old.name <> new.name) execute function label_reorder();

-- The label of that name in the project, made if there is none.
create or replace function label_by_name(p_name text) returns bigint language plpgsql as $$
declare
	v bigint;
begin
	select id into v from label where project_id = project() and name = lower(btrim(p_name));
	if not found then
		insert into label (project_id, name) values (project(), p_name) returning id into v;
	end if;
	return v;
end $$;

create or replace function label_by_id(p_id bigint) returns bigint language plpgsql as $$
begin
	perform from label where id = p_id and project_id = project();
	if not found then
		perform refuse_field('label_ids',
			format('Label with id=%s does not exist within this project', p_id));
	end if;
	return p_id;
end $$;

-- Label ids in the order of their names, each once: the form of story.label_ids.
create or replace function label_order(p_ids bigint[]) returns bigint[] language sql stable
return array(select l.id from label l where l.id = any(p_ids) order by l.name);

-- The `labels` of a story: a list of {"name"}, {"id"} or names (service-api.md,
-- Rules for labels). An item with both is the label of that id.
create or replace function labels_of(p_items jsonb) returns bigint[] language plpgsql as $$
declare
	v jsonb;
	v_ids bigint[] := '{}';
begin
	for v in select * from jsonb_array_elements(p_items) loop
		if jsonb_typeof(v) = 'string' then
			v_ids := v_ids || label_by_name(v#>>'{}');
		elsif jsonb_typeof(v->'id') = 'number' and v->>'id' ~ '^\d{1,18}$' then
			v_ids := v_ids || label_by_id((v->>'id')::bigint);
		elsif jsonb_typeof(v->'name') = 'string' and not v ? 'id' then
			v_ids := v_ids || label_by_name(v->>'name');
		else
			perform refuse_field('labels', 'Can''t use content of ''label'' parameter.');
		end if;
	end loop;
	return label_order(v_ids);
end $$;

create or replace function labels_with_ids(p_ids bigint[]) returns bigint[] language plpgsql as $$
begin
	perform label_by_id(i) from unnest(p_ids) i;
	return label_order(p_ids);
end $$;

-- POST stories/{id}/labels: an existing label by id, or a name. Answers the label.
create or replace function story_label_add(p_story bigint, p_id bigint, p_name text) returns bigint
language plpgsql as $$
declare
	v bigint := case when p_id is null then label_by_name(p_name) else label_by_id(p_id) end;
begin
	update story set label_ids = label_order(label_ids || v)
	where id = p_story and project_id = project();
	return v;
end $$;

-- Tasks ----------------------------------------------------------------------

-- Positions of a story's tasks are 1, 2, 3 …: others shift.
create or replace function task_rules() returns trigger language plpgsql as $$
declare
	v_last integer;
begin
	if quiet() or pg_trigger_depth() > 1 then return new; end if;
	if btrim(new.description) = '' then
		perform refuse_field('description', 'Description can''t be blank');
	end if;
	select count(*) into v_last from task where story_id = new.story_id;
	if tg_op = 'INSERT' then
		v_last := v_last + 1;
		new.position := coalesce(new.position, v_last);
	else
		new.updated_at := clock();
	end if;
	if new.position is null or new.position not between 1 and v_last then
		perform refuse('PW400', json_build_object('requirement',
			format('position must be between 1 and %s.', v_last)));
	end if;
	if tg_op = 'INSERT' then
		update task set position = position + 1
		where story_id = new.story_id and position >= new.position;
	elsif new.position < old.position then
		update task set position = position + 1
		where story_id = new.story_id and position between new.position and old.position - 1;
	elsif new.position > old.position then
		update task set position = position - 1
		where story_id = new.story_id and position between old.position + 1 and new.position;
	end if;
	return new;
end $$;
drop trigger if exists rules on task;
create trigger rules before insert or update on task for each row execute function task_rules();

-- A story is newer than what was last done to its parts.
create or replace function touch_story() returns trigger language plpgsql as $$
declare
	v bigint := case tg_op when 'DELETE' then old.story_id else new.story_id end;
begin
	if quiet() or pg_trigger_depth() > 1 then return null; end if;
	if tg_op = 'DELETE' and tg_table_name = 'task' then
		update task set position = position - 1
		where story_id = v and position > (to_jsonb(old)->>'position')::integer;
	end if;
	update story set updated_at = clock() where id = v;
	return null;
end $$;
-- An activity tells a new task before its story and a changed one behind it (recorded), so
-- the name of the one trigger stands behind `note`, and that of the other in front.
drop trigger if exists touch on task;
create trigger touch after insert or delete on task for each row
	execute function touch_story();
drop trigger if exists above on task;
create trigger above after update on task for each row execute function touch_story();

-- The nested `tasks` of a new story: items without an id.
create or replace function tasks_create(p_story bigint, p_items jsonb) returns void
language plpgsql as $$
declare
	v jsonb;
begin
	for v in select * from jsonb_array_elements(p_items) loop
		insert into task (story_id, description, complete, position)
		values (p_story, v->>'description', coalesce((v->>'complete')::boolean, false),
			(v->>'position')::integer);
	end loop;
end $$;
