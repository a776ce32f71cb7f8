#include "programs/ctl/ctl_inventory.h"

#include <stdlib.h>
#include <string.h>

struct taking {
	struct ctl *c;
	struct ctl_inventory stock;
	size_t room;
};

static void note(void *to, const struct files_found *found)
{
	struct taking *t = to;
	struct ctl_inventory *s = &t->stock;
	if (found->id < 0)
		return;
	if (s->n == t->room) {
		struct ctl_inventory_file *old = s->files;
		t->room = t->room ? 2 * t->room : 1024;
		s->files = arena_array(&t->c->arena, t->room, sizeof *s->files);
		if (s->n)
			memcpy(s->files, old, s->n * sizeof *old);
	}
	s->files[s->n++] =
		(struct ctl_inventory_file){ arena_str(&t->c->arena, str_of(found->place)).p,
			found->size };
}

static int compare(const void *a, const void *b)
{
	const struct ctl_inventory_file *x = a, *y = b;
	return strcmp(x->place, y->place);
}

struct ctl_inventory ctl_inventory_take(struct ctl *c, struct files *f)
{
	struct taking t = { .c = c };
	if (!files_walk(f, note, &t))
		ctl_fail(c, "%s: %s", c->command, f->problem.text);
	if (t.stock.n)
		qsort(t.stock.files, t.stock.n, sizeof *t.stock.files, compare);
	return t.stock;
}

const struct ctl_inventory_file *ctl_inventory_find(
	const struct ctl_inventory *s, const char *place)
{
	const struct ctl_inventory_file wanted = { place, 0 };
	return s->n ? bsearch(&wanted, s->files, s->n, sizeof *s->files, compare) : NULL;
}
