#include "transfer/out/export_lines.h"

#include "model/model.h"
#include "model/render.h"
#include "model/travel.h"

static const struct {
	const char *name;
	const struct resource *resource; /* travel.h says what a line of it contains */
	enum stmt stmt;
	enum export_lines_by by;
	const char *key; /* by project: the column they are sorted by */
} files[EXPORT_LINES] = {
	{ "project.jsonl", &res_project, STMT_EXPORT_PROJECT, EXPORT_BY_PROJECT, "id" },
	{ "people.jsonl", &res_person, STMT_EXPORT_PEOPLE, EXPORT_BY_PROJECT, "id" },
	{ "memberships.jsonl", &res_project_membership, STMT_EXPORT_MEMBERSHIPS, EXPORT_BY_PROJECT,
		"id" },
	{ "labels.jsonl", &res_label, STMT_EXPORT_LABELS, EXPORT_BY_PROJECT, "id" },
	{ "review_types.jsonl", &res_review_type, STMT_EXPORT_REVIEW_TYPES, EXPORT_BY_PROJECT,
		"id" },
	{ "integrations.jsonl", &res_integration, STMT_EXPORT_INTEGRATIONS, EXPORT_BY_PROJECT,
		"id" },
	{ "iteration_overrides.jsonl", &res_iteration_override, STMT_EXPORT_OVERRIDES,
		EXPORT_BY_PROJECT, "number" },
	{ "epics.jsonl", &res_epic, STMT_EXPORT_EPIC_LINES, EXPORT_BY_EPICS, NULL },
	{ "stories.jsonl", &res_story, STMT_EXPORT_STORY_LINES, EXPORT_BY_STORIES, NULL },
	{ "activity.jsonl", &res_activity, STMT_EXPORT_ACTIVITY, EXPORT_BY_PROJECT,
		"project_version" },
	{ "saved_searches.jsonl", &res_saved_search, STMT_EXPORT_SAVED_SEARCHES, EXPORT_BY_PROJECT,
		"id" },
	{ "webhooks.jsonl", &res_webhook, STMT_EXPORT_WEBHOOKS, EXPORT_BY_PROJECT, "id" },
};

const char *export_lines_name(int i)
{
	return files[i].name;
}

enum export_lines_by export_lines_by(int i)
{
	return files[i].by;
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
	struct fetched *f = fetch_wrap(
		x->arena, x->db, travel_select(x->arena, files[i].resource), files[i].stmt, rows);
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
		x->last = db_get_int(rows, *n - 1, db_column(rows, files[i].key));
	return RC_OK;
}
