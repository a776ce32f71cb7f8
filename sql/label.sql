-- A label's stories, stories without points, and points, by state (contract 3.5): stored with the
-- label, updated along with its stories, and reported among the changes of the command
-- (contract 6.1).

-- Recounts everything, for stories that were not written by commands.
create or replace function labels_recount() returns void language sql as $$
	with state as (select * from unnest(array['accepted', 'started', 'finished', 'unstarted',
		'planned', 'delivered', 'unscheduled', 'rejected']) with ordinality x(name, n)),
	one as (select l.id as label, x.name as state, 0 as stories, 0 as zero,
			0::double precision as points from planwright.label l cross join state x
		union all select u.label, s.current_state, 1, (coalesce(s.estimate, 0) = 0)::integer,
			coalesce(s.estimate, 0)
		from planwright.story s cross join unnest(s.label_ids) u(label)),
	counted as (select o.label, x.n, sum(o.stories) as stories, sum(o.zero) as zero,
			sum(o.points) as points from one o join state x on x.name = o.state group by 1, 2),
	tally as (select c.label as id, array_agg(c.stories order by c.n)::double precision[]
			|| array_agg(c.zero order by c.n)::double precision[]
			|| array_agg(c.points order by c.n) as numbers from counted c group by 1)
	update planwright.label l set tally = t.numbers from tally t where t.id = l.id
		and l.tally <> t.numbers;
$$;
