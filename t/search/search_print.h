/* A search as text: the notation of the golden tests, which t/search/README.md describes. */
#ifndef SEARCH_PRINT_H
#define SEARCH_PRINT_H

#include "lib/buf.h"
#include "search/search.h"

void search_print(struct buf *b, const struct search *s);

#endif
