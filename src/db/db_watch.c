#include "db/db_watch.h"

#include <poll.h>
#include <stdlib.h>

#include "db/db_connect.h"
#include "db/db_rows.h"
#include "lib/log.h"

enum {
	AGAIN_US = 1000 * 1000, /* after a failure */
	STEP_US = 8000 * 1000,  /* how long a connection or an answer may take */
	PARAMS_MAX = 16,
};

enum state { AWAY, CONNECTING, FREE, ASKING };

struct db_watch {
	const struct conf *conf;
	PGconn *conn;
	enum state state;
	PostgresPollingStatusType polling;
	bool must_flush;
	bool is_lost;  /* already logged */
	int64_t at_us; /* when the state began; AWAY: when it ends */
	struct rows rows;
	bool has_rows;
};

struct db_watch *db_watch_new(const struct conf *conf)
{
	struct db_watch *w = calloc(1, sizeof *w);
	if (!w)
		log_die("out of memory");
	w->conf = conf;
	return w;
}

void db_watch_free(struct db_watch *w)
{
	PQclear(w->rows.result);
	PQfinish(w->conn);
	free(w);
}

int db_watch_fd(const struct db_watch *w)
{
	return w->conn ? PQsocket(w->conn) : -1;
}

short db_watch_events(const struct db_watch *w)
{
	if (w->state == CONNECTING)
		return w->polling == PGRES_POLLING_READING ? POLLIN : POLLOUT;
	return (short)(POLLIN | (w->must_flush ? POLLOUT : 0));
}

static void enter(struct db_watch *w, enum state state)
{
	w->state = state;
	w->at_us = db_clock_us() + (state == AWAY ? AGAIN_US : 0);
}

/* Logs only the first line of the reason. */
static void lose(struct db_watch *w, const char *why)
{
	struct str rest = str_of(why), line = str_cut(&rest, '\n');
	if (!w->is_lost)
		log_warn("the database cannot be reached: %.*s", (int)line.n, line.p ? line.p : "");
	w->is_lost = true;
	w->must_flush = false;
	PQfinish(w->conn);
	w->conn = NULL;
	enter(w, AWAY);
}

static void ignore_notice(void *arg, const PGresult *result)
{
	(void)arg;
	(void)result;
}

static void connect_on(struct db_watch *w)
{
	w->polling = PQconnectPoll(w->conn);
	if (w->polling == PGRES_POLLING_FAILED) {
		lose(w, PQerrorMessage(w->conn));
	} else if (w->polling == PGRES_POLLING_OK) {
		PQsetnonblocking(w->conn, 1);
		PQsetNoticeReceiver(w->conn, ignore_notice, NULL);
		if (w->is_lost)
			log_info("the database is back");
		w->is_lost = false;
		enter(w, FREE);
	}
}

static void connect_first(struct db_watch *w)
{
	w->conn = db_connect_start(w->conf);
	if (PQstatus(w->conn) == CONNECTION_BAD) {
		lose(w, PQerrorMessage(w->conn));
		return;
	}
	w->polling = PGRES_POLLING_WRITING;
	enter(w, CONNECTING);
}

static void keep(struct db_watch *w, PGresult *r)
{
	PQclear(w->rows.result);
	w->rows.result = r;
	w->has_rows = true;
}

/* Reads what has arrived; a null result ends the statement's results. */
static void read_on(struct db_watch *w)
{
	int left = PQflush(w->conn);
	if (left < 0 || !PQconsumeInput(w->conn)) {
		lose(w, PQerrorMessage(w->conn));
		return;
	}
	w->must_flush = left > 0;
	while (w->state == ASKING && !PQisBusy(w->conn)) {
		PGresult *r = PQgetResult(w->conn);
		if (!r) {
			enter(w, FREE);
		} else if (PQresultStatus(r) == PGRES_TUPLES_OK) {
			keep(w, r);
		} else {
			log_error("a statement failed: %s", PQresultErrorMessage(r));
			PQclear(r);
		}
	}
	PQisBusy(w->conn); /* notices if the server ends the connection */
	if (PQstatus(w->conn) != CONNECTION_OK)
		lose(w, PQerrorMessage(w->conn));
}

void db_watch_step(struct db_watch *w, bool is_ready)
{
	int64_t now = db_clock_us();
	if (w->state == AWAY && now >= w->at_us)
		connect_first(w);
	else if (w->state == CONNECTING && is_ready)
		connect_on(w);
	else if ((w->state == FREE || w->state == ASKING) && is_ready)
		read_on(w);
	if ((w->state == CONNECTING || w->state == ASKING) && now > w->at_us + STEP_US)
		lose(w, "it does not answer");
}

bool db_watch_is_free(const struct db_watch *w)
{
	return w->state == FREE;
}

bool db_watch_ask(struct db_watch *w, enum stmt stmt, int n, const struct db_param *params)
{
	const char *values[PARAMS_MAX];
	int lengths[PARAMS_MAX], formats[PARAMS_MAX];
	for (int i = 0; i < n && i < PARAMS_MAX; i++) {
		values[i] = params[i].value;
		lengths[i] = params[i].length;
		formats[i] = params[i].format;
	}
	w->has_rows = false;
	enter(w, ASKING);
	if (n > PARAMS_MAX ||
		!PQsendQueryParams(
			w->conn, stmt_texts[stmt].sql, n, NULL, values, lengths, formats, 1)) {
		lose(w, PQerrorMessage(w->conn));
		return false;
	}
	read_on(w);
	return w->state != AWAY;
}

struct rows *db_watch_take(struct db_watch *w)
{
	if (!w->has_rows)
		return NULL;
	w->has_rows = false;
	return &w->rows;
}
