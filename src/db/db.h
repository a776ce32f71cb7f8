/*
 * The database connection: one to PostgreSQL for each process. A request is one pipeline and one
 * transaction: statements are queued with db_send, results come back in the
 * same order with db_next, and db_commit ends the transaction. When a statement
 * fails, the server skips all behind it and rolls back what stood before it.
 *
 * Static statements (sql/queries) are prepared when the connection is made, so
 * that a wrong one stops the program; templates among them as they are without
 * conditions. Built ones are prepared at their second use; the least used make room.
 * libpq is seen in the files db and db_* only.
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
struct db_param db_int(struct arena *a, int64_t v);     /* bigint */
struct db_param db_bool(struct arena *a, bool v);       /* boolean */
struct db_param db_float(struct arena *a, double v);    /* double precision */
struct db_param db_time(struct arena *a, int64_t us);   /* timestamptz, µs since 1970 */
struct db_param db_date(struct arena *a, int32_t days); /* date, days since 1970 */
struct db_param db_text(struct arena *a, struct str s); /* any type, by its text; absent: NULL */
struct db_param db_bytes(struct str s);                 /* bytea; absent: NULL */
struct db_param db_ids(struct arena *a, const int64_t *ids, size_t n); /* bigint[] */
/* The same, where `null` stands for SQL NULL. */
struct db_param db_ids_or_null(struct arena *a, const int64_t *ids, size_t n, int64_t null);
struct db_param db_floats(struct arena *a, const double *v, size_t n); /* double precision[] */
struct db_param db_texts(struct arena *a, const struct str *texts, size_t n); /* text[] */

/*
 * Makes a connection object; does not connect yet. The connection is made by
 * the first db_ready. `statements` false leaves out the static statements (for
 * planwrightctl, which works on an empty database, too).
 */
struct db *db_new(const struct conf *conf, bool statements);
void db_free(struct db *db);

/*
 * Puts the setting `database` into this process's environment, where PostgreSQL's own programs
 * find it: others see no password there. False: no memory.
 */
bool db_environment(const struct conf *conf) MUST_CHECK;

/*
 * Makes sure that there is a connection with everything prepared: connects, or
 * connects again after a loss. RC_UNAVAILABLE if the database cannot be
 * reached; db_problem then has one line. A statement that the database refuses
 * to prepare is a fault of the installation: also RC_UNAVAILABLE, and
 * db_problem names it.
 */
enum rc db_ready(struct db *db) MUST_CHECK;

/* Whether the server was there when it was last connected to. */
bool db_was_reached(const struct db *db);

/* One line on the last failure, for logs and operators; never parameter values. */
const char *db_problem(const struct db *db);

/*
 * Who asks, where, and in whose time zone: what a statement names as {me}, {project} and {zone}.
 * In the first wave the caller may be known by the token alone; behind it by the id. Holds until
 * db_end; before it is told, all are null.
 */
struct db_caller {
	struct db_param token; /* its digest */
	struct db_param person, project, zone;
	struct db_param request; /* {request}: db_name_request fills it in */
};
void db_set_caller(struct db *db, const struct db_caller *caller);
const struct db_caller *db_caller(const struct db *db);

/* A statement's text with numbers for what it names. */
void db_put_statement(struct buf *to, enum stmt stmt);

/*
 * Queues a static statement with its parameters (as many as it numbers; more are dropped), and
 * those that it names.
 */
void db_send(struct db *db, enum stmt stmt, int n, const struct db_param *params);

/*
 * Queues built SQL. The text must be made of constants (module sql, or a
 * literal); values go in as $n.
 */
void db_send_text(struct db *db, struct str sql, int n, const struct db_param *params);

/*
 * Queues built SQL that is planned for its values: conditions that users choose.
 * All else has one plan for any values, for making a plan costs more than most
 * statements take. `once`: a shape that seldom comes again, not worth preparing.
 */
void db_send_values(struct db *db, struct str sql, bool once, int n, const struct db_param *params);

/* Asks the server for the results of all that was queued; the transaction stays open. */
void db_flush(struct db *db);

/* Queues the end of the transaction; what is queued behind it is another one. */
void db_commit(struct db *db);

/*
 * What ends a request before its answer is there. It is looked at when the database makes
 * the worker wait, and costs a quick request nothing. A statement that runs is cancelled and
 * what is open rolled back; a write whose commit was sent goes on, for nobody could say
 * whether it was made.
 */
struct db_guard {
	int64_t timeout_ms;       /* for the whole request, from db_guard on */
	const struct held *held;  /* with the rows (db_rows_bytes): what the request may hold */
	const struct buf *answer; /* the part of it that is not all used */
	int peer; /* the connection to the web server: when it is closed, nobody waits */
	bool is_write;
	bool (*may_go_on)(void *arg, bool is_slow); /* asked after 200 ms, and after a second */
	void *arg;
};

enum db_stop {
	DB_GOES_ON,
	DB_STOP_TIME, /* RC_UNAVAILABLE */
	DB_STOP_WRITE, /* the same, and nobody knows whether the write is made: the connection is lost */
	DB_STOP_PEER,  /* RC_UNAVAILABLE */
	DB_STOP_TURN,  /* may_go_on said no: RC_TOO_MANY_REQUESTS */
	DB_STOP_ROWS,  /* RC_INVALID_PARAMETER; up to db_end */
	DB_STOP_LIMIT, /* that of db_limit: RC_UNAVAILABLE; up to db_end */
};

/*
 * The id of a request, for the lines that the server logs: the name of the connection becomes
 * "planwright <id>" with the next statement, in the same round trip; one that names {request}
 * sees to it by itself. Null: the request is over.
 */
void db_name_request(struct db *db, const char *id);

/* Begins a request, between two of which nothing is asked for. Null: without a guard. */
void db_guard(struct db *db, const struct db_guard *guard);

/* What is asked for from now to db_end may take so long in all. */
void db_limit(struct db *db, int64_t ms);

/* How much memory the rows of the request take, wherever they stand in it. */
const size_t *db_rows_bytes(const struct db *db);

/* Why db_next and db_finish fail, when it is not the database's doing. */
enum db_stop db_stopped(const struct db *db);

/*
 * Until it is let go, db_commit only asks for results and db_finish waits for nothing: what is
 * done meanwhile is committed by the first db_commit behind that, with what is sent till then.
 * db_end rolls back as ever, and holds on.
 */
void db_hold(struct db *db, bool held);

/* A result: rows in binary. Lives until db_end. */
struct rows;

/*
 * The result of the oldest statement not yet answered. On failure the rc of its
 * SQLSTATE; db_error then tells more, and the rest of the pipeline is void: the
 * caller goes straight to db_end.
 */
enum rc db_next(struct db *db, struct rows **rows) MUST_CHECK;

/* Waits for the end queued by db_commit: RC_OK once it is durable. */
enum rc db_finish(struct db *db) MUST_CHECK;

/*
 * What to do while the server takes its time: `ask` is asked before each wait for
 * how many milliseconds it may last until the next question; -1: as long as it takes.
 */
void db_while_waiting(struct db *db, int (*ask)(void *), void *arg);

/* How long it was waited for statements, from the connection's begin or db_forget_waits on. */
int64_t db_waited_us(const struct db *db);
void db_forget_waits(struct db *db);

/*
 * What the server said of the failed statement: its SQLSTATE ("" without one), its words
 * and the constraint that it broke.
 */
struct db_error {
	const char *sqlstate;
	struct str message;
	struct str constraint;
};
const struct db_error *db_error(const struct db *db);

/*
 * Ends the request: ends the pipeline with a commit if the caller did not,
 * rolls back what is open after a failure, and frees all results.
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
 * Rows that the program works out, in the same form as those of a statement,
 * so that what walks rows need not know the difference. Columns have the given
 * names; db_put appends when `row` is db_count(rows), and what is not put is
 * null. Values must be binary, as db_int and its like make them.
 */
struct rows *db_make_rows(struct db *db, const char *const *names, int n);
void db_put(struct rows *rows, int row, int column, struct db_param value);

/*
 * Which column of a result holds which field of a table depends on the statement
 * alone: a place to remember it, one per static statement. `key` is the table of
 * fields; null if nothing is remembered for it. The first that comes is kept as
 * long as the connection, for requests point to it; later ones are not remembered.
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

/* For programs: one statement, own transaction, waits; or in the one that db_script began. */
enum rc db_query(struct db *db, const char *sql, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/* The same for a statement of sql/queries that names nobody, also a late one. */
enum rc db_run(struct db *db, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/*
 * For programs: a "copy … from stdin" with its rows, whole, in the text form, in the
 * transaction that db_script began.
 */
enum rc db_copy(struct db *db, const char *sql, struct str rows) MUST_CHECK;

#endif
