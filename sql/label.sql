-- The numbers of stories, of stories without points, and of points of a label by state (contract
-- 3.5): stored with the label, changed with its stories, and reported among the changes of the
-- command (contract 6.1).

-- Recounts everything, for stories that were not written by commands.
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
