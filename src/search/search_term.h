/* Parser of one term of a search: text, or a key and its value. */
#ifndef SEARCH_TERM_H
#define SEARCH_TERM_H

#include "search/search_lex.h"

/*
 * At something that is no blank, no parenthesis and no end. A TERM, or a NOT of
 * one when the value asks for what has no such thing (no:owner, owner:"").
 */
bool search_term_parse(struct search_lex *x, struct search_node **found);

#endif
