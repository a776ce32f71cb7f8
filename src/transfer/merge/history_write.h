/* Writes the history of an imported project: transitions, activities and versions. */
#ifndef HISTORY_WRITE_H
#define HISTORY_WRITE_H

#include "transfer/settle/import_context.h"

/*
 * Behind all rows: transitions, activities with versions of their own, and one that tells of the
 * import, unless nothing changed or the project is one whose past is all there.
 */
enum rc history_write(struct import_context *w) MUST_CHECK;

#endif
