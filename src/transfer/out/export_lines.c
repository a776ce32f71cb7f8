#include "transfer/out/export_lines.h"

#include "lib/log.h"
#include "model/model.h"
#include "model/render.h"
#include "service/fields.h"

/* With what the interface does not show: whose it is, in whose feeds it stands. */
static const struct field saved_search_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "saved_search" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "person_id", FT_INT, F_DEFAULT, .doc = "Who made it." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "What its maker calls it." },
	{ "query", FT_STRING, F_DEFAULT, .doc = "The search." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
};
static const struct resource saved_search = { "saved_search",
	RESOURCE_FIELDS(saved_search_fields) };

static const struct field performer_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "person" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Full name." },
	{ "initials", FT_STRING, F_DEFAULT, .doc = "Initials." },
};
static const struct resource performer = { "person", RESOURCE_FIELDS(performer_fields) };

static const struct field activity_fields[] = {
	{ "kind", FT_STRING, F_DEFAULT, .doc = "What was done." },
	{ "guid", FT_STRING, F_DEFAULT, .doc = "<project id>_<project version>" },
	{ "project_version", FT_INT, F_DEFAULT | F_KEY, .doc = "The version that it made." },
	{ "message", FT_STRING, F_DEFAULT, .doc = "A sentence for people." },
	{ "highlight", FT_STRING, F_DEFAULT, .doc = "Its verb." },
	{ "changes", FT_EVENTS, F_DEFAULT, .doc = "Old and new values." },
	{ "primary_resources", FT_EVENTS, F_DEFAULT, .doc = "What it is about." },
	{ "secondary_resources", FT_EVENTS, F_DEFAULT, .doc = "What else it touches." },
	{ "performed_by", FT_INLINE, F_DEFAULT, .child = &performer, .doc = "Who did it." },
	{ "occurred_at", FT_TIME, F_DEFAULT, .doc = "When." },
	{ "story_ids", FT_IDS, F_DEFAULT, .doc = "Stories whose feeds it stands in." },
	{ "epic_ids", FT_IDS, F_DEFAULT, .doc = "Epics whose feeds it stands in." },
};
static const struct resource activity = { "activity", RESOURCE_FIELDS(activity_fields) };

#define COMMENTS "comments(:default,file_attachments,google_attachments)"
/* fields null: the default ones, as the interface answers them. */
static const struct {
	const char *name, *fields;
	const struct resource *resource;
	enum stmt stmt;
	enum export_lines_by by;
} files[EXPORT_LINES] = {
	{ "project.jsonl", ":default,status,join_as", &res_project, STMT_EXPORT_PROJECT,
		EXPORT_BY_PROJECT },
	{ "people.jsonl", NULL, &res_person, STMT_EXPORT_PEOPLE, EXPORT_BY_PROJECT },
	{ "memberships.jsonl",
		"kind,project_id,person_id,role,project_color,favorite,last_viewed_at,created_at,"
		"updated_at,wants_comment_notification_emails,"
		"will_receive_mention_notifications_or_emails",
		&res_project_membership, STMT_EXPORT_MEMBERSHIPS, EXPORT_BY_PROJECT },
	{ "labels.jsonl", NULL, &res_label, STMT_EXPORT_LABELS, EXPORT_BY_PROJECT },
	{ "review_types.jsonl", NULL, &res_review_type, STMT_EXPORT_REVIEW_TYPES,
		EXPORT_BY_PROJECT },
	{ "integrations.jsonl", NULL, &res_integration, STMT_EXPORT_INTEGRATIONS,
		EXPORT_BY_PROJECT },
	{ "iteration_overrides.jsonl", NULL, &res_iteration_override, STMT_EXPORT_OVERRIDES,
		EXPORT_BY_PROJECT },
	{ "epics.jsonl",
		"kind,created_at,updated_at,project_id,name,description,url,label_id,follower_ids," COMMENTS
		",pull_requests,branches",
		&res_epic, STMT_EXPORT_EPIC_LINES, EXPORT_BY_EPICS },
	{ "stories.jsonl",
		"kind,created_at,updated_at,accepted_at,estimate,story_type,story_priority,name,"
		"description,current_state,requested_by_id,url,project_id,owner_ids,label_ids,"
		"deadline,integration_id,external_id,follower_ids,tasks," COMMENTS ",blockers,"
		"reviews,pull_requests,branches,cicd_events,transitions",
		&res_story, STMT_EXPORT_STORY_LINES, EXPORT_BY_STORIES },
	{ "activity.jsonl", NULL, &activity, STMT_EXPORT_ACTIVITY, EXPORT_BY_PROJECT },
	{ "saved_searches.jsonl", NULL, &saved_search, STMT_EXPORT_SAVED_SEARCHES,
		EXPORT_BY_PROJECT },
	{ "webhooks.jsonl",
		"kind,project_id,webhook_url,webhook_version,enabled,created_at,updated_at",
		&res_webhook, STMT_EXPORT_WEBHOOKS, EXPORT_BY_PROJECT },
};

const char *export_lines_name(int i)
{
	return files[i].name;
}

enum export_lines_by export_lines_by(int i)
{
	return files[i].by;
}

static struct selection *select_of(struct arena *a, int i)
{
	const char *problem;
	struct str unknown;
	struct selection *s;
	if (!files[i].fields)
		return select_default(a, files[i].resource);
	struct fields *f = fields_parse(a, str_of(files[i].fields), &problem);
	if (!f || select_fields(a, files[i].resource, f, &s, &unknown))
		log_die("%s asks for fields that are not there", files[i].name);
	return s;
}

static void send(struct export_lines *x, int i)
{
	const struct db_param ids = db_ids(x->arena, x->ids, x->n_ids);
	const struct db_param place[] = { db_int(x->arena, x->project), db_int(x->arena, x->last),
		db_int(x->arena, EXPORT_LINES_PIECE) };
	if (files[i].by == EXPORT_BY_PROJECT)
		db_send(x->db, files[i].stmt, 3, place);
	else
		db_send(x->db, files[i].stmt, 1, &ids);
	db_flush(x->db);
}

enum rc export_lines_put(struct export_lines *x, int i, struct buf *out, int *n)
{
	struct json json;
	struct rows *rows;
	send(x, i);
	enum rc rc = db_next(x->db, &rows);
	if (rc)
		return rc;
	struct fetched *f =
		fetch_wrap(x->arena, x->db, select_of(x->arena, i), files[i].stmt, rows);
	if ((rc = fetch_nested(x->arena, x->db, f)))
		return rc;
	*n = db_count(rows);
	for (int row = 0; row < *n; row++) {
		json_init(&json, out);
		const struct render r = {
			.arena = x->arena, .json = &json, .base_url = x->base_url, .exact = true
		};
		render_row(&r, f, row);
		buf_put_char(out, '\n');
	}
	if (*n > 0 && files[i].by == EXPORT_BY_PROJECT)
		x->last = db_get_int(rows, *n - 1, f->key_column);
	return RC_OK;
}
