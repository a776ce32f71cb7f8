-- What the import's own transaction says of its end, which its commit makes true: done or lost. Null: it
-- is not committed, or was by an importer of the version before.
alter table project_import add column kept_as text;
