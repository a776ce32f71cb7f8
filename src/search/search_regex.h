/*
 * Validation of regular expressions in searches, so that each runs in bounded time: they are
 * PostgreSQL's advanced ones without back references, large bounds, and anything that would
 * change the syntax of the rest. Only the database says whether one is well formed.
 */
#ifndef SEARCH_REGEX_H
#define SEARCH_REGEX_H

#include "lib/str.h"

/* Why it may not be used, a constant; null: it may. */
const char *search_regex_problem(struct str regex);

#endif
