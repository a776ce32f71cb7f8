#include "search/search.h"

#include "search/search_lex.h"
#include "search/search_term.h"

struct parser {
	struct search_lex lex;
	struct search *search;
	int terms;
	int depth;   /* open parentheses */
	int negated; /* those of them with a '-' before them */
};

static bool parse_sequence(struct parser *p, struct search_node **found);

static struct search_node *make_node(
	struct parser *p, enum search_kind kind, struct search_node *first)
{
	struct search_node *node = arena_alloc(p->lex.arena, sizeof(*node));

	node->kind = kind;
	node->first = first;
	return node;
}

static struct search_node *negate(struct parser *p, struct search_node *node)
{
	if (!node)
		return NULL;
	return node->kind == SEARCH_NOT ? node->first : make_node(p, SEARCH_NOT, node);
}

/*
 * Left to right: `a b OR c` is OR(AND(a b) c), and `a b (c d)` one AND of four.
 * Either side may be null: a switch that left the tree.
 */
static struct search_node *join(struct parser *p, enum search_kind kind, struct search_node *left,
	struct search_node *right)
{
	struct search_node *last;

	if (!left || !right)
		return left ? left : right;
	if (left->kind != kind)
		left = make_node(p, kind, left);
	for (last = left->first; last->next; last = last->next)
		;
	last->next = right->kind == kind ? right->first : right;
	return left;
}

/* At the '(' of a group, after a '-' that negates it, if any. */
static bool parse_group(struct parser *p, bool is_negated, struct search_node **found)
{
	size_t open = p->lex.at++;

	if (p->depth == SEARCH_MAX_DEPTH)
		return search_lex_fail(&p->lex, open, "parentheses are nested more than %d deep",
			SEARCH_MAX_DEPTH);
	p->depth++;
	p->negated += is_negated;
	if (!parse_sequence(p, found))
		return false;
	if (search_lex_peek(&p->lex, 0) != ')')
		return search_lex_fail(&p->lex, open, "the '(' has no closing ')'");
	p->lex.at++;
	p->negated -= is_negated;
	p->depth--;
	return true;
}

/* includedone: is not a term of the tree. */
static bool take_switch(struct parser *p, size_t from, bool is_negated, struct search_node **found)
{
	if (p->negated > 0)
		return search_lex_fail(
			&p->lex, from, "includedone: cannot be in parentheses negated by '-'");
	p->search->says_done = true;
	p->search->include_done = str_equal((*found)->values->text, STR("true")) != is_negated;
	*found = NULL;
	return true;
}

static bool parse_term(struct parser *p, size_t from, bool is_negated, struct search_node **found)
{
	if (p->terms++ == SEARCH_MAX_TERMS)
		return search_lex_fail(
			&p->lex, from, "a search can have at most %d terms", SEARCH_MAX_TERMS);
	if (!search_term_parse(&p->lex, found))
		return false;
	if ((*found)->key == SEARCH_INCLUDEDONE)
		return take_switch(p, from, is_negated, found);
	if (is_negated && (*found)->kind == SEARCH_TERM && !(*found)->values)
		return search_lex_fail(&p->lex, from,
			"'-' cannot negate a date (use _before: or _since: instead)");
	return true;
}

/* A '-' negates, unless it is a dash in the text: alone, or the first of several. */
static bool take_minus(struct search_lex *x)
{
	if (search_lex_peek(x, 0) != '-' || search_lex_peek(x, 1) == '-' || search_lex_is_end(x, 1))
		return false;
	x->at++;
	return true;
}

static bool parse_operand(struct parser *p, struct search_node **found)
{
	size_t from = p->lex.at;
	bool is_negated = take_minus(&p->lex);
	bool is_group = search_lex_peek(&p->lex, 0) == '(';

	if (is_group ? !parse_group(p, is_negated, found) : !parse_term(p, from, is_negated, found))
		return false;
	if (is_negated)
		*found = negate(p, *found);
	return true;
}

/* AND or OR; moves past it. */
static bool take_operator(struct search_lex *x, enum search_kind *kind)
{
	size_t from = x->at;
	struct str word = search_lex_word(x);

	*kind = str_equal(word, STR("OR")) ? SEARCH_OR : SEARCH_AND;
	if (*kind == SEARCH_OR || str_equal(word, STR("AND")))
		return true;
	x->at = from;
	return false;
}

/* Terms and operators up to a ')' or the end. */
static bool parse_sequence(struct parser *p, struct search_node **found)
{
	struct search_lex *x = &p->lex;
	enum search_kind written, kind = SEARCH_AND;
	bool has_left = false, has_operator = false;
	size_t operator_at = 0;
	struct search_node *right;

	*found = NULL;
	for (search_lex_skip_blanks(x); !search_lex_is_end(x, 0); search_lex_skip_blanks(x)) {
		size_t from = x->at;
		if (take_operator(x, &written)) {
			if (!has_left || has_operator)
				return search_lex_fail(x, from, "there is no term before the %s",
					written == SEARCH_OR ? "OR" : "AND");
			kind = written;
			operator_at = from;
			has_operator = true;
			continue;
		}
		if (!parse_operand(p, &right))
			return false;
		*found = join(p, kind, *found, right);
		kind = SEARCH_AND;
		has_left = true;
		has_operator = false;
	}
	if (has_operator)
		return search_lex_fail(x, operator_at, "there is no term after the %s",
			kind == SEARCH_OR ? "OR" : "AND");
	if (!has_left && search_lex_peek(x, 0) == ')' && p->depth > 0)
		return search_lex_fail(x, x->at,
			"the parentheses are empty (put text with parentheses in quotes)");
	return true;
}

/* Where the text stops being UTF-8 without U+0000; its length if it never does. */
static size_t bad_byte(struct str text)
{
	size_t good = 0, n;

	while (good < text.n) {
		for (n = 1; n <= 4 && n <= text.n - good; n++) {
			if (str_is_text((struct str){ text.p + good, n }))
				break;
		}
		if (n > 4 || n > text.n - good)
			break;
		good += n;
	}
	return good;
}

static bool check_text(struct search_lex *x)
{
	struct str text = x->text;

	if (!str_is_text(text))
		return search_lex_fail(x, bad_byte(text), "this is not UTF-8 text");
	if (text.n <= SEARCH_MAX_BYTES)
		return true;
	return search_lex_fail(
		x, SEARCH_MAX_BYTES, "a search can have at most %d bytes", SEARCH_MAX_BYTES);
}

struct search *search_parse(struct arena *a, struct str query, const char **problem)
{
	struct parser p = {
		.lex = { .arena = a, .text = query },
		.search = arena_alloc(a, sizeof(*p.search)),
	};
	p.lex.search = p.search;

	if (check_text(&p.lex) && parse_sequence(&p, &p.search->root) && p.lex.at < query.n)
		search_lex_fail(&p.lex, p.lex.at, "the ')' has no opening '('");
	*problem = p.lex.problem;
	return p.lex.problem ? NULL : p.search;
}
