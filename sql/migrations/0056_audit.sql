-- The audit log: who did what, and when (src/domain/audit.h). It is only added to: rows go with the partition of their
-- month, which audit_keep() (sql/audit.sql) makes and drops. A row has no foreign keys: it outlives what it tells of.
create sequence audit_entry_id_seq maxvalue 9007199254740991;
create table audit_entry (
	id bigint not null default nextval('audit_entry_id_seq'),
	occurred_at timestamptz not null default now(),
	account_id bigint, -- whose owner reads it; an act that concerns several accounts has a row for each
	is_first boolean not null, -- of these
	made_in xid8 not null default pg_current_xact_id(), -- for readers that follow (planwrightctl audit --follow)
	act text not null,
	person_id bigint, -- who did it; of a refused sign-in, whose name it was
	means text not null, -- session, api_token, token:NAME, password, link, provider:NAME, import, ctl:USER
	address text,
	request_id text,
	project_id bigint,
	object_kind text,
	object_id bigint,
	object_name text,
	old json,
	new json,
	primary key (occurred_at, id)
) partition by range (occurred_at);
create index audit_entry_account on audit_entry (account_id, occurred_at desc, id desc);
create index audit_entry_person on audit_entry (account_id, person_id, occurred_at desc, id desc);
create index audit_entry_act on audit_entry (account_id, act, occurred_at desc, id desc);
create index audit_entry_project on audit_entry (account_id, project_id, occurred_at desc, id desc);
create rule audit_entry_stays as on update to audit_entry do instead nothing;
create rule audit_entry_stays_there as on delete to audit_entry do instead nothing;

-- For a month without a partition, so that no act fails for want of one.
create table audit_entry_rest partition of audit_entry default;
create rule audit_entry_stays as on update to audit_entry_rest do instead nothing;
create rule audit_entry_stays_there as on delete to audit_entry_rest do instead nothing;
