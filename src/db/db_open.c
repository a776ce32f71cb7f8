/* The connection of a struct db: opening it, keeping it, and preparing statements on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/db_connect.h"
#include "db/db_rows.h"
#include "lib/log.h"

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
	db_text_forget(db);
	for (int i = 0; i < STMT__MAX; i++)
		free(db->statements[i].columns);
	memset(db->statements, 0, sizeof db->statements);
}

void db_disconnect(struct db *db)
{
	PQfinish(db->conn);
	db->conn = NULL;
	db->head = db->tail = 0;
	db->open = db->failed = db->ended = db->is_new = false;
	db->pooler = DB_UNPOOLED;
	forget_statements(db);
}

void db_set_problem(struct db *db, const char *what, const char *why)
{
	char *to = db->problem;
	snprintf(db->problem, sizeof db->problem, "%s: %s", what, why ? why : "");
	/* One line: each line end, with the blanks after it, becomes a space. */
	for (const char *from = db->problem; *from; from++) {
		if (*from != '\n') {
			*to++ = *from;
			continue;
		}
		from += strspn(from, "\n\t ") - 1;
		if (from[1])
			*to++ = ' ';
	}
	*to = '\0';
}

const char *db_problem(const struct db *db)
{
	return db->problem;
}

void db_take_notice(void *arg, const PGresult *result)
{
	struct db *db = arg;
	/* 57P01 to 57P05, which an immediate shutdown sends as a warning. */
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
	if ((severity && !strcmp(severity, "FATAL")) || (state && !strncmp(state, "57P0", 4)))
		db->ended = true;
}

/*
 * What is in between may lead anywhere for a moment, as a proxy does that has just started. A
 * standby would answer with old data, and accept no changes.
 */
static bool refuse_standby(struct db *db)
{
	const char *standby = PQparameterStatus(db->conn, "in_hot_standby");
	if (!db->wants_statements || !standby || strcmp(standby, "on") != 0)
		return false;
	db_set_problem(db, "the setting database leads to a standby",
		"it must lead to the server that accepts writes, as "
		"target_session_attrs=read-write does");
	return true;
}

static bool connect_to_server(struct db *db)
{
	db->conn = db_connect(db->conf);
	db->reached = PQstatus(db->conn) == CONNECTION_OK;
	if (!db->reached) {
		db_set_problem(db, "cannot reach the database", PQerrorMessage(db->conn));
		db_disconnect(db);
		return false;
	}
	PQsetNoticeReceiver(db->conn, db_take_notice, db);
	return !refuse_standby(db) && db_pooler_look(db);
}

void db_put_end(const struct db *db, struct buf *text)
{
	buf_printf(text, " /* %lu */", db->schema);
	buf_put_char(text, '\0');
}

char *db_statement_text(const struct db *db, enum stmt stmt, struct db_names *names)
{
	const struct stmt_text *t = &stmt_texts[stmt];
	struct buf b = { 0 };
	char *at;
	*names = (struct db_names){ .n = db_names_highest(t->sql) };
	db_names_put(names, &b, t->sql, strlen(t->sql));
	db_put_end(db, &b);
	while ((at = strstr(b.p, stmt_mark)))
		memset(at, ' ', strlen(stmt_mark));
	return b.p;
}

void db_put_statement(struct buf *to, enum stmt stmt)
{
	const char *text = stmt_texts[stmt].sql;
	struct db_names names = { .n = db_names_highest(text) };
	db_names_put(&names, to, text, strlen(text));
}

/* Each in a transaction of its own, so that locks do not pile up: a migration would wait for
   them. */
static bool send_statement(struct db *db, int i)
{
	struct statement *s = &db->statements[i];
	const char *name = stmt_texts[i].name;
	char *text = db_statement_text(db, (enum stmt)i, &s->names);
	bool ok = PQsendPrepare(db->conn, name, text, 0, NULL) &&
		PQsendDescribePrepared(db->conn, name) && PQpipelineSync(db->conn);
	free(text);
	return ok;
}

/* Whether the connection itself failed: a stopping server or a pooler says so in place of an
   answer. */
static bool is_of_connection(const struct db *db, const PGresult *r)
{
	const char *severity = PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED);
	return PQstatus(db->conn) != CONNECTION_OK || !severity || !strcmp(severity, "FATAL");
}

/* Whether it waited for a table until the server (query_canceled) or the guard had enough. */
static bool was_kept_waiting(const struct db *db, const PGresult *r)
{
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
	return db->stop || (state && !strcmp(state, "57014"));
}

static void refuse_statement(struct db *db, int i, const PGresult *r)
{
	char what[160];
	bool waited = was_kept_waiting(db, r);
	const char *why = r ? PQresultErrorMessage(r) : PQerrorMessage(db->conn);
	snprintf(what, sizeof what,
		waited ? "the statement %s cannot be prepared in time; is a table locked?"
		       : "the database rejects the statement %s (run planwrightctl migrate)",
		stmt_texts[i].name);
	db->reached = !waited;
	db_set_problem(db,
		waited || !is_of_connection(db, r) ? what : "the connection to the database failed",
		db->stop ? "nobody waits any longer" : why);
}

/* The next answer, after the end of the previous one; null: db_problem says why. */
static PGresult *take_prepared(struct db *db, int i, ExecStatusType right)
{
	PGresult *r = db_wait(db) ? PQgetResult(db->conn) : NULL;
	if (!r && db_wait(db))
		r = PQgetResult(db->conn);
	if (PQresultStatus(r) == right)
		return r;
	refuse_statement(db, i, r);
	PQclear(r);
	return NULL;
}

static bool take_statement(struct db *db, int i)
{
	struct statement *s = &db->statements[i];
	PGresult *prepared = take_prepared(db, i, PGRES_COMMAND_OK),
		 *described = prepared ? take_prepared(db, i, PGRES_COMMAND_OK) : NULL;
	PGresult *end = described ? take_prepared(db, i, PGRES_PIPELINE_SYNC) : NULL;
	PQclear(prepared);
	PQclear(end);
	s->description.result = described;
	if (!end)
		return false;
	s->n_params = PQnparams(described);
	s->n_numbered = s->n_params - db_names_count(&s->names);
	if (s->n_params > STATEMENT_PARAMS_MAX)
		log_die("statement %s has too many parameters", stmt_texts[i].name);
	return true;
}

/*
 * All are sent before the first is answered: when a pooler has been restarted, all workers
 * reconnect at once, and requests that wait for them would pay for each round trip. Sending does
 * not wait: the server reads on only when it has prepared what it has, and while a table is locked,
 * each statement that names it would take its whole time.
 */
static bool prepare_statements(struct db *db)
{
	PQsetnonblocking(db->conn, 1);
	db->is_new = true;
	for (int i = STMT_NONE + 1; i < STMT__MAX; i++)
		if (!stmt_texts[i].is_late && !send_statement(db, i)) {
			db_set_problem(db, "the connection to the database failed",
				PQerrorMessage(db->conn));
			return false;
		}
	for (int i = STMT_NONE + 1; i < STMT__MAX; i++)
		if (!stmt_texts[i].is_late && !take_statement(db, i))
			return false;
	db->is_new = false;
	return !PQsetnonblocking(db->conn, 0);
}

bool db_is_alive(struct db *db)
{
	if (PQstatus(db->conn) != CONNECTION_OK || !PQconsumeInput(db->conn))
		return false;
	PQisBusy(db->conn); /* reads what has arrived */
	return !db->ended && PQstatus(db->conn) == CONNECTION_OK;
}

enum rc db_ready(struct db *db)
{
	if (db->conn && !db_is_alive(db)) {
		log_warn("the connection to the database was lost; reconnecting");
		db_disconnect(db);
	}
	if (db->conn)
		return RC_OK;
	if (!connect_to_server(db) || !PQenterPipelineMode(db->conn) ||
		(db->wants_statements && !prepare_statements(db))) {
		db_disconnect(db);
		return RC_UNAVAILABLE;
	}
	return RC_OK;
}

bool db_was_reached(const struct db *db)
{
	return db->reached;
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
	if (s->columns)
		return;
	s->columns = malloc(n * sizeof *columns);
	if (!s->columns)
		log_die("out of memory");
	memcpy(s->columns, columns, n * sizeof *columns);
	s->key = key;
}
