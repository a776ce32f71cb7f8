-- Source commits (CONTRACT 2, source-commit syntax).

-- The stories that a message names in brackets, each with the verb before its
-- numbers: [#1], [Fixes #1 #2], [delivered #3].
create or replace function commit_references(p_message text) returns table (story_id bigint, state text)
language sql immutable
begin atomic
	select s.id, max(case when v.verb ~* '^(fix|finish|complete)' then 'finished'
		when v.verb ~* '^deliver' then 'delivered' end)
	from regexp_matches(p_message, '\[([^][]*#\d[^][]*)\]', 'g') b(inside)
	cross join lateral (select substring(b.inside[1] from '[[:alpha:]]+')) v(verb)
	cross join lateral regexp_matches(b.inside[1], '#(\d{1,18})', 'g') n(number)
	cross join lateral (select n.number[1]::bigint) s(id)
	group by s.id;
end;

-- Moves a story for a commit where its rules let it; a story already there, or
-- accepted, stays.
create or replace function commit_moves(p_story bigint, p_state text) returns void
language plpgsql as $$
begin
	update story set current_state = p_state
	where id = p_story and current_state not in ('accepted', 'delivered', p_state);
exception when sqlstate 'PW400' then
	return;
end $$;

-- One story: a comment by the author, if a person of the project has that name,
-- else by the caller, and the state.
create or replace function commit_story(p_story bigint, p_state text, p_commit jsonb) returns void
language plpgsql as $$
declare
	v_author bigint := (select p.id from project_membership m join person p on p.id = m.person_id
		where m.project_id = project() and lower(p.name) = lower(p_commit->>'author')
		order by p.id limit 1);
begin
	if p_state is not null then perform commit_moves(p_story, p_state); end if;
	insert into comment (story_id, person_id, text, commit_identifier, commit_type)
	values (p_story, coalesce(v_author, me()), left(concat_ws(E'\n',
		'Commit by ' || coalesce(p_commit->>'author', (select name from person where id = me())),
		p_commit->>'url', '', p_commit->>'message'), 20000), p_commit->>'commit_id', 'git');
	perform leave('comment_create');
end $$;

-- All stories of the message in projects where the caller is a member, project by
-- project in id order. Notes them for the read-back.
create or replace function source_commit(p_body jsonb) returns void language plpgsql as $$
declare
	v_commit jsonb := p_body;
	v record;
	v_done bigint[] := '{}';
begin
	for v in select r.story_id, r.state, s.project_id
		from commit_references(v_commit->>'message') r join story s on s.id = r.story_id
		join project_membership m on m.project_id = s.project_id and m.person_id = me()
			and m.role in ('member', 'owner')
		order by s.project_id, r.story_id loop
		perform from project where id = v.project_id for no key update;
		perform set_config('planwright.project', v.project_id::text, true);
		perform commit_story(v.story_id, v.state, v_commit);
		v_done := v_done || v.story_id;
	end loop;
	perform set_config('planwright.commit', array_to_string(v_done, ','), true);
end $$;
