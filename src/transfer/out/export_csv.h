/*
 * Stories and epics as CSV, as the original wrote its last exports (contract 7.1, 7.2). What is
 * accepted is in an iteration by its time; for the rest each project is planned once.
 *
 * Columns that repeat do so as often as the fullest row needs it: all that is written is
 * measured first. Ids come in pieces, so that texts of one piece are in memory at a time.
 */
#ifndef EXPORT_CSV_H
#define EXPORT_CSV_H

#include "db/db.h"
#include "lib/csv.h"
#include "store/plan_load.h"

enum { EXPORT_CSV_PARTS = 7 };

struct export_csv {
	struct db *db;
	struct arena *arena; /* of what lasts: the plan */
	struct arena *piece; /* of what a piece needs; the same, or reset between two pieces */
	const char *base_url;
	struct csv csv;
	int64_t most[EXPORT_CSV_PARTS]; /* how often a column stands there */
	struct plan_project *calendar;  /* of the last project with accepted stories; null: none */
	struct plan plan;
	int64_t planned; /* the project of the plan; 0: none */
	size_t from;     /* plan_find */
};

/* Both arenas are `a`. Rows are appended to `out`. */
void export_csv_init(struct export_csv *x, struct arena *a, struct db *db, const char *base_url,
	struct buf *out);

/*
 * The three below ask the database inside of the open transaction, which stays open, and their
 * rows stay until db_end. Ids of stories that are not there (any more) give no row.
 */
enum rc export_csv_measure(struct export_csv *x, const int64_t *stories, size_t n_stories,
	const int64_t *epics, size_t n_epics) MUST_CHECK;

void export_csv_put_header(struct export_csv *x);

/* In the order of the ids. A cell that was not measured is left out. */
enum rc export_csv_put_epics(struct export_csv *x, const int64_t *ids, size_t n) MUST_CHECK;

/* By project, and in the project's order. */
enum rc export_csv_put_stories(struct export_csv *x, const int64_t *ids, size_t n) MUST_CHECK;

#endif
