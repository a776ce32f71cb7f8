/*
 * Side effects of a change on its surroundings: the update time of the story or epic, the counts
 * of the project, and the check that the people it names are members.
 */
#ifndef TOUCH_H
#define TOUCH_H

#include "domain/outcome.h"

/* A part of the story or epic was made, changed or deleted: it is newer than that. */
struct story *touch_story(struct outcome *out, const struct story *story);
struct epic *touch_epic(struct outcome *out, const struct epic *epic);

/*
 * Updates the counts of the batch's project for a story, and adds its transition; n null: it is
 * removed, old null: it is new.
 */
void touch_counts(struct outcome *out, const struct story *n, const struct story *old);

/* Problem "Person with id=… is not a member of this project." unless all are, or were known. */
void touch_people(struct outcome *out, const char *field, struct ids people, struct ids known);

#endif
