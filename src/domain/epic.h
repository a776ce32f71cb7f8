/* Rules of epics (service-api.md, Epics; CONTRACT 1.4, 3). A wish is of res_epic. */
#ifndef EPIC_H
#define EPIC_H

#include "domain/outcome.h"

/* A part of the epic was made, changed or deleted: it is newer than that. */
struct epic *epic_touch(struct outcome *out, const struct epic *epic);

#endif
