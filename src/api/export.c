/* Stories as CSV, and projects as zips: transfer/export.h says what is written. */
#include <string.h>

#include "api/gate.h"
#include "api/routes.h"
#include "api/search.h"
#include "http/bind.h"
#include "http/list.h"
#include "http/scope.h"
#include "http/audit_log.h"
#include "model/value.h"
#include "transfer/out/export_zip.h"
#include "transfer/out/export_csv.h"

static const struct field body_fields[] = {
	{ "ids", FT_IDS, F_CREATE | F_REQUIRED | F_LOOSE, .max = 500,
		.doc = "Stories, at most 500." },
};
static const struct resource res_body = { "export", RESOURCE_FIELDS(body_fields) };

/*
 * Each project may need a plan, and all plans stay in memory until the answer is written. The
 * worker itself answers at most AT_ONCE_MAX stories and epics of one project.
 */
enum { PROJECTS_MAX = 100, AT_ONCE_MAX = 200 };

static void answer_csv(struct req *r)
{
	r->media_type = r->route->media;
	r->filename = "stories.csv";
	r->envelope = false;
}

/* In one piece, like any other answer. */
static enum rc answer_at_once(
	struct req *r, const struct export_ids *stories, const struct export_ids *epics)
{
	struct export_csv x;
	export_csv_init(&x, r->arena, r->db, r->conf->base_url, r->out);
	enum rc rc = export_csv_measure(&x, stories->v, stories->n, epics->v, epics->n);
	export_csv_put_header(&x);
	if (!rc)
		rc = export_csv_put_epics(&x, epics->v, epics->n);
	if (!rc)
		rc = export_csv_put_stories(&x, stories->v, stories->n);
	if (rc)
		return req_fail_db(r, rc);
	db_commit(r->db);
	rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

static struct export_ids ids_of(struct arena *a, const struct rows *rows)
{
	struct export_ids ids = { .n = (size_t)db_count(rows) };
	ids.v = arena_array(a, ids.n, sizeof *ids.v);
	for (size_t i = 0; i < ids.n; i++)
		ids.v[i] = db_get_int(rows, (int)i, 0);
	return ids;
}

/* Stories of any projects ------------------------------------------------------------ */

static enum rc check_projects(struct req *r, const struct rows *rows)
{
	int column = db_column(rows, "project_id"), n = 0;
	int64_t last = 0;
	for (int row = 0; row < db_count(rows); row++) {
		int64_t project = db_get_int(rows, row, column);
		n += project != last;
		last = project;
	}
	return n > PROJECTS_MAX
		? req_fail(r, RC_INVALID_PARAMETER,
			  "the stories can be of at most %d projects: send several requests",
			  PROJECTS_MAX)
		: RC_OK;
}

static enum rc export_stories(struct req *r)
{
	struct rows *rows;
	struct db_param ids;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	bind_params(r, r->route->body, F_CREATE, &ids, 1);
	db_send(r->db, r->route->read, 1, &ids);
	db_flush(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = req_next(r, &rows)))
		return rc;
	if ((rc = check_projects(r, rows)))
		return rc;
	const struct export_ids stories = ids_of(r->arena, rows);
	answer_csv(r);
	return answer_at_once(r, &stories, &(struct export_ids){ 0 });
}

/* Stories of a project ------------------------------------------------------------------ */

struct wanted {
	struct export_ids stories, epics;
};

static enum rc make_csv(struct req *r, struct sink *to)
{
	struct wanted *w = r->stream.of;
	struct export x;
	enum rc rc = export_begin(&x, r->db, r->conf, r->project_id, NIL);
	if (!rc)
		rc = export_cut(&x, &w->stories, EXPORT_STORIES);
	if (!rc)
		rc = export_cut(&x, &w->epics, EXPORT_EPICS);
	if (!rc)
		rc = export_csv(&x, &w->stories, &w->epics, to);
	export_end(&x);
	return rc;
}

static enum rc load_wanted(struct req *r, struct wanted *w)
{
	struct rows *stories, *epics;
	enum rc rc = search_rows(r, &stories);
	if (rc)
		return rc;
	w->stories = ids_of(r->arena, stories);
	if (list_value(r, "filter"))
		return RC_OK;
	struct db_param project = db_int(r->arena, r->project_id);
	db_send(r->db, STMT_EXPORT_EPIC_IDS, 1, &project);
	db_flush(r->db);
	if ((rc = req_next(r, &epics)))
		return rc;
	w->epics = ids_of(r->arena, epics);
	return RC_OK;
}

/* An export is a read; its audit entry is written before anything is sent. */
static enum rc tell_export(struct req *r, struct str form)
{
	struct audit_entry e = audit_entry(AUDIT_PROJECT_EXPORT);
	e.kind = "project";
	e.id = e.project_id = r->project_id;
	e.new = audit_text(r->arena, "form", form);
	return audit_log_end(r, &e);
}

/* Even a few stories may hold more text than an answer can: then they are streamed, as many are. */
static enum rc get_csv(struct req *r)
{
	struct wanted *w = arena_alloc(r->arena, sizeof *w);
	enum rc rc = load_wanted(r, w);
	if (!rc && r->person_id && !list_value(r, "filter")) /* all stories, and not by a visitor */
		rc = tell_export(r, STR("csv"));
	if (rc)
		return rc;
	answer_csv(r);
	if (w->stories.n + w->epics.n <= AT_ONCE_MAX) {
		rc = answer_at_once(r, &w->stories, &w->epics);
		if (db_stopped(r->db) != DB_STOP_ROWS)
			return rc;
		r->error = (struct req_error){ 0 };
		r->out->n = 0;
	}
	r->stream = (struct req_stream){ .make = make_csv, .of = w, .part = LEDGER_EXPORT };
	return RC_OK;
}

/* All of a project ------------------------------------------------------------------------ */

static enum rc make_zip(struct req *r, struct sink *to)
{
	struct export x;
	enum rc rc = export_begin(&x, r->db, r->conf, r->project_id, r->person_id);
	x.reach = scope_reach(r);
	if (!rc) {
		r->version = x.version;
		r->filename = arena_printf(r->arena, "%s-export.zip", x.stem.p).p;
		rc = export_zip(&x, false, to);
	}
	export_end(&x);
	return rc;
}

static enum rc get_zip(struct req *r)
{
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = tell_export(r, STR("zip"));
	if (rc)
		return rc;
	r->media_type = r->route->media;
	r->envelope = false;
	r->stream = (struct req_stream){ .make = make_zip, .part = LEDGER_EXPORT };
	return RC_OK;
}

static const struct param csv_params[] = {
	{ "filter", FT_STRING, .flags = PARAM_ALONE,
		.doc = "Only stories that match this search, and no epics: planwright-search(7)." },
	{ 0 },
};

const struct route export_routes[] = {
	{ "POST", "/stories/export", NEED_PERSON, export_stories, NULL, .read = STMT_EXPORT_VISIBLE,
		.body = &res_body, .flags = R_FORM | R_QUIET | R_READS,
		.media = "text/csv; charset=utf-8", .fetch = FETCH_SCRIPT,
		.example = "{\"ids\":[555,556]}", .scope = SCOPE_READ,
		.doc = "Stories of any projects as CSV; ids that do not exist are left out." },
	{ "GET", "/projects/:project/stories.csv", NEED_VIEWER, get_csv, NULL,
		.read = STMT_EXPORT_STORY_IDS, .params = csv_params, .flags = R_NOT_IN_PARTS,
		.media = "text/csv; charset=utf-8", .fetch = FETCH_PAGE,
		.example = "?filter=type:bug", .audit = AUDIT_TELLS(PROJECT_EXPORT),
		.doc = "Stories and epics of a project as CSV." },
	{ "GET", "/projects/:project/export.zip", NEED_OWNER, get_zip, NULL,
		.flags = R_NOT_IN_PARTS, .media = "application/zip", .fetch = FETCH_PAGE,
		.audit = AUDIT_TELLS(PROJECT_EXPORT),
		.doc = "A whole project, as a zip like that of planwrightctl export." },
	{ 0 },
};
