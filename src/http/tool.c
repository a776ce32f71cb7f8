#include "http/tool.h"

#include <string.h>

#include "lib/log.h"
#include "model/resource.h"

bool tool_at(int i, struct tool_place *place)
{
	const struct route *x;
	for (int n = 0; (x = route_at(n)); n++)
		for (const struct tool *t = x->tools; t && t->name; t++)
			if (i-- == 0) {
				*place = (struct tool_place){ x, t };
				return true;
			}
	return false;
}

bool tool_find(struct str name, struct tool_place *place)
{
	for (int i = 0; tool_at(i, place); i++)
		if (str_equal_z(name, place->tool->name))
			return true;
	return false;
}

static bool has_word(const char *words, struct str word)
{
	struct str rest = str_of(words);
	while (rest.p)
		if (str_equal(str_cut(&rest, ' '), word))
			return true;
	return false;
}

static const struct param *find_param(const struct route *x, struct str name)
{
	for (const struct param *p = x->params; p && p->name; p++)
		if (str_equal_z(name, p->name))
			return p;
	return NULL;
}

/* Where a field has two rows, the first that a body may have. */
static const struct field *find_field(const struct route *x, struct str name, unsigned flag)
{
	const struct resource *body = x->body ? x->body : x->target;
	for (int i = 0; body && i < body->n_fields; i++)
		if (body->fields[i].flags & flag && str_equal_z(name, body->fields[i].name))
			return &body->fields[i];
	return NULL;
}

static unsigned flag_of(const struct route *x)
{
	return !strcmp(x->method, "POST") ? F_CREATE : !strcmp(x->method, "PUT") ? F_UPDATE : 0;
}

static bool is_page(struct str name)
{
	return str_equal_z(name, "limit") || str_equal_z(name, "offset");
}

/* False: the row has nothing of that name. */
static bool take_named(const struct tool_place *place, struct str name, struct tool_argument *a)
{
	const struct route *x = place->route;
	unsigned flag = flag_of(x);
	str_print(a->name, sizeof a->name, "%.*s", (int)name.n, name.p);
	a->target = TOOL_TO_QUERY;
	a->is_needed = has_word(place->tool->needs, name);
	if ((a->param = find_param(x, name)))
		a->is_needed |= !!(a->param->flags & PARAM_REQUIRED);
	if (!a->param && is_page(name) && !(x->flags & R_PAGED))
		a->target = TOOL_TO_US;
	if (a->param || is_page(name))
		return true;
	a->target = TOOL_TO_BODY;
	a->field = find_field(x, name, flag);
	if (a->field && flag == F_CREATE)
		a->is_needed |= !!(a->field->flags & F_REQUIRED);
	return a->field;
}

int tool_arguments(const struct tool_place *place, struct tool_argument list[TOOL_ARGUMENTS_MAX])
{
	struct str path = str_of(place->route->path), rest = str_of(place->tool->takes);
	int n = 0;
	while (path.p) {
		struct str part = str_cut(&path, '/');
		if (part.n == 0 || *part.p != ':')
			continue;
		list[n] = (struct tool_argument){ TOOL_TO_PATH, .is_needed = true };
		str_print(
			list[n].name, sizeof list[n].name, "%.*s_id", (int)part.n - 1, part.p + 1);
		n++;
	}
	while (rest.p && rest.n && n < TOOL_ARGUMENTS_MAX - 1) {
		struct str name = str_cut(&rest, ' ');
		list[n] = (struct tool_argument){ 0 };
		if (take_named(place, name, &list[n]))
			n++;
	}
	if (place->tool->cuts)
		list[n++] = (struct tool_argument){ TOOL_TO_US, .name = "whole" };
	return n;
}

void tool_check(void)
{
	struct tool_place place, other;
	for (int i = 0; tool_at(i, &place); i++) {
		struct str rest = str_of(place.tool->takes);
		while (rest.p && rest.n) {
			struct str name = str_cut(&rest, ' ');
			struct tool_argument a = { 0 };
			if (!take_named(&place, name, &a))
				log_die("the tool %s takes %.*s, which %s %s does not have",
					place.tool->name, (int)name.n, name.p, place.route->method,
					place.route->path);
		}
		if (tool_find(str_of(place.tool->name), &other) && other.tool != place.tool)
			log_die("two tools are called %s", place.tool->name);
	}
}
