-- The workers and planwrightctl decide what names a zone; the database says whether it knows it.
drop function if exists zone_of(jsonb);
