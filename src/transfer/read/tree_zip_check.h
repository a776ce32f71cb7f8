/*
 * Checks the length of a zip archive's list of files, as its end tells it. The library reads the
 * list whole, so how long it is must be known before it is asked.
 */
#ifndef TREE_ZIP_CHECK_H
#define TREE_ZIP_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* Null, or one line that says why the archive of that size is not opened. */
const char *tree_zip_check(int fd, int64_t size);

/* Where the list stands, by the last place that could be the end; n 0: it is not found. */
struct tree_zip_list {
	int64_t at;
	size_t n;
};

struct tree_zip_list tree_zip_list(int fd, int64_t size);

/* A number of n bytes, the smallest first. */
uint64_t tree_zip_little(const unsigned char *p, int n);

#endif
