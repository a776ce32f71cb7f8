-- One view for each resource: its select list, in one place. Columns are named like the resource's
-- fields (src/model); a worker compares the two when it connects. Recreated after every migration.
drop schema if exists api cascade;
create schema api;

-- Valid named tokens, by their digest.
create view api.valid_token as
select t.id, t.person_id, t.mac, t.scope, t.project_ids, t.used_at
from token t join person p on p.id = t.person_id and p.disabled_at is null
where coalesce(t.expires_at > now(), true);

-- Leaves out projects that have been deleted since.
create view api.token as
select t.id, t.person_id, t.name, t.scope, case when t.project_ids is not null
	then array(select i from unnest(t.project_ids) with ordinality x(i, n)
		where exists (select from project p where p.id = i) order by n) end as project_ids,
	t.not_account_ids, t.created_at, t.expires_at, t.used_at as last_used_at
from token t;

-- A person's places, except in these accounts: projects by their ids, accounts by their ids with a minus sign, and 0
-- for what belongs to neither.
create function api.places_outside(p_person bigint, p_accounts bigint[]) returns bigint[] language sql stable
begin atomic
	select array(select 0
		union all select -m.account_id from account_membership m
		where m.person_id = p_person and m.account_id <> all(p_accounts)
		union all (select p.id from project_membership m join project p on p.id = m.project_id
			where m.person_id = p_person and p.account_id <> all(p_accounts)
			union select p.id from account_membership m join project p using (account_id)
			where m.person_id = p_person and (m.owner or m.admin) and p.account_id <> all(p_accounts)));
end;

-- The places that a named token reaches (db/db.h); null: all of its person's.
create view api.token_reach as
select t.id, t.mac, case when t.not_account_ids is null then t.project_ids
	else api.places_outside(t.person_id, t.not_account_ids) end as reach
from token t;

-- What the owner and administrators of an account see of named tokens that reach it: only projects
-- of that account.
create view api.account_token as
select t.id, a.account_id, t.person_id, t.name, t.scope, case when t.project_ids is not null
	then x.ids end as project_ids, t.created_at, t.expires_at, t.used_at as last_used_at
from account_membership a join token t on t.person_id = a.person_id
cross join lateral (select array(select j.id from unnest(t.project_ids) i(id) join project j on j.id = i.id
	where j.account_id = a.account_id and (a.owner or a.admin or exists (select from project_membership m
		where m.project_id = j.id and m.person_id = t.person_id))
	order by j.id) as ids) x
where coalesce(t.expires_at > now(), true) and (t.project_ids is null or x.ids <> '{}')
	and coalesce(a.account_id <> all(t.not_account_ids), true);

-- The caller, by the digest of a token or by id; for a named token, also what it may do. `reach`: the places that the
-- token reaches, or those of the session (p_reach); null: all of the person's.
create function api.caller(p_mac bytea, p_person bigint, p_reach bigint[]) returns table (id bigint, name text,
	initials text, username text, time_zone text, met_at timestamptz, updated_at timestamptz,
	token_id bigint, reads_only boolean, reach bigint[], is_stale boolean) language sql stable
begin atomic
	select c.id, c.name, c.initials, c.username, c.time_zone, c.met_at, c.updated_at, t.id,
		t.scope = 'read', coalesce(p_reach, case when t.not_account_ids is null then t.project_ids
			else api.places_outside(t.person_id, t.not_account_ids) end), t.id is not null and coalesce(t.used_at < now() - interval '1 hour', true)
	from (values (1)) x
	left join token t on t.mac = p_mac and coalesce(t.expires_at > now(), true)
	left join person c on c.id = coalesce(p_person, t.person_id,
		(select o.id from person o where o.token_mac = p_mac))
		and (t.id is null or c.disabled_at is null);
end;

-- People who share a place, which is a project or an account: they see each other's address (contract 1.11).
create view api.acquaintance as
select a.person_id, b.person_id as other_id, a.project_id as place
from project_membership a join project_membership b using (project_id)
union all
select a.person_id, b.person_id, -account_id
from account_membership a join account_membership b using (account_id);

-- Owners and admins, as an account names them: never with an address (contract 1.11).
create view api.account_person as
select id, name, null::text as email, initials, username from person;

create view api.me as
select p.id, p.name, p.initials, p.username, p.email, p.token_sealed as api_token,
	false as has_google_identity, p.receives_in_app_notifications,
	p.time_zone as time_zone_olson_name, zone_offset(p.time_zone) as time_zone_offset,
	exists (select from second_factor f where f.person_id = p.id
		and f.confirmed_at is not null) as twofactor_auth_enabled, p.created_at, p.updated_at,
	jsonb_build_object('kind', 'personal_settings', 'header_display_mode', p.header_display_mode,
		'reports_autorefresh', p.reports_autorefresh)
		|| case when p.web is null then '{}' else jsonb_build_object('web', p.web) end as personal_settings,
	array(select m.project_id from project_membership m where m.person_id = p.id
		order by m.project_id) as project_ids,
	array(select w.id from workspace w where w.person_id = p.id order by w.id) as workspace_ids
from person p;

create view api.membership_summary as
select m.id, m.person_id as parent_id, m.project_id, p.name as project_name, m.project_color,
	m.favorite, m.role, m.last_viewed_at
from project_membership m join project p on p.id = m.project_id;

-- A project names its account to everybody who sees the project; the account's contents are only
-- for its own people. The viewer must come from a column, so that the planner inlines the query.
create function api.account_seen_by(p_person bigint) returns table (id bigint, name text, plan text,
	status text, created_at timestamptz, updated_at timestamptz, days_left integer,
	over_the_limit boolean, is_enterprise_guest boolean, project_limit integer, owner_id bigint,
	admin_ids bigint[], number_of_projects bigint, number_of_private_projects bigint,
	permissions text[], second_factor text) language sql stable
begin atomic
	select a.id, a.name, a.plan, a.status, a.created_at, a.updated_at,
	null::integer as days_left, false as over_the_limit, false as is_enterprise_guest,
	null::integer as project_limit,
	case when mine.id is not null then (select m.person_id from account_membership m
		where m.account_id = a.id and m.owner) end as owner_id,
	case when mine.id is not null then array(select m.person_id from account_membership m
		where m.account_id = a.id and m.admin order by m.person_id) else '{}' end as admin_ids,
	case when mine.id is not null then (select count(*) from project p
		where p.account_id = a.id) end as number_of_projects,
	case when mine.id is not null then (select count(*) from project p
		where p.account_id = a.id and not p.public) end as number_of_private_projects,
	array_remove(array[case when mine.owner or mine.admin then 'administration' end,
		case when mine.project_creator then 'project_creation' end], null) as permissions,
	case when mine.id is not null then a.second_factor end as second_factor
from account a
left join account_membership mine on mine.account_id = a.id and mine.person_id = p_person;
end;

-- People who have no second factor, with their accounts that require one.
create view api.factor_demand as
select m.person_id, m.account_id from account_membership m join account a on a.id = m.account_id
where a.second_factor = 'required' and not exists (select from second_factor f
	where f.person_id = m.person_id and f.confirmed_at is not null);

-- Those of them whose accounts all require one: until they set one up, they can do nothing else.
create view api.factor_demanded as
select distinct d.person_id from api.factor_demand d
where not exists (select from account_membership m where m.person_id = d.person_id
	and m.account_id not in (select x.account_id from api.factor_demand x where x.person_id = d.person_id));

-- Its id is the person's, as in the path.
create view api.account_membership as
select person_id as id, account_id, person_id, owner, admin, project_creator, created_at, updated_at
from account_membership;

create view api.project as
select p.id, p.name, p.version, p.iteration_length, p.week_start_day, p.point_scale,
	p.point_scale not in ('0,1,2,3', '0,1,2,4,8', '0,1,2,3,5,8') as point_scale_is_custom,
	p.bugs_and_chores_are_estimatable, p.automatic_planning, p.enable_tasks,
	p.time_zone as time_zone_olson_name, zone_offset(p.time_zone) as time_zone_offset,
	p.velocity_averaged_over, p.number_of_done_iterations_to_show, false as has_google_domain,
	p.description, p.profile_content, p.enable_incoming_emails, p.initial_velocity, p.public,
	p.atom_enabled, p.project_type, p.start_date,
	p.created_at, p.updated_at, p.account_id, p.enable_following, p.show_story_priority,
	p.show_priority_icon, p.show_priority_icon_in_all_panels, p.status, p.join_as,
	'{}'::bigint[] as story_template_ids,
	'[]'::jsonb as story_templates, '{}'::jsonb as scm_type_host_url_mapping,
	(select a.occurred_at from activity a where a.project_id = p.id order by a.version desc limit 1)
		as last_activity_at, c.*
from project p cross join lateral project_days(p) c;

-- Those of these columns that iterations are computed from (src/store/plan_load.h).
create view api.project_planning as
select p.id, p.iteration_length, p.week_start_day, p.automatic_planning,
	p.time_zone as time_zone_olson_name, p.velocity_averaged_over,
	p.number_of_done_iterations_to_show, p.initial_velocity, p.start_date, c.*
from project p cross join lateral project_days(p) c;

create view api.project_membership as
select id, project_id, person_id, role, project_color, favorite, last_viewed_at, created_at,
	updated_at, wants_comment_notification_emails, will_receive_mention_notifications_or_emails
from project_membership;

create view api.label as
select id, project_id, name, created_at, updated_at from label;

create view api.story as
select id, created_at, updated_at, accepted_at, estimate, story_type, story_priority, name,
	description, current_state, requested_by_id, project_id, owner_ids, label_ids, follower_ids,
	owner_ids[1] as owned_by_id, deadline, integration_id, external_id, section, rank,
	imported_at, imported_by_id
from story;

create view api.release as
select id, created_at, updated_at, accepted_at, deadline, name, description, current_state,
	project_id, label_ids, null::text as projected_completion_interval, section, rank
from story where story_type = 'release';

create view api.story_transition as
select id, story_id, project_id, project_version, state, occurred_at, performed_by_id
from story_transition;

create view api.task as
select id, story_id, description, complete, position, created_at, updated_at from task;

create view api.activity as
select a.project_id, a.version as project_version, a.project_id || '_' || a.version as guid, a.kind,
	a.message, a.highlight, a.changes, a.primary_resources, a.secondary_resources,
	j.name as project_name, a.person_id as performed_by_id,
	p.name as performed_by_name, p.initials as performed_by_initials, a.occurred_at, a.story_ids,
	a.epic_ids
from activity a join project j on j.id = a.project_id left join person p on p.id = a.person_id;

-- Leaves out private projects and accounts that the person has left. The conditions are subqueries for one value by its
-- key, as the planner could turn `exists` into a table of all memberships, built anew for each list.
create view api.notification as
select n.id, n.person_id, n.project_id as project_id, j.name as project_name,
	n.performer_id as performer_id, p.name as performer_name, n.message, n.context,
	case when n.story_id is null then '/epic/show/' || n.epic_id
		else '/story/show/' || n.story_id end as link,
	n.notification_type, n.new_attachment_count, n.action, n.story_id as story_id, n.story_name,
	n.epic_id as epic_id, n.epic_name, n.comment_id, n.created_at, n.updated_at, n.read_at
from notification n left join project j on j.id = n.project_id
left join person p on p.id = n.performer_id
where j.public or (select true from account_membership m
	where m.account_id = n.account_id and m.person_id = n.person_id) or (select true from project_membership m
	where m.project_id = n.project_id and m.person_id = n.person_id);

create view api.webhook as
select id, project_id, webhook_url, webhook_version, enabled, secret, last_error_code,
	last_response_body, created_at, updated_at
from webhook;
