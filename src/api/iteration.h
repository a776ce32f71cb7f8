/* Iterations in requests: finds the one that a report names. */
#ifndef ITERATION_H
#define ITERATION_H

#include "planning/planning.h"

/* An iteration by its days, for statements: the first, counted since 1970, times 4096, and how
   many there are (99 weeks at most). sql/history.sql takes it apart. */
int64_t iteration_key(const struct planning_span *span);

#endif
