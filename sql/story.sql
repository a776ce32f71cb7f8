-- Stories: states, estimates, order (CONTRACT 5).

create or replace function story_state_problem(s story, p project) returns jsonb language plpgsql
immutable as $$
begin
	if s.current_state = 'planned' and p.automatic_planning and s.story_type in ('feature', 'bug') then
		perform refuse('PW400', json_build_object(
			'requirement', 'Project must have ''Automatic Planning'' off for ''planned'' to be an '
				'acceptable value for ''current_state''.',
			'possible_fix', 'Remove the ''current_state'' parameter from your request or turn off '
				'''Automatic Planning'' for this project.'));
	elsif s.story_type = 'chore' and s.current_state in ('finished', 'delivered', 'rejected',
		'planned') or s.story_type = 'release' and s.current_state in ('started', 'finished',
		'delivered', 'rejected', 'planned') then
		return problem('current_state', format('%s is not a state of a %s: use one of %s.',
			s.current_state, s.story_type, case s.story_type
			when 'chore' then 'unscheduled, unstarted, started, accepted'
			else 'unscheduled, unstarted, accepted' end));
	end if;
	return null;
end $$;

create or replace function story_is_estimatable(s story, p project) returns boolean
language sql immutable
return s.story_type = 'feature'
	or s.story_type in ('bug', 'chore') and p.bugs_and_chores_are_estimatable;

-- An estimate that was there before stays: the scale may have changed since, or
-- the story comes from a project with another one.
create or replace function story_estimate_problem(s story, p project) returns jsonb
language plpgsql immutable as $$
begin
	if s.estimate is not null and s.story_type = 'release' then
		return problem('estimate', 'Releases cannot be estimated.');
	elsif s.estimate is not null and not story_is_estimatable(s, p) then
		return problem('estimate', 'Bugs and chores cannot be estimated in this project.');
	elsif s.estimate is not null
		and s.estimate <> all (string_to_array(p.point_scale, ',')::double precision[]) then
		return problem('estimate', format('%s is not a valid estimate for this project''s point scale.',
			s.estimate));
	end if;
	return null;
end $$;

create or replace function story_unestimated_problem(s story, p project) returns jsonb
language plpgsql immutable as $$
begin
	if s.estimate is null and story_is_estimatable(s, p)
		and s.current_state in ('started', 'finished', 'delivered', 'accepted', 'rejected') then
		return problem('estimate', format('Stories in the %s state must be estimated.',
			s.current_state));
	end if;
	return null;
end $$;

-- People named by a change of the story are people of its project.
create or replace function story_people_problem(p_field text, p_ids bigint[], p_project bigint)
returns jsonb language sql stable
return (select problem(p_field, format('Person with id=%s is not a member of this project.', i))
	from unnest(p_ids) i where not exists (select from project_membership m
		where m.project_id = p_project and m.person_id = i) limit 1);

-- What follows from a change without being asked for: accepted_at, estimates
-- and deadlines that the new type cannot have.
create or replace function story_follow(n story, o story) returns story language plpgsql as $$
begin
	if n.current_state = 'accepted' then
		n.accepted_at := coalesce(n.accepted_at, clock());
	elsif n.accepted_at is not distinct from o.accepted_at then
		n.accepted_at := null;
	end if;
	if n.story_type is distinct from o.story_type then
		if n.deadline is not distinct from o.deadline and n.story_type <> 'release' then
			n.deadline := null;
		end if;
		if n.estimate is not distinct from o.estimate and not story_is_estimatable(n,
			(select p from project p where p.id = n.project_id)) then
			n.estimate := null;
		end if;
	end if;
	return n;
end $$;

-- What a change of story o to n must not say.
create or replace function story_problems(n story, o story) returns jsonb[] language plpgsql as $$
declare
	p project;
	v jsonb[] := '{}';
begin
	if n.created_at > clock() and n.created_at is distinct from o.created_at then
		perform refuse('PW400', json_build_object('requirement',
			'Story created_at cannot be in the future.'));
	end if;
	if btrim(n.name) = '' then v := v || problem('name', 'Name can''t be blank'); end if;
	if n.accepted_at is not null and n.current_state <> 'accepted' then
		v := v || problem('accepted_at', 'Only stories in accepted state may have accepted_at dates');
	elsif n.accepted_at > clock() and n.accepted_at is distinct from o.accepted_at then
		v := v || problem('accepted_at', 'Story accepted_at cannot be in the future.');
	end if;
	if (n.story_type, n.current_state, n.estimate)
		is distinct from (o.story_type, o.current_state, o.estimate) then
		select * into p from project where id = n.project_id;
		v := v || story_state_problem(n, p) || story_unestimated_problem(n, p);
		if (n.story_type, n.estimate) is distinct from (o.story_type, o.estimate) then
			v := v || story_estimate_problem(n, p);
		end if;
	end if;
	if n.deadline is not null and n.story_type <> 'release' then
		v := v || problem('deadline', 'Deadline can only be set on releases.');
	end if;
	if n.owner_ids is distinct from o.owner_ids then
		v := v || story_people_problem('owner_ids', array(select unnest(n.owner_ids)
			except select unnest(o.owner_ids)), n.project_id);
	end if;
	if n.follower_ids is distinct from o.follower_ids then
		v := v || story_people_problem('follower_ids', array(select unnest(n.follower_ids)
			except select unnest(o.follower_ids)), n.project_id);
	end if;
	if n.integration_id is distinct from o.integration_id and n.integration_id is not null
		and not exists (select from integration i
			where i.id = n.integration_id and i.project_id = n.project_id) then
		v := v || problem('integration_id', format('Integration with id=%s does not exist within '
			'this project', n.integration_id));
	end if;
	if n.requested_by_id is distinct from o.requested_by_id then
		v := v || story_people_problem('requested_by_id', array[n.requested_by_id], n.project_id);
	end if;
	return array_remove(v, null);
end $$;

-- Order ----------------------------------------------------------------------
--
-- Ranks stand about 2^20 apart; a story between two others takes the middle.
-- Only when a gap is used up are the next stories spread, a window at a time.

-- Where the write of this request wants the story: before or after another, in
-- a group. p_state: the state that the request names, too.
create or replace function story_goal(p_before bigint, p_after bigint, p_group text, p_state text)
returns void language plpgsql as $$
begin
	if p_before = p_after then
		perform refuse_field('before_id', 'before_id and after_id cannot name the same story.');
	end if;
	perform set_config('planwright.goal', json_build_object('before', p_before, 'after', p_after,
		'group', p_group, 'state', p_state)::text, true);
end $$;

create or replace function story_end(p_project bigint, p_section smallint, p_top boolean)
returns bigint language plpgsql stable as $$
begin
	if p_top then
		return coalesce((select rank from story where project_id = p_project
			and section = p_section order by rank, id limit 1), 0) - 1048576;
	end if;
	return coalesce((select rank from story where project_id = p_project
		and section = p_section order by rank desc, id desc limit 1), 0) + 1048576;
end $$;

-- Spreads the stories behind (p_rank, p_id) evenly, up to the first that need not
-- move. The story that is being written (p_own) gets its rank from its own write.
create or replace function story_spread(p_project bigint, p_section smallint, p_rank bigint,
	p_id bigint, p_own bigint) returns void language plpgsql as $$
declare
	v_window integer := 128;
	v_ids bigint[];
	v_end bigint;
begin
	loop
		v_ids := array(select id from story where project_id = p_project and section = p_section
			and (rank, id) > (p_rank, p_id) and id <> p_own order by rank, id limit v_window);
		select rank into v_end from story where project_id = p_project and section = p_section
			and (rank, id) > (p_rank, p_id) and id <> p_own
			order by rank, id offset v_window limit 1;
		if not found then v_end := p_rank + (v_window + 1) * 1048576::bigint; end if;
		exit when v_end - p_rank > 4 * (v_window + 1);
		v_window := v_window * 4;
	end loop;
	perform keep_beside((select neighbours(s) from story s where s.id = p_own));
	perform set_config('planwright.quiet', 'on', true); -- none of them changes its place
	update story s set rank = p_rank + o.n * ((v_end - p_rank) / (v_window + 1))
	from unnest(v_ids) with ordinality o(id, n) where s.id = o.id;
	perform set_config('planwright.quiet', '', true);
end $$;

-- Makes room behind a place: spreads the stories there evenly, up to the first that need
-- not move. p_own: the story that is to stand there, left out.
create or replace function story_make_room(p_project bigint, p_section smallint, p_rank bigint,
	p_id bigint, p_own bigint) returns void language plpgsql as $$
declare
	v_window integer := 128;
	v_ids bigint[];
	v_end bigint;
begin
	loop
		v_ids := array(select id from story where project_id = p_project and section = p_section
			and (rank, id) > (p_rank, p_id) and id is distinct from p_own
			order by rank, id limit v_window);
		select rank into v_end from story where project_id = p_project and section = p_section
			and (rank, id) > (p_rank, p_id) and id is distinct from p_own
			order by rank, id offset v_window limit 1;
		if not found then v_end := p_rank + (v_window + 1) * 1048576::bigint; end if;
		exit when v_end - p_rank > 4 * (v_window + 1);
		v_window := v_window * 4;
	end loop;
	update story s set rank = p_rank + o.n * ((v_end - p_rank) / (v_window + 1))
	from unnest(v_ids) with ordinality o(id, n) where s.id = o.id;
end $$;

-- The rank right before or after another story of the same section.
create or replace function story_beside(p_id bigint, p_neighbour story, p_before boolean)
returns bigint language plpgsql as $$
declare
	v_low record;
	v_high record;
begin
	for attempt in 1 .. 2 loop
		if p_before then
			select rank, id into v_high from story where id = p_neighbour.id;
			select rank, id into v_low from story where project_id = p_neighbour.project_id
				and section = p_neighbour.section and (rank, id) < (v_high.rank, v_high.id)
				and id <> p_id order by rank desc, id desc limit 1;
			if v_low.id is null then return v_high.rank - 1048576; end if;
		else
			select rank, id into v_low from story where id = p_neighbour.id;
			select rank, id into v_high from story where project_id = p_neighbour.project_id
				and section = p_neighbour.section and (rank, id) > (v_low.rank, v_low.id)
				and id <> p_id order by rank, id limit 1;
			if v_high.id is null then return v_low.rank + 1048576; end if;
		end if;
		if v_high.rank - v_low.rank > 1 then
			return v_low.rank + (v_high.rank - v_low.rank) / 2;
		end if;
		perform story_spread(p_neighbour.project_id, p_neighbour.section, v_low.rank, v_low.id,
			p_id);
	end loop;
	raise exception 'no room between the ranks % and %', v_low.rank, v_high.rank;
end $$;

create or replace function story_neighbour(p_id bigint, p_field text, p_neighbour bigint,
	p_project bigint) returns story language plpgsql stable as $$
declare
	v story;
begin
	select * into v from story where id = p_neighbour and project_id = p_project;
	if not found then
		perform refuse_field(p_field, format('Story with id=%s does not exist within this project',
			p_neighbour));
	elsif p_neighbour = p_id then
		perform refuse_field(p_field, 'A story cannot stand before or after itself.');
	end if;
	return v;
end $$;

create or replace function story_section(p_state text) returns smallint language sql immutable
return case p_state when 'accepted' then 0 when 'planned' then 2 when 'unstarted' then 3
	when 'unscheduled' then 4 else 1 end;

-- The field of the request that a refusal names.
create or replace function story_goal_field(p_goal json) returns text language sql immutable
return case when p_goal->>'before' is not null then 'before_id'
	when p_goal->>'after' is not null then 'after_id' else 'group' end;

-- The section that two neighbours, or one, stand for: of two the one that lies
-- nearer to where the story stands.
create or replace function story_goal_section(n story, p_before story, p_after story)
returns smallint language sql immutable
return case when (p_before).id is null then (p_after).section
	when (p_after).id is null then (p_before).section
	else greatest((p_after).section, least((p_before).section, story_section(n.current_state))) end;

-- The state that lets story n stand in a group, or beside stories of a section,
-- when the request names no state: one that it has already if that will do
-- (service-api.md: "same state"), else the group's.
create or replace function story_regroup(n story, p_group text, p_section smallint) returns text
language plpgsql stable as $$
declare
	v_section smallint := story_section(n.current_state);
	v_planned boolean;
begin
	if p_group = 'unscheduled' or p_group is null and p_section = 4 then
		return 'unscheduled';
	elsif v_section = 1 then
		return n.current_state;
	elsif p_group = 'scheduled' or p_group is null and p_section = 3 then
		return 'unstarted';
	end if;
	-- Current: pulled from the top of the backlog, or planned by hand (CONTRACT 5.4).
	select not p.automatic_planning and (p_group is not null
			or n.story_type in ('feature', 'bug'))
		into v_planned from project p where p.id = n.project_id;
	return case when v_planned then 'planned' else 'unstarted' end;
end $$;

-- Whether a story in that state belongs to the group.
create or replace function story_fits_group(p_state text, p_group text, p_project bigint)
returns boolean language sql stable
return case p_group when 'unscheduled' then p_state = 'unscheduled'
	when 'scheduled' then p_state <> 'unscheduled'
	else p_state <> 'unscheduled' and (p_state <> 'unstarted'
		or (select p.automatic_planning from project p where p.id = p_project)) end;

-- Two neighbours must stand side by side, the story itself left out.
create or replace function story_must_fit_between(p_id bigint, p_after story, p_before story)
returns void language plpgsql as $$
declare
	v bigint;
begin
	select id into v from story where project_id = p_after.project_id and id <> p_id
		and (section, rank, id) > (p_after.section, p_after.rank, p_after.id)
		order by section, rank, id limit 1;
	if v is distinct from p_before.id then
		perform refuse_field('before_id', format('Stories %s and %s do not stand side by side: '
			'give before_id or after_id alone, or two neighbours.', p_after.id, p_before.id));
	end if;
end $$;

-- State and rank of story n where the request wants it (CONTRACT 5.5).
create or replace function story_place(n story, p_goal json) returns story language plpgsql as $$
declare
	v_group text := p_goal->>'group';
	v_before story;
	v_after story;
	v_section smallint;
begin
	if p_goal->>'before' is not null then
		v_before := story_neighbour(n.id, 'before_id', (p_goal->>'before')::bigint, n.project_id);
	end if;
	if p_goal->>'after' is not null then
		v_after := story_neighbour(n.id, 'after_id', (p_goal->>'after')::bigint, n.project_id);
	end if;
	if n.current_state = 'accepted' then
		perform refuse_field(story_goal_field(p_goal),
			'Accepted stories stand in the order of their acceptance and cannot be moved.');
	elsif v_before.section = 0 then
		perform refuse_field('before_id', format('Story %s is accepted: no other can be put in front '
			'of it.', v_before.id));
	elsif v_before.id is not null and v_after.id is not null then
		perform story_must_fit_between(n.id, v_after, v_before);
	end if;
	if p_goal->>'state' is null then
		v_section := story_goal_section(n, v_before, v_after);
		if v_group is not null or v_section <> story_section(n.current_state) then
			n.current_state := story_regroup(n, v_group, v_section);
		end if;
	elsif v_group is not null and not story_fits_group(n.current_state, v_group, n.project_id) then
		perform refuse_field('group', format('The group %s has no stories in the state %s.', v_group,
			n.current_state));
	end if;
	v_section := story_section(n.current_state);
	n.rank := case when v_before.section = v_section then story_beside(n.id, v_before, true)
		when v_after.section = v_section then story_beside(n.id, v_after, false)
		-- The neighbour stands in another part of the project: as near as the state allows.
		when coalesce(v_before.id, v_after.id) is not null then story_end(n.project_id, v_section,
			coalesce(v_before.section, v_after.section) < v_section)
		-- The backlog's top is what the current iteration takes.
		when v_group = 'current' and v_section = 3 then story_end(n.project_id, v_section, true) end;
	return n;
end $$;

-- Where stories arrive that nobody places (CONTRACT 5.5): accepted ones by the
-- time, those for the icebox and those that come back to the backlog on top,
-- all others below.
create or replace function story_arrival(n story, o story) returns bigint language plpgsql as $$
declare
	v_section smallint := story_section(n.current_state);
begin
	if v_section = 0 then
		return extract(epoch from n.accepted_at) * 1000000;
	elsif n.project_id is not distinct from o.project_id and v_section = o.section then
		return o.rank;
	end if;
	return story_end(n.project_id, v_section,
		v_section = 4 or v_section = 3 and coalesce(o.section < 3, false));
end $$;

create or replace function story_rules() returns trigger language plpgsql as $$
declare
	o story;
	v_goal json := nullif(current_setting('planwright.goal', true), '')::json;
	v_problems jsonb[];
begin
	if quiet() then return new; end if;
	if tg_op = 'UPDATE' then
		o := old;
	else
		new.requested_by_id := coalesce(new.requested_by_id, me());
	end if;
	new.rank := null;
	if v_goal is not null then
		perform set_config('planwright.goal', '', true);
		new := story_place(new, v_goal);
	end if;
	new := story_follow(new, o);
	v_problems := story_problems(new, o);
	if v_problems <> '{}' then perform refuse_problems(v_problems); end if;
	new.rank := coalesce(new.rank, story_arrival(new, o));
	if tg_op = 'UPDATE' then new.updated_at := clock(); end if;
	return new;
end $$;
drop trigger if exists rules on story;
-- Not on rank: story_spread moves neighbours without asking.
create trigger rules before insert or update of project_id, name, description, story_type,
	current_state, estimate, story_priority, requested_by_id, owner_ids, label_ids, follower_ids,
	accepted_at, deadline, integration_id, external_id, created_at
	on story for each row execute function story_rules();

-- Keeps the project's counts, by section. What happens in the request's own
-- project is noted, and leave() writes it.
create or replace function story_count() returns trigger language plpgsql as $$
declare
	v_counts integer[];
	v_set text;
begin
	if quiet() or tg_op = 'UPDATE'
		and (new.project_id, new.section) = (old.project_id, old.section) then
		return null;
	end if;
	if coalesce(new.project_id, old.project_id) = project()
		and coalesce(old.project_id, new.project_id) = project() then
		v_counts := coalesce(noted_counts(), '{0,0,0,0,0}');
		if old.id is not null then
			v_counts[old.section + 1] := v_counts[old.section + 1] - 1;
		end if;
		if new.id is not null then
			v_counts[new.section + 1] := v_counts[new.section + 1] + 1;
		end if;
		v_set := set_config('planwright.counts', v_counts::text, true);
		return null;
	end if;
	if tg_op <> 'INSERT' then
		update project set story_counts[old.section + 1] = story_counts[old.section + 1] - 1
		where id = old.project_id;
	end if;
	if tg_op <> 'DELETE' then
		update project set story_counts[new.section + 1] = story_counts[new.section + 1] + 1
		where id = new.project_id;
	end if;
	return null;
end $$;
drop trigger if exists counts on story;
create trigger counts after insert or update or delete on story for each row
	execute function story_count();
