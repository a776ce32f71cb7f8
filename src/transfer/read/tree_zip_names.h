/*
 * Archives in which names are said to be UTF-8 and are not: the library refuses such an archive
 * whole. Read through this source the names make no such claim, and are taken for those of DOS.
 * Also names that the library would compare with each other for minutes.
 */
#ifndef TREE_ZIP_NAMES_H
#define TREE_ZIP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zip.h>

enum { TREE_ZIP_ALIKE_MAX = 5000 };

struct tree_zip_names {
	struct tree_zip_odd {
		int64_t index; /* of the file in the list */
		int64_t at;    /* of the byte that says UTF-8 */
	} *odd; /* by rising index, and in an archive that is sound by rising place */
	size_t n;
	uint32_t alike; /* so many names have one place in the library's table */
};

/* Looks for them in the archive of that size. To be freed; null is allowed. */
struct tree_zip_names *tree_zip_names(int fd, int64_t size);
void tree_zip_names_free(struct tree_zip_names *names);

bool tree_zip_names_has(const struct tree_zip_names *names, int64_t index);

/* The archive without those claims; it reads from a copy of fd, and from names. Null: no memory. */
zip_source_t *tree_zip_names_source(
	const struct tree_zip_names *names, int fd, int64_t size, zip_error_t *error);

#endif
