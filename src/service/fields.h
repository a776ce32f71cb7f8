/*
 * The `fields` parameter (contract 1.7): `name`, `name(list)` and `:default`, separated by
 * commas, nested up to the limits of the input (32 levels, 1000 names). Spaces around names are
 * ignored. This file only handles the grammar; the model knows what a name means.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "lib/arena.h"
#include "lib/str.h"

struct fields {
	struct str name;     /* a name, or ":default" */
	struct fields *list; /* the contents of its parentheses; null if absent or empty */
	bool has_list;       /* it had parentheses: "labels()" asks only for keys */
	struct fields *next;
};

/*
 * Null on failure, with *problem a sentence that names the place; an empty text
 * gives a list without names (null), for which *problem is null too. A name is
 * ASCII letters, digits and '_'; an empty one ("a,,b") is a failure.
 */
struct fields *fields_parse(struct arena *a, struct str text, const char **problem);

#endif
