/* What programs do outside of requests: statements one by one, and rows in bulk. */
#include <limits.h>

#include "db/db_rows.h"

enum rc db_script(struct db *db, const char *sql)
{
	enum rc rc = db_ready(db);
	if (rc)
		return rc;
	PQexitPipelineMode(db->conn);
	PGresult *r = PQexec(db->conn, sql);
	ExecStatusType status = PQresultStatus(r);
	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY)
		PQclear(r);
	else
		rc = db_fail(db, r);
	db->failed = false;
	PQenterPipelineMode(db->conn);
	return rc;
}

enum rc db_query(
	struct db *db, const char *sql, int n, const struct db_param *params, struct rows **rows)
{
	enum rc rc = db_ready(db);
	if (rc)
		return rc;
	db_send_text(db, str_of(sql), n, params);
	db_commit(db);
	rc = db_next(db, rows);
	if (!rc)
		rc = db_finish(db);
	else {
		struct rows *kept = db->rows;
		db->rows = NULL;
		db_end(db);
		db->rows = kept;
	}
	return rc;
}

enum rc db_run(
	struct db *db, enum stmt stmt, int n, const struct db_param *params, struct rows **rows)
{
	return db_query(db, stmt_texts[stmt].sql, n, params, rows);
}

/* Feeds the rows to a COPY that has begun, and ends it. */
static PGresult *put_copy(struct db *db, struct str rows)
{
	enum { PIECE = 1 << 20 };
	bool ok = true;
	while (ok && rows.n) {
		int n = rows.n < PIECE ? (int)rows.n : PIECE;
		ok = PQputCopyData(db->conn, rows.p, n) == 1;
		rows.p += n;
		rows.n -= (size_t)n;
	}
	PQputCopyEnd(db->conn, ok ? NULL : "the rows could not be sent");
	return PQgetResult(db->conn);
}

/* COPY does not work in a pipeline. */
enum rc db_copy(struct db *db, const char *sql, struct str rows)
{
	enum rc rc = RC_OK;
	PQexitPipelineMode(db->conn);
	db_wait_begins(db);
	PGresult *r = PQexec(db->conn, sql);
	if (PQresultStatus(r) == PGRES_COPY_IN) {
		PQclear(r);
		r = put_copy(db, rows);
	}
	if (PQresultStatus(r) == PGRES_COMMAND_OK)
		PQclear(r);
	else
		rc = db_fail(db, r);
	for (PGresult *rest; (rest = PQgetResult(db->conn));)
		PQclear(rest);
	db_wait_ends(db);
	db->failed = false;
	PQenterPipelineMode(db->conn);
	return rc;
}
