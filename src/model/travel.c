#include "model/travel.h"

#include <string.h>

#include "model/model.h"

bool travel_field(const struct field *f)
{
	return (f->flags & (F_STORED | F_CARRIED)) && !f->stays;
}

/* Projects have no depth: what belongs to them has files of its own. */
bool travel_part(const struct resource *r, const struct field *f)
{
	return (f->type == FT_MANY || f->type == FT_SOME) && r->depth > 0 &&
		f->child->depth > r->depth;
}

static const struct field *shown_by(const struct resource *r, const struct field *f)
{
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *g = &r->fields[i];
		if ((g->type == FT_ONE || g->type == FT_SOME) && !strcmp(g->key, f->name))
			return g;
	}
	return NULL;
}

const char *travel_person(const struct resource *r, const struct field *f)
{
	const struct field *g = shown_by(r, f);
	return g && g->child == &res_person ? g->name : NULL;
}

bool travel_names_row(const struct resource *r, const struct field *f)
{
	return !strcmp(f->name, "id") || shown_by(r, f);
}

/* It is in the row, and in no other form there. */
static bool is_shown(const struct field *f)
{
	return (f->flags & F_DEFAULT) && !f->column && f->type != FT_ONE && f->type != FT_SOME &&
		f->type != FT_MANY;
}

struct selection *travel_select(struct arena *a, const struct resource *r)
{
	struct selection *s = select_key(a, r);
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *f = &r->fields[i];
		bool is_part = travel_part(r, f);
		if (f->stays || !(is_part || is_shown(f) || travel_field(f)))
			continue;
		select_add(s, i,
			is_part            ? travel_select(a, f->child)
				: f->child ? select_default(a, f->child)
					   : NULL);
	}
	return s;
}
