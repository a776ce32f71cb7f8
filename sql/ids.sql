-- Numbers of JSON are exact below 2^53 only, for browsers and many others: no id ever goes beyond.
-- Runs with every migrate, for the sequences of new tables.
do $$
declare
	s record;
begin
	for s in select sequencename from pg_sequences
		where schemaname = 'planwright' and max_value > 9007199254740991 loop
		execute format('alter sequence %I maxvalue 9007199254740991', s.sequencename);
	end loop;
end $$;
