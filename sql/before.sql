-- What workers of the previous version call until the last of them has exited: an upgrade changes
-- the schema first. Remove all this in the next version.

create or replace function clock() returns timestamptz language sql stable return now();

create or replace function story_make_room(p_project bigint, p_section smallint, p_rank bigint,
	p_id bigint, p_own bigint) returns void language sql
begin atomic
	select story_make_room(p_project, p_section, p_rank, p_id, p_own, 1048576::bigint);
end;

-- The latest day with that name (Monday …) on or before p_day.
create or replace function week_start(p_day date, p_week_start_day text) returns date
language sql immutable
return p_day - mod(extract(isodow from p_day)::integer + 7 - array_position(array['monday',
	'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], lower(p_week_start_day)), 7);

-- Iteration 1 begins on the last week start on or before start_date (without one: the day of
-- creation) or the first acceptance, whichever is earlier (contract 5.3). Of accepted stories, the
-- first by rank was accepted first.
create or replace function first_day(p project) returns date language plpgsql stable as $$
begin
	return week_start(least(coalesce(p.start_date, local_date(p.created_at, p.time_zone)),
		(select local_date(s.accepted_at, p.time_zone) from story s
			where s.project_id = p.id and s.section = 0 order by s.rank, s.id limit 1)),
		p.week_start_day);
end $$;

-- The local date on which an iteration begins: an overridden length shifts all later iterations.
create or replace function iteration_day(p project, p_first date, p_number integer) returns date
language plpgsql stable as $$
begin
	return p_first + 7 * (p.iteration_length * (p_number - 1) + (select
		coalesce(sum(o.length - p.iteration_length), 0) from iteration_override o
		where o.project_id = p.id and o.number < p_number and o.length is not null))::integer;
end $$;

-- The number of the iteration that contains a local date, counted from the last iteration before it
-- that has an overridden length. Before the first day, it is 1.
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

-- The iteration in which a story was accepted, with its first and last day, given the project's
-- first day and current iteration.
create or replace function accepted_iteration(p project, p_first date, p_current integer,
	p_at timestamptz, out number integer, out first_day date, out last_day date)
language plpgsql stable strict as $$
begin
	number := least(iteration_number(p, p_first, local_date(p_at, p.time_zone)), p_current);
	first_day := iteration_day(p, p_first, number);
	last_day := iteration_day(p, p_first, number + 1) - 1;
end $$;

-- Senders of the previous version hold a session-level lock while they send to a webhook, and know nothing of leases.
-- They get a lease all the same, which their connection remembers, so that no other sender sends at the same time.
create or replace function delivery_take(p_after bigint, p_busy bigint[], p_share bigint, p_off text,
	out delivery_id bigint, out webhook_id bigint, out project_id bigint, out version bigint,
	out url text, out secret text) language plpgsql as $$
declare
	t record;
begin
	select x.* into t from delivery_take(p_after, p_share, p_off, interval '1 minute') x;
	delivery_id := t.delivery_id;
	webhook_id := t.webhook_id;
	project_id := t.project_id;
	version := t.version;
	url := t.url;
	secret := t.secret;
	if t.lease is not null then
		perform set_config('planwright.lease' || t.webhook_id, t.lease, false);
	end if;
end $$;

-- The lease of such a sender. If it began before there were leases, it holds the lock, and trades that for a lease.
create or replace function delivery_lease(p_webhook bigint) returns uuid language plpgsql as $$
declare
	v_name text := 'planwright.lease' || p_webhook;
	v_lease uuid := nullif(current_setting(v_name, true), '')::uuid;
begin
	perform set_config(v_name, '', false);
	if v_lease is null and exists (select from pg_locks l where l.locktype = 'advisory'
			and l.objsubid = 1 and l.pid = pg_backend_pid() and l.granted
			and (l.classid::bigint << 32 | l.objid::bigint) = delivery_lock(p_webhook)) then
		v_lease := lease_take('webhook', p_webhook, interval '1 minute');
		perform pg_advisory_unlock(delivery_lock(p_webhook));
	end if;
	return v_lease;
end $$;

create or replace function delivery_done(p_webhook bigint, p_delivery bigint, p_status integer)
returns void language plpgsql as $$
begin
	perform delivery_done(p_webhook, p_delivery, p_status, delivery_lease(p_webhook));
end $$;

create or replace function delivery_failed(p_webhook bigint, p_delivery bigint, p_status integer,
	p_error text, p_body text, p_off text) returns boolean language plpgsql as $$
begin
	return delivery_failed(p_webhook, p_delivery, p_status, p_error, p_body, p_off,
		delivery_lease(p_webhook));
end $$;

create or replace function delivery_drop(p_webhook bigint, p_delivery bigint, p_error text) returns void
language plpgsql as $$
begin
	perform delivery_drop(p_delivery, p_error, delivery_lease(p_webhook));
end $$;
