/* Line reader for dumps of pg_dump on their way to a sink. */
#ifndef DUMP_LINES_H
#define DUMP_LINES_H

#include "lib/buf.h"
#include "lib/sink.h"

struct dump_lines {
	struct sink sink; /* takes the dump; first, so that it is found from there */
	struct sink *to;
	/*
	 * Looks at a line with its end, of a long one at the beginning; false: it is left out. What
	 * is put into `instead` takes its place.
	 */
	bool (*look)(void *of, struct str line, struct buf *instead);
	void *of;
	struct buf line, instead;
	bool is_long;
};

void dump_lines_begin(struct dump_lines *d, struct sink *to,
	bool (*look)(void *of, struct str line, struct buf *instead), void *of);

/* Writes an unterminated last line, and frees the buffer; false: the sink failed. */
bool dump_lines_end(struct dump_lines *d);

/* Whether a line begins so. */
bool dump_line_begins(struct str line, const char *with);

#endif
