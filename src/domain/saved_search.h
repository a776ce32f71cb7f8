/*
 * Rules of saved searches (contract 2): their maker's own, who alone sees and changes them,
 * so that no version tells of them. Whether the query is a search was asked before.
 */
#ifndef SAVED_SEARCH_H
#define SAVED_SEARCH_H

#include "domain/outcome.h"

enum rc saved_search_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc saved_search_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc saved_search_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
