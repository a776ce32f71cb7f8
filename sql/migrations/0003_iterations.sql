-- What a project's iterations have that differs from its settings (CONTRACT
-- 5.2). Iterations themselves are not stored: they follow from the settings,
-- the stories and the time.
create table iteration_override (
	project_id bigint not null references project on delete cascade,
	number integer not null check (number > 0),
	length integer check (length between 1 and 99),
	team_strength double precision check (team_strength between 0 and 10),
	primary key (project_id, number),
	check (length is not null or team_strength is not null)
);
