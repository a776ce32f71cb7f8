-- Instants and local dates, and what the calendar of iterations is made of (src/planning).

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
