/*
 * The connection to a standby. Requests do not wait for it to be made: each one that could use it
 * moves it one step further, and asks the leader meanwhile.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/db_connect.h"
#include "db/db_rows.h"
#include "lib/log.h"

enum {
	AGAIN_US = 3000 * 1000, /* after a failure */
	STEP_US = 5000 * 1000,  /* how long the next step may take */
	HELLO_MS = 10,          /* how long the first request waits: nearly all are made by then */
};

struct db *db_new_standby(const struct db *leader)
{
	struct db *db = db_new(leader->conf, true);
	db->leader = leader;
	return db;
}

static bool drop(struct db *db, int64_t now)
{
	db_disconnect(db);
	db->tend = TEND_AWAY;
	db->tend_us = now + AGAIN_US;
	return false;
}

static bool drop_loud(struct db *db, int64_t now)
{
	log_warn("reads stay on the leader: %s", db->problem);
	return drop(db, now);
}

static bool drop_for(struct db *db, int64_t now, const char *what)
{
	db_set_problem(db, what, PQerrorMessage(db->conn));
	return drop_loud(db, now);
}

static void begin(struct db *db, int64_t now)
{
	db->conn = db_connect_start_reads(db->conf, (unsigned)getpid() + db->tries++);
	if (PQstatus(db->conn) == CONNECTION_BAD) {
		drop_for(db, now, "cannot reach a standby");
		return;
	}
	db->tend = TEND_CONNECTING;
	db->tend_us = now;
	db->polling = PGRES_POLLING_WRITING;
}

/* A standby that has become the leader is of no use here: the setting database leads to it, too. */
static bool is_standby(const struct db *db)
{
	const char *value = PQparameterStatus(db->conn, "in_hot_standby");
	return !value || strcmp(value, "off");
}

/* Prepares each as the leader has it, all in one pipeline. */
static bool send_statements(struct db *db)
{
	bool ok = !PQsetnonblocking(db->conn, 1) && PQenterPipelineMode(db->conn) &&
		db_pooler_send(db);
	db->schema = db->leader->schema;
	for (int i = STMT_NONE + 1; ok && i < STMT__MAX; i++) {
		struct statement *s = &db->statements[i];
		if (stmt_texts[i].is_late)
			continue;
		char *text = db_statement_text(db, (enum stmt)i, &s->names);
		s->n_params = db->leader->statements[i].n_params;
		s->n_numbered = db->leader->statements[i].n_numbered;
		ok = PQsendPrepare(db->conn, stmt_texts[i].name, text, 0, NULL);
		free(text);
	}
	return ok && PQpipelineSync(db->conn);
}

static bool has_come(const struct db *db, int ms)
{
	struct pollfd fd = { .fd = PQsocket(db->conn),
		.events = db->polling == PGRES_POLLING_READING ? POLLIN : POLLOUT };
	return poll(&fd, 1, ms) > 0;
}

static bool go_on_connecting(struct db *db, int64_t now, int ms)
{
	while (db->polling != PGRES_POLLING_OK && has_come(db, ms)) {
		db->polling = PQconnectPoll(db->conn);
		db->tend_us = now;
		if (db->polling == PGRES_POLLING_FAILED)
			return drop_for(db, now, "cannot reach a standby");
	}
	if (db->polling != PGRES_POLLING_OK)
		return false;
	PQsetNoticeReceiver(db->conn, db_take_notice, db);
	/* Without the leader's statements there is nothing to compare with; it comes back soon. */
	if (!is_standby(db) || !db->leader->conn)
		return drop(db, now);
	if (!send_statements(db))
		return drop_for(db, now, "cannot prepare statements on a standby");
	db->tend = TEND_PREPARING;
	return false;
}

static bool go_on_preparing(struct db *db, int64_t now)
{
	ExecStatusType status = PGRES_COMMAND_OK;
	if (PQflush(db->conn) < 0 || !PQconsumeInput(db->conn))
		return drop_for(db, now, "cannot prepare statements on a standby");
	while (status != PGRES_PIPELINE_SYNC && !PQisBusy(db->conn)) {
		PGresult *r = PQgetResult(db->conn);
		status = r ? PQresultStatus(r) : PGRES_COMMAND_OK;
		db->tend_us = now;
		bool fits = status != PGRES_TUPLES_OK || db_pooler_take(db, r);
		PQclear(r);
		if (!fits)
			return drop_loud(db, now);
		if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK &&
			status != PGRES_PIPELINE_SYNC)
			return drop_for(db, now, "a standby rejects a statement");
	}
	if (status != PGRES_PIPELINE_SYNC)
		return false;
	PQsetnonblocking(db->conn, 0);
	db->tend = TEND_READY;
	return true;
}

bool db_tend(struct db *db)
{
	int64_t now = db_clock_us();
	bool is_new = db->tend == TEND_AWAY && now >= db->tend_us;
	if (is_new)
		begin(db, now);
	if (db->tend == TEND_CONNECTING)
		go_on_connecting(db, now, is_new ? HELLO_MS : 0);
	if (db->tend == TEND_PREPARING)
		go_on_preparing(db, now);
	if (db->tend == TEND_READY)
		return (db_is_alive(db) && is_standby(db)) || drop(db, now);
	if (db->tend != TEND_AWAY && now > db->tend_us + STEP_US)
		return drop(db, now);
	return false;
}
