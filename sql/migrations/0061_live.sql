-- How many notifications somebody has not read is asked whenever there are others.
create index notification_unread on notification (person_id) include (project_id) where read_at is null;
