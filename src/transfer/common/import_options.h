/* The options and the result of an import. */
#ifndef IMPORT_OPTIONS_H
#define IMPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/str.h"

struct db;
struct import_result;

/* What the command line or the request says; texts null and ids NIL when it does not. */
struct import_options {
	int64_t project;         /* into which; NIL: a new one … */
	const char *new_project; /* … of this name … */
	int64_t account;         /* … in this account */
	int64_t performer;       /* who imports; NIL: the first owner of the account */
	struct str means,
		told_as; /* of its entries in the audit log: by what, and their request_id */
	bool dry_run, overwrite, renumber;
	const char *people; /* path of the people's map: read if it is there, written */
	FILE *report;       /* JSON lines; null: none */
	int date_order;     /* 0, 'm' or 'd' */
	const char *encoding;
	const char *time_zone, *start_date, *point_scale, *week_start_day;
	int64_t iteration_length; /* NIL: not said */
	int64_t rows_max;         /* records that may be read; 0: any number */
	/* Called now and then; done and all count records, all 0: not known yet. False: it must end,
	   and what it came to is of no interest. */
	bool (*progress)(void *arg, const char *what, int64_t done, int64_t all);
	/* The first thing in the transaction, and the last before its commit, with what it comes to then;
	   false: it must end here. Null: it always may go on. */
	bool (*may_begin)(void *arg, struct db *db);
	bool (*may_commit)(void *arg, struct db *db, const struct import_result *result);
	void *arg; /* of all */
};

/*
 * What it came to; the exit status of the command. IMPORT_FAILED: the database or the disk
 * failed, and not because of the files; the same again may do. Nothing was written, unless it was the
 * answer to the commit that was lost: only the database knows then.
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

#endif
