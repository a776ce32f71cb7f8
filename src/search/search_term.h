/* Parser of one term of a search: text, or a key and its value. */
#ifndef SEARCH_TERM_H
#define SEARCH_TERM_H

#include "search/search_lex.h"

/*
 * At something that is not a space, a parenthesis or the end. Returns a TERM, or a NOT of one if
 * the value asks for the absence of something (no:owner, owner:"").
 */
bool search_term_parse(struct search_lex *x, struct search_node **found);

#endif
