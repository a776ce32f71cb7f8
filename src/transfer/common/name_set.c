#include "transfer/common/name_set.h"

#include <search.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const struct str *x = a, *y = b;
	int order = memcmp(x->p, y->p, x->n < y->n ? x->n : y->n);
	return order ? order : (x->n > y->n) - (x->n < y->n);
}

void name_set_init(struct name_set *s, struct arena *a)
{
	*s = (struct name_set){ .arena = a };
}

static void keep(void *node)
{
	(void)node; /* the arena owns it */
}

void name_set_free(struct name_set *s)
{
	tdestroy(s->root, keep);
	s->root = NULL;
	s->n = 0;
}

bool name_set_has(const struct name_set *s, struct str name)
{
	name = str_trim(name);
	return name.n && tfind(&name, &s->root, compare);
}

void name_set_add(struct name_set *s, struct str name)
{
	name = str_trim(name);
	if (!name.n || name.n > NAME_SET_BYTES || s->n == NAME_SET_MAX || name_set_has(s, name))
		return;
	struct str *kept = arena_alloc(s->arena, sizeof *kept);
	*kept = arena_str(s->arena, name);
	s->n += tsearch(kept, &s->root, compare) != NULL;
}
