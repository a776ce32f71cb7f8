/*
 * What the end of a zip archive says of its list of files. The library reads the list whole, so
 * how long it is must be known before it is asked.
 */
#ifndef TREE_ZIP_H
#define TREE_ZIP_H

#include <stdint.h>

/* Null, or one line that says why the archive of that size is not opened. */
const char *tree_zip_check(int fd, int64_t size);

#endif
