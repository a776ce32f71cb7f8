-- When the last challenge by which the person added a passkey was made, in microseconds since 1970: none before it adds
-- another one, not even after that passkey was removed.
alter table person add passkey_challenge_at bigint not null default 0;
