/*
 * Parser of searches, of the search box and the `filter` parameter (contract
 * part 4), text in and tree out: no database, no clock, no time zone. What
 * a key selects is the business of the module that makes SQL of the tree.
 *
 *	search  = term { [ "AND" | "OR" ] term }     nothing between them: AND
 *	term    = [ "-" ] ( "(" search ")" | key ":" value | text )
 *	text    = word | '"' phrase '"' | "/" regex "/"
 *
 * AND and OR bind equally, from left to right, and are upper case; keys and
 * words of the language ignore case. Choices where the contract is open:
 * - An empty search, or one of nothing but includedone:, matches everything.
 * - A "-" before a group negates it. A "-" that a blank or another "-" follows
 *   is text. A date term cannot be negated, a group that holds one can.
 * - `word:` that is no key is text, as in http://host or 10:30, unless it is a
 *   near miss of a key and a value follows it (lable:x): then it is refused.
 * - A key and its value are not parted by blanks: `label: x` is refused.
 * - In quotes \" is a quote and \\ a backslash; other backslashes are literal.
 * - A comma in a value is refused where the key takes no list, unless quoted.
 * - Wildcards work in text, name:, label: and epic:, when not quoted; regular
 *   expressions in text and name:, where a "/" inside is written \/.
 * - includedone: is a switch of the whole search: it leaves the tree wherever it
 *   stands (the last one counts), but cannot stand in a negated group.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "lib/arena.h"
#include "lib/buf.h"
#include "search/search_tree.h"

/*
 * The tree of a search, in the arena, with texts that point into `query` where
 * they can. Null when it is not well formed, with *problem a sentence that begins
 * "at character N of the search: "; N counts characters from 1.
 *
 * What says the same is one tree: label:"", owner:"" and epic:"" are NOT HAS, as
 * no:label is; estimate:-1 is estimate "none".
 *
 * At most 500 terms: a tree of SEARCH_NOT and alternating AND and OR is less
 * than 550 deep.
 */
struct search *search_parse(struct arena *a, struct str query, const char **problem);

#endif
