/*
 * Parser of searches, from the search box and the `filter` parameter (contract part 4), text in
 * and tree out: no database, no clock, no time zone. The module that turns the tree into SQL
 * knows what a key selects.
 *
 *	search  = term { [ "AND" | "OR" ] term }     nothing between them: AND
 *	term    = [ "-" ] ( "(" search ")" | key ":" value | text )
 *	text    = word | '"' phrase '"' | "/" regex "/"
 *
 * AND and OR bind equally, from left to right, and are upper case; keys and words of the language
 * ignore case. Choices where the contract leaves one:
 * - An empty search, or one of nothing but includedone:, matches everything.
 * - A "-" before a group negates it. A "-" followed by a space or another "-" is text. A date
 *   term cannot be negated, but a group that contains one can.
 * - `word:` that is not a key is text, as in http://host or 10:30, unless it is a near miss of a
 *   key followed by a value (lable:x): then it is refused.
 * - There is no space between a key and its value: `label: x` is refused.
 * - In quotes \" is a quote and \\ a backslash; other backslashes are literal.
 * - A comma in a value is refused if the key takes no list, unless quoted.
 * - Wildcards work in text, name:, label: and epic:, when not quoted; regular expressions in text
 *   and name:, where a "/" inside is written \/.
 * - includedone: applies to the whole search: it is removed from the tree wherever it is (the
 *   last one wins), but cannot be in a negated group.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "lib/arena.h"
#include "lib/buf.h"
#include "search/search_tree.h"

/*
 * The tree of a search, in the arena, with texts that point into `query` if possible. Null if it
 * is not well formed, with a sentence in *problem that begins with "at character N of the search:
 * "; N counts characters from 1.
 *
 * Equivalent searches have the same tree: label:"", owner:"" and epic:"" are NOT HAS, like
 * no:label; estimate:-1 is estimate "none".
 *
 * At most 500 terms: a tree of SEARCH_NOT and alternating AND and OR is less than 550 deep.
 */
struct search *search_parse(struct arena *a, struct str query, const char **problem);

#endif
