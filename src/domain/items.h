/*
 * Lists in bodies: items whose id says what they change (contract 2.8); each must exist, and be
 * named once.
 */
#ifndef ITEMS_H
#define ITEMS_H

#include "domain/outcome.h"

struct items {
	const char *list, *noun; /* "pull_requests", "pull request" */
	struct objects known;    /* in the order of their ids */
	bool *named;
};

/* Those that an item may name: on the story, at least all that the list names. */
struct items items_of(
	struct arena *a, const char *list, const char *noun, const struct objects *known);

/* Finds the object with that id; *at: its index among the known ones. */
enum rc items_find(struct outcome *out, struct items *items, int64_t id, size_t *at) MUST_CHECK;

#endif
