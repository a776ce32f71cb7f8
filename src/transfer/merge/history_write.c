#include "transfer/merge/history_write.h"

#include "lib/json.h"
#include "transfer/merge/iteration_check.h"
#include "transfer/merge/overrides.h"

/*
 * The address of a story or an epic in the JSON of an activity, for a regular expression of
 * PostgreSQL: activities keep only what follows a server's address.
 */
#define ADDRESS "(\"url\": ?\")[^\"]*(/(?:story|epic)/show/[0-9]+\")"

/*
 * Waiting activities, and whether they keep their versions: in a new project, all or none of them.
 */
struct past {
	int64_t n, last;
	bool keeps;
};

static enum rc load(struct import_context *w, struct past *p)
{
	struct rows *rows;
	enum rc rc = context_run(w, STMT_IMPORT_MERGE_ACTIVITY, 0, NULL);
	if (!rc)
		rc = context_rows(w, STMT_IMPORT_ACTIVITY_VERSIONS, 0, NULL, &rows);
	if (rc)
		return rc;
	p->n = db_get_int(rows, 0, db_column(rows, "n"));
	int64_t versions = db_int_or_0(rows, 0, db_column(rows, "versions"));
	p->last = db_int_or_0(rows, 0, db_column(rows, "last"));
	p->keeps = w->is_new && w->is_whole && versions == p->n && p->last <= w->version &&
		(p->n == 0 || db_get_int(rows, 0, db_column(rows, "first")) > 1);
	return RC_OK;
}

static enum rc write_past(struct import_context *w, const struct past *p)
{
	struct rows *rows;
	const struct db_param params[] = { db_int(w->arena, w->version),
		db_bool(w->arena, p->keeps), context_z(w, ADDRESS) };
	if (p->n == 0)
		return RC_OK;
	context_progress(w, "activity", 0, 0);
	enum rc rc = context_run(w, STMT_IMPORT_REMEMBER_ACTIVITY, 2, params);
	if (!rc)
		rc = context_rows(w, STMT_IMPORT_INSERT_ACTIVITY, 3, params, &rows);
	if (rc)
		return rc;
	if (w->renamed)
		report_say(w->report, INTAKE_CHANGED, NIL, NULL, "old_ids",
			"activities tell what changed with the ids that the files have");
	report_count(w->report, INTAKE_ACTIVITY, REPORT_CREATED, p->n);
	w->changes += p->n;
	return RC_OK;
}

/* The project as activities name it. */
static void put_project(struct import_context *w, struct json *j)
{
	json_key(j, "kind");
	json_z(j, "project");
	json_key(j, "id");
	json_int(j, w->project);
	json_key(j, "name");
	json_str(j, w->name);
}

/* The project as what the activity is about, or as a change that names no values: all of it changed. */
static struct str about_project(struct import_context *w, bool is_change)
{
	struct buf text = { 0 };
	struct json j;
	json_init(&j, &text);
	json_array(&j);
	json_object(&j);
	put_project(w, &j);
	if (is_change) {
		json_key(&j, "change_type");
		json_z(&j, "update");
		json_key(&j, "original_values");
		json_object(&j);
		json_object_end(&j);
		json_key(&j, "new_values");
		json_object(&j);
		json_object_end(&j);
	}
	json_object_end(&j);
	json_array_end(&j);
	struct str s = arena_str(w->arena, buf_str(&text));
	buf_free(&text);
	return s;
}

static enum rc tell_import(struct import_context *w, int64_t version)
{
	struct db_param number = db_int(w->arena, version);
	const struct db_param params[] = { number, db_text(w->arena, about_project(w, true)),
		db_text(w->arena,
			arena_printf(w->arena, "%.*s imported this project",
				(int)w->performer_name.n, w->performer_name.p)),
		db_text(w->arena, about_project(w, false)) };
	enum rc rc = context_run(w, STMT_IMPORT_VERSION, 1, &number);
	return rc ? rc : context_run(w, STMT_IMPORT_ACTIVITY, 4, params);
}

static enum rc count(struct import_context *w)
{
	enum rc rc = context_run(w, STMT_IMPORT_COUNT_STORIES, 0, NULL);
	return rc ? rc : context_run(w, STMT_IMPORT_COUNT_LABELS, 0, NULL);
}

static enum rc write_texts(struct import_context *w)
{
	context_progress(w, "search", 0, 0);
	enum rc rc = context_run(w, STMT_IMPORT_TEXTS_GONE, 0, NULL);
	return rc ? rc : context_run(w, STMT_IMPORT_TEXTS, 0, NULL);
}

enum rc history_write(struct import_context *w)
{
	struct past p;
	enum rc rc = load(w, &p);
	if (!rc)
		rc = overrides_write(w);
	if (!rc)
		rc = write_past(w, &p);
	if (!rc)
		rc = context_remarks(w, stmt_texts[STMT_IMPORT_REPORT_HISTORY].sql);
	report_count(w->report, INTAKE_ACTIVITY, REPORT_LOST, rc ? 0 : w->lost);
	if (rc)
		return rc;
	int64_t version = p.keeps ? w->version : w->version + p.n + 1;
	const struct db_param number = db_int(w->arena, version);
	rc = context_run(w, STMT_IMPORT_TRANSITIONS, 1, &number);
	if (!rc)
		rc = context_run(w, STMT_IMPORT_TRANSITIONS_GUESSED, 1, &number);
	if (!rc)
		rc = iteration_check(w);
	if (rc || w->changes == 0)
		return rc;
	rc = write_texts(w);
	if (!rc)
		rc = count(w);
	if (!rc && !p.keeps)
		rc = tell_import(w, version);
	return rc || p.n == 0 ? rc : context_run(w, STMT_IMPORT_FEED_TIMES, 0, NULL);
}
