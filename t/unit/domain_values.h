/*
 * Compares values with those in a golden case (t/domain/README.md), where instants are
 * texts or "now", and a label's counts are one triple for each state.
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

/* want: {"started": [stories, without points, points]}; what is not named must be 0. */
bool domain_values_same_tally(
	const struct domain_values *k, const struct body *want, const double tally[TALLY_MAX]);

/* Whether an object has this member with this value. */
bool domain_values_same_member(
	const struct domain_values *k, const struct body *want, const struct body *object);

#endif
