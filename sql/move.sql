-- Stories that change their state.

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
