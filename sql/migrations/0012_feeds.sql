-- Every command writes an activity, and many a transition: what these two rows
-- name was checked by enter() in the same transaction, and people are never
-- deleted, so foreign keys would only look it all up again.
-- project_delete() removes them with their project.
alter table activity
	drop constraint activity_project_id_fkey,
	drop constraint activity_person_id_fkey;
alter table story_transition
	drop constraint story_transition_project_id_fkey,
	drop constraint story_transition_performed_by_id_fkey;
drop index activity_person; -- was for its foreign key

-- Nearly all activities are about one story: a plain index is cheaper to keep
-- than an inverted one.
drop index activity_story;
create index activity_story on activity ((story_ids[1])) where cardinality(story_ids) = 1;
create index activity_stories on activity using gin (story_ids) where cardinality(story_ids) > 1;

-- Transitions are asked for by story or by project, never by id alone.
alter table story_transition drop constraint story_transition_pkey;
drop index story_transition_story;
alter table story_transition add primary key (story_id, id);
