-- Time zones: only the database knows their names and offsets.

-- The zone's offset now, as "+05:30".
create or replace function zone_offset(p_zone text) returns text language sql stable
return (select case when s < 0 then '-' else '+' end
		|| to_char(make_interval(secs => abs(s)), 'HH24:MI')
	from (select extract(epoch from (now() at time zone p_zone) - (now() at time zone 'UTC'))
		::double precision as s) t);

-- Whether the database knows a zone with that name. PostgreSQL takes a description such as Mars/Base5 ("five hours
-- behind, called Mars/Base") for a zone, too, but calls it MARS/BASE5; zones of the tz database have small letters.
create or replace function zone_known(p_zone text) returns boolean language plpgsql stable
set timezone = 'UTC' as $$
begin
	perform set_config('timezone', p_zone, true);
	return current_setting('timezone') ~ '[a-z]' or p_zone = 'UTC';
exception when invalid_parameter_value then
	return false;
end $$;
