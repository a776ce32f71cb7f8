/* Prints a search as text, in the notation of the golden tests: t/search/README.md. */
#ifndef SEARCH_PRINT_H
#define SEARCH_PRINT_H

#include "lib/buf.h"
#include "search/search.h"

void search_print(struct buf *b, const struct search *s);

#endif
