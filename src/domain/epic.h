/*
 * Rules of epics (contract 1.4, 2.10, 3): an epic has its own label, and a place among the other
 * epics. The wish is of res_epic. The scene holds the project's epics, and the labels and people
 * that the wish names.
 */
#ifndef EPIC_H
#define EPIC_H

#include "domain/outcome.h"

enum rc epic_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc epic_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc epic_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

/* The name of the label that an epic of this name gets when none is given. */
struct str epic_label_name(struct str name);

#endif
