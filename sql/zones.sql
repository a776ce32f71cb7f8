-- Time zones and weeks: the part of the calendar that only the database knows.

-- "+05:30" now, in that zone.
create or replace function zone_offset(p_zone text) returns text language sql stable
return (select case when s < 0 then '-' else '+' end
		|| to_char(make_interval(secs => abs(s)), 'HH24:MI')
	from (select extract(epoch from (now() at time zone p_zone) - (now() at time zone 'UTC'))
		::double precision as s) t);

-- Whether the database knows a zone with that name.
create or replace function zone_known(p_zone text) returns boolean language plpgsql stable as $$
begin
	perform now() at time zone p_zone;
	return true;
exception when invalid_parameter_value then
	return false;
end $$;

-- The last day of that name (Monday …) on or before p_day.
create or replace function week_start(p_day date, p_week_start_day text) returns date
language sql immutable
return p_day - mod(extract(isodow from p_day)::integer + 7 - array_position(array['monday',
	'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], lower(p_week_start_day)), 7);
