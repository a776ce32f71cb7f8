/*
 * What is deleted once it has been kept for long enough: what was sent, what ended, and what settings
 * limit. planwright-sender deletes it every hour, and planwrightctl clean at once, in batches, each in
 * a transaction of its own, so that nobody waits long. Nothing else is deleted by time but old months
 * of the audit log (sql/audit.sql): stories, comments and activities stay.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "db/db.h"

/* How many rows a transaction deletes. */
enum { SWEEP_BATCH = 1000, SWEEP_PARAMS = 3 };

struct sweep {
	const char *one, *many; /* what it deletes, for people */
	enum stmt stmt;         /* returns one row with one column: how many it found */
	size_t days;            /* place of the setting in struct conf; 0: it is not one */
};
extern const struct sweep sweeps[];
extern const size_t sweeps_count;

/*
 * Fills in the parameters of the statement and returns how many they are; 0: everything is kept. At
 * most SWEEP_BATCH rows are deleted, or all are counted.
 */
int sweep_params(const struct sweep *s, struct arena *a, const struct conf *conf, bool deletes,
	struct db_param params[static SWEEP_PARAMS]);

#endif
