/*
 * Search index: the texts that searches look through (table search_text), kept in step with the
 * rows that contain them: fields with `search` in their rows.
 */
#ifndef SAVE_SEARCH_H
#define SAVE_SEARCH_H

#include "store/save.h"

/* Queues a batch's changes to them, after its rows: at most two statements. */
void save_search_texts(struct save *save, const struct batch *b);

#endif
