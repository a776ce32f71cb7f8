/*
 * Counters of what all workers of a host have done since the first of them started: a small file
 * in memory that each worker maps. A request costs a few additions; nobody waits for anybody.
 */
#ifndef METRICS_H
#define METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/arena.h"
#include "service/crypt.h"

enum { METRICS_BOUNDS = 12, METRICS_CLASSES = 5, METRICS_WORKERS_MAX = 256 };

/* Other events: a wrong password; a 429 because one person keeps too much busy; how a read at a
 * standby ended (http/standby.h). */
enum metrics_event {
	METRICS_SIGN_IN_REFUSED,
	METRICS_SHARE_REFUSED,
	METRICS_STANDBY_USED,
	METRICS_STANDBY_BEHIND,
	METRICS_STANDBY_FAILED,
	METRICS__EVENT
};

enum metrics_access { METRICS_READ, METRICS_WRITE, METRICS__ACCESS };

/* Upper bounds of the counted times, in microseconds; the last class has no bound. */
extern const int64_t metrics_bounds_us[METRICS_BOUNDS];

struct metrics_counts {
	uint64_t requests[METRICS__ACCESS]
			 [METRICS_CLASSES]; /* by the first digit of the status, less 1 */
	uint64_t times[METRICS__ACCESS][METRICS_BOUNDS +
		1];                   /* how many took up to that bound, and above the one before */
	uint64_t us[METRICS__ACCESS]; /* all of them together */
	uint64_t events[METRICS__EVENT];
};

/* A snapshot of the file. */
struct metrics_sight {
	struct metrics_counts counts;
	int workers, busy;
	int64_t busiest_ms; /* the longest of the current requests */
};

struct metrics_file;

struct metrics {
	char name[64];
	struct metrics_file *file; /* null: there is none, and nothing is counted */
	int mine;                  /* number of this worker's row */
};

/* The name of an installation's file: workers with one secret and one setting `database` have one. */
const char *metrics_name(const struct crypt *crypt, const char *database, struct arena *a);

/* Takes part. Failure is logged; the others below then do nothing. */
void metrics_join(struct metrics *m, const char *name);

/* Marks a request as started, for others to see; and as answered. */
void metrics_begin(struct metrics *m);
void metrics_end(struct metrics *m, enum metrics_access access, int status, int64_t us);

void metrics_count(struct metrics *m, enum metrics_event event);

/* False: no worker is running, or none that this user may see. */
bool metrics_look(const char *name, struct metrics_sight *sight);

/* Leaves; the last one takes the file along. */
void metrics_leave(struct metrics *m);

#endif
