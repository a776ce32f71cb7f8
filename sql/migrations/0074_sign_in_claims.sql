-- An address that its person gave to themselves, and that nothing has confirmed since; and a user name that no operator
-- gave. They sign in with a password, but whoever is known by that name elsewhere (trust_email, trust_remote_user) need not
-- be this person. Those that are here count as before; of new people, a user name counts only if somebody says so.
alter table person add email_claimed boolean not null default false,
	add username_claimed boolean not null default false;
alter table person alter username_claimed set default true;
-- When the last challenge by which the person added a passkey was made, in microseconds since 1970: none before it adds
-- another one, not even after that passkey was removed.
alter table person add passkey_challenge_at bigint not null default 0;
