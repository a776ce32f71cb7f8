/* Loading for commands that make or change sub-resources of a story (domain/part.h). */
#ifndef API_PART_H
#define API_PART_H

#include "api/command.h"

/* The items of a body's list that have ids; how many items have none. */
size_t part_load_known(struct command *c, const struct resource *of, struct wishes list,
	enum stmt stmt, struct objects *into);

/* The same, ids for the others, and the people, types and stories that all of them name. */
void part_load(struct command *c, const struct resource *of, struct wishes list, enum stmt stmt,
	struct objects *into);

#endif
