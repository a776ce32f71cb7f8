-- The order of stories (contract 5.5; src/domain/order.h). A story between two others takes the middle of the gap; only
-- when a gap is used up are the following stories spread out, one window at a time.

-- Makes room after a place: spreads the stories there evenly up to the first one that need not
-- move, or, without one, p_gap apart. p_own: the story that will go there, left out.
create or replace function story_make_room(p_project bigint, p_section smallint, p_rank bigint,
	p_id bigint, p_own bigint, p_gap bigint) returns void language plpgsql as $$
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
		if not found then v_end := p_rank + (v_window + 1) * p_gap; end if;
		exit when v_end - p_rank > 128 * (v_window + 1);
		v_window := v_window * 4;
	end loop;
	update story s set rank = p_rank + o.n * ((v_end - p_rank) / (v_window + 1))
	from unnest(v_ids) with ordinality o(id, n) where s.id = o.id;
end $$;

create or replace function story_section(p_state text) returns smallint language sql immutable
return case p_state when 'accepted' then 0 when 'planned' then 2 when 'unstarted' then 3
	when 'unscheduled' then 4 else 1 end;
