/* Search endpoints: lists that a search narrows (planwright-search(7)). */
#ifndef API_SEARCH_H
#define API_SEARCH_H

#include "service/err.h"

struct req;
struct rows;

/* The act of lists of stories and epics: crud_list, with `filter` if the query has it. */
enum rc search_filter(struct req *r) MUST_CHECK;

/*
 * Rows of the route's `read`, which `filter` narrows if the query has it, once the gate has let
 * the caller in; the transaction stays open.
 */
enum rc search_rows(struct req *r, struct rows **rows) MUST_CHECK;

#endif
