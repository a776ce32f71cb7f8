/* Iteration overrides of the files: what the rules of commands allow becomes one. For merge.c. */
#ifndef OVERRIDES_H
#define OVERRIDES_H

#include "transfer/settle/import_context.h"

/* Writes them, and says which values are none. Of several for one iteration the first counts. */
enum rc overrides_write(struct import_context *w) MUST_CHECK;

#endif
