/* Queries, forms and paths: the results are text, within bounds, and parts of the input. */
#include <stdint.h>
#include <stdlib.h>

#include "lib/form.h"
#include "lib/uri.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_query(struct arena *a, struct str query)
{
	struct uri_param *first;
	struct str bad;
	int count = 0;

	if (!uri_parse_query(a, query, &first, &bad)) {
		if (!bad.p || bad.p < query.p || bad.p + bad.n > query.p + query.n)
			abort();
		return;
	}
	if (bad.p)
		abort();
	for (struct uri_param *p = first; p; p = p->next) {
		if (!str_is_text(p->name) || !str_is_text(p->value) || ++count > 200)
			abort();
		if (!uri_find(first, p->name.p))
			abort();
	}
}

static void check_form(struct arena *a, struct str text)
{
	const char *problem;
	struct body *form = form_parse(a, text, &problem);

	if (!form != !!problem)
		abort();
	for (struct body *x = form ? form->first : NULL; x; x = x->next)
		if (!str_is_text(x->key) || x->type == BODY_OBJECT)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MAX = 4 };
	struct str text = { (const char *)data, size }, segments[MAX];
	struct arena a = { 0 };

	check_query(&a, text);
	check_form(&a, text);
	int n = uri_split_path(text, segments, MAX);
	if (n < -1 || n > MAX)
		abort();
	for (int i = 0; i < n; i++) {
		if (segments[i].n == 0 || segments[i].p < text.p ||
			segments[i].p + segments[i].n > text.p + text.n)
			abort();
	}
	arena_free(&a);
	return 0;
}
