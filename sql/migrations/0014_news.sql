-- What people are told is gathered first: other functions, in sql/events.sql.
drop function if exists notify(bigint[], text, text, text, text, bigint, bigint, bigint, integer);
drop function if exists notify_of_story(jsonb, text);
drop function if exists notify_of_comment(bigint, text);
drop function if exists notify_of_blocker(bigint, text, text);
