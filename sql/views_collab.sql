-- Views of epics, comments and other parts of stories; see views.sql.

create view api.epic as
select id, created_at, updated_at, project_id, name, description, label_id, follower_ids, rank
from epic;

create view api.comment as
select id, story_id, epic_id, text, person_id, created_at, updated_at, file_attachment_ids,
	google_attachment_ids, file_attachment_ids || google_attachment_ids as attachment_ids,
	commit_identifier, commit_type, external_source, external_author, external_link,
	imported_at, imported_by_id
from comment;

create view api.file_attachment as
select id, filename, created_at, uploader_id, thumbnailable, height, width, size,
	format('/file_attachments/%s/download', id) as download_url, content_type,
	comment_id is not null as uploaded,
	case when thumbnailable then format('/file_attachments/%s/big', id) else '#' end as big_url,
	case when thumbnailable then format('/file_attachments/%s/thumbnail', id) else '#' end
		as thumbnail_url
from file_attachment;

create view api.google_attachment as
select id, comment_id, person_id, google_kind, title, google_id, alternate_link, resource_id
from google_attachment;

-- Both kinds; their ids come from one sequence.
create view api.attachment as
select 'file_attachment' as kind, f.*, null::bigint as comment_id, null::bigint as person_id,
	null as google_kind, null as title, null as google_id, null as alternate_link,
	null as resource_id
from api.file_attachment f
union all
select 'google_attachment', id, null, null, null, null, null, null, null, null, null, null, null,
	null, comment_id, person_id, google_kind, title, google_id, alternate_link, resource_id
from api.google_attachment;

create view api.blocker as
select id, story_id, person_id, description, resolved, created_at, updated_at from blocker;

create view api.review_type as
select id, project_id, name, hidden, created_at, updated_at from review_type;

create view api.review as
select id, story_id, review_type_id, reviewer_id, status, created_at, updated_at from review;

create view api.pull_request as
select id, story_id, epic_id, owner, repo, host_url, original_url, status, number, created_at,
	updated_at
from pull_request;

create view api.branch as
select id, story_id, epic_id, owner, repo, host_url, name, original_url, created_at, updated_at
from branch;

create view api.cicd_event as
select id, story_id, provider, name, status, url, created_at, updated_at from cicd_event;

-- Leaves out projects that the person has left since.
create view api.workspace as
select w.id, w.name, w.person_id, array(select i from unnest(w.project_ids) with ordinality x(i, n)
	where exists (select from project_membership m where m.project_id = i
		and m.person_id = w.person_id) order by n) as project_ids
from workspace w;

-- A person's workspaces, as seen by somebody who reaches the places p_reach (db/db.h); null: all.
-- Both arguments come from columns, so that the planner inlines the query.
create function api.workspaces_within(p_person bigint, p_reach bigint[]) returns table (id bigint,
	name text, person_id bigint, project_ids bigint[]) language sql stable
begin atomic
	select w.id, w.name, w.person_id, case when p_reach is null then w.project_ids
		else array(select i from unnest(w.project_ids) with ordinality x(i, n)
			where i = any(p_reach) order by n) end
	from api.workspace w
	where w.person_id = p_person and (p_reach is null or 0 = any(p_reach) or w.project_ids && p_reach);
end;

create view api.integration as
select id, kind, project_id, name, active, kind = 'other_integration' as is_other, base_url,
	can_import, import_api_url, story_name, api_username, basic_auth_username, external_project_id,
	filter_id, component, product, statuses_to_exclude, view_id, zendesk_user_email, account,
	company, bin_id, comments_private, update_comments, update_state, created_at, updated_at
from integration;

create view api.external_story as
select id, external_id, integration_id, project_id, name, story_type, created_at, updated_at
from story;

create view api.project_import as
select id, project_id, person_id, state, dry_run, overwrite, renumber, date_order, encoding, filenames,
	size, progress, summary, summary_text, problem, created_at, started_at, finished_at
from project_import;

create view api.import_line as
select i.project_id, l.import_id, l.number, l.file, l.row_number as "row", l.line, l.object_id as id,
	l.field as "column", l.severity, l.code, l.message
from project_import_line l join project_import i on i.id = l.import_id;

-- The audit log, by the account whose owners may read the entry.
create view api.audit_entry as
select id, account_id, occurred_at, act, person_id, means as by, address, request_id, project_id,
	case when object_kind is not null then json_strip_nulls(json_build_object('kind', object_kind, 'id', object_id,
		'name', object_name)) end as object, old, new
from audit_entry;

-- The same for programs that collect logs: one line of JSON for each act, with all accounts it concerns.
-- `brief`: for a log, in which a line has a limit.
create view api.audit_line as
select e.id, e.occurred_at, e.made_in, e.is_first, e.account_id, e.act, e.person_id, e.project_id, e.request_id,
	left(h.head::text, -1) || coalesce(',"old":' || e.old::text, '') || coalesce(',"new":' || e.new::text, '') || '}' as line,
	left(regexp_replace(h.head::text, ',"account_ids":\[[^]]*\]', ''), -1) || ',"cut":true}' as brief
from audit_entry e left join person p on p.id = e.person_id
cross join lateral (select json_strip_nulls(json_build_object('kind', 'audit_entry', 'id', e.id,
		'occurred_at', to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'act', e.act,
		'person_id', e.person_id, 'username', p.username, 'by', e.means, 'address', e.address,
		'request_id', e.request_id, 'account_ids', array(select distinct x.account_id from audit_entry x
			where x.occurred_at = e.occurred_at and x.made_in = e.made_in and x.act = e.act
				and x.object_kind is not distinct from e.object_kind
				and x.object_id is not distinct from e.object_id and x.account_id is not null order by 1),
		'project_id', e.project_id, 'object', case when e.object_kind is not null then json_build_object(
			'kind', e.object_kind, 'id', e.object_id, 'name', e.object_name) end)) as head) h;
