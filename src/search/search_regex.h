/*
 * Validation of regular expressions in searches, so that each is looked for in a bounded time:
 * what they may hold is that of PostgreSQL's advanced ones, without references back, large bounds,
 * and what would give the rest another syntax. Whether it is well formed, only the database says.
 */
#ifndef SEARCH_REGEX_H
#define SEARCH_REGEX_H

#include "lib/str.h"

/* Why it may not be used, a constant; null: it may. */
const char *search_regex_problem(struct str regex);

#endif
