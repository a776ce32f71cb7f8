/* The columns of a kind in the statements of an import: they follow from its resource's fields. */
#ifndef IMPORT_COLUMNS_H
#define IMPORT_COLUMNS_H

#include "transfer/merge/import_kinds.h"

/* Those that are inserted in addition to the id. */
void import_columns_all(struct buf *to, const struct import_kind *k);

/* Those that a change is known by. */
void import_columns_compared(struct buf *to, const struct import_kind *k);

/* Those that are written when it changed. */
void import_columns_updated(struct buf *to, const struct import_kind *k);

/*
 * Behind the columns that a statement makes itself ("as NAME") from a staged row s, all others:
 * what the row says, or what a new thing has.
 */
void import_columns_rest(struct buf *to, const struct import_kind *k, const char *sql);

/*
 * Behind those that a statement sets itself ("NAME ="), all others by which a change is known: what
 * the records of the merged row m did not say is as it is in the table's row t.
 */
void import_columns_unsaid(struct buf *to, const struct import_kind *k, const char *sql);

#endif
