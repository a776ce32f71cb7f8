/* Iteration overrides of the files: what the rules of commands allow becomes one. For merge.c. */
#ifndef OVERRIDES_H
#define OVERRIDES_H

#include "transfer/settle/import_context.h"

/* Its sentences (transfer/settle/import_sentences.h). */
#define OVERRIDES_BAD_VALUE "bad_override"
#define OVERRIDES_NO_ITERATION "no_iteration"

/* Writes them, and says which values are none. Of several for one iteration the first counts. */
enum rc overrides_write(struct import_context *w) MUST_CHECK;

#endif
