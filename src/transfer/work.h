/* What the parts of an import share: import.c makes it, in the order of its steps. */
#ifndef WORK_H
#define WORK_H

#include "db/db.h"
#include "transfer/import_options.h"
#include "transfer/people.h"
#include "transfer/report.h"
#include "transfer/spool.h"
#include "transfer/stage.h"

struct work {
	struct db *db;
	const struct conf *conf;
	struct arena *arena;
	const struct import_options *options;
	struct report *report;
	struct stage *stage;
	struct people *people;
	struct spool spool;
	int64_t account, project, performer;   /* NIL: not known yet */
	struct str name, zone, performer_name; /* of the project */
	bool is_new;                           /* the project is made by this import */
	bool is_whole;      /* from an export of this program: its version is kept */
	int64_t version;    /* of the project, before */
	int32_t today;      /* days since 1970 */
	int64_t files_used; /* bytes of the account's files, before */
	int64_t changes;    /* things that were made or changed */
	int64_t lost;       /* things that the last work_remarks() told of */
	bool must_end;      /* who waits for it says so */
	bool renamed;       /* a story or an epic has another id than in the files */
	struct str problem; /* of what failed beside the database; absent: nothing */
};

/* A statement of the transaction whose rows nobody asks for. */
enum rc work_run(struct work *w, enum stmt stmt, int n, const struct db_param *params) MUST_CHECK;
enum rc work_sql(struct work *w, const char *sql, int n, const struct db_param *params) MUST_CHECK;

/* The same with its rows, which live until the next statement. */
enum rc work_rows(struct work *w, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/* Remarks that a statement's rows make: severity, at_file, at_line, at_row, id, code, message. */
enum rc work_remarks(struct work *w, const char *sql) MUST_CHECK;

/* Tells how far it is, and sets must_end when that is no use any more. */
void work_progress(struct work *w, const char *what, int64_t done, int64_t all);

/* Refuses the import. */
void work_refuse(struct work *w, const char *code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Says what failed beside the database: the import may be tried again. */
void work_fail(struct work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether it was refused. */
bool work_is_refused(const struct work *w);

struct db_param work_int(struct work *w, int64_t v);   /* NIL: NULL */
struct db_param work_z(struct work *w, const char *z); /* null: NULL */

#endif
