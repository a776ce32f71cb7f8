/*
 * Rules of iteration overrides (contract 5.2): a length for the current and done iterations, a
 * team strength for any. The project's own value is not an override: it is null in the object.
 */
#ifndef ITERATION_OVERRIDE_H
#define ITERATION_OVERRIDE_H

#include "domain/outcome.h"

/*
 * How many iterations after the current one can be requested: as many as plans have at most, to
 * which src/api/iteration.c holds it.
 */
enum { ITERATION_AHEAD_MAX = 5000 };

/* Why no iteration has that length, or that strength; null: it may. NIL and NAN say nothing. */
const char *iteration_override_length_fault(int64_t length);
const char *iteration_override_strength_fault(double strength);

/* The project's own length and a strength of 1 are no overrides: they become NIL and NAN. */
void iteration_override_settle(struct iteration_override *o, int64_t iteration_length);

enum rc iteration_override_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
