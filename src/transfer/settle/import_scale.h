/* The point scale of a new project, from the estimates of its stories. */
#ifndef IMPORT_SCALE_H
#define IMPORT_SCALE_H

#include <stddef.h>

#include "lib/arena.h"

enum { IMPORT_SCALE_MAX = 12 }; /* values of one */

/* The smallest known scale that has all of the values, rising; else one of them all. */
struct str import_scale_of(struct arena *a, const double *values, size_t n);

#endif
