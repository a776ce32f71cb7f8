/*
 * Rules of iteration overrides (contract 5.2): a length for the current and done iterations, a
 * team strength for any. The project's own value is not an override: it is null in the object.
 */
#ifndef ITERATION_OVERRIDE_H
#define ITERATION_OVERRIDE_H

#include "domain/outcome.h"

/*
 * How many iterations after the current one can be requested: as many as plans have at most, to
 *    which src/api/iteration.c holds it.
 */
enum { ITERATION_AHEAD_MAX = 5000 };

enum rc iteration_override_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
