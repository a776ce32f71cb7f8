/* Internals of the database connection: its state, and a result's place in it. For files of db. */
#ifndef DB_ROWS_H
#define DB_ROWS_H

#include <libpq-fe.h>

#include "db/db.h"
#include "db/db_names.h"
#include "service/bell.h"

struct rows {
	PGresult *result;
	struct rows *next;
};

enum { DB_TEXTS_MAX = 256, DB_QUEUE_MAX = 512, STATEMENT_PARAMS_MAX = 32 };

/* What the next result in the pipeline belongs to. */
enum entry { ENTRY_QUERY, ENTRY_ASIDE, ENTRY_DEALLOCATE, ENTRY_PREPARE, ENTRY_SYNC };

struct text_statement {
	char *text;     /* allocated, ends with NUL */
	struct str sql; /* the same */
	int uses;
	uint64_t last; /* when it was used, in uses of all */
	bool prepared;
	bool asked;     /* in this pipeline: not to be requested twice */
	bool on_server; /* the server has a statement of this place's name, perhaps of an older text */
};

struct statement {
	int n_params, n_numbered;
	struct db_names names;
	struct rows description;
	const void *key;
	int16_t *columns;
};

/* Parameters as libpq takes them. */
struct db_arrays {
	const char *values[DB_PARAMS_MAX];
	int lengths[DB_PARAMS_MAX];
	int formats[DB_PARAMS_MAX];
};

/* How far the connection to a standby is: db_standby.c. */
enum tend { TEND_AWAY, TEND_CONNECTING, TEND_PREPARING, TEND_READY };

struct db {
	const struct conf *conf;
	PGconn *conn;
	const struct db *leader; /* null: this is its connection, or a program's */
	enum tend tend;
	unsigned tries; /* how often it was connected to one */
	PostgresPollingStatusType polling;
	int64_t tend_us; /* of its last step; TEND_AWAY: when it is tried again */
	bool wants_statements;
	struct db_arrays arrays; /* parameters to be sent: too large for the stack */
	struct statement statements[STMT__MAX];
	struct text_statement texts[DB_TEXTS_MAX];
	int n_texts;
	int texts_dropped;
	uint64_t texts_used;

	struct {
		enum entry kind;
		int text;
	} queue[DB_QUEUE_MAX];
	int head, tail;
	bool reached; /* db_was_reached */
	bool is_new;  /* statements are being prepared */
	enum db_pooler pooler;
	unsigned long schema; /* the number of the schema api, which each migration makes anew */
	bool open;            /* statements were sent since the last Sync */
	bool ended;           /* the server announced that it closes the connection */
	bool failed;          /* one of them failed, it was stopped, or the connection is lost */
	bool aborted;         /* the server reported that one of them failed */

	struct db_caller caller;
	char request[64]; /* the name to give the connection during the request's transactions */
	bool is_held;     /* db_hold */
	bool is_named;    /* the name is set, or there is none */
	struct db_guard guard;
	bool guarded;
	int64_t started_us, limit_us; /* by the monotonic clock; 0: no limit */
	int turns;                    /* how often may_go_on was asked */
	enum db_stop stop;
	int64_t stopped_us;

	int (*ask)(void *); /* db_while_waiting */
	void *ask_arg;
	int64_t waited_us, wait_began_us; /* db_waited_us; not waiting: 0 */

	struct hints hints; /* of the open transaction */
	struct hint_target hints_to;
	struct bell bell;

	struct rows *rows;      /* results of this request */
	size_t rows_bytes;      /* what they take */
	PGresult *error_result; /* kept until the next failure */
	struct db_error error;
	char problem[512];
};

/*
 * Waits until PQgetResult has a result, and cancels what the guard no longer allows. False: the
 * connection is lost.
 */
bool db_wait(struct db *db);

/* Of the monotonic clock. */
int64_t db_clock_us(void);

/* Whether an idle connection is still there: a server that went away has left word. */
bool db_is_alive(struct db *db);

/* Of a notice or an error only one thing matters: whether it announces the end of the connection. */
void db_take_notice(void *db, const PGresult *result);

/*
 * Ends a text that is to be prepared, with its NUL. A pooler takes equal texts for one statement,
 * and its connections last: they are told apart by the schema that they were written for, since
 * one from before a migration would fail for its other columns.
 */
void db_put_end(const struct db *db, struct buf *text);

/* A static statement's text for preparing it, a template's without any condition; allocated. */
char *db_statement_text(const struct db *db, enum stmt stmt, struct db_names *names);

/* Around a wait outside of db_wait. */
void db_wait_begins(struct db *db);
void db_wait_ends(struct db *db);

/* Takes the bytes of a result in; false: it was one too many. */
bool db_wait_count(struct db *db, size_t bytes);

/*
 * db_pooler.c: finds out what stands between, before any statement is prepared. False: our
 * statements cannot rely on it, or the connection failed; db_problem says so.
 */
bool db_pooler_look(struct db *db);

/*
 * The same for a standby, without waiting: queues the question, and takes the one result with a row
 * of what was queued. Here a pooler must carry statements, since telling apart whether one that does not
 * keeps sessions or loses them takes time.
 */
bool db_pooler_send(struct db *db);
bool db_pooler_take(struct db *db, const PGresult *r);

/* Closes the connection and forgets what was prepared on it. */
void db_disconnect(struct db *db);

/*
 * The slot of a built text, which counts as a use: its old one, or a free one. A full table drops
 * the least used text. -1: the text is too long to be kept.
 */
int db_text_find(struct db *db, struct str sql);
void db_text_forget(struct db *db);

/* The rc of a failed result, which is kept for db_error. */
enum rc db_fail(struct db *db, PGresult *result);

/* Notes one line for db_problem. */
void db_set_problem(struct db *db, const char *what, const char *why);

#endif
