-- What planwright-sender keeps beside the outbox of 0006.

-- Since when every attempt of the webhook has failed; null while it works.
alter table webhook add failing_since timestamptz;

-- The log of a webhook, and its deletion.
create index delivery_webhook on delivery (webhook_id, id);
-- Old rows are swept.
create index delivery_age on delivery (created_at);
create index mail_age on mail (created_at);
create index mail_notification on mail (notification_id);
