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
	db->open = db->failed = db->ended = false;
	db->pooler = DB_UNPOOLED;
	forget_statements(db);
}

void db_set_problem(struct db *db, const char *what, const char *why)
{
	char *to = db->problem;
	snprintf(db->problem, sizeof db->problem, "%s: %s", what, why ? why : "");
	/* One line: each line end, and the blanks after it, is a space. */
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
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
	if (severity && !strcmp(severity, "FATAL"))
		db->ended = true;
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
	return db_pooler_look(db);
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

/* Prepares and describes one static statement; round trips do not matter here. */
static bool prepare_statement(struct db *db, int i)
{
	struct statement *s = &db->statements[i];
	char *text = db_statement_text(db, (enum stmt)i, &s->names);
	PGresult *r = PQprepare(db->conn, stmt_texts[i].name, text, 0, NULL);
	bool ok = PQresultStatus(r) == PGRES_COMMAND_OK;
	free(text);
	PQclear(r);
	if (ok) {
		s->description.result = PQdescribePrepared(db->conn, stmt_texts[i].name);
		ok = PQresultStatus(s->description.result) == PGRES_COMMAND_OK;
		s->n_params = PQnparams(s->description.result);
		s->n_numbered = s->n_params - db_names_count(&s->names);
		ok = s->n_params <= STATEMENT_PARAMS_MAX;
	}
	if (!ok) {
		char what[160];
		snprintf(what, sizeof what,
			"the database rejects the statement %s (run planwrightctl migrate)",
			stmt_texts[i].name);
		db_set_problem(db, what, PQerrorMessage(db->conn));
	}
	return ok;
}

static bool prepare_statements(struct db *db)
{
	for (int i = STMT_NONE + 1; i < STMT__MAX; i++)
		if (!stmt_texts[i].is_late && !prepare_statement(db, i))
			return false;
	return true;
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
	if (!connect_to_server(db) || (db->wants_statements && !prepare_statements(db)) ||
		!PQenterPipelineMode(db->conn)) {
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
