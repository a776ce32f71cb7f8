-- When a provider's keys came: asked for (keys_asked_at) and not there yet, somebody waits for them.
alter table oidc_provider add keys_at timestamptz not null default clock();
