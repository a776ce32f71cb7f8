/*
 * Rules of workspaces (contract 1.4, workspace): a person's own, of projects that the person
 * is in. They belong to no project, so no version and no activity tells of them. The scene
 * holds in own_projects which of the projects that a wish names are the person's.
 */
#ifndef WORKSPACE_H
#define WORKSPACE_H

#include "domain/outcome.h"

enum rc workspace_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc workspace_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc workspace_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
