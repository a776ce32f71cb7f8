/* Remarks on imported stories: reports what is odd about each, or was lost (domain/arrival.h). */
#ifndef STORY_REMARKS_H
#define STORY_REMARKS_H

#include "transfer/settle/import_context.h"

/* When stories are written. */
enum rc story_remarks_tell(struct import_context *w) MUST_CHECK;

#endif
