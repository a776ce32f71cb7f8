-- Who is added to an account is told, in no project.
alter table notification
	alter project_id drop not null,
	add account_id bigint references account on delete cascade;
create index notification_account on notification (account_id) where account_id is not null;

-- An account's owner administers it and may create projects in it: no longer by being the owner.
update account_membership set admin = true, project_creator = true
where owner and not (admin and project_creator);

-- The workers do the work of these now.
drop trigger if exists last_owner on project_membership;
drop trigger if exists rules on account_membership;
drop trigger if exists leave_projects on account_membership;
drop trigger if exists people_follow on project;
drop trigger if exists drop_overrides on project;
drop function if exists person_for_membership(bigint, text, text, text);
drop function if exists project_membership_last_owner();
drop function if exists membership_writable(bigint, text);
drop function if exists membership_removable(bigint);
drop function if exists color_of(text);
drop function if exists account_membership_rules();
drop function if exists account_membership_leave();
drop function if exists project_people_follow();
drop function if exists project_delete(bigint);
drop function if exists project_account(bigint, text);
drop function if exists account_for_project(bigint);
drop function if exists iteration_overrides_drop();
