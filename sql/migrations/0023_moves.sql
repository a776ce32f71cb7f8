-- The workers decide on moves between projects now (src/domain/move.h).
drop trigger if exists parts_follow on story;
drop function if exists story_parts_follow();
drop function if exists enter_move(bytea, bigint, bigint, bigint, bigint);
drop function if exists leave_story(text, boolean);
drop function if exists is_label_of(jsonb, bigint[]);
drop function if exists story_settle(story, story);
drop function if exists members_among(bigint[], bigint);
drop function if exists from_project();
