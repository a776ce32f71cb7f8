/* Attached files of a dump in SQLite, their contents: in a table, or next to the database. */
#ifndef SQLITE_FILES_H
#define SQLITE_FILES_H

#include "transfer/common/id_map.h"
#include "transfer/read/sqlite_open.h"
#include "transfer/read/tree.h"
#include "transfer/form/v5.h"

struct sqlite_files {
	sqlite3 *db;
	struct id_map rows; /* which row of the table has the content of an id; NIL: it was read */
	struct tree *tree;  /* next to the database; null: not given */
	const struct tree_entry **by_name;
	int64_t missing; /* files without content so far */
	int64_t left;    /* bytes that contents may still have: rows may share their pages */
};

void sqlite_files_open(struct sqlite_files *f, sqlite3 *db, struct tree *tree, int64_t left);
void sqlite_files_close(struct sqlite_files *f);

/* For v5.h: content_of is a struct sqlite_files. */
enum rc sqlite_files_content(
	struct v5 *v, const struct body *file, struct str *word, bool *told) MUST_CHECK;

#endif
