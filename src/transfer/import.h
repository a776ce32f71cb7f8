/*
 * The import: files of one project become that project, in one transaction. Files are read
 * by what they are (reader.h) into tables of the transaction; then people are settled
 * (people.h), what the files say of one thing is put together, ids are checked, and all is
 * written by sets. A dry run is the same, rolled back.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include <stdint.h>
#include <stdio.h>

#include "db/db.h"
#include "lib/arena.h"
#include "lib/conf.h"
#include "lib/str.h"

/* What the command line or the request says; texts null and ids NIL when it does not. */
struct import_options {
	int64_t project;         /* into which; NIL: a new one … */
	const char *new_project; /* … of this name … */
	int64_t account;         /* … in this account */
	int64_t performer;       /* who imports; NIL: the first owner of the account */
	bool dry_run, overwrite, renumber;
	const char *people; /* path of the people's map: read if it is there, written */
	FILE *report;       /* JSON lines; null: none */
	int date_order;     /* 0, 'm' or 'd' */
	const char *encoding;
	const char *time_zone, *start_date, *point_scale, *week_start_day;
	int64_t iteration_length; /* NIL: not said */
	/* Called now and then; done and all count records, all 0: not known yet. */
	void (*progress)(void *arg, const char *what, int64_t done, int64_t all);
	void *progress_arg;
};

/*
 * What it came to; the exit status of the command. IMPORT_FAILED: nothing was written, for the
 * database or the disk failed and not because of the files; the same again may do.
 */
enum import_end {
	IMPORT_ALL = 0,
	IMPORT_FAILED = 1,
	IMPORT_USAGE = 2,
	IMPORT_LOST = 3,
	IMPORT_REFUSED = 4
};

struct import_result {
	enum import_end end;
	int64_t project;    /* NIL: refused, or a dry run of a new one */
	struct str summary; /* lines for people */
	struct str counts; /* {"story":{"created":…,"updated":…,"same":…,"skipped":…,"lost":…},…} */
	struct str
		problem; /* refused or failed: one line that says why and what to do; else absent */
};

/*
 * Imports files (paths of files and folders). The database has a connection of its own that
 * nothing else uses meanwhile. Nothing is written when it is refused, and nothing by a dry run
 * but the people's map and the report.
 */
void import_run(struct db *db, const struct conf *conf, struct arena *a,
	const struct import_options *options, int n, const char *const *files,
	struct import_result *result);

#endif
