/*
 * JSON lines of a project's zip, which imports read, in addition to the original's files: in the
 * format of the API, one file per kind (t/import/EXPORT.md lists them).
 */
#ifndef EXPORT_LINES_H
#define EXPORT_LINES_H

#include "db/db.h"
#include "lib/buf.h"

enum { EXPORT_LINES = 12, EXPORT_LINES_PIECE = 200 };

/* How the lines of a file are asked for. */
enum export_lines_by {
	EXPORT_BY_PROJECT, /* the project, and the last key of the piece before */
	EXPORT_BY_STORIES, /* ids of stories */
	EXPORT_BY_EPICS,   /* ids of epics */
};

/* The i-th file: "stories.jsonl". */
const char *export_lines_name(int i);
enum export_lines_by export_lines_by(int i);

/* What a piece needs. */
struct export_lines {
	struct db *db;
	struct arena *arena;
	const char *base_url;
	int64_t project;
	const int64_t *ids; /* of the piece, for those by ids */
	size_t n_ids;
	int64_t last; /* in and out: the last key; before the first piece 0 */
};

/*
 * Appends the lines of a piece of file i; *n: how many, by project none behind the last.
 * The rows stay until db_end; what is open of the pipeline ends with it.
 */
enum rc export_lines_put(struct export_lines *x, int i, struct buf *out, int *n) MUST_CHECK;

#endif
