/*
 * An intake for a file inside an archive or a folder: its errors name that file and its line, since
 * the report names only what the command was given.
 */
#ifndef NESTED_INTAKE_H
#define NESTED_INTAKE_H

#include "transfer/common/intake.h"

struct nested_intake {
	struct intake intake; /* first: this is what a reader gets */
	struct intake *outer;
	const char *where, *path; /* of the archive, and in it */
};

void nested_intake_init(
	struct nested_intake *i, struct intake *outer, const char *where, const char *path);

#endif
