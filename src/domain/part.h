/*
 * Rules of sub-resources of a story other than tasks and comments: blockers, reviews, pull
 * requests, branches and build events (contract 3.7). Epics have pull requests and branches, too.
 * The resource of a wish says which of them it is.
 */
#ifndef PART_H
#define PART_H

#include "domain/outcome.h"

/* One of the path's story, which is newer than that. */
enum rc part_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc part_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc part_delete(struct outcome *out, const struct wish *wish) MUST_CHECK;

/*
 * A new part of a story or an epic (NIL: not of one), which the caller touches. *made: the part;
 * may be null.
 */
enum rc part_add(struct outcome *out, const struct wish *wish, int64_t story, int64_t epic,
	void **made) MUST_CHECK;

/* Changes one of the path's story, which is touched when anything differs. */
enum rc part_change(struct outcome *out, const struct wish *wish, const void *old) MUST_CHECK;

#endif
