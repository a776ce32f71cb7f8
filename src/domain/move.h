/*
 * Rules of moving a story to another project, and what it keeps (contract 2.8: PUT with
 * project_id; contract 5.5, 6.2). The scene's project is the one that it comes to, its source
 * the one that it leaves; the scene holds the story's labels and those of their names in the
 * new project, and who of its people is a member there.
 */
#ifndef MOVE_H
#define MOVE_H

#include "domain/outcome.h"

/* The story as the new project looks at it: what it has of people is to be checked there. */
const struct story *move_arriving(const struct outcome *out, const struct story *old);

/*
 * What the request does not name of story n: labels are made by name, people who are no
 * members stay behind, and the mover asks for what they asked for; an integration is the old
 * project's own.
 */
enum rc move_settle(struct outcome *out, struct story *n, const struct story *old) MUST_CHECK;

/* What hangs on it goes along, untold: reviews have a type of the new project by name and no
   reviewer who is no member, and blockers name stories of their own project. */
void move_follow(struct outcome *out, const struct story *n);

/* The old project's activity: where it went, and what its labels count now; what else changed
   belongs to the new one, whose batch stays the present one. */
void move_leave(struct outcome *out, const struct story *n, const struct story *old);

#endif
