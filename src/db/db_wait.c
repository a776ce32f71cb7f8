/* Waiting for the database, and what ends it early: struct db_guard. */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include "db/db_rows.h"
#include "lib/log.h"

enum {
	QUICK_US = 50 * 1000,    /* up to here nothing is checked */
	GRACE_US = 10 * 1000,    /* an answer that is arriving is not stopped */
	CANCEL_US = 5000 * 1000, /* how long a server may take to end a statement */
	READS_BETWEEN = 64,      /* of some 16 kB, between two looks at the memory */
};

/* When the guard is asked whether the request may go on. */
static const int64_t turns_us[] = { 200 * 1000, 1000 * 1000 };
enum { TURNS = sizeof turns_us / sizeof *turns_us };

int64_t db_clock_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void db_guard(struct db *db, const struct db_guard *guard)
{
	db->guarded = guard != NULL;
	db->guard = guard ? *guard : (struct db_guard){ 0 };
	db->started_us = guard ? db_clock_us() : 0;
	db->limit_us = 0;
	db->turns = 0;
	db->stop = DB_GOES_ON;
	db->failed = false;
}

void db_limit(struct db *db, int64_t ms)
{
	db->limit_us = db_clock_us() + ms * 1000;
}

const size_t *db_rows_bytes(const struct db *db)
{
	return &db->rows_bytes;
}

enum db_stop db_stopped(const struct db *db)
{
	return db->stop;
}

/* A commit that was sent may take effect at any moment. */
static bool is_committing(const struct db *db)
{
	for (int i = db->head; db->guard.is_write && i < db->tail; i++)
		if (db->queue[i].kind == ENTRY_SYNC)
			return true;
	return false;
}

static int64_t deadline_us(const struct db *db)
{
	int64_t end = db->started_us + db->guard.timeout_ms * 1000;
	return db->limit_us && db->limit_us < end ? db->limit_us : end;
}

/*
 * A Unix socket reports when both halves of a connection are closed. TCP reports only one half,
 * which web servers do not close by itself.
 */
static short peer_events(const struct db *db)
{
	int domain = AF_UNIX;
	socklen_t size = sizeof domain;
	getsockopt(db->guard.peer, SOL_SOCKET, SO_DOMAIN, &domain, &size);
	return domain == AF_UNIX ? 0 : POLLRDHUP;
}

/* The server notices on its own, if it is still waiting for something. */
static void give_up(struct db *db)
{
	db->ended = true;
	shutdown(PQsocket(db->conn), SHUT_RDWR);
}

static void stop(struct db *db, enum db_stop why, int64_t now)
{
	char text[256] = "no memory";
	bool committing = is_committing(db);
	db->stop = committing ? DB_STOP_WRITE : why;
	db->stopped_us = now;
	db->failed = true;
	db->error = (struct db_error){ .sqlstate = "" };
	/* A new connection holds nothing, and a cancel would reach only one of its statements. */
	if (committing || db->leader || db->is_new) {
		give_up(db);
		return;
	}
	PGcancel *cancel = PQgetCancel(db->conn);
	if (!cancel || !PQcancel(cancel, text, sizeof text))
		log_warn("cannot cancel a statement: %s", text);
	PQfreeCancel(cancel);
}

/*
 * Memory held by the program: rows become a result only when the last of them has arrived. A
 * buffer grows by doubling, and pages that were never written use no memory.
 */
static bool holds_too_much(const struct db *db)
{
	struct mallinfo2 m = mallinfo2();
	const struct buf *answer = db->guard.answer;
	/* Other allocators, such as those of sanitizers, are not counted here. */
	size_t all = m.uordblks + m.hblkhd, unused = answer->cap - answer->n;
	return all > unused && all - unused > db->guard.held->most;
}

/* When the guard is asked next, in a wait that began at `begun`. */
static int64_t next_turn(const struct db *db, int64_t begun)
{
	if (db->turns == TURNS || !db->guard.may_go_on || is_committing(db))
		return INT64_MAX;
	int64_t at = db->started_us + turns_us[db->turns];
	return at < begun + GRACE_US ? begun + GRACE_US : at;
}

/* Cancels what has to be cancelled now. */
static void look(struct db *db, int64_t now, int64_t begun)
{
	int64_t deadline = deadline_us(db);
	if (db->stop && now >= db->stopped_us + CANCEL_US)
		give_up(db);
	if (db->stop)
		return;
	if (now >= deadline)
		stop(db, deadline == db->limit_us ? DB_STOP_LIMIT : DB_STOP_TIME, now);
	else if (now >= next_turn(db, begun)) {
		if (db->guard.may_go_on(db->guard.arg, ++db->turns == TURNS))
			return;
		stop(db, DB_STOP_TURN, now);
	}
}

static int milliseconds(int64_t us)
{
	return us <= 0 ? 0 : (int)(us / 1000) + 1;
}

void db_while_waiting(struct db *db, int (*ask)(void *), void *arg)
{
	db->ask = ask;
	db->ask_arg = arg;
}

static int until_next_look(const struct db *db, int64_t now, int64_t begun)
{
	int64_t next = db->stop ? db->stopped_us + CANCEL_US : deadline_us(db);
	if (!db->guarded)
		return -1;
	if (!db->stop && next_turn(db, begun) < next)
		next = next_turn(db, begun);
	if (now < db->started_us + QUICK_US && db->started_us + QUICK_US < next)
		next = db->started_us + QUICK_US;
	return milliseconds(next - now);
}

/* Waits until there is something to read, or to check. False: the connection is lost. */
static bool wait_once(struct db *db, int64_t now, int64_t begun)
{
	bool watches =
		db->guarded && !db->stop && now >= db->started_us + QUICK_US && !is_committing(db);
	int unsent = PQflush(db->conn); /* only where sending does not wait */
	if (unsent < 0)
		return false;
	struct pollfd fds[] = { { .fd = PQsocket(db->conn),
					.events = unsent ? POLLIN | POLLOUT : POLLIN },
		{ .fd = watches ? db->guard.peer : -1, .events = watches ? peer_events(db) : 0 } };
	int ms = until_next_look(db, now, begun), asked = db->ask ? db->ask(db->ask_arg) : -1;
	if (asked >= 0 && (ms < 0 || asked < ms))
		ms = asked;
	if (poll(fds, watches ? 2 : 1, ms) < 0)
		return errno == EINTR;
	if (fds[0].revents)
		return PQconsumeInput(db->conn);
	if (watches && fds[1].revents)
		stop(db, DB_STOP_PEER, now);
	return true;
}

void db_wait_begins(struct db *db)
{
	db->wait_began_us = db_clock_us();
}

void db_wait_ends(struct db *db)
{
	db->waited_us = db_waited_us(db);
	db->wait_began_us = 0;
}

int64_t db_waited_us(const struct db *db)
{
	return db->waited_us + (db->wait_began_us ? db_clock_us() - db->wait_began_us : 0);
}

void db_forget_waits(struct db *db)
{
	db->waited_us = 0;
}

/*
 * If libpq lacks memory for the end of a transaction, it forgets that it has come, and would wait
 * until the request's time is up: ends the connection at once.
 */
static bool is_busy(struct db *db)
{
	errno = 0;
	if (!PQisBusy(db->conn))
		return false;
	if (errno == ENOMEM)
		give_up(db);
	return true;
}

static bool wait_for_result(struct db *db)
{
	int64_t now = 0, begun = 0;
	int reads = 0;
	if (is_busy(db) && db->guarded)
		now = begun = db_clock_us();
	while (is_busy(db)) {
		if (db->guarded)
			look(db, now, begun);
		if (!wait_once(db, now, begun))
			return false;
		if (!db->guarded)
			continue;
		now = db_clock_us();
		if (++reads % READS_BETWEEN == 0 && !db->stop && !is_committing(db) &&
			holds_too_much(db))
			stop(db, DB_STOP_ROWS, now);
	}
	return true;
}

/* The wait is timed only if db->ask is asked meanwhile. */
bool db_wait(struct db *db)
{
	if (!db->ask || !is_busy(db))
		return wait_for_result(db);
	db_wait_begins(db);
	bool ok = wait_for_result(db);
	db_wait_ends(db);
	return ok;
}

bool db_wait_count(struct db *db, size_t bytes)
{
	db->rows_bytes += bytes;
	if (!db->guarded || db->stop || !held_is_too_much(db->guard.held) || is_committing(db))
		return !db->stop;
	stop(db, DB_STOP_ROWS, db_clock_us());
	return false;
}

bool db_answers(struct db *db, int ms)
{
	int64_t end = db_clock_us() + (int64_t)ms * 1000, now;
	while (!db->failed && is_busy(db) && (now = db_clock_us()) < end) {
		struct pollfd fd = { .fd = PQsocket(db->conn), .events = POLLIN };
		if (poll(&fd, 1, milliseconds(end - now)) > 0 && !PQconsumeInput(db->conn))
			return true;
	}
	return db->failed || !is_busy(db);
}

bool db_has_failed(const struct db *db)
{
	return db->failed;
}
