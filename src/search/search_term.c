#include "search/search_term.h"

#include <string.h>

#include "search/search_date.h"
#include "search/search_keys.h"

/* A value as written in the search, before its key says what it means. */
struct item {
	struct str text;
	size_t from; /* where it begins */
	bool is_quoted;
	bool is_regex;
};

static struct search_node *make_term(struct search_lex *x, enum search_key key)
{
	struct search_node *node = arena_alloc(x->arena, sizeof(*node));

	node->kind = SEARCH_TERM;
	node->key = key;
	x->last = NULL;
	return node;
}

static struct search_node *make_negation(struct search_lex *x, struct search_node *term)
{
	struct search_node *node = arena_alloc(x->arena, sizeof(*node));

	node->kind = SEARCH_NOT;
	node->first = term;
	return node;
}

/* Appends to the values of the term. */
static struct search_value *add_value(
	struct search_lex *x, struct search_node *term, struct str text, enum search_match match)
{
	struct search_value *value = arena_alloc(x->arena, sizeof(*value));

	value->text = text;
	value->match = match;
	*(x->last ? &x->last->next : &term->values) = value;
	return x->last = value;
}

/*
 * Reading values
 */

/* Up to the end of the term, or to a comma or a ".." where these separate values. */
static void take_bare(struct search_lex *x, const struct search_keyword *k, struct item *item)
{
	while (!search_lex_is_end(x, 0)) {
		char c = search_lex_peek(x, 0);
		if (c == '(' || c == '"' || (c == ',' && k->takes != SEARCH_TAKES_TEXT))
			break;
		if (k->takes == SEARCH_TAKES_DATE && c == '.' && search_lex_peek(x, 1) == '.')
			break;
		x->at++;
	}
	item->text = (struct str){ x->text.p + item->from, x->at - item->from };
}

static bool take_item(struct search_lex *x, const struct search_keyword *k, struct item *item)
{
	char c = search_lex_peek(x, 0);

	*item = (struct item){ .from = x->at, .is_quoted = c == '"' };
	item->is_regex = c == '/' && k->takes == SEARCH_TAKES_TEXT;
	if (item->is_quoted)
		return search_lex_quoted(x, &item->text);
	if (item->is_regex)
		return search_lex_regex(x, &item->text);
	take_bare(x, k, item);
	return item->text.n > 0 ||
		search_lex_fail(x, x->at, "a value of %s: is missing", k->names[0]);
}

/* Checks what follows the last value. */
static bool check_end(struct search_lex *x, const struct search_keyword *k)
{
	char c = search_lex_peek(x, 0);

	if (search_lex_is_end(x, 0))
		return true;
	if (c == ',')
		return search_lex_fail(x, x->at,
			"%s: takes a single value (quote one that has a comma)", k->names[0]);
	if (c == '(')
		return search_lex_fail(x, x->at,
			"'(' within a value of %s: (quote the value, or put a space before it)",
			k->names[0]);
	if (c == '"')
		return search_lex_fail(x, x->at, "a quote within a value of %s:", k->names[0]);
	return search_lex_fail(x, x->at, "a space must follow the value of %s:", k->names[0]);
}

/*
 * What a value means
 */

static bool is_wild(struct str s)
{
	return s.n > 0 && (memchr(s.p, '*', s.n) || memchr(s.p, '?', s.n));
}

/* A word may be as long as the request line allows, but what is made of a pattern grows faster than
   the pattern. */
static bool check_wild(struct search_lex *x, const struct item *item)
{
	if (str_count_chars(item->text) > SEARCH_MAX_WILD_CHARS)
		return search_lex_fail(x, item->from,
			"a word with wildcards has at most %d characters", SEARCH_MAX_WILD_CHARS);
	for (size_t i = 0; i < item->text.n; i++) {
		if (item->text.p[i] != '*' && item->text.p[i] != '?')
			return true;
	}
	return search_lex_fail(x, item->from, "wildcards must be combined with other characters");
}

/* Text, and names of labels and epics; `plain` is how a word without wildcards matches. */
static bool add_text(struct search_lex *x, struct search_node *term, const struct item *item,
	enum search_match plain)
{
	enum search_match match = plain;

	if (item->is_regex)
		match = SEARCH_REGEX;
	else if (item->is_quoted)
		match = plain == SEARCH_WORD ? SEARCH_PHRASE : plain;
	else if (is_wild(item->text))
		match = SEARCH_WILD;
	if (match == SEARCH_WILD && !check_wild(x, item))
		return false;
	add_value(x, term, item->text, match);
	return true;
}

static bool fail_word(
	struct search_lex *x, size_t at, const char *what, const struct search_word *words)
{
	char list[200];
	size_t n = 0;

	for (const struct search_word *w = words; w->written; w++)
		n += str_print(list + n, sizeof(list) - n, "%s%s",
			w == words             ? ""
				: w[1].written ? ", "
					       : " or ",
			w->written)
			     .n;
	return search_lex_fail(x, at, "%s one of %s", what, list);
}

static bool add_word(struct search_lex *x, const struct search_keyword *k, struct search_node *term,
	const struct item *item)
{
	struct str rest = item->text;

	do {
		struct str written = str_trim(k->is_list ? str_cut(&rest, ',') : rest);
		const char *word = search_keys_word(k->words, written);
		if (!word)
			return fail_word(x, item->from,
				arena_printf(x->arena, "%s: takes", k->names[0]).p, k->words);
		add_value(x, term, str_of(word), SEARCH_LITERAL);
	} while (k->is_list && rest.p);
	return true;
}

static bool add_id(struct search_lex *x, struct search_node *term, const struct item *item)
{
	struct str rest = item->text;

	do {
		struct str written = str_trim(str_cut(&rest, ','));
		int64_t id;
		if (written.n > 0 && written.p[0] == '#') {
			written.p++;
			written.n--;
		}
		if (!str_to_int(written, &id) || id <= 0)
			return search_lex_fail(x, item->from,
				"id: takes positive whole numbers, separated by commas");
		add_value(x, term, written, SEARCH_LITERAL)->id = id;
	} while (rest.p);
	return true;
}

/* At most five digits, and two more after a point. */
static bool is_estimate(struct str s)
{
	struct str whole = str_cut(&s, '.');
	struct str parts[] = { whole, s };
	size_t max[] = { 5, 2 };

	for (size_t i = 0; i < 2; i++) {
		if ((i == 0 || s.p) && (parts[i].n == 0 || parts[i].n > max[i]))
			return false;
		for (size_t j = 0; j < parts[i].n; j++) {
			if (parts[i].p[j] < '0' || parts[i].p[j] > '9')
				return false;
		}
	}
	return true;
}

static bool add_estimate(struct search_lex *x, struct search_node *term, const struct item *item)
{
	bool is_none = str_equal(item->text, STR("-1"));

	if (!is_none && !is_estimate(item->text))
		return search_lex_fail(
			x, item->from, "estimate: takes a number of points, or -1 for none");
	add_value(x, term, is_none ? STR("none") : item->text, SEARCH_LITERAL);
	return true;
}

/*
 * The text after the last '&' is a status, or a misspelled one; otherwise the '&' belongs to the
 * name.
 */
static bool add_review(struct search_lex *x, struct search_node *term, const struct item *item)
{
	struct str name = item->text, written;
	const char *status;
	size_t n = name.n;

	while (n > 0 && name.p[n - 1] != '&')
		n--;
	written = str_trim((struct str){ name.p + n, name.n - n });
	if (n == 0 ||
		(written.n > 0 && !search_keys_word(search_review_statuses, written) &&
			!search_keys_nearest_word(search_review_statuses, written))) {
		add_value(x, term, name, SEARCH_LITERAL);
		return true;
	}
	status = search_keys_word(search_review_statuses, written);
	name = str_trim((struct str){ name.p, n - 1 });
	if (name.n == 0)
		return search_lex_fail(x, item->from,
			"there is no type of review before the '&' (use review_status: for any "
			"type)");
	if (!status)
		return fail_word(
			x, item->from, "review: a status after '&' is", search_review_statuses);
	add_value(x, term, name, SEARCH_LITERAL);
	add_value(x, term, str_of(status), SEARCH_LITERAL);
	return true;
}

static bool add_item(struct search_lex *x, const struct search_keyword *k, struct search_node *term,
	const struct item *item)
{
	switch (k->takes) {
	case SEARCH_TAKES_TEXT: return add_text(x, term, item, SEARCH_WORD);
	case SEARCH_TAKES_NAME: return add_text(x, term, item, SEARCH_LITERAL);
	case SEARCH_TAKES_WORD: return add_word(x, k, term, item);
	case SEARCH_TAKES_ESTIMATE: return add_estimate(x, term, item);
	case SEARCH_TAKES_ID: return add_id(x, term, item);
	case SEARCH_TAKES_REVIEW: return add_review(x, term, item);
	case SEARCH_TAKES_LITERAL:
	case SEARCH_TAKES_DATE: break;
	}
	add_value(x, term, item->text, SEARCH_LITERAL);
	return true;
}

/*
 * Terms
 */

/* "" asks for stories without such a thing: the term becomes a HAS that is to be negated. */
static bool take_none(struct search_lex *x, const struct search_keyword *k,
	struct search_node *term, const struct item *item)
{
	if (!k->none)
		return search_lex_fail(x, item->from, "%s: cannot be empty", k->names[0]);
	term->key = SEARCH_HAS;
	add_value(x, term, str_of(k->none), SEARCH_LITERAL);
	return true;
}

static bool parse_values(
	struct search_lex *x, const struct search_keyword *k, struct search_node *term)
{
	struct item item;

	for (;;) {
		if (!take_item(x, k, &item))
			return false;
		if (!(item.text.n == 0 ? take_none : add_item)(x, k, term, &item))
			return false;
		if (!k->is_list || search_lex_peek(x, 0) != ',')
			return check_end(x, k);
		x->at++;
	}
}

static bool parse_moment(
	struct search_lex *x, const struct item *item, struct str text, struct search_date *date)
{
	const char *problem = search_date_parse(str_trim(text), date);

	return !problem || search_lex_fail(x, item->from, "%s", problem);
}

/* A quoted value may contain the whole range, or one end of it. */
static bool parse_dates(
	struct search_lex *x, const struct search_keyword *k, struct search_node *term)
{
	struct item item;
	struct str from, to = { NULL, 0 };
	const char *dots;

	if (!take_item(x, k, &item))
		return false;
	from = item.text;
	dots = from.n > 0 ? memmem(from.p, from.n, "..", 2) : NULL;
	if (dots) {
		to = (struct str){ dots + 2, from.n - (size_t)(dots + 2 - from.p) };
		from.n = (size_t)(dots - from.p);
	}
	if (!parse_moment(x, &item, from, &term->from))
		return false;
	if (!dots && search_lex_peek(x, 0) == '.' && search_lex_peek(x, 1) == '.') {
		x->at += 2;
		if (!take_item(x, k, &item))
			return false;
		to = item.text;
	}
	if (to.p) {
		term->is_range = true;
		if (k->side != SEARCH_ON)
			return search_lex_fail(
				x, item.from, "%s: takes a single date, not a range", k->names[0]);
		if (!parse_moment(x, &item, to, &term->to))
			return false;
	}
	return check_end(x, k);
}

/* Parses what follows the colon. */
static bool parse_keyed(struct search_lex *x, const struct search_keyword *k, struct str name,
	struct search_node **found)
{
	if (search_lex_is_end(x, 0))
		return search_lex_fail(
			x, x->at, "a value must follow %.*s: without a space", (int)name.n, name.p);
	if (search_lex_peek(x, 0) == '(')
		return check_end(x, k);
	*found = make_term(x, k->key);
	if (k->takes == SEARCH_TAKES_DATE) {
		(*found)->side = k->side;
		return parse_dates(x, k, *found);
	}
	if (!parse_values(x, k, *found))
		return false;
	if (k->is_negated || (*found)->key != k->key)
		*found = make_negation(x, *found);
	return true;
}

static bool parse_text(struct search_lex *x, struct search_node **found)
{
	struct item item = { .from = x->at };
	char c = search_lex_peek(x, 0);

	item.is_quoted = c == '"';
	item.is_regex = c == '/';
	if (item.is_quoted) {
		if (!search_lex_quoted(x, &item.text))
			return false;
		if (item.text.n == 0)
			return search_lex_fail(x, item.from, "the quotes are empty");
	} else if (item.is_regex) {
		if (!search_lex_regex(x, &item.text))
			return false;
	} else {
		item.text = search_lex_word(x);
	}
	*found = make_term(x, SEARCH_TEXT);
	return add_text(x, *found, &item, SEARCH_WORD);
}

bool search_term_parse(struct search_lex *x, struct search_node **found)
{
	struct str name = search_lex_key(x);
	const struct search_keyword *k = name.n > 0 ? search_keys_find(name) : NULL;
	const char *nearest;

	if (k) {
		x->at += name.n + 1;
		return parse_keyed(x, k, name, found);
	}
	if (name.n > 0 && !search_lex_is_end(x, name.n + 1)) {
		nearest = search_keys_nearest(name);
		if (nearest)
			return search_lex_fail(x, x->at,
				"there is no key %.*s: (did you mean %s:? Quote it if it is text)",
				(int)name.n, name.p, nearest);
	}
	return parse_text(x, found);
}
