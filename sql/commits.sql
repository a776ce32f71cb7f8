-- POST /source_commits: what a commit's message says of stories (CONTRACT 2).

-- The stories that a message names in brackets and the state that it asks for:
-- [#1] none, [Fixes #1 #2] and its like finished, [Delivers #1] delivered.
create or replace function commit_stories(p_message text) returns table (id bigint, state text)
language sql immutable as $$
	select m[1]::bigint, max(case when b.words ~ '\mdeliver(s|ed|ing)?\M' then 'delivered'
		when b.words ~ '\m(fix(es|ed|ing)?|finish(es|ed|ing)?|complet(e|es|ed|ing))\M' then 'finished'
		end)
	from (select lower(x[1]) as words from regexp_matches(p_message, '\[([^\]]*)\]', 'g') x) b
	cross join lateral regexp_matches(b.words, '#(\d{1,18})\M', 'g') m
	group by m[1]::bigint
$$;

-- The state that a story can take when a commit asks for one: what has no such
-- state is accepted; what is further, or not estimated, stays as it is.
create or replace function commit_state(s story, p_state text) returns text language plpgsql
stable as $$
begin
	if p_state is null or s.current_state in ('accepted', p_state)
		or (s.current_state = 'delivered' and p_state = 'finished')
		or (s.estimate is null
			and story_is_estimatable(s, (select p from project p where p.id = s.project_id))) then
		return s.current_state;
	end if;
	return case when s.story_type in ('chore', 'release') then 'accepted' else p_state end;
end $$;

-- The comment of a commit on one story, and its change of state: one version of the project.
create or replace function commit_apply(s story, p_state text, c jsonb) returns void
language plpgsql as $$
declare
	v_state text := commit_state(s, p_state);
	v_comment bigint;
	v_author bigint := (select p.id from project_membership m join person p on p.id = m.person_id
		where m.project_id = s.project_id and lower(p.name) = lower(btrim(c->>'author'))
		order by p.id limit 1);
begin
	if v_state <> s.current_state then
		update story set current_state = v_state where id = s.id;
	end if;
	v_comment := comment_make(s.id, null, jsonb_build_object(
		'text', left(concat_ws(E'\n\n', nullif(concat_ws(E'\n',
			'Commit by ' || nullif(c->>'author', ''), nullif(c->>'url', '')), ''), c->>'message'), 20000),
		'person_id', coalesce(v_author, me()), 'commit_identifier', nullif(c->>'commit_id', ''),
		'commit_type', case when c->>'url' ~* 'github' then 'github' when c->>'url' ~* 'gitlab'
			then 'gitlab' when c->>'url' ~* 'bitbucket' then 'bitbucket' else 'git' end));
	insert into search_text (source, source_id, project_id, story_id, text)
	select 'comment', x.id, s.project_id, x.story_id, x.text from comment x
	where x.id = v_comment and x.text <> '';
	perform leave(case when v_state <> s.current_state then 'story_update' else 'comment_create' end);
end $$;

-- All stories named that the caller may change, in the order of their projects. Their projects
-- are locked before anything is written, in that order, and then the people who may be told;
-- when a story moved away meanwhile, they are looked up again. A commit that comes again
-- changes nothing, unless it has no id. Remembers the stories for the answer.
create or replace function source_commit(c jsonb) returns void language plpgsql as $$
declare
	r record;
	s story;
	v_ids bigint[] := '{}';
	v_named bigint[] := array(select o.id from commit_stories(c->>'message') x
		join story o on o.id = x.id
		join project_membership m on m.project_id = o.project_id and m.person_id = me()
			and m.role in ('owner', 'member'));
	v_projects bigint[];
begin
	loop
		v_projects := array(select distinct project_id from story where id = any(v_named));
		begin
			perform pg_advisory_xact_lock((1::bigint << 61) | x)
				from (select unnest(v_projects) x order by 1) o;
			perform from project p where p.id = any(v_projects) order by p.id for no key update;
			exit when not exists (select from story where id = any(v_named)
				and project_id <> all(v_projects));
			raise exception using errcode = 'PW000';
		exception when sqlstate 'PW000' then
			null; -- the locks are gone with the block
		end;
	end loop;
	perform from person p where p.id = any(mentioned(concat_ws(E'\n', c->>'author', c->>'url',
			c->>'message')))
			or p.id in (select unnest(story_followers(x)) from unnest(v_named
				-- What they block is blocked no longer when the commit accepts them.
				|| array(select story_id from blocker where blocking_story_ids && v_named)) x)
			or lower(p.name) = lower(btrim(c->>'author')) -- follows the stories from now on
		order by p.id for no key update;
	for r in select x.id, x.state, o.project_id from commit_stories(c->>'message') x
		join story o on o.id = x.id
		join project_membership m on m.project_id = o.project_id and m.person_id = me()
			and m.role in ('owner', 'member')
		order by o.project_id, o.id loop
		perform set_config('planwright.project', r.project_id::text, true);
		select * into s from story where id = r.id and project_id = r.project_id;
		if not found or exists (select from comment where story_id = r.id
			and commit_identifier = nullif(c->>'commit_id', '')) then continue; end if;
		perform commit_apply(s, r.state, c);
		v_ids := v_ids || r.id;
	end loop;
	perform set_config('planwright.commit', v_ids::text, true);
end $$;
