#include "transfer/form/json_read.h"

#include <string.h>

#include "transfer/read/json_walk.h"
#include "transfer/form/v5_value.h"

struct reading {
	struct json_walk walk;
	struct v5 *v;
	enum v5_kind hint;
};

/* What is known about records before they are looked at. */
struct context {
	enum v5_kind hint;
	struct v5_parent parent;
};

static enum rc put(struct reading *r, int64_t line, const struct body *value, struct context c);

static enum rc put_each(struct reading *r, int64_t line, const struct body *value, struct context c)
{
	enum rc rc = RC_OK;

	if (value->type == BODY_OBJECT)
		return put(r, line, value, c);
	if (value->type != BODY_ARRAY)
		return RC_OK;
	for (const struct body *e = value->first; rc == RC_OK && e; e = e->next)
		rc = put_each(r, line, e, c);
	return rc;
}

/* The last name in a path: "stories" of "/projects/{project_id}/stories". */
static enum v5_kind kind_of_path(struct str path)
{
	enum v5_kind kind = V5_UNKNOWN;

	while (path.p) {
		const struct str part = str_cut(&path, '/');

		if (part.n && part.p[0] != '{')
			kind = v5_kind_of_word(part);
	}
	return kind;
}

static int64_t int_of(const struct body *object, const char *name)
{
	return v5_int(body_get(object, name));
}

/* The context of what is in a dump's {"PathTemplate", "Keys", "Data"}. */
static struct context of_template(const struct body *value, struct context c)
{
	const struct body *keys = body_get(value, "Keys");

	c.hint = kind_of_path(v5_text(value, "PathTemplate"));
	c.parent.story = int_of(keys, "story_id");
	c.parent.epic = int_of(keys, "epic_id");
	return c;
}

/* Messages of Singer and Airbyte: {"type", "stream", "record"}, or the record names the stream. */
static enum rc put_message(
	struct reading *r, int64_t line, const struct body *value, struct context c)
{
	const struct body *record = body_get(value, "record");
	struct str stream = v5_text(value, "stream");

	if (!str_equal_nocase(v5_text(value, "type"), STR("RECORD")) || !record) {
		r->v->taken++;
		return RC_OK;
	}
	if (body_get(record, "stream") && body_get(record, "data")) {
		stream = v5_text(record, "stream");
		record = body_get(record, "data");
	}
	c.hint = v5_kind_of_word(stream);
	return put_each(r, line, record, c);
}

static bool is_message(const struct body *value)
{
	static const char *const types[] = { "RECORD", "SCHEMA", "STATE", "LOG", "TRACE",
		"ACTIVATE_VERSION", "CONNECTION_STATUS", "SPEC", "CATALOG" };
	const struct str type = v5_text(value, "type");

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_equal_z(type, types[i]))
			return !body_get(value, "kind");
	return false;
}

/* An object that is no record itself, but has records or lists of them by name. */
static enum rc put_lists(
	struct reading *r, int64_t line, const struct body *value, struct context c, bool *found)
{
	enum rc rc = RC_OK;

	for (const struct body *e = value->first; rc == RC_OK && e; e = e->next) {
		if (e->type < BODY_ARRAY && e->type != BODY_NULL)
			continue;
		const enum v5_kind kind = v5_kind_of_word(e->key);

		if (kind == V5_UNKNOWN || e->type < BODY_ARRAY)
			*found = *found || (kind != V5_UNKNOWN && e->type == BODY_NULL);
		else {
			*found = true;
			c.hint = kind;
			rc = put_each(r, line, e, c);
		}
	}
	r->v->taken += *found;
	return rc;
}

/* The records that this object wraps; null if it wraps none. */
static const struct body *wrapped(
	const struct body *value, const struct context *c, struct context *inner)
{
	const struct body *inside;

	*inner = *c;
	if (body_get(value, "PathTemplate") && (inside = body_get(value, "Data"))) {
		*inner = of_template(value, *c);
		return inside;
	}
	if (body_get(value, "ParentID") && (inside = body_get(value, "Items")))
		return inside;
	if ((inside = body_get(value, "_airbyte_data")))
		return inside;
	if ((body_get(value, "pagination") || value->count == 1) &&
		(inside = body_get(value, "data")))
		return inside;
	return NULL;
}

static enum rc put(struct reading *r, int64_t line, const struct body *value, struct context c)
{
	struct context inner;
	const struct body *inside = wrapped(value, &c, &inner);
	bool found = false;

	if (inside) {
		r->v->taken++;
		return put_each(r, line, inside, inner);
	}
	if (is_message(value))
		return put_message(r, line, value, c);
	if (v5_kind_of(value, c.hint) == V5_UNKNOWN && !body_get(value, "kind")) {
		enum rc rc = put_lists(r, line, value, c, &found);

		if (rc != RC_OK || found)
			return rc;
	}
	return v5_put(r->v, line, value, c.hint, &c.parent);
}

/* Members of the objects around records that say something about these. */
static bool keeps(struct str member)
{
	static const char *const names[] = { "id", "PathTemplate", "Keys", "number", "start",
		"finish" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_equal_z(member, names[i]))
			return true;
	return v5_kind_tells(member);
}

static struct context context_of(struct json_walk *w, const struct json_place *place)
{
	const struct reading *r = w->arg;

	return place ? *(const struct context *)place->known
		     : (struct context){ r->hint, { NIL, NIL, NIL, NULL } };
}

/* What the objects around all records of a large member say about them. */
static struct context look_around(struct json_walk *w, const struct json_place *place)
{
	struct context c = context_of(w, place->up);
	const enum v5_kind up = v5_kind_of(place->head, c.hint);
	const enum v5_kind own = v5_kind_of_word(place->member);
	const int64_t id = int_of(place->head, "id");
	if (body_get(place->head, "PathTemplate"))
		return of_template(place->head, c);
	if (own == V5_UNKNOWN)
		return c;
	c.hint = own;
	if (up == V5_ITERATION)
		c.parent.iteration = place->head;
	if (up == (enum v5_kind)INTAKE_STORY)
		c.parent.story = id;
	else if (up == (enum v5_kind)INTAKE_EPIC)
		c.parent.epic = id;
	else if (up == (enum v5_kind)INTAKE_COMMENT)
		c.parent.comment = id;
	return c;
}

static const void *enter(struct json_walk *w, const struct json_place *place, struct arena *arena)
{
	struct context *c = arena_alloc(arena, sizeof(*c));

	*c = look_around(w, place);
	return c;
}

static void say_mended(struct reading *r, int64_t line, const struct body *value, enum v5_kind hint)
{
	const struct intake_place at = { .file = r->v->file, .line = line };
	const int64_t id = v5_subject(v5_kind_of(value, hint), value);

	if (r->walk.nuls)
		intake_say(r->v->in, INTAKE_NOTE, at, id, NULL, "nul",
			"%s: U+0000 was removed from a text, which cannot contain it", r->v->where);
	if (r->walk.halves)
		intake_say(r->v->in, INTAKE_CHANGED, at, id, NULL, "half_character",
			"%s: half a character in a text became U+FFFD", r->v->where);
}

static enum rc take(
	struct json_walk *w, const struct json_place *place, int64_t line, const struct body *value)
{
	struct reading *r = w->arg;

	const struct context c = context_of(w, place);

	say_mended(r, line, value, c.hint);
	return put(r, line, value, c);
}

enum rc json_read(struct v5 *v, struct intake_bytes *bytes, enum v5_kind hint, bool *refused)
{
	struct reading r = { .walk = { .in = v->in,
				     .file = v->file,
				     .where = v->where,
				     .bytes = bytes,
				     .record = take,
				     .keeps = keeps,
				     .enter = enter,
				     .arena = &v->arena },
		.v = v,
		.hint = hint };

	r.walk.arg = &r;
	enum rc rc = json_walk(&r.walk);
	*refused = r.walk.refused;
	return rc;
}
