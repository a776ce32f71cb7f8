#include "db.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db_connect.h"
#include "db_rows.h"
#include "log.h"

enum { TEXTS_MAX = 256, TEXT_LENGTH_MAX = 8192, QUEUE_MAX = 512, PARAMS_MAX = 440 };

/* What the next result in the pipeline belongs to. */
enum entry { ENTRY_QUERY, ENTRY_PREPARE, ENTRY_SYNC };

struct text_statement {
	struct str sql; /* ends with NUL; allocated */
	int uses;
	bool prepared;
};

struct statement {
	int n_params;
	struct rows description;
	const void *key;
	int16_t *columns;
};

struct db {
	const struct conf *conf;
	PGconn *conn;
	bool wants_statements;
	struct statement statements[STMT__MAX];
	struct text_statement texts[TEXTS_MAX];
	int n_texts;

	struct {
		enum entry kind;
		int text;
	} queue[QUEUE_MAX];
	int head, tail;
	bool open;   /* statements were sent since the last Sync */
	bool ended;  /* the server said that it ends the connection */
	bool failed; /* one of them failed, or the connection is lost */

	struct rows *rows;      /* results of this request */
	PGresult *error_result; /* kept until the next failure */
	struct db_error error;
	char problem[512];
};

struct db *db_new(const struct conf *conf, bool statements)
{
	struct db *db = calloc(1, sizeof *db);
	if (!db)
		log_die("out of memory");
	db->conf = conf;
	db->wants_statements = statements;
	return db;
}

void db_forget_descriptions(struct db *db)
{
	for (int i = 0; i < STMT__MAX; i++) {
		PQclear(db->statements[i].description.result);
		db->statements[i].description.result = NULL;
	}
}

static void forget_statements(struct db *db)
{
	db_forget_descriptions(db);
	for (int i = 0; i < db->n_texts; i++)
		free((char *)db->texts[i].sql.p);
	db->n_texts = 0;
	for (int i = 0; i < STMT__MAX; i++)
		free(db->statements[i].columns);
	memset(db->statements, 0, sizeof db->statements);
}

static void disconnect(struct db *db)
{
	PQfinish(db->conn);
	db->conn = NULL;
	db->head = db->tail = 0;
	db->open = db->failed = db->ended = false;
	forget_statements(db);
}

void db_free(struct db *db)
{
	if (!db)
		return;
	db_end(db);
	disconnect(db);
	PQclear(db->error_result);
	free(db);
}

static void set_problem(struct db *db, const char *what, const char *why)
{
	snprintf(db->problem, sizeof db->problem, "%s: %s", what, why ? why : "");
	for (char *p = db->problem; *p; p++)
		if (*p == '\n')
			*p = p[1] ? ' ' : '\0';
}

const char *db_problem(const struct db *db)
{
	return db->problem;
}

/* Notices do not matter, but for the one with which a server ends an idle connection. */
static void take_notice(void *arg, const PGresult *result)
{
	struct db *db = arg;
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
	if (severity && !strcmp(severity, "FATAL"))
		db->ended = true;
}

static bool connect_to_server(struct db *db)
{
	db->conn = db_connect(db->conf);
	if (PQstatus(db->conn) != CONNECTION_OK) {
		set_problem(db, "cannot reach the database", PQerrorMessage(db->conn));
		disconnect(db);
		return false;
	}
	PQsetNoticeReceiver(db->conn, take_notice, db);
	return true;
}

/* Prepares and describes one static statement; round trips do not matter here. */
static bool prepare_statement(struct db *db, int i)
{
	struct statement *s = &db->statements[i];
	PGresult *r = PQprepare(db->conn, stmt_texts[i].name, stmt_texts[i].sql, 0, NULL);
	bool ok = PQresultStatus(r) == PGRES_COMMAND_OK;
	PQclear(r);
	if (ok) {
		s->description.result = PQdescribePrepared(db->conn, stmt_texts[i].name);
		ok = PQresultStatus(s->description.result) == PGRES_COMMAND_OK;
		s->n_params = PQnparams(s->description.result);
	}
	if (!ok) {
		char what[160];
		snprintf(what, sizeof what,
			"the database refuses the statement %s (run planwrightctl migrate)",
			stmt_texts[i].name);
		set_problem(db, what, PQerrorMessage(db->conn));
	}
	return ok;
}

static bool prepare_statements(struct db *db)
{
	for (int i = STMT_NONE + 1; i < STMT__MAX; i++)
		if (!stmt_texts[i].is_template && !prepare_statement(db, i))
			return false;
	return true;
}

/* A server that went away while we were idle has left word on the socket. */
static bool connection_is_alive(struct db *db)
{
	if (PQstatus(db->conn) != CONNECTION_OK || !PQconsumeInput(db->conn))
		return false;
	PQisBusy(db->conn); /* reads what came in */
	return !db->ended && PQstatus(db->conn) == CONNECTION_OK;
}

enum rc db_ready(struct db *db)
{
	if (db->conn && !connection_is_alive(db)) {
		log_warn("the connection to the database was lost; connecting again");
		disconnect(db);
	}
	if (db->conn)
		return RC_OK;
	if (!connect_to_server(db))
		return RC_UNAVAILABLE;
	if ((db->wants_statements && !prepare_statements(db)) || !PQenterPipelineMode(db->conn)) {
		disconnect(db);
		return RC_UNAVAILABLE;
	}
	return RC_OK;
}

/* Queue ----------------------------------------------------------------- */

static void lose_connection(struct db *db)
{
	set_problem(db, "the connection to the database failed", PQerrorMessage(db->conn));
	db->failed = true;
	db->error = (struct db_error){ .sqlstate = "" };
}

static void push(struct db *db, enum entry kind, int text)
{
	if (db->head == db->tail)
		db->head = db->tail = 0;
	if (db->tail == QUEUE_MAX)
		log_die("more than %d statements without an answer", QUEUE_MAX);
	db->queue[db->tail].kind = kind;
	db->queue[db->tail++].text = text;
	db->open = kind != ENTRY_SYNC;
}

struct arrays {
	const char *values[PARAMS_MAX];
	int lengths[PARAMS_MAX];
	int formats[PARAMS_MAX];
};

static void split_params(struct arrays *x, int n, const struct db_param *params)
{
	if (n > PARAMS_MAX)
		log_die("more than %d parameters in one statement", PARAMS_MAX);
	for (int i = 0; i < n; i++) {
		x->values[i] = params[i].value;
		x->lengths[i] = params[i].length;
		x->formats[i] = params[i].format;
	}
}

void db_send(struct db *db, enum stmt stmt, int n, const struct db_param *params)
{
	struct arrays x;
	int takes = db->statements[stmt].n_params;
	if (db->failed)
		return;
	if (n < takes)
		log_die("statement %s takes %d parameters", stmt_texts[stmt].name, takes);
	split_params(&x, takes, params);
	if (!PQsendQueryPrepared(
		    db->conn, stmt_texts[stmt].name, takes, x.values, x.lengths, x.formats, 1))
		lose_connection(db);
	else
		push(db, ENTRY_QUERY, -1);
}

/* The place of a built text in the table; -1 when it is full or the text is long. */
static int find_text(struct db *db, struct str sql)
{
	for (int i = 0; i < db->n_texts; i++)
		if (str_equal(sql, db->texts[i].sql))
			return i;
	if (db->n_texts == TEXTS_MAX || sql.n > TEXT_LENGTH_MAX)
		return -1;
	db->texts[db->n_texts] = (struct text_statement){ { strndup(sql.p, sql.n), sql.n }, 0, 0 };
	if (!db->texts[db->n_texts].sql.p)
		log_die("out of memory");
	return db->n_texts++;
}

void db_send_text(struct db *db, struct str sql, int n, const struct db_param *params)
{
	struct arrays x;
	char name[16];
	int i = find_text(db, sql);
	if (i < 0 || (!db->texts[i].prepared && db->texts[i].uses++ == 0)) {
		db_send_once(db, sql, n, params);
		return;
	}
	if (db->failed)
		return;
	split_params(&x, n, params);
	snprintf(name, sizeof name, "text%d", i);
	if (!db->texts[i].prepared) {
		if (!PQsendPrepare(db->conn, name, db->texts[i].sql.p, 0, NULL)) {
			lose_connection(db);
			return;
		}
		push(db, ENTRY_PREPARE, i);
	}
	if (!PQsendQueryPrepared(db->conn, name, n, x.values, x.lengths, x.formats, 1))
		lose_connection(db);
	else
		push(db, ENTRY_QUERY, -1);
}

void db_send_once(struct db *db, struct str sql, int n, const struct db_param *params)
{
	struct arrays x;
	if (db->failed)
		return;
	split_params(&x, n, params);
	if (!PQsendQueryParams(db->conn, sql.p, n, NULL, x.values, x.lengths, x.formats, 1))
		lose_connection(db);
	else
		push(db, ENTRY_QUERY, -1);
}

void db_flush(struct db *db)
{
	if (!db->failed && (!PQsendFlushRequest(db->conn) || PQflush(db->conn) < 0))
		lose_connection(db);
}

void db_commit(struct db *db)
{
	if (db->failed)
		return;
	if (!PQpipelineSync(db->conn))
		lose_connection(db);
	else
		push(db, ENTRY_SYNC, -1);
}

/* Results --------------------------------------------------------------- */

static enum rc fail_with(struct db *db, PGresult *r)
{
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
	PQclear(db->error_result);
	db->error_result = r;
	db->failed = true;
	db->error = (struct db_error){
		.sqlstate = state ? state : "",
		.detail = str_of(PQresultErrorField(r, PG_DIAG_MESSAGE_DETAIL)),
		.message = str_of(PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY)),
		.constraint = str_of(PQresultErrorField(r, PG_DIAG_CONSTRAINT_NAME)),
	};
	set_problem(db, "a statement failed", db->error.message.p);
	return err_of_sqlstate(state);
}

/* One result of the pipeline; null when the connection is lost. */
static PGresult *take_result(struct db *db)
{
	PGresult *r = PQgetResult(db->conn);
	if (!r)
		r = PQgetResult(db->conn);
	if (!r || PQstatus(db->conn) != CONNECTION_OK) {
		lose_connection(db);
		PQclear(r);
		return NULL;
	}
	return r;
}

struct rows *db_keep(struct db *db, PGresult *result)
{
	struct rows *rows = malloc(sizeof *rows);
	if (!rows)
		log_die("out of memory");
	*rows = (struct rows){ .result = result, .next = db->rows };
	db->rows = rows;
	return rows;
}

enum rc db_next(struct db *db, struct rows **rows)
{
	PGresult *r;
	*rows = NULL;
	if (db->failed)
		return err_of_sqlstate(NULL);
	if (db->head == db->tail)
		log_die("no statement is waiting for a result");
	if (!(r = take_result(db)))
		return RC_UNAVAILABLE;
	if (db->queue[db->head].kind == ENTRY_PREPARE && PQresultStatus(r) == PGRES_COMMAND_OK) {
		db->texts[db->queue[db->head++].text].prepared = true;
		PQclear(r);
		return db_next(db, rows);
	}
	db->head++;
	if (PQresultStatus(r) != PGRES_TUPLES_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
		return fail_with(db, r);
	*rows = db_keep(db, r);
	return RC_OK;
}

enum rc db_finish(struct db *db)
{
	PGresult *r;
	if (db->failed || db->head == db->tail || !(r = take_result(db)))
		return RC_UNAVAILABLE;
	if (PQresultStatus(r) != PGRES_PIPELINE_SYNC)
		return fail_with(db, r);
	db->head = db->tail = 0;
	PQclear(r);
	return RC_OK;
}

const struct db_error *db_error(const struct db *db)
{
	return &db->error;
}

/* Reads up to the Sync, so that the next request starts with an empty pipeline. */
static void drain(struct db *db)
{
	while (PQstatus(db->conn) == CONNECTION_OK) {
		PGresult *r = PQgetResult(db->conn);
		if (r && PQresultStatus(r) == PGRES_PIPELINE_SYNC && --db->tail == 0) {
			PQclear(r);
			return;
		}
		PQclear(r);
	}
}

void db_end(struct db *db)
{
	if (db->conn && (db->head != db->tail || db->open)) {
		int syncs = 0;
		/* A failing statement rolls back what is open and was not to be committed. */
		if (db->open && !db->failed &&
			!PQsendQueryParams(db->conn, "select 1/0", 0, NULL, NULL, NULL, NULL, 1))
			lose_connection(db);
		if (db->open && !PQpipelineSync(db->conn))
			lose_connection(db);
		for (int i = db->head; i < db->tail; i++)
			syncs += db->queue[i].kind == ENTRY_SYNC;
		db->tail = syncs + (db->open ? 1 : 0);
		if (db->tail > 0)
			drain(db);
	}
	db->head = db->tail = 0;
	db->open = db->failed = false;
	while (db->rows) {
		struct rows *next = db->rows->next;
		PQclear(db->rows->result);
		free(db->rows);
		db->rows = next;
	}
}

const struct rows *db_describe(const struct db *db, enum stmt stmt)
{
	return db->statements[stmt].description.result ? &db->statements[stmt].description : NULL;
}

const int16_t *db_columns_known(const struct db *db, enum stmt stmt, const void *key)
{
	return db->statements[stmt].key == key ? db->statements[stmt].columns : NULL;
}

void db_columns_remember(
	struct db *db, enum stmt stmt, const void *key, const int16_t *columns, size_t n)
{
	struct statement *s = &db->statements[stmt];
	free(s->columns);
	s->columns = malloc(n * sizeof *columns);
	if (!s->columns)
		log_die("out of memory");
	memcpy(s->columns, columns, n * sizeof *columns);
	s->key = key;
}

/* Programs -------------------------------------------------------------- */

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
		rc = fail_with(db, r);
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
