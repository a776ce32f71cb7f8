-- Pull requests, branches and build events are rows of the worker's making.
drop trigger if exists rules on pull_request;
drop trigger if exists rules on branch;
drop trigger if exists rules on cicd_event;
drop trigger if exists note on pull_request;
drop trigger if exists note on branch;
drop trigger if exists note on cicd_event;
drop trigger if exists touch on pull_request;
drop trigger if exists touch on branch;
drop trigger if exists touch on cicd_event;
drop function if exists part_rules();
drop function if exists pull_request_note();
drop function if exists branch_note();
drop function if exists cicd_event_note();
