-- What pages of this server keep for a person.
alter table person add web jsonb;

-- Answers to requests that bring a key of their own, for those who did not hear them.
create table once (
	person_id bigint not null references person on delete cascade,
	key text not null,
	request bytea not null, -- the digest of all that was asked for
	status smallint not null,
	version bigint not null, -- of the project; 0: none
	answer text, -- null: too long to be kept
	created_at timestamptz not null default clock(),
	primary key (person_id, key)
);
create index once_person on once (person_id, created_at);
create index once_age on once (created_at);
