/*
 * Imports over HTTP: takes the files, which planwright-importer imports, and reports the result
 * (planwright-api(7)).
 */
#include "api/crud.h"
#include "api/gate.h"
#include "api/import_form.h"
#include "api/upload_permission.h"
#include "api/routes.h"
#include "http/existence.h"
#include "http/audit_log.h"
#include "lib/log.h"
#include "model/model.h"
#include "service/files.h"

/* How long moving all files of an import into a store may take; nginx waits a little longer. */
enum { STORE_PATIENCE_S = 180 };

/* Fields -------------------------------------------------------------------------- */

static const struct field fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "project_import" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, 0, .doc = "The project." },
	{ "project", FT_ONE, 0, .child = &res_project, .key = "project_id", .doc = "The project." },
	{ "person_id", FT_INT, 0, .doc = "Who requested it." },
	{ "person", FT_ONE, 0, .child = &res_person, .key = "person_id",
		.doc = "Who requested it." },
	{ "state", FT_STRING, F_DEFAULT,
		.doc = "queued, running, done, lost (done, with losses), refused or cancelled." },
	{ "dry_run", FT_BOOL, F_DEFAULT, .doc = "Whether only the report is kept." },
	{ "overwrite", FT_BOOL, 0, .doc = "Whether the files overwrite changes made here." },
	{ "renumber", FT_BOOL, 0, .doc = "Whether ids in use are replaced." },
	{ "date_order", FT_STRING, 0, .doc = "mdy or dmy, if given." },
	{ "encoding", FT_STRING, 0, .doc = "windows-1252, if given." },
	{ "filenames", FT_STRINGS, 0, .doc = "Names of the files." },
	{ "size", FT_INT, 0, .doc = "Bytes of the files." },
	{ "progress", FT_STRING, 0, .doc = "What it is doing while it runs." },
	{ "summary", FT_JSON, F_DEFAULT,
		.doc = "How many were created, updated, same, skipped and lost, of each kind; "
		       "empty before the end." },
	{ "summary_text", FT_TEXT, 0, .doc = "The same as text for people." },
	{ "problem", FT_TEXT, F_DEFAULT, .doc = "Why it was refused, and what to do." },
	{ "created_at", FT_TIME, 0, .doc = "When it was requested." },
	{ "started_at", FT_TIME, 0, .doc = "When it was last started." },
	{ "finished_at", FT_TIME, 0, .doc = "When it ended." },
};
static const struct resource res_project_import = { "project_import", RESOURCE_FIELDS(fields) };

static const struct field line_fields[] = {
	{ "file", FT_STRING, F_DEFAULT, .doc = "The file that it is about." },
	{ "row", FT_INT, F_DEFAULT, .doc = "The row there." },
	{ "line", FT_INT, F_DEFAULT, .doc = "The line there." },
	{ "id", FT_INT, F_DEFAULT, .doc = "The story or epic." },
	{ "column", FT_STRING, F_DEFAULT, .doc = "The column." },
	{ "severity", FT_STRING, F_DEFAULT, .doc = "note, changed, lost or error." },
	{ "code", FT_STRING, F_DEFAULT, .doc = "A word for programs." },
	{ "message", FT_TEXT, F_DEFAULT, .doc = "A line for people, with what is lost." },
};
static const struct resource res_import_line = { "import_line", RESOURCE_FIELDS(line_fields) };

/* The body is a stream: its limits are checked below. */
static const struct field body_fields[] = {
	{ "file", FT_STRING, F_HIDDEN, .doc = "A file; may be given several times." },
	{ "people", FT_STRING, F_HIDDEN, .doc = "The map of people, also a file." },
	{ "dry_run", FT_BOOL, F_HIDDEN, .doc = "Only write the report and the map." },
	{ "overwrite", FT_BOOL, F_HIDDEN, .doc = "The files overwrite changes made here." },
	{ "renumber", FT_BOOL, F_HIDDEN, .doc = "Ids in use are replaced." },
	{ "date_order", FT_STRING, F_HIDDEN, .doc = "mdy or dmy." },
	{ "encoding", FT_STRING, F_HIDDEN, .doc = "windows-1252." },
};
static const struct resource res_import_body = { "project_import", RESOURCE_FIELDS(body_fields) };

/* Requesting one -------------------------------------------------------------------- */

enum {
	WAITING_MAX = 10,  /* per project */
	WAITING_TIMES = 8, /* times the largest import, in bytes: the limit for all that wait … */
	OWN_TIMES = 4,     /* … and for those of one person */
};

static enum rc check_room(struct req *r, const struct rows *rows)
{
	int64_t waiting = db_get_int(rows, 0, db_column(rows, "waiting"));
	int64_t bytes = db_get_int(rows, 0, db_column(rows, "bytes"));
	int64_t own = db_get_int(rows, 0, db_column(rows, "own_bytes"));
	int64_t largest = r->conf->import_max_mib << 20;
	if (waiting >= WAITING_MAX)
		return req_fail(r, RC_TOO_MANY_REQUESTS,
			"%d imports of this project are already waiting: send this one when some "
			"have finished",
			WAITING_MAX);
	if (own + r->upload.length > largest * OWN_TIMES)
		return req_fail(r, RC_TOO_MANY_REQUESTS,
			"your waiting imports use all the space of one person, %d times that of "
			"the largest import: send this one when some have "
			"finished",
			OWN_TIMES);
	if (bytes + r->upload.length > largest * WAITING_TIMES)
		return req_fail(r, RC_TOO_MANY_REQUESTS,
			"the waiting imports on this server use all the space: send this one "
			"later");
	return RC_OK;
}

/* Checks the caller's rights and that there is room before reading anything; takes the id. */
static enum rc ask_permission(struct req *r, int64_t *id)
{
	struct db_param project = db_int(r->arena, route_id(r, ":project"));
	struct rows *rows;
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, STMT_PROJECT_IMPORT_ROOM, 1, &project);
	db_send(r->db, STMT_PROJECT_IMPORT_ID, 0, NULL);
	db_commit(r->db);
	if ((rc = gate_allows(r)) || (rc = upload_permission_check_disk(r)))
		return rc;
	if ((rc = db_next(r->db, &rows)))
		return req_fail_db(r, rc);
	if ((rc = check_room(r, rows)))
		return rc;
	if ((rc = db_next(r->db, &rows)))
		return req_fail_db(r, rc);
	*id = db_get_int(rows, 0, 0);
	rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

static struct db_param word(struct req *r, const char *z)
{
	return z ? db_text(r->arena, str_of(z)) : db_null();
}

static void send_row(struct req *r, const struct import_form *f, int64_t id)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { db_int(a, r->project_id), db_int(a, r->person_id),
		db_bool(a, import_form_has(f, IMPORT_DRY_RUN)),
		db_bool(a, import_form_has(f, IMPORT_OVERWRITE)),
		db_bool(a, import_form_has(f, IMPORT_RENUMBER)),
		word(r, f->values[IMPORT_DATE_ORDER]), word(r, f->values[IMPORT_ENCODING]),
		db_texts(a, f->names, (size_t)f->n), db_ids(a, f->sizes, (size_t)f->n),
		db_int(a, f->total), db_int(a, id) };
	db_send(r->db, STMT_PROJECT_IMPORT_CREATE, sizeof params / sizeof *params, params);
	db_flush(r->db);
}

/* An import that is being received. */
struct arrival {
	struct import_form form;
	struct files kept;
	int64_t id;
};

static struct audit_entry entry_of(enum audit_act act, int64_t project, int64_t id)
{
	struct audit_entry e = audit_entry(act);
	e.kind = "project_import";
	e.id = id;
	e.project_id = project;
	return e;
}

static enum rc write_row(struct req *r, struct arrival *v)
{
	struct crud_read read;
	struct rows *rows;
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	send_row(r, &v->form, v->id);
	if ((rc = db_next(r->db, &rows)))
		return req_fail_db(r, rc);
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	const struct audit_entry e = entry_of(AUDIT_PROJECT_IMPORT, r->project_id, v->id);
	audit_log_send(r, &e);
	crud_send_read(r, &read, v->id, 0);
	rc = audit_log_take(r);
	return rc ? rc : crud_take_read(r, &read);
}

/* As with an upload: first the files, without a lock, then the row. */
static enum rc store(struct req *r, struct arrival *v)
{
	if (!import_files_keep(&v->form.folder, &v->kept, v->id)) {
		log_error("an import cannot be kept: %s", v->kept.problem.text);
		return RC_UNAVAILABLE;
	}
	enum rc rc = write_row(r, v);
	if (rc && err_kinds[rc].status < 500)
		import_files_take_back(&v->form.folder, &v->kept, v->id);
	return rc;
}

static enum rc store_there(struct req *r, struct sink *to)
{
	(void)to;
	return store(r, r->stream.of);
}

static void drop_there(struct req *r)
{
	struct arrival *v = r->stream.of;
	import_files_drop(&v->form.folder);
}

/* These files are not examined, so nobody has to wait for this one's turn. */
static void pass_turn(struct req *r, struct ledger *place)
{
	(void)r;
	ledger_note_turn(place);
}

/* A store is across the network: a separate process waits for it, so that no worker has to. */
static enum rc store_or_leave(struct req *r, struct arrival *v)
{
	if (!conf_has_store(r->conf))
		return store(r, v);
	import_files_close(&v->form.folder);
	r->stream = (struct req_stream){ store_there, v, LEDGER_PICTURE, pass_turn, drop_there,
		{ &v->form.folder.folder.lock } };
	return RC_OK;
}

static enum rc act_import(struct req *r)
{
	struct arrival *v = arena_alloc(r->arena, sizeof *v);
	v->kept = files_of(r->conf);
	files_bound(&v->kept, STORE_PATIENCE_S);
	import_form_begin(&v->form, r);
	enum rc rc = ask_permission(r, &v->id);
	if (!rc)
		rc = import_form_read(&v->form);
	if (!rc)
		rc = store_or_leave(r, v);
	if (!r->stream.make)
		import_files_drop(&v->form.folder);
	return rc;
}

/* Cancelling one --------------------------------------------------------------------- */

/* A running import is stopped by its importer, which checks every second. */
static enum rc act_import_end(struct req *r)
{
	struct db_param id = db_int(r->arena, crud_id(r));
	struct rows *rows;
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	if ((rc = audit_log_ask(r, STMT_PROJECT_IMPORT_END, 1, &id, &rows)))
		return rc;
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	bool ended = db_get_bool(rows, 0, db_column(rows, "ended"));
	bool waited = db_get_bool(rows, 0, db_column(rows, "waited"));
	const struct audit_entry e = entry_of(AUDIT_PROJECT_IMPORT_END, r->project_id, crud_id(r));
	if ((rc = audit_log_end(r, ended ? &e : NULL)))
		return rc;
	if (!ended)
		return req_fail(r, RC_INVALID_PARAMETER,
			"this import is over, or completely written: it cannot be cancelled");
	/* Files in a store are deleted by the next sweep of an importer, within the hour. */
	if (waited && !conf_has_store(r->conf) &&
		!import_files_delete(files_folder(r->conf), crud_id(r)))
		log_error("cannot delete the files of import %lld: %m", (long long)crud_id(r));
	r->status = 204;
	return RC_OK;
}

/* The map ---------------------------------------------------------------------------- */

static enum rc act_import_people(struct req *r)
{
	struct db_param id = db_int(r->arena, crud_id(r));
	struct rows *rows;
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, STMT_PROJECT_IMPORT_PEOPLE, 1, &id);
	db_commit(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = db_next(r->db, &rows)))
		return req_fail_db(r, rc);
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	struct str people = db_get_text(rows, 0, 0);
	buf_put_str(r->out, people.n ? people : STR("name,email,username,person_id,action\n"));
	r->media_type = r->route->media;
	r->filename = "people.csv";
	r->envelope = false;
	rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

/* Endpoints -------------------------------------------------------------------------- */

static const char *const severities[] = { "note", "changed", "lost", "error", NULL };
static const struct param line_params[] = {
	{ "severity", FT_WORD, .where = "l.severity = %s::text", .words = severities,
		.doc = "Only lines of this severity: note, changed, lost or error." },
	{ 0 },
};

const struct route project_import_routes[] = {
	{ "GET", "/projects/:project/imports", NEED_OWNER, crud_list, &res_project_import,
		.read = STMT_PROJECT_IMPORT_LIST,
		.doc = "Waiting, running and recent imports, newest first." },
	{ "POST", "/projects/:project/imports", NEED_OWNER, act_import, &res_project_import,
		.read = STMT_PROJECT_IMPORT_GET, .body = &res_import_body,
		.flags = R_WHOLE | R_UNTOLD | R_UPLOAD,
		.example = "-F file=@stories.csv -F dry_run=true",
		.audit = AUDIT_TELLS(PROJECT_IMPORT),
		.doc = "Import files into the project: multipart/form-data." },
	{ "GET", "/projects/:project/imports/:id", NEED_OWNER, crud_get, &res_project_import,
		.read = STMT_PROJECT_IMPORT_GET, .doc = "One import." },
	{ "DELETE", "/projects/:project/imports/:id", NEED_OWNER, act_import_end, NULL,
		.flags = R_UNTOLD, .audit = AUDIT_TELLS(PROJECT_IMPORT_END),
		.doc = "Cancel a waiting or running import: nothing of it is kept." },
	{ "GET", "/projects/:project/imports/:id/report", NEED_OWNER, crud_list, &res_import_line,
		.read = STMT_PROJECT_IMPORT_LINES, .exists = STMT_PROJECT_IMPORT_EXISTS,
		.params = line_params, .flags = R_PAGED, .limit = 100, .limit_max = 1000,
		.total = STMT_PROJECT_IMPORT_LINE_COUNT, .example = "?severity=lost",
		.doc = "The report of an import, line by line." },
	{ "GET", "/projects/:project/imports/:id/people.csv", NEED_OWNER, act_import_people, NULL,
		.media = "text/csv; charset=utf-8", .fetch = FETCH_PAGE,
		.doc = "The map of people of an import, to edit and send along with the next." },
	{ 0 },
};
