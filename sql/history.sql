-- The past: the states of stories day by day, and the time they spent in them. It is derived from
-- the transitions, so a deleted story has no past. A day's state is the one at its end, in the
-- project's time zone. An accepted story counts as accepted from accepted_at on, even if that was
-- set later; before its first transition, a story is unscheduled. Points are by today's estimate.

create or replace function today(p project) returns date language sql stable
return local_date(now(), p.time_zone);

-- States by story: each state with the local dates from which and up to which (exclusive) it was
-- the one at the end of the day.
create or replace function story_days(p_zone text, p_ids bigint[])
returns table (story_id bigint, state text, first date, past date)
language sql stable
begin atomic
	with happened (id, at, turn, state) as (
		select s.id, s.created_at, 0::bigint, 'unscheduled' from unnest(p_ids) i(id)
			join story s on s.id = i.id
			where s.section <> 0 or s.created_at < s.accepted_at
		union all
		select t.story_id, t.occurred_at, t.id, t.state from unnest(p_ids) i(id)
			join story s on s.id = i.id join story_transition t on t.story_id = s.id
			where s.section <> 0 or t.occurred_at < s.accepted_at
		union all
		select s.id, s.accepted_at, 9223372036854775807, 'accepted' from unnest(p_ids) i(id)
			join story s on s.id = i.id where s.section = 0),
	daily (id, day, state) as (
		select distinct on (h.id, local_date(h.at, p_zone)) h.id, local_date(h.at, p_zone), h.state
		from happened h order by h.id, local_date(h.at, p_zone), h.at desc, h.turn desc)
	select d.id, d.state, d.day, coalesce(lead(d.day) over (partition by d.id order by d.day),
		'infinity'::date) from daily d;
end;

-- The same for all stories of a project, correct from p_first on. Stories not updated since then
-- have kept their state all the time, so only the others are followed through their transitions.
create or replace function project_story_days(p_project bigint, p_zone text, p_first date)
returns table (story_id bigint, state text, first date, past date)
language sql stable
begin atomic
	select d.story_id, d.state, d.first, d.past
	from story_days(p_zone, array(select s.id from story s where s.project_id = p_project
		and s.updated_at >= local_midnight(p_first, p_zone))) d
	union all
	select s.id, s.current_state, local_date(coalesce(s.accepted_at, s.created_at), p_zone),
		'infinity'::date
	from story s where s.project_id = p_project and s.updated_at < local_midnight(p_first, p_zone);
end;

-- Points with at least one decimal: "9.0".
create or replace function decimal_point(v double precision) returns numeric
language sql immutable
return case when v = round(v) then round(v::numeric, 1) else trim_scale(round(v::numeric, 6)) end;

-- The columns: the date, and each state's points and counts, in this order (contract 3.11).
create or replace function history_header() returns text[] language sql immutable
return 'date'::text || array(select what || state from unnest(array['points_', 'counts_'])
	with ordinality w(what, i) cross join unnest(array['accepted', 'delivered', 'finished', 'started',
		'rejected', 'planned', 'unstarted', 'unscheduled']) with ordinality s(state, j) order by i, j);

drop function if exists history_states();

-- One array per day: the date, then points and counts by state, of the given stories or (null) of
-- all stories of the project. Each state of a story is a step up on its first day and a step down
-- after its last; a day is the sum of the steps so far.
create or replace function history_days(p project, p_ids bigint[], p_first date, p_last date)
returns jsonb language plpgsql stable as $$
begin
	return (with steps (day, state, points, counts) as (
			select greatest(x.day, p_first), d.state, sum(x.sign * coalesce(s.estimate, 0)),
				sum(x.sign)
			from (select * from story_days(p.time_zone, p_ids)
				union all select * from project_story_days(case when p_ids is null then p.id end,
					p.time_zone, p_first)) d
			join story s on s.id = d.story_id
			cross join lateral (values (d.first, 1), (d.past, -1)) x(day, sign)
			where x.day <= p_last group by 1, 2),
		sums as (select g.day, st.place,
				sum(coalesce(t.points, 0)) over w as points, sum(coalesce(t.counts, 0)) over w as counts
			from generate_series(p_first::timestamp, p_last::timestamp, interval '1 day') x(at)
			cross join lateral (select x.at::date) g(day)
			cross join (select n as place, substr(name, 8) as state
				from unnest(history_header()) with ordinality x(name, n) where name like 'points%') st
			left join steps t on t.day = g.day and t.state = st.state
			window w as (partition by st.state order by g.day)),
		days as (select u.day, jsonb_build_array(u.day::text)
				|| jsonb_agg(decimal_point(u.points) order by u.place)
				|| jsonb_agg(u.counts::integer order by u.place) as row
			from sums u group by u.day)
		select coalesce(jsonb_agg(d.row order by d.day), '[]') from days d);
end $$;

-- Iterations -----------------------------------------------------------------------

-- The days of an iteration that have begun, counting the stories p_ids, which are in it.
create or replace function iteration_days(p_project bigint, p_first date, p_last date, p_ids bigint[])
returns jsonb language plpgsql stable as $$
declare
	p project;
begin
	select * into p from project where id = p_project;
	if p_first > today(p) then return '[]'; end if;
	return history_days(p, p_ids, p_first, least(p_last, today(p)));
end $$;

-- The first and the last day of an iteration, by its key (src/api/iteration.c).
create or replace function iteration_span(p_key bigint, out first date, out last date)
language sql immutable
return row(date '1970-01-01' + (p_key >> 12)::integer,
	date '1970-01-01' + (p_key >> 12)::integer + (p_key & 4095)::integer - 1);

-- Points and numbers of stories accepted or created (p_what) on each day of an iteration so far.
create or replace function iteration_daily(p_project bigint, p_key bigint, p_what text) returns jsonb
language plpgsql stable as $$
declare
	p project;
	d record;
	v_from timestamptz;
	v_to timestamptz;
begin
	select * into p from project where id = p_project;
	select * into d from iteration_span(p_key);
	v_from := local_midnight(d.first, p.time_zone);
	v_to := local_midnight(d.last + 1, p.time_zone);
	return (select coalesce(jsonb_agg(jsonb_build_array(g.day::text,
			decimal_point(coalesce(t.points, 0)), coalesce(t.counts, 0)) order by g.day), '[]')
		from (select x.at::date from generate_series(d.first::timestamp,
			least(d.last, today(p))::timestamp, interval '1 day') x(at)) g(day)
		left join (select local_date(h.at, p.time_zone) as day, sum(h.estimate) as points,
				count(*) as counts
			from (select s.accepted_at as at, coalesce(s.estimate, 0) as estimate from story s
					where p_what = 'accepted' and s.project_id = p.id and s.section = 0
						and s.rank >= micros(v_from) and s.rank < micros(v_to)
				union all
				select s.created_at, coalesce(s.estimate, 0) from story s
					where p_what = 'created' and s.project_id = p.id
						and s.created_at >= v_from and s.created_at < v_to) h
			group by 1) t on t.day = g.day);
end $$;

-- Time in states ----------------------------------------------------------------------

-- How long stories were in each state of work, in milliseconds, and how often they entered it. The
-- current state lasts until now. A story that was never in any of them has no total.
create or replace function cycle_times(p_ids bigint[]) returns table (id bigint, story_id bigint,
	total_cycle_time bigint, started_time bigint, started_count bigint, finished_time bigint,
	finished_count bigint, delivered_time bigint, delivered_count bigint, rejected_time bigint,
	rejected_count bigint)
language sql stable
begin atomic
	select i.id, i.id,
		sum(t.ms) filter (where t.state in ('started', 'finished', 'delivered', 'rejected'))::bigint,
		coalesce(sum(t.ms) filter (where t.state = 'started'), 0)::bigint,
		count(*) filter (where t.state = 'started'),
		coalesce(sum(t.ms) filter (where t.state = 'finished'), 0)::bigint,
		count(*) filter (where t.state = 'finished'),
		coalesce(sum(t.ms) filter (where t.state = 'delivered'), 0)::bigint,
		count(*) filter (where t.state = 'delivered'),
		coalesce(sum(t.ms) filter (where t.state = 'rejected'), 0)::bigint,
		count(*) filter (where t.state = 'rejected')
	from unnest(p_ids) with ordinality i(id, place)
	left join (select x.story_id, x.state, greatest(0, millis(coalesce(lead(x.occurred_at)
			over (partition by x.story_id order by x.id), now())) - millis(x.occurred_at)) as ms
		from story_transition x where x.story_id = any(p_ids)) t on t.story_id = i.id
	group by i.id, i.place order by i.place;
end;

-- An iteration in four figures: stories accepted and bugs created in it; the mean cycle time of
-- those accepted, and the percentage of them that were rejected at least once.
create or replace function iteration_analytics(p_project bigint, p_key bigint, out cycle_time bigint,
	out rejection_rate double precision, out bugs_created bigint, out stories_accepted bigint)
language plpgsql stable as $$
declare
	p project;
	d record;
	v_from timestamptz;
	v_to timestamptz;
	v_ids bigint[];
begin
	select * into p from project where id = p_project;
	select * into d from iteration_span(p_key);
	v_from := local_midnight(d.first, p.time_zone);
	v_to := local_midnight(d.last + 1, p.time_zone);
	v_ids := array(select s.id from story s where s.project_id = p.id and s.section = 0
		and s.rank >= micros(v_from) and s.rank < micros(v_to));
	stories_accepted := cardinality(v_ids);
	select coalesce(avg(c.total_cycle_time)::bigint, 0),
		coalesce(100.0 * count(*) filter (where c.rejected_count > 0) / nullif(count(*), 0), 0)
		into cycle_time, rejection_rate from cycle_times(v_ids) c;
	select count(*) into bugs_created from story s where s.project_id = p.id
		and s.story_type = 'bug' and s.created_at >= v_from and s.created_at < v_to;
end $$;

-- Projects ------------------------------------------------------------------------------

-- The stories between the previous release and this one.
create or replace function release_days(p_project bigint, p_release bigint, p_first date, p_last date)
returns jsonb language plpgsql stable as $$
declare
	p project;
begin
	select * into p from project where id = p_project;
	return history_days(p, array(select s.id from release_spans(array[p_release]) x
		join story s on s.project_id = x.project_id
			and (s.section, s.rank, s.id) > (x.low_section, x.low_rank, x.low_id)
			and (s.section, s.rank, s.id) < (x.high_section, x.high_rank, x.release_id)),
		p_first, p_last);
end $$;

-- GET P/history/snapshots: at the end of each day, which stories were in the current iteration (in
-- progress, planned, or accepted since the iteration of that day began), in the backlog and in the
-- icebox. Stories are in today's order. p_begins: when iterations begin, in days since 1970.
create or replace function project_snapshots(p_project bigint, p_first date, p_last date,
	p_begins bigint[])
returns table (date date, current jsonb, backlog jsonb, icebox jsonb) language plpgsql stable as $$
#variable_conflict use_column
declare
	p project;
begin
	select * into p from project where id = p_project;
	return query with
		days as (select g.day, (select max(date '1970-01-01' + b.day::integer)
				from unnest(p_begins) b(day) where date '1970-01-01' + b.day::integer <= g.day)
				as begins
			from (select x.at::date from generate_series(p_first::timestamp, p_last::timestamp,
				interval '1 day') x(at)) g(day)),
		stood as (select y.day, case d.state when 'unscheduled' then 3 when 'unstarted' then 2
				else 1 end as part, s.section, s.rank, s.id, jsonb_build_object('kind',
				'story_snapshot', 'story_id', s.id, 'state', d.state, 'estimate', s.estimate,
				'story_type', s.story_type) as story
			from project_story_days(p.id, p.time_zone, p_first) d join story s on s.id = d.story_id
			join days y on y.day >= d.first and y.day < d.past
				and (d.state <> 'accepted' or d.first >= y.begins)
			where d.first <= p_last and d.past > p_first)
		select y.day,
			coalesce(jsonb_agg(jsonb_strip_nulls(t.story) order by t.section, t.rank, t.id)
				filter (where t.part = 1), '[]'),
			coalesce(jsonb_agg(jsonb_strip_nulls(t.story) order by t.section, t.rank, t.id)
				filter (where t.part = 2), '[]'),
			coalesce(jsonb_agg(jsonb_strip_nulls(t.story) order by t.section, t.rank, t.id)
				filter (where t.part = 3), '[]')
		from days y left join stood t on t.day = y.day group by y.day order by y.day;
end $$;
