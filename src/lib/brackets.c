#include "lib/brackets.h"

#include <string.h>

#include "lib/quote.h"

enum { NAMES_MAX = 4 };

/* Splits "a[b][c]" into its names; returns how many, or 0 if the brackets do not match. */
static int cut(struct str text, struct str names[NAMES_MAX])
{
	const char *bracket = memchr(text.p, '[', text.n);
	int n = 1;
	if (!bracket) {
		names[0] = text;
		return 1;
	}
	names[0] = (struct str){ text.p, (size_t)(bracket - text.p) };
	struct str rest = { bracket, text.n - names[0].n };
	while (rest.n > 0) {
		const char *end = memchr(rest.p, ']', rest.n);
		if (*rest.p != '[' || !end || n == NAMES_MAX)
			return 0;
		names[n++] = (struct str){ rest.p + 1, (size_t)(end - rest.p) - 1 };
		rest = (struct str){ end + 1, rest.n - (size_t)(end + 1 - rest.p) };
	}
	return n;
}

static struct body *find(const struct body *object, struct str key)
{
	struct body *member = object->first;
	while (member && !str_equal(member->key, key))
		member = member->next;
	return member;
}

static bool add(struct arena *a, struct body *to, const struct uri_param *p)
{
	struct str names[NAMES_MAX];
	int n = cut(p->name, names);
	for (int i = 0; i + 1 < n; i++) {
		struct body *child = find(to, names[i]);
		if (!child) {
			child = body_new_object(a);
			body_append(to, arena_str(a, names[i]), child);
		}
		if (child->type != BODY_OBJECT)
			return false;
		to = child;
	}
	if (n == 0 || find(to, names[n - 1]))
		return false;
	body_append(to, arena_str(a, names[n - 1]), body_new_text(a, p->value));
	return true;
}

struct body *brackets_read(struct arena *a, const struct uri_param *params, const char **problem)
{
	struct body *object = body_new_object(a);
	*problem = NULL;
	for (const struct uri_param *p = params; p; p = p->next)
		if (!add(a, object, p)) {
			*problem = arena_printf(a,
				"the parameter %s is given twice, or its brackets do not match",
				quote_text(a, p->name).p)
					   .p;
			return NULL;
		}
	return object;
}
