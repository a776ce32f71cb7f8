-- An index of updated_at would make every change of a story write into all of the story's
-- indexes. This one makes it write there once a week, or when the story's place changes.
drop index story_updated;
alter table story add updated_week date not null generated always as
	(date_trunc('week', updated_at at time zone 'UTC')::date) stored;
create index story_updated on story (project_id, updated_week);
