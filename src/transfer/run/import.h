/*
 * The import: files of one project become that project, in one transaction. Files are read
 * by what they are (file_reader.h) into tables of the transaction; then people are settled
 * (people.h), what the files say of one thing is put together, ids are checked, and all is
 * written by sets. A dry run is the same, rolled back.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include "db/db.h"
#include "lib/arena.h"
#include "service/conf.h"
#include "transfer/common/import_options.h"

/*
 * Imports files (paths of files and folders). The database has a connection of its own that
 * nothing else uses meanwhile. Nothing is written when it is refused, and nothing by a dry run
 * but the people's map and the report.
 */
void import_run(struct db *db, const struct conf *conf, struct arena *a,
	const struct import_options *options, int n, const char *const *files,
	struct import_result *result);

#endif
