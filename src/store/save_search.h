/*
 * Search index: the texts that searches look into (table search_text), kept beside the rows that
 * hold them: fields with `search` in their rows.
 */
#ifndef SAVE_SEARCH_H
#define SAVE_SEARCH_H

#include "store/save.h"

/* Queues what a batch changes of them, behind its rows: at most two statements. */
void save_search_texts(struct save *save, const struct batch *b);

#endif
