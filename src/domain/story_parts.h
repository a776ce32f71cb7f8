/*
 * Rules of lists in a story's body: tasks, comments, blockers, reviews, pull requests and
 * branches, and the comment of a change (contract 2.8). Items with an id change that part, the
 * others are new; parts that are not named stay.
 */
#ifndef STORY_PARTS_H
#define STORY_PARTS_H

#include "domain/outcome.h"

enum rc story_parts_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc story_parts_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
