/*
 * Streaming parser of multipart/form-data (RFC 7578): pieces of any size go in, the
 * content of the first part of a given name, or of all that are wanted, comes out in
 * pieces. Memory is only this struct, however large the body is.
 */
#ifndef MULTIPART_H
#define MULTIPART_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/arena.h"
#include "lib/str.h"

enum { MULTIPART_WINDOW = 16384, MULTIPART_BOUNDARY_MAX = 70, MULTIPART_NAME_MAX = 1024 };

struct multipart {
	/* Takes a piece of the part's content; false stops the parse. */
	bool (*sink)(void *to, const char *p, size_t n);
	void *to;
	const char *wanted; /* the part's name; null: `part` says which */
	bool (*part)(void *to, const char *name, const char *filename);

	bool found;                        /* the part has begun; its name stands in filename */
	char filename[MULTIPART_NAME_MAX]; /* UTF-8 without a path; empty: none was given */

	enum {
		MULTIPART_PREAMBLE,
		MULTIPART_BOUNDARY,
		MULTIPART_HEADERS,
		MULTIPART_CONTENT,
		MULTIPART_END
	} state;
	bool taking;                                /* the content at hand is the wanted part's */
	char delimiter[MULTIPART_BOUNDARY_MAX + 8]; /* CR LF "--" boundary */
	size_t n_delimiter;
	char window[MULTIPART_WINDOW];
	size_t n;
};

/*
 * Begins a parse. content_type is the request's header; false: it is no
 * multipart/form-data with a boundary that RFC 2046 allows.
 */
bool multipart_begin(struct multipart *m, struct str content_type, const char *wanted,
	bool (*sink)(void *, const char *, size_t), void *to);

/*
 * The same for several parts. `part` is told of each, as it begins, the name and that of its
 * file (as in struct multipart), and says whether its content goes to the sink.
 */
bool multipart_begin_parts(struct multipart *m, struct str content_type,
	bool (*part)(void *to, const char *name, const char *filename),
	bool (*sink)(void *, const char *, size_t), void *to);

/* The next piece of the body. False: it is malformed, or the sink said no. */
bool multipart_feed(struct multipart *m, const char *p, size_t n);

/* Whether the body was complete: its last boundary was seen. */
bool multipart_is_complete(const struct multipart *m);

#endif
