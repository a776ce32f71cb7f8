-- Which state a story came to, and when: one row for each change of state, and
-- one for a story that was made in another state than unscheduled (CONTRACT 3,
-- story_transition).
create table story_transition (
	id bigint generated always as identity primary key,
	story_id bigint not null references story on delete cascade,
	-- Where it happened: a story that moves to another project keeps its past.
	project_id bigint not null references project on delete cascade,
	project_version bigint not null,
	state text not null,
	occurred_at timestamptz not null default clock(),
	performed_by_id bigint references person on delete set null
);
create index story_transition_story on story_transition (story_id, id);
create index story_transition_project on story_transition (project_id, occurred_at, id);
