-- Instants and local dates, and what the calendar of iterations is computed from (src/planning).

-- Milliseconds since 1970, for instants that are not in answers.
create or replace function millis(t timestamptz) returns bigint language sql immutable
return floor(extract(epoch from t at time zone 'UTC') * 1000)::bigint;

-- The first instant of a local date. Where clocks set back repeat midnight, PostgreSQL picks the
-- second one.
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

-- A time as given in a file, for the report of an import: with a zone, without one, or only a day.
create or replace function read_time(p_at timestamptz, p_local timestamp, p_is_day boolean)
returns text language sql stable
return case when p_at is not null then to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
	when p_is_day then to_char(p_local, 'YYYY-MM-DD')
	else to_char(p_local, 'YYYY-MM-DD"T"HH24:MI:SS') end;

-- What src/planning needs to know about a project besides its settings: local dates, and the overrides of its
-- iterations. Iteration 1 begins on one of `week_days` (days since 1970), and planning knows which: for each of the
-- three dates that count, the last day up to it that has the week start's name. `week_midnights` has the midnight of
-- each.
create or replace function project_days(p project, out now timestamptz, out today date,
	out created_day date, out first_accepted_day date, out week_days bigint[],
	out week_midnights bigint[], out iteration_override_numbers bigint[],
	out override_weeks bigint[], out override_strengths double precision[])
language plpgsql stable as $$
begin
	now := now();
	today := local_date(now, p.time_zone);
	created_day := local_date(p.created_at, p.time_zone);
	select local_date(s.accepted_at, p.time_zone) into first_accepted_day from story s
	where s.project_id = p.id and s.section = 0 order by s.rank, s.id limit 1;
	select array_agg((d.day - date '1970-01-01')::bigint),
		array_agg(micros(local_midnight(d.day, p.time_zone)))
	into week_days, week_midnights
	from (select up_to.day - n as day from unnest(array[p.start_date, created_day, first_accepted_day]) up_to(day),
		generate_series(0, 6) n where to_char(up_to.day - n, 'FMDay') = p.week_start_day) d;
	select coalesce(array_agg(o.number::bigint order by o.number), '{}'),
		coalesce(array_agg(coalesce(o.length, 0)::bigint order by o.number), '{}'),
		coalesce(array_agg(coalesce(o.team_strength, -1) order by o.number), '{}')
	into iteration_override_numbers, override_weeks, override_strengths
	from iteration_override o where o.project_id = p.id;
end $$;
