#include "search/search_lex.h"

#include <stdarg.h>
#include <stdio.h>

#include "search/search_regex.h"

bool search_lex_fail(struct search_lex *x, size_t at, const char *format, ...)
{
	char what[400];
	va_list args;

	if (x->problem)
		return false;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	size_t place = str_count_chars((struct str){ x->text.p, at }) + 1;
	struct str said = arena_printf(x->arena, "at character %zu of the search: %s", place, what);
	x->problem = said.p;
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

void search_lex_skip_blanks(struct search_lex *x)
{
	while (x->at < x->text.n && is_blank(x->text.p[x->at]))
		x->at++;
}

char search_lex_peek(const struct search_lex *x, size_t ahead)
{
	return ahead < x->text.n - x->at ? x->text.p[x->at + ahead] : '\0';
}

bool search_lex_is_end(const struct search_lex *x, size_t ahead)
{
	char c = search_lex_peek(x, ahead);

	return c == '\0' || c == ')' || is_blank(c);
}

struct str search_lex_word(struct search_lex *x)
{
	size_t from = x->at;

	while (!search_lex_is_end(x, 0) && search_lex_peek(x, 0) != '(' &&
		search_lex_peek(x, 0) != '"')
		x->at++;
	return (struct str){ x->text.p + from, x->at - from };
}

struct str search_lex_key(const struct search_lex *x)
{
	size_t n = 0;
	char c;

	do
		c = search_lex_peek(x, n++);
	while ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_');
	return (struct str){ x->text.p + x->at, c == ':' ? n - 1 : 0 };
}

/* Without the backslash of each pair "\c" with c in `escapable`. */
static struct str unescape(struct search_lex *x, struct str s, const char *escapable)
{
	char *to = arena_alloc(x->arena, s.n + 1);
	struct str plain = { to, 0 };

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n &&
			(s.p[i + 1] == escapable[0] || s.p[i + 1] == escapable[1]))
			i++;
		to[plain.n++] = s.p[i];
	}
	return plain;
}

/* The text between the delimiter here and the next one; false if there is none. */
static bool delimited(struct search_lex *x, struct str *inside, bool *has_escape)
{
	char delimiter = search_lex_peek(x, 0);
	size_t i = x->at + 1;

	*has_escape = false;
	for (; i < x->text.n && x->text.p[i] != delimiter; i++) {
		if (x->text.p[i] == '\\' && i + 1 < x->text.n) {
			*has_escape = true;
			i++;
		}
	}
	if (i >= x->text.n)
		return false;
	*inside = (struct str){ x->text.p + x->at + 1, i - x->at - 1 };
	x->at = i + 1;
	return true;
}

bool search_lex_quoted(struct search_lex *x, struct str *inside)
{
	bool has_escape;

	if (!delimited(x, inside, &has_escape))
		return search_lex_fail(x, x->at, "the quote is not closed");
	if (has_escape)
		*inside = unescape(x, *inside, "\"\\");
	*inside = str_trim(*inside);
	return true;
}

/* Records it in the search, which may have only a few. */
static bool take_regex(struct search_lex *x, size_t at, struct str regex)
{
	struct search *s = x->search;
	const char *problem = search_regex_problem(regex);

	if (problem)
		return search_lex_fail(x, at, "%s", problem);
	if (s->n_regexes == SEARCH_MAX_REGEXES)
		return search_lex_fail(x, at, "a search can have at most %d regular expressions",
			SEARCH_MAX_REGEXES);
	size_t place = str_count_chars((struct str){ x->text.p, at }) + 1;
	s->regexes[s->n_regexes++] = (struct search_regex){ regex, place };
	return true;
}

bool search_lex_regex(struct search_lex *x, struct str *inside)
{
	size_t from = x->at;
	bool has_escape;

	if (!delimited(x, inside, &has_escape))
		return search_lex_fail(x, from,
			"the regular expression has no closing '/' (put text with a '/' in quotes)");
	if (inside->n == 0)
		return search_lex_fail(x, from, "the regular expression is empty");
	if (str_count_chars(*inside) > SEARCH_MAX_REGEX_CHARS)
		return search_lex_fail(x, from,
			"a regular expression can have at most %d characters",
			SEARCH_MAX_REGEX_CHARS);
	if (!search_lex_is_end(x, 0))
		return search_lex_fail(x, x->at,
			"a space must follow the '/' that ends a regular expression (put text with a '/' in quotes)");
	if (has_escape)
		*inside = unescape(x, *inside, "//");
	return take_regex(x, from, *inside);
}
