-- PostgreSQL parses the WHEN of a trigger and a CHECK anew in every statement that
-- writes the table: a quarter of what a change of a story cost. A function in plpgsql
-- is parsed once in a connection.

-- Others do the work of these now (sql/*.sql).
drop trigger if exists counts_moved on story;
drop trigger if exists tally_changed on story;
drop trigger if exists transition_changed on story;
drop trigger if exists search_insert on story;
drop trigger if exists search_update on story;
drop function if exists story_check(story, story);

-- What can stand in a story's row, whoever writes it.
create function story_is_sound(p_type text, p_state text, p_priority text,
	p_accepted_at timestamptz, p_deadline timestamptz) returns boolean language plpgsql immutable as $$
begin
	return p_type in ('feature', 'bug', 'chore', 'release')
		and p_state in ('accepted', 'delivered', 'finished', 'started', 'rejected', 'planned',
			'unstarted', 'unscheduled')
		and p_priority in ('p0', 'p1', 'p2', 'p3', 'none')
		and (p_state = 'accepted') = (p_accepted_at is not null)
		and (p_deadline is null or p_type = 'release');
end $$;

alter table story
	drop constraint story_check,
	drop constraint story_check1,
	drop constraint story_current_state_check,
	drop constraint story_story_priority_check,
	drop constraint story_story_type_check,
	add constraint story_is_sound check (story_is_sound(story_type, current_state, story_priority,
		accepted_at, deadline));
