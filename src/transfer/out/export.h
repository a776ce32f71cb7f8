/*
 * Exports: a project's stories as CSV, and all of a project in a zip (export_zip.h). What is
 * written is of one moment, whatever others change meanwhile, and goes out piece by piece: memory
 * grows by ids and by what has to be planned, never by texts or files.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdint.h>

#include "db/db.h"
#include "lib/arena.h"
#include "lib/buf.h"
#include "lib/sink.h"
#include "service/conf.h"

struct export
{
	struct db *db; /* nothing else uses it meanwhile */
	const struct conf *conf;
	int64_t project;
	int64_t person; /* who gets it, and sees addresses accordingly; NIL: the administrator */
	struct db_param reach; /* projects that the person's token reaches (db_caller); null: all */
	int64_t version, now;
	struct str name;       /* of the project */
	struct str stem;       /* "my_project_20240131_235959": what its files are called */
	struct arena all;      /* until the end … */
	struct arena piece;    /* … and for a piece */
	int64_t files_missing; /* of attached files: their content no longer exists */
};

/*
 * Begins: what is read from now on is of this moment. RC_UNFOUND_RESOURCE: no such project. In
 * any case export_end.
 */
enum rc export_begin(struct export *x, struct db *db, const struct conf *conf, int64_t project,
	int64_t person) MUST_CHECK;

/* Stories or epics, in the order in which they go out, and where a piece of them ends. */
struct export_ids {
	int64_t *v;
	size_t n;
	size_t *ends, n_ends; /* by export_cut */
};

enum export_kind { EXPORT_STORIES, EXPORT_EPICS };

/* Cuts them into pieces that take little memory, however long their texts are. */
enum rc export_cut(struct export *x, struct export_ids *ids, enum export_kind kind) MUST_CHECK;

/* Both as CSV, cut before. RC_UNAVAILABLE, too, when `to` fails. */
enum rc export_csv(struct export *x, const struct export_ids *stories,
	const struct export_ids *epics, struct sink *to) MUST_CHECK;

/* Ends a piece: its rows and its memory go, the moment that is read stays. */
enum rc export_settle(struct export *x) MUST_CHECK;

/* The same where the pipeline has ended already. */
void export_forget(struct export *x);

/* Hands over what was written. RC_UNAVAILABLE: nobody takes it. */
enum rc export_flush(struct buf *text, struct sink *to) MUST_CHECK;

void export_end(struct export *x);

#endif
