/*
 * Full-text conditions of searches: which index can find it, and what that index
 * is asked. Part of search_sql.
 */
#ifndef SEARCH_SQL_TEXT_H
#define SEARCH_SQL_TEXT_H

#include "lib/arena.h"
#include "lib/buf.h"
#include "db/db.h"
#include "lib/arena.h"
#include "lib/buf.h"
#include "search/search_tree.h"

/* How a text term is looked up. */
enum search_sql_way {
	SEARCH_SQL_WORDS,  /* search_query(p) */
	SEARCH_SQL_PREFIX, /* search_prefix(p) */
	SEARCH_SQL_PART,   /* ilike p */
	SEARCH_SQL_REGEX,  /* ~* p */
	SEARCH_SQL_WAYS
};

enum search_sql_way search_sql_text_way(
	struct arena *a, const struct search_value *v, struct db_param *p);

/* A name, with its wildcards, as a pattern for ilike. */
struct db_param search_sql_text_name(struct arena *a, const struct search_value *v);

#endif
