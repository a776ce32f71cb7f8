/*
 * Rules of tasks (contract 2.9, 3): positions are 1, 2, 3 …, and
 * others shift. The scene holds the story and all of its tasks.
 */
#ifndef TASK_H
#define TASK_H

#include "domain/outcome.h"

/*
 * The list `tasks` of a body of the story: items with an id change that one, the others are
 * new. Each takes its place among what those in front of it left.
 */
enum rc task_list(struct outcome *out, struct wishes list, const struct story *story) MUST_CHECK;

enum rc task_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc task_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc task_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
