/*
 * Export and import of fields: every field that is a column leaves in an export and comes back
 * with an import, except those that say why not (`stays`), with everything attached to it.
 */
#ifndef TRAVEL_H
#define TRAVEL_H

#include "model/select.h"

/* Whether it is a column that an export holds. */
bool travel_field(const struct field *f);

/* Whether it lists what hangs on a row of the resource: the comments of a story, not its labels. */
bool travel_part(const struct resource *r, const struct field *f);

/*
 * What a record calls the person, or the people, whose ids the field holds: "requested_by" of
 * requested_by_id, as the field that shows them. Null: it holds none.
 */
const char *travel_person(const struct resource *r, const struct field *f);

/* Whether it holds the id of a row: its own, or of one that the resource shows by it. */
bool travel_names_row(const struct resource *r, const struct field *f);

/*
 * A line of an export: what travels, what else stands in the row by default, and its parts in
 * the same way. What other lines hold is named by ids.
 */
struct selection *travel_select(struct arena *a, const struct resource *r);

#endif
