/* Bytes of files and of memory, as readers of files take them (intake.h). */
#ifndef BYTES_H
#define BYTES_H

#include "transfer/intake.h"

struct bytes_file {
	struct intake_bytes bytes;
	int fd; /* -1: none */
	int64_t size;
};

/*
 * Opens the regular file of that path, for reading. Below a folder (else AT_FDCWD) no part of
 * the path may be a link, nor lead upwards. False and errno.
 */
bool bytes_open(struct bytes_file *f, const char *path);
bool bytes_open_below(struct bytes_file *f, int folder, const char *path);
void bytes_close(struct bytes_file *f);

/*
 * As many of the first bytes as fit and can be read, and back to the start. Absent: there are
 * none of them, or they cannot be read twice.
 */
struct str bytes_start(struct intake_bytes *bytes, char *to, size_t size);

#endif
