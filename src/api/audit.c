/* The audit log of an account, for its owner: page by page, or all of it as CSV. */
#include "domain/audit.h"

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/list.h"
#include "lib/csv.h"
#include "lib/sink.h"
#include "lib/when.h"
#include "model/model.h"

/* CSV -------------------------------------------------------------------------------- */

/* How many entries one statement fetches, and so how many are in memory at a time. */
enum { PIECE = 1000 };

/* Where the next piece begins: after the last entry of the previous one. */
struct reached {
	int64_t at, id; /* at is NIL before the first piece */
};

static void put_place(struct req *r, struct sql *q)
{
	const struct reached *p = r->stream.of;
	if (p->at == NIL)
		return;
	sql_put(q, " and (a.occurred_at, a.id) < (");
	sql_param(q, db_time(r->arena, p->at));
	sql_put(q, "::timestamptz, ");
	sql_param(q, db_int(r->arena, p->id));
	sql_put(q, "::bigint)");
}

/* The default fields are the columns. */
static bool is_column(const struct field *f)
{
	return f->flags & F_DEFAULT && f->type != FT_KIND;
}

static void put_header(struct csv *c)
{
	for (int i = 0; i < res_audit_entry.n_fields; i++)
		if (is_column(&res_audit_entry.fields[i]))
			csv_put(c, str_of(res_audit_entry.fields[i].name));
	csv_end_row(c);
}

static void put_cell(struct csv *c, const struct field *f, const struct rows *rows, int row)
{
	int column = db_column(rows, f->name);
	struct buf time = { 0 };
	if (db_is_null(rows, row, column)) {
		csv_put(c, STR(""));
	} else if (f->type == FT_TIME) {
		when_put_iso(&time, db_get_time(rows, row, column));
		csv_put(c, buf_str(&time));
		buf_free(&time);
	} else if (f->type == FT_INT) {
		csv_put_int(c, db_get_int(rows, row, column));
	} else {
		csv_put_text(c, db_get_text(rows, row, column));
	}
}

static void put_rows(struct csv *c, const struct rows *rows)
{
	for (int row = 0; row < db_count(rows); row++) {
		for (int i = 0; i < res_audit_entry.n_fields; i++)
			if (is_column(&res_audit_entry.fields[i]))
				put_cell(c, &res_audit_entry.fields[i], rows, row);
		csv_end_row(c);
	}
}

/* Writes the rows after the place and moves it on; *n is how many there were. */
static enum rc put_piece(struct req *r, struct csv *c, struct reached *p, int *n)
{
	struct list list;
	struct rows *rows;
	list_send(r, &list, put_place);
	db_commit(r->db);
	enum rc rc = db_next(r->db, &rows);
	if (!rc)
		rc = db_finish(r->db);
	if (rc)
		return req_fail_db(r, rc);
	put_rows(c, rows);
	if ((*n = db_count(rows))) {
		p->at = db_get_time(rows, *n - 1, db_column(rows, "occurred_at"));
		p->id = db_get_int(rows, *n - 1, db_column(rows, "id"));
	}
	db_end(r->db);
	return RC_OK;
}

static enum rc make_csv(struct req *r, struct sink *to)
{
	struct buf out = { 0 };
	struct csv csv;
	int n = PIECE;
	enum rc rc = RC_OK;
	csv_init(&csv, &out, CSV_RFC);
	put_header(&csv);
	while (!rc && n == PIECE) {
		rc = put_piece(r, &csv, r->stream.of, &n);
		if (!rc && !to->put(to, buf_str(&out)))
			break;
		out.n = 0;
	}
	buf_free(&out);
	return rc;
}

static enum rc get_csv(struct req *r)
{
	struct reached *from = arena_alloc(r->arena, sizeof *from);
	list_check_params(r);
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	from->at = NIL;
	r->media_type = r->route->media;
	r->filename = "audit.csv";
	r->envelope = false;
	r->stream = (struct req_stream){ .make = make_csv, .of = from, .part = LEDGER_EXPORT };
	return RC_OK;
}

/* Endpoints -------------------------------------------------------------------------- */

static const struct param params[] = {
	{ "person_id", FT_INT, .where = "a.person_id = %s::bigint",
		.doc = "Only what this person did." },
	{ "act", FT_STRING, .where = "a.act = %s::text", .words = audit_words, .flags = PARAM_LIST,
		.doc = "Only this act; several are separated by commas." },
	{ "project_id", FT_INT, .where = "a.project_id = %s::bigint",
		.doc = "Only what concerns this project." },
	{ "occurred_after", FT_TIME, .where = "a.occurred_at > %s::timestamptz",
		.doc = "Only what happened later." },
	{ "occurred_before", FT_TIME, .where = "a.occurred_at < %s::timestamptz",
		.doc = "Only what happened earlier." },
	{ 0 },
};

const struct route audit_routes[] = {
	{ "GET", "/accounts/:account/audit", NEED_ACCOUNT_OWNER, crud_list, &res_audit_entry,
		.read = STMT_AUDIT_LIST, .params = params, .flags = R_WHOLE | R_PAGED, .limit = 100,
		.limit_max = 500, .total = STMT_AUDIT_COUNT,
		.doc = "The audit log of an account, for its owner, newest first. The total is "
		       "10000 at most." },
	{ "GET", "/accounts/:account/audit.csv", NEED_ACCOUNT_OWNER, get_csv, NULL,
		.read = STMT_AUDIT_CSV, .params = params, .flags = R_WHOLE | R_NOT_IN_PARTS,
		.media = "text/csv; charset=utf-8", .fetch = FETCH_PAGE,
		.example = "?act=sign_in_refused", .doc = "The same as CSV, all of it." },
	{ 0 },
};
