-- Drops what earlier versions created and this one does not: triggers, functions and views. Runs
-- first, in the transaction that recreates the current ones, so that nobody sees a gap. Functions
-- needed by tables (defaults, constraints, generated columns) stay.
drop schema if exists api cascade;

do $$
declare
	t record;
	f regprocedure;
	v_dropped integer := 1;
begin
	for t in select g.tgname, g.tgrelid::regclass as of from pg_trigger g
		join pg_class c on c.oid = g.tgrelid
		where c.relnamespace = 'planwright'::regnamespace and not g.tgisinternal loop
		execute format('drop trigger %I on %s', t.tgname, t.of);
	end loop;
	while v_dropped > 0 loop -- one may depend on another
		v_dropped := 0;
		for f in select p.oid::regprocedure from pg_proc p
			where p.pronamespace = 'planwright'::regnamespace loop
			begin
				execute format('drop function %s', f);
				v_dropped := v_dropped + 1;
			exception when dependent_objects_still_exist then
				null;
			end;
		end loop;
	end loop;
end $$;
