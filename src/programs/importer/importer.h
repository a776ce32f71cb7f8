/*
 * The import queue of planwright-importer: takes imports that wait (src/api/project_import.c), one
 * after the other, of the person whose last one began longest ago, and notes what became of them.
 * It has two connections: one for the queue, which holds the advisory lock of the import at hand,
 * and for each import one of its own. Who dies in the middle leaves a transaction that is rolled
 * back, and a lock that is free: the import is begun anew. Who only stood still finds, by the
 * count of tries, that another has taken over.
 */
#ifndef IMPORTER_H
#define IMPORTER_H

#include "db/db.h"
#include "service/conf.h"
#include "transfer/run/import.h"
#include "transfer/run/import_files.h"

enum {
	IMPORTER_TRIES = 3,
	IMPORTER_LOST_US = 3000000 /* from one try to reach the database to the next */
};

/* What ended the import at hand before its time. */
enum importer_end {
	IMPORTER_DONE,    /* nothing */
	IMPORTER_LATE,    /* the setting import_seconds */
	IMPORTER_LOST,    /* whoever ended it, or another importer */
	IMPORTER_STOPPED, /* the importer is asked to end */
};

/* The import at hand. */
struct importer_job {
	int64_t id, attempt, project_id;
	struct import_options options;
	bool may; /* who asked for it is still an owner */
	int n;
	const char **paths;
	int64_t *sizes;
	struct db *db;    /* the import's own connection */
	int64_t began_us; /* processor time when it began */
	enum importer_end end;
	bool commits; /* nothing ends it any more */
	char folder[FILES_PATH_MAX], people[FILES_PATH_MAX], report[FILES_PATH_MAX];
	struct arena arena;
};

struct importer {
	struct conf conf;
	struct db *db;            /* the queue's connection */
	struct arena arena;       /* of one question */
	struct importer_job *job; /* null: none */
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
/* The same for a statement whose rows nobody wants. */
enum rc importer_tell(
	struct importer *m, enum stmt stmt, int n, const struct db_param *params) MUST_CHECK;
/* After a failure of the database: logs it and begins anew. */
void importer_lose(struct importer *m);

/* importer_run.c: does the import at hand, and notes its end; false: the database is away. */
bool importer_run(struct importer *m) MUST_CHECK;

/* importer_save.c: notes what became of the import, with its report and map, unless another has
   taken it over. Not RC_OK: the database is away, try again. */
enum rc importer_save(struct importer *m, const struct import_result *result) MUST_CHECK;

#endif
