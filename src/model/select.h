/*
 * Field selection: which rows of a resource's table the parameter `fields` asks for, and likewise
 * for nested resources (contract 1.7). A selection is a set, never SQL.
 */
#ifndef SELECT_H
#define SELECT_H

#include "lib/arena.h"
#include "model/fieldset.h"
#include "model/resource.h"
#include "service/err.h"
#include "service/fields.h"

/*
 * What a request may ask for at once: more is refused by who takes `fields`. A wave of them
 * fits the queue of module db.
 */
enum { SELECT_FETCHES_MAX = 100 };

struct selection {
	const struct resource *resource;
	struct fieldset set;
	struct selection **child; /* by field; null where nothing is nested */
	int fetches;              /* statements that it may take, all levels together */
};

/* The default answer of a resource. */
struct selection *select_default(struct arena *a, const struct resource *r);

/*
 * The selection for `fields`. RC_INVALID_PARAMETER: *unknown is a name that the resource does not
 * have.
 */
enum rc select_fields(struct arena *a, const struct resource *r, const struct fields *f,
	struct selection **out, struct str *unknown) MUST_CHECK;

/* Only the key, which every answer has. */
struct selection *select_key(struct arena *a, const struct resource *r);

/* Adds a field, with what is wanted of its child; null: it has none. */
void select_add(struct selection *s, int field, struct selection *child);

/* Whether the version of its project covers all that is selected (is_versioned). */
bool select_is_versioned(const struct selection *s);

/* Whether the default answer has all that is selected. */
bool select_is_brief(const struct selection *s);

bool select_has(const struct selection *s, int field);

#endif
