/* Bytes of files and of memory, as readers of files take them (intake.h). */
#ifndef FILE_BYTES_H
#define FILE_BYTES_H

#include "transfer/common/intake.h"

struct file_bytes {
	struct intake_bytes bytes;
	int fd; /* -1: none */
	int64_t size;
};

/*
 * Opens the regular file of that path, for reading. Below a folder (else AT_FDCWD) no part of
 * the path may be a link, nor lead upwards. False and errno.
 */
bool file_bytes_open(struct file_bytes *f, const char *path);
bool file_bytes_open_below(struct file_bytes *f, int folder, const char *path);
void file_bytes_close(struct file_bytes *f);

/*
 * As many of the first bytes as fit and can be read, and back to the start. Absent: there are
 * none of them, or they cannot be read twice.
 */
struct str file_bytes_start(struct intake_bytes *bytes, char *to, size_t size);

#endif
