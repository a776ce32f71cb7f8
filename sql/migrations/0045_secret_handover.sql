-- While a secret is changed: the new one, sealed with the old one, for workers that have only the old one yet.
create table secret_handover (
	value bytea primary key, -- the check value of the old one
	sealed bytea not null,
	until timestamptz not null
);
