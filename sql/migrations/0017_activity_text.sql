-- What an activity tells is written once and answered whole: as text it need not be parsed
-- into jsonb by the one who cannot be multiplied. Rewrites the table: it may take a minute for
-- each million of activities.
drop view if exists api.activity;
alter table activity
	alter changes type text using changes::text,
	alter primary_resources type text using primary_resources::text,
	alter secondary_resources type text using secondary_resources::text;

do $$
begin
	alter table activity alter changes set compression lz4;
exception when feature_not_supported then
	null; -- a PostgreSQL built without it
end $$;
