/* Attached files in a project's zip: a folder for each story and epic. */
#ifndef EXPORT_FILES_H
#define EXPORT_FILES_H

#include <stdio.h>

#include "transfer/out/export.h"
#include "transfer/out/zip_write.h"

/*
 * Puts them below the zip's folder `top`. `lines` gets one for each, which tells id, path, size
 * and sha256; *n: how many. What no longer exists is logged and counted in x.
 */
enum rc export_files(struct export *x, struct zip_write *zip, const char *top, FILE *lines,
	int64_t *n) MUST_CHECK;

/* The names in one folder; begins as zeros. */
struct export_names {
	struct arena arena;
	void *tree;
};

/*
 * The name under which a file stands there, until the end of the names: no path, no control
 * characters, 200 bytes at most, and no other's, whatever the case. Equal ones are numbered.
 */
struct str export_names_take(struct export_names *names, struct str filename);

void export_names_end(struct export_names *names);

#endif
