/*
 * The state of one import, which its steps share: database, options, report, staged tables,
 * people, and the project once it is known. import.c fills it, in the order of its steps.
 */
#ifndef IMPORT_CONTEXT_H
#define IMPORT_CONTEXT_H

#include "db/db.h"
#include "transfer/common/import_options.h"
#include "transfer/people/people.h"
#include "transfer/common/report.h"
#include "transfer/common/spool.h"
#include "transfer/settle/stage.h"

struct import_context {
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
	int64_t now;        /* of the transaction */
	int32_t today;      /* days since 1970 */
	int64_t files_used; /* bytes of the account's files, before */
	int64_t changes;    /* things that were made or changed */
	int64_t lost;       /* things that the last context_remarks() told of */
	bool must_end;      /* who waits for it says so */
	bool renamed;       /* a story or an epic has another id than in the files */
	struct str problem; /* of what failed other than the database; absent: nothing */
};

/* A statement of the transaction whose rows nobody asks for. */
enum rc context_run(
	struct import_context *w, enum stmt stmt, int n, const struct db_param *params) MUST_CHECK;
enum rc context_sql(
	struct import_context *w, const char *sql, int n, const struct db_param *params) MUST_CHECK;

/* The same with its rows, which live until the next statement. */
enum rc context_rows(struct import_context *w, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/* Remarks that a statement's rows make: say (the name of a sentence, import_sentences.h), at_file,
   at_line, at_row, id, and the values that the sentence names. */
enum rc context_remarks(struct import_context *w, const char *sql) MUST_CHECK;

/* A remark: the sentence of that name with its values, which value_of gives by their names. */
void context_say(struct import_context *w, struct str sentence, struct intake_place at, int64_t id,
	struct str (*value_of)(const void *of, const char *name), const void *of);

/* Where the thing of a row stood: at_file, at_line, at_row. */
struct intake_place context_place(const struct rows *rows, int row);

/* Calls `each` for every row of a query, of which a few are fetched at once. */
enum rc context_walk(struct import_context *w, const char *sql,
	void (*each)(struct import_context *w, const struct rows *rows, int row, void *to),
	void *to) MUST_CHECK;

/* Reports the progress, and sets must_end when the import should stop. */
void context_progress(struct import_context *w, const char *what, int64_t done, int64_t all);

/* Refuses the import. */
void context_refuse(struct import_context *w, const char *code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Says what failed other than the database: the import may be tried again. */
void context_fail(struct import_context *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether it was refused. */
bool context_is_refused(const struct import_context *w);

struct db_param context_int(struct import_context *w, int64_t v);   /* NIL: NULL */
struct db_param context_z(struct import_context *w, const char *z); /* null: NULL */

#endif
