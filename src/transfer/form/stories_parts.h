/* The parts of a story or an epic in its row of the table: comments, tasks, blockers and others. */
#ifndef STORIES_PARTS_H
#define STORIES_PARTS_H

#include "transfer/form/stories_row.h"

/* The records of all parts in the row. Returns what put() of the intake did. */
enum rc stories_parts_put(struct stories_row *s) MUST_CHECK;

#endif
