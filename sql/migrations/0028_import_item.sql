-- What was imported, so that the same files again change nothing: a thing of a project, what it
-- was called where it came from (an id, or a digest of what tells it from others there), and a
-- digest of what was written, by which a change that was made here since is known.
create table import_item (
	project_id bigint not null references project on delete cascade,
	kind text not null,
	id bigint not null, -- of the thing, which may be gone
	source bigint,
	natural_key uuid,
	digest uuid,
	primary key (project_id, kind, id)
);
