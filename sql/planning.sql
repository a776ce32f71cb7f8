-- Instants and local dates, and what of the calendar of iterations is asked for in SQL yet; its
-- rules are those of src/planning.
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

-- What the calendar of a project depends on apart from its settings: local dates, and overrides of
-- its iterations. The midnights are those of the seven days up to the first relevant one, newest
-- first: iteration 1 begins at one of them.
create or replace function project_calendar(p project, out now timestamptz, out today date,
	out created_day date, out first_accepted_day date, out first_midnights bigint[],
	out iteration_override_numbers bigint[], out override_weeks bigint[],
	out override_strengths double precision[]) language plpgsql stable as $$
declare
	v_first date;
begin
	now := now();
	today := local_date(now, p.time_zone);
	created_day := local_date(p.created_at, p.time_zone);
	select local_date(s.accepted_at, p.time_zone) into first_accepted_day from story s
	where s.project_id = p.id and s.section = 0 order by s.rank, s.id limit 1;
	v_first := least(coalesce(p.start_date, created_day), first_accepted_day);
	first_midnights := array(select micros(local_midnight(v_first - n, p.time_zone))
		from generate_series(0, 6) n);
	select coalesce(array_agg(o.number::bigint order by o.number), '{}'),
		coalesce(array_agg(coalesce(o.length, 0)::bigint order by o.number), '{}'),
		coalesce(array_agg(coalesce(o.team_strength, -1) order by o.number), '{}')
	into iteration_override_numbers, override_weeks, override_strengths
	from iteration_override o where o.project_id = p.id;
end $$;

-- The local date on which an iteration begins: overridden lengths shift all later ones.
create or replace function iteration_day(p project, p_first date, p_number integer) returns date
language plpgsql stable as $$
begin
	return p_first + 7 * (p.iteration_length * (p_number - 1) + (select
		coalesce(sum(o.length - p.iteration_length), 0) from iteration_override o
		where o.project_id = p.id and o.number < p_number and o.length is not null))::integer;
end $$;

-- The number of the iteration that contains a local date: counted from the last overridden length
-- before it. Before the first day, it is 1.
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
	number := iteration_number(p, v_first, local_date(now(), p.time_zone));
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
