/*
 * Ids in texts: "#7" is a story, "##7" an epic. Where an import gives another id, texts of the
 * same files follow; what stories a blocker names is kept beside it (domain/blocker.h).
 */
#ifndef TEXT_REFS_H
#define TEXT_REFS_H

#include "transfer/settle/import_context.h"

/* Texts of stories and epics, and those that are still staged. */
enum rc refs_rename(struct import_context *w) MUST_CHECK;

/* blocking_story_ids of merged_blocker. */
enum rc refs_block(struct import_context *w) MUST_CHECK;

/* An old id and its new one. */
struct ref {
	int64_t from, to;
};

/* The text with the new ids; stories and epics are sorted by the old one. Absent: it is the
   same. */
struct str refs_replace(struct arena *a, struct str text, const struct ref *stories,
	size_t n_stories, const struct ref *epics, size_t n_epics);

#endif
