/* What is between a connection and PostgreSQL: finds out when the connection is made. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "db/db_connect.h"
#include "db/db_rows.h"

#define PROBE "planwright_probe"
#define SEE "; see docs/guides/pooler.md"

enum { LOOKS = 20, PATIENCE_MS = 1000 };

static const char probe[] = "select 1";

/* A pooler reports the number of another process, or of none. */
static const char ask[] = "select pg_backend_pid(), current_setting('search_path') = 'planwright',"
			  " coalesce(to_regnamespace('api')::oid, 0),"
			  " exists (select from pg_prepared_statements where name = '" PROBE "')";

static bool is_true(const PGresult *r, int column)
{
	return strcmp(PQgetvalue(r, 0, column), "t") == 0;
}

static bool refuse(struct db *db, const char *why)
{
	db_set_problem(db, "there is a connection pooler in front of the database", why);
	return false;
}

/* False: it lacks the settings. */
static bool take_answer(struct db *db, const PGresult *r)
{
	bool is_pooled = strtol(PQgetvalue(r, 0, 0), NULL, 10) != PQbackendPID(db->conn);
	db->schema = strtoul(PQgetvalue(r, 0, 2), NULL, 10);
	if (is_pooled)
		db->pooler = is_true(r, 3) ? DB_POOLED_SESSIONS : DB_POOLED_TRANSACTIONS;
	if (is_pooled && !is_true(r, 1))
		return refuse(db, "its connections lack the settings in connect_query" SEE);
	return true;
}

bool db_pooler_send(struct db *db)
{
	return PQsendPrepare(db->conn, PROBE, probe, 0, NULL) &&
		PQsendQueryParams(db->conn, ask, 0, NULL, NULL, NULL, NULL, 0);
}

bool db_pooler_take(struct db *db, const PGresult *r)
{
	return take_answer(db, r) &&
		(db->pooler != DB_POOLED_SESSIONS || refuse(db, DB_POOLER_OF_READS));
}

/* The number of the server's process; 0: no answer in time. */
static int server_process(PGconn *conn)
{
	int process = 0;
	if (!PQsendQuery(conn, "select pg_backend_pid()"))
		return 0;
	while (PQisBusy(conn)) {
		struct pollfd fd = { .fd = PQsocket(conn), .events = POLLIN };
		if (poll(&fd, 1, PATIENCE_MS) <= 0 || !PQconsumeInput(conn))
			return 0;
	}
	for (PGresult *r; (r = PQgetResult(conn));) {
		if (PQntuples(r) == 1)
			process = (int)strtol(PQgetvalue(r, 0, 0), NULL, 10);
		PQclear(r);
	}
	return process;
}

/*
 * Whether another connection gets the process that this one had a moment ago, or this one gets
 * another process: a pooler that takes them in turns never gives the same one to both.
 */
static bool is_shared(struct db *db)
{
	PGconn *other = db_connect(db->conf);
	bool shared = false;
	int first = server_process(db->conn);
	for (int i = 0; i < LOOKS && !shared && PQstatus(other) == CONNECTION_OK; i++) {
		int mine = server_process(db->conn), its = server_process(other);
		shared = mine && (mine == its || mine != first);
		if (!mine || !its)
			break;
	}
	PQfinish(other);
	return shared;
}

bool db_pooler_look(struct db *db)
{
	bool fits = false;
	/* In a transaction, so that all of this goes to the same server process. */
	PQclear(PQexec(db->conn, "begin"));
	PQclear(PQprepare(db->conn, PROBE, probe, 0, NULL));
	PGresult *r = PQexec(db->conn, ask);
	if (PQntuples(r) == 1)
		fits = take_answer(db, r);
	else
		db_set_problem(db, "cannot reach the database", PQerrorMessage(db->conn));
	bool knows_probe = PQntuples(r) == 1 && is_true(r, 3);
	PQclear(r);
	PQclear(PQexec(db->conn, knows_probe ? "deallocate " PROBE "; commit" : "rollback"));
	if (fits && db->pooler == DB_POOLED_SESSIONS && is_shared(db))
		return refuse(db,
			"it pools by transaction and loses prepared statements: use pgbouncer "
			"1.21 or later with max_prepared_statements, or "
			"pool_mode = session" SEE);
	return fits;
}

enum db_pooler db_pooler(const struct db *db)
{
	return db->pooler;
}
