/*
 * Rules of tasks (service-api.md, Story tasks; CONTRACT 3): positions are 1, 2, 3 …, and
 * others shift. The scene holds the story and all of its tasks.
 */
#ifndef TASK_H
#define TASK_H

#include "domain/outcome.h"

enum rc task_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc task_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc task_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
