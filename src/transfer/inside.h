/*
 * An intake for a file that lies in an archive or a folder: errors name it, and its line, for the
 * report names only what the command was given.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "transfer/intake.h"

struct inside {
	struct intake intake; /* first: this is what a reader gets */
	struct intake *outer;
	const char *where, *path; /* of the archive, and in it */
};

void inside_init(struct inside *i, struct intake *outer, const char *where, const char *path);

#endif
