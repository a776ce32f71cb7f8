/* What happened in a project, as files tell it, and the import itself: activities, versions. */
#ifndef PAST_H
#define PAST_H

#include "transfer/work.h"

/*
 * Behind all rows: transitions, activities with versions of their own, and one that tells of the
 * import, unless nothing changed or the project is one whose past is all there.
 */
enum rc past_write(struct work *w) MUST_CHECK;

#endif
