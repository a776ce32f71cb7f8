#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "db/db_connect.h"
#include "db/db_rows.h"
#include "lib/log.h"

enum { RESULTS_KEEP_BYTES = 256 * 1024 };

struct db *db_new(const struct conf *conf, bool statements)
{
	struct db *db = calloc(1, sizeof *db);
	if (!db)
		log_die("out of memory");
	db->conf = conf;
	db->wants_statements = statements;
	db->is_named = true;
	db->hints_to = hint_target(conf_live(conf));
	db->bell = bell_of(conf->base_url);
	return db;
}

void db_free(struct db *db)
{
	if (!db)
		return;
	db_end(db);
	db_disconnect(db);
	PQclear(db->error_result);
	if (db->hints_to.fd > 0)
		close(db->hints_to.fd);
	bell_close(&db->bell);
	free(db);
}

/* Queue ----------------------------------------------------------------- */

static void lose_connection(struct db *db)
{
	db_set_problem(db, "the connection to the database failed", PQerrorMessage(db->conn));
	db->failed = true;
	db->error = (struct db_error){ .sqlstate = "" };
}

static void push(struct db *db, enum entry kind, int text)
{
	if (db->head == db->tail)
		db->head = db->tail = 0;
	if (db->tail == DB_QUEUE_MAX)
		log_die("more than %d statements await an answer", DB_QUEUE_MAX);
	db->queue[db->tail].kind = kind;
	db->queue[db->tail++].text = text;
	db->open = kind != ENTRY_SYNC;
}

static void split_params(struct db_arrays *x, int n, const struct db_param *params)
{
	if (n > DB_PARAMS_MAX)
		log_die("more than %d parameters in one statement", DB_PARAMS_MAX);
	for (int i = 0; i < n; i++) {
		x->values[i] = params[i].value;
		x->lengths[i] = params[i].length;
		x->formats[i] = params[i].format;
	}
}

void db_set_caller(struct db *db, const struct db_caller *caller)
{
	struct db_param request = db->caller.request;
	db->caller = *caller;
	db->caller.request = request;
}

const struct db_caller *db_caller(const struct db *db)
{
	return &db->caller;
}

void db_name_request(struct db *db, const char *id)
{
	db->is_named = id == NULL;
	db->caller.request = (struct db_param){ 0 };
	if (!id)
		return;
	struct str name = str_print(db->request, sizeof db->request, "planwright %s", id);
	db->caller.request = (struct db_param){ name.p, (int)name.n, 1 };
}

/* The name ends with the transaction: statements of another one must not carry it. */
static void forget_name(struct db *db)
{
	db->is_named = !db->caller.request.value;
}

/* db_next skips the results of this. */
static void name_connection(struct db *db)
{
	const char *value = db->request;
	if (db->is_named || db->failed)
		return;
	db->is_named = true;
	if (!PQsendQueryPrepared(
		    db->conn, stmt_texts[STMT_REQUEST_NAME].name, 1, &value, NULL, NULL, 1))
		lose_connection(db);
	else
		push(db, ENTRY_ASIDE, -1);
}

void db_send(struct db *db, enum stmt stmt, int n, const struct db_param *params)
{
	const struct statement *s = &db->statements[stmt];
	struct db_param all[STATEMENT_PARAMS_MAX];
	struct db_arrays *x = &db->arrays;
	if (db->failed)
		return;
	if (stmt_texts[stmt].is_late) {
		db_send_text(db, str_of(stmt_texts[stmt].sql), n, params);
		return;
	}
	db->is_named = db->is_named || s->names.request;
	name_connection(db);
	if (n < s->n_numbered)
		log_die("statement %s takes %d parameters", stmt_texts[stmt].name, s->n_numbered);
	if (db_names_count(&s->names)) {
		if (s->n_numbered) /* params may be null if there are none */
			memcpy(all, params, (size_t)s->n_numbered * sizeof *all);
		db_names_fill(&s->names, &db->caller, all);
		params = all;
	}
	split_params(x, s->n_params, params);
	if (!PQsendQueryPrepared(db->conn, stmt_texts[stmt].name, s->n_params, x->values,
		    x->lengths, x->formats, 1))
		lose_connection(db);
	else
		push(db, ENTRY_QUERY, -1);
}

static void send_once(struct db *db, struct str sql, int n, const struct db_param *params)
{
	struct db_arrays *x = &db->arrays;
	if (db->failed)
		return;
	split_params(x, n, params);
	if (!PQsendQueryParams(db->conn, sql.p, n, NULL, x->values, x->lengths, x->formats, 1))
		lose_connection(db);
	else
		push(db, ENTRY_QUERY, -1);
}

/* libpq 15 cannot close a statement: a separate statement deallocates the slot's previous one. */
static void prepare_text(struct db *db, int i, const char *name)
{
	char deallocate[32];
	str_print(deallocate, sizeof deallocate, "deallocate %s", name);
	if (db->texts[i].on_server) {
		if (!PQsendQueryParams(db->conn, deallocate, 0, NULL, NULL, NULL, NULL, 1)) {
			lose_connection(db);
			return;
		}
		push(db, ENTRY_DEALLOCATE, i);
	}
	struct buf text = { 0 };
	buf_put(&text, db->texts[i].sql.p, db->texts[i].sql.n);
	db_put_end(db, &text);
	bool sent = PQsendPrepare(db->conn, name, text.p, 0, NULL);
	buf_free(&text);
	if (!sent) {
		lose_connection(db);
		return;
	}
	push(db, ENTRY_PREPARE, i);
	db->texts[i].asked = true;
}

void db_send_text(struct db *db, struct str sql, int n, const struct db_param *params)
{
	struct db_arrays *x = &db->arrays;
	char name[16];
	int i = db_text_find(db, sql);
	name_connection(db);
	if (i < 0 || (!db->texts[i].prepared && db->texts[i].uses == 1)) {
		send_once(db, sql, n, params);
		return;
	}
	if (db->failed)
		return;
	split_params(x, n, params);
	str_print(name, sizeof name, "text%d", i);
	if (!db->texts[i].prepared && !db->texts[i].asked)
		prepare_text(db, i, name);
	if (db->failed)
		return;
	if (!PQsendQueryPrepared(db->conn, name, n, x->values, x->lengths, x->formats, 1))
		lose_connection(db);
	else
		push(db, ENTRY_QUERY, -1);
}

/* db_next skips the results of these. */
static void set_plan_mode(struct db *db, const char *mode)
{
	if (db->failed)
		return;
	if (!PQsendQueryPrepared(
		    db->conn, stmt_texts[STMT_PLAN_MODE].name, 1, &mode, NULL, NULL, 1))
		lose_connection(db);
	else
		push(db, ENTRY_ASIDE, -1);
}

void db_send_values(struct db *db, struct str sql, bool once, int n, const struct db_param *params)
{
	set_plan_mode(db, "force_custom_plan");
	if (once)
		send_once(db, sql, n, params);
	else
		db_send_text(db, sql, n, params);
	set_plan_mode(db, "force_generic_plan");
}

void db_flush(struct db *db)
{
	if (!db->failed && (!PQsendFlushRequest(db->conn) || PQflush(db->conn) < 0))
		lose_connection(db);
}

void db_hold(struct db *db, bool held)
{
	db->is_held = held;
}

void db_commit(struct db *db)
{
	if (db->failed)
		return;
	if (db->is_held) {
		db_flush(db);
		return;
	}
	if (!PQpipelineSync(db->conn))
		lose_connection(db);
	else
		push(db, ENTRY_SYNC, -1);
	forget_name(db);
}

/* Results --------------------------------------------------------------- */

/* The error for a statement that was stopped, or that follows a failed one. */
static enum rc rc_of_failure(const struct db *db)
{
	if (db->stop == DB_STOP_TURN)
		return RC_TOO_MANY_REQUESTS;
	return db->stop == DB_STOP_ROWS ? RC_INVALID_PARAMETER : RC_UNAVAILABLE;
}

/* libpq made it itself, out of memory: it has lost count of results, unlike a new connection. */
static bool is_miscounted(const PGresult *r)
{
	return PQresultStatus(r) == PGRES_FATAL_ERROR && !PQresultErrorField(r, PG_DIAG_SQLSTATE);
}

bool db_is_outdated(const struct db *db)
{
	const char *state = db->failed ? db->error.sqlstate : "";
	return !strcmp(state, "0A000") || !strcmp(state, "26000");
}

enum rc db_fail(struct db *db, PGresult *r)
{
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
	PQclear(db->error_result);
	db->error_result = r;
	db->failed = db->aborted = true;
	db->ended = db->ended || is_miscounted(r);
	/* The connection ends after this, perhaps only when the next request has begun. */
	db_take_notice(db, r);
	db->error = (struct db_error){
		.sqlstate = state ? state : "",
		.message = str_of(PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY)),
		.constraint = str_of(PQresultErrorField(r, PG_DIAG_CONSTRAINT_NAME)),
	};
	db->ended = db->ended || db_is_outdated(db);
	db_set_problem(db, "a statement failed", db->error.message.p);
	return db->stop ? rc_of_failure(db) : err_of_sqlstate(state);
}

/* One result of the pipeline; null when the connection is lost. */
static PGresult *take_result(struct db *db)
{
	PGresult *r = db_wait(db) ? PQgetResult(db->conn) : NULL;
	if (!r && db_wait(db))
		r = PQgetResult(db->conn);
	if (!r || PQstatus(db->conn) != CONNECTION_OK) {
		lose_connection(db);
		PQclear(r);
		return NULL;
	}
	return r;
}

/* A result that lives until db_end. */
static struct rows *keep_rows(struct db *db, PGresult *result)
{
	struct rows *rows = malloc(sizeof *rows);
	if (!rows)
		log_die("out of memory");
	*rows = (struct rows){ .result = result, .next = db->rows };
	db->rows = rows;
	return rows;
}

/* Records what a result says about the slot of a text. */
static void note_text(struct db *db, enum entry kind, int text, ExecStatusType status)
{
	/* A pooler registers the name at once, and prepares the statement when it is next used. */
	bool done = status == PGRES_COMMAND_OK || db->pooler == DB_POOLED_TRANSACTIONS;
	if (kind == ENTRY_DEALLOCATE && done)
		db->texts[text].on_server = false;
	if (kind == ENTRY_PREPARE) {
		db->texts[text].asked = false;
		db->texts[text].prepared = done;
		db->texts[text].on_server |= done;
	}
}

enum rc db_next(struct db *db, struct rows **rows)
{
	PGresult *r;
	*rows = NULL;
	if (db->failed)
		return rc_of_failure(db);
	if (db->head == db->tail)
		log_die("no statement is waiting for a result");
	if (!(r = take_result(db)))
		return rc_of_failure(db);
	enum entry kind = db->queue[db->head].kind;
	int text = db->queue[db->head++].text;
	note_text(db, kind, text, PQresultStatus(r));
	if (PQresultStatus(r) != PGRES_TUPLES_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
		return db_fail(db, r);
	if (kind == ENTRY_QUERY) {
		*rows = keep_rows(db, r);
		return db_wait_count(db, PQresultMemorySize(r)) ? RC_OK : rc_of_failure(db);
	}
	PQclear(r);
	return db_next(db, rows);
}

enum rc db_finish(struct db *db)
{
	PGresult *r;
	while (!db->failed && db->head < db->tail && db->queue[db->head].kind == ENTRY_ASIDE) {
		db->head++;
		PQclear(take_result(db));
	}
	if (db->is_held && !db->failed)
		return RC_OK;
	if (db->failed || db->head == db->tail || !(r = take_result(db)))
		return rc_of_failure(db);
	if (PQresultStatus(r) != PGRES_PIPELINE_SYNC)
		return db_fail(db, r);
	db->head = db->tail = 0;
	PQclear(r);
	/* A transaction begun by a statement of its own goes on. */
	if (PQtransactionStatus(db->conn) != PQTRANS_INTRANS)
		db_tell_hints(db);
	return RC_OK;
}

void db_hint(struct db *db, enum hint_kind kind, int64_t id, int64_t version)
{
	hint_add(&db->hints, kind, id, version);
}

void db_tell_hints(struct db *db)
{
	/* A write may leave work for the sender or the importer without a hint: a letter. */
	if (db->hints.n || db->guard.is_write)
		bell_ring(&db->bell);
	hint_send(&db->hints_to, &db->hints);
}

void db_tell_hint(struct db *db, const struct hint *hint)
{
	struct hints hints = { .v = { *hint }, .n = 1 };
	hint_send(&db->hints_to, &hints);
}

const struct db_error *db_error(const struct db *db)
{
	return &db->error;
}

/*
 * Reads up to the last Sync, so that the next request starts with an empty pipeline. Statements
 * prepared meanwhile stay prepared, even if nobody waited for them.
 */
static void drain(struct db *db, int syncs)
{
	for (int i = db->head;
		syncs > 0 && !db->ended && PQstatus(db->conn) == CONNECTION_OK && db_wait(db);) {
		PGresult *r = PQgetResult(db->conn);
		if (!r)
			continue;
		if (PQresultStatus(r) == PGRES_PIPELINE_SYNC)
			syncs--;
		else if (i < db->tail)
			note_text(db, db->queue[i].kind, db->queue[i].text, PQresultStatus(r));
		db->ended = db->ended || is_miscounted(r);
		i++;
		PQclear(r);
	}
	if (syncs > 0)
		db->ended = true;
}

/*
 * libpq stores rows in many small blocks, which the allocator keeps: returns a large result to
 * the system.
 */
static void free_rows(struct db *db)
{
	size_t freed = 0;
	while (db->rows) {
		struct rows *next = db->rows->next;
		freed += PQresultMemorySize(db->rows->result);
		PQclear(db->rows->result);
		free(db->rows);
		db->rows = next;
	}
	db->rows_bytes = 0;
	if (freed > RESULTS_KEEP_BYTES)
		malloc_trim(0);
}

/*
 * Rolls back what is open and was not to be committed. Statements without a begin are a transaction
 * that only a failure would end, or a rollback with a warning: both are lines in the server's log.
 * A begin makes it an ordinary transaction.
 */
static void roll_back(struct db *db)
{
	static const char *const texts[] = { "begin", "rollback" };
	for (int i = 0; i < 2; i++)
		if (!PQsendQueryParams(db->conn, texts[i], 0, NULL, NULL, NULL, NULL, 1)) {
			lose_connection(db);
			return;
		}
}

/* A late cancel may have hit the rollback: a transaction left open would fail what follows. */
static bool is_left_open(const struct db *db)
{
	PGTransactionStatusType status = PQtransactionStatus(db->conn);
	return !db->is_held && (status == PQTRANS_INERROR || status == PQTRANS_INTRANS);
}

void db_end(struct db *db)
{
	if (db->conn && !db->ended && (db->head != db->tail || db->open)) {
		int syncs = db->open;
		if (db->open && !db->aborted)
			roll_back(db);
		if (db->open && !PQpipelineSync(db->conn))
			lose_connection(db);
		for (int i = db->head; i < db->tail; i++)
			syncs += db->queue[i].kind == ENTRY_SYNC;
		drain(db, syncs);
		db->ended = db->ended || is_left_open(db);
	}
	if (db->conn && db->ended) /* so that it holds no locks until the next connection */
		shutdown(PQsocket(db->conn), SHUT_RDWR);
	db->head = db->tail = 0;
	if (db->stop == DB_STOP_ROWS || db->stop == DB_STOP_LIMIT)
		db->stop = DB_GOES_ON;
	db->hints.n = 0;
	db->limit_us = 0;
	db->open = db->aborted = false;
	db->failed = db->stop != DB_GOES_ON;
	db_set_caller(db, &(struct db_caller){ 0 });
	forget_name(db);
	free_rows(db);
}
