-- What workers of the version before call, until the last of them has ended: an upgrade makes the
-- schema first. Goes with the next version.

create or replace function clock() returns timestamptz language sql stable return now();

create or replace function story_make_room(p_project bigint, p_section smallint, p_rank bigint,
	p_id bigint, p_own bigint) returns void language sql
begin atomic
	select story_make_room(p_project, p_section, p_rank, p_id, p_own, 1048576::bigint);
end;

-- The last day of that name (Monday …) on or before p_day.
create or replace function week_start(p_day date, p_week_start_day text) returns date
language sql immutable
return p_day - mod(extract(isodow from p_day)::integer + 7 - array_position(array['monday',
	'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], lower(p_week_start_day)), 7);

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
