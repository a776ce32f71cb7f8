/*
 * Retired versions, activities: converts those of version 5, as the old ones are only about
 * stories and have fewer types.
 */
#ifndef OLD_EVENT_H
#define OLD_EVENT_H

#include "model/value.h"
#include "old/old_render.h"

/* What ids in an activity stand for. */
struct old_names {
	struct old_name {
		int64_t id;
		struct str name, initials;
	} *people, *labels;
	size_t n_people, n_labels;
};

/* The people and labels that an activity names by their ids, added to those that are there. */
void old_event_ids(
	struct arena *a, const struct body *activity, struct ids *people, struct ids *labels);

/* Kinds of version 5 that have a type here, with commas. */
struct str old_event_kinds(struct arena *a);

/* Whether it has one: it is of such a kind, and about stories. */
bool old_event_is_told(const struct body *activity);

/* The activity, with the names that its ids stand for. */
void old_render_event(
	struct old_render *r, const struct body *activity, const struct old_names *names);

#endif
