/*
 * Rules of moving a story to another project, and what it keeps (contract 2.8: PUT with
 * project_id; contract 5.5, 6.2). The scene's project is the target, its source the project that
 * the story leaves; the scene holds the story's labels, the labels with these names in the new
 * project, and which of the story's people are members there.
 */
#ifndef MOVE_H
#define MOVE_H

#include "domain/outcome.h"

/* The story as seen by the new project: its people must be checked there. */
const struct story *move_arriving(const struct outcome *out, const struct story *old);

/*
 * Whatever the request does not name of story n: labels are created by name, people who are not
 * members are dropped, and the mover becomes the requester in their place; an integration belongs
 * to the old project.
 */
enum rc move_settle(struct outcome *out, struct story *n, const struct story *old) MUST_CHECK;

/*
 * The story's parts move along, unreported: reviews have a type of the new project by name and no
 *    reviewer who is no member, and blockers name stories of their own project.
 */
void move_follow(struct outcome *out, const struct story *n);

/*
 * The old project's activity: where the story went, and the new counts of its labels; what else
 * changed
 *    belongs to the new one, whose batch stays the present one.
 */
void move_leave(struct outcome *out, const struct story *n, const struct story *old);

#endif
