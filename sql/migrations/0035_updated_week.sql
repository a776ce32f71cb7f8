-- An index of updated_at would make every change of a story write into all of the story's
-- indexes. This one makes it write there once a week, or when the story's place changes.
drop index story_updated;
-- PostgreSQL 17 writes no table anew whose rows a function takes. Those of version 0.1 do; what is
-- still wanted is made again behind the migrations.
do $$
declare
	f regprocedure;
begin
	for f in select p.oid::regprocedure from pg_proc p
		where p.pronamespace = 'planwright'::regnamespace
			and (p.prorettype = 'story'::regtype or 'story'::regtype = any (p.proargtypes::oid[])) loop
		execute format('drop function %s cascade', f);
	end loop;
end $$;
alter table story add updated_week date not null generated always as
	(date_trunc('week', updated_at at time zone 'UTC')::date) stored;
create index story_updated on story (project_id, updated_week);
