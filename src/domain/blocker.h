/*
 * Rules of blockers (contract 3): #ID in a description names another story of the project,
 * and the blocker waits for it.
 */
#ifndef BLOCKER_H
#define BLOCKER_H

#include "domain/outcome.h"

/*
 * A blocker that was created (before: null) or changed. The scene holds the people and the
 * stories that it names (scene->named_stories).
 */
enum rc blocker_check(struct outcome *out, void *object, const void *before) MUST_CHECK;

/*
 * The numbers after a # in a text, in ascending order, each once: ids of stories, if they exist.
 */
struct ids blocker_names(struct arena *a, struct str text);

#endif
