-- Workers decide, and the database keeps: a new project's zone comes from the one who makes it
-- by the program. Triggers and functions that did so go with every migrate (sql/clean.sql).
alter table project alter column time_zone set default 'Etc/UTC';
