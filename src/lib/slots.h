/*
 * How many workers of this host one person keeps busy with slow requests: at most half of
 * those that run, and at least one. The workers share a small file in memory, each has one
 * row of it, and a lock of the kernel says whose row it is: who is killed leaves neither a
 * row nor a lock behind. Quick requests never come here.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS_TOLD_MS = 5000 };

struct slots {
	char name[64];
	int fd;   /* -1: there is no such file, and nobody is refused */
	int mine; /* number of this worker's row */
	bool held;
};

/*
 * Takes a row in the shared memory of that name ("/planwright-…"), which is made if it is
 * missing. Failure is logged; the others below then do no harm.
 */
void slots_open(struct slots *s, const char *name);

/* Takes one slot for `who`, who is not 0. False: as many workers as may be are busy for them. */
bool slots_claim(struct slots *s, uint64_t who);

/*
 * Takes one slot for `who` when they have none and fewer than `most` are taken in all: for what
 * has a file of its own, in which each row stands for one thing that is done.
 */
bool slots_claim_only(struct slots *s, uint64_t who, int most);

/*
 * Whether `who` was refused within the last SLOTS_TOLD_MS, and still has no slot free: who goes
 * on nevertheless is not given a second each time, or others would wait behind all of them.
 */
bool slots_was_told(struct slots *s, uint64_t who);

/* Gives the slot back; without one nothing happens. */
void slots_release(struct slots *s);

/* Leaves; the last one takes the file along. */
void slots_close(struct slots *s);

#endif
