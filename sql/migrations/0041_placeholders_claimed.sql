-- The address that files gave a placeholder: who has confirmed it may claim what is theirs.
alter table person add said_email text;

-- What an import made: who asked for it, and when. No key: people come and go without a look here.
alter table story add imported_at timestamptz, add imported_by_id bigint;
alter table comment add imported_at timestamptz, add imported_by_id bigint;
