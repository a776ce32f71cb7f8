-- Webhooks that are off or fail are counted for those who run the server.
create index webhook_trouble on webhook (id) where not enabled or failing_since is not null;
