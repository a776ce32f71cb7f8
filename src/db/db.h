/*
 * The database connection: each process has one to PostgreSQL. A request is one pipeline and one
 * transaction: db_send queues statements, db_next returns results in the same order, and
 * db_commit ends the transaction. When a statement fails, the server skips everything after it
 * and rolls back everything before it.
 *
 * Static statements (sql/queries) are prepared when the connection is made, so that a wrong one
 * stops the program; templates among them without their conditions. Built statements, and static
 * ones that are late, as few need them, are prepared at their second use; the least used ones are
 * evicted. Only the files db and db_* use libpq.
 */
#ifndef DB_H
#define DB_H

#include <stdbool.h>
#include <stdint.h>

#include "db/stmt.h"
#include "lib/arena.h"
#include "lib/buf.h"
#include "lib/held.h"
#include "lib/str.h"
#include "service/conf.h"
#include "service/err.h"
#include "service/hint.h"

struct db;

/* Of one statement: a search of 500 terms has up to four a term, and two more for epics. */
enum { DB_PARAMS_MAX = 3100 };

/* One parameter of a statement. Made by the functions below; null: SQL NULL. */
struct db_param {
	const char *value;
	int length;
	int format; /* 0 text, 1 binary */
};

struct db_param db_null(void);
struct db_param db_int(struct arena *a, int64_t v); /* bigint */
/* The same, but `null` means SQL NULL. */
struct db_param db_int_or_null(struct arena *a, int64_t v, int64_t null);
struct db_param db_bool(struct arena *a, bool v);       /* boolean */
struct db_param db_float(struct arena *a, double v);    /* double precision */
struct db_param db_time(struct arena *a, int64_t us);   /* timestamptz, µs since 1970 */
struct db_param db_date(struct arena *a, int32_t days); /* date, days since 1970 */
struct db_param db_text(struct arena *a, struct str s); /* any type, by its text; absent: NULL */
struct db_param db_bytes(struct str s);                 /* bytea; absent: NULL */
struct db_param db_ids(struct arena *a, const int64_t *ids, size_t n); /* bigint[] */
/* The same, but `null` means SQL NULL. */
struct db_param db_ids_or_null(struct arena *a, const int64_t *ids, size_t n, int64_t null);
struct db_param db_floats(struct arena *a, const double *v, size_t n); /* double precision[] */
struct db_param db_texts(struct arena *a, const struct str *texts, size_t n); /* text[] */

/*
 * Makes a connection object without connecting; the first db_ready connects. `statements` false
 * leaves out the static statements (for planwrightctl, which must work on an empty database,
 * too).
 */
struct db *db_new(const struct conf *conf, bool statements);

/*
 * The same for the setting database_reads: a standby, which has the statements of `leader`. It is
 * made and kept by db_tend, which hardly waits: false means not now. What has to be stopped on it
 * closes it, as it might be gone and could not be asked to cancel anything.
 */
struct db *db_new_standby(const struct db *leader);
bool db_tend(struct db *db);

void db_free(struct db *db);

/*
 * Puts the setting `database` into this process's environment, where PostgreSQL's own programs
 * find it: others see no password there. False: no memory.
 */
bool db_environment(const struct conf *conf) MUST_CHECK;

/*
 * Makes sure that there is a connection with everything prepared: connects, or
 * connects again after a loss. RC_UNAVAILABLE if the database cannot be
 * reached, or is a standby; db_problem then has one line. A statement that the database refuses
 * to prepare is a fault of the installation: also RC_UNAVAILABLE, and
 * db_problem names it.
 */
enum rc db_ready(struct db *db) MUST_CHECK;

/*
 * Whether another db_ready may help at once: the server was there, and no locked table kept it from
 * preparing statements.
 */
bool db_was_reached(const struct db *db);

/*
 * What stands between it and the server. A pooler by transaction gives it another connection to the
 * server from one transaction to the next, so that nothing lasts beyond a transaction but prepared
 * statements; one by session does not.
 */
enum db_pooler { DB_UNPOOLED, DB_POOLED_TRANSACTIONS, DB_POOLED_SESSIONS };
enum db_pooler db_pooler(const struct db *db);

/* A standby is not read through one by session. */
#define DB_POOLER_OF_READS                                                                         \
	"it does not keep prepared statements when it changes connections: use pgbouncer 1.21 or " \
	"later with pool_mode = transaction and max_prepared_statements; see docs/guides/pooler.md"

/* One line on the last failure, for logs and operators; never parameter values. */
const char *db_problem(const struct db *db);

/*
 * The caller, the project and the time zone, which statements name as {me}, {project} and {zone}.
 * In the first wave, the caller may be known only by token; after it, by id. Valid until db_end;
 * until set, all are null.
 *
 * A token or a session may reach only some of the caller's places: projects, by their ids,
 * accounts, by their ids with a minus sign, and 0, which is what belongs to neither. {reach} is an
 * array of these, null for all, and {reached PLACE} whether that one is among them; null is 0. What
 * shows people, projects or what is in them to the caller because of memberships asks that, too.
 * {session_reach}: the array of a session alone, for statements that look the token up themselves.
 * {writes}: the token is not for reading only.
 */
struct db_caller {
	struct db_param token; /* its digest */
	struct db_param person, reach, project, zone;
	struct db_param request; /* {request}: db_name_request fills it in */
};
void db_set_caller(struct db *db, const struct db_caller *caller);
const struct db_caller *db_caller(const struct db *db);

/* A statement's text with numbers in place of names. */
void db_put_statement(struct buf *to, enum stmt stmt);

/*
 * Queues a static statement with its parameters (as many as it numbers; more are dropped), and
 * those that it names. A late one, which names none, takes exactly its own.
 */
void db_send(struct db *db, enum stmt stmt, int n, const struct db_param *params);

/*
 * Queues built SQL. The text must consist of constants (module sql, or a literal); values are
 * passed as $n.
 */
void db_send_text(struct db *db, struct str sql, int n, const struct db_param *params);

/*
 * Queues built SQL that is planned for its values: conditions chosen by users. Everything else
 * has one plan for all values, since planning costs more than most statements take to run.
 * `once`: a shape that is seldom repeated, not worth preparing.
 */
void db_send_values(struct db *db, struct str sql, bool once, int n, const struct db_param *params);

/* Asks the server for the results of all that was queued; the transaction stays open. */
void db_flush(struct db *db);

/* Queues the end of the transaction; what is queued after it belongs to the next one. */
void db_commit(struct db *db);

/*
 * What can end a request before its answer is ready. It is checked while the worker waits for the
 * database, so it costs a quick request nothing. A running statement is cancelled and an open
 * transaction rolled back; a write whose commit was sent continues, since nobody could tell
 * whether it was made.
 */
struct db_guard {
	int64_t timeout_ms; /* for the whole request, from db_guard on */
	const struct held
		*held; /* together with the rows (db_rows_bytes): the request's memory limit */
	const struct buf *answer; /* the part of it that is not used up */
	int peer; /* the connection to the web server: if it is closed, nobody is waiting */
	bool is_write;
	bool (*may_go_on)(void *arg, bool is_slow); /* asked after 200 ms, and after a second */
	void *arg;
};

enum db_stop {
	DB_GOES_ON,
	DB_STOP_TIME, /* RC_UNAVAILABLE */
	DB_STOP_WRITE, /* the same, but the connection was lost: nobody knows whether the write was made */
	DB_STOP_PEER,  /* RC_UNAVAILABLE */
	DB_STOP_TURN,  /* may_go_on said no: RC_TOO_MANY_REQUESTS */
	DB_STOP_ROWS,  /* RC_INVALID_PARAMETER; up to db_end */
	DB_STOP_LIMIT, /* that of db_limit: RC_UNAVAILABLE; up to db_end */
};

/*
 * The id of a request, for PostgreSQL's log lines: the first statement of each transaction also names
 * the connection "planwright <id>" until its end, in the same round trip; a statement that names
 * {request} does so itself. Null: the request is over.
 */
void db_name_request(struct db *db, const char *id);

/* Begins a request; between requests, nothing is sent. Null: without a guard. */
void db_guard(struct db *db, const struct db_guard *guard);

/* The time that everything from now to db_end may take in total. */
void db_limit(struct db *db, int64_t ms);

/* How much memory the rows of the request take, whatever statement they are from. */
const size_t *db_rows_bytes(const struct db *db);

/*
 * Waits at most that long for the oldest unanswered statement: whether its result, or the end of the
 * connection, is there.
 */
bool db_answers(struct db *db, int ms);

/* Whether a statement failed or the connection was lost, since db_guard or db_end. */
bool db_has_failed(const struct db *db);

/*
 * Whether the statement that failed was prepared before a migration, or lost by a pooler: the next
 * db_ready makes a new connection, on which all are prepared anew.
 */
bool db_is_outdated(const struct db *db);

/* Why db_next and db_finish fail, when it is not the database's doing. */
enum db_stop db_stopped(const struct db *db);

/*
 * While held, db_commit only asks for results and db_finish does not wait: everything done
 * meanwhile is committed by the first db_commit after the release, together with what was sent
 * until then. db_end rolls back as usual, and keeps holding.
 */
void db_hold(struct db *db, bool held);

/* A result: rows in binary. Lives until db_end. */
struct rows;

/*
 * The result of the oldest unanswered statement. On failure, the rc of its SQLSTATE; db_error
 * then has the details, and the rest of the pipeline is void: the caller goes straight to db_end.
 */
enum rc db_next(struct db *db, struct rows **rows) MUST_CHECK;

/* Waits for the end queued by db_commit: RC_OK once it is durable. */
enum rc db_finish(struct db *db) MUST_CHECK;

/*
 * What planwright-live hears once the transaction is committed (service/hint.h), and never when it is
 * not. db_finish tells it; db_tell_hints is for a transaction that ended in words (db_script).
 */
void db_hint(struct db *db, enum hint_kind kind, int64_t id, int64_t version);
void db_tell_hints(struct db *db);

/* A hint without a transaction: nothing was written, so it wakes nobody but planwright-live. */
void db_tell_hint(struct db *db, const struct hint *hint);

/*
 * What to do while waiting for the server: before each wait, `ask` says how many milliseconds it
 * may last before the next question; -1: as long as it takes.
 */
void db_while_waiting(struct db *db, int (*ask)(void *), void *arg);

/* How long it was waited for statements, from the connection's begin or db_forget_waits on. */
int64_t db_waited_us(const struct db *db);
void db_forget_waits(struct db *db);

/*
 * The server's report on the failed statement: its SQLSTATE ("" if none), its message and the
 * violated constraint.
 */
struct db_error {
	const char *sqlstate;
	struct str message;
	struct str constraint;
};
const struct db_error *db_error(const struct db *db);

/*
 * Ends the request: ends the pipeline with a commit if the caller did not, rolls back an open
 * transaction after a failure, and frees all results.
 */
void db_end(struct db *db);

/* Rows of a result. Columns are numbers; db_column finds them by name (-1: none). */
int db_count(const struct rows *rows);
int db_column(const struct rows *rows, const char *name);
bool db_is_null(const struct rows *rows, int row, int column);
int64_t db_get_int(const struct rows *rows, int row, int column);  /* smallint to bigint */
int64_t db_int_or_0(const struct rows *rows, int row, int column); /* the same; 0 for NULL */
double db_get_float(const struct rows *rows, int row, int column); /* real, double precision */
bool db_get_bool(const struct rows *rows, int row, int column);
struct str db_get_text(const struct rows *rows, int row, int column);      /* text, bytea, jsonb */
struct str db_text_or_empty(const struct rows *rows, int row, int column); /* "" for NULL */
int64_t db_get_time(const struct rows *rows, int row, int column); /* timestamptz: µs since 1970 */
int32_t db_get_date(const struct rows *rows, int row, int column); /* date: days since 1970 */

/*
 * An array column without nulls, as a cursor: db_array starts it, each
 * db_array_next gives an element until it returns false.
 */
struct db_array {
	const char *p;
	int left;
};
struct db_array db_array(const struct rows *rows, int row, int column);
bool db_array_next_int(struct db_array *a, int64_t *v);
bool db_array_next_float(struct db_array *a, double *v);
bool db_array_next_text(struct db_array *a, struct str *v);

/*
 * Which column of a result holds which field of a table depends only on the statement: this
 * cache, one per static statement, remembers it. `key` is the table of fields; null if nothing is
 * remembered for it. The first one is kept as long as the connection, since requests point to it;
 * later ones are not cached.
 */
const int16_t *db_columns_known(const struct db *db, enum stmt stmt, const void *key);
void db_columns_remember(
	struct db *db, enum stmt stmt, const void *key, const int16_t *columns, size_t n);

/*
 * Columns of a static statement, without rows, to check them against the model.
 * A new connection has them until they are forgotten (they take much memory);
 * null after that.
 */
const struct rows *db_describe(const struct db *db, enum stmt stmt);
void db_forget_descriptions(struct db *db);
/* PostgreSQL's type number (pg_type.oid) of a column. */
unsigned db_column_type(const struct rows *rows, int column);

/*
 * For programs, outside of requests: runs SQL text of several statements as one
 * transaction (migrations), or as it is.
 */
enum rc db_script(struct db *db, const char *sql) MUST_CHECK;

/*
 * For programs: runs one statement and waits, in its own transaction or in the one that db_script
 * began.
 */
enum rc db_query(struct db *db, const char *sql, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/* The same for a statement of sql/queries without a caller, even a late one. */
enum rc db_run(struct db *db, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/*
 * For programs: a "copy … from stdin" with its rows, whole, in the text form, in the
 * transaction that db_script began.
 */
enum rc db_copy(struct db *db, const char *sql, struct str rows) MUST_CHECK;

#endif
