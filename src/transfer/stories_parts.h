/* What hangs on a story or an epic: comments, tasks, blockers, reviews, code. */
#ifndef STORIES_PARTS_H
#define STORIES_PARTS_H

#include "transfer/stories_row.h"

/* The records of all parts in the row. Returns what put() of the intake did. */
enum rc stories_parts_put(struct stories_row *s) MUST_CHECK;

#endif
