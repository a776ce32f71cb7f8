/* A table of counters by key, bounded: positions of parts, ids that were seen. */
#ifndef COUNTS_H
#define COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/str.h"

enum { COUNTS_MAX = 1 << 20 }; /* more things than these: it begins anew */

struct counts {
	struct count *slots;
	size_t room, used;
	uint64_t seed; /* of the places, so that no file can choose things for one place */
};

/* The number of the thing that comes now, from 1: things differ by any of the three. */
int64_t counts_next(struct counts *c, int64_t a, int64_t b, struct str s);
void counts_free(struct counts *c);

#endif
