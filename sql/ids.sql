-- Browsers and many other JSON clients represent integers exactly only below 2^53, so no id ever
-- reaches that. Runs with every migration, for the sequences of new tables.
do $$
declare
	s record;
begin
	for s in select sequencename from pg_sequences
		where schemaname = 'planwright' and max_value > 9007199254740991 loop
		execute format('alter sequence %I maxvalue 9007199254740991', s.sequencename);
	end loop;
end $$;
