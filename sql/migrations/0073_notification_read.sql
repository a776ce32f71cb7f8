-- Notifications that were read long ago are deleted if the setting notification_days says so. A new one is not in it.
create index notification_read on notification (read_at) where read_at is not null;
