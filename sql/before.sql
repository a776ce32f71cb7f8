-- What workers of the version before call, until the last of them has ended: an upgrade makes the
-- schema first. Goes with the next version.

create or replace function clock() returns timestamptz language sql stable return now();

create or replace function story_make_room(p_project bigint, p_section smallint, p_rank bigint,
	p_id bigint, p_own bigint) returns void language sql
begin atomic
	select story_make_room(p_project, p_section, p_rank, p_id, p_own, 1048576::bigint);
end;
