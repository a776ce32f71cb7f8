/*
 * Fetching nested resources: rows of a resource together with those nested in it, one
 * statement for each relation and all parents at once. Each nesting level is one
 * wave, that is one round trip.
 */
#ifndef FETCH_H
#define FETCH_H

#include "model/cell.h"

/*
 * Wraps the rows of a statement. STMT_NONE means built SQL, whose columns are looked up each
 * time.
 */
struct fetched *fetch_wrap(struct arena *a, struct db *db, const struct selection *s,
	enum stmt stmt, struct rows *rows);

/*
 * Wraps rows that belong to field i of a parent: puts them in place, so
 * that fetch_nested need not ask for them.
 */
void fetch_attach(struct arena *a, struct db *db, struct fetched *parent, int i, enum stmt stmt,
	struct rows *rows);

/* The same for what field i works out (.compute, .derive). */
void fetch_attach_values(struct arena *a, struct fetched *parent, int i, struct objects values);

/* Wraps objects whose fields have a place in their struct (object.h), instead of rows. */
struct fetched *fetch_wrap_objects(
	struct arena *a, const struct selection *s, struct objects objects);

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
 * brief: the fields of the default answer alone. False: logged.
 */
bool fetch_check(struct db *db, const struct resource *r, enum stmt stmt, bool brief);

#endif
