/* Opens untrusted SQLite files, and limits what they can do. */
#ifndef SQLITE_OPEN_H
#define SQLITE_OPEN_H

#include <sqlite3.h>
#include <stdbool.h>

#include "lib/arena.h"
#include "lib/body.h"
#include "transfer/common/intake.h"

enum { SQLITE_VALUE_MAX = 8 << 20 }; /* bytes of a row */

/*
 * Opens it read-only and as if nobody wrote it. No views, triggers, functions of its own or
 * extensions; only SELECT; memory bounded for the process, steps by the size of the file; ended
 * when the intake says so. The arena must live as long; null, and one line of why in it.
 */
sqlite3 *sqlite_open(struct arena *a, struct intake *in, const char *path, const char **why);

/* Whether it has a plain table of that name with that column (null: any). */
bool sqlite_has(sqlite3 *db, const char *table, const char *column);

/*
 * Takes the bytes of all values that the query gives from *left, before anything sorts or keeps them:
 * rows may share their pages, and then be longer than the file. False: there are too many.
 */
bool sqlite_weigh(sqlite3 *db, const char *query, int64_t *left);

/*
 * The row at which the statement stands as an object of the arena: columns by name; texts
 * without U+0000, which are counted; blobs are left out.
 */
struct body *sqlite_row(struct arena *a, sqlite3_stmt *row, int64_t *nuls);

#endif
