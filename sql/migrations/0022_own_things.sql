-- The workers decide on workspaces, integrations, webhooks, saved searches and iteration
-- overrides now (src/domain).
drop trigger if exists rules on workspace;
drop trigger if exists rules on integration;
drop trigger if exists leave_stories on integration;
drop trigger if exists note on integration;
drop trigger if exists rules on webhook;
drop trigger if exists switched on webhook;
drop trigger if exists rules on saved_search;
drop function if exists workspace_rules();
drop function if exists integration_rules();
drop function if exists integration_leave();
drop function if exists integration_note();
drop function if exists is_web_address(text);
drop function if exists webhook_rules();
drop function if exists webhook_switched();
drop function if exists saved_search_rules();
drop function if exists saved_search_own(bigint, bigint);
drop function if exists iteration_override_set(bigint, boolean, bigint, boolean, double precision);
drop function if exists iteration_override_note(bigint, bigint, iteration_override, iteration_override);
