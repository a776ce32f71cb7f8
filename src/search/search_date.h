/* Dates in searches (contract 4.3). */
#ifndef SEARCH_DATE_H
#define SEARCH_DATE_H

#include "lib/arena.h"
#include "search/search_tree.h"

/*
 * MM/DD/YYYY (M/D/YYYY too), an ISO 8601 date or time, today, yesterday, or a
 * number of hours, days or weeks ago: -5h, -5hour, -5hours; d, w likewise. Null,
 * or what is wrong with it.
 */
const char *search_date_parse(struct str text, struct search_date *date);

#endif
