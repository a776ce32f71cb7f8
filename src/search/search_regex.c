#include "search/search_regex.h"

#include <string.h>

enum { BOUND_MAX = 20 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A director "***:", or options "(?xe)" that change the syntax of bounds and escapes. */
static bool changes_syntax(struct str s)
{
	size_t i = 2;
	if (s.n >= 3 && !memcmp(s.p, "***", 3))
		return true;
	if (s.n < 2 || memcmp(s.p, "(?", 2))
		return false;
	while (i < s.n && s.p[i] >= 'a' && s.p[i] <= 'z')
		i++;
	return i < s.n && s.p[i] == ')' &&
		(memchr(s.p, 'b', i) || memchr(s.p, 'e', i) || memchr(s.p, 'q', i) ||
			memchr(s.p, 'x', i));
}

/*
 * At a '{': whether a number up to the '}' is too large. In brackets it is not a bound, but that
 * is rare.
 */
static bool has_large_bound(struct str s, size_t i)
{
	int value = 0;
	for (i++; i < s.n && (is_digit(s.p[i]) || s.p[i] == ','); i++) {
		value = s.p[i] == ',' ? 0 : value * 10 + (s.p[i] - '0');
		if (value > BOUND_MAX)
			return true;
	}
	return false;
}

const char *search_regex_problem(struct str s)
{
	if (changes_syntax(s))
		return "a regular expression cannot begin with *** or with the options b, e, q or x";
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '{' && has_large_bound(s, i))
			return "a bound in a regular expression can be at most 20";
		if (s.p[i] != '\\' || i + 1 == s.n)
			continue;
		i++;
		if (is_digit(s.p[i]) && s.p[i] != '0')
			return "a regular expression cannot have back-references";
	}
	return NULL;
}
