-- How many stories, of them without points, and points a label has by state
-- (CONTRACT 3, label): kept with the label, changed with its stories, and told
-- among the changes of the command (CONTRACT 6.1).

create or replace function tally_state(p_state text) returns integer language sql immutable
return case p_state when 'accepted' then 1 when 'started' then 2 when 'finished' then 3
	when 'unstarted' then 4 when 'planned' then 5 when 'delivered' then 6
	when 'unscheduled' then 7 else 8 end;

-- One story more (p_sign 1) or less (-1).
create or replace function tally_with(p_tally double precision[], p_state text,
	p_estimate double precision, p_sign integer) returns double precision[]
language plpgsql immutable as $$
declare
	i integer := tally_state(p_state);
begin
	p_tally[i] := p_tally[i] + p_sign;
	if coalesce(p_estimate, 0) = 0 then
		p_tally[8 + i] := p_tally[8 + i] + p_sign;
	else
		p_tally[16 + i] := p_tally[16 + i] + p_sign * p_estimate;
	end if;
	return p_tally;
end $$;

-- The story_counts object, as text.
create or replace function tally_text(p_tally double precision[]) returns text
language plpgsql immutable as $$
begin
	return format('{"kind":"story_counts",'
		'"number_of_zero_point_stories_by_state":{"kind":"counts_by_story_state",'
		'"accepted":%9$s,"started":%10$s,"finished":%11$s,"unstarted":%12$s,'
		'"planned":%13$s,"delivered":%14$s,"unscheduled":%15$s,"rejected":%16$s},'
		'"sum_of_story_estimates_by_state":{"kind":"counts_by_story_state",'
		'"accepted":%17$s,"started":%18$s,"finished":%19$s,"unstarted":%20$s,'
		'"planned":%21$s,"delivered":%22$s,"unscheduled":%23$s,"rejected":%24$s},'
		'"number_of_stories_by_state":{"kind":"counts_by_story_state",'
		'"accepted":%1$s,"started":%2$s,"finished":%3$s,"unstarted":%4$s,'
		'"planned":%5$s,"delivered":%6$s,"unscheduled":%7$s,"rejected":%8$s}}',
		variadic p_tally);
end $$;

-- The tally of label p_label when a story changes from o to n.
create or replace function tally_changed(p_label bigint, p_tally double precision[], o story, n story)
returns double precision[] language plpgsql immutable as $$
begin
	if p_label = any (o.label_ids) then
		p_tally := tally_with(p_tally, o.current_state, o.estimate, -1);
	end if;
	if p_label = any (n.label_ids) then
		p_tally := tally_with(p_tally, n.current_state, n.estimate, 1);
	end if;
	return p_tally;
end $$;

create or replace function story_tally() returns trigger language plpgsql as $$
declare
	l record;
	v_set text;
begin
	if quiet() or tg_op = 'UPDATE' and (old.label_ids = '{}' and new.label_ids = '{}'
		or (old.label_ids, old.current_state, old.estimate)
			is not distinct from (new.label_ids, new.current_state, new.estimate)) then
		return null;
	end if;
	for l in update label x set tally = tally_changed(x.id, x.tally, old, new)
		where x.id = any (coalesce(old.label_ids, '{}') || coalesce(new.label_ids, '{}'))
			and ((old.current_state, old.estimate) is distinct from (new.current_state, new.estimate)
				or (x.id = any (old.label_ids)) <> (x.id = any (new.label_ids)))
		returning x.id, x.name, x.tally
	loop
		v_set := note_text(format('{"kind":"label","change_type":"update","id":%s,"name":%s,'
			'"original_values":{"counts":%s},"new_values":{"counts":%s}}', l.id, to_json(l.name),
			tally_text(tally_changed(l.id, l.tally, new, old)), tally_text(l.tally)));
	end loop;
	return null;
end $$;
drop trigger if exists tally on story;
create trigger tally after insert or delete on story for each row execute function story_tally();
-- Before `note` by its name: an activity tells the labels of a changed story first (recorded).
drop trigger if exists labels on story;
create trigger labels after update on story for each row execute function story_tally();

-- Counts all again: for stories that came in by other ways than commands.
create or replace function labels_recount() returns void language sql as $$
	with state as (select * from unnest(array['accepted', 'started', 'finished', 'unstarted',
		'planned', 'delivered', 'unscheduled', 'rejected']) with ordinality x(name, n)),
	counted as (select u.label, s.current_state as state, count(*) as stories,
			count(*) filter (where coalesce(s.estimate, 0) = 0) as zero,
			coalesce(sum(s.estimate), 0) as points
		from planwright.story s cross join unnest(s.label_ids) u(label) group by 1, 2),
	tally as (select l.id, array_agg(coalesce(c.stories, 0) order by x.n)::double precision[]
			|| array_agg(coalesce(c.zero, 0) order by x.n)::double precision[]
			|| array_agg(coalesce(c.points, 0) order by x.n) as numbers
		from planwright.label l cross join state x
		left join counted c on c.label = l.id and c.state = x.name group by l.id)
	update planwright.label l set tally = t.numbers from tally t where t.id = l.id
		and l.tally <> t.numbers;
$$;
