/* Lists that a search narrows (planwright-search(7)). */
#ifndef API_SEARCH_H
#define API_SEARCH_H

#include "lib/err.h"

struct req;

/* The act of lists of stories and epics: crud_list, with `filter` if the query has it. */
enum rc search_filter(struct req *r) MUST_CHECK;

#endif
