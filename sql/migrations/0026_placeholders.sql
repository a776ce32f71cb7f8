-- Somebody whom an import knows by name alone: nobody signs in as them, nothing is sent to
-- them, and what is theirs may be claimed (planwrightctl person claim).
alter table person add placeholder boolean not null default false;

-- What the files of a project called a person, so that the next import finds them again.
create table imported_person (
	project_id bigint not null references project on delete cascade,
	key text not null,
	name text,
	person_id bigint references person on delete cascade, -- null: left blank
	primary key (project_id, key)
);
create index imported_person_person on imported_person (person_id);
