/*
 * Keywords of the search language, one row a key (contract 4.1). The parser
 * walks this table, and so does what prints the reference.
 */
#ifndef SEARCH_KEYS_H
#define SEARCH_KEYS_H

#include "lib/arena.h"
#include "search/search_tree.h"

enum search_takes {
	SEARCH_TAKES_TEXT,     /* word, phrase, wildcards, regular expression */
	SEARCH_TAKES_NAME,     /* a name, wildcards when not quoted */
	SEARCH_TAKES_LITERAL,  /* a name */
	SEARCH_TAKES_WORD,     /* one of `words` */
	SEARCH_TAKES_ESTIMATE, /* a number, or -1 */
	SEARCH_TAKES_ID,       /* a positive integer; a '#' before it is ignored */
	SEARCH_TAKES_REVIEW,   /* the name of a review type, optionally with '&' and a status */
	SEARCH_TAKES_DATE,
};

struct search_word {
	const char *written;
	const char *means; /* null: itself */
};

struct search_keyword {
	const char *names[4]; /* the usual one first; ends with null */
	enum search_key key;
	enum search_takes takes;
	enum search_side side; /* of a date */
	bool is_list;          /* commas part alternatives */
	bool is_negated;       /* no: is the negation of has: */
	const char *none;      /* "" means stories without such a thing (see has:), or null */
	const struct search_word *words; /* ends with null */
	const char *doc;
};

/* Ends with a row without names. */
extern const struct search_keyword search_keywords[];

extern const struct search_word search_review_statuses[];

/* The row of a name, ignoring case; null if there is none. */
const struct search_keyword *search_keys_find(struct str name);

/* The key that a misspelt name may be meant for, or null. */
const char *search_keys_nearest(struct str name);

/* The meaning of a word in a list, ignoring case; null if it is not in the list. */
const char *search_keys_word(const struct search_word *words, struct str written);

/* As search_keys_nearest, among words. */
const char *search_keys_nearest_word(const struct search_word *words, struct str written);

#endif
