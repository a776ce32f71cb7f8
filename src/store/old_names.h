/* Names of people and labels, for activities of the retired versions. */
#ifndef OLD_NAMES_H
#define OLD_NAMES_H

#include "db/db.h"
#include "old/old_event.h"

/* From the rows of the statement old_names, copied into the arena. */
void old_names_take(struct arena *a, const struct rows *rows, struct old_names *names);

#endif
