/*
 * Rules of bulk changes, of many stories of a project at once: what changing each one alone would
 * do, or nothing (contract 2.8). The wish is of res_bulk. The scene holds the project, the
 * stories with their neighbours and labels, and the current order without the moving stories.
 */
#ifndef STORY_BULK_H
#define STORY_BULK_H

#include "domain/outcome.h"

enum rc story_bulk(struct outcome *out, const struct wish *wish) MUST_CHECK;

/* The stories of the scene whose place the wish changes. */
struct ids story_bulk_moved(const struct scene *s, const struct wish *wish);

#endif
