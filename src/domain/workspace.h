/*
 * Rules of workspaces (contract 1.4, workspace): they belong to one person and contain projects
 * that the person is in. They belong to no project, so they make no version and no activity.
 * own_projects of the scene says which of the wish's projects are the person's.
 */
#ifndef WORKSPACE_H
#define WORKSPACE_H

#include "domain/outcome.h"

enum rc workspace_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc workspace_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc workspace_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
