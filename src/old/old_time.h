/*
 * Times as the retired versions write them: 2013/05/07 12:00:00 UTC. They read more: see
 * old_time_read.
 */
#ifndef OLD_TIME_H
#define OLD_TIME_H

#include <stdint.h>

#include "lib/buf.h"

/* Whole seconds, rounded down; `us` as in lib/when.h. */
void old_time_put(struct buf *b, int64_t us);

/*
 * All that when_parse takes; and dates with slashes or one-digit parts, alone or with a time of the day,
 * which may lack its seconds, and behind it an offset as of ISO 8601 or the name of a zone: UTC, GMT, Z,
 * or the eight of the United States' four zones.
 */
bool old_time_read(struct str s, int64_t *us);

#endif
