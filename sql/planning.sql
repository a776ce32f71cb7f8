-- The calendar of iterations, and what planning (src/planning/plan.c) needs to know of
-- a project. Rules: contract 5.2 to 5.4; choices: t/planning/README.md.
--
-- Iterations are whole weeks, so the calendar counts in weeks from the first
-- day; only at the end a date becomes an instant, in the project's zone.

-- Milliseconds since 1970: instants outside of answers.
create or replace function millis(t timestamptz) returns bigint language sql immutable
return floor(extract(epoch from t at time zone 'UTC') * 1000)::bigint;

-- The first instant of a local date. Where a clock set back repeats midnight,
-- PostgreSQL names the second one.
create or replace function local_midnight(p_day date, p_zone text) returns timestamptz
language sql stable
return case when ((p_day::timestamp at time zone p_zone) - interval '1 hour')
		at time zone p_zone >= p_day::timestamp
	then (p_day::timestamp at time zone p_zone) - interval '1 hour'
	else p_day::timestamp at time zone p_zone end;

-- Microseconds since 1970: the rank of accepted stories.
create or replace function micros(t timestamptz) returns bigint language sql immutable
return (extract(epoch from t) * 1000000)::bigint;

create or replace function local_date(t timestamptz, p_zone text) returns date
language sql immutable
return (t at time zone p_zone)::date;

-- A time as a file has it, for the report of an import: with a zone, without one, or a day.
create or replace function read_time(p_at timestamptz, p_local timestamp, p_is_day boolean)
returns text language sql stable
return case when p_at is not null then to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
	when p_is_day then to_char(p_local, 'YYYY-MM-DD')
	else to_char(p_local, 'YYYY-MM-DD"T"HH24:MI:SS') end;

-- Iteration 1 begins on the week start on or before start_date (the day of
-- creation without one) or the first acceptance, whichever is earlier
-- (contract 5.3). The first by rank is the first accepted.
create or replace function first_day(p project) returns date language plpgsql stable as $$
begin
	return week_start(least(coalesce(p.start_date, local_date(p.created_at, p.time_zone)),
		(select local_date(s.accepted_at, p.time_zone) from story s
			where s.project_id = p.id and s.section = 0 order by s.rank, s.id limit 1)),
		p.week_start_day);
end $$;

-- The local date on which an iteration begins: overridden lengths shift all behind them.
create or replace function iteration_day(p project, p_first date, p_number integer) returns date
language plpgsql stable as $$
begin
	return p_first + 7 * (p.iteration_length * (p_number - 1) + (select
		coalesce(sum(o.length - p.iteration_length), 0) from iteration_override o
		where o.project_id = p.id and o.number < p_number and o.length is not null))::integer;
end $$;

-- The number of the iteration that holds a local date: counted on from the
-- last overridden length before it. Before the first day it is 1.
create or replace function iteration_number(p project, p_first date, p_day date) returns integer
language plpgsql stable as $$
declare
	v_week integer := floor((p_day - p_first) / 7.0);
	o record;
begin
	select x.number, x.length, x.week into o
	from (select i.number, i.length, p.iteration_length * (i.number - 1)
			+ coalesce(sum(i.length - p.iteration_length) over (order by i.number
				rows between unbounded preceding and 1 preceding), 0) as week
		from iteration_override i where i.project_id = p.id and i.length is not null) x
	where x.week <= v_week order by x.number desc limit 1;
	if not found then return greatest(1, 1 + v_week / p.iteration_length); end if;
	return case when v_week < o.week + o.length then o.number
		else o.number + 1 + (v_week - o.week - o.length) / p.iteration_length end;
end $$;

-- The project attributes start_time and current_iteration_number.
create or replace function current_iteration(p project, out start_time timestamptz,
	out number integer) language plpgsql stable as $$
declare
	v_first date := first_day(p);
begin
	start_time := local_midnight(v_first, p.time_zone);
	number := iteration_number(p, v_first, local_date(clock(), p.time_zone));
end $$;

-- When the current iteration began: what was accepted before is done.
create or replace function current_iteration_start(p project) returns timestamptz
language plpgsql stable as $$
declare
	v_first date := first_day(p);
begin
	return local_midnight(iteration_day(p, v_first,
		iteration_number(p, v_first, local_date(clock(), p.time_zone))), p.time_zone);
end $$;

-- Start of the first iteration that a client shows.
create or replace function shown_iterations_start(p project) returns timestamptz
language plpgsql stable as $$
declare
	v_first date := first_day(p);
	v_current integer := iteration_number(p, v_first, local_date(clock(), p.time_zone));
begin
	return local_midnight(iteration_day(p, v_first, greatest(1,
		v_current - least(p.number_of_done_iterations_to_show, v_current))), p.time_zone);
end $$;

-- When the iteration is over in which a story was accepted.
create or replace function accepted_iteration_finish(p project, p_at timestamptz)
returns timestamptz language plpgsql stable as $$
declare
	v_first date := first_day(p);
begin
	return local_midnight(iteration_day(p, v_first, 1 + least(
		iteration_number(p, v_first, local_date(p_at, p.time_zone)),
		iteration_number(p, v_first, local_date(clock(), p.time_zone)))), p.time_zone);
end $$;

-- The iteration in which a story was accepted, with its first and its last day,
-- when first_day and current of the project are known.
create or replace function accepted_iteration(p project, p_first date, p_current integer,
	p_at timestamptz, out number integer, out first_day date, out last_day date)
language plpgsql stable strict as $$
begin
	number := least(iteration_number(p, p_first, local_date(p_at, p.time_zone)), p_current);
	first_day := iteration_day(p, p_first, number);
	last_day := iteration_day(p, p_first, number + 1) - 1;
end $$;

-- What a request looks at --------------------------------------------------------

-- The page that scope, offset and limit name: iterations page to page_end - 1.
-- The scope counts from iteration 1, from the current one, or from the one
-- behind it (backlog); a negative offset counts back from the current one.
-- sums and page_sums: from where on accepted points are needed for the
-- velocity during the current iteration and during the page's first; those
-- of strength 0 are passed over, so as many more may be needed.
create or replace function planning_window(p_project bigint, p_scope text, p_offset integer,
	p_limit integer, out p project, out first_day date, out current integer, out page integer,
	out page_end integer, out sums integer, out page_sums integer)
language plpgsql stable as $$
declare
	v_back integer;
begin
	select * into p from project x where x.id = p_project;
	if not found then return; end if;
	first_day := first_day(p);
	current := iteration_number(p, first_day, local_date(clock(), p.time_zone));
	page := least(current + 5001, case when p_offset < 0 then greatest(1, current + p_offset)
		else p_offset + case p_scope when 'current' then current when 'current_backlog' then current
			when 'backlog' then current + 1 else 1 end end);
	page_end := page + p_limit;
	v_back := p.velocity_averaged_over + (select count(*) from iteration_override o
		where o.project_id = p.id and o.team_strength = 0 and o.number < planning_window.current);
	sums := greatest(1, current - v_back);
	page_sums := greatest(1, least(page, current) - v_back);
end $$;

-- Settings, calendar, and the local midnights around what is looked at.
create or replace function planning_project(p_project bigint, p_scope text, p_offset integer,
	p_limit integer, out iteration_length integer, out initial_velocity integer,
	out velocity_averaged_over integer, out automatic_planning boolean, out first_day date,
	out now timestamptz, out page integer, out page_end integer, out table_day date,
	out midnights bigint[]) language plpgsql stable as $$
declare
	w record;
begin
	w := planning_window(p_project, p_scope, p_offset, p_limit);
	iteration_length := (w.p).iteration_length;
	initial_velocity := (w.p).initial_velocity;
	velocity_averaged_over := (w.p).velocity_averaged_over;
	automatic_planning := (w.p).automatic_planning;
	first_day := w.first_day;
	now := clock();
	page := w.page;
	page_end := w.page_end;
	table_day := iteration_day(w.p, w.first_day, least(w.page_sums, w.sums));
	midnights := array(select micros(local_midnight(d.day::date, (w.p).time_zone))
		from generate_series(table_day::timestamp, iteration_day(w.p, w.first_day,
			greatest(w.page_end, w.current + 1))::timestamp, interval '7 days') d(day));
end $$;

-- Accepted stories of done iterations in the order of their acceptance: those
-- of the page (from page_sums on with p_page_velocity), and with
-- p_current_velocity those that the velocity of the current iteration follows
-- from. `shown`: it has the label, when one is asked for.
create or replace function planning_done(p_project bigint, p_scope text, p_offset integer,
	p_limit integer, p_page_velocity boolean, p_current_velocity boolean, p_label text)
returns table (id bigint, rank bigint, estimate double precision, shown boolean)
language plpgsql stable as $$
#variable_conflict use_column
declare
	w record;
	v_from integer[];
	v_to integer[];
	v_ranks bigint[];
	v_label bigint;
begin
	w := planning_window(p_project, p_scope, p_offset, p_limit);
	select l.id into v_label from label l where l.project_id = p_project and l.name = lower(p_label);
	v_from[1] := case when p_page_velocity then w.page_sums else w.page end;
	v_to[1] := least(w.page_end, w.current);
	v_from[2] := w.sums;
	v_to[2] := case when p_current_velocity then w.current else 0 end;
	if v_to[1] > v_from[2] and v_to[2] > 0 then
		-- Both are one piece of time.
		v_from[1] := least(v_from[1], v_from[2]);
		v_from[2] := v_to[1];
	end if;
	for i in 1 .. 2 loop
		if v_from[i] < v_to[i] then
			v_ranks := array(select micros(local_midnight(iteration_day(w.p, w.first_day, n),
				(w.p).time_zone)) from unnest(array[v_from[i], v_to[i]]) with ordinality x(n, o)
				order by o);
			return query select s.id, s.rank, s.estimate,
				p_label is null or s.label_ids @> array[v_label]
			from story s where s.project_id = p_project and s.section = 0
				and s.rank >= v_ranks[1] and s.rank < v_ranks[2]
			order by s.rank, s.id;
		end if;
	end loop;
end $$;

-- What is planned: stories accepted since the current iteration began, then
-- all that are not accepted and not in the icebox, in the project's order.
-- Nothing when the page holds done iterations only, unless p_always.
create or replace function planning_open(p_project bigint, p_scope text, p_offset integer,
	p_limit integer, p_always boolean, p_label text)
returns table (id bigint, section smallint, rank bigint, estimate double precision, shown boolean)
language plpgsql stable as $$
#variable_conflict use_column
declare
	w record;
	v_label bigint;
	v_rank bigint;
begin
	w := planning_window(p_project, p_scope, p_offset, p_limit);
	if w.page_end <= w.current and not p_always then return; end if;
	select l.id into v_label from label l where l.project_id = p_project and l.name = lower(p_label);
	v_rank := micros(local_midnight(iteration_day(w.p, w.first_day, w.current), (w.p).time_zone));
	return query select s.id, s.section, s.rank, s.estimate,
		p_label is null or s.label_ids @> array[v_label]
	from story s where s.project_id = p_project and s.section = 0 and s.rank >= v_rank
	order by s.rank, s.id;
	return query select s.id, s.section, s.rank, s.estimate,
		p_label is null or s.label_ids @> array[v_label]
	from story s where s.project_id = p_project and s.section in (1, 2, 3)
	order by s.section, s.rank, s.id;
end $$;
