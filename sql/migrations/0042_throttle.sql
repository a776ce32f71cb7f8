-- Wrong passwords and links that are asked for count by the network they come from.
alter table sign_in_failure add network text not null default '';
create index sign_in_failure_network on sign_in_failure (login, network, created_at);
alter table letter add network text;
-- When the person was last told that many networks are wrong for them.
alter table person add warned_at timestamptz;
