-- What a label counts is kept with it: the stories' changes tell it, and a list
-- of labels does not read the stories. 24 numbers: by state in the order of
-- tally_state(), how many stories, then how many without points, then the points.
alter table label add tally double precision[] not null default array_fill(0::double precision, array[24]);

-- Counts all again: for stories that were made without their triggers.
create function labels_recount() returns void language sql as $$
	with state as (select * from unnest(array['accepted', 'started', 'finished', 'unstarted',
		'planned', 'delivered', 'unscheduled', 'rejected']) with ordinality x(name, n)),
	counted as (select u.label, s.current_state as state, count(*) as stories,
			count(*) filter (where s.estimate = 0) as zero, coalesce(sum(s.estimate), 0) as points
		from planwright.story s cross join unnest(s.label_ids) u(label) group by 1, 2),
	tally as (select l.id, array_agg(coalesce(c.stories, 0) order by x.n)::double precision[]
			|| array_agg(coalesce(c.zero, 0) order by x.n)::double precision[]
			|| array_agg(coalesce(c.points, 0) order by x.n) as numbers
		from planwright.label l cross join state x
		left join counted c on c.label = l.id and c.state = x.name group by l.id)
	update planwright.label l set tally = t.numbers from tally t where t.id = l.id
		and l.tally <> t.numbers;
$$;
select labels_recount();
drop function if exists label_counts(bigint) cascade;

-- Changes are long now, and lz4 packs them in a third of the time.
do $$
begin
	alter table activity alter changes set compression lz4;
exception when feature_not_supported then
	null; -- a PostgreSQL built without it
end $$;
