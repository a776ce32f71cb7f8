-- What hangs on stories beside tasks and comments: blockers, reviews, pull
-- requests, branches, build events (CONTRACT 3).

-- Blockers -------------------------------------------------------------------

-- Other stories of the project that a text names as #ID.
create or replace function stories_named(p_text text, p_story bigint) returns bigint[]
language sql stable
return array(select s.id from story s where s.project_id = (select project_id from story
		where id = p_story) and s.id <> p_story
	and s.id in (select m[1]::bigint from regexp_matches(p_text, '#(\d{1,18})\M', 'g') m)
	order by s.id);

create or replace function blocker_rules() returns trigger language plpgsql as $$
begin
	if quiet() then return new; end if;
	if btrim(new.description) = '' then
		perform refuse_field('description', 'Description can''t be blank');
	end if;
	if tg_op = 'INSERT' then
		new.person_id := coalesce(new.person_id, me());
	else
		new.updated_at := clock();
	end if;
	if new.person_id is distinct from me() and (tg_op = 'INSERT'
		or new.person_id is distinct from old.person_id) then
		perform refuse_problems(array_remove(array[story_people_problem('person_id',
			array[new.person_id], project())], null));
	end if;
	new.blocking_story_ids := stories_named(new.description, new.story_id);
	return new;
end $$;
drop trigger if exists rules on blocker;
create trigger rules before insert or update of description, resolved, person_id on blocker
	for each row execute function blocker_rules();

-- An accepted story blocks no other: what waited for it, and for none else, is resolved.
create or replace function blockers_resolve() returns trigger language plpgsql as $$
begin
	if quiet() or new.current_state <> 'accepted' or old.current_state = 'accepted' then return null; end if;
	update blocker b set resolved = true
	where b.blocking_story_ids @> array[new.id] and not b.resolved
		and not exists (select from story s where s.id = any(b.blocking_story_ids)
			and s.section <> 0);
	return null;
end $$;
drop trigger if exists resolve_blockers on story;
create trigger resolve_blockers after update of current_state on story for each row
	execute function blockers_resolve();

-- Reviews --------------------------------------------------------------------

create or replace function review_type_rules() returns trigger language plpgsql as $$
begin
	if quiet() then return new; end if;
	new.name := btrim(new.name);
	if new.name = '' then perform refuse_field('name', 'Name can''t be blank'); end if;
	if exists (select from review_type where project_id = new.project_id
		and lower(name) = lower(new.name) and id <> new.id) then
		perform refuse_field('name', format('The review type ''%s'' already exists in this project.',
			new.name));
	end if;
	if tg_op = 'UPDATE' then new.updated_at := clock(); end if;
	return new;
end $$;
drop trigger if exists rules on review_type;
create trigger rules before insert or update on review_type
	for each row execute function review_type_rules();

-- Every project has the built-in types (CONTRACT 3, review_type).
create or replace function project_review_types() returns trigger language plpgsql as $$
begin
	if quiet() then return null; end if;
	insert into review_type (project_id, name)
	select new.id, name from unnest(array['Test (QA)', 'Design', 'Code', 'Security'])
		with ordinality t(name, n) order by n;
	return null;
end $$;
drop trigger if exists review_types on project;
create trigger review_types after insert on project
	for each row execute function project_review_types();

create or replace function review_rules() returns trigger language plpgsql as $$
begin
	if (tg_op = 'INSERT' or new.review_type_id <> old.review_type_id)
		and not exists (select from review_type where id = new.review_type_id
			and project_id = project() and not hidden) then
		perform refuse_field('review_type_id',
			format('Review type with id=%s does not exist within this project, or is hidden.',
			new.review_type_id));
	end if;
	if new.reviewer_id is not null and (tg_op = 'INSERT'
		or new.reviewer_id is distinct from old.reviewer_id) then
		perform refuse_problems(array_remove(array[story_people_problem('reviewer_id',
			array[new.reviewer_id], project())], null));
	end if;
	if tg_op = 'UPDATE' then new.updated_at := clock(); end if;
	return new;
end $$;
drop trigger if exists rules on review;
create trigger rules before insert or update of review_type_id, reviewer_id, status on review
	for each row when (current_setting('planwright.quiet', true) is distinct from 'on')
	execute function review_rules();

-- Notes ----------------------------------------------------------------------

do $$
begin
	perform make_touch_trigger('blocker');
	perform make_touch_trigger('review');
	perform make_note_trigger('blocker', array['story_id', 'person_id', 'description', 'resolved',
		'created_at', 'updated_at'], '{}');
	perform make_note_trigger('review', array['story_id', 'review_type_id', 'reviewer_id', 'status',
		'created_at', 'updated_at'], '{}');
	perform make_note_trigger('review_type', array['project_id', 'name', 'hidden', 'created_at',
		'updated_at'], '{}');
end $$;
