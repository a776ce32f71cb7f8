-- Imports take turns by person: when the last one of a person began. Who asked for one, or runs the
-- server, can end it.
create table import_turn (
	person_id bigint primary key references person on delete cascade,
	began_at timestamptz not null
);
alter table project_import drop constraint project_import_state_check;
alter table project_import add constraint project_import_state_check
	check (state in ('queued', 'running', 'done', 'lost', 'refused', 'cancelled'));
-- The import's own transaction is about to commit: nothing ends it any more.
alter table project_import add column committed boolean not null default false;
drop index project_import_waiting;
create index project_import_waiting on project_import (person_id, id) where state in ('queued', 'running');
