/*
 * Streaming XML writer (XML 1.0, UTF-8) into a buffer, an element to a line. Nesting is the
 * caller's duty. Text must be well-formed UTF-8; a character that no XML document may hold is
 * written as U+FFFD.
 */
#ifndef XML_H
#define XML_H

#include <stdbool.h>

#include "lib/buf.h"

struct xml {
	struct buf *out;
	int depth;
	bool is_open; /* the last tag began an element, and is not closed */
	size_t limit; /* nothing is written behind so many bytes; 0: none */
};

/* Whether something may be missing: what was written is no document. */
bool xml_is_full(const struct xml *x);

/* The declaration. */
void xml_init(struct xml *x, struct buf *out);

/* An element that holds others; an empty one is closed at once. `attributes` as they stand, or null. */
void xml_begin(struct xml *x, const char *name, const char *attributes);
void xml_end(struct xml *x, const char *name);

/* An element with text; `type` is its attribute of that name, null: it has none. */
void xml_put(struct xml *x, const char *name, const char *type, struct str text);
void xml_put_int(struct xml *x, const char *name, int64_t v);

#endif
