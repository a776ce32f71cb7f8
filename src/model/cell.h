/*
 * Access to fetched values (fetch.h), whether in a statement's row or in an object of the program.
 * `i` is a field of the resource.
 */
#ifndef CELL_H
#define CELL_H

#include "lib/arena.h"
#include "db/db.h"
#include "model/select.h"
#include "model/value.h"

/* Where the JSON of a row is already in the answer; n 0: not yet. */
struct written {
	size_t at, n;
};

struct fetched {
	const struct selection *selection;
	struct rows *rows;       /* of a statement; null: objects have the values (cell.h) */
	struct objects objects;  /* worked out by the program */
	const int16_t *columns;  /* column of each field in rows; -1: none */
	int key_field;           /* of the row's own id; -1: none */
	int parent_field;        /* FT_ONE, FT_SOME: the field of the parent that holds the ids */
	const int *order;        /* row numbers by key, for nested objects; null at the root */
	const int64_t *keys;     /* the keys in that order: the row's id, or its parent's */
	struct written *written; /* by row, for objects found by their own id */
	struct fetched **nested; /* by field; null: nothing to nest */
};

int cell_count(const struct fetched *f);

/* Whether the rows have such a column; objects have all. */
bool cell_has(const struct fetched *f, int i);

/* Also true if the rows have no such column. */
bool cell_is_null(const struct fetched *f, int row, int i);

int64_t cell_int(const struct fetched *f, int row, int i);

/* The row's own id; 0 if it has none. */
int64_t cell_key(const struct fetched *f, int row);

/* A list of ids as a cursor: cell_ids starts it, cell_next_id returns false at the end. */
struct cell_ids {
	struct db_array array;
	struct ids ids;
};
struct cell_ids cell_ids(const struct fetched *f, int row, int i);
size_t cell_ids_left(const struct cell_ids *ids);
bool cell_next_id(struct cell_ids *ids, int64_t *id);

#endif
