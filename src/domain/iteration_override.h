/*
 * Rules of iteration overrides (contract 5.2): a length for the current iteration and for
 * those that are done, a team strength for any. What is as the project has it is no override:
 * null in the object.
 */
#ifndef ITERATION_OVERRIDE_H
#define ITERATION_OVERRIDE_H

#include "domain/outcome.h"

/* So many iterations behind the current one can be asked for: as many as plans have at most, to
   which src/api/iteration.c holds it. */
enum { ITERATION_AHEAD_MAX = 5000 };

enum rc iteration_override_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
