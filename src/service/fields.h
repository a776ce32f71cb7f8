/*
 * The `fields` parameter (contract 1.7): `name`, `name(list)` and `:default`,
 * separated by commas, nested without limit but that of the input (32 levels,
 * 1000 names). Blanks around names are ignored. Only the grammar lives here;
 * what a name means is the model's business.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "lib/arena.h"
#include "lib/str.h"

struct fields {
	struct str name;     /* a name, or ":default" */
	struct fields *list; /* what stands in its parentheses; null without or when empty */
	bool has_list;       /* parentheses were there: "labels()" asks for keys only */
	struct fields *next;
};

/*
 * Null on failure, with *problem a sentence that names the place; an empty text
 * gives a list without names (null), for which *problem is null too. A name is
 * ASCII letters, digits and '_'; an empty one ("a,,b") is a failure.
 */
struct fields *fields_parse(struct arena *a, struct str text, const char **problem);

#endif
