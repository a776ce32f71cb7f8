#include "model/select.h"

#include <string.h>

bool select_has(const struct selection *s, int field)
{
	return fieldset_has(&s->set, field);
}

int resource_field(const struct resource *r, const char *name)
{
	for (int i = 0; i < r->n_fields; i++)
		if (!strcmp(r->fields[i].name, name))
			return i;
	return -1;
}

bool select_is_brief(const struct selection *s)
{
	for (int i = -1; (i = fieldset_next(&s->set, i)) >= 0;)
		if (!(s->resource->fields[i].flags & (F_DEFAULT | F_KEY)))
			return false;
	return true;
}

static bool is_fetched(const struct field *f)
{
	return f->type == FT_ONE || f->type == FT_SOME || f->type == FT_MANY ||
		f->type == FT_MANY_IDS || f->fetch || f->compute;
}

static void count_fetches(struct selection *s)
{
	s->fetches = 0;
	for (int i = 0; i < s->resource->n_fields; i++)
		if (select_has(s, i))
			s->fetches += is_fetched(&s->resource->fields[i]) +
				(s->child[i] ? s->child[i]->fetches : 0);
}

struct selection *select_key(struct arena *a, const struct resource *r)
{
	struct selection *s = arena_alloc(a, sizeof *s);
	s->resource = r;
	s->child = arena_array(a, (size_t)r->n_fields, sizeof(struct selection *));
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].flags & F_KEY)
			fieldset_add(&s->set, i);
	return s;
}

void select_add(struct selection *s, int field, struct selection *child)
{
	fieldset_add(&s->set, field);
	s->child[field] = child;
	count_fetches(s);
}

/* Resources that nest each other by default would never end: the tables do not. */
static void add_default(struct arena *a, struct selection *s)
{
	const struct resource *r = s->resource;
	for (int i = 0; i < r->n_fields; i++) {
		if (!(r->fields[i].flags & F_DEFAULT))
			continue;
		fieldset_add(&s->set, i);
		if (r->fields[i].child && !s->child[i])
			s->child[i] = select_default(a, r->fields[i].child);
	}
}

struct selection *select_default(struct arena *a, const struct resource *r)
{
	struct selection *s = select_key(a, r);
	add_default(a, s);
	count_fetches(s);
	return s;
}

static int find_field(const struct resource *r, struct str name)
{
	for (int i = 0; i < r->n_fields; i++)
		if (str_equal_z(name, r->fields[i].name) && !(r->fields[i].flags & F_HIDDEN))
			return i;
	return -1;
}

static enum rc add_named(struct arena *a, struct selection *s, const struct fields *f,
	struct fieldset *hidden, struct str *unknown)
{
	int i = find_field(s->resource, f->name);
	if (i < 0) {
		*unknown = f->name;
		return RC_INVALID_PARAMETER;
	}
	const struct field *field = &s->resource->fields[i];
	fieldset_add(&s->set, i);
	if (field->flags & F_HIDES_KEY)
		fieldset_add(hidden, resource_field(s->resource, field->key));
	bool nests = field->child && field->type != FT_MANY_IDS;
	if (nests && f->has_list) {
		enum rc rc = select_fields(a, field->child, f->list, &s->child[i], unknown);
		if (rc)
			*unknown = arena_printf(
				a, "%s(%.*s)", field->name, (int)unknown->n, unknown->p);
		return rc;
	}
	if (f->has_list) {
		*unknown = arena_printf(a, "%s(…)", field->name);
		return RC_INVALID_PARAMETER;
	}
	if (field->child && !s->child[i])
		s->child[i] = nests ? select_default(a, field->child) : select_key(a, field->child);
	return RC_OK;
}

enum rc select_fields(struct arena *a, const struct resource *r, const struct fields *f,
	struct selection **out, struct str *unknown)
{
	struct selection *s = select_key(a, r);
	struct fieldset hidden = { 0 }, named = { 0 };
	for (const struct fields *x = f; x; x = x->next) {
		if (str_equal_z(x->name, ":default")) {
			add_default(a, s);
			continue;
		}
		enum rc rc = add_named(a, s, x, &hidden, unknown);
		if (rc)
			return rc;
		fieldset_add(&named, find_field(r, x->name));
	}
	/* owned_by replaces the owned_by_id of :default, not one that was named. */
	for (int i = -1; (i = fieldset_next(&hidden, i)) >= 0;)
		if (!fieldset_has(&named, i))
			fieldset_drop(&s->set, i);
	count_fetches(s);
	*out = s;
	return RC_OK;
}

bool select_is_versioned(const struct selection *s)
{
	bool all = s->resource->is_versioned;
	for (int i = -1; all && (i = fieldset_next(&s->set, i)) >= 0;)
		all = !s->child[i] || select_is_versioned(s->child[i]);
	return all;
}
