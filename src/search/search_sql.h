/*
 * SQL generation from searches: a tree as conditions (contract part 4), by one table of the keys.
 * The text comes from constants, values are parameters. The statement around it
 * has the project as $1 and the rows as `s` (story) or `e` (epic); it names the caller and
 * their time zone (db_caller), which have to be known when it is sent.
 *
 * Choices where the contract is open:
 * - A word is found whole, whatever its case; several in one term (log-in,
 *   "log in") in this order. What has no words (C++ has one, :-) has none), and
 *   scripts that put no blanks between words, are found as parts of a text.
 * - A wildcard does not run over blanks in text; of a name it is the whole.
 * - People: project members whom all of the text names hide partial matches.
 * - A moment is as long as it is written: a day, an hour (-5h), a second. A range
 *   runs from the beginning of the first to the end of the second.
 * - A search that asks when stories were accepted looks into done iterations,
 *   unless it says includedone:false.
 * - An epic is found by text, name:, label:, epic:, id:, created: and updated:;
 *   a search with another key finds none.
 */
#ifndef SEARCH_SQL_H
#define SEARCH_SQL_H

#include "search/search.h"
#include "db/sql.h"

/* Whether stories of done iterations belong to what the search finds. */
bool search_sql_has_done(const struct search *s);

/* Writes the condition of the tree on stories, in parentheses: "(true)" for all. */
void search_sql_put_stories(struct sql *q, const struct search *s);

/* The same on epics; "(false)" when a term is of stories alone. */
void search_sql_put_epics(struct sql *q, const struct search *s);

/* Writes " and …": not in a done iteration. */
void search_sql_put_undone(struct sql *q, int32_t current_day);

#endif
