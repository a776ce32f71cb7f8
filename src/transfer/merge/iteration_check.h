/*
 * Checks whether accepted stories end up in the iterations given in the files, and reports why
 * not.
 */
#ifndef ITERATION_CHECK_H
#define ITERATION_CHECK_H

#include "transfer/settle/import_context.h"

/* One remark for the import, when all stories are written. */
enum rc iteration_check(struct import_context *w) MUST_CHECK;

#endif
