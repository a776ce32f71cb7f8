/* Syntax tree of a search (search.h): its keys, values, dates and nodes, and its bounds. */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/str.h"

enum {
	SEARCH_MAX_BYTES = 65536, /* of a search: more than fits into a request line */
	SEARCH_MAX_TERMS = 500,
	SEARCH_MAX_WILD_CHARS = 1000, /* of a word with wildcards */
	SEARCH_MAX_DEPTH = 20,        /* of parentheses */
	SEARCH_MAX_REGEX_CHARS = 200,
	SEARCH_MAX_REGEXES = 2,
};

enum search_key {
	SEARCH_TEXT, /* no key: anywhere in a story */
	SEARCH_NAME,
	SEARCH_LABEL,
	SEARCH_EPIC,
	SEARCH_TYPE,
	SEARCH_STATE,
	SEARCH_ESTIMATE,
	SEARCH_REQUESTER,
	SEARCH_OWNER,
	SEARCH_MYWORK,
	SEARCH_REVIEWER,
	SEARCH_REVIEW,
	SEARCH_REVIEW_STATUS,
	SEARCH_IS,
	SEARCH_HAS,
	SEARCH_ID,
	SEARCH_EXTERNAL_ID,
	SEARCH_INTEGRATION,
	SEARCH_CREATED,
	SEARCH_UPDATED,
	SEARCH_ACCEPTED,
	SEARCH_INCLUDEDONE, /* never in a tree: struct search has it */
	SEARCH__KEYS
};

enum search_match {
	SEARCH_LITERAL, /* a name; of people also initials, a user name, an id or a part of these */
	SEARCH_WORD,    /* a word of running text */
	SEARCH_PHRASE,  /* was quoted: words in this order */
	SEARCH_WILD,    /* '*' is any run of characters, '?' any one; has another character too */
	SEARCH_REGEX,   /* a regular expression that search_regex.h lets through */
};

struct search_value {
	/*
	 * Without quotes and escapes, trimmed, not empty; case as written.
	 * TYPE, STATE, REVIEW_STATUS, IS, HAS and the second value of REVIEW: a
	 * word of the language in lower case, one spelling each (has:labels gives
	 * "label"). ESTIMATE: digits, or digits '.' digits, or "none".
	 */
	struct str text;
	enum search_match match;
	int64_t id; /* ID only, above 0 */
	struct search_value *next;
};

enum search_moment {
	SEARCH_DAY,        /* day: all of it, in the time zone of the person searching */
	SEARCH_INSTANT,    /* us: a point in time */
	SEARCH_WALL_CLOCK, /* us: an ISO time without zone, as if UTC; means the searcher's zone */
	SEARCH_TODAY,
	SEARCH_YESTERDAY,
	SEARCH_HOURS_AGO, /* n, 0 to 99999 */
	SEARCH_DAYS_AGO,
	SEARCH_WEEKS_AGO,
};

struct search_date {
	enum search_moment moment;
	int32_t day; /* since 1970-01-01, see when.h */
	int32_t n;
	int64_t us;
};

enum search_side {
	SEARCH_ON,     /* created:, created_on: within `from`, or from `from` to `to` inclusive */
	SEARCH_SINCE,  /* created_since:, created_after: from the beginning of `from` on */
	SEARCH_BEFORE, /* created_before: before the beginning of `from` */
};

enum search_kind {
	SEARCH_AND, /* two or more children */
	SEARCH_OR,  /* two or more children */
	SEARCH_NOT, /* one child, never itself a NOT */
	SEARCH_TERM,
};

struct search_node {
	enum search_kind kind;
	struct search_node *first; /* child */
	struct search_node *next;  /* sibling */

	/* The rest is for a TERM. */
	enum search_key key;
	/*
	 * Alternatives, at least one; for REVIEW, however, the name of the type and, if given,
	 * the status. Null for CREATED, UPDATED and ACCEPTED.
	 */
	struct search_value *values;
	enum search_side side;
	struct search_date from, to;
	bool is_range; /* `to` counts; only with SEARCH_ON */
};

struct search_regex {
	struct str text;
	size_t place; /* the character of the search where it starts, from 1 */
};

struct search {
	struct search_node *root;                        /* null: matches everything */
	bool include_done;                               /* includedone:true */
	bool says_done;                                  /* includedone: was there */
	struct search_regex regexes[SEARCH_MAX_REGEXES]; /* of the tree, in their order */
	int n_regexes;
};

#endif
