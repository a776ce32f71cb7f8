-- Who has never signed in, and was invited once, gets no other mail; a command sends one mail to a
-- person, and a performer's mail of a day is counted.
alter table person
	add met_at timestamptz, -- signed in for the first time, by password or token
	add invited_at timestamptz;
update person set met_at = clock() where token_mac is not null or password_hash is not null;
update person p set invited_at = l.at
from (select person_id, min(created_at) as at from letter where kind = 'invitation'
	group by person_id) l
where l.person_id = p.id;

alter table mail
	add more_ids bigint[] not null default '{}', -- of the command's other notifications
	add performer_id bigint,
	add withheld boolean not null default false; -- the performer had sent enough that day
alter table letter
	add performer_id bigint,
	add withheld boolean not null default false;
create index mail_performer on mail (performer_id, created_at);
create index mail_withheld on mail (id) where withheld;
create index letter_performer on letter (performer_id, created_at) where performer_id is not null;
create index letter_withheld on letter (id) where withheld;

-- Faults of webhooks named addresses.
update webhook set last_response_body = 'no answer: could not connect, or timed out'
where last_error_code = 0 and last_response_body is not null;
update delivery set last_error = 'no answer: could not connect, or timed out'
where last_status is null and last_error is not null and last_error not like 'the webhook was %'
	and last_error not like 'the activity is %' and last_error not like 'http is not allowed %';
