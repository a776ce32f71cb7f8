-- Stories that change their state or their project.

-- Transitions ----------------------------------------------------------------

-- The version is the one that leave() will give the change: the project's row
-- is locked, so nobody else can take it.
create or replace function story_transition() returns trigger language plpgsql as $$
begin
	if quiet() or new.current_state = coalesce(old.current_state, 'unscheduled') then
		return null;
	end if;
	insert into story_transition (story_id, project_id, project_version, state, performed_by_id)
	select new.id, p.id, p.version + 1, new.current_state, me()
	from project p where p.id = new.project_id;
	return null;
end $$;
drop trigger if exists transition on story;
-- Whatever the command sets: a place can bring another state.
create trigger transition after insert or update on story for each row
	execute function story_transition();

-- Moves between projects -----------------------------------------------------

-- The project that the story of this request stands in until its write: of a
-- move the source, while project() is already the target.
create or replace function from_project() returns bigint language sql stable
return coalesce(nullif(current_setting('planwright.source', true), '')::bigint, project());

-- Opens a request that moves a story to the project p_target: enter() for the
-- story, and the same right in the target (CONTRACT 1.4). Both rows are locked in
-- the order of their ids, so that moves both ways queue instead of deadlocking;
-- a story that was moved away meanwhile is looked up again.
create or replace function enter_move(p_mac bytea, p_person bigint, p_project bigint, p_story bigint,
	p_target bigint,
	out person_id bigint, out project_id bigint, out version bigint, out story_counts integer[])
language plpgsql as $$
#variable_conflict use_column
begin
	loop
		select e.project_id into project_id
			from enter(p_mac, p_person, 'member', false, p_project, p_story, null, null, null) e;
		begin
			perform pg_advisory_xact_lock((1::bigint << 61) | x) from unnest(array[
				least(enter_move.project_id, p_target), greatest(enter_move.project_id, p_target)]) x;
			perform from project p where p.id in (enter_move.project_id, p_target)
				order by p.id for no key update;
			perform from story s where s.id = p_story and s.project_id = enter_move.project_id;
			exit when found;
			raise exception using errcode = 'PW000';
		exception when sqlstate 'PW000' then
			null; -- the locks are gone with the block
		end;
	end loop;
	select e.* into person_id, project_id, version, story_counts
		from enter(p_mac, p_person, 'member', true, p_project, p_story, null, null, null) e;
	if p_target = project_id then return; end if;
	perform from project_membership m where m.project_id = p_target
		and m.person_id = enter_move.person_id and role_rank(m.role) >= role_rank('member');
	if not found then
		perform refuse('PW403', json_build_object('general_problem',
			'You do not have access to the destination project.'));
	end if;
	perform set_config('planwright.source', project_id::text, true),
		set_config('planwright.project', p_target::text, true);
end $$;

create or replace function members_among(p_ids bigint[], p_project bigint) returns bigint[]
language sql stable
return array(select x.id from unnest(p_ids) with ordinality x(id, n)
	join project_membership m on m.project_id = p_project and m.person_id = x.id order by x.n);

-- What a story keeps of its old project o: what the new one knows. Labels are
-- made by name; people who are no members stay behind, and the mover asks for
-- what they asked for; an integration is the old project's own. What the request
-- itself names is checked as always.
create or replace function story_settle(n story, o story) returns story language plpgsql as $$
begin
	if n.label_ids = o.label_ids then
		n.label_ids := array(select label_by_name(l.name) from label l where l.id = any(o.label_ids));
		n.label_ids := label_order(n.label_ids); -- sees the new ones
	end if;
	if n.owner_ids = o.owner_ids then
		n.owner_ids := members_among(o.owner_ids, n.project_id);
	end if;
	if n.follower_ids = o.follower_ids then
		n.follower_ids := members_among(o.follower_ids, n.project_id);
	end if;
	if n.requested_by_id is not distinct from o.requested_by_id
		and cardinality(members_among(array[n.requested_by_id], n.project_id)) = 0 then
		n.requested_by_id := me();
	end if;
	if n.integration_id = o.integration_id then
		n.integration_id := null;
	end if;
	if n.current_state = 'planned' and o.current_state = 'planned' and (select p.automatic_planning
		from project p where p.id = n.project_id) then
		n.current_state := 'unstarted';
	end if;
	return n;
end $$;

-- What hangs on a story goes along and changes what names the old project:
-- attachments belong to the new one, reviews have a type of it by name and no
-- reviewer who is no member, and blockers name stories of their own project.
create or replace function story_parts_follow() returns trigger language plpgsql as $$
begin
	perform set_config('planwright.quiet', 'on', true);
	update file_attachment f set project_id = new.project_id
	from comment c where c.id = f.comment_id and c.story_id = new.id;
	insert into review_type (project_id, name, hidden)
	select distinct on (lower(t.name)) new.project_id, t.name, t.hidden
	from review r join review_type t on t.id = r.review_type_id
	where r.story_id = new.id and not exists (select from review_type x
		where x.project_id = new.project_id and lower(x.name) = lower(t.name));
	update review r set review_type_id = x.id,
		reviewer_id = (members_among(array[r.reviewer_id], new.project_id))[1]
	from review_type t, review_type x where r.story_id = new.id and t.id = r.review_type_id
		and x.project_id = new.project_id and lower(x.name) = lower(t.name);
	update blocker b set blocking_story_ids = stories_named(b.description, b.story_id)
	where b.story_id = new.id or b.blocking_story_ids @> array[new.id];
	perform set_config('planwright.quiet', '', true);
	return null;
end $$;
drop trigger if exists parts_follow on story;
create trigger parts_follow after update of project_id on story for each row
	when (old.project_id <> new.project_id) execute function story_parts_follow();

create or replace function is_label_of(p_change jsonb, p_labels bigint[]) returns boolean
language sql immutable
return p_change->>'kind' = 'label' and (p_change->>'id')::bigint = any (p_labels);

-- Ends a change of a story. One that came from another project leaves an activity
-- in both, and both versions rise; the old project is told where it went and what
-- its labels count now, for what else changed belongs to the new one.
-- Returns the version of the project that the path named, else of the story's.
create or replace function leave_story(p_kind text, p_in_path boolean) returns bigint
language plpgsql as $$
declare
	v_target text := project()::text;
	v_source text := nullif(current_setting('planwright.source', true), '');
	v_notes jsonb := noted();
	v_labels bigint[];
	v_story jsonb := (select jsonb_build_object('kind', 'story', 'change_type', 'update', 'id', x->'id',
			'original_values', jsonb_build_object('project_id', x->'original_values'->'project_id'),
			'new_values', jsonb_build_object('project_id', x->'new_values'->'project_id'),
			'name', x->'name', 'story_type', x->'story_type',
			'story_priority', x->'story_priority')
		from jsonb_array_elements(noted()) x
		where x->>'kind' = 'story' and x->'new_values' ? 'project_id' limit 1);
	v_left bigint;
	v_came bigint;
begin
	if v_source is null then return leave(p_kind); end if;
	v_labels := array(select id from label where project_id = v_source::bigint);
	perform set_config('planwright.project', v_source, true), set_config('planwright.notes', '', true);
	perform note(v_story);
	perform note(x) from jsonb_array_elements(v_notes) x where is_label_of(x, v_labels);
	v_left := leave('story_move_from_project');
	perform set_config('planwright.project', v_target, true);
	perform note(x) from jsonb_array_elements(v_notes) x where not is_label_of(x, v_labels);
	v_came := leave(case p_kind when 'story_move' then 'story_move_into_project_and_prioritize'
		else 'story_move_into_project' end);
	return case when p_in_path then v_left else v_came end;
end $$;
