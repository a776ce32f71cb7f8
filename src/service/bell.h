/*
 * Wake-up of the programs of a host that process what others commit: the sender and the importer
 * query the database only seldom while this bell is silent. It is a counter in shared memory that
 * rises with each commit that may be of interest to them. Nothing depends on it: a program that
 * does not hear it queries all the same, but later.
 */
#ifndef BELL_H
#define BELL_H

#include <stdbool.h>
#include <stdint.h>

struct bell_file;

struct bell {
	char name[64];
	struct bell_file *file; /* null: there is none (yet) */
	int fd;                 /* of it */
	uint64_t heard;
};

/* That of the installation with this address. It is opened when it is first needed. */
struct bell bell_of(const char *base_url);

/* For those who commit: rings it, if anybody listens. */
void bell_ring(struct bell *b);

/* For those who listen: makes it. False: there is none, which is logged, and nothing will be heard. */
bool bell_listen(struct bell *b);

/* Whether it was rung since the last time, or may have been. */
bool bell_hears(struct bell *b);

/* Both. The last one who listens takes the file along. */
void bell_close(struct bell *b);

#endif
