-- What one program works on at a time: a webhook, whose deliveries it sends, or an import. A holder
-- that dies loses it at its end (sql/lease.sql).
create table lease (
	what text not null,
	id bigint not null,
	holder uuid not null unique, -- another one each time that it is taken
	until timestamptz not null,
	primary key (what, id)
);
