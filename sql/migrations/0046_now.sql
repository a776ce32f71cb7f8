-- The time is PostgreSQL's now(). Tests set it in a database of theirs (t/http/conftest.py).

do $$
declare
	d record;
begin
	for d in select c.oid::regclass as place, a.attname as name, pg_get_expr(x.adbin, x.adrelid) as preset
		from pg_attrdef x join pg_class c on c.oid = x.adrelid
		join pg_attribute a on a.attrelid = c.oid and a.attnum = x.adnum
		where c.relnamespace = 'planwright'::regnamespace and pg_get_expr(x.adbin, x.adrelid) like '%clock()%'
	loop
		execute format('alter table %s alter column %I set default %s', d.place, d.name,
			replace(replace(d.preset, 'planwright.clock()', 'now()'), 'clock()', 'now()'));
	end loop;
end $$;
