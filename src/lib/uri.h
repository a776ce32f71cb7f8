/*
 * URI parser: paths and query strings of a request (RFC 3986; query as
 * application/x-www-form-urlencoded, '+' is a space).
 */
#ifndef URI_H
#define URI_H

#include <stdbool.h>

#include "lib/arena.h"
#include "lib/str.h"

struct uri_param {
	struct str name;  /* decoded; NUL ended, the NUL not counted */
	struct str value; /* the same; empty when there was no '=' */
	struct uri_param *next;
};

/*
 * Parameters in order of the query; empty pieces ("&&") are skipped. False if
 * a percent sequence is broken, or a name or value is no text (str_is_text), or
 * there are more than 200: then *bad is the piece that is wrong, undecoded.
 */
bool uri_parse_query(struct arena *a, struct str query, struct uri_param **first, struct str *bad);

/* The same for a body of that type, with at most `max` parameters. */
bool uri_parse_form(
	struct arena *a, struct str form, int max, struct uri_param **first, struct str *bad);

/* First of that name, or null. */
const struct uri_param *uri_find(const struct uri_param *first, const char *name);

/*
 * Cuts a decoded, normalised path (nginx's DOCUMENT_URI) into segments at '/';
 * empty segments do not count. Returns their number, or -1 if there are more
 * than max.
 */
int uri_split_path(struct str path, struct str *segments, int max);

/* Whether a path is nothing but these segments, each behind one '/'. */
bool uri_is_plain(struct str path, const struct str *segments, int n);

#endif
