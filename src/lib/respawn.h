/*
 * Restart back-off: a process that ends is restarted at once if it ran for RESPAWN_LASTS_MS, otherwise
 * after a pause that grows each time, up to RESPAWN_PAUSE_MAX_MS. It is never given up.
 */
#ifndef RESPAWN_H
#define RESPAWN_H

#include <stdint.h>

enum { RESPAWN_LASTS_MS = 10000, RESPAWN_PAUSE_MS = 100, RESPAWN_PAUSE_MAX_MS = 5000 };

struct respawn {
	int early; /* how many in a row did not last */
};

/* Milliseconds to wait, after one that lived so long. The first that ends early costs no pause. */
int64_t respawn_pause_ms(struct respawn *r, int64_t lived_ms);

#endif
