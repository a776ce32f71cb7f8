/*
 * Schema and migrations, embedded in the program: the numbered migrations in order, then the
 * files that are reapplied after every migration, in order. sql/embed_files.awk generates
 * src/db/schema.c.
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schema_file {
	const char *name; /* "0001_foundation.sql", "views.sql" */
	const char *text; /* NUL ended */
	size_t length;    /* of text, in bytes */
	bool migration;   /* applied once and recorded */
};

extern const struct schema_file schema_files[];
extern const size_t schema_files_count;

/* The number at the start of a migration's name; the highest of them. */
int64_t schema_number(const struct schema_file *file);
int64_t schema_newest(void);

#endif
