/*
 * Fetching nested resources: rows of a resource together with those nested in it, one
 * statement for each relation and all parents at once. Each nesting level is one
 * wave, that is one round trip.
 */
#ifndef FETCH_H
#define FETCH_H

#include "lib/arena.h"
#include "db/db.h"
#include "model/select.h"

/* Where the JSON of a row is already in the answer; n 0: not yet. */
struct written {
	size_t at, n;
};

struct fetched {
	const struct selection *selection;
	struct rows *rows;
	const int16_t *columns;  /* column of each field; -1: none */
	int key_column;          /* of the row's own id; -1: none */
	int parent_column;       /* FT_ONE, FT_SOME: where the parent's rows hold the ids */
	const int *order;        /* row numbers by key, for nested objects; null at the root */
	const int64_t *keys;     /* the keys in that order: the row's id, or its parent's */
	struct written *written; /* by row, for objects found by their own id */
	struct fetched **nested; /* by field; null: nothing to nest */
};

/*
 * Wraps the rows of a statement. STMT_NONE means built SQL, whose columns are looked up each
 * time.
 */
struct fetched *fetch_wrap(struct arena *a, struct db *db, const struct selection *s,
	enum stmt stmt, struct rows *rows);

/*
 * The same for rows that belong to field i of a parent: puts them in place, so
 * that fetch_nested need not ask for them.
 */
void fetch_attach(struct arena *a, struct db *db, struct fetched *parent, int i, enum stmt stmt,
	struct rows *rows);

/* How many waves fetch_nested will take when the fields in `done` are attached; null: none. */
int fetch_waves(const struct selection *s, const struct fieldset *done);

/* Fetches all that is nested and ends the transaction with the last wave. */
enum rc fetch_nested(struct arena *a, struct db *db, struct fetched *root) MUST_CHECK;

/*
 * The rows of a key among nested rows: their number; the k-th is
 * f->order[*first + k].
 */
int fetch_range(const struct fetched *f, int64_t key, int *first);

/*
 * Compares a static statement with the table of the resource that it returns: names and types.
 * False: logged.
 */
bool fetch_check(struct db *db, const struct resource *r, enum stmt stmt);

#endif
