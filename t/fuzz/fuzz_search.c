/*
 * Any bytes give a tree that keeps the promises of src/search/search.h, or an error
 * message with a place that exists.
 */
#include <stdio.h>
#include <stdlib.h>

#include "search/search.h"
#include "search/search_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken: %s\n", what);
		abort();
	}
}

static bool has_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '*' && s.p[i] != '?')
			return true;
	}
	return false;
}

static void check_term(const struct search_node *term)
{
	size_t n = 0;

	must(!term->first, "a term has no child");
	must(term->key < SEARCH_INCLUDEDONE, "a term has a key of the tree");
	for (const struct search_value *v = term->values; v; v = v->next, n++) {
		must(v->text.n > 0 && str_is_text(v->text), "a value is text");
		must(term->key != SEARCH_ID || v->id > 0, "an id is above 0");
		must(v->match != SEARCH_WILD || has_plain(v->text),
			"a pattern has more than wildcards");
		must(v->match != SEARCH_REGEX || str_count_chars(v->text) <= SEARCH_MAX_REGEX_CHARS,
			"a regular expression is bounded");
	}
	must((n == 0) == (term->key >= SEARCH_CREATED), "dates, and nothing else, have no value");
	must(term->key != SEARCH_REVIEW || n <= 2, "a review has a type and a status");
	must(!term->is_range || (n == 0 && term->side == SEARCH_ON), "only ON has a range");
	must(term->from.n >= 0 && term->from.n <= 99999, "a relative date is bounded");
}

static size_t check_node(const struct search_node *node, int depth)
{
	size_t terms = 0, children = 0;

	must(depth <= SEARCH_MAX_TERMS + 2 * SEARCH_MAX_DEPTH,
		"a tree is as deep as it has terms and signs");
	if (node->kind == SEARCH_TERM) {
		check_term(node);
		return 1;
	}
	for (const struct search_node *n = node->first; n; n = n->next, children++) {
		must(n->kind == SEARCH_TERM || n->kind != node->kind,
			"a node differs from its parent");
		terms += check_node(n, depth + 1);
	}
	must(node->kind == SEARCH_NOT ? children == 1 : children >= 2, "a node has its children");
	return terms;
}

static void check_problem(const char *problem, struct str query)
{
	unsigned long place = 0;

	must(sscanf(problem, "at character %lu of the search: ", &place) == 1,
		"a problem has a place");
	must(place >= 1 && place <= query.n + 1, "the place exists");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	static struct buf buf;
	struct str query = { (const char *)data, size };
	const char *problem = "unset";
	struct search *s = search_parse(&arena, query, &problem);

	must(!s == !!problem, "a tree or a problem");
	if (s) {
		if (s->root)
			must(check_node(s->root, 0) <= SEARCH_MAX_TERMS, "terms are bounded");
		buf_reset(&buf);
		search_print(&buf, s);
		must(str_is_text(buf_str(&buf)), "the notation is text");
	} else {
		check_problem(problem, query);
	}
	arena_reset(&arena);
	return 0;
}
