/* Keys of a body that say nothing new (contract 1.13). */
#include "http/bind.h"
#include "http/route.h"

const struct field *bind_writable(const struct resource *resource, struct str key, unsigned flag)
{
	for (int i = 0; i < resource->n_fields; i++)
		if (resource->fields[i].flags & flag && str_equal_z(key, resource->fields[i].name))
			return &resource->fields[i];
	return NULL;
}

/* Whether a value is that id: a number, or in a form its text. */
static bool is_id(const struct req *r, const struct body *v, int64_t id)
{
	int64_t read;
	if (v->type == BODY_INT)
		return v->integer == id;
	return r->is_form && v->type == BODY_TEXT && str_to_int(v->text, &read) && read == id;
}

/* Any write may repeat the ids of its path. */
static enum rc take_path_ids(
	struct req *r, const struct resource *resource, struct body *object, unsigned flag)
{
	static const char *const parts[] = { ":project", ":story", ":epic" };
	static const char *const keys[] = { "project_id", "story_id", "epic_id" };
	for (int i = 0; i < 3; i++) {
		const struct body *v = body_get(object, keys[i]);
		int64_t id = route_id(r, parts[i]);
		if (!v || !id || bind_writable(resource, str_of(keys[i]), flag))
			continue;
		if (!is_id(r, v, id))
			return req_fail_field(r, keys[i], "%s must be the %s of the path.", keys[i],
				parts[i] + 1);
		body_remove(object, v);
	}
	return RC_OK;
}

/* Whether it says which object it is: then it may be one that was read. An item of a list does so by any id, and so
   does a body with an id of its own, such as that of a person to add. */
static bool names_itself(const struct req *r, const struct resource *resource,
	const struct body *object, unsigned flag)
{
	const struct body *id =
		body_get(object, resource->number_key ? resource->number_key : "id");
	if (!id)
		return false;
	if (flag & F_KEY || bind_writable(resource, STR("id"), flag))
		return true;
	return flag & F_UPDATE && r->n_ids && is_id(r, id, r->ids[r->n_ids - 1]);
}

static bool is_answered(const struct resource *resource, struct str key)
{
	for (int i = 0; i < resource->n_fields; i++)
		if (resource->fields[i].flags & F_DEFAULT &&
			str_equal_z(key, resource->fields[i].name))
			return true;
	return false;
}

enum rc bind_leave_out(
	struct req *r, const struct resource *resource, struct body *object, unsigned flag)
{
	enum rc rc = take_path_ids(r, resource, object, flag);
	if (rc || !names_itself(r, resource, object, flag))
		return rc;
	const struct resource *answer =
		resource == r->route->body && r->route->resource ? r->route->resource : resource;
	for (const struct body *v = object->first, *next; v; v = next) {
		next = v->next;
		if (is_answered(answer, v->key) && !bind_writable(resource, v->key, flag))
			body_remove(object, v);
	}
	return RC_OK;
}
