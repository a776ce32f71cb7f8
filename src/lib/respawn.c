#include "lib/respawn.h"

int64_t respawn_pause_ms(struct respawn *r, int64_t lived_ms)
{
	int64_t pause = RESPAWN_PAUSE_MS;
	if (lived_ms >= RESPAWN_LASTS_MS) {
		r->early = 0;
		return 0;
	}
	if (r->early++ == 0)
		return 0;
	for (int i = 2; i < r->early && pause < RESPAWN_PAUSE_MAX_MS; i++)
		pause *= 2;
	return pause < RESPAWN_PAUSE_MAX_MS ? pause : RESPAWN_PAUSE_MAX_MS;
}
