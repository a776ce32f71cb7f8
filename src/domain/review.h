/* Rules of reviews and of their types (contract 3). */
#ifndef REVIEW_H
#define REVIEW_H

#include "domain/outcome.h"

/*
 * A review that was created (before: null) or changed. The scene holds the reviewer and the type
 * that it names.
 */
enum rc review_check(struct outcome *out, void *object, const void *before) MUST_CHECK;

/* The scene holds the project's review type with the requested name, if there is one. */
enum rc review_type_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc review_type_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

/* A name as stored. */
struct str review_type_name(struct str wished);

#endif
