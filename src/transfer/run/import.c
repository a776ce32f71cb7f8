#include "transfer/run/import.h"

#include <string.h>

#include "domain/arrival.h"
#include "transfer/merge/attachments.h"
#include "transfer/merge/merge.h"
#include "transfer/merge/history_write.h"
#include "transfer/form/file_reader.h"
#include "transfer/settle/import_project.h"
#include "transfer/settle/import_context.h"

/* Reading ------------------------------------------------------------------------------- */

/* What readers get, and what leads from there back to the import. */
struct reading {
	struct intake intake;
	struct import_context *work;
	bool names_alone; /* the first of two passes: only names, for comments (intake.h) */
	int64_t done;
};

static struct import_context *context_of(struct intake *in, struct reading **reading)
{
	*reading = (struct reading *)in; /* its first member */
	return (*reading)->work;
}

static void note_name(struct import_context *w, const struct record *record)
{
	const struct record_value *v = record_get(record, "person");
	if (v && v->type == RECORD_PERSON && v->person.texts[RECORD_NAME].n)
		people_add_name(w->people, v->person.texts[RECORD_NAME]);
}

/* Anything but RC_OK ends the reading; the refusal says the rest. */
static enum rc refuse_rows(struct import_context *w)
{
	context_refuse(w, "too_many_rows",
		"the files have more than the %lld rows that the setting import_rows allows: "
		"split them, or ask the administrator of the server to import them or to raise it",
		(long long)w->options->rows_max);
	return RC_INVALID_PARAMETER;
}

static enum rc put(struct intake *in, enum intake_kind kind, struct intake_place at,
	const struct record *record)
{
	struct reading *r;
	struct import_context *w = context_of(in, &r);
	if (++r->done % 1000 == 0)
		context_progress(w, "read", r->done, 0);
	if (w->must_end)
		return RC_UNAVAILABLE;
	if (r->names_alone) {
		if (kind == INTAKE_MEMBERSHIP || kind == INTAKE_PERSON)
			note_name(w, record);
		return RC_OK;
	}
	if (r->done > w->options->rows_max && w->options->rows_max)
		return refuse_rows(w);
	return stage_put(w->stage, kind, at, record);
}

static void remark(struct intake *in, const struct intake_remark *remark)
{
	struct reading *r;
	struct import_context *w = context_of(in, &r);
	if (!r->names_alone)
		report_remark(w->report, remark);
}

static bool goes_on(struct intake *in)
{
	struct reading *r;
	struct import_context *w = context_of(in, &r);
	context_progress(w, "read", r->done, 0);
	return !w->must_end;
}

static enum rc keep_body(struct intake *in, struct intake_bytes *bytes, struct arena *a,
	struct str *word, struct intake_why *why)
{
	struct reading *r;
	struct import_context *w = context_of(in, &r);
	*word = (struct str){ 0 };
	if (!goes_on(in))
		return RC_UNAVAILABLE;
	if (r->names_alone)
		return RC_OK;
	switch (spool_keep(&w->spool, bytes, a, word)) {
	case SPOOL_KEPT: return RC_OK;
	case SPOOL_TOO_LARGE:
		*why = (struct intake_why){ "too_large",
			arena_printf(a,
				"has more than the %lld MiB that the setting max_upload_mib "
				"allows, its content is lost",
				(long long)w->conf->max_upload_mib) };
		return RC_OK;
	case SPOOL_UNREADABLE:
		*why = (struct intake_why){ "broken_file", STR("is broken, its content is lost") };
		return RC_OK;
	case SPOOL_NO_QUOTA:
	case SPOOL_NO_DISK: attachments_refuse(w); return RC_INVALID_PARAMETER;
	case SPOOL_FAILED:
		context_fail(w, "a file cannot be written below %s: %m", w->spool.room.folder);
		return RC_UNAVAILABLE;
	}
	return RC_OK;
}

static bool is_name(struct intake *in, struct str name)
{
	struct reading *r;
	struct import_context *w = context_of(in, &r);
	return people_is_name(w->people, name);
}

static enum rc read_all(struct import_context *w, bool names_alone, int n, const char *const *files)
{
	struct reading r = { .work = w, .names_alone = names_alone };
	const struct import_options *o = w->options;
	r.intake = (struct intake){ put, remark, keep_body, goes_on, is_name, o->date_order,
		o->encoding, w->name.p, o->project, w->today };
	enum rc rc = RC_OK;
	for (int i = 0; i < n && !rc; i++)
		rc = reader_read(&r.intake, i, files[i]);
	context_progress(w, "read", r.done, r.done);
	return !rc && w->must_end ? RC_UNAVAILABLE : rc;
}

/* Steps --------------------------------------------------------------------------------- */

static enum rc begin(struct import_context *w)
{
	static const char script[] =
		"begin; set local statement_timeout = 0; set local lock_timeout = 0;"
		" set local plan_cache_mode = auto; set local work_mem = '64MB';"
		" set local temp_buffers = '64MB'; set local gin_pending_list_limit = '8MB'; set local cursor_tuple_fraction = 1;"
		" set local default_statistics_target = 20;"
		" set local client_connection_check_interval = '2s'";
	struct people_options options = { .project = w->options->project,
		.map = w->options->people,
		.dry_run = w->options->dry_run };
	enum rc rc = db_script(w->db, script);
	if (!rc && w->options->may_begin && !w->options->may_begin(w->options->arg, w->db))
		rc = RC_UNAVAILABLE;
	if (!rc)
		rc = import_project_open(w);
	if (rc || context_is_refused(w))
		return rc;
	db_forget_waits(w->db); /* they were for others who import here */
	rc = attachments_open_room(w);
	if (rc)
		return rc;
	options.account = w->account;
	options.performer = w->options->performer;
	options.means = w->options->means;
	options.told_as = w->options->told_as;
	options.only_seen = conf_adds_only_seen(w->conf);
	options.mail = conf_has_mail(w->conf);
	rc = stage_open(&w->stage, w->db, w->report);
	return rc ? rc : people_open(&w->people, w->db, &options, w->report);
}

/* Settles people and the project; the table import_run has what holds for all of the import. */
static enum rc settle(struct import_context *w)
{
	enum rc rc = stage_finish(w->stage);
	if (!rc)
		rc = import_project_take(w);
	if (!rc && !context_is_refused(w))
		rc = people_settle(w->people);
	if (!rc && !context_is_refused(w))
		rc = people_join(w->people, w->project, w->is_new, w->is_whole);
	if (rc || context_is_refused(w))
		return rc;
	const struct db_param params[] = { db_int(w->arena, w->project),
		db_bool(w->arena, w->is_new), db_bool(w->arena, w->options->overwrite),
		db_bool(w->arena, w->options->renumber), db_bool(w->arena, w->is_whole),
		db_int(w->arena, w->performer), db_text(w->arena, STR("name:" ARRIVAL_NOBODY)),
		db_text(w->arena, STR(ARRIVAL_UNTITLED)), db_int(w->arena, ARRIVAL_IDS_FROM),
		db_int(w->arena, ARRIVAL_IDS_MAX),
		db_int(w->arena, arrival_ids_top(w->options->performer == NIL)) };
	rc = context_run(w, STMT_IMPORT_RUN_TABLE, 0, NULL);
	if (!rc)
		rc = context_run(w, STMT_IMPORT_BEGIN, 11, params);
	if (!rc)
		rc = import_project_version(w);
	return rc ? rc : context_run(w, STMT_IMPORT_MEMBERSHIPS, 0, NULL);
}

static enum rc run(struct import_context *w, int n, const char *const *files)
{
	enum rc rc = begin(w);
	if (!rc && !context_is_refused(w) && n > 1)
		rc = read_all(w, true, n, files);
	if (!rc && !context_is_refused(w))
		rc = read_all(w, false, n, files);
	if (!rc && !context_is_refused(w))
		rc = settle(w);
	if (!rc && !context_is_refused(w))
		rc = merge_all(w);
	if (!rc && !context_is_refused(w))
		rc = history_write(w);
	return rc || context_is_refused(w) ? rc : people_name(w->people);
}

/* The end --------------------------------------------------------------------------------- */

/* The planner would take a project that did not exist a moment ago for an empty one. */
enum { CHANGES_MANY = 500 };
static enum rc analyze(struct import_context *w)
{
	return db_script(w->db,
		"begin; set local statement_timeout = 0;"
		" analyze story, comment, task, epic, label, blocker, review, pull_request, branch,"
		" search_text, activity, story_transition, import_item, project, project_membership;"
		" select gin_clean_pending_list(c.oid) from pg_class c where c.oid ="
		" 'search_text_words'::regclass and pg_has_role(c.relowner, 'usage'); commit");
}

static struct str text_of(struct arena *a, struct buf *b)
{
	struct str s = arena_str(a, buf_str(b));
	buf_free(b);
	return s;
}

/* The database or the disk failed: the problem is one line about it. */
static void fail(struct import_context *w, struct import_result *result)
{
	result->end = IMPORT_FAILED;
	result->problem =
		w->problem.p ? w->problem : arena_str(w->arena, str_of(db_problem(w->db)));
}

static struct import_result tell(struct import_context *w)
{
	struct buf summary = { 0 }, counts = { 0 };
	report_end_lines(w->report);
	report_put_summary(w->report, &summary);
	report_put_counts(w->report, &counts);
	return (struct import_result){ .end = report_status(w->report),
		.project = w->project,
		.summary = text_of(w->arena, &summary),
		.counts = text_of(w->arena, &counts) };
}

static enum rc commit(struct import_context *w, const struct import_result *result)
{
	const struct import_options *o = w->options;
	if (o->may_commit && !o->may_commit(o->arg, w->db, result))
		return RC_UNAVAILABLE;
	enum rc rc = db_script(w->db, "commit");
	/*
	 * A commit without an answer may have been made: its files stay, or files sweep deletes
	 * them.
	 */
	spool_end(&w->spool, true);
	if (!rc) {
		db_hint(w->db, HINT_LOOK, 0, 0);
		db_tell_hints(w->db);
	}
	return rc;
}

static void roll_back(struct import_context *w)
{
	enum rc again = db_script(w->db, "rollback");
	(void)again; /* the end of the connection rolls it back, too */
	spool_end(&w->spool, false);
}

static void finish(struct import_context *w, enum rc rc, struct import_result *result)
{
	bool is_refused = context_is_refused(w), ends = !rc && !is_refused && !w->options->dry_run;
	db_end(w->db);
	*result = tell(w);
	if (ends)
		rc = commit(w, result);
	if (!ends || rc)
		roll_back(w);
	else if (w->changes >= CHANGES_MANY && analyze(w)) {
		report_say(w->report, INTAKE_NOTE, NIL, NULL, "not_analyzed",
			"statistics could not be collected: the first requests may be slow");
		*result = tell(w);
	}
	if (w->is_new && !(ends && !rc))
		result->project = NIL;
	if (is_refused)
		result->problem = arena_str(w->arena, report_problem(w->report));
	else if (rc)
		fail(w, result);
}

void import_run(struct db *db, const struct conf *conf, struct arena *a,
	const struct import_options *options, int n, const char *const *files,
	struct import_result *result)
{
	struct import_context w = { .db = db,
		.conf = conf,
		.arena = a,
		.options = options,
		.project = NIL,
		.account = NIL,
		.performer = NIL,
		.spool = { .files = files_of(conf),
			.room = files_room(files_folder(conf), 0, INT64_MAX),
			.own.lock = -1,
			.max = conf->max_upload_mib << 20,
			.dry_run = options->dry_run } };
	w.report = report_open(options->report, n, files);
	enum rc rc = run(&w, n, files);
	finish(&w, rc, result);
	people_close(w.people);
	stage_close(w.stage);
	report_close(w.report);
}
