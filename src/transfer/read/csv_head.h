/*
 * The header of a table: which columns it has, found by name in any case and order. A name that
 * may stand there several times, like `Comment`, is a list of columns; any other counts once.
 */
#ifndef CSV_HEAD_H
#define CSV_HEAD_H

#include "transfer/read/csv_read.h"

enum { CSV_HEAD_ROLES = 32, CSV_HEAD_NAME_MAX = 200 /* bytes */ };

/* A column by its name, or by an older one: several rows may have one role. */
struct csv_column {
	const char *name;
	int role; /* below CSV_HEAD_ROLES, as the table counts them; -1: known, and not read */
	bool many;
};

struct csv_head {
	size_t n;
	struct intake_place at;
	const char **names;        /* as the file has them, long ones cut */
	int first[CSV_HEAD_ROLES]; /* the role's first column; -1: the file has none */
	int *next;                 /* the next column of the same role; -1: none */
	bool *is_idle;             /* known, and not read */
	enum intake_kind kind;     /* of the rows, of which some may be lost */
	int64_t *unread; /* of columns without a role: how many cells are not blank; else -1 */
	struct arena arena;
};

/* Of the row that was just read. To be freed. */
void csv_head_take(struct csv_head *h, const struct csv_read *r, enum intake_kind kind,
	const struct csv_column *columns, size_t n);
void csv_head_free(struct csv_head *h);

/* The cell in that column, as the file has it; empty where the row or the header has none. */
struct str csv_head_cell(const struct csv_read *r, int column);

/* The column behind this one in its role; -1 behind the last, and behind -1. */
int csv_head_next(const struct csv_head *h, int column);

/* The same among the cells that the row has: a long header makes short rows no longer. */
int csv_head_next_cell(const struct csv_head *h, const struct csv_read *r, int column);

/* All cells blank. */
bool csv_head_is_blank(const struct csv_read *r);

/*
 * Looks at the row once, when remarks are due: counts what is not read, notes U+0000. False: it
 * has cells beyond the header, which are not blank; the row is lost, and that is remarked.
 */
bool csv_head_check(struct csv_head *h, const struct csv_read *r, struct intake *in);
/* The same answer without remarks and counts. */
bool csv_head_fits(const struct csv_head *h, const struct csv_read *r);

/* Remarks on the columns that were not read, when all rows were checked. */
void csv_head_say_unread(const struct csv_head *h, struct intake *in);

/* A row that is lost, with all that it holds, as an object of JSON. */
void csv_head_say_lost(const struct csv_head *h, const struct csv_read *r, struct intake *in,
	int64_t id, const char *column, const char *code, const char *why);

#endif
