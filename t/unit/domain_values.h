/*
 * Whether values are what a golden case says (t/domain/README.md): there, instants are
 * texts or "now", and what a label counts has one triple for each state.
 */
#ifndef DOMAIN_VALUES_H
#define DOMAIN_VALUES_H

#include "lib/body.h"
#include "model/object.h"

struct domain_values {
	struct arena *arena;
	int64_t now;
};

bool domain_values_same(
	const struct domain_values *k, const struct body *want, const struct body *got);

/* want: {"started": [stories, without points, points]}; 0 for what is not named. */
bool domain_values_same_tally(
	const struct domain_values *k, const struct body *want, const double tally[TALLY_MAX]);

/* Whether an object has that member with that value. */
bool domain_values_same_member(
	const struct domain_values *k, const struct body *want, const struct body *object);

#endif
