/*
 * Rules of tasks (contract 2.9, 3): positions are 1, 2, 3 …, and other tasks shift. The scene
 * holds the story and all its tasks.
 */
#ifndef TASK_H
#define TASK_H

#include "domain/outcome.h"

/*
 * The list `tasks` in a body of the story: items with an id change that task, the others are new.
 * Items are placed one after the other.
 */
enum rc task_list(struct outcome *out, struct wishes list, const struct story *story) MUST_CHECK;

enum rc task_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc task_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc task_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
