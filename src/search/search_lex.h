/*
 * Lexer of searches: spaces, words, quoted text, regular expressions. Only for the search parser.
 */
#ifndef SEARCH_LEX_H
#define SEARCH_LEX_H

#include "lib/arena.h"
#include "search/search_tree.h"

struct search_lex {
	struct arena *arena;
	struct str text; /* well-formed UTF-8 */
	size_t at;
	const char *problem;
	struct search *search;     /* takes the regular expressions */
	struct search_value *last; /* of the values of the current term; null: it has none */
};

/* Reports an error at byte `at`; the first one wins. Always false. */
bool search_lex_fail(struct search_lex *x, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void search_lex_skip_blanks(struct search_lex *x);

/* The byte `ahead` of the current one; 0 at and after the end. */
char search_lex_peek(const struct search_lex *x, size_t ahead);

/* Whether the byte `ahead` ends a term: a blank, a ')' or the end of the search. */
bool search_lex_is_end(const struct search_lex *x, size_t ahead);

/* The text up to a space, a quote or a parenthesis; may be empty. */
struct str search_lex_word(struct search_lex *x);

/* Letters and underscores followed by a colon, without consuming them; otherwise empty. */
struct str search_lex_key(const struct search_lex *x);

/* At a '"': the text inside, unescaped and trimmed, may be empty; stops after the closing '"'. */
bool search_lex_quoted(struct search_lex *x, struct str *inside);

/* At a '/': the expression inside; stops after the closing '/', where a term must end. */
bool search_lex_regex(struct search_lex *x, struct str *inside);

#endif
