-- Epics: their label and their order (service-api.md, Epics; CONTRACT 3).

-- The `label` of an epic: {"id"} of a label of the project, or {"name"}, made if new; {}
-- stands for none.
create or replace function epic_label(p_label jsonb) returns bigint language plpgsql as $$
begin
	if p_label ? 'id' then return label_by_id((p_label->>'id')::bigint); end if;
	if p_label->>'name' is not null then return label_by_name(p_label->>'name'); end if;
	if p_label = '{}' then return null; end if;
	perform refuse_field('label', 'Can''t use content of ''label'' parameter.');
end $$;

-- Where the write of this request wants the epic: before or after another.
create or replace function epic_goal(p_before bigint, p_after bigint) returns void language sql
begin atomic
	select set_config('planwright.epic_goal',
		json_build_object('before', p_before, 'after', p_after)::text, true);
end;

-- The epics beside that place in the project's order, as a change tells them.
create or replace function neighbours(e epic) returns jsonb language plpgsql stable as $$
begin
	return jsonb_build_object(
	'before_id', (select n.id from epic n where n.project_id = e.project_id and n.id <> e.id
		and (n.rank, n.id) > (e.rank, e.id) order by n.rank, n.id limit 1),
	'after_id', (select n.id from epic n where n.project_id = e.project_id and n.id <> e.id
		and (n.rank, n.id) < (e.rank, e.id) order by n.rank desc, n.id desc limit 1));
end $$;

-- Spreads the ranks of a project's epics evenly; they are few. Not of the one
-- that is being moved: its row is in the hands of the statement that moves it.
create or replace function epic_spread(p_project bigint, p_moving bigint) returns void language sql
begin atomic
	select keep_beside((select neighbours(e) from epic e where e.id = p_moving));
	select set_config('planwright.quiet', 'on', true); -- none of them changes its place
	update epic e set rank = o.n * 1048576
	from (select id, row_number() over (order by rank, id) as n from epic
		where project_id = p_project and id <> p_moving) o
	where e.id = o.id;
	select set_config('planwright.quiet', '', true);
end;

-- The rank between p_low and p_high (ids; null: the end of the list); null: no room.
create or replace function epic_between(p_low bigint, p_high bigint) returns bigint
language plpgsql stable as $$
declare
	v_low bigint := (select rank from epic where id = p_low);
	v_high bigint := (select rank from epic where id = p_high);
begin
	if v_low is null then return v_high - 1048576; end if;
	if v_high is null then return v_low + 1048576; end if;
	if v_high - v_low > 1 then return v_low + (v_high - v_low) / 2; end if;
	return null;
end $$;

-- The rank of an epic that shall stand beside others. Both neighbours named:
-- they must stand next to each other (CONTRACT 1.4, epic reorder conflict).
create or replace function epic_rank(n epic, p_goal json) returns bigint language plpgsql as $$
declare
	v_high bigint := (p_goal->>'before')::bigint;
	v_low bigint := (p_goal->>'after')::bigint;
	v_rank bigint;
begin
	if n.id in (v_high, v_low) or (select count(*) from epic where project_id = n.project_id
		and id in (v_high, v_low)) <> num_nonnulls(v_high, v_low) then
		perform refuse_problem('This epic can no longer be moved to that position');
	end if;
	if v_low is null then
		select e.id into v_low from epic e join epic h on h.id = v_high
			where e.project_id = n.project_id and e.id <> n.id and (e.rank, e.id) < (h.rank, h.id)
			order by e.rank desc, e.id desc limit 1;
	elsif (select e.id from epic e join epic l on l.id = v_low
			where e.project_id = n.project_id and e.id <> n.id and (e.rank, e.id) > (l.rank, l.id)
			order by e.rank, e.id limit 1) is distinct from v_high and v_high is not null then
		perform refuse_problem('This epic can no longer be moved to that position');
	elsif v_high is null then
		select e.id into v_high from epic e join epic l on l.id = v_low
			where e.project_id = n.project_id and e.id <> n.id and (e.rank, e.id) > (l.rank, l.id)
			order by e.rank, e.id limit 1;
	end if;
	v_rank := epic_between(v_low, v_high);
	if v_rank is null then
		perform epic_spread(n.project_id, n.id);
		v_rank := epic_between(v_low, v_high);
	end if;
	return v_rank;
end $$;

-- An epic has a label of its own, made from its name when none is given; a new
-- epic stands behind the others.
create or replace function epic_rules() returns trigger language plpgsql as $$
declare
	v_goal json := nullif(current_setting('planwright.epic_goal', true), '')::json;
begin
	if btrim(new.name) = '' then perform refuse_field('name', 'Name can''t be blank'); end if;
	new.label_id := coalesce(new.label_id, old.label_id, label_by_name(left(btrim(new.name), 255)));
	if exists (select from epic where label_id = new.label_id and id <> new.id) then
		perform refuse_field('label', format('The label ''%s'' is already used by another epic.',
			(select name from label where id = new.label_id)));
	end if;
	if v_goal is not null then
		perform set_config('planwright.epic_goal', '', true);
		new.rank := epic_rank(new, v_goal);
	elsif tg_op = 'INSERT' then
		new.rank := coalesce((select rank from epic where project_id = new.project_id
			order by rank desc, id desc limit 1), 0) + 1048576;
	end if;
	if tg_op = 'UPDATE' then new.updated_at := clock(); end if;
	perform refuse_problems(array_remove(array[story_people_problem('follower_ids',
		case tg_op when 'UPDATE' then array(select unnest(new.follower_ids)
			except select unnest(old.follower_ids)) else new.follower_ids end,
		new.project_id)], null));
	return new;
end $$;
drop trigger if exists rules on epic;
-- Not on rank: epic_spread moves neighbours without asking.
create trigger rules before insert or update of name, description, label_id, follower_ids
	on epic for each row when (current_setting('planwright.quiet', true) is distinct from 'on')
	execute function epic_rules();

-- The label of an epic is what makes it one: it goes with the epic's deletion only.
create or replace function label_of_epic_stays() returns trigger language plpgsql as $$
begin
	if exists (select from epic where label_id = old.id) then
		perform refuse_problem('The label of an epic cannot be deleted; give the epic another '
			'label, or delete the epic first.');
	end if;
	return old;
end $$;
drop trigger if exists epic_stays on label;
create trigger epic_stays before delete on label for each row
	when (current_setting('planwright.quiet', true) is distinct from 'on')
	execute function label_of_epic_stays();

select make_note_trigger('epic', array['project_id', 'name', 'description', 'label_id',
	'follower_ids', 'created_at', 'updated_at'], array['name'], 'new.rank <> old.rank', 'neighbours');
