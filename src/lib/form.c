#include "lib/form.h"

#include "lib/uri.h"

enum { PARAMS_MAX = 1000 };

/* Cuts the brackets off "ids[]". */
static bool cut_brackets(struct str *name)
{
	if (name->n < 2 || name->p[name->n - 2] != '[' || name->p[name->n - 1] != ']')
		return false;
	name->n -= 2;
	return true;
}

static struct body *find(const struct body *object, struct str key)
{
	struct body *member = object->first;
	while (member && !str_equal(member->key, key))
		member = member->next;
	return member;
}

/* False: the name is already there, and the two are not both items of a list. */
static bool add(struct arena *a, struct body *form, struct str name, struct str text)
{
	bool is_item = cut_brackets(&name);
	struct body *there = find(form, name), *value = body_new_text(a, text);
	if (there && (!is_item || there->type != BODY_ARRAY))
		return false;
	if (!is_item) {
		body_append(form, name, value);
		return true;
	}
	if (!there) {
		there = body_new_array(a);
		body_append(form, name, there);
	}
	body_append(there, (struct str){ 0 }, value);
	return true;
}

struct body *form_parse(struct arena *a, struct str text, const char **problem)
{
	struct body *form = body_new_object(a);
	struct uri_param *first;
	struct str bad;
	*problem = NULL;
	if (!uri_parse_form(a, text, PARAMS_MAX, &first, &bad))
		*problem =
			"it is not valid percent-encoded UTF-8, or has more than 1000 parameters";
	for (const struct uri_param *p = *problem ? NULL : first; p; p = p->next)
		if (!add(a, form, p->name, p->value))
			*problem = "a name is given twice in it";
	return *problem ? NULL : form;
}
