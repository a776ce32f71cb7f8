#include "transfer/merge/import_kinds.h"

#include <string.h>

#include "lib/log.h"

#define OF_PROJECT "t.project_id = r.project_id"
#define IN_PROJECT "x.project_id = r.project_id"
#define AT_STORY "t.story_id = m.story_id"
#define AT_THING "(t.story_id = m.story_id or t.epic_id = m.epic_id)"
#define OF_STORIES "x.story_id in (select p.id from import_story p)"
#define OF_THINGS                                                                                  \
	"(x.story_id in (select p.id from import_story p)"                                         \
	" or x.epic_id in (select p.id from import_epic p))"
#define TIMES ", created_at, updated_at"

#define COMMENT_KEY "x.story_id, x.epic_id, md5(coalesce(x.text, ''))"
#define CODE_KEY(what) "x.story_id, x.epic_id, md5(" what ")"
#define PULL_WHAT "format('%s|%s|%s|%s', x.host_url, x.owner, x.repo, x.number)"
#define BRANCH_WHAT "format('%s|%s|%s|%s', x.owner, x.repo, x.name, x.original_url)"
#define CICD_KEY "x.story_id, x.provider, x.name, x.url"
#define NTH(key) "row_number() over (partition by " key " order by x.id)"
#define INTEGRATION                                                                                \
	"kind, name, active, base_url, can_import, import_api_url, story_name, api_username,"      \
	" basic_auth_username, external_project_id, filter_id, component, product,"                \
	" statuses_to_exclude, view_id, zendesk_user_email, account, company, bin_id,"             \
	" comments_private, update_comments, update_state"
#define STORY                                                                                      \
	"name, description, story_type, current_state, estimate, story_priority,"                  \
	" requested_by_id, owner_ids, label_ids, follower_ids, accepted_at, deadline,"             \
	" integration_id, external_id, created_at"

const struct import_kind import_kinds[] = {
	{ INTAKE_LABEL, "label", "label_id_seq", "project_id, name" TIMES, "name",
		"name, updated_at", OF_PROJECT, "md5(x.name)::uuid", IN_PROJECT, NULL, NULL,
		STMT_IMPORT_MERGE_LABEL, NULL },
	{ INTAKE_INTEGRATION, "integration", "integration_id_seq", "project_id, " INTEGRATION TIMES,
		INTEGRATION, INTEGRATION ", updated_at", OF_PROJECT,
		"md5(format('%s|%s|%s', x.kind, x.name, " NTH("x.kind, x.name") "))::uuid",
		IN_PROJECT, NULL, NULL, STMT_IMPORT_MERGE_INTEGRATION, NULL },
	{ INTAKE_EPIC, "epic", "epic_id_seq",
		"project_id, name, description, label_id, follower_ids, rank" TIMES,
		"name, description, label_id", "name, description, label_id, updated_at",
		OF_PROJECT, "md5((select l.name from label l where l.id = x.label_id))::uuid",
		IN_PROJECT, NULL, NULL, STMT_IMPORT_MERGE_EPIC, NULL },
	{ INTAKE_STORY, "story", "story_id_seq", "project_id, " STORY ", updated_at, rank", STORY,
		STORY ", updated_at, rank", OF_PROJECT, NULL, NULL, NULL, NULL,
		STMT_IMPORT_MERGE_STORY, NULL },
	{ INTAKE_REVIEW_TYPE, "review_type", "review_type_id_seq", "project_id, name, hidden" TIMES,
		"lower(name)", "name, updated_at", OF_PROJECT, "md5(lower(x.name))::uuid",
		IN_PROJECT, NULL, NULL, STMT_IMPORT_MERGE_REVIEW_TYPE, NULL },
	{ INTAKE_TASK, "task", "task_id_seq", "story_id, description, complete, position" TIMES,
		"description, complete", "description, complete, updated_at", AT_STORY,
		"md5(format('%s|%s|%s', x.story_id, md5(x.description), " NTH(
			"x.story_id, md5(x.description)") "))::uuid",
		OF_STORIES, "s.story_id::text", "s.description", STMT_IMPORT_MERGE_TASK, NULL },
	{ INTAKE_COMMENT, "comment", "comment_id_seq",
		"story_id, epic_id, text, person_id, commit_identifier, commit_type,"
		" external_source, external_author, external_link" TIMES,
		"text, person_id", "text, person_id, updated_at", AT_THING,
		"md5(format('%s|%s|%s|%s', " COMMENT_KEY ", " NTH(COMMENT_KEY) "))::uuid",
		OF_THINGS, "format('%s|%s', coalesce(s.story_id, s.number), s.epic_id)",
		"coalesce(s.text, '')", STMT_IMPORT_MERGE_COMMENT, NULL },
	{ INTAKE_BLOCKER, "blocker", "blocker_id_seq",
		"story_id, person_id, description, resolved, blocking_story_ids" TIMES,
		"description, resolved, person_id",
		"description, resolved, person_id, blocking_story_ids, updated_at", AT_STORY,
		"md5(format('%s|%s|%s', x.story_id, md5(x.description), " NTH(
			"x.story_id, md5(x.description)") "))::uuid",
		OF_STORIES, "s.story_id::text", "s.description", STMT_IMPORT_MERGE_BLOCKER, NULL },
	{ INTAKE_REVIEW, "review", "review_id_seq",
		"story_id, review_type_id, reviewer_id, status" TIMES,
		"review_type_id, reviewer_id, status",
		"review_type_id, reviewer_id, status, updated_at", AT_STORY,
		"md5(format('%s|%s|%s|%s', x.story_id, x.review_type_id, x.reviewer_id, " NTH(
			"x.story_id, x.review_type_id, x.reviewer_id") "))::uuid",
		OF_STORIES, "s.story_id::text",
		"lower(coalesce(s.type, (select y.name"
		" from staged_review_type y where y.id = s.review_type_id limit 1), ''))",
		STMT_IMPORT_MERGE_REVIEW, NULL },
	{ INTAKE_PULL_REQUEST, "pull_request", "pull_request_id_seq",
		"story_id, epic_id, owner, repo, host_url, number, original_url, status" TIMES,
		"owner, repo, host_url, number, original_url, status",
		"owner, repo, host_url, number, original_url, status, updated_at", AT_THING,
		"md5(format('%s|%s|%s|%s', " CODE_KEY(PULL_WHAT) ", " NTH(
			CODE_KEY(PULL_WHAT)) "))::uuid",
		OF_THINGS, "format('%s|%s', s.story_id, s.epic_id)",
		"format('%s/%s/%s', s.owner, s.repo, coalesce(s.number::text, s.original_url))",
		STMT_IMPORT_MERGE_PULL_REQUEST, NULL },
	{ INTAKE_BRANCH, "branch", "branch_id_seq",
		"story_id, epic_id, owner, repo, host_url, name, original_url" TIMES,
		"owner, repo, host_url, name, original_url",
		"owner, repo, host_url, name, original_url, updated_at", AT_THING,
		"md5(format('%s|%s|%s|%s', " CODE_KEY(BRANCH_WHAT) ", " NTH(
			CODE_KEY(BRANCH_WHAT)) "))::uuid",
		OF_THINGS, "format('%s|%s', s.story_id, s.epic_id)", "s.name",
		STMT_IMPORT_MERGE_BRANCH, NULL },
	{ INTAKE_CICD, "cicd_event", "cicd_event_id_seq",
		"story_id, provider, name, status, url" TIMES, "provider, name, status, url",
		"provider, name, status, url, updated_at", AT_STORY,
		"md5(format('%s|%s|%s', x.story_id, md5(format('%s|%s|%s', x.provider, x.name,"
		" x.url)), " NTH(CICD_KEY) "))::uuid",
		OF_STORIES, "s.story_id::text", "format('%s|%s|%s', s.provider, s.name, s.url)",
		STMT_IMPORT_MERGE_CICD_EVENT, NULL },
	{ INTAKE_FILE, "file_attachment", "attachment_id",
		"project_id, comment_id, uploader_id, filename, content_type, size, width, height,"
		" thumbnailable, created_at",
		"comment_id, filename", "filename", OF_PROJECT, NULL, NULL, NULL, NULL,
		STMT_IMPORT_MERGE_FILE_ATTACHMENT, NULL },
	{ INTAKE_GOOGLE, "google_attachment", "attachment_id",
		"comment_id, person_id, google_kind, title, google_id, alternate_link, resource_id",
		"title, alternate_link", "title, alternate_link", "t.comment_id = m.comment_id",
		"md5(format('%s|%s|%s|%s', x.comment_id, x.google_id, x.title, " NTH(
			"x.comment_id, x.google_id, x.title") "))::uuid",
		"x.comment_id in (select c.id from merged_comment c)", NULL, NULL,
		STMT_IMPORT_MERGE_GOOGLE_ATTACHMENT, NULL },
	{ INTAKE_SAVED_SEARCH, "saved_search", "saved_search_id_seq",
		"project_id, person_id, name, query" TIMES, "name, query, person_id",
		"name, query, updated_at", OF_PROJECT,
		"md5(format('%s|%s|%s', x.person_id, x.name, " NTH(
			"x.person_id, x.name") "))::uuid",
		IN_PROJECT, NULL, NULL, STMT_IMPORT_MERGE_SAVED_SEARCH, NULL },
	{ INTAKE_WEBHOOK, "webhook", "webhook_id_seq",
		"project_id, webhook_url, webhook_version, enabled" TIMES,
		"webhook_url, webhook_version, enabled", "webhook_version, enabled, updated_at",
		OF_PROJECT, "md5(format('%s|%s', x.webhook_url, " NTH("x.webhook_url") "))::uuid",
		IN_PROJECT, NULL, NULL, STMT_IMPORT_MERGE_WEBHOOK, NULL },
};
const int import_kinds_count = sizeof import_kinds / sizeof *import_kinds;

const struct import_kind *import_kind_of(enum intake_kind kind)
{
	for (int i = 0; i < import_kinds_count; i++)
		if (import_kinds[i].kind == kind)
			return &import_kinds[i];
	log_die("no kind of import %d", (int)kind);
}
