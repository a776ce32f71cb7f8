/*
 * The import queue of planwright-importer: takes waiting imports (src/api/project_import.c), one
 * after the other, from the person whose last one started longest ago, and records what became of
 * them. It has two connections: one for the queue, which renews the lease of the current import
 * (sql/lease.sql), and a separate one for each import. If an importer dies midway, its transaction
 * is rolled back and its lease ends, and the import is started again. An importer that only hung
 * notices, by the lease and by the number of attempts, that another one has taken over.
 */
#ifndef IMPORTER_H
#define IMPORTER_H

#include "db/db.h"
#include "service/bell.h"
#include "service/conf.h"
#include "transfer/run/import.h"
#include "transfer/run/import_files.h"

enum {
	IMPORTER_TRIES = 3,
	IMPORTER_LEASE_S = 30,
	IMPORTER_LOST_US = 3000000 /* from one try to reach the database or the store to the next */
};

/* Why the current import ended early. */
enum importer_end {
	IMPORTER_DONE,    /* nothing */
	IMPORTER_LATE,    /* the setting import_seconds */
	IMPORTER_LOST,    /* a person ended it, or another importer took over */
	IMPORTER_STOPPED, /* the importer is asked to end */
};

/* The current import. */
struct importer_job {
	int64_t id, attempt, project_id;
	struct str lease;
	struct import_options options;
	bool may;     /* the person who requested it is still an owner */
	bool is_kept; /* an attempt before committed it: only its end is not recorded … */
	enum import_end kept_as; /* … which is this */
	int n;
	const char **paths;
	int64_t *sizes;
	struct db *db;    /* the import's own connection */
	int64_t pid;      /* what the database calls that, in the transaction; 0: before */
	int64_t began_us; /* processor time when it began */
	enum importer_end end;
	bool commits; /* nothing can cancel it any longer */
	struct temp_folder
		own; /* where its files come to from a store; path empty: there is none */
	char folder[FILES_PATH_MAX], people[FILES_PATH_MAX], report[FILES_PATH_MAX];
	struct arena arena;
};

struct importer {
	struct conf conf;
	struct files files;
	struct db *db;            /* the queue's connection */
	struct arena arena;       /* of one question */
	struct importer_job *job; /* null: none */
	struct bell bell;         /* somebody has committed what may be an import */
	char progress[200];
	int64_t next_beat_us;
};

/*
 * One statement as a transaction, on the queue's connection. What fails is logged, and the
 * connection given up. The caller ends it by importer_end.
 */
enum rc importer_ask(struct importer *m, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;
void importer_end(struct importer *m);
/* The same for a statement whose rows are not needed. */
enum rc importer_tell(
	struct importer *m, enum stmt stmt, int n, const struct db_param *params) MUST_CHECK;
/* After a database failure: logs it and starts over. */
void importer_lose(struct importer *m);

/*
 * importer_run.c: runs the current import and records its end; false: the database, or the store
 * that has its files, is away, and the import waits.
 */
bool importer_run(struct importer *m) MUST_CHECK;

/* Deletes the files of an import that is over. */
void importer_delete_files(struct importer *m, int64_t id);

/* How the row names the end of an import that was kept; null is as good as done. */
enum import_end importer_kept_as(const char *state);

/*
 * importer_save.c: in the import's own transaction, whose commit makes it true: that it is kept,
 * and what it came to; no row: another importer took over, or a person ended it.
 */
enum rc importer_keep(struct importer *m, struct db *db, const struct import_result *result,
	bool *mine) MUST_CHECK;

/* importer_save.c: notes what became of the import, with its report and map, unless another has
   taken it over. Not RC_OK: the database is away, try again. */
enum rc importer_save(struct importer *m, const struct import_result *result) MUST_CHECK;

#endif
