/*
 * SQL generation from searches: turns a tree into conditions (contract part 4), using one table
 * of the keys. The text consists of constants, values are parameters. The surrounding statement
 * has the project as $1 and the rows as `s` (story) or `e` (epic); it names the caller and their
 * time zone (db_caller), which must be known when it is sent.
 *
 * Choices where the contract leaves one:
 * - A word matches whole words, ignoring case; several in one term (log-in, "log in") match in
 *   this order. Text without words (C++ has one, :-) has none), and scripts without spaces
 *   between words, match as substrings.
 * - A wildcard does not match spaces in text; in a name, the pattern must match the whole name.
 * - People: project members whom the text matches exactly hide partial matches.
 * - A moment covers what it names: a day, an hour (-5h), a second. A range runs from the
 *   beginning of the first to the end of the second.
 * - A search by date of acceptance includes done iterations, unless it says includedone:false.
 * - An epic is found by text, name:, label:, epic:, id:, created: and updated:; a search with
 *   another key finds none.
 */
#ifndef SEARCH_SQL_H
#define SEARCH_SQL_H

#include "search/search.h"
#include "db/sql.h"

/* Whether the search finds stories of done iterations. */
bool search_sql_has_done(const struct search *s);

/* Writes the condition of the tree on stories, in parentheses: "(true)" for all. */
void search_sql_put_stories(struct sql *q, const struct search *s);

/* The same for epics; "(false)" if a term is only for stories. */
void search_sql_put_epics(struct sql *q, const struct search *s);

/* Writes " and …": not in a done iteration. */
void search_sql_put_undone(struct sql *q, int32_t current_day);

#endif
