/* Apart from body.c because json.h and json-c's headers use the same names. */
#include "lib/body.h"

#include "lib/json.h"

static struct body *new_value(struct arena *a, enum body_type type)
{
	struct body *value = arena_alloc(a, sizeof(*value));

	value->type = type;
	return value;
}

struct body *body_get(const struct body *object, const char *name)
{
	if (!object || object->type != BODY_OBJECT)
		return NULL;
	struct body *member = object->first;
	while (member && !str_equal_z(member->key, name))
		member = member->next;
	return member;
}

struct str body_string(const struct body *object, const char *name)
{
	const struct body *v = body_get(object, name);
	return v && v->type == BODY_TEXT ? v->text : (struct str){ 0 };
}

static void write_value(struct json *j, const struct body *value)
{
	switch (value->type) {
	case BODY_NULL: json_null(j); break;
	case BODY_BOOL: json_bool(j, value->boolean); break;
	case BODY_INT: json_int(j, value->integer); break;
	case BODY_FLOAT: json_float_dot(j, value->number); break;
	case BODY_TEXT: json_str(j, value->text); break;
	case BODY_ARRAY:
		json_array(j);
		for (const struct body *e = value->first; e; e = e->next)
			write_value(j, e);
		json_array_end(j);
		break;
	case BODY_OBJECT:
		json_object(j);
		for (const struct body *e = value->first; e; e = e->next) {
			json_key_str(j, e->key);
			write_value(j, e);
		}
		json_object_end(j);
		break;
	}
}

struct str body_text(struct arena *a, const struct body *value)
{
	struct buf b = { 0 };
	struct json j;

	json_init(&j, &b);
	write_value(&j, value);
	struct str text = arena_str(a, buf_str(&b));
	buf_free(&b);
	return text;
}

struct body *body_new_object(struct arena *a)
{
	return new_value(a, BODY_OBJECT);
}

struct body *body_new_array(struct arena *a)
{
	return new_value(a, BODY_ARRAY);
}

struct body *body_new_text(struct arena *a, struct str s)
{
	struct body *value = new_value(a, BODY_TEXT);

	value->text = arena_str(a, s);
	return value;
}

struct body *body_new_int(struct arena *a, int64_t v)
{
	struct body *value = new_value(a, BODY_INT);

	value->integer = v;
	return value;
}

struct body *body_new_bool(struct arena *a, bool v)
{
	struct body *value = new_value(a, BODY_BOOL);

	value->boolean = v;
	return value;
}

void body_append(struct body *parent, struct str key, struct body *child)
{
	struct body **end = &parent->first;

	while (*end)
		end = &(*end)->next;
	child->key = key;
	*end = child;
	parent->count++;
}

void body_remove(struct body *object, const struct body *member)
{
	struct body **at = &object->first;

	while (*at != member)
		at = &(*at)->next;
	*at = member->next;
	object->count--;
}
