-- Workers say how far apart stories stand. For those of the version before, until they have ended:
create or replace function story_make_room(p_project bigint, p_section smallint, p_rank bigint,
	p_id bigint, p_own bigint) returns void language plpgsql as $$
begin
	perform story_make_room(p_project, p_section, p_rank, p_id, p_own, 1048576::bigint);
end $$;
