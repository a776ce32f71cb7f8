-- The address that files gave a placeholder: who has confirmed it may claim what is theirs.
alter table person add said_email text, add confirmed_email text;
create index person_said_email on person (lower(said_email)) where said_email is not null;

-- Where a link was sent: who uses it has that mailbox.
alter table letter add sent_to text;

-- What an import made: who asked for it, and when. No key: nothing asks for it by the person.
alter table story add imported_at timestamptz, add imported_by_id bigint;
alter table comment add imported_at timestamptz, add imported_by_id bigint;
