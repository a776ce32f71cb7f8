-- The second factor of people: a secret that makes codes (RFC 6238), sealed as tokens are, and the last step of time
-- whose code was accepted.
create table second_factor (
	person_id bigint primary key references person on delete cascade,
	sealed bytea not null,
	last_step bigint not null default 0,
	created_at timestamptz not null default clock(),
	confirmed_at timestamptz -- absent: not yet, and nobody is asked for a code
);
-- Digests keyed with that secret, so another secret of the server leaves them alone.
create table recovery_code (
	person_id bigint not null references second_factor on delete cascade,
	mac bytea not null,
	primary key (person_id, mac)
);
