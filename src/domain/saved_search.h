/*
 * Rules of saved searches (contract 2): only their creator sees and changes them, so they make no
 * version. The query has already been checked.
 */
#ifndef SAVED_SEARCH_H
#define SAVED_SEARCH_H

#include "domain/outcome.h"

enum rc saved_search_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc saved_search_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc saved_search_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
