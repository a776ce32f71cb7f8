/* What files say becomes what the project has: everything but the project's own row and past. */
#ifndef MERGE_H
#define MERGE_H

#include "transfer/work.h"

enum rc merge_all(struct work *w) MUST_CHECK;

#endif
